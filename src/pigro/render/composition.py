"""Results about compositions as text for people: the verdict, who decided it, and how large it was.

Names come from files and are escaped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.logic.modal import modal_form
from pigro.model.composition import Composition
from pigro.model.part import Part
from pigro.render.tables import table
from pigro.render.text import (
    INDENT,
    ROWS,
    TextStyle,
    count,
    counts_text,
    duration,
    head_text,
    shown_formula,
    shown_verdict,
    verdict_text,
    whole,
)
from pigro.render.trace import rounds_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.model.lazy.seen import AnyPart
    from pigro.session.asking import Room
    from pigro.session.request import Outcome, Question
    from pigro.verdict import Verdict
    from pigro.verdict.games import LayerReport, SymbolicResult

_NAMES = 8
"""How many names stand in a list, and terms in a sum."""
_NOT_LISTED = "states not listed"


@dataclass(frozen=True, slots=True)
class CompositionReport:
    """A composition, the verdicts on it in the order asked, and what a reader must know besides."""

    composition: Composition
    states: int | None
    """Composed states. None: too many combinations to count."""
    dead_ends: str | None
    """How dead ends are read. None: nothing is checked."""
    verdicts: tuple[Verdict, ...] = ()
    warnings: tuple[str, ...] = ()
    load_seconds: float | None = None
    statistics: bool = False
    """Also tell what the parts and the games are like."""
    witness: bool = False
    """Also tell the strategies that win."""
    reordered: bool = False
    """Whether the parts were given in another order."""
    texts: tuple[str, ...] = ()
    """The text about each verdict, if that was written before. It may have evidence in it."""


class PartsTelling:
    """Words the verdicts on a composition as they come, and then the whole report."""

    def __init__(self, question: Question, style: TextStyle, *, is_json: bool) -> None:
        self._style, self._is_json = style, is_json
        self._report = CompositionReport(
            question.composition,
            question.composition.counted,
            question.dead_ends,
            warnings=tuple(each.text for each in question.notices),
            load_seconds=question.load_seconds,
            statistics=style.statistics,
            witness=style.witness != "none",
            reordered=question.reordered,
        )

    def head(self) -> str:
        """The parts, and what they are together."""
        return composition_text(self._report)

    def told(self, number: int, verdict: Verdict, room: Room) -> str:
        """One verdict, with its evidence as far as there is room for it."""
        if not self._is_json:
            return shown_verdict(number, verdict, self._style, room)
        from pigro.render.composition_json import shown_composition_result

        return shown_composition_result(number, verdict, self._report, room)

    def summary(self, verdicts: Sequence[Verdict]) -> str:
        """How many hold and fail."""
        return composition_summary(verdicts)

    def whole(self, outcome: Outcome, texts: list[str]) -> bytes:
        """The whole report."""
        report = replace(
            self._report,
            verdicts=outcome.verdicts,
            warnings=(*self._report.warnings, *outcome.missing),
            texts=tuple(texts),
        )
        if not self._is_json:
            return render_composition(report, self._style)
        from pigro.render.composition_json import render_composition_json

        return render_composition_json(report)


def render_composition(report: CompositionReport, style: TextStyle) -> bytes:
    """The whole report as UTF-8 text."""
    told = [composition_text(report) + "\n"] if report.statistics else []
    told += report.texts or [verdict_text(each, style) for each in report.verdicts]
    if len(report.verdicts) != 1:
        told.append("\n" + composition_summary(report.verdicts))
    told += [f"warning: {whole(each)}\n" for each in report.warnings]
    return "".join(told).encode("utf-8", "backslashreplace")


def composition_summary(verdicts: Sequence[Verdict]) -> str:
    """How many hold and fail, and the time for all. With line end."""
    words = [verdict.outcome for verdict in verdicts]
    return counts_text(words, sum(verdict.seconds for verdict in verdicts))


def composition_text(report: CompositionReport) -> str:
    """The parts, and what they are together, a line each."""
    composition = report.composition
    shared = composition.joint
    what = "joint labels"
    if composition.has_actions:
        users = [name for part in composition.parts for name in part.actions or ()]
        shared = tuple(name for name in composition.actions if users.count(name) > 1)
        what = "shared actions"
    names = ", ".join(whole(part.name) for part in composition.parts)
    rows = [
        *((f"part {whole(part.name)}", _part_text(part)) for part in composition.parts),
        *([("order", names)] if report.reordered else []),
        (what, _list(shared)),
        ("composed", _composed(report)),
        *([] if report.dead_ends is None else [("dead ends", report.dead_ends)]),
    ]
    if report.load_seconds is not None:
        rows.append(("loaded in", duration(report.load_seconds)))
    return table(rows)


def composition_verdict_text(verdict: Verdict, style: TextStyle) -> str:
    """One verdict without evidence: the word, the formula, who decided it, how large it was."""
    head = head_text(verdict.outcome, style)
    if style.compact:
        positions = sum(layer.nodes for layer in verdict.layers)
        column = f"{duration(verdict.seconds)}, {count(positions, 'position')}"
        column = f"{column:<24} " if verdict.layers else f"{duration(verdict.seconds):<24} "
        shown = shown_formula(verdict.formula, style.width, INDENT + len(column), rows=1)
        return f"{head}{column}{shown}\n"
    shown = shown_formula(verdict.formula, style.width, INDENT, rows=ROWS)
    lines = [f"{whole(verdict.reason)}; {duration(verdict.seconds)}"]
    rounds = ""
    if isinstance(verdict.subject, Composition):  # not if the verdict was pickled
        lines += _details(verdict, style)
        rounds = rounds_text(verdict, INDENT) if style.rounds else ""
    told = "".join(f"{' ' * INDENT}{line}\n" for line in lines)
    return f"{head}{shown}\n{told}{rounds}"


def _details(verdict: Verdict, style: TextStyle) -> Iterator[str]:
    """How large the games were, or the search."""
    if verdict.layers or verdict.symbolic is not None:
        yield _sizes(verdict)
    if verdict.stats.states is not None:
        yield _states(verdict)
    if style.statistics and verdict.layers:
        yield from _games(verdict).splitlines()
    if verdict.rounds:
        yield _refinement(verdict)


def bound(verdict: Verdict) -> int | None:
    """The most positions that the game on the full composition can have."""
    states = verdict.composition.counted
    if verdict.engine == "onthefly" or verdict.games is None or states is None:
        return None
    stops = verdict.games.dead_ends == "stop"
    return states * len(modal_form(verdict.formula, dead_ends="stop" if stops else "stutter"))


def _composed(report: CompositionReport) -> str:
    """How many states the parts have together."""
    composition = report.composition
    if not composition.is_listed:
        return _NOT_LISTED
    most = "at most " if composition.unsettled else ""
    states = "too many to count" if report.states is None else most + count(report.states, "state")
    return f"{states}, {most}{len(composition.initial):,} initial"


def _part_text(part: AnyPart) -> str:
    told = [_NOT_LISTED]
    if isinstance(part, Part):
        told = [count(len(part.states), "state"), count(len(part.targets), "step")]
        told += [count(len(part.hyper), "hyper-step")] if part.hyper else []
    told.append(f"labels {_list(part.atoms)}")
    if part.actions is not None:
        told.append(f"actions {_list(part.actions)}")
    if not part.is_concrete:
        told.append("not concrete")
    return ", ".join(told)


def _sizes(verdict: Verdict) -> str:
    """One line: the positions of the games, and how many the full composition has at most."""
    most = bound(verdict)
    in_full = "too many to count" if most is None else f"at most {most:,}"
    if verdict.symbolic is not None:
        return _symbolic(verdict.symbolic)
    alone = [layer.nodes for layer in verdict.layers if len(layer.parts) == 1]
    together = [layer.nodes for layer in verdict.layers if len(layer.parts) > 1]
    if verdict.method == "full":
        return f"game positions: {verdict.layers[-1].nodes:,} on the full composition"
    told = [f"{_sum(alone)} on {'single parts' if len(alone) > 1 else 'one part'}"] if alone else []
    told += [f"{_sum(together)} on several parts"] if together else []
    when = " in the last round" if len(verdict.rounds) > 1 else ""
    return f"game positions{when}: {', '.join(told)} (full composition: {in_full})"


def _states(verdict: Verdict) -> str:
    """One line: composed states that were looked at."""
    states = verdict.composition.counted
    there = "too many to count" if states is None else f"{states:,}"
    return f"states: {verdict.stats.states:,} looked at; composed {there}"


def _sum(numbers: Sequence[int]) -> str:
    if len(numbers) > _NAMES:
        return f"{sum(numbers):,} in {len(numbers)} games"
    return " + ".join(f"{number:,}" for number in numbers)


def _symbolic(result: SymbolicResult) -> str:
    told = [
        count(result.variables, "variable"),
        f"diagrams of about {result.nodes:,} nodes ({result.package})",
        f"{count(result.rounds_alone, 'round')} alone",
    ]
    if result.second_step:
        told.append(f"{result.rounds:,} together")
    return ", ".join(told)


def _games(verdict: Verdict) -> str:
    """A table of the games that were played."""
    head = ("game", "positions", "edges", "undecided", "value", "time")
    rows = [_game(verdict, layer) for layer in verdict.layers]
    return table([head, *rows], right=(1, 2, 3))


def _game(verdict: Verdict, layer: LayerReport) -> tuple[str, ...]:
    value = "unknown" if layer.value is None else "holds" if layer.value else "fails"
    return (
        game_name(verdict.composition, layer),
        *(f"{number:,}" for number in (layer.nodes, layer.edges, layer.open_nodes)),
        value,
        duration(layer.seconds),
    )


def game_name(composition: Composition, layer: LayerReport) -> str:
    """Which parts a game is about."""
    return _list([composition.parts[at].name for at in layer.parts])


def _refinement(verdict: Verdict) -> str:
    splits = sum(each.splits for each in verdict.rounds)
    rounds = f"{count(len(verdict.rounds), 'round')}, {count(splits, 'split')}"
    return f"{rounds}; blocks: {blocks_text(verdict, verdict.rounds[-1].blocks)}"


def blocks_text(verdict: Verdict, blocks: Sequence[int]) -> str:
    """How many blocks the parts have, against their states."""
    pairs = zip(verdict.composition.parts, blocks, strict=True)
    told = [
        f"{whole(part.name)} {number:,}"
        + (f" of {len(part.states):,}" if isinstance(part, Part) else "")
        for part, number in pairs
    ]
    more = f" and {len(told) - _NAMES} more parts" if len(told) > _NAMES else ""
    return ", ".join(told[:_NAMES]) + more


def _list(names: Sequence[str]) -> str:
    shown = ", ".join(whole(name) for name in names[:_NAMES])
    more = len(names) - _NAMES
    return f"{shown} and {more:,} more" if more > 0 else shown or "-"
