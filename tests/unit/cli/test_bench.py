"""`pigro bench`: engines by turns on the models and formulas of a user."""

from __future__ import annotations

import csv
import io
import json
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest
from msgspec.structs import replace

from pigro.session import measuring
from pigro.session.asking import ask

AG = "AG (def -> EF use)"
EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SCHEMA = json.loads(files("pigro.schemas").joinpath("bench.schema.json").read_text())


def rows_of(found):
    whole = json.loads(found.stdout)
    jsonschema.validate(whole, SCHEMA)
    return [row for each in whole["files"] for row in each["rows"]]


def test_all_engines_that_fit_are_compared(run, app):
    found = run("bench", app, "--check", AG, "--repeat", "2")
    assert found.exit_code == 0, found.stderr
    assert found.stdout.startswith("app.rsm\n\nformula ")
    (first, *others) = [line for line in found.stdout.splitlines() if " holds " in line]
    assert first.startswith(AG)
    assert "demand" in first
    assert first.split()[-3:] == ["1.00", first.split()[-2], "1.00"]
    assert [line.split()[0] for line in others][:2] == ["game", "exhaustive"]
    assert 'app.rsm: left out: onthefly: component "helper" can call itself' in found.stderr


def test_ratios_are_to_the_first_engine(run, app):
    found = run(
        "bench", app, "--check", AG, "--engine", "exhaustive", "--engine", "demand", "--json", "-"
    )
    slow, quick = rows_of(found)
    assert (slow["engine"], slow["time_ratio"], slow["contexts_ratio"]) == ("exhaustive", 1.0, 1.0)
    assert len(quick["seconds"]) == 5
    assert quick["time_ratio"] == pytest.approx(quick["median"] / slow["median"])
    assert quick["contexts_ratio"] == pytest.approx(quick["contexts"] / slow["contexts"])


def test_every_run_is_in_the_table_for_programs(run, app):
    found = run("bench", app, "--check", AG, "--repeat", "3", "--engine", "demand", "--csv", "-")
    rows = list(csv.DictReader(io.StringIO(found.stdout)))
    assert [(row["file"], row["verdict"], row["repetition"]) for row in rows] == [
        (app, "holds", str(each)) for each in range(4)
    ]
    assert all(float(row["seconds"]) > 0 and int(row["contexts"]) > 0 for row in rows)


def test_engines_take_turns(run, app):
    wanted = ("--engine", "lazy", "--engine", "demand")
    found = run("bench", app, "--check", AG, "--repeat", "2", *wanted, "--csv", "-")
    rows = csv.DictReader(io.StringIO(found.stdout))
    assert [row["engine"] for row in rows] == ["lazy", "demand"] * 3


def test_formulas_of_files_and_sums_over_them(run, app):
    Path("all.ctl").write_text(f"{AG}\nEF use\n")
    found = run("bench", app, "-f", "all.ctl", "--engine", "demand", "--repeat", "1")
    *_, last = found.stdout.strip().splitlines()
    assert last.split()[:6] == "all 2 formulas demand 2 decided".split()


def test_many_formulas_are_only_summed_up(run, app):
    Path("all.ctl").write_text("".join(f"{'EX ' * each}use\n" for each in range(30)))
    found = run("bench", app, "-f", "all.ctl", "--engine", "demand", "--repeat", "1")
    assert len(found.stdout.strip().splitlines()) == 4


def test_methods_for_parts_and_several_files(run):
    names = [str(EXAMPLES / each) for each in ("handshake.parts", "mutex.smv")]
    check = ("--check", "EF busy")
    found = run("bench", names[0], *check, "--repeat", "1", "--json", "-")
    assert [row["engine"] for row in rows_of(found)][:2] == ["concrete", "refine"]
    found = run("bench", *names, "--check", "true", "--repeat", "1")
    assert found.exit_code == 0, found.stderr
    assert found.stdout.count("formula ") == 2


def test_a_formula_without_verdict_has_no_ratio(run, dense):
    more = ("--engine", "full", "--repeat", "1", "--timeout", "1ms", "--json", "-")
    (row,) = rows_of(run("bench", *dense, *more))
    assert row["verdict"] == "unknown"
    assert (row["time_ratio"], row["contexts_ratio"]) == (None, None)


def test_engines_that_disagree(run, app, monkeypatch):
    def lying(question):
        outcome = ask(question)
        if question.engine.name == "lazy":
            (verdict,) = outcome.verdicts
            return replace(outcome, verdicts=(replace(verdict, holds=False),))
        return outcome

    monkeypatch.setattr(measuring, "ask", lying)
    wanted = ("--engine", "demand", "--engine", "lazy")
    found = run("bench", app, "--check", AG, *wanted, "--repeat", "1")
    assert found.exit_code == 1
    assert f"disagreement: app.rsm: {AG}: demand says holds, lazy says fails" in found.stderr


def test_interrupted_it_prints_what_was_measured(run, app, monkeypatch):
    asked = []

    def interrupted(question):
        asked.append(question)
        if len(asked) > 1:
            raise KeyboardInterrupt
        return ask(question)

    monkeypatch.setattr(measuring, "ask", interrupted)
    found = run("bench", app, "--check", AG, "--csv", "runs.csv")
    assert found.exit_code == 130
    assert "demand" in found.stdout
    assert found.stderr.endswith("interrupted\n")
    assert len(Path("runs.csv").read_text().splitlines()) == 2


@pytest.mark.parametrize(
    "arguments, said",
    [
        (("nowhere.rsm", "--check", "p"), "error[P001]"),
        (("app.rsm",), "error[P002]"),
        (("app.rsm", "--check", "AG ("), "error[P30"),
        (("app.rsm", "--check", "p", "--engine", "leasy"), "error[P403]"),
        (("app.rsm", "--check", "A [G F use]", "--engine", "lazy"), "error[P401]"),
        (("app.rsm", "--check", "p", "--engine", "onthefly"), "error[P404]"),
        (("app.rsm", "--check", "p", "--csv", "no/where"), "error[P003]"),
        (("app.rsm", "--check", "p", "--json", "app.rsm"), "error[P003]"),
        (("app.rsm", "--check", "p", "--repeat", "0"), "error"),
        (("app.rsm", "--check", "p", "--csv", "x", "--json", "x"), "runs and times can't both"),
        (("app.rsm", "--check", "p", "--csv", "-", "--json", "-"), "runs and times can't both"),
    ],
)
def test_wrong_command_lines(run, app, arguments, said):
    found = run("bench", *arguments)
    assert (found.exit_code, found.stdout) == (2, "")
    assert said in found.stderr


RING = """class Ring:
    initial = 0

    def successors(self, state):
        if state == 4:
            raise ValueError("too far")
        return [state + 1]

    def labels(self, state):
        return ["zero"] if state == 0 else []
"""


def test_programs_are_measured_by_the_engine_that_takes_them(run):
    Path("ring.py").write_text(RING)
    check = ("ring.py:Ring", "--check", "EF !zero", "--repeat", "1")
    found = run("bench", *check, "--json", "-")
    assert found.exit_code == 0, found.stderr
    (row,) = rows_of(found)
    assert (row["engine"], row["verdict"]) == ("onthefly", "holds")
    found = run("bench", *check, "--engine", "demand")
    assert (found.exit_code, found.stdout) == (2, "")
    assert "engine demand checks models, not programs" in found.stderr


def test_what_was_measured_before_an_error_is_told(run, app):
    Path("ring.py").write_text(RING)
    wanted = ("--check", "AG !use", "--repeat", "1", "--csv", "runs.csv")
    found = run("bench", app, "ring.py:Ring", *wanted)
    assert found.exit_code == 2
    assert found.stdout.startswith("app.rsm\n\nformula ")
    assert "the program raised ValueError: too far" in found.stderr
    assert "demand" in Path("runs.csv").read_text()


def test_parts_are_read_as_the_only_method_takes_them(run):
    files = [str(EXAMPLES / f"tank.{each}") for each in ("parts", "ctl")]
    wanted = ("bench", files[0], "-f", files[1], "--repeat", "1")
    found = run(*wanted, "--engine", "predicates", "--json", "-")
    assert found.exit_code == 0, found.stderr
    assert [row["verdict"] for row in rows_of(found)] == ["holds", "fails"]
    assert "error[P213]" in run(*wanted).stderr
