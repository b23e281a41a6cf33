"""What an automaton asks of a run, as path formulas: X, booleans, and a choice that the run makes.

Each state q of the automaton is a formula: "from here the run is read". It is the disjunction over
the edges of q, of the edge's letter and X of the state after it. If the operator is negated, it is
the dual, a conjunction. So a formula is a cycle that goes through X, an *alternating automaton*
[Vardi1996]. Its *threads* are the ways from X to X. Which of them may go on forever?

    operator            as it is                         negated
    {r} <>-> f          a thread must end                may go on
    {r}^w, automata     good edges again and again       finitely often: see ranks

Threads of many places in the run are in one set of formulas. To watch them all, the run chooses
at each state between `tick` and `calm` [Miyano1984]: it must tick again and again, and all threads
that there were at one tick have kept their promise at the next. A thread of mode DUE was there at
the last tick: it must end, or take a good edge, before the next one. `closed` says G F tick.

A state whose only cycles are edges to itself needs no ticks: it is f U g, or f R g. So LTL written
by expressions becomes LTL, and an expression without repetition becomes X.

*Ranks* [Kupferman2001]: a thread of the negated automaton has a rank, which never grows. From an
even rank it must get away, at an odd rank it must stay away from good edges. If n states are on
cycles with other edges, ranks up to 2n are enough. A rank may fall by one in each step: a thread
that stays away from good edges forever has time for that.

A thread that is due implies one that is not, and one of a rank those of larger ranks. Sets leave
out what follows from others in them, so that they have few threads of each state.

Where a run ends, X of a thread that must go on is false (strong). Where the thread may end, X is
true there (weak).

`ThreadFormulas` builds formulas as they stand under E. Under A all is built as its dual.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.logic.regular.automata import Automaton, AutomatonEdge


class FormulaFactory(Protocol):
    """Makes path formulas as they stand under E. Or, for A, the dual of each."""

    true: int
    false: int
    ticks: bool
    """Whether the formulas of links have ticks. Said before there are links."""

    def both(self, f: int, g: int) -> int:
        """`f & g`."""

    def either(self, f: int, g: int) -> int:
        """`f | g`."""

    def until(self, f: int, g: int) -> int:
        """`f U g`."""

    def release(self, f: int, g: int) -> int:
        """`f R g`."""

    def tick(self, *, now: bool) -> int:
        """That the run ticks, or that it does not."""

    def ends(self) -> int:
        """That the run ends here."""

    def link(self) -> int:
        """A formula that is not known yet."""

    def later(self, link: int, *, weak: bool) -> int:
        """`X` of a link. If `weak`, true where the run ends."""

    def bind(self, link: int, made: int, weaker: int | None) -> None:
        """Says what a link stands for, and which other one follows from it."""


class _OperatorThread(NamedTuple):
    state: int
    rank: int = 0
    due: bool = False


class ThreadFormulas:
    """The formulas of one operator, which are built once."""

    def __init__(
        self, make: FormulaFactory, automaton: Automaton, letter: Callable[[int, bool], int]
    ) -> None:
        self.make, self.automaton = make, automaton
        self.letter = letter
        """A letter, or its negation."""
        self._part = _components(automaton)
        self._watched = [False] * len(automaton)
        """By state: whether threads through it are watched."""
        self._links: dict[_OperatorThread, int] = {}
        self._open: list[_OperatorThread] = []

    def some_match(self, follows: int) -> int:
        """Some prefix of the run matches, and from its last state on `follows` is true."""
        make = self.make
        self._watch(lambda inner: any(edge.to != at for at, edge in inner))

        def loops(thread: _OperatorThread, edge: AutomatonEdge) -> bool:
            return edge.to == thread.state and not self._watched[edge.to]

        def after(thread: _OperatorThread, edge: AutomatonEdge) -> int:
            here = follows if edge.good else make.false
            if not self.automaton[edge.to] or loops(thread, edge):
                return here
            return make.either(here, self._promise(thread, edge, kept=False, weak=False))

        return self._build(_OperatorThread(0), lambda thread: self._some(thread, after, loops))

    def all_matches(self, follows: int) -> int:
        """Whenever a prefix of the run matches, `follows` is true from its last state on."""
        make = self.make

        def after(thread: _OperatorThread, edge: AutomatonEdge) -> int:
            here = follows if edge.good else make.true
            if not self.automaton[edge.to] or edge.to == thread.state:
                return here
            return make.both(here, self._to(_OperatorThread(edge.to), weak=True))

        def body(thread: _OperatorThread) -> int:
            leaves = make.true
            for edge in self.automaton[thread.state]:
                if edge.to == thread.state:
                    leaves = make.both(leaves, self.letter(edge.letter, False))
            return make.release(leaves, self._every(thread, after))

        return self._build(_OperatorThread(0), body)

    def accepted(self) -> int:
        """Some way through the automaton has good edges again and again."""
        self._watch(
            lambda inner: (
                any(not edge.good for _, edge in inner)
                and any(edge.good or edge.to != at for at, edge in inner)
            )
        )

        def loops(thread: _OperatorThread, edge: AutomatonEdge) -> bool:
            return edge.to == thread.state and not edge.good and not self._watched[edge.to]

        def after(thread: _OperatorThread, edge: AutomatonEdge) -> int:
            if loops(thread, edge):
                return self.make.false
            return self._promise(thread, edge, kept=edge.good, weak=edge.good)

        return self._build(_OperatorThread(0), lambda thread: self._some(thread, after, loops))

    def rejected(self) -> int:
        """No way through the automaton has good edges again and again."""
        self.make.ticks = True
        odd = {
            edge.to
            for state, row in enumerate(self.automaton)
            for edge in row
            if not edge.good and self._part[edge.to] == self._part[state]
        }
        return self._build(
            _OperatorThread(0, 2 * len(odd)), lambda thread: self._every(thread, self._ranked)
        )

    def _build(self, start: _OperatorThread, body: Callable[[_OperatorThread], int]) -> int:
        """The formula of the first thread. All others are bound to their links."""
        made = body(start)
        bodies = {}
        while self._open:
            thread = self._open.pop()
            bodies[thread] = made if thread == start else body(thread)
        for thread, its in bodies.items():
            self.make.bind(self._links[thread], its, self._weaker(thread, start.rank))
        return made

    def _weaker(self, thread: _OperatorThread, most: int) -> int | None:
        """The link of the strongest thread that follows from one: not due, or of larger rank."""
        for rank in range(thread.rank, most + 1):
            if rank > thread.rank or thread.due:
                link = self._links.get(_OperatorThread(thread.state, rank))
                if link is not None:
                    return link
        return None

    def _some(
        self,
        thread: _OperatorThread,
        after: Callable[[_OperatorThread, AutomatonEdge], int],
        loops: Callable[[_OperatorThread, AutomatonEdge], bool],
    ) -> int:
        """One of the edges is taken. Those that loop, until one of the others is."""
        make = self.make
        stays = leaves = make.false
        for edge in self.automaton[thread.state]:
            letter = self.letter(edge.letter, True)
            leaves = make.either(leaves, make.both(letter, after(thread, edge)))
            if loops(thread, edge):
                stays = make.either(stays, letter)
        return make.until(stays, leaves)

    def _every(
        self, thread: _OperatorThread, after: Callable[[_OperatorThread, AutomatonEdge], int]
    ) -> int:
        """All edges are taken whose letter is true."""
        make, found = self.make, self.make.true
        for edge in self.automaton[thread.state]:
            letter = self.letter(edge.letter, False)
            found = make.both(found, make.either(letter, after(thread, edge)))
        return found

    def _promise(
        self, thread: _OperatorThread, edge: AutomatonEdge, *, kept: bool, weak: bool
    ) -> int:
        """X of the thread after an edge. If it is watched: a tick makes it due, and before the next
        tick it must keep its promise, or leave its component.
        """
        make, to = self.make, edge.to
        if not self._watched[to]:
            return self._to(_OperatorThread(to), weak=weak)
        due = self._to(_OperatorThread(to, due=True), weak=weak)
        if thread.due and not kept and self._part[to] == self._part[thread.state]:
            return make.both(make.tick(now=False), due)
        not_due = self._to(_OperatorThread(to), weak=weak)
        return make.either(
            make.both(make.tick(now=True), due), make.both(make.tick(now=False), not_due)
        )

    def _ranked(self, thread: _OperatorThread, edge: AutomatonEdge) -> int:
        """X of the thread after an edge, with any rank that it may have."""
        make, weak, found = self.make, not edge.good, self.make.false
        for rank in (thread.rank, thread.rank - 1):
            if rank % 2:
                if weak and rank > 0:
                    found = make.either(found, self._to(_OperatorThread(edge.to, rank), weak=True))
                continue
            due = self._to(_OperatorThread(edge.to, rank, due=True), weak=weak)
            if thread.due:
                ticks, calm = make.ends() if weak else make.false, due
            else:
                ticks, calm = due, self._to(_OperatorThread(edge.to, rank), weak=weak)
            found = make.either(found, make.both(make.tick(now=True), ticks))
            found = make.either(found, make.both(make.tick(now=False), calm))
        return found

    def _to(self, thread: _OperatorThread, *, weak: bool) -> int:
        link = self._links.get(thread)
        if link is None:
            link = self._links[thread] = self.make.link()
            self._open.append(thread)
        return self.make.later(link, weak=weak)

    def _watch(self, needs: Callable[[list[tuple[int, AutomatonEdge]]], bool]) -> None:
        """Finds the states whose threads are watched, by the edges inside their components."""
        for part in set(self._part):
            states = [at for at, its in enumerate(self._part) if its == part]
            inner = [
                (at, edge)
                for at in states
                for edge in self.automaton[at]
                if self._part[edge.to] == part
            ]
            if needs(inner):
                self.make.ticks = True
                for at in states:
                    self._watched[at] = True


def _components(automaton: Automaton) -> list[int]:
    """The strongly connected component of each state, by its least member."""
    reach = [_reached(automaton, at) for at in range(len(automaton))]
    return [
        min([at, *(other for other in reach[at] if at in reach[other])])
        for at in range(len(automaton))
    ]


def _reached(automaton: Automaton, start: int) -> set[int]:
    found: set[int] = set()
    pending = [start]
    while pending:
        new = {edge.to for edge in automaton[pending.pop()]} - found
        found |= new
        pending += new
    return found
