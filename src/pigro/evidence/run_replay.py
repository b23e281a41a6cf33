"""Checks evidence of runs: walks them, reads path formulas off their labels and facts, by the
definition; and has every fact and every claim decided again, by somebody else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.booleans import WRITTEN, Booleans
from pigro.evidence.runs import LABELS, OnRun, is_some, label_truth
from pigro.evidence.stacks import EMPTY
from pigro.evidence.states import State, Steps
from pigro.evidence.walking import close, need, walk
from pigro.logic.fragments import state_formulas
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.evidence.tree import Evidence
    from pigro.logic import Formula
    from pigro.model import RSM

    Decide = Callable[[int, State], bool | None]


def replay_run(
    model: RSM,
    formula: Formula,
    holds: bool,  # noqa: FBT001 - the verdict, as everywhere
    evidence: Evidence,
    decide: Decide,
) -> None:
    """`WrongEvidence` unless the evidence shows the verdict on a formula outside of CTL.

    `decide` tells the truth of a state formula, by its number in the formula, in a state; of the
    whole formula, if that is a path formula, on all runs from there; None if it can't.
    """
    root = len(formula) - 1
    start = evidence.state
    need(
        not start.stack and start.node in model.initial,
        "the evidence does not start at an initial node with the empty stack",
    )
    need(evidence.part == root and evidence.truth is holds, "the evidence is not for the verdict")
    _Replay(model, formula, decide).check(evidence)
    for node in model.initial if holds else ():
        if node != start.node:
            value = decide(root, State(EMPTY, node))
            need(value is not None, "whether the formula holds elsewhere can't be decided")
            need(value, "the formula fails at another initial node")


class _Replay:
    def __init__(self, model: RSM, formula: Formula, decide: Decide) -> None:
        self.steps, self.formula, self.decide = Steps(model), formula, decide
        self.booleans = Booleans(formula, WRITTEN)
        self.is_state = state_formulas(formula)

    def check(self, root: Evidence) -> None:
        """The evidence, and all that hangs off it."""
        if root.kind == "boolean":
            self._boolean(root)
        else:
            self._leaf(root)

    def _boolean(self, at: Evidence) -> None:
        """The parts decide it; they are no booleans, so the tree is not deep."""
        fine = self.is_state[at.part] and not self.booleans.is_leaf(at.part)
        need(fine and at.path is None and not at.facts, "a boolean is none")
        known: dict[int, bool] = {}
        for part in at.parts:
            need(0 <= part.part < len(self.formula), "a subformula is not there")
            need(part.state == at.state, "the parts of a boolean are in another state")
            need(self.booleans.is_leaf(part.part), "a part of a boolean is boolean")
            need(self.is_state[part.part], "a part of a boolean is a path formula")
            same = known.setdefault(part.part, part.truth) is part.truth
            need(same, "the parts of a boolean contradict each other")
            self._leaf(part)
        value = self.booleans.values(at.part, known.get)[at.part]
        need(value is at.truth, "the parts do not decide a boolean")

    def _leaf(self, at: Evidence) -> None:
        """A label, A, E or the whole formula."""
        label, some = self.formula.ops[at.part] in LABELS, is_some(self.formula, at.part)
        leaf = self.booleans.is_leaf(at.part) or not self.is_state[at.part]
        need(leaf, "a boolean is not shown by its parts")
        need(not at.parts and not at.explored, "evidence has more than belongs there")
        if at.kind == "run":
            need(not label and at.truth is some, "a run can't show that")
            self._run(at)
            return
        need(at.path is None and not at.facts, "a run is where none belongs")
        if at.kind == "label":
            need(label, "a label is none")
            truth = label_truth(self.steps.model, self.formula, at.part, at.state)
            need(truth is at.truth, "a label is wrong")
            return
        need(at.kind == "claim" and not label, "a claim is none")
        need(at.truth is not some, "what one run shows needs a run")
        self._decided(at.part, at.state, at.truth, "a claim")

    def _run(self, at: Evidence) -> None:
        path = at.path
        need(path is not None and path.states, "a run has no states")
        assert path is not None
        walk(self.steps, path, at.state)
        need(path.ends in {"here", "loop", "stays"}, "a path ends in an unknown way")
        if path.ends == "here":
            need(path.start is None, "what is no loop has a start")
        else:
            close(self.steps, path)
        run = OnRun(self.steps, self.formula, at.part, path)
        inner = {node for node in run.parts if self.formula.ops[node] in (Op.A, Op.E)}
        told: set[int] = set()
        for node, truths in at.facts:
            need(node in inner and node not in told, "a fact is about nothing that matters")
            told.add(node)
            need(len(truths) == len(path.states), "a fact does not fit its run")
        need(run.value(at.facts) is at.truth, "a run does not show what it should")
        for node, truths in at.facts:
            for state, truth in zip(path.states, truths, strict=True):
                if truth is not None:
                    self._decided(node, state, truth, "a fact")

    def _decided(self, node: int, state: State, truth: bool, what: str) -> None:  # noqa: FBT001
        value = self.decide(node, state)
        need(value is not None, f"{what} can't be decided")
        need(value is truth, f"{what} is wrong")
