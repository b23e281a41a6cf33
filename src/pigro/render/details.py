"""What an engine says about a verdict besides, for people: its games, its steps and its rounds.

Names come from files and are escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics.printable import in_full
from pigro.logic.modal import modal_form
from pigro.render.heads import NAMES, names_text
from pigro.render.tables import table
from pigro.render.text import count, duration, value_word
from pigro.verdict import StepLog, is_here
from pigro.verdict.composition_details import CompositionDetails

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.model.composition import Composition
    from pigro.render.text import TextStyle
    from pigro.verdict import Step, Verdict
    from pigro.verdict.composition_details import CauseOutcome, LayerReport, SymbolicResult

_SHOWN = 3
"""How many nodes a line of text names."""


def detail_lines(verdict: Verdict, style: TextStyle) -> Iterator[str]:
    """What the engine says besides. Of a composition nothing, if the verdict was pickled."""
    details = verdict.details
    if isinstance(details, StepLog):
        yield from map(in_full, _steps(details.steps))
    is_told = is_here(verdict.subject) and not style.compact
    if isinstance(details, CompositionDetails) and is_told:
        yield from _games(verdict, details, style)
        yield from map(in_full, _rounds(verdict.subject, details) if style.rounds else ())


def _steps(steps: Sequence[Step]) -> Iterator[str]:
    """A line for each step, and one for each new context."""
    for number, step in enumerate(steps, start=1):
        yield f"step {number}: {_sentence(step)}"
        if step.built:
            yield f"    context: {_context(step)}"


def _sentence(step: Step) -> str:
    if step.action == "visit":
        return f"visit {step.instance} for {step.formula} ({step.reason}); {_returning(step)}"
    if step.action == "initialize":
        return f"initialize {step.instance}"
    nodes = ", ".join(step.nodes[:_SHOWN])
    more = f" and {len(step.nodes) - _SHOWN} more" if len(step.nodes) > _SHOWN else ""
    if step.action == "resolve":
        return f"resolve a cycle: {step.formula} is {step.value} at {nodes}{more}"
    if step.action == "label":
        where = f"{nodes}{more} ({step.reason}); {_returning(step)}"
        return f"label: {step.formula} is {step.value} at {where}"
    made = "new instance" if step.built else "instance"
    return (
        f"contextualize box {step.box} of {step.caller}, {made} {step.instance}, "
        f"because of {step.formula} at {nodes}{more}"
    )


def _returning(step: Step) -> str:
    if not step.context:
        return "nothing is assumed about a return"
    said = ", ".join(f"{formula} is {value}" for _, formula, value in step.context)
    return f"after the return, {said}"


def _context(step: Step) -> str:
    if not step.context:
        return "nothing is known"
    return ", ".join(f"{formula} is {value} at {exit_}" for exit_, formula, value in step.context)


_FINDINGS = 10
"""How many findings of a round are told."""


def _rounds(composition: Composition, details: CompositionDetails) -> Iterator[str]:
    """A paragraph for each round: blocks, games, and findings."""
    for number, each in enumerate(details.rounds, 1):
        pairs = zip(composition.parts, each.blocks, strict=True)
        blocks = ", ".join(f"{part.name} {size:,}" for part, size in pairs)
        yield f"round {number}: blocks {blocks}"
        yield from (f"    {_layer(composition, layer)}" for layer in each.layers)
        yield from (f"    {_finding(composition, found)}" for found in each.findings[:_FINDINGS])
        more = len(each.findings) - _FINDINGS
        if more > 0:
            splits = sum(found.split for found in each.findings[_FINDINGS:])
            yield f"    and {more:,} more, with {splits:,} splits"


def _layer(composition: Composition, layer: LayerReport) -> str:
    names = ", ".join(composition.parts[at].name for at in layer.parts)
    undecided = f", {layer.open_nodes:,} undecided" if layer.value is None else ""
    return f"{names}: {layer.nodes:,} positions{undecided}, {value_word(layer.value)}"


def _finding(composition: Composition, finding: CauseOutcome) -> str:
    part = composition.parts[finding.part].name
    if finding.atom is not None:
        doubt = f"{finding.atom} in {finding.state}"
    else:
        arrow = "->" if finding.action is None else f"-{finding.action}->"
        doubt = f"{finding.state} {arrow} {finding.target}"
    return (
        f"in doubt: {doubt} of {part}; {'split' if finding.split else 'found out without a split'}"
    )


def _games(verdict: Verdict, details: CompositionDetails, style: TextStyle) -> Iterator[str]:
    """How large the games were, or the search."""
    composition = verdict.subject
    if details.layers or details.symbolic is not None:
        yield _sizes(details, full_positions(verdict))
    if verdict.stats.states is not None:
        yield _states(verdict)
    if style.statistics and details.layers:
        yield from _table(composition, details).splitlines()
    if details.rounds:
        yield _refinement(composition, details)


def full_positions(verdict: Verdict) -> int | None:
    """The most positions that the game on the full composition can have."""
    states: int | None = verdict.subject.counted
    details = verdict.details
    if verdict.engine == "onthefly" or details is None or states is None:
        return None
    stops = details.dead_ends == "stop"
    return states * len(modal_form(verdict.formula, dead_ends="stop" if stops else "stutter"))


def _sizes(details: CompositionDetails, most: int | None) -> str:
    """One line: the positions of the games, and how many the full composition has at most."""
    bound = "too many to count" if most is None else f"at most {most:,}"
    if details.symbolic is not None:
        return _symbolic(details.symbolic)
    alone = [layer.nodes for layer in details.layers if len(layer.parts) == 1]
    together = [layer.nodes for layer in details.layers if len(layer.parts) > 1]
    if details.method == "full":
        return f"game positions: {details.layers[-1].nodes:,} on the full composition"
    counts = (
        [f"{_sum(alone)} on {'single parts' if len(alone) > 1 else 'one part'}"] if alone else []
    )
    counts += [f"{_sum(together)} on several parts"] if together else []
    when = " in the last round" if len(details.rounds) > 1 else ""
    return f"game positions{when}: {', '.join(counts)} (full composition: {bound})"


def _states(verdict: Verdict) -> str:
    """One line: composed states that were looked at."""
    states = verdict.subject.counted
    there = "too many to count" if states is None else f"{states:,}"
    return f"states: {verdict.stats.states:,} looked at; composed {there}"


def _sum(numbers: Sequence[int]) -> str:
    if len(numbers) > NAMES:
        return f"{sum(numbers):,} in {len(numbers)} games"
    return " + ".join(f"{number:,}" for number in numbers)


def _symbolic(result: SymbolicResult) -> str:
    pieces = [
        count(result.variables, "variable"),
        f"diagrams of about {result.nodes:,} nodes ({result.package})",
        f"{count(result.rounds_alone, 'round')} alone",
    ]
    if result.second_step:
        pieces.append(f"{result.rounds:,} together")
    return ", ".join(pieces)


def _table(composition: Composition, details: CompositionDetails) -> str:
    """A table of the games that were played."""
    head = ("game", "positions", "edges", "undecided", "value", "time")
    rows = [_row(composition, layer) for layer in details.layers]
    return table([head, *rows], right=(1, 2, 3))


def _row(composition: Composition, layer: LayerReport) -> tuple[str, ...]:
    return (
        names_text([composition.parts[at].name for at in layer.parts]),
        *(f"{number:,}" for number in (layer.nodes, layer.edges, layer.open_nodes)),
        value_word(layer.value),
        duration(layer.seconds),
    )


def _refinement(composition: Composition, details: CompositionDetails) -> str:
    """How many rounds there were, and how many blocks the parts have, against their states."""
    splits = sum(each.splits for each in details.rounds)
    rounds = f"{count(len(details.rounds), 'round')}, {count(splits, 'split')}"
    pairs = zip(composition.parts, details.rounds[-1].blocks, strict=True)
    blocks = [
        f"{in_full(part.name)} {number:,}" + (f" of {len(part.states):,}" if part.is_listed else "")
        for part, number in pairs
    ]
    more = f" and {len(blocks) - NAMES} more parts" if len(blocks) > NAMES else ""
    return f"{rounds}; blocks: {', '.join(blocks[:NAMES])}{more}"
