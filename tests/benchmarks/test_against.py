"""Runs of two sessions compared: what is slower beyond noise, and which counts differ."""

import pytest

from benchmarks.against import compare
from benchmarks.case import Case, Measurement
from benchmarks.findings import ResultSet
from benchmarks.yardstick import KEY, microseconds

CASE = Case.of("grid", "demand", model=1)


def found(*seconds, yardstick=100.0, **others):
    details = {KEY: yardstick} if yardstick else {}
    runs = [Measurement("holds", each, details=details, **others) for each in seconds]
    return ResultSet((CASE, each) for each in runs)


STEADY = (1.0, 1.0, 1.0, 1.0)


@pytest.mark.parametrize(
    "now, then, slower, faster",
    [
        (found(1, 1.3, 1.3, 1.3), found(*STEADY), 1, 0),
        (found(*STEADY), found(1, 1.3, 1.3, 1.3), 0, 1),
        (found(1, 1.05, 1.05, 1.05), found(*STEADY), 0, 0),
        # The runs differ by as much among themselves.
        (found(1, 1.0, 1.3, 1.9), found(*STEADY), 0, 0),
        # The machine was half as fast when the second was measured.
        (found(2, 2, 2, 2, yardstick=200.0), found(*STEADY), 0, 0),
        (found(*STEADY, yardstick=50.0), found(*STEADY), 1, 0),
        # A microsecond more is nothing, however many times as long that is.
        (found(4e-6, 4e-6, 4e-6), found(1e-6, 1e-6, 1e-6), 0, 0),
        # Runs of a time when there was no yardstick.
        (found(2, 2, 2, 2, yardstick=None), found(*STEADY, yardstick=None), 1, 0),
        (found(*STEADY), found(*STEADY, yardstick=None), 0, 0),
        (found(2, 2, 2, 2), found(*STEADY, yardstick=None), 1, 0),
        # A long run is made once.
        (found(20.0), found(6.0), 1, 0),
        (found(8.0), found(6.0), 0, 0),
    ],
)
def test_slower_is_beyond_noise(now, then, slower, faster):
    compared = compare(now, then)
    assert (len(compared.slower), len(compared.faster)) == (slower, faster)
    assert compared.unjudged == 0


def test_single_short_runs_are_compared_by_counts_alone():
    compared = compare(found(4.0, contexts=3, visited=10), found(1.0, contexts=2, visited=10))
    assert (compared.changes, compared.unjudged) == ((), 1)
    assert [(each.what, each.then, each.now) for each in compared.counts] == [
        ("contexts", "2", "3")
    ]
    assert "(not counting 1 without times to compare)" in compared.summary


def test_a_verdict_that_changed_is_told():
    undecided = ResultSet([(CASE, Measurement("timeout"))])
    compared = compare(undecided, found(*STEADY))
    assert [(each.what, each.then, each.now) for each in compared.counts] == [
        ("verdict", "holds", "timeout")
    ]


def test_cases_of_one_session_are_left_out():
    other = ResultSet([(Case.of("grid", "lazy", model=1), Measurement("holds", 1.0))])
    assert compare(found(*STEADY), other).summary.startswith("of 0 cases measured then and now, 0")


def test_tables_show_the_worst_first():
    cases = [Case.of("grid", "demand", model=each) for each in (1, 2)]
    then = ResultSet((case, Measurement("holds", 1.0)) for case in cases for _ in range(4))
    runs = [(case, Measurement("holds", float(place + 2))) for place, case in enumerate(cases)]
    (times,) = compare(ResultSet(each for each in runs for _ in range(4)), then).tables()
    assert [row[0] for row in times.rows] == ["grid: demand, model 2", "grid: demand, model 1"]
    assert times.rows[0][1:] == ("1 s", "3 s", "3.00", "10%")


def test_the_yardstick_takes_time():
    assert microseconds() > 0
