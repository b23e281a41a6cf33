"""Nodes and edges of a function while it is made.

`ends` are the edges that lead nowhere yet: the next node takes them all. Where they are empty, no
run gets there, and nodes that are made nevertheless have no predecessors.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Any

from pigro.sources.graph import EXIT, NOWHERE, RAISE, SUPPRESS, At, ExceptionPad, Function

if TYPE_CHECKING:
    import ast

    from pigro.sources.graph import Guard, Op, Value

_MOST = 50_000
"""Nodes of a function. Only nested copies of `finally` make more."""
Ends = list[tuple[int, "Guard"]]


class LoopTargets:
    """A loop around the current statement."""

    def __init__(self, again: int) -> None:
        self.again = again
        self.left: Ends = []


class FinallyBlock:
    """A `finally` around the current statement, or the end of a `with` (then `body` is empty)."""

    def __init__(self, body: list[ast.stmt], pad: int, value: Value, at: At, wait: bool) -> None:
        self.body = body
        self.pad = pad
        self.value = value
        self.at = at
        self.wait = wait


class GraphBuilder(ABC):
    """A function under construction."""

    def __init__(self, function: Function) -> None:
        self.function = function
        self.ops = function.ops
        self.ats = function.at_nodes
        self.edges = function.edges
        self.node_pads = function.node_pads
        self.pads = function.pads
        self.pads.append(ExceptionPad(-1))
        self.pad = 0
        self.frames: list[LoopTargets | FinallyBlock] = []
        self.caught: list[tuple[tuple[str, ...], str | None]] = []
        self.ends: Ends = []
        self.uses: list[str] = []
        """Paths read since the last node that tells them."""
        for _ in range(3):
            self.node(None, NOWHERE)
            self.ends = []
        self.ends = [(0, None)]

    def node(self, op: Op, at: At) -> int:
        """A node after all open ends, which is the only open end then."""
        made = len(self.ops)
        self.ops.append(op)
        self.ats.append(at)
        self.edges.append([])
        self.node_pads.append(self.pad)
        edges = self.edges
        for source, guard in self.ends:
            edges[source].append((made, guard))
        self.ends = [(made, None)]
        return made

    def lead(self, ends: Ends, target: int) -> None:
        """Leads ends to a node that is there."""
        for source, guard in ends:
            self.edges[source].append((target, guard))

    def plain(self, at: At) -> None:
        """Makes sure that open ends can take a guard."""
        if len(self.ends) != 1 or self.ends[0][1] is not None:
            self.node(None, at)

    def open_pad(self) -> int:
        """A new pad inside the current one, which becomes the current one."""
        self.pads.append(ExceptionPad(self.pad))
        self.pad = len(self.pads) - 1
        return self.pad

    def taken_uses(self) -> tuple[str, ...]:
        """The paths that were read since the last node."""
        if not self.uses:
            return ()
        taken = tuple(self.uses)
        self.uses.clear()
        return taken

    def unwind(self, until: LoopTargets | None) -> None:
        """Runs all that must run before a jump leaves the frames inside `until`, or all."""
        frames, pad = self.frames, self.pad
        for depth in range(len(frames) - 1, -1, -1):
            frame = frames[depth]
            if frame is until:
                break
            if isinstance(frame, FinallyBlock):
                self.frames, self.pad = frames[:depth], frame.pad
                if frame.body:
                    self.body(frame.body)
                else:
                    self.node((EXIT, frame.value, frame.wait, False), frame.at)
        self.frames, self.pad = frames, pad

    def throwing(self, frame: FinallyBlock, catcher: int) -> Ends:
        """What runs when an exception leaves the inside of `frame`. Ends where it is suppressed."""
        if len(self.ops) > _MOST:
            raise RecursionError("`finally` inside `finally` doubles the nodes at each level")
        kept = self.ends
        suppressed: Ends = []
        self.ends = []
        if frame.body:
            self.pads[catcher].clauses.append((None, self.node(None, NOWHERE)))
            self.body(frame.body)
        else:
            left = self.node((EXIT, frame.value, frame.wait, True), frame.at)
            self.pads[catcher].clauses.append((None, left))
            suppressed = [(left, SUPPRESS)]
        if self.ends:
            self.node((RAISE, None, ()), NOWHERE)
        self.ends = kept
        return suppressed

    @abstractmethod
    def body(self, statements: list[ast.stmt]) -> None:
        """Lowers statements."""

    @abstractmethod
    def value(self, expression: Any) -> Value:
        """Lowers an expression."""


def place(node: Any) -> At:
    """Where a statement or expression stands."""
    return (node.lineno, node.col_offset, node.end_lineno, node.end_col_offset)
