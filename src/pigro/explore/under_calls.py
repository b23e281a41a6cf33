"""Runs that show a verdict in a state under calls. There are none in the mu-calculus.

For CTL, new nodes lead to the state, and to no other (engines/recursion/probe_model.py). So in the
model with them, f is true in the state if and only if `EX ... EX f` and `AX ... AX f` are true at
its start. If f is true, evidence for the first shows f, and otherwise evidence against the second
does. The part of the evidence about the new nodes is left out, and the nodes get their old numbers.
For LTL and CTL*, the runs are those of engines/recursion/evidence.py, from the state on.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.engines.explaining import meant_in
from pigro.engines.recursion.evidence import shown_from
from pigro.engines.recursion.probe_model import old_node, probe_model
from pigro.evidence.kinds import ShownEvidence
from pigro.evidence.lines import EvidenceWriter
from pigro.evidence.states import Path, State
from pigro.explore.states import state_of
from pigro.logic import AX, EX, Fragment
from pigro.session.asking import ask
from pigro.session.prepare import prepare
from pigro.session.request import Request

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence import Evidence
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM

_DEEPEST = 50
"""Calls on the stack of a state that runs are shown from."""


def runs_from(
    model: RSM, formula: Formula, state: State, budget: Budget, *, truth: bool
) -> list[dict[str, object]]:
    """The runs of the evidence, each with its states. None where one can't show it.

    `truth` is that of the formula in the state.
    """
    model, formula = meant_in(model, formula)
    if formula.fragment is Fragment.MU or state.stack.depth > _DEEPEST:
        return []
    if not formula.is_ctl:
        tree = shown_from(model, formula, state, budget)
        if tree is None:
            return []
        return _told(
            model, tree, EvidenceWriter(ShownEvidence(model, formula, truth, tree), full=True)
        )
    leading = probe_model(model, Path((state,))).model
    names = replace(leading.names, components=model.names.components, boxes=model.names.boxes)
    leading = replace(leading, names=names)
    step = EX if truth else AX
    for _ in range(state.stack.depth + 2):
        formula = step(formula)
    outcome = ask(prepare(Request(leading, (formula,), witness="full"), budget))
    if outcome.stopped_by is not None:
        raise outcome.stopped_by
    [verdict] = outcome.verdicts
    assert verdict.holds in (None, truth), "the new nodes lead to the state"
    if verdict.shown is None:
        return []
    return _told(model, verdict.shown.evidence, EvidenceWriter(verdict.shown, full=True), leading)


def _told(
    model: RSM, tree: Evidence, writer: EvidenceWriter, leading: RSM | None = None
) -> list[dict[str, object]]:
    """The runs of a tree. Its states are those of the model, or of one that leads to a state."""
    found = []
    for at in _all(tree):
        states = [_moment(model, each, leading) for each in at.path.states] if at.path else [None]
        if None not in states:  # otherwise it leads to the state
            found.append(_run(model, at, [each for each in states if each is not None], writer))
    return found


def _moment(model: RSM, state: State, leading: RSM | None = None) -> State | None:
    """A state at a declared node of the model. None at a new node of one that leads to states."""
    core = (leading or model).core
    box, node = core.box(state.node), core.subject(state.node)
    found = node if leading is None else old_node(model, leading, node)
    return (
        None if found is None else State(state.stack if box < 0 else state.stack.push(box), found)
    )


def _all(root: Evidence) -> Iterator[Evidence]:
    pending = [root]
    while pending:
        at = pending.pop()
        yield at
        pending += reversed(at.parts)


def _run(
    model: RSM, at: Evidence, states: list[State], writer: EvidenceWriter
) -> dict[str, object]:
    assert at.path is not None, "it has states"
    return {
        "shows": "".join(writer.words.purpose(at)),
        "states": [
            {**state_of(each), "name": printable(model.node_name(each.node))} for each in states
        ],
        "path": {
            "ends": at.path.ends,
            "start": at.path.start,
            "end": writer.end(at.path, is_run=at.kind == "run"),
            "shortest": at.path.shortest,
        },
    }
