"""Evidence about models whose states are computed on demand, judged by the file alone.

The tables of a document have the values of all states. Each state of a run must have values of the
types, the first must be initial, and each step must be one by the assignments and constraints of
the file. These are evaluated for the values at hand, without any search. Claims, and facts that a
run relies on, are decided again by the search in Python, as far as it gets with few states.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.engines.onthefly.search import ProofSearch
from pigro.engines.onthefly.system import ExploredSystem
from pigro.evidence.data import NotJudged, require
from pigro.evidence.states import EMPTY, State
from pigro.logic.positive import positive_form
from pigro.model.lazy.excerpt import OTHERS, ExcerptBuilder, seen_of

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterable, Iterator, Mapping

    from pigro.evidence.data import PathData, RunDocument, TablesData
    from pigro.evidence.kinds import ShownEvidence
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import OnDemand, StateSpace

_MOST = 20_000
"""States that are looked at to decide claims and facts again."""
_WIDEST = 2_000
"""States after one state."""
_LARGEST = 1_000_000
"""Numbers of nodes."""


def opened(
    model: StateSpace, tables: TablesData, documents: Iterable[RunDocument], atoms: Iterable[str]
) -> RSM:
    """The states of documents as a model, with the steps that are steps of the file.

    `WrongEvidence` for a row that is no state.
    """
    excerpt, computed = ExcerptBuilder(model, atoms), model.computed
    states: dict[int, tuple[int, ...]] = {}
    lead = f"{computed.component}:"
    documents = list(documents)
    names = {row.number: row.name.removeprefix(lead) for row in tables.nodes}
    find = computed.named(_runs(names, documents))
    for row in tables.nodes:
        state = find(row.name.removeprefix(lead))
        fine = 0 < row.number < _LARGEST and row.number not in states and state is not None
        require(fine, f"the name is not that of node {row.number}")
        assert state is not None, "it was looked at"
        states[row.number] = state
        excerpt.put(row.number, state)
    for number, state in states.items():
        _rest(excerpt, computed, number, state)
    for each in documents:
        for node in each.initial:
            if node in states and computed.inputs((), states[node]) is not None:
                excerpt.node(states[node], initial=True)
        for item in each.evidence:
            for before, after in _steps(item.path, states):
                if computed.inputs(states[before], states[after]) is not None:
                    excerpt.step(before, after)
    return excerpt.model


def _runs(names: Mapping[int, str], documents: Iterable[RunDocument]) -> Iterator[list[str]]:
    """The names along all runs."""
    for each in documents:
        for item in each.evidence:
            nodes = [item.node] if item.path is None else item.path.nodes
            yield [names.get(node, "") for node in nodes]


def _steps(path: PathData | None, known: Container[int]) -> Iterator[tuple[int, int]]:
    """The steps of a path between states that are known, the last one of a loop included."""
    if path is None:
        return
    nodes = list(path.nodes)
    if path.ends == "loop" and path.start is not None and 0 <= path.start < len(nodes):
        nodes.append(nodes[path.start])
    for before, after in pairwise(nodes):
        if before in known and after in known:
            yield before, after


def _rest(excerpt: ExcerptBuilder, computed: OnDemand, number: int, state: tuple[int, ...]) -> None:
    """Whether a state has steps to itself and to others."""
    after = computed.after(state, 2)
    if after is None or any(tuple(each) != state for each in after):
        excerpt.step(number, OTHERS)
    if after is not None and any(tuple(each) == state for each in after):
        excerpt.step(number, number)


class _DocumentSystem:
    """The states of the file from one state on. See `pigro.engines.onthefly.system`."""

    def __init__(self, computed: OnDemand, formula: Formula, model: RSM) -> None:
        self._computed, self._atoms = computed, formula.atoms
        self.dead_ends = model.dead_ends
        first = computed.after((), 1)
        self.initial: tuple[int, ...] = tuple(first[0]) if first else ()
        self._asked = 0

    def successors(self, state: tuple[int, ...]) -> list[tuple[int, ...]]:
        self._asked += 1
        found = self._computed.after(state, _WIDEST)
        if self._asked > _MOST or found is None or len(found) >= _WIDEST:
            raise NotJudged(_TOO_LARGE)
        return [tuple(each) for each in found]

    def labels(self, state: tuple[int, ...]) -> list[str]:
        return [atom for atom in self._atoms if self._computed.holds(atom, state)]


_TOO_LARGE = (
    "it is about all runs, and too many states matter to decide it again: "
    "only runs can be judged in this model"
)


def decider(
    model: StateSpace, part: RSM, formula: Formula, states: Callable[[int], tuple[int, ...]]
) -> Callable[[int, State], bool | None]:
    """As `pigro.engines.onthefly.recheck.decider`. `NotJudged` where too many states matter."""
    explored = ExploredSystem(_DocumentSystem(model.computed, formula, part))
    form = positive_form(formula)
    search = ProofSearch(explored, form, lambda: None)

    def decide(node: int, state: State) -> bool | None:
        return search.value(form.states[node], explored.number(states(state.node)))

    return decide


def state_of(part: RSM) -> Callable[[int], tuple[int, ...]]:
    """The values of nodes of `opened`. `WrongEvidence` for a node that is not in the tables."""
    states = seen_of(part).states

    def state(node: int) -> tuple[int, ...]:
        fine = 0 <= node < len(states) and states[node] != ()
        require(fine, f"node {node} is no state in the tables")
        return states[node]

    return state


def check_starts(model: StateSpace, part: RSM, shown: ShownEvidence) -> None:
    """`WrongEvidence` unless evidence starts at initial states.

    A formula that holds must do so at all of them, also where the evidence does not start.
    """
    state = state_of(part)
    known = {state(node) for node in shown.subject.initial}
    fine = all(model.computed.inputs((), each) is not None for each in known)
    require(fine, "the evidence does not start at an initial state")
    if not shown.holds:
        return
    starts = model.computed.after((), _WIDEST)
    if starts is None or len(starts) >= _WIDEST:
        raise NotJudged(_TOO_LARGE)
    others = [tuple(each) for each in starts if tuple(each) not in known]
    if others:
        decide = decider(model, part, shown.formula, lambda at: others[at])
        for at in range(len(others)):
            truth = decide(len(shown.formula) - 1, State(EMPTY, at))
            require(truth, "the formula fails at another initial state")
