"""Medians, spreads, ratios, disagreements, and what tables make of them."""

from __future__ import annotations

import pytest

from benchmarks.case import Case, Measurement
from benchmarks.findings import ResultSet
from benchmarks.report import as_csv, check_marks, fill
from benchmarks.tables import StudyTable, time_of
from pigro import PigroError

CASES = {name: Case.of("grid", name, model=1, formula=9) for name in ("demand", "lazy", "eager")}


def runs(name, *times, word="holds"):
    return [(CASES[name], Measurement(word, each)) for each in times]


def test_the_first_of_several_runs_is_for_warming_up():
    (result,) = ResultSet(runs("lazy", 9.0, 1.0, 2.0, 3.0, 4.0, 5.0))
    assert result.seconds == 3.0
    assert result.spread == pytest.approx(1 / 3)
    assert time_of(result) == "3 s ±33%"


def test_a_single_run_counts():
    (result,) = ResultSet(runs("lazy", 9.0))
    assert (result.seconds, result.spread, time_of(result)) == (9.0, None, "9 s")


@pytest.mark.parametrize(
    "word, cell", [("timeout", "time"), ("memout", "memory"), ("error", "error")]
)
def test_no_verdict_has_no_time(word, cell):
    (result,) = ResultSet(runs("lazy", 9.0, word=word))
    assert result.seconds is None
    assert time_of(result) == cell


def test_ratios_are_of_cases_that_both_decide():
    found = ResultSet(runs("lazy", 4.0) + runs("demand", 0.5) + runs("eager", 9.0, word="timeout"))
    assert found.ratios("lazy", "demand") == {CASES["lazy"].at: 8.0}
    assert found.ratios("eager", "demand") == {}


def test_who_disagrees_is_told():
    same = ResultSet(runs("lazy", 1.0) + runs("demand", 1.0) + runs("eager", 1.0, word="timeout"))
    assert same.disagreements() == []
    (wrong,) = ResultSet(runs("lazy", 1.0) + runs("demand", 1.0, word="fails")).disagreements()
    assert wrong.place == ("grid", (("model", 1), ("formula", 9)))
    assert wrong.answers == (("lazy", "holds"), ("demand", "fails"))
    (unsure,) = ResultSet(runs("lazy", 1.0) + runs("lazy", 1.0, word="fails")).disagreements()
    assert unsure.answers == (("lazy", "holds"), ("lazy", "fails"))


DOCUMENT = """\
It took <!-- bench: grid-time -->7 s<!-- end --> here.

<!-- bench: grid -->
old
<!-- end -->
"""


def test_documents_are_filled():
    table = StudyTable("grid", "", ("a", "b"), (("1", "x|y"),))
    text, empty = fill(DOCUMENT, {"grid": table.markdown, "grid-time": "3 s"})
    assert text == (
        "It took <!-- bench: grid-time -->3 s<!-- end --> here.\n\n"
        "<!-- bench: grid -->\n| a | b |\n| --- | --- |\n| 1 | x\\|y |\n<!-- end -->\n"
    )
    assert empty == []
    assert fill(text, {"grid": table.markdown, "grid-time": "3 s"})[0] == text


def test_what_was_not_measured_stays():
    assert fill(DOCUMENT, {"grid-time": ""}) == (DOCUMENT, ["grid-time", "grid"])


def test_lines_end_as_they_did():
    text, _ = fill(DOCUMENT.replace("\n", "\r\n"), {"grid": "| a |\n| b |\n"})
    assert "<!-- bench: grid -->\r\n| a |\r\n| b |\r\n<!-- end -->\r\n" in text


def test_blocks_of_code_are_left_alone():
    text = f"```\n{DOCUMENT}```\n"
    assert fill(text, {"grid-time": "3 s"}) == (text, [])
    check_marks(text.replace("grid", "nothing"), {"grid"}, "d.md")


@pytest.mark.parametrize(
    "text, message, line",
    [
        (DOCUMENT.replace("grid-time", "grad-time"), "'grad-time' does not begin", 1),
        (DOCUMENT.replace("7 s<!-- end -->", ""), "'grid-time' does not end", 1),
        (DOCUMENT.replace("bench: grid -->", "bench: gird -->"), "'gird' does not begin", 3),
    ],
)
def test_a_mark_that_nothing_can_fill_is_an_error(text, message, line):
    with pytest.raises(PigroError, match=message) as caught:
        check_marks(text, {"grid"}, "d.md")
    assert (caught.value.code, caught.value.position.line) == ("P103", line)


def test_csv_has_a_line_for_each_run():
    text = as_csv([{"suite": "grid", "problem": 'says "no",\nthen stops'}])
    assert text.count("\n") == 3
    assert text.startswith("suite,edition,runner,place,")
