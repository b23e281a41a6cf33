"""Parts that are given by formulas, as each method takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, UsageError, printable
from pigro.engines.game.checking import WITHOUT_STATES
from pigro.limits import no_poll
from pigro.model.composition import Composition
from pigro.model.lazy.part import part_with_predicates
from pigro.model.lazy.seen import SeenPart

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.limits import Poll
    from pigro.model.lazy.part import GivenPart
    from pigro.model.lazy.seen import AnyPart


def as_needed(part: AnyPart, method: str, poll: Poll = no_poll) -> AnyPart:
    """A part as a method takes it: by formulas, as its predicates see it, or with all states."""
    if part.predicates and method != "predicates":
        from pigro.engines.game.formulas.refining import abstracted

        return abstracted(part, poll)
    return part if method in WITHOUT_STATES else part.listed(poll)


def of_modules(
    composition: Composition, method: str, predicates: Iterable[str], poll: Poll
) -> Composition:
    """The same composition, with parts as the method takes them."""
    parts = with_predicates(composition.parts, predicates)
    if all(part.formulas is None for part in parts):
        return composition
    return Composition([as_needed(part, method, poll) for part in parts])


def with_predicates(parts: Sequence[AnyPart], predicates: Iterable[str]) -> Sequence[AnyPart]:
    """The parts, some of them with more predicates, which are given as [PART:]CONDITION."""
    found: dict[str, AnyPart] = {part.name: part for part in parts}
    for text in predicates:
        part, condition = _meant(found, text)
        try:
            found[part.name] = part_with_predicates(part, [*part.predicates, condition])
        except FormulaError as error:
            error.hint = error.hint or f"it is about the variables of {printable(part.name)}"
            raise
    return tuple(found.values())


def _meant(parts: dict[str, AnyPart], text: str) -> tuple[GivenPart, str]:
    """The part that a predicate is about, and the condition."""
    name, colon, rest = text.partition(":")
    modules = {
        each: part
        for each, part in parts.items()
        if part.formulas is not None and not isinstance(part, SeenPart)
    }
    if colon and name.strip() in modules:
        return modules[name.strip()], rest
    if len(modules) == 1:
        return next(iter(modules.values())), text
    message = f'which part is the predicate "{printable(text)}" about?'
    hint = f"write it as PART:CONDITION, for {' or '.join(map(printable, modules))}"
    if not modules:
        hint = "only modules of .smv files without EXIT are abstracted by predicates"
    raise UsageError("P006", message, hint=hint)
