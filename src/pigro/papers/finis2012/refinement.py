"""Incremental refinement ([Finis2012], chapter 4): labels only what the initial nodes depend on.

    thesis                                      here
    kappa, knowledge base (section 3.3.2)       Refinement.pairs: for each context pair its row
    label (Alg. 4.1)                            label
    collectContexts, lambda (Alg. 4.2)          _collect: local, vertical, then horizontal checking
    labelLocallyAndVertically (Alg. 4.3)        _vertical, _connective, _next
    labelLocally (Alg. 4.4)                     _connective, _next, local.check_locally
    Xi                                          RefinementSearch
    cc (section 3.3.3)                          _aim, local.waiting
    partly, fully (Definition 4.3.1)            the nodes asked for: a list, or None for all

The functions of the thesis call each other. Here they are generators that yield the calls they
make, and `run` keeps them on a stack of its own: neither calls nor formulas nest on Python's stack.

Corrections:
 - Alg. 4.2 l. 7 asks whether a context with topmost m is in Xi, which holds only t and f: it never
   is, and recursion never ends. Here the two pairs are asked about one by one.
 - Alg. 4.2 l. 2 labels the context with topmost m, which equation 3.2 makes a derived one. Here the
   pairs for f and for t are visited, in this order, the second only if it can still matter.
 - cc inserts m for subformulas that vertical checking had no need to label (for example below a
   disjunction that is true anyway), and Alg. 3.6 would then decide labels in a context that is
   none. Here `_aim` labels them first, at the successors of that return node alone.

Deviations:
 - Horizontal checking visits only calls that an undecided location asked for depends on, found by a
   search forwards, instead of all calls in turn. Alg. 3.6 may then decide the locations searched
   and no others: `RefinementSearch` keeps them, and Lemma 4.5.4 holds for these.
 - The attempts at local checking after each call (l. 9) are the conclusions from that call alone
   (`local.spread`), and one full check at the end.
 - Vertical checking of connectives and of EX asks only for the nodes that matter. That of EU and EG
   is full, as in the thesis, with an attempt at local checking after each subformula.
 - The nodes asked for may be any initial nodes, not only the entry, and calls too (by EX).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pigro.logic.normal import AND, ATOM, EU, EX, NOT, TRUE
from pigro.papers.finis2012.fixpoint import label_by_fixpoint
from pigro.papers.finis2012.local import (
    NEGATED,
    ContextLabels,
    F,
    M,
    Row,
    T,
    Tick,
    call_eta,
    check_locally,
    refresh,
    step,
    waiting,
)
from pigro.papers.finis2012.structure import NONE

if TYPE_CHECKING:
    from pigro.papers.finis2012.context import RmvRequest
    from pigro.papers.finis2012.structure import Structure, Structures
    from pigro.papers.finis2012.trace import StepWatcher

Job = Generator["Job", None, None]
"""A function of the thesis at work: yields the calls that it makes."""
Asked = list[int] | None
"""Nodes to label, or None for all locations."""


class VisitedPair(NamedTuple):
    """A pair that was asked about, for those who watch."""

    how: str
    """`start`, `vertical` or `horizontal`."""
    component: int
    formula: int
    context: int
    fully: bool


@dataclass(slots=True)
class RefinementSearch:
    """Xi of Alg. 4.1: the pairs visited for one formula, with the nodes asked for and searched."""

    visits: list[tuple[ContextLabels, Asked, dict[int, None]]] = field(default_factory=list)
    entered: set[ContextLabels] = field(default_factory=set)
    """The pairs whose entry was asked for."""

    def undecided(self) -> dict[ContextLabels, dict[int, None]]:
        """Pairs that are not labelled as asked (l. 5 to 8), with the nodes to label."""
        found: dict[ContextLabels, dict[int, None]] = {}
        for pair, asked, searched in self.visits:
            pair.publish()
            if not is_labelled(pair, asked):
                found.setdefault(pair, {}).update(searched)
        return found


def is_labelled(pair: ContextLabels, asked: Asked) -> bool:
    """Definition 4.3.1."""
    return pair.is_full() if asked is None else all(pair.row[node] != M for node in asked)


def run(job: Job) -> None:
    """Runs a job and the jobs that it waits for."""
    stack = [job]
    while stack:
        for inner in stack[-1]:
            stack.append(inner)
            break
        else:
            stack.pop()


class RefinementCheck:
    """One formula on one model."""

    def __init__(
        self,
        structures: Structures,
        question: RmvRequest,
        tick: Tick,
        watch: Callable[[VisitedPair], None] | None = None,
    ) -> None:
        self.structures = structures
        self.question = question
        self.tick = tick
        self.watch = watch
        self.watcher: StepWatcher | None = None
        """Notes visits and labels, if they are wanted."""
        self._refresh: Callable[[ContextLabels, int], None] = refresh
        self.pairs: dict[tuple[int, int, int], ContextLabels] = {}
        self.checks = 0

    def decide(self, structure: Structure, nodes: list[int]) -> list[bool]:
        """The formula's truth at nodes of a structure, with the empty stack."""
        context = self.question.ending(structure, loops=True)
        pair = self.pair(structure, self.question.root, context)
        run(self.label(pair, nodes, "start"))
        return [pair.row[node] == T for node in nodes]

    def pair(self, structure: Structure, formula: int, context: int) -> ContextLabels:
        """The pair of a structure and the context's part for a subformula."""
        context &= self.question.reach[formula]
        key = (structure.component, formula, context)
        found = self.pairs.get(key)
        if found is None:
            eta = T if context & self.question.bit[formula] else F
            found = self.pairs[key] = ContextLabels(
                structure, self.question.normal.ops[formula], eta
            )
            found.formula, found.context = formula, context
        return found

    @property
    def contexts(self) -> int:
        """Context pairs of temporal subformulas."""
        return sum(pair.op >= EX for pair in self.pairs.values())

    def label(self, pair: ContextLabels, asked: Asked, how: str) -> Job:
        """Leaves the nodes that are asked for labelled (Alg. 4.1)."""
        if is_labelled(pair, asked):
            return
        self._tell(pair, asked, how)
        if pair.op <= ATOM:
            self._label_atom(pair)
        elif pair.op < EX:
            yield self._connective(pair, asked)
        elif pair.op == EX:
            yield self._next(pair, asked)
        else:
            search = RefinementSearch()
            if asked is None or pair.structure.entry in asked:
                search.entered.add(pair)
            yield self._collect(pair, asked, search)
            undecided = search.undecided()
            if undecided:
                watch = None if self.watcher is None else self.watcher.labelled
                self.checks += sum(label_by_fixpoint(undecided, self.tick, watch))
        assert is_labelled(pair, asked)

    def assumed(self, pair: ContextLabels) -> dict[int, bool]:
        """The context of a pair, by temporal subformula."""
        bit, reach = self.question.bit, self.question.reach[pair.formula]
        return {
            formula: bool(pair.context & bit[formula])
            for formula in self.question.temporal
            if bit[formula] & reach
        }

    def _tell(self, pair: ContextLabels, asked: Asked, how: str) -> None:
        if self.watcher is not None:
            how_much = "fully" if asked is None else "partly"
            told = f"{how}, {how_much}"
            self.watcher.visited(told, pair.structure, pair.formula, self.assumed(pair))
        if self.watch is not None:
            visit = VisitedPair(
                how, pair.structure.component, pair.formula, pair.context, fully=asked is None
            )
            self.watch(visit)

    def _parts(self, pair: ContextLabels) -> Iterator[ContextLabels]:
        """The pairs of the direct subformulas."""
        normal = self.question.normal
        for part in (normal.left[pair.formula], normal.right[pair.formula]):
            if part >= 0:
                yield self.pair(pair.structure, part, pair.context)

    def _label_atom(self, pair: ContextLabels) -> None:
        if pair.op == TRUE:
            pair.row[:] = bytes([T]) * len(pair.row)
        else:
            atom = self.question.normal.left[pair.formula]
            pair.row[:] = self.question.label_row(pair.structure, atom)

    def _connective(self, pair: ContextLabels, asked: Asked) -> Job:
        """Not, and, or: the second operand only where the first does not decide."""
        self.tick()
        first, *rest = self._parts(pair)
        yield self.label(first, asked, "vertical")
        if pair.op == NOT:
            pair.row[:] = first.row.translate(NEGATED)
            return
        (second,) = rest
        both = min if pair.op == AND else max
        pair.row[:] = bytes(map(both, first.row, second.row))
        nodes = pair.structure.locations if asked is None else asked
        left = [node for node in nodes if pair.row[node] == M]
        if left:
            yield self.label(second, left if len(left) < len(nodes) else asked, "vertical")
            pair.row[:] = bytes(map(both, first.row, second.row))

    def _next(self, pair: ContextLabels, asked: Asked) -> Job:
        """EX psi: one step further at most."""
        self.tick()
        (below,) = self._parts(pair)
        structure, stops = pair.structure, self.question.stops
        nodes = structure.locations if asked is None else asked
        self._step_all(pair, below.row, nodes)
        calls = [node for node in nodes if pair.row[node] == M and node in structure.calls]
        for call in calls:
            if call not in pair.targets:
                yield self._aim(pair, call)
            target, _ = pair.targets[call]  # an entry is no exit: both have the same label there
            entry = target.structure.entry
            yield self.label(target, [entry], "horizontal")
            pair.row[call] = target.row[entry]
        missing: dict[int, None] = {}
        for node in nodes:
            if pair.row[node] == M:
                following = structure.successors[node] or ([] if stops else [node])
                missing.update(dict.fromkeys(to for to in following if below.row[to] == M))
        if missing:
            yield self.label(below, list(missing), "vertical")
        self._step_all(pair, below.row, nodes)

    def _step_all(self, pair: ContextLabels, psi: Row, nodes: list[int]) -> None:
        row, calls, stops = pair.row, pair.structure.calls, self.question.stops
        for node in nodes:
            if row[node] == M and node not in calls:
                row[node] = step(pair, node, psi, stops=stops)

    def _check(self, pair: ContextLabels) -> None:
        self.checks += 1
        if self.watcher is None:
            check_locally(pair, self.tick)
            return
        before = bytes(pair.row)
        check_locally(pair, self.tick)
        self.watcher.labelled(None, pair, before)

    def show_steps(self, watcher: StepWatcher) -> None:
        """Tells visits and labels from now on."""
        self.watcher = watcher
        self._refresh = self._refresh_and_tell

    def _refresh_and_tell(self, pair: ContextLabels, call: int) -> None:
        assert self.watcher is not None
        before = bytes(pair.row)
        refresh(pair, call)
        self.watcher.labelled(None, pair, before)

    def _collect(self, pair: ContextLabels, asked: Asked, search: RefinementSearch) -> Job:
        """Visits a pair and, where it must, the pairs that it calls (Alg. 4.2)."""
        searched: dict[int, None] = {}
        search.visits.append((pair, asked, searched))
        yield self._vertical(pair, asked)
        structure, row = pair.structure, pair.row
        nodes = structure.locations if asked is None else asked
        waiting_nodes: list[int] = []
        for start in nodes:
            if row[start] == M:
                waiting_nodes.append(start)
            while waiting_nodes and row[start] == M:
                node = waiting_nodes.pop()
                if row[node] != M or node in searched:
                    continue
                searched[node] = None
                following = structure.successors[node]
                if node in structure.calls:
                    yield self._horizontal(pair, node, search)
                    back = structure.calls[node].back
                    if row[node] != M or back == NONE:
                        continue
                    following = structure.successors[back]
                waiting_nodes += [to for to in reversed(following) if row[to] == M]
        if searched and not is_labelled(pair, asked):
            self._check(pair)
        pair.publish()

    def _vertical(self, pair: ContextLabels, asked: Asked) -> Job:
        """Local checking, with the labels of subformulas that are there, and then the others."""
        parts = list(self._parts(pair))
        pair.psi = parts[0].row
        pair.chi = parts[1].row if pair.op == EU else None
        if any(part.row.count(M) < len(part.row) for part in parts):
            self._check(pair)
        for part in parts:
            if is_labelled(pair, asked):
                break
            if not part.is_full():
                yield self.label(part, None, "vertical")
                self._check(pair)
        pair.publish()

    def _horizontal(self, pair: ContextLabels, call: int, search: RefinementSearch) -> Job:
        """Asks for the entry of a call's target, with each eta that the call may have."""
        self.tick()
        if call not in pair.targets:
            yield self._aim(pair, call)
        self._refresh(pair, call)
        low, high = pair.targets[call]
        for target, other in ((low, T), (high, F)):
            if pair.row[call] != M or target.told != M or target in search.entered:
                continue
            if call_eta(pair, call) != other:
                search.entered.add(target)
                entry = [target.structure.entry]
                self._tell(target, entry, "horizontal")
                yield self._collect(target, entry, search)
                self._refresh(pair, call)

    def _aim(self, pair: ContextLabels, call: int) -> Job:
        """Finds the context of a call (cc), except for its topmost assumption."""
        structure, question = pair.structure, self.question
        callee = self.structures[structure.calls[call].callee]
        back = structure.calls[call].back
        context = 0
        if callee.exit != NONE and back == NONE:
            context = question.ending(callee, loops=False)
        elif callee.exit != NONE:
            for formula in question.below(pair.formula):
                part = self.pair(structure, formula, pair.context)
                if waiting(part.op, part.row, structure, back) == M:
                    nodes = [back] if part.op == EX else structure.successors[back]
                    yield self.label(part, nodes, "vertical")
                eta = waiting(part.op, part.row, structure, back)
                context |= question.bit[formula] if eta == T else 0
        own = question.bit[pair.formula]
        low = self.pair(callee, pair.formula, context & ~own)
        pair.aim(call, low, self.pair(callee, pair.formula, context | own))
