"""Limits of any type: numbers count, all else is refused in the same words."""

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from pigro.diagnostics import UsageError
from pigro.limits import Limits, require_jobs

NO_NUMBERS = ["2", b"2", True, False, [1], object(), 1j]
NOT_POSITIVE = [
    0,
    -1,
    0.0,
    -0.5,
    math.nan,
    -math.inf,
    Decimal(-1),
    Decimal("NaN"),
    Decimal("sNaN"),
    -(10**400),
]


@pytest.mark.parametrize("name", ["seconds", "seconds_each", "memory"])
@pytest.mark.parametrize(
    "value", [*NO_NUMBERS, *NOT_POSITIVE], ids=lambda value: type(value).__name__
)
def test_refused(name, value):
    with pytest.raises(UsageError) as caught:
        Limits(**{name: value})
    word = {"seconds": "timeout", "seconds_each": "timeout_each"}.get(name, name)
    assert caught.value.code == "P006"
    assert caught.value.message.startswith(f"{word} can't be ")
    assert len(caught.value.message) < 100


@pytest.mark.parametrize(
    "value, seconds",
    [
        (1, 1.0),
        (Decimal("0.5"), 0.5),
        (Fraction(1, 4), 0.25),
        (np.float32(2), 2.0),
        (np.int64(3), 3.0),
    ],
)
def test_seconds_are_a_float(value, seconds):
    for name in ("seconds", "seconds_each"):
        given = getattr(Limits(**{name: value}), name)
        assert given == seconds
        assert type(given) is float


@pytest.mark.parametrize("value", [None, math.inf, 10**400, Decimal("1e999")])
def test_no_seconds(value):
    assert Limits(seconds=value, seconds_each=value) == Limits()


@pytest.mark.parametrize(
    "value, size",
    [(1e9, 10**9), (Decimal("1e9"), 10**9), (0.5, 1), (np.int64(7), 7), (2**62, 2**62)],
)
def test_memory_is_an_int(value, size):
    memory = Limits(memory=value).memory
    assert memory == size
    assert type(memory) is int


@pytest.mark.parametrize("value", [2**63, 10**400, 1e300, math.inf, Decimal("1e999")])
def test_more_memory_than_can_be(value):
    assert Limits(memory=value).memory == math.inf


@pytest.mark.parametrize(
    "value", [0, -1, 1.5, 2.0, "2", None, True, math.nan, Decimal(2), 10**400 * -1]
)
def test_jobs_refused(value):
    with pytest.raises(UsageError, match="jobs can't be ") as caught:
        require_jobs(value)
    assert caught.value.code == "P006"


@pytest.mark.parametrize("value, jobs", [(1, 1), (np.int64(3), 3), (10**30, 10**30)])
def test_jobs(value, jobs):
    assert require_jobs(value) == jobs
