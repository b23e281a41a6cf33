"""The stream of random numbers: one that never changes.

Everything random is made of numbers in [0, 1) drawn one after the other from a Mersenne Twister
seeded with an integer: `random.Random(seed * 2**32 + number).random()`. That sequence is the one
thing that Python promises to keep. `randrange`, `choice` and the others may draw differently in
another version, and are not used. Which values are drawn, and in which order, is part of each
generator's description: to change it is to change every generated file, which is a change that
users notice.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, TypeVar

from pigro.diagnostics import UsageError

if TYPE_CHECKING:
    from collections.abc import Sequence

_Item = TypeVar("_Item")
_STREAMS = 2**32


class RandomStream:
    """Random numbers of a seed. `number` tells apart independent streams of the same seed.

    >>> stream = RandomStream(1)
    >>> stream.draw(), stream.below(10), stream.chance(0.5), stream.pick("xyz")
    (0.11299430095636409, 4, True, 'y')
    """

    def __init__(self, seed: int, number: int = 0) -> None:
        if seed < 0:
            raise UsageError("P006", f"the seed can't be {seed}", hint="give 0 or more")
        self.draw = Random(seed * _STREAMS + number).random
        """The next number in [0, 1)."""

    def below(self, count: int) -> int:
        """One of 0 .. count - 1. Draws one number."""
        return int(self.draw() * count)

    def chance(self, probability: float) -> bool:
        """True with this probability. Draws one number."""
        return self.draw() < probability

    def pick(self, items: Sequence[_Item]) -> _Item:
        """One of the items. Draws one number."""
        return items[self.below(len(items))]


def require(*, holds: bool, message: str, hint: str | None = None) -> None:
    """`UsageError` P006 if the parameters of a generator don't fit together."""
    if not holds:
        raise UsageError("P006", message, hint=hint)
