"""Checks evidence: walks paths by the definition of steps, and asks others for the rest.

For CTL these are certificates: each is checked first, by the checker of `pigro.certificates`. Then
each part of the tree: a path takes steps of the model, ends as it says, and what it needs is true
in its states. A claim about all runs is what the certificate proves in that state.

For LTL and CTL* path formulas are read off the labels and facts of a run, by the definition, and
every fact and every claim is decided again, by somebody else. Facts of a pump must be true in all
of its rounds, for no number of rounds is enough.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from pigro.certificates import check_certificates
from pigro.evidence.booleans import WRITTEN, BooleanOperators
from pigro.evidence.data import WrongEvidence, require
from pigro.evidence.run.runs import LABELS, OnRun, is_some, label_truth
from pigro.evidence.states import EMPTY, State, Steps
from pigro.evidence.tree.contexts import need_contexts
from pigro.evidence.tree.proved import open_certificate
from pigro.logic.fragments import state_formulas
from pigro.logic.normal import ATOM, EG, EU, EX, TRUE
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.certificates import CertificateResult
    from pigro.evidence.run.runs import Truths
    from pigro.evidence.states import Evidence, Path, Stack
    from pigro.evidence.tree.proved import CertificateView
    from pigro.logic import Formula
    from pigro.model import RSM

    Decide = Callable[[int, State], bool | None]


class ClaimedSubject(Protocol):
    """What a document says it is about."""

    @property
    def formula(self) -> str:
        """The formula, as text."""

    @property
    def verdict(self) -> str:
        """`holds` or `fails`."""


def replay(
    model: RSM, certificate: bytes, evidence: Evidence, claimed: ClaimedSubject | None = None
) -> None:
    """`WrongEvidence` unless the evidence shows the verdict of the certificate on this model.

    With `claimed`, formula and verdict must be those.
    """
    checked = list(check_certificates(model, certificate))
    if len(checked) != 1:
        raise WrongEvidence("evidence needs a certificate of one verdict")
    need_claim(checked[0], claimed)
    replay_proved(model, open_certificate(model, certificate), evidence)


def need_claim(checked: CertificateResult, claimed: ClaimedSubject | None) -> None:
    """`WrongEvidence` unless a certificate is accepted and proves the claim."""
    require(checked.problem is None, f"the certificate is rejected: {checked.problem}")
    if claimed is not None:
        require(claimed.formula == checked.formula, "the certificate is for another formula")
        word = "holds" if checked.holds else "fails"
        require(claimed.verdict == word, "the certificate is for another verdict")


def replay_proved(model: RSM, proved: CertificateView, evidence: Evidence) -> None:
    """`WrongEvidence` unless the evidence shows the verdict of a certificate that was accepted."""
    root = len(proved.form) - 1
    start = evidence.state
    if start.stack or start.node not in proved.section.initial:
        raise WrongEvidence("the evidence does not start at an initial node with the empty stack")
    if evidence.part != root or evidence.truth is not proved.section.holds:
        raise WrongEvidence("the evidence is not for the verdict")
    TreeReplay(proved, model).check(evidence)


class TreeReplay:
    """Checks parts of a tree, against a certificate that was accepted."""

    def __init__(self, proved: CertificateView, model: RSM) -> None:
        self.proved = proved
        self.form = proved.form
        self.steps = Steps(model)
        self._fitting: set[Stack] = {EMPTY}
        """Stacks that can be."""

    def check(self, evidence: Evidence) -> None:
        """The evidence, and all that hangs off it."""
        pending = [evidence]
        while pending:
            at = pending.pop()
            self._state(at.state)
            require(0 <= at.part < len(self.form), "a subformula is not there")
            op = self.form.ops[at.part]
            require(at.kind == "path" or at.path is None, "a path is where none belongs")
            require(at.kind == "path" or not at.contexts, "a context is where none belongs")
            require(at.kind == "claim" or not at.explored, "only claims are proved at places")
            if at.kind == "label":
                require(op in {TRUE, ATOM} and not at.parts, "a part called a label is not one")
                require(self.proved.value(at.part, at.state) is at.truth, "a label is wrong")
            elif at.kind == "boolean":
                self._boolean(at)
            elif at.kind == "path":
                self._path(at)
            else:
                require(
                    at.kind == "claim" and op >= EX and not at.parts,
                    "a part called a claim is not one",
                )
                require(not at.truth, "a claim that some run exists needs a path")
                require(self.proved.value(at.part, at.state) is False, "a claim is not proved")
                explored = self.proved.explored(at.part)
                require(at.explored == explored, "a claim is proved at another number of places")
            pending += at.parts

    def _state(self, state: State) -> None:
        """A stack that can be: each box in the component that the one below calls."""
        core = self.proved.model.model.core
        require(0 <= state.node < core.nodes, "a node is not there")
        require(core.kind(state.node).name != "CALL", "a state is at a call node")
        self._stack(state.stack)
        called = not state.stack or core.callee(state.stack.box) == core.component(state.node)
        require(called, "a stack does not fit its node")

    def _stack(self, stack: Stack) -> None:
        core, found = self.proved.model.model.core, []
        while stack not in self._fitting:
            require(0 <= stack.box < core.boxes, "a box is not there")
            found.append(stack)
            stack = stack.below
        for each in reversed(found):
            fine = not each.below or core.callee(each.below.box) == core.box_component(each.box)
            require(fine, "a stack does not fit its node")
            self._fitting.add(each)

    def _boolean(self, at: Evidence) -> None:
        require(ATOM < self.form.ops[at.part] < EX, "a part called a boolean is not one")
        known: dict[int, bool] = {}
        for part in at.parts:
            require(0 <= part.part < len(self.form), "a subformula is not there")
            require(part.state == at.state, "the parts of a boolean are in another state")
            require(not ATOM < self.form.ops[part.part] < EX, "a part of a boolean is boolean")
            known[part.part] = part.truth
        value = self.proved.booleans.values(at.part, known.get)[at.part]
        require(value is at.truth, "the parts do not decide a boolean")

    def _path(self, at: Evidence) -> None:
        op, left, right = (row[at.part] for row in (self.form.ops, self.form.left, self.form.right))
        path = at.path
        require(
            path is not None and path.states and op >= EX and at.truth,
            "a part called a path is not one",
        )
        assert path is not None
        states = path.states
        refuted = self.proved.value(at.part, at.state) is False
        require(not refuted, "the certificate proves the opposite of what a path shows")
        for state in states:
            self._state(state)
        walk(self.steps, path, at.state)
        need_contexts(self.proved, at.part, path, at.contexts)
        if op == EG:
            require(not at.parts, "an endless path has evidence at its end")
            self._endless(path, left)
            return
        require(path.ends == "here" and path.start is None, "a path should end")
        require(op != EX or len(states) == 2, "EX is one step")
        goal = right if op == EU else left
        require(
            len(at.parts) == 1
            and (at.parts[0].part, at.parts[0].truth, at.parts[0].state)
            == (goal, True, states[-1]),
            "the end of a path has other evidence",
        )
        for state in states[:-1] if op == EU else ():
            require(self.proved.value(left, state) is True, "phi1 is not proved on a path")

    def _endless(self, path: Path, phi: int) -> None:
        for state in path.states:
            require(self.proved.value(phi, state) is True, "phi is not proved on a path")
        require(path.ends in {"stays", "loop", "pump"}, "a path ends in an unknown way")
        close(self.steps, path)
        if path.ends == "pump":
            assert path.start is not None, "it was looked at"
            self._pump(path.states, path.start, phi)

    def _pump(self, states: tuple[State, ...], start: int, phi: int) -> None:
        """A proved fact lasts for all rounds."""
        base, last = states[start].stack, states[-1]
        lasting = self.proved.lasting(base, last.stack.above(len(base)))
        for state in states[start:]:
            value = self.proved.value(phi, state, lasting)
            require(value is True, "phi is not proved in every round of a pump")


def _rests_on(stack: Stack, base: Stack, known: set[Stack]) -> bool:
    """Whether a stack has another one at its bottom. Those that have are known from then on."""
    found = []
    while stack not in known and len(stack) > len(base):
        found.append(stack)
        stack = stack.below
    if stack in known:
        known.update(found)
        return True
    return False


def replay_run(
    model: RSM,
    formula: Formula,
    holds: bool,
    evidence: Evidence,
    decide: Decide,
    truths: Truths | None = None,
) -> None:
    """`WrongEvidence` unless the evidence shows the verdict on a formula outside of CTL.

    `decide` tells the truth of a state formula, by its number in the formula, in a state. Of the
    whole formula, if that is a path formula, on all runs from there. None if it can't. `truths`
    tells the same in states of a path. Without it, `decide` is asked about each of them, which is
    not enough for pumps.
    """
    root = len(formula) - 1
    start = evidence.state
    require(
        not start.stack and start.node in model.initial,
        "the evidence does not start at an initial node with the empty stack",
    )
    require(
        evidence.part == root and evidence.truth is holds, "the evidence is not for the verdict"
    )
    _RunReplay(model, formula, decide, truths).check(evidence)
    for node in model.initial if holds else ():
        if node != start.node:
            value = decide(root, State(EMPTY, node))
            require(value is not None, "whether the formula holds elsewhere can't be decided")
            require(value, "the formula fails at another initial node")


class _RunReplay:
    def __init__(self, model: RSM, formula: Formula, decide: Decide, truths: Truths | None) -> None:
        self.steps, self.formula, self.decide, self.truths = Steps(model), formula, decide, truths
        self.booleans = BooleanOperators(formula, WRITTEN)
        self.is_state = state_formulas(formula)

    def check(self, root: Evidence) -> None:
        """The evidence, and all that hangs off it."""
        if root.kind == "boolean":
            self._boolean(root)
        else:
            self._leaf(root)

    def _boolean(self, at: Evidence) -> None:
        """The parts decide it. They are no booleans, so the tree is not deep."""
        fine = self.is_state[at.part] and not self.booleans.is_leaf(at.part)
        require(fine and at.path is None and not at.facts, "a part called a boolean is not one")
        known: dict[int, bool] = {}
        for part in at.parts:
            require(0 <= part.part < len(self.formula), "a subformula is not there")
            require(part.state == at.state, "the parts of a boolean are in another state")
            require(self.booleans.is_leaf(part.part), "a part of a boolean is boolean")
            require(self.is_state[part.part], "a part of a boolean is a path formula")
            same = known.setdefault(part.part, part.truth) is part.truth
            require(same, "the parts of a boolean contradict each other")
            self._leaf(part)
        value = self.booleans.values(at.part, known.get)[at.part]
        require(value is at.truth, "the parts do not decide a boolean")

    def _leaf(self, at: Evidence) -> None:
        """A label, A, E or the whole formula."""
        label, some = self.formula.ops[at.part] in LABELS, is_some(self.formula, at.part)
        leaf = self.booleans.is_leaf(at.part) or not self.is_state[at.part]
        require(leaf, "a boolean is not shown by its parts")
        require(not at.parts and not at.explored, "evidence has more than belongs there")
        if at.kind == "run":
            require(not label and at.truth is some, "a run can't show that")
            self._run(at)
            return
        require(at.path is None and not at.facts, "a run is where none belongs")
        if at.kind == "label":
            require(label, "a part called a label is not one")
            truth = label_truth(self.steps.model, self.formula, at.part, at.state)
            require(truth is at.truth, "a label is wrong")
            return
        require(at.kind == "claim" and not label, "a part called a claim is not one")
        require(at.truth is not some, "a fact that one run shows needs a run")
        self._decided(at.part, at.state, at.truth, "a claim")

    def _run(self, at: Evidence) -> None:
        path = at.path
        require(path is not None and path.states, "a run has no states")
        assert path is not None
        walk(self.steps, path, at.state)
        require(path.ends in {"here", "loop", "pump", "stays"}, "a path ends in an unknown way")
        if path.ends == "here":
            require(path.start is None, "a run that is not a loop has a start")
        else:
            close(self.steps, path)
        run = OnRun(self.steps, self.formula, at.part, path)
        inner = {node for node in run.parts if self.formula.ops[node] in (Op.A, Op.E)}
        told: set[int] = set()
        for node, truths in at.facts:
            require(node in inner and node not in told, "a fact is about nothing that matters")
            told.add(node)
            require(len(truths) == len(path.states), "a fact does not fit its run")
        require(run.value(at.facts) is at.truth, "a run does not show what it should")
        for node, truths in at.facts:
            self._facts(node, path, truths)

    def _facts(self, node: int, path: Path, told: tuple[bool | None, ...]) -> None:
        if self.truths is None:
            require(path.ends != "pump", "a fact can't be decided in all rounds of a pump")
            for state, truth in zip(path.states, told, strict=True):
                if truth is not None:
                    self._decided(node, state, truth, "a fact")
            return
        found = self.truths(node, path, [truth is not None for truth in told])
        for truth, value in zip(told, found, strict=True):
            require(truth is None or value is not None, "a fact can't be decided")
            require(truth is None or value is truth, "a fact is wrong")

    def _decided(self, node: int, state: State, truth: bool, what: str) -> None:
        value = self.decide(node, state)
        require(value is not None, f"{what} can't be decided")
        require(value is truth, f"{what} is wrong")


def walk(steps: Steps, path: Path, start: State) -> None:
    """Each state of a path comes after the one before. The first one is the start."""
    require(path.states and path.states[0] == start, "a path begins elsewhere")
    for before, after in pairwise(path.states):
        require(after in steps.maximal_next(before), "a path takes a step that is not there")


def close(steps: Steps, path: Path) -> None:
    """A path that stays can stay, a loop is closed, a pump rises. Others have a start at most."""
    last, start = path.states[-1], path.start
    if path.ends == "stays":
        stays = start is None and steps.next(last) in ([], [last])
        require(stays, "a path does not stay where it says")
        return
    require(start is not None and 0 <= start < len(path.states), "a loop starts nowhere")
    assert start is not None
    if path.ends == "loop":
        require(path.states[start] in steps.maximal_next(last), "a loop is not closed")
    if path.ends == "pump":
        _rise(steps, path.states[start:])


def _rise(steps: Steps, states: tuple[State, ...]) -> None:
    """A round of a pump comes back to its node on a higher stack, and leaves all below as it is.

    So the next round can do the same, on top.
    """
    first, last = states[0], states[-1]
    base = first.stack
    require(first.node == last.node, "a pump ends at another node")
    require(len(last.stack) > len(base), "a pump does not go deeper")
    on_base = {base}
    for state in states:
        require(_rests_on(state.stack, base, on_base), "a pump returns")
        left = state.stack == base and steps.is_exit(state.node)
        require(not left, "a pump returns")
