"""The suite of batches: its numbers, and that all runners say the same."""

from benchmarks.case import Case, Measurement
from benchmarks.findings import ResultSet
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from benchmarks.suites.processes import batch

SUITE = SUITES["batch"]


def test_all_runners_find_the_same(monkeypatch):
    monkeypatch.setattr(batch, "QUICK_SIZES", {"small": (20,)})
    outcomes = [
        SUITE.run(case, StudyScope(quick=True)) for case in SUITE.cases(StudyScope(quick=True))
    ]
    assert [each.word for each in outcomes] == ["done"] * 3
    assert len({each.details["verdicts"] for each in outcomes}) == 1
    assert all(each.details["cpu"] > 0 for each in outcomes)


def test_overhead_is_processor_time_and_speed_is_on_the_clock():
    times = {"check": (1.0, 1.0), "one worker": (4.0, 3.0), "two workers": (2.0, 5.0)}
    runs = [
        (
            Case.of("batch", runner, model="small", tasks=1000),
            Measurement("done", seconds=clock, details={"cpu": cpu, "verdicts": "x"}),
        )
        for runner, (clock, cpu) in times.items()
    ]
    [table] = SUITE.tables(ResultSet(runs))
    [row] = table.rows
    assert row[-3:-1] == ("2.00 ms", "4.00 ms")
    assert str(row[-1]).startswith("2")


def test_a_part_of_the_cases_makes_no_row():
    case = Case.of("batch", "check", model="small", tasks=10)
    [table] = SUITE.tables(ResultSet([(case, Measurement("done", seconds=1.0))]))
    assert table.rows == ()
