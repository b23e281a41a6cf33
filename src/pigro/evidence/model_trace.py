"""Runs of models as traces: names, calls, labels, variables, source lines and truths."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.lines import EvidenceWriter
from pigro.evidence.page import truths_of
from pigro.evidence.states import Path
from pigro.evidence.trace import ENDS, Trace, TraceState, with_changes
from pigro.evidence.tree.joined import joined
from pigro.evidence.variables import is_hidden
from pigro.limits import no_poll
from pigro.model.lazy.excerpt import seen_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.evidence.kinds import ShownEvidence
    from pigro.evidence.states import Evidence, Stack, State
    from pigro.evidence.truths import Place

    Told = Sequence[Mapping[str, bool]]


def tree_trace(shown: ShownEvidence) -> Trace | None:
    """The run of a tree of evidence, or the one state whose labels decide.

    None if it is not one run, or needs claims about all runs.
    """
    whole = joined(shown.evidence)
    items, pending = [], [whole]
    while pending:
        at = pending.pop()
        items.append(at)
        pending += at.parts
    runs = [each for each in items if each.path is not None]
    if len(runs) > 1 or any(each.kind == "claim" for each in items):
        return None
    run = runs[0] if runs else replace(whole, path=Path((whole.state,)))
    assert run.path is not None, "it was looked at"
    truths = _truths(shown, items, run)
    return path_trace(EvidenceWriter(shown, full=True), run.path, truths, dict(run.marks))


def run_truths(shown: ShownEvidence) -> Sequence[Mapping[str, bool]]:
    """What is known of subformulas in each state of the run that is the evidence."""
    return _truths(shown, [shown.evidence], shown.evidence)


def path_trace(
    writer: EvidenceWriter, path: Path, truths: Told, marks: Mapping[int, int] | None = None
) -> Trace:
    """The trace of a path."""
    marks = marks or {}
    states, source = [], ""
    for at, state in enumerate(path.states):
        here = writer.place(path, at)
        states.append(
            TraceState(
                name=_name(writer, path, at),
                state=_given(writer, state),
                depth=state.stack.depth,
                call=_call(writer, path, at),
                labels=writer.labels(state.node),
                variables=_variables(writer, path, at),
                source=here if here and here != source else None,
                position=writer.position(path, at),
                truths=truths[at],
                mark=writer.words.text(marks[at]) if at in marks else None,
            )
        )
        source = here
    end, start, last = ENDS[path.ends], path.start, path.states[-1].node
    if end == "stays" and last in writer.model.core.successors(last):
        end, start = "loop", len(states) - 1  # its only step leads to itself
    return Trace(with_changes(states), end, start)


def _name(writer: EvidenceWriter, path: Path, at: int) -> str:
    told = writer.model.configurations
    if told is not None:
        return printable(told.text(writer.model, path.states[at]))
    return printable(writer.model.node_name(path.states[at].node))


def _given(writer: EvidenceWriter, state: State) -> object:
    """The state itself. Of a program, the object that it made."""
    if not writer.model.is_partial:
        return state
    return seen_of(writer.model).given(state.node, state)


def _call(writer: EvidenceWriter, path: Path, at: int) -> str | None:
    if not writer.called(path.states, at):
        return None
    return printable(writer.model.names.boxes[path.states[at].stack.box])


def _variables(writer: EvidenceWriter, path: Path, at: int) -> dict[str, str]:
    """Those that change, without hidden ones."""
    if writer.values is None:
        return {}
    values = writer.values.of(path.states[at].node)
    before = writer.values.of(path.states[at - 1].node) if at else {}
    return {
        name: value
        for name, value in values.items()
        if before.get(name) != value and not is_hidden(name)
    }


def _truths(shown: ShownEvidence, items: Sequence[Evidence], run: Evidence) -> Told:
    """What is known of subformulas in each state of a run."""
    assert run.path is not None, "it has states"
    numbers: dict[Stack, int] = {}

    def places(at: Evidence) -> list[Place]:
        states = (at.state,) if at.path is None else at.path.states
        return [(numbers.setdefault(each.stack, len(numbers)), each.node) for each in states]

    with truths_of(shown, no_poll) as truths:
        for each in items:
            truths.note(each, places(each))
        found = truths.along(run, places(run))
    texts = [row[1] for row in truths.rows]
    told = [
        {text: sign == "t" for text, sign in zip(texts, string, strict=True) if sign != "?"}
        for string in truths.strings
    ]
    return [told[number] for number in found]
