"""Parts that are given by formulas, as each method takes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, UsageError, printable
from pigro.engines.game.checking import WITHOUT_STATES
from pigro.limits import unwatched
from pigro.model.composition import Composition
from pigro.model.lazy.part import FormulaPart, listed

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.limits import Poll
    from pigro.model.part import Part


def as_needed(part: Part, method: str, poll: Poll = unwatched) -> Part:
    """A part as a method takes it: by formulas, as its predicates see it, or with all states."""
    if isinstance(part, FormulaPart) and part.predicates and method != "predicates":
        from pigro.engines.game.formulas.refining import abstracted

        return abstracted(part, poll)
    return part if method in WITHOUT_STATES else listed(part)


def of_modules(
    composition: Composition, method: str, predicates: Iterable[str], poll: Poll
) -> Composition:
    """The same composition, with parts as the method takes them."""
    if not any(isinstance(part, FormulaPart) for part in composition.parts):
        return composition
    parts = with_predicates(composition.parts, predicates)
    return Composition([as_needed(part, method, poll) for part in parts])


def with_predicates(parts: Sequence[Part], predicates: Iterable[str]) -> Sequence[Part]:
    """The parts, some of them with more predicates, which are given as [PART:]CONDITION."""
    found = {part.name: part for part in parts}
    for text in predicates:
        part, condition = _meant(found, text)
        try:
            found[part.name] = part.with_predicates([*part.predicates, condition])
        except FormulaError as error:
            error.hint = error.hint or f"it is about the variables of {printable(part.name)}"
            raise
    return tuple(found.values())


def _meant(parts: dict[str, Part], text: str) -> tuple[FormulaPart, str]:
    """The part that a predicate is about, and the condition."""
    name, colon, rest = text.partition(":")
    named = parts.get(name.strip()) if colon else None
    modules = [part for part in parts.values() if isinstance(part, FormulaPart)]
    if isinstance(named, FormulaPart):
        return named, rest
    if len(modules) == 1:
        return modules[0], text
    message = f'which part is the predicate "{printable(text)}" about?'
    hint = (
        f"write it as PART:CONDITION, for {' or '.join(printable(each.name) for each in modules)}"
    )
    if not modules:
        hint = "only modules of .smv files without EXIT are abstracted by predicates"
    raise UsageError("P006", message, hint=hint)
