"""The suite of other tools, with a RSMCheck of our own and, if it is there, the real pyModelChecking."""

from __future__ import annotations

import sys
import zipfile
from collections import Counter
from pathlib import Path

import pytest

import pigro
from benchmarks.case import Case
from benchmarks.drivers.peers import find_peers
from benchmarks.findings import ResultSet
from benchmarks.suite import StudyScope
from benchmarks.suites import SUITES
from benchmarks.suites.grid import grid_formula, grid_model
from benchmarks.suites.peers.questions import ASKED, in_their_words, question, structure
from benchmarks.worker import Worker
from pigro import check, parse
from pigro.engines import ENGINES, Limits
from pigro.formats import rsm_json

from support.processes.rsmcheck import (
    BREAKS_DOWN,
    EAGER_IS_WRONG,
    EATS_MEMORY,
    FALSE,
    HANGS,
    TRUE,
    fake_rsmcheck,
    scope_with,
)

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
PEERS = SUITES["peers"]
GRID = {"kind": "grid", "model": 5, "formula": 10}


def asked(runner, at=GRID):
    return Case.of("peers", runner, **at)


def test_places_and_runners(tmp_path):
    archive = tmp_path / "java" / "dataflow.zip"
    archive.parent.mkdir()
    with zipfile.ZipFile(archive, "w") as opened:
        opened.writestr("dataflow.rsm", "{}")
    peers = (("rsmcheck", "x@y"), ("pymodelchecking", "y"))
    for quick, kripke in ((True, 5 * 2 + 6 * 3 + 2), (False, 5 * 7 + 6 * 8 + 3)):
        cases = list(PEERS.cases(StudyScope(quick=quick, files=tmp_path, peers=peers)))
        counts = Counter((case["kind"], case.runner.split()[0]) for case in cases)
        grid = 5 * (3 if quick else 4)
        assert counts == {
            ("java", "pigro"): 8, ("java", "rsmcheck"): 8,
            ("grid", "pigro"): grid, ("grid", "rsmcheck"): 4 * grid,
            ("kripke", "pigro"): kripke, ("kripke", "pyModelChecking"): kripke,
        }  # fmt: skip
        assert len({case.key for case in cases}) == len(cases)


def test_the_example_of_the_documentation_is_one_of_them():
    scope = StudyScope(peers=(("rsmcheck", "x@y"),))
    at = next(case.at for case in PEERS.cases(scope) if case["kind"] == "java")
    model, formula = question(at, scope)
    example = pigro.load(EXAMPLES / "one-line-method.rsm")
    assert rsm_json.write(example) == model
    ((_, asked),) = pigro.read_formulas((EXAMPLES / "one-line-method.ctl").read_bytes())
    assert str(parse(formula.decode())) == str(asked)
    assert check(example, asked).holds is False
    assert check(pigro.load(EXAMPLES / "one-line-method.rsm", semantics="rsmcheck"), asked).holds


def test_who_does_not_take_part():
    assert list(PEERS.cases(StudyScope())) == []
    assert PEERS.skipped(StudyScope()) == [
        "RSMCheck: not given (--peer rsmcheck=FOLDER)",
        "pyModelChecking: not given (--peer pymodelchecking)",
    ]
    (line,) = PEERS.skipped(StudyScope(peers=(("rsmcheck", "x@y"), ("pymodelchecking", "y"))))
    assert line.endswith("no folder with their files (--files)")


def test_pigro_and_rsmcheck_decide(tmp_path, monkeypatch):
    scope = scope_with(fake_rsmcheck(tmp_path, monkeypatch, EAGER_IS_WRONG))
    expected = check(grid_model(5), grid_formula(10))
    ours = PEERS.run(asked("pigro"), scope)
    assert (ours.word, ours.contexts) == (expected.outcome, expected.stats.contexts)
    theirs = PEERS.run(asked("rsmcheck lazy"), scope)
    assert (theirs.word, theirs.contexts, theirs.seconds) == ("holds", 3, 0.5)
    eager = PEERS.run(asked("rsmcheck eager"), scope)
    assert eager.word == "fails"
    assert min(ours.peak_memory, theirs.peak_memory) > 5_000_000
    found = ResultSet(
        [(asked("pigro"), ours), (asked("rsmcheck lazy"), theirs), (asked("rsmcheck eager"), eager)]
    )
    tables = {table.name: table for table in PEERS.tables(found)}
    assert list(tables) == ["peers-verdicts", "peers-grid", "peers-ratios"]
    assert [row[-2:] for row in tables["peers-verdicts"].rows] == [("1", "0"), ("1", "0"), ("0", "1")]  # fmt: skip
    assert tables["peers-ratios"].rows[0][:3] == ("random models", "rsmcheck lazy / pigro", "1")
    assert PEERS.facts(found)["disagreements"] == "1"


@pytest.mark.parametrize(
    "behaviour, limits, word, problem",
    [
        (BREAKS_DOWN, Limits(20), "error", "ValueError: Something went wrong"),
        (HANGS, Limits(0.4), "timeout", "killed after 0.4 s"),
        (EATS_MEMORY, Limits(20, 60_000_000), "memout", "killed after "),
    ],
)
def test_rsmcheck_does_not_decide(tmp_path, monkeypatch, behaviour, limits, word, problem):
    scope = scope_with(fake_rsmcheck(tmp_path, monkeypatch, behaviour), limits)
    outcome = PEERS.run(asked("rsmcheck ternary"), scope)
    assert outcome.word == word
    assert outcome.problem.startswith(problem)
    assert outcome.peak_memory > 0
    tables = PEERS.tables(ResultSet([(asked("rsmcheck ternary"), outcome)]))
    assert all(table.text and table.markdown for table in tables)


def test_each_mode_has_its_options(tmp_path, monkeypatch):
    """They end up in the log of the fake, which lies beside the files of the question."""
    scope = scope_with(fake_rsmcheck(tmp_path, monkeypatch, TRUE))
    told = {}
    for mode in ("lazy", "ternary", "random", "eager"):
        PEERS.run(asked(f"rsmcheck {mode}"), scope)
        files, _ = PEERS._files.take(asked("pigro").at, pytest.fail)
        told[mode] = (
            (files.folder / "rsmcheck.log").read_text().splitlines()[0].split("approach")[1]
        )
    assert told == {
        "lazy": "",
        "ternary": " -expansion_heuristic all",
        "random": " -expansion_heuristic random",
        "eager": " -exhaustive",
    }


def test_temporary_files_go_with_the_worker(tmp_path, monkeypatch):
    scope = scope_with(fake_rsmcheck(tmp_path, monkeypatch, FALSE))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    before = set(tmp_path.iterdir())
    with Worker() as worker:
        outcome = worker.run(asked("rsmcheck random"), scope, lambda: None)
        (folder,) = set(tmp_path.iterdir()) - before
        assert len(list(folder.glob("*/model.rsm"))) == 1
    assert (outcome.word, outcome.problem) == ("fails", None)
    assert set(tmp_path.iterdir()) == before


def test_formulas_are_the_same_in_their_words():
    for size in range(1, 50):
        formula = grid_formula(size)
        assert parse(in_their_words(formula)) == formula
    formula = parse("AG (a -> AF (b & true)) | E [false R c]")
    assert parse(in_their_words(formula)) == formula


@pytest.mark.parametrize("text", [text for text, each in ASKED.items() if each.mu])
def test_formulas_are_the_same_in_the_mu_calculus(text):
    answers = set()
    for states in (1, 2, 3, 4, 6, 10):
        for seed in range(20):
            model = structure(states, seed)
            answer = ENGINES["onthefly"](model, parse(text)).holds
            assert ENGINES["game"](model, parse(ASKED[text].mu)).holds is answer
            answers.add(answer)
    assert answers == {True, False}


@pytest.fixture(scope="module")
def beside_package():
    pytest.importorskip("pyModelChecking", exc_type=ImportError)
    return StudyScope(peers=find_peers([f"pymodelchecking={sys.executable}"]), limits=Limits(20))


@pytest.mark.parametrize("formula", ["A(G((not p or E(F(q)))))", "E((p U q))", "A(G(F(p)))"])
def test_pymodelchecking_decides(beside_package, formula):
    at = {"kind": "kripke", "formula": formula, "states": 10, "structure": 0}
    expected = check(structure(10, 0), formula).outcome
    answers = [PEERS.run(asked(each, at), beside_package) for each in ("pigro", "pyModelChecking")]
    assert [each.word for each in answers] == [expected, expected]
    assert all(each.seconds and each.whole_seconds and each.peak_memory for each in answers)
    found = ResultSet((asked(who, at), each) for who, each in zip(("pigro", "pyModelChecking"), answers, strict=True))  # fmt: skip
    assert [table.name for table in PEERS.tables(found)] == [
        "peers-verdicts", "peers-kripke", "peers-ratios"
    ]  # fmt: skip


def test_questions_are_the_same_each_time():
    for at in (GRID, {"kind": "kripke", "formula": "A(F(p))", "states": 100, "structure": 0}):
        assert question(asked("", at).at, StudyScope()) == question(asked("", at).at, StudyScope())
