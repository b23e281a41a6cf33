"""Runs that show a verdict of CTL in a state under calls.

New nodes lead to the state, and to no other (engines/recursion/leading.py). So in the model with
them, f is true in the state if and only if `EX ... EX f` and `AX ... AX f` are true at its start.
If f is true, evidence for the first shows f, and otherwise evidence against the second does.
The part of the evidence about the new nodes is left out, and the nodes get their old numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.engines.colouring import meant_in
from pigro.engines.recursion.leading import leading_to
from pigro.evidence.states import Path, State
from pigro.explore.states import state_of
from pigro.logic import AX, EX
from pigro.render.evidence import Writer
from pigro.session.asking import ask
from pigro.session.reading import prepare
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
    if not formula.is_ctl or state.stack.depth > _DEEPEST:
        return []
    leading = leading_to(model, Path((state,))).model
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
    if verdict.tree is None:
        return []
    writer = Writer(leading, verdict.formula, full=True)
    old = _Numbers(model, leading)
    return [told for each in _all(verdict.tree) for told in _run(each, writer, old)]


def _all(root: Evidence) -> Iterator[Evidence]:
    pending = [root]
    while pending:
        at = pending.pop()
        yield at
        pending += reversed(at.parts)


def _run(at: Evidence, writer: Writer, old: _Numbers) -> Iterator[dict[str, object]]:
    if at.path is None:
        return
    states = [old.state(each) for each in at.path.states]
    if None in states:  # it leads to the state
        return
    yield {
        "shows": "".join(writer.words.purpose(at)),
        "states": [
            {**state_of(each), "name": printable(old.model.node_name(each.node))}
            for each in states
            if each is not None
        ],
        "path": {
            "ends": at.path.ends,
            "start": at.path.start,
            "end": writer.end(at),
            "shortest": at.path.shortest,
        },
    }


@dataclass(frozen=True, slots=True)
class _Numbers:
    """Nodes of the model that leads to a state, as the model itself numbers them.

    New nodes follow the old ones of each component.
    """

    model: RSM
    leading: RSM

    def state(self, state: State) -> State | None:
        """The same state at a declared node. None at a new one."""
        core, box = self.leading.core, self.leading.core.box(state.node)
        stack = state.stack if box < 0 else state.stack.push(box)
        declared = core.subject(state.node)
        component = core.component(declared)
        at = declared - core.nodes_of(component)[0]
        mine = self.model.core.nodes_of(component)
        if at >= len(mine) or self.model.core.box(mine[at]) >= 0:
            return None
        return State(stack, mine[at])
