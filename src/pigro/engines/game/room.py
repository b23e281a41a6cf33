"""Work on decision diagrams within a limit of memory, which can be ended at any time.

An operation of CUDD can't be ended from outside, and holds the interpreter while it runs. CUDD has
callbacks and limits of time for that, but `dd` gives no access to them. An operation takes no more
room than it has, though. So there is little at first, and with that an operation ends soon. If the
room is not enough, the work begins again with twice as much, in a copy of the process. The process
itself only waits, looks at the limits, and ends the copy when it must.

It is a copy because the work needs the parts as they are, and nothing of them can be sent: formulas
of a module are objects of the native core.
"""

from __future__ import annotations

import traceback
from functools import partial
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Callable

_Done = TypeVar("_Done")
FIRST_ROOM: Final = 1 << 25
"""Bytes for diagrams in the first attempt."""
_WORKER: Final = "the process that works on decision diagrams"


def within_room(work: Callable[[int], _Done], most: int | None, tick: Callable[[], None]) -> _Done:
    """Does work on diagrams that may take so many bytes. `MemoryError` if they are not enough.

    The room doubles from attempt to attempt. With more room than at first, CUDD also looks for
    better orders of the variables, if it may. That can take long, so it may not for parts that are
    given by formulas. What the work returns must be fit to be pickled.
    """
    room = FIRST_ROOM
    while True:
        tick()
        try:
            if room == FIRST_ROOM:
                return work(room)
            from pigro.limits.processes import run_in_fork

            return run_in_fork(partial(work, room), tick, _WORKER)
        except BaseException as error:
            _clear_frames(error)
            if not _is_full(error):
                raise
        if most is not None and 2 * room > most:
            raise MemoryError
        room *= 2


def _is_full(error: BaseException) -> bool:
    """Whether CUDD had no room. `dd` has no class of errors for that, and no code: only texts."""
    is_of_dd = isinstance(error, (ValueError, RuntimeError))
    return is_of_dd and ("NULL" in str(error) or "CUDD" in str(error))


def _clear_frames(error: BaseException) -> None:
    """Frees the locals of all functions that an error went through.

    Otherwise the garbage collector may free CUDD's store before its nodes, and CUDD complains.
    """
    at: BaseException | None = error
    while at is not None:
        traceback.clear_frames(at.__traceback__)
        at = at.__context__
