"""A decider for evidence of runs that asks the oracle for CTL*, on models without calls."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence import Path, State
from pigro.evidence.run.runs import OnRun, body_of, is_some
from pigro.evidence.states import Steps
from pigro.logic import Op

from oracle.star_formula import closed, no
from oracle.star_lasso import holds_on, lassos
from oracle.star_structures import as_machine
from oracle.star_tableau import decide
from support.agreement.ctl import as_model

if TYPE_CHECKING:
    from pigro.logic import Formula

    from oracle.star_structures import Structure

LONGEST = 9


def as_oracle(formula: Formula) -> list[tuple]:
    """Each node of a formula as the oracle writes it."""
    made: list[tuple] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        name = Op(op).name
        if name == "ATOM":
            made.append(("atom", formula.atoms[left]))
            continue
        kind = name if name in ("A", "E", "X", "F", "G", "U", "W", "R") else name.lower()
        made.append((kind, *(made[at] for at in (left, right) if at >= 0)))
    return made


class OracleDecider:
    """`value` and `counterexample` by the oracle."""

    def __init__(self, structure: Structure, formula: Formula, *, cut: bool = False) -> None:
        self.structure, self.formula = structure, formula
        self.cut = cut
        """Whether runs are given by as few states as show it, however they go on."""
        self.model = as_model(as_machine(structure))
        self.parts = as_oracle(formula)
        self.nodes = [self.model.find(name) for name in structure.names]
        self.asked: list[tuple[int, int]] = []
        self._true: dict[int, set[int]] = {}

    @property
    def root(self) -> int:
        return len(self.formula) - 1

    @property
    def holds(self) -> bool:
        return self.value(self.root, self.start)

    @property
    def start(self) -> State:
        return State((), self.nodes[0])

    def value(self, node: int, state: State) -> bool:
        number = self.nodes.index(state.node)
        self.asked.append((node, number))
        return number in self._where(node)

    def poll(self) -> None:
        """There are no limits."""

    def counterexample(self, node: int, state: State) -> Path:
        body = self.parts[body_of(self.formula, node)]
        wanted = body if is_some(self.formula, node) else no(body)
        for states, loop in lassos(self.structure, self.nodes.index(state.node), LONGEST):
            word = [self._letter(each) for each in states]
            if holds_on(wanted, word, loop):
                found = tuple(State((), self.nodes[each]) for each in states)
                if self.cut:
                    return self._cut(node, found, loop)
                return Path(found, "stays" if loop is None else "loop", loop)
        raise AssertionError("no short run shows it")

    def _cut(self, node: int, states: tuple[State, ...], loop: int | None) -> Path:
        whole = Path(states, "stays" if loop is None else "loop", loop)
        for count in range(1, len(states) + 1):
            path = Path(states[:count])
            run = OnRun(Steps(self.model), self.formula, node, path)
            inner = [each for each in run.parts if self.formula.ops[each] in (Op.A, Op.E)]
            facts = tuple(
                (each, tuple(self.value(each, state) for state in path.states)) for each in inner
            )
            if run.value(facts) is is_some(self.formula, node):
                return path
        return whole

    def _where(self, node: int) -> set[int]:
        if node not in self._true:
            self._true[node] = decide(self.structure, closed(self.parts[node]))
        return self._true[node]

    def _letter(self, state: int) -> set[object]:
        inner = (node for node, op in enumerate(self.formula.ops) if op in (Op.A, Op.E))
        true = {self.parts[node] for node in inner if state in self._where(node)}
        return {*self.structure.labels[state], *true}
