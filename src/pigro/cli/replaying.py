"""The work of `pigro compose --replay`: every result of a file is told, and its strategy replayed.

A verdict counts as shown only if there is a strategy for it that is right, and that speaks of the
same formula, verdict and dead ends as what stands around it. Unknown verdicts show nothing.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

import click

from pigro.certificates import Mismatch
from pigro.cli.composing import read_composition
from pigro.cli.destination import write_stdout
from pigro.cli.sources import read_content
from pigro.diagnostics import InputError, Position, UsageError, printable
from pigro.evidence import WrongEvidence, replay_strategy, take_strategy
from pigro.evidence.strategy_json import SCHEMA as STRATEGY
from pigro.evidence.strategy_json import strategy_head
from pigro.evidence.tree_json import NotEvidence
from pigro.model.composition import Composition
from pigro.render.composition_json import SCHEMA as RESULTS
from pigro.render.composition_json import parts_json

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from pigro.evidence.strategy_json import StrategyDocument

_WORDS = ("holds", "fails", "unknown")
_TAKEN = {"parts", "replay"}
"""What goes with --replay, by parameter."""


@dataclass(frozen=True, slots=True)
class Replayed:
    """What became of one result."""

    formula: str
    verdict: str
    problem: str | None = None
    """What is wrong with its evidence."""
    has_evidence: bool = True

    @property
    def counts_against(self) -> bool:
        """Whether a verdict is claimed and not shown."""
        return self.problem is not None or (not self.has_evidence and self.verdict != "unknown")


@dataclass(frozen=True, slots=True)
class _Claim:
    """A result of the file, and what the file says of all of them; None: nothing is said."""

    evidence: object
    formula: str | None = None
    verdict: str | None = None
    dead_ends: object = None


def refuse_with_replay(context: click.Context) -> None:
    """`UsageError` P006 for options that are for checking."""
    for option in context.command.params:
        source = context.get_parameter_source(option.name or "")
        if source is click.core.ParameterSource.COMMANDLINE and option.name not in _TAKEN:
            hint = "--replay checks evidence, and only the parts go with it"
            message = f"--replay and {option.opts[0]} don't go together"
            raise UsageError("P006", message, hint=hint)


def tell(found: Iterable[Replayed]) -> int:
    """Writes what is right, what is wrong and what is not shown; returns the exit code."""
    against = 0
    for each in found:
        against += each.counts_against
        word = "right" if each.problem is None else "wrong"
        word = word if each.has_evidence else "no evidence"
        write_stdout(f"{word}  {each.verdict}  {each.formula}\n")
        if each.problem is not None:
            write_stdout(f"       {each.problem}\n")
    return int(against > 0)


def replay_file(parts: tuple[str, ...], path: str) -> Iterator[Replayed]:
    """What became of each result, in order."""
    given = read_composition(parts)
    data, name = read_content(path)
    try:
        whole = _whole(data)
        composition = _in_its_order(given, whole)
        for claim in _claims(composition, whole):
            yield _replayed(composition, claim)
    except NotEvidence as error:
        hint = "evidence is written by `pigro compose ... --witness --format json`"
        message = f"no evidence here: {error}"
        raise InputError("P503", message, position=Position(name), hint=hint) from None
    except Mismatch as error:
        hint = "give the parts that the evidence was made with"
        raise InputError("P502", str(error), position=Position(name), hint=hint) from None


def _replayed(composition: Composition, claim: _Claim) -> Replayed:
    if claim.evidence is None:
        assert claim.formula is not None
        assert claim.verdict is not None
        return Replayed(_shown(claim.formula), claim.verdict, has_evidence=False)
    head = strategy_head(claim.evidence)
    problem = None
    try:
        replay_strategy(composition, take_strategy(composition, claim.evidence))
    except WrongEvidence as error:
        problem = str(error)
    if problem is None and claim.formula is not None:
        problem = _contradiction(claim, head)
    return Replayed(_shown(claim.formula or head.formula), claim.verdict or head.verdict, problem)


def _contradiction(claim: _Claim, head: StrategyDocument) -> str | None:
    if (claim.formula, claim.verdict) != (head.formula, head.verdict):
        return "the evidence is for another formula or verdict than the result"
    if claim.dead_ends != head.dead_ends:
        return f"the evidence reads dead ends as {head.dead_ends}, the results do not"
    return None


def _whole(data: bytes) -> dict[str, object]:
    """The document; `NotEvidence` if it is neither results nor a strategy."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise NotEvidence("this is not JSON") from None
    if not isinstance(whole, dict) or whole.get("schema") not in (RESULTS, STRATEGY):
        raise NotEvidence(f"the schema is not {RESULTS}")
    return whole


def _in_its_order(composition: Composition, whole: dict[str, object]) -> Composition:
    """The parts in the order of the document, if they are those that it names."""
    named = whole.get("parts")
    rows = named if isinstance(named, list) else []
    names = [each.get("name") for each in rows if isinstance(each, dict)]
    places = {part.name: at for at, part in enumerate(composition.parts)}
    order = [places[name] for name in names if isinstance(name, str) and name in places]
    if sorted(order) != list(range(len(places))):
        return composition
    return Composition([composition.parts[at] for at in order])


def _claims(composition: Composition, whole: dict[str, object]) -> list[_Claim]:
    """All that a document claims; `NotEvidence` if it has no evidence."""
    if whole["schema"] == STRATEGY:
        return [_Claim(whole)]
    results = whole.get("results")
    rows = results if isinstance(results, list) else []
    claims = [_claim(each, whole.get("dead_ends")) for each in rows]
    if all(claim.evidence is None for claim in claims):
        raise NotEvidence("no result has evidence")
    if whole.get("parts") != parts_json(composition):
        raise Mismatch("the results are about other parts")
    return claims


def _claim(result: object, dead_ends: object) -> _Claim:
    row = result if isinstance(result, dict) else {}
    formula, verdict = row.get("formula"), row.get("verdict")
    if not isinstance(formula, str) or verdict not in _WORDS:
        raise NotEvidence("a result has no formula or no verdict")
    return _Claim(row.get("evidence"), formula, verdict, dead_ends)


def _shown(formula: str) -> str:
    return printable(formula, len(formula))
