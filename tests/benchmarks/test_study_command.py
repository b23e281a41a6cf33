"""`python -m benchmarks`: what it measures, keeps, prints and refuses."""

from __future__ import annotations

import csv
import gzip
import json
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from click.testing import CliRunner

from benchmarks.__main__ import study
from benchmarks.suites import SUITES

PUMOC = ("pumoc", "--quick", "--engine", "demand")


@pytest.fixture(scope="module")
def measured(tmp_path_factory):
    """A store with a quick run of a suite, made once."""
    path = tmp_path_factory.mktemp("bench") / "pigro-bench.sqlite"
    found = CliRunner().invoke(study, [*PUMOC, "--store", str(path)])
    assert found.exit_code == 0, found.stderr
    assert "pumoc: 20 of 20 cases done, 20 runs in" in found.stderr
    return path


@pytest.fixture
def run(tmp_path, monkeypatch):
    """Runs the command in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    return lambda *args: CliRunner().invoke(study, args, prog_name="python -m benchmarks")


def test_suites_are_listed(run):
    found = run("--list")
    assert found.exit_code == 0
    assert [line.split()[0] for line in found.stdout.splitlines()] == list(SUITES)


def test_measured_cases_are_not_measured_again(run, measured):
    found = run(*PUMOC, "--store", str(measured))
    assert "20 of 20 cases done, 0 runs" in found.stderr
    assert "Random pushdown systems" in found.stdout
    assert found.stdout.count("demand") == 5


def test_tables_of_what_was_asked_for_only(run, measured):
    found = run("pumoc", "--quick", "--engine", "lazy", "--store", str(measured))
    assert "20 of 20 cases done, 20 runs" in found.stderr
    assert "demand" not in found.stdout
    found = run("pumoc", "--show", "--store", str(measured))
    assert found.exit_code == 0
    assert found.stdout.count("demand") == found.stdout.count("lazy") == 5


def test_runs_are_compared_with_those_of_before(run, measured, tmp_path):
    store = str(tmp_path / "new.sqlite")
    found = run(*PUMOC, "--repeat", "3", "--store", store, "--against", str(measured))
    assert found.exit_code == 0, "a single run proves nothing about times"
    said = "of 0 cases measured then and now (not counting 20 without times to compare), 0 are"
    assert said in found.stderr
    assert "0 counts differ" in found.stderr

    again = run(*PUMOC, "--repeat", "3", "--store", store, "--against", store)
    assert again.stderr.startswith("error[P012]: nothing of pumoc to compare with is in")


def test_a_slower_case_is_told(run, measured, monkeypatch, tmp_path):
    from benchmarks import running
    from benchmarks.case import Measurement

    for seconds, name in ((1.0, "old"), (2.0, "new")):
        outcome = Measurement("holds", seconds)
        monkeypatch.setattr(running.Worker, "run", lambda *_, outcome=outcome: outcome)
        more = ("--against", str(tmp_path / "old")) if name == "new" else ()
        found = run(*PUMOC, "--repeat", "3", "--store", str(tmp_path / name), *more)
    assert found.exit_code == 1
    assert "Times that changed beyond noise" in found.stdout
    assert "of 20 cases measured then and now, 20 are slower beyond noise" in found.stderr


def test_runs_of_another_machine_are_not_compared(run, measured, monkeypatch, tmp_path):
    from benchmarks import facts

    elsewhere = facts.machine() | {"cores": 1000}
    monkeypatch.setattr(facts, "machine", lambda: elsewhere)
    found = run(*PUMOC, "--store", str(tmp_path / "new"), "--against", str(measured))
    assert (found.exit_code, found.stdout) == (2, "")
    assert "are from another machine or Python" in found.stderr


def test_files(run, measured):
    pytest.importorskip("matplotlib")
    Path("page.md").write_text("It took <!-- bench: pumoc-demand-slowest -->?<!-- end -->.\n")
    found = run(
        *PUMOC, "--store", str(measured), "--csv", "runs.csv", "--json", "all.json",
        "--plots", "deep/plots", "--tables", "deep/tables", "--fill", "page.md", "--format", "markdown",
    )  # fmt: skip
    assert found.exit_code == 0, found.stderr
    with Path("runs.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["runner"] for row in rows} == {"demand"}
    assert len(rows) == 20
    assert {row["word"] for row in rows} <= {"holds", "fails"}
    whole = json.loads(Path("all.json").read_text())
    assert whole["schema"] == "pigro.study/1"
    assert whole["machine"]["cores"] >= 1
    assert whole["settings"] == {"timeout": 10.0, "memory": 4_000_000_000, "repeat": 1}
    assert whole["runs"][0]["place"] == [["system", 10], ["depth", 2]]
    assert whole["tables"][0]["name"] == "pumoc"
    assert ET.parse("deep/plots/pumoc.svg").getroot().tag.endswith("svg")
    assert whole["facts"]["pumoc-demand-slowest"] in Path("page.md").read_text()
    assert "| systems | engine |" in found.stdout
    with Path("deep/tables/pumoc.csv").open(newline="") as file:
        assert tuple(next(csv.reader(file)))[:2] == ("systems", "engine")
    again = run(*PUMOC, "--store", str(measured), "--csv", "runs.csv.gz")
    assert again.exit_code == 0
    assert gzip.decompress(Path("runs.csv.gz").read_bytes()) == Path("runs.csv").read_bytes()


def test_json_on_standard_output(run, measured):
    found = run(*PUMOC, "--store", str(measured), "--format", "json")
    assert json.loads(found.stdout)["facts"]["pumoc-demand-undecided"] == "0"


def test_again_runs_anew_and_keeps_the_old(run, measured):
    copy = Path("copy.sqlite")
    copy.write_bytes(measured.read_bytes())
    found = run(*PUMOC, "--store", "copy.sqlite", "--again", "--timeout", "10s")
    assert "20 of 20 cases done, 20 runs" in found.stderr


def test_without_files_the_java_suite_says_what_it_skips(run):
    found = run("java", "usedef", "--quick")
    assert found.exit_code == 0
    assert found.stderr.splitlines() == [
        f"{suite}: left out: dataflow, avroraReg, avroraMedTest, avroraELF, fop2pdf, dom2pdf, "
        "avroraDisassemble, avroraCFG: no folder with their files (--files)"
        for suite in ("java", "usedef")
    ] + ["warning: nothing was left to measure"]


@pytest.mark.parametrize(
    "content, said",
    [
        (b"\xff", "error[P102]: the document is not UTF-8"),
        (b"<!-- bench: what -->1<!-- end -->", "error[P103]: the mark 'what'"),
        (
            b"<!-- bench: grid -->1 <!-- bench: java -->2<!-- end -->",
            "error[P103]: the mark 'grid'",
        ),
    ],
)
def test_bad_documents_are_refused_before_anything_runs(run, content, said):
    Path("page.md").write_bytes(content)
    found = run("grid", "--fill", "page.md")
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith(said)
    assert Path("page.md").read_bytes() == content
    assert [path.name for path in Path().iterdir()] == ["page.md"]


@pytest.mark.parametrize("option", ["--again", "--quick", "--engine=x", "--repeat=2"])
def test_showing_takes_no_options_for_running(run, measured, option):
    found = run("--show", "--store", str(measured), option)
    assert found.exit_code == 2
    assert found.stderr.startswith("error[P006]: --show runs nothing, so --")


def test_interrupted_prints_and_writes_nothing(run, monkeypatch):
    from benchmarks import running

    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr(running.Worker, "run", stop)
    found = run("pumoc", "--csv", "runs.csv", "--again")
    assert found.exit_code == 130
    assert (
        "interrupted; finished runs are in pigro-bench.sqlite: the same command without --again"
        in found.stderr
    )
    assert not Path("runs.csv").exists()


def test_faults_change_the_exit_code(run, monkeypatch):
    from benchmarks import running
    from benchmarks.case import Measurement

    words = iter(["wrong", *["holds"] * 19])
    monkeypatch.setattr(
        running.Worker, "run", lambda *_: Measurement(next(words), 1.0, problem="the formula fails")
    )
    found = run(*PUMOC)
    assert found.exit_code == 1
    assert "warning: pumoc: demand, system 10, depth 2: wrong: the formula fails" in found.stderr
    assert run("--show").exit_code == 1


def test_a_document_with_what_was_not_measured(run, measured):
    Path("page.md").write_text("<!-- bench: grid-pairs -->7<!-- end -->")
    found = run(*PUMOC, "--store", str(measured), "--fill", "page.md")
    assert "warning: nothing was measured for grid-pairs" in found.stderr
    assert Path("page.md").read_text() == "<!-- bench: grid-pairs -->7<!-- end -->"


def test_several_documents_and_who_measured_a_suite(run, measured):
    whole, part = Path("whole.md"), Path("part.md")
    whole.write_text(
        "<!-- bench: pumoc-run -->?<!-- end -->, <!-- bench: run-limits -->?<!-- end -->"
    )
    part.write_text("<!-- bench: run-limits -->old<!-- end --> <!-- bench: grid -->7<!-- end -->")
    found = run(*PUMOC, "--store", str(measured), "--fill", "whole.md", "--fill", "part.md")
    limits = "10 s and 4 GB"
    assert f", within {limits}<!-- end -->, " in whole.read_text()
    assert f"<!-- bench: run-limits -->{limits}<!-- end -->" in whole.read_text()
    assert "run-limits -->old<" in part.read_text(), "it is about the grid too, which was not run"
    assert "nothing was measured for run" not in found.stderr


def test_marks_in_code_are_none(run, measured):
    text = "Write `<!-- bench: NAME -->` and `<!-- end -->` around `pumoc`.\n"
    Path("page.md").write_text(text + "<!-- bench: pumoc-demand-undecided -->?<!-- end -->")
    found = run(*PUMOC, "--store", str(measured), "--fill", "page.md")
    assert found.exit_code == 0, found.stderr
    assert Path("page.md").read_text().startswith(text)
    assert "?" not in Path("page.md").read_text()


def test_a_document_is_filled_once(run, measured):
    Path("page.md").write_text("nothing")
    found = run(*PUMOC, "--store", str(measured), "--fill", "page.md", "--fill", "page.md")
    assert found.stderr.startswith("error[P003]: can't write page.md: it is named twice")


@pytest.mark.parametrize(
    "arguments, said",
    [
        ((), "error[P006]: no suite given"),
        (("grud",), "error[P006]: invalid value for 'SUITE...'"),
        (("grid", "--engine", "leasy"), "error[P403]: no suite runs the engine leasy"),
        (("grid", "--files", "nowhere"), "error[P001]: there is no folder nowhere"),
        (("grid", "--store", "no/where"), "error[P012]: can't use no/where"),
        (("grid", "--show"), "error[P001]: there is no store pigro-bench.sqlite"),
        (("grid", "--against", "nowhere"), "error[P001]: there is no store nowhere"),
        (("grid", "--csv", "no/where"), "error[P003]: can't write no/where"),
        (("grid", "--fill", "nothing.md"), "error[P001]: "),
        (("grid", "--plots", "/dev/null/x"), "error[P003]: can't write into /dev/null/x"),
        (("peers", "--peer", "spin"), "error[P006]: no other tool"),
        (("ondemand", "--peer", "nusmv=nowhere"), "error[P006]: there is no program nowhere"),
        (("grid", "--peer", "pymodelchecking"), "error[P006]: no suite that you name runs"),
        (("ondemand", "--peer", "pymodelchecking"), "error[P006]: no suite that you name runs"),
        (("grid", "--store", "a", "--csv", "a"), "error[P003]: can't write a: it is named twice"),
        (("grid", "--csv", "a", "--json", "./a"), "error[P003]: can't write ./a: it is named"),
        (("grid", "--plots", "p", "--engine", "leasy"), "error[P403]"),
        (("grid", "--timeout", "soon"), "error"),
        (("grid", "--repeat", "0"), "error"),
    ],
)
def test_bad_command_lines(run, arguments, said):
    found = run(*arguments)
    assert (found.exit_code, found.stdout) == (2, "")
    assert found.stderr.startswith(said)
    assert list(Path().iterdir()) == [], "nothing is half-written"


def test_disagreement_is_told(run, monkeypatch, tmp_path):
    from benchmarks import running
    from benchmarks.case import Measurement

    words = {"demand": "holds", "lazy": "fails", "eager": "timeout"}
    monkeypatch.setattr(
        running.Worker, "run", lambda self, case, *_: Measurement(words[case.runner], 1.0)
    )
    found = run("pumoc", "--quick")
    assert found.exit_code == 1
    assert (
        "disagreement: pumoc, system 10, depth 2: demand says holds, lazy says fails"
        in found.stderr
    )
    assert found.stderr.count("disagreement") == 20
