"""Is evidence right? Decided slowly, by the definition, and without any certificate.

Steps, dead ends and labels are those of oracle/machine.py. What is true in a state is told by the
oracle, with the stack inlined (oracle/inline.py). Nothing here looks at a certificate or at
`pigro.evidence.replaying`.

Every fault that is found is a real one: a state, a step, an end or a truth is not as the evidence says, or it
does not show what it should. What is not found wrong is right, but for one thing: that `phi` is
true in *every* round of a pump is looked at for some rounds only. Evidence that says too much, all
of it true, is not wrong.
"""

from __future__ import annotations

from itertools import pairwise, product
from typing import TYPE_CHECKING

from pigro import _core
from pigro.evidence.states import State as Told
from pigro.logic.normal import AND, ATOM, EG, EU, EX, NOT, OR, TRUE

from oracle.contexts import decide, true_points
from oracle.formula import TRUE as TRUTH
from oracle.inline import inline
from oracle.machine import component_of, steps

if TYPE_CHECKING:
    from pigro.evidence.states import Evidence, Path
    from pigro.logic import NormalForm
    from pigro.model import RSM

    from oracle.contexts import Point
    from oracle.formula import Formula
    from oracle.machine import Machine, Stack, State

ROUNDS = 5
"""Of a pump, so many are looked at."""
NAMES = {EX: "EX", EU: "EU", EG: "EG", NOT: "not", AND: "and", OR: "or"}


class Wrong(Exception):
    """What is wrong."""


def need(fine: object, what: str) -> None:
    if not fine:
        raise Wrong(what)


def oracle_formulas(form: NormalForm) -> list[Formula]:
    """The subformulas of a normal form, for the oracle."""
    done: list[Formula] = []
    for op, left, right in zip(form.ops, form.left, form.right, strict=True):
        if op == TRUE:
            done.append(TRUTH)
        elif op == ATOM:
            done.append(("atom", form.atoms[left]))
        else:
            done.append((NAMES[op], *(done[at] for at in (left, right) if at >= 0)))
    return done


class EvidenceJudge:
    """For one machine, and one formula in normal form."""

    def __init__(self, machine: Machine, model: RSM, form: NormalForm) -> None:
        self.machine, self.model, self.form = machine, model, form
        self.formulas = oracle_formulas(form)
        self.holds = decide(machine, self.formulas[-1])
        self.known: dict[Stack, list[set[Point]]] = {}

    def wrong(self, evidence: Evidence) -> str | None:
        """Its fault. None if there is none."""
        try:
            self._root(evidence)
            pending = [evidence]
            while pending:  # first all that is quick to see
                self._shape(pending[0])
                pending += pending.pop(0).parts
            pending = [evidence]
            while pending:
                self._truths(pending[0])
                pending += pending.pop(0).parts
        except Wrong as what:
            return str(what)
        return None

    # --- states -----------------------------------------------------------------------------------

    def state(self, told: Told) -> State:
        """A state as the oracle writes it. Wrong if there is no such state."""
        core, names = self.model.core, self.model.names
        stack: list[tuple[str, str]] = []
        here = self.machine.initial_component
        for box in told.stack:
            need(0 <= box < core.boxes, "no such box")
            need(names.components[core.box_component(box)] == here, "a box of another component")
            stack.append((here, names.boxes[box]))
            here = self.machine.component[here].box[names.boxes[box]].component
        need(0 <= told.node < core.nodes, "no such node")
        need(self.model.component_name(told.node) == here, "a node of another component")
        kind, box = core.kind(told.node), core.box(told.node)
        need(kind != _core.NodeKind.CALL, "at a call node")
        name = names.nodes[core.declared_of_node(core.subject(told.node))]
        if box < 0:
            return tuple(stack), name
        # A return node is one moment with the exit under the box. So is, by the standard reading, a
        # call of an entry that is an exit; else that is a node of the caller.
        if kind == _core.NodeKind.RETURN or self.machine.semantics == "standard":
            return (*stack, (here, names.boxes[box])), name
        return tuple(stack), (names.boxes[box], name)

    def truth(self, part: int, state: State) -> bool:
        """Is a subformula true in a state?"""
        stack, node = state
        if stack not in self.known:
            boxes = [box for _, box in stack]
            inlined = inline(self.machine, self.machine.initial_component, boxes)
            self.known[stack] = true_points(inlined, self.formulas)
        top = len(stack)
        if isinstance(node, str):
            point: Point = ("node", f"{top}/{node}")
        else:
            point = ("call", (f"{top}/{node[0]}", node[1]))
        return point in self.known[stack][part]

    # --- the tree ---------------------------------------------------------------------------------

    def _root(self, evidence: Evidence) -> None:
        need(not evidence.state.stack, "it starts inside a call")
        need(evidence.state.node in self.model.initial, "it starts elsewhere")
        need(evidence.part == len(self.form) - 1, "it is about another formula")
        need(evidence.truth is self.holds, "it is for another verdict")

    def _shape(self, at: Evidence) -> None:
        """All that needs no truth of subformulas."""
        here = self.state(at.state)
        need(0 <= at.part < len(self.form), "no such subformula")
        op = self.form.ops[at.part]
        if at.kind == "label":
            need(op in (TRUE, ATOM), "no label")
        elif at.kind == "boolean":
            need(op in (NOT, AND, OR), "no boolean")
            need(all(self.state(part.state) == here for part in at.parts), "parts are elsewhere")
            self._decided(at)
        elif at.kind == "claim":
            need(op in (EX, EU, EG), "a claim about no operator")
            need(not at.truth, "a claim that something is true, without a path")
        else:
            need(at.kind == "path", "no such kind")
            need(op in (EX, EU, EG) and at.truth and at.path, "a path shows no such thing")
            self._path(at, at.path, op)

    def _decided(self, at: Evidence) -> None:
        """The parts decide a boolean: all values of what they do not tell give the same."""
        told: dict[int, bool] = {}
        for part in at.parts:
            need(
                told.setdefault(part.part, part.truth) is part.truth, "parts contradict each other"
            )
        below, pending = {at.part}, [at.part]
        while pending:
            node = pending.pop()
            if self.form.ops[node] in (NOT, AND, OR):
                for child in (self.form.left[node], self.form.right[node]):
                    if child >= 0 and child not in below:
                        below.add(child)
                        pending.append(child)
        leaves = [node for node in below if self.form.ops[node] not in (NOT, AND, OR)]
        choices = [(told[leaf],) if leaf in told else (False, True) for leaf in leaves]
        for values in product(*choices):
            value = dict(zip(leaves, values, strict=True))
            for node in sorted(below - set(leaves)):
                left, right = self.form.left[node], self.form.right[node]
                if self.form.ops[node] == NOT:
                    value[node] = not value[left]
                elif self.form.ops[node] == AND:
                    value[node] = value[left] and value[right]
                else:
                    value[node] = value[left] or value[right]
            need(value[at.part] is at.truth, "its parts do not decide a boolean")

    def _path(self, at: Evidence, path: Path, op: int) -> None:
        states = [self.state(each) for each in path.states]
        need(states and states[0] == self.state(at.state), "a path starts elsewhere")
        for before, after in pairwise(states):
            need(after in steps(self.machine, before), "no step")
        self._end(path, states)
        if op == EG:
            need(path.ends != "here", "a path is too short for EG")
            return
        need(op != EX or len(states) == 2, "EX is one step")
        goal = self.form.right[at.part] if op == EU else self.form.left[at.part]
        need(
            any(
                part.part == goal and part.truth and self.state(part.state) == states[-1]
                for part in at.parts
            ),
            "nothing is shown at the end of a path",
        )

    def _end(self, path: Path, states: list[State]) -> None:
        """What a path says about how it goes on."""
        after = steps(self.machine, states[-1])
        if path.ends == "stays":
            need(not after or states[-1] in after, "it can not stay there")
        elif path.ends != "here":
            need(path.ends in ("loop", "pump"), "no such end")
            start = path.start
            need(start is not None and 0 <= start < len(states), "no such start")
            assert start is not None
            if path.ends == "loop":
                need(states[start] in after, "a loop is not closed")
                return
            base = len(states[start][0])
            ends = [(component_of(self.machine, stack), node) for stack, node in states]
            need(ends[start] == ends[-1], "a pump ends at another node")
            need(len(states[-1][0]) > base, "a pump does not go deeper")
            for each in states[start:]:
                need(each[0][:base] == states[start][0], "a pump returns")

    def _truths(self, at: Evidence) -> None:
        need(self.truth(at.part, self.state(at.state)) is at.truth, "it is not so")
        if at.kind != "path" or at.path is None:
            return
        op, left = self.form.ops[at.part], self.form.left[at.part]
        states = [self.state(each) for each in at.path.states]
        if op != EX:
            for each in states[:-1] if op == EU else states:
                need(self.truth(left, each), "it is not so on a path")
        if op == EG and at.path.ends == "pump":
            assert at.path.start is not None
            for each in later_rounds(states[at.path.start :]):
                need(self.truth(left, each), "it is not so in a later round of a pump")
        for part, told in at.contexts:
            need(0 <= part < len(self.form), "no such subformula in a context")
            for place, node, truth in told:
                need(0 <= place < len(states), "a context of no state")
                at_exit = self.state(Told(at.path.states[place].stack, node))
                need(at_exit[0] and self.model.core.is_exit(node), "a context at no exit")
                need(self.truth(part, at_exit) is truth, "it is not so in a context")


def later_rounds(first: list[State]) -> list[State]:
    """The states of some more rounds of a pump."""
    base = first[0][0]
    word = first[-1][0][len(base) :]
    return [
        (base + word * times + stack[len(base) :], node)
        for times in range(1, ROUNDS + 1)
        for stack, node in first
    ]
