"""CTL and LTL about fair paths of a small graph, by definition and with sets of states.

CTL: greatest and least fixpoints over sets of states, as in [Emerson1986]. LTL: the tableau of
all truths of subformulas, and components that are fair. Nothing here is shared with Pigro.

A formula is a nested tuple: ("p",) and other labels; ("!", f), ("&", f, g), ("|", f, g);
("EX", f), ("EG", f), ("EU", f, g); ("X", f), ("U", f, g).
"""

from __future__ import annotations

from itertools import chain, combinations
from typing import Any

State = Any
Formula = tuple[Any, ...]


class Graph:
    """Steps between states, the labels of states, and what fair paths meet again and again."""

    def __init__(
        self,
        steps: dict[State, set[State]],
        labels: dict[State, set[str]],
        justice: list[str],
        compassion: list[tuple[str, str]],
    ) -> None:
        self.steps, self.labels = steps, labels
        self.justice, self.compassion = justice, compassion
        self.all = set(steps)
        self.fair = self._always(self.all)

    def where(self, label: str) -> set[State]:
        return {state for state in self.all if label in self.labels[state]}

    def _before(self, goal: set[State]) -> set[State]:
        return {state for state in self.all if self.steps[state] & goal}

    def _until(self, path: set[State], goal: set[State]) -> set[State]:
        found = set(goal)
        while more := (path & self._before(found)) - found:
            found |= more
        return found

    def _always(self, path: set[State]) -> set[State]:
        """The states with a path in `path` that meets each justice again and again."""
        found = set(path)
        while True:
            kept = found & self._before(found)
            for label in self.justice:
                kept &= self._before(self._until(path, found & self.where(label)))
            if kept == found:
                return found
            found = kept

    def ctl(self, f: Formula) -> set[State]:
        """The states where a formula of CTL holds. COMPASSION does not count."""
        op, *inner = f
        sets = [self.ctl(each) for each in inner]
        match op:
            case "!":
                return self.all - sets[0]
            case "&":
                return sets[0] & sets[1]
            case "|":
                return sets[0] | sets[1]
            case "EX":
                return self._before(sets[0] & self.fair)
            case "EU":
                return self._until(sets[0], sets[1] & self.fair)
            case "EG":
                return self._always(sets[0])
        return self.where(op)

    def holds_in_ctl(self, initial: set[State], f: Formula) -> bool:
        return (initial & self.fair) <= self.ctl(f)

    def holds_on_paths(self, initial: set[State], f: Formula) -> bool:
        """Whether all fair paths from initial states satisfy a formula of LTL."""
        tableau = _Tableau(self, ("!", f))
        return not tableau.has_path(initial)


def _parts(f: Formula) -> set[Formula]:
    return {f, *chain.from_iterable(map(_parts, f[1:]))}


class _Tableau:
    """States with what is said about the rest of the path: which of the claims about it are true."""

    def __init__(self, graph: Graph, f: Formula) -> None:
        self.graph, self.formula = graph, f
        parts = _parts(f)
        self.untils = [each for each in parts if each[0] == "U"]
        self.later = [each[1] for each in parts if each[0] == "X"] + self.untils
        """What may hold in the next state."""

    def true(self, f: Formula, at: tuple[State, frozenset[Formula]]) -> bool:
        state, later = at
        op, *inner = f
        match op:
            case "!":
                return not self.true(inner[0], at)
            case "&":
                return self.true(inner[0], at) and self.true(inner[1], at)
            case "|":
                return self.true(inner[0], at) or self.true(inner[1], at)
            case "X":
                return inner[0] in later
            case "U":
                return self.true(inner[1], at) or (self.true(inner[0], at) and f in later)
        return op in self.graph.labels[state]

    def has_path(self, initial: set[State]) -> bool:
        rest = list(dict.fromkeys(self.later))
        claims = [
            frozenset(each) for size in range(len(rest) + 1) for each in combinations(rest, size)
        ]
        nodes = [(state, claim) for state in self.graph.all for claim in claims]
        now = {node: frozenset(f for f in rest if self.true(f, node)) for node in nodes}
        by_state: dict[tuple[State, frozenset[Formula]], set[Any]] = {}
        for node in nodes:
            by_state.setdefault((node[0], now[node]), set()).add(node)
        steps = {
            node: set().union(
                *(by_state.get((t, node[1]), set()) for t in self.graph.steps[node[0]])
            )
            for node in nodes
        }
        reached = {n for n in nodes if n[0] in initial and self.true(self.formula, n)}
        waiting = list(reached)
        for node in waiting:  # grows
            fresh = steps[node] - reached
            reached |= fresh
            waiting += fresh
        return self._has_fair_cycle(reached, steps)

    def _has_fair_cycle(self, nodes: set[Any], steps: dict[Any, set[Any]]) -> bool:
        for part in _components(nodes, steps):
            if not any(steps[node] & part for node in part):
                continue
            if not all(self._meets(part, label) for label in self.graph.justice):
                continue
            if not all(any(self._fulfils(u, n) for n in part) for u in self.untils):
                continue
            bad = [p for p, q in self.graph.compassion if not self._meets(part, q)]
            without = {n for n in part if not any(p in self.graph.labels[n[0]] for p in bad)}
            if without == part or self._has_fair_cycle(without, steps):
                return True
        return False

    def _meets(self, part: set[Any], label: str) -> bool:
        return any(label in self.graph.labels[node[0]] for node in part)

    def _fulfils(self, until: Formula, node: Any) -> bool:
        return not self.true(until, node) or self.true(until[2], node)


def _components(nodes: set[Any], steps: dict[Any, set[Any]]) -> list[set[Any]]:
    """The strongly connected components, by what each node reaches."""
    left, found = set(nodes), []
    before: dict[Any, set[Any]] = {node: set() for node in nodes}
    for node in nodes:
        for after in steps[node] & nodes:
            before[after].add(node)
    while left:
        node = next(iter(left))
        part = _closure(node, steps, left) & _closure(node, before, left)
        found.append(part)
        left -= part
    return found


def _closure(start: Any, steps: dict[Any, set[Any]], inside: set[Any]) -> set[Any]:
    found, waiting = {start}, [start]
    for node in waiting:  # grows
        fresh = (steps[node] & inside) - found
        found |= fresh
        waiting += fresh
    return found
