"""Limits as they are asked for, validated here and nowhere else."""

from __future__ import annotations

import math
import operator
from typing import Any

from msgspec.structs import force_setattr

from pigro.diagnostics import UsageError
from pigro.records import Record

_LONGEST = 60
"""Characters of a value in a message."""
_MOST_BYTES = 2**62
"""More memory than this is no limit on any machine, and the native core can't count it."""


class Limits(Record, frozen=True):
    """What a run may use. A formula that needs more gets no verdict.

    Any number that is more than 0 will do, `math.inf` for no limit. Raises `UsageError` P006 for
    anything else.
    """

    seconds: float | None = None
    """Wall time of the whole run, None if that does not matter."""
    memory: float | None = None
    """Bytes of the whole process, as a whole number. None: most of what the machine has."""
    seconds_each: float | None = None
    """Wall time for each formula, None if that does not matter."""

    def __post_init__(self) -> None:
        """Refuses a value that is not a limit. The others become a float, or an int for bytes."""
        for name, word in (("seconds", "timeout"), ("seconds_each", "timeout_each")):
            value = getattr(self, name)
            given = None if value is None else _positive(word, value)
            force_setattr(self, name, None if given == math.inf else given)
        if self.memory is not None:
            given = _positive("memory", self.memory)
            whole = given if given > _MOST_BYTES else math.ceil(self.memory)
            force_setattr(self, "memory", math.inf if whole > _MOST_BYTES else whole)


NO_LIMITS = Limits()


def _positive(name: str, value: Any) -> float:
    """The number as a float. `UsageError` P006 if it is none, or not more than 0."""
    number = math.nan
    from decimal import Decimal
    from numbers import Real

    if not isinstance(value, bool) and isinstance(value, (Real, Decimal)):
        try:
            number = float(value)
        except OverflowError:
            number = math.inf if value == abs(value) else -math.inf
        except ValueError:  # a signalling NaN
            pass
    if number > 0:
        return number
    hint = "give a number that is more than 0, or None"
    raise UsageError("P006", f"{name} can't be {_value_in_words(value)}", hint=hint)


def wrong_limits(limits: object) -> UsageError:
    """The error P006 for a number, say, in place of limits."""
    hint = "write limits=Limits(seconds=...), with Limits from pigro.engines"
    return UsageError("P006", f"limits can't be {_value_in_words(limits)}", hint=hint)


def require_jobs(jobs: object) -> int:
    """The number of threads. `UsageError` P006 if it is no whole number from 1 on."""
    try:
        count = 0 if isinstance(jobs, bool) else operator.index(jobs)  # type: ignore[arg-type]
    except TypeError:
        count = 0
    if count < 1:
        raise UsageError("P006", f"jobs can't be {_value_in_words(jobs)}", hint="give 1 or more")
    return count


def _value_in_words(value: object) -> str:
    """A value of any type, for a message."""
    try:
        text = repr(value)
    except Exception:  # noqa: BLE001 - of an object of others, or an int with too many digits
        text = f"of type {type(value).__name__}"
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]}..."
