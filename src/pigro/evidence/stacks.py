"""Call stacks as linked lists: a stack is a box on top of another stack, which others share.

A push or a pop costs the same however deep the stack is, and so does a comparison of stacks that
were made from each other by pushes and pops: it ends at the part that both share.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator


class Stack:
    """The boxes that were entered and not left, outermost first. It never changes.

    >>> stack = Stack.of([3, 5])
    >>> stack.push(8), stack.below, stack.box, len(stack), tuple(stack)
    ((3, 5, 8), (3,), 5, 2, (3, 5))
    """

    __slots__ = ("__weakref__", "_hash", "below", "box", "depth")

    below: Stack
    """All but the box on top; of the empty stack, itself."""
    box: int
    """The box on top; -1 if the stack is empty."""
    depth: int
    """How many boxes there are."""

    def __init__(self, below: Stack | None, box: int) -> None:
        self.below, self.box = self if below is None else below, box
        self.depth = 0 if below is None else below.depth + 1
        self._hash: int = hash((below, box))

    @staticmethod
    def of(boxes: Iterable[int]) -> Stack:
        """The stack of these boxes, outermost first."""
        made = EMPTY
        for box in boxes:
            made = Stack(made, box)
        return made

    def push(self, box: int) -> Stack:
        """The stack with a box on top."""
        return Stack(self, box)

    def above(self, depth: int) -> tuple[int, ...]:
        """The boxes above the lowest `depth` ones."""
        boxes, at = [], self
        while at.depth > depth:
            boxes.append(at.box)
            at = at.below
        return tuple(reversed(boxes))

    def __len__(self) -> int:
        return self.depth

    def __iter__(self) -> Iterator[int]:
        return iter(self.above(0))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stack):
            return NotImplemented
        one, two = self, other
        while one is not two:
            if one.depth != two.depth or hash(one) != hash(two) or one.box != two.box:
                return False
            one, two = one.below, two.below
        return True

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...]]]:
        """Copies and pickles of the empty stack are the empty stack."""
        return Stack.of, (tuple(self),)


EMPTY = Stack(None, -1)
"""The stack of a run that is in no call. There is only this one."""
