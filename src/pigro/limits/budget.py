"""A budget of time and memory, polled by all work that can take long."""

from __future__ import annotations

import copy
import gc
import math
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from pigro import _core
from pigro.limits.limits import NO_LIMITS, Limits, wrong_limits
from pigro.limits.system import available_memory

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

Poll: TypeAlias = Callable[[], None]
"""To be called often by work that can take long. Cheap, and raises to end the work."""
_BETWEEN_LOOKS = 0.004
"""Seconds between two looks at the limits."""
_UNLIMITED = (NO_LIMITS, Limits(memory=math.inf))
_SHARE = 0.8
"""Of the memory that there is, and that the process does not use yet, if no limit is given."""


_Item = TypeVar("_Item")


class OutOfTime(Exception):
    """The time limit has passed. The text names it."""


class OutOfMemory(MemoryError):
    """The process uses more memory than it may. The text names the limit."""


class KilledBySystem(MemoryError):
    """A process of the check was killed. The text says which, and why that may be."""


LIMIT_ERRORS = (OutOfTime, MemoryError)
"""What ends work that takes too much. `OutOfMemory` is a MemoryError."""


_DEEPEST = 16
"""Errors in a chain of reasons that are looked at. A chain can be a circle."""


def interrupt_in(error: BaseException) -> BaseException:
    """The interrupt that led to an error, or else the error itself.

    Python 3.11 wraps an interrupt in an error of its own when the signal comes while the body of a
    class ends (`__set_name__`). Another error can come while an interrupt is on its way.
    """
    reason: BaseException | None = error
    for _ in range(_DEEPEST):
        if reason is None or isinstance(reason, KeyboardInterrupt):
            break
        reason = reason.__cause__ or reason.__context__
    return reason if isinstance(reason, KeyboardInterrupt) else error


def no_poll() -> None:
    """The `Poll` of work without a limit."""


def watched(items: Iterable[_Item], poll: Poll) -> Iterator[_Item]:
    """The same items, with a `poll` before each."""
    for each in items:
        poll()
        yield each


def budget_of(poll: Poll) -> Budget | None:
    """The budget whose `poll` it is, for layers that have no more. None if there is none."""
    return poll if isinstance(poll, Budget) else None


def shared_by_all(poll: Poll) -> AbstractContextManager[None]:
    """See `Budget.shared`."""
    budget = budget_of(poll)
    return nullcontext() if budget is None else budget.shared()


def tick_of(poll: Poll) -> Callable[[int], None]:
    """The `tick(bytes)` of native work, which passes the bytes that the work is about to take.

    With the `poll` of a budget, work ends before it takes more memory than the limit leaves.
    """
    budget = budget_of(poll)
    return (lambda _: poll()) if budget is None else budget.look


class Budget:
    """What one run may use, from its beginning to its end. Never pickled.

    It is a `Poll`. `tick` runs at each look, every few milliseconds, and may raise to stop.
    """

    def __init__(
        self,
        limits: Limits = NO_LIMITS,
        tick: Callable[[], None] | None = None,
        *,
        clock: Callable[[], float] = time.perf_counter,
        resident: Callable[[], int] = _core.resident_memory,
    ) -> None:
        if not isinstance(limits, Limits):
            raise wrong_limits(limits)
        self.limits, self.tick = limits, tick
        self.is_limited = limits not in _UNLIMITED
        """Whether the caller gave a limit, so that some proofs may have no room."""
        self._clock, self._resident = clock, resident
        now = clock()
        self._next = now
        self.deadline = None if limits.seconds is None else now + limits.seconds
        """On the budget's clock. None if there is none."""
        self.deadline_each: float | None = None
        """The same of one formula."""
        self._shared = [0.0]
        """Seconds of work for all formulas that none has paid for. All copies share it."""
        self.memory = self._cap()
        """Bytes that the process may use. None if it may use any."""
        self._tidy_up()

    def _cap(self) -> int | None:
        given = self.limits.memory
        if given is not None:
            return None if given == math.inf else int(given)
        there_is, used = available_memory(), self._resident()
        return None if there_is is None else used + int(max(there_is - used, 0) * _SHARE)

    def each(self, spent: float = 0.0) -> Budget:
        """The budget for one formula, which has used `spent` seconds of its time before."""
        self._tidy_up()
        one = copy.copy(self)
        one.deadline_each = self._end_of_one(spent + self.take_shared())
        return one

    def _end_of_one(self, spent: float) -> float | None:
        each = self.limits.seconds_each
        return None if each is None else self._clock() + max(each - spent, 0.0)

    @contextmanager
    def shared(self) -> Iterator[None]:
        """Bounds work for all formulas, such as listing states: its time is the first formula's."""
        began = self._clock()
        self.deadline_each = self._end_of_one(self._shared[0])
        try:
            yield
        finally:
            self.deadline_each = None
            self._shared[0] += self._clock() - began

    def take_shared(self) -> float:
        """The seconds that the next formula has used before it begins. They are given once."""
        seconds, self._shared[0] = self._shared[0], 0.0
        return seconds

    def watched_by(self, tick: Callable[[], None] | None) -> Budget:
        """The same budget with another `tick`."""
        one = copy.copy(self)
        one.tick = tick
        return one

    @property
    def seconds_left(self) -> float | None:
        """Of the whole run: more than 0, though perhaps not much. None if that does not matter."""
        return None if self.deadline is None else max(self.deadline - self._clock(), 1e-9)

    @property
    def room(self) -> int | None:
        """Bytes that the process may still take. None if it may take any."""
        return None if self.memory is None else max(self.memory - self._resident(), 0)

    @property
    def poll(self) -> Budget:
        """The budget as a `Poll`, for layers that need no more than to be ended."""
        return self

    def __call__(self) -> None:
        """Cheap: looks at the limits every few milliseconds only. See `look`."""
        if self._clock() >= self._next:
            self.look()

    def look(self, about_to_take: int = 0) -> None:
        """Ticks, and raises `OutOfTime` or `OutOfMemory` beyond the limits.

        `about_to_take` is memory in bytes that the work needs next.
        """
        if self.tick is not None:
            self.tick()
        now = self._clock()
        self._next = now + _BETWEEN_LOOKS
        if self.deadline is not None and now >= self.deadline:
            raise OutOfTime(self.time_limit)
        if self.deadline_each is not None and now >= self.deadline_each:
            raise OutOfTime(self.time_limit_each)
        if self._is_over(about_to_take):
            _core.release_memory()  # what earlier work left in the allocator does not count
            if self._is_over(about_to_take):
                raise OutOfMemory(self.memory_limit)

    def _is_over(self, about_to_take: int = 0) -> bool:
        return self.memory is not None and self._resident() + about_to_take > self.memory

    def _tidy_up(self) -> None:
        """Takes away what earlier work left, if there is no room beside it."""
        if self._is_over():
            gc.collect()
            _core.release_memory()

    @property
    def time_limit(self) -> str:
        """The limit of the run, for people."""
        return f"time limit of {self.limits.seconds:g} s"

    @property
    def time_limit_each(self) -> str:
        """The limit of one formula, for people."""
        return f"time limit of {self.limits.seconds_each:g} s for one formula"

    @property
    def memory_limit(self) -> str:
        """The same of memory."""
        size = self.memory or 0
        text = f"{size / 1e6:,.0f} MB" if size >= 1e6 else f"{size / 1e3:g} kB"
        return f"memory limit of {text}"

    def why_none(self, end: BaseException) -> str:
        """Why there is no verdict, when one of `LIMIT_ERRORS` ended the check."""
        if isinstance(end, (OutOfTime, OutOfMemory)):
            return f"no verdict within the {end}"
        if isinstance(end, KilledBySystem):
            return f"no verdict: {end}"
        return "no verdict: the check needs more memory than there is"
