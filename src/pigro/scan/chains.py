"""Chains: nodes of a function that follow each other on the only way, exceptions apart.

A rule that follows one of many objects passes most nodes without a change. So it passes a chain, or
a part of one, in one step: the nodes of a component are then as many as the operations that matter.
Chains have no node that facts depend on, and all nodes of a chain have the same pad.

The nodes of all chains are numbered again, so that those of a chain have consecutive numbers.
"""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, Any

from pigro.scan.exceptions import MEANT, RaisedTypes
from pigro.sources.graph import (
    AWAIT,
    CALL,
    DELEGATE,
    ENTER,
    RAISE,
    RAISE_NODE,
    RETURN_NODE,
    YIELD,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pigro.scan.exceptions import ProgramExceptions
    from pigro.scan.facts import FunctionTests
    from pigro.sources.graph import Function

LIKELY, SOFT = "?likely", "?soft"
"""Kinds of exceptions besides types, which have other names."""
MAYBE, INSIDE = "?", "="
"""Before a type: the table has it, or it only gets to handlers of the function."""


class FunctionChains:
    """The chains of a function."""

    def __init__(
        self,
        function: Function,
        exceptions: ProgramExceptions,
        tests: FunctionTests,
        *,
        throws: bool,
    ) -> None:
        self.function, self.exceptions = function, exceptions
        self.number = [-1] * len(function.ops)
        """By node: its number. -1 for those in no chain."""
        self.nodes: list[int] = []
        """By number: the node."""
        self.ends: list[int] = []
        """By number: the first number behind the chain."""
        self._raised: dict[int, RaisedTypes] = {}
        """By node with one successor: what it may raise."""
        self._raising: dict[str, list[int]] = {}
        """By type, `LIKELY` and `SOFT`: the numbers of nodes that may raise."""
        after = [self._after(node, tests, throws=throws) for node in range(len(function.ops))]
        heads = set(range(len(after))).difference(after)
        for node in (*sorted(heads), *range(len(after))):
            self._add(node, after)
        self._likely = self._raising.pop(LIKELY, [])
        kinds = sorted(self._raising, key=SOFT.__eq__)
        self._rows = [(each, self._raising[each]) for each in kinds]
        """Types of the table come first."""

    def _after(self, node: int, tests: FunctionTests, *, throws: bool) -> int:
        """The node that surely follows. -1 where a step must be looked at."""
        edges, op = self.function.edges[node], self.function.ops[node]
        if len(edges) != 1 or edges[0][1] is not None or node in {RETURN_NODE, RAISE_NODE}:
            return -1
        if op is not None:
            if op[0] == RAISE or (throws and op[0] == YIELD) or tests.depend_on(op):
                return -1
            raised = raised_by(self.exceptions, self.function, node, op)
            if raised is not None:
                if not raised.returns:
                    return -1
                self._raised[node] = raised
        return edges[0][0]

    def _add(self, node: int, after: Sequence[int]) -> None:
        """The chain that begins with a node, if it is in none."""
        first, pad = len(self.nodes), self.function.node_pads[node]
        while after[node] >= 0 and self.number[node] < 0 and self.function.node_pads[node] == pad:
            self.number[node] = len(self.nodes)
            self._note_raised(node)
            self.nodes.append(node)
            node = after[node]
        self.ends += [len(self.nodes)] * (len(self.nodes) - first)

    def _note_raised(self, node: int) -> None:
        raised = self._raised.get(node)
        if raised is None:
            return
        for each in kinds_of(raised, self.exceptions):
            self._raising.setdefault(each, []).append(len(self.nodes))
        if raised.is_soft and raised.likely and not self.exceptions.believes:
            self._raising.setdefault(LIKELY, []).append(len(self.nodes))

    def raising(self, first: int, end: int) -> Iterator[tuple[str, int]]:
        """What nodes from one number to another may raise: each type, or `SOFT`, and a number.

        Of several nodes it is the first one. Code that is not known is rather one likely to raise.
        Types of the table come first.
        """
        for each, numbers in self._rows:
            at = _first(numbers, first, end)
            if at < end:
                likely = _first(self._likely, first, end) if each == SOFT else end
                yield each, likely if likely < end else at


def kinds_of(raised: RaisedTypes, exceptions: ProgramExceptions) -> list[str]:
    """The kinds of exceptions that an operation may raise."""
    kinds = sorted(raised.types)
    kinds += [INSIDE + each for each in sorted(raised.inside)]
    if exceptions.believes:
        kinds += [MAYBE + each for each in sorted(raised.likely)]
    return [*kinds, SOFT] if raised.is_soft else kinds


def _first(numbers: Sequence[int], first: int, end: int) -> int:
    """The first of the sorted numbers in a range. Its end if there is none."""
    at = bisect_left(numbers, first)
    return min(numbers[at], end) if at < len(numbers) else end


def first_of(rows: Iterable[Sequence[int]], first: int, end: int) -> int:
    """The same for several rows of sorted numbers."""
    return min((_first(each, first, end) for each in rows), default=end)


def raised_by(
    exceptions: ProgramExceptions, function: Function, node: int, op: tuple[Any, ...]
) -> RaisedTypes | None:
    """What the operation at a node may raise."""
    code = op[0]
    if code == CALL:
        return exceptions.of_call(function, node)
    if code == RAISE:
        types = frozenset(exceptions.raised_types(function, op))
        meant = types & MEANT if exceptions.believes else frozenset[str]()
        return RaisedTypes(types - meant, False, False, inside=meant)
    if code == AWAIT:
        return exceptions.of_await(function, op[1])
    found = exceptions.of_run(function, op)
    if found is not None:
        return found
    if code == DELEGATE or (code == ENTER and type(op[1]) is not int and not exceptions.believes):
        return RaisedTypes(frozenset(), True)
    return None
