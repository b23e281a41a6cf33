"""Bounded three-valued unfolding: CTL on the part of the Kripke structure near the initial
states.

States are explored breadth first until a bound on stack depth or on their number. States that
were seen but not expanded are the frontier: their labels are known, their successors are not. For
every subformula we compute the set of states where it surely holds (`sure`) and where it may hold
(`may`), sure <= truth <= may. `not` swaps the two. Each other operator is monotone, so it is
evaluated twice, on the operands' sure sets with "the next step fails" at the frontier, and on
their may sets with "the next step succeeds" there. Every temporal operator is spelled out by its
own fixpoint, A as well as E, so that the usual dualities are checked by this module and not
assumed by it.

Paths are maximal (T3): under `stop` a path may end in a dead end. There EX is false and AX true;
a path that ends satisfies G, W and R when it has not violated them yet, and F and U only when it
has fulfilled them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from oracle.formula import Formula, subformulas
from oracle.machine import Machine, State, initial_states, labels, steps

if TYPE_CHECKING:
    from collections.abc import Callable


@dataclass
class Graph:
    """The explored part. State number i has the successors next[i], or None when it is on the
    frontier.
    """

    states: list[State]
    next: list[list[int] | None]
    labels: list[frozenset[str]]
    initial: list[int]


def explore(machine: Machine, max_depth: int, max_states: int) -> Graph:
    """Breadth first: expand states with at most `max_depth` boxes while fewer than `max_states`
    states are known.
    """
    states = list(dict.fromkeys(initial_states(machine)))
    number = {state: i for i, state in enumerate(states)}
    initial = list(range(len(states)))
    after: list[list[int] | None] = []
    for state in states:  # grows while we walk
        if len(state[0]) > max_depth or len(states) >= max_states:
            after.append(None)
            continue
        row = []
        for target in steps(machine, state):
            if target not in number:
                number[target] = len(states)
                states.append(target)
            row.append(number[target])
        after.append(row)
    return Graph(states, after, [frozenset(labels(machine, s)) for s in states], initial)


def decide(
    machine: Machine, formula: Formula, max_depth: int = 5, max_states: int = 120
) -> bool | None:
    """Does `formula` hold in every initial state? None: the bounds are too small to tell."""
    graph = explore(machine, max_depth, max_states)
    sure, may = evaluate(graph, formula)
    if all(i in sure for i in graph.initial):
        return True
    if any(i not in may for i in graph.initial):
        return False
    return None


def evaluate(graph: Graph, formula: Formula) -> tuple[set[int], set[int]]:
    """The states where the formula surely holds, and those where it may hold."""
    every = set(range(len(graph.states)))
    known: dict[Formula, tuple[set[int], set[int]]] = {}
    for f in subformulas([formula]):
        kind = f[0]
        if kind == "true":
            known[f] = (every, every)
        elif kind == "atom":
            there = {i for i in every if f[1] in graph.labels[i]}
            known[f] = (there, there)
        elif kind == "not":
            sure, may = known[f[1]]
            known[f] = (every - may, every - sure)
        elif kind == "implies":
            (left_sure, left_may), (right_sure, right_may) = known[f[1]], known[f[2]]
            known[f] = ((every - left_may) | right_sure, (every - left_sure) | right_may)
        else:
            sides = [known[operand] for operand in f[1:]]
            known[f] = (
                _monotone(graph, kind, [sure for sure, _ in sides], unknown=False),
                _monotone(graph, kind, [may for _, may in sides], unknown=True),
            )
    return known[formula]


def _monotone(  # noqa: PLR0911, PLR0912  one line an operator
    graph: Graph, kind: str, sides: list[set[int]], *, unknown: bool
) -> set[int]:
    """One operator on operands given as sets. `unknown` is what the next step gives at the
    frontier.
    """
    f = sides[0]
    g = sides[-1]
    after = graph.next

    def some(i: int, z: set[int]) -> bool:  # a successor in z
        row = after[i]
        return unknown if row is None else any(j in z for j in row)

    def every(i: int, z: set[int]) -> bool:  # every successor in z, if any
        row = after[i]
        return unknown if row is None else all(j in z for j in row)

    def ends(i: int) -> bool:  # the path stops here
        return after[i] == []

    match kind:
        case "and":
            return f & g
        case "or":
            return f | g
        case "EX":
            return {i for i in range(len(after)) if some(i, f)}
        case "AX":
            return {i for i in range(len(after)) if every(i, f)}
        case "EF":
            return _least(graph, lambda i, z: i in f or some(i, z))
        case "AF":
            return _least(graph, lambda i, z: i in f or (every(i, z) and not ends(i)))
        case "EG":
            return _greatest(graph, lambda i, z: i in f and (some(i, z) or ends(i)))
        case "AG":
            return _greatest(graph, lambda i, z: i in f and every(i, z))
        case "EU":
            return _least(graph, lambda i, z: i in g or (i in f and some(i, z)))
        case "AU":
            return _least(graph, lambda i, z: i in g or (i in f and every(i, z) and not ends(i)))
        case "EW":
            return _greatest(graph, lambda i, z: i in g or (i in f and (some(i, z) or ends(i))))
        case "AW":
            return _greatest(graph, lambda i, z: i in g or (i in f and every(i, z)))
        case "ER":
            return _greatest(graph, lambda i, z: i in g and (i in f or some(i, z) or ends(i)))
        case "AR":
            return _greatest(graph, lambda i, z: i in g and (i in f or every(i, z)))
    raise ValueError(kind)


def _least(graph: Graph, body: Callable[[int, set[int]], bool]) -> set[int]:
    z: set[int] = set()
    missing = list(reversed(range(len(graph.states))))
    while True:
        left = []
        for i in missing:
            if body(i, z):
                z.add(i)
            else:
                left.append(i)
        if len(left) == len(missing):
            return z
        missing = left


def _greatest(graph: Graph, body: Callable[[int, set[int]], bool]) -> set[int]:
    z = set(range(len(graph.states)))
    while True:
        out = [i for i in reversed(range(len(graph.states))) if i in z and not body(i, z)]
        if not out:
            return z
        z.difference_update(out)
