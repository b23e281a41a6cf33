"""Formulas that hold only because no reachable state satisfies their premise."""

from __future__ import annotations

import json
from itertools import product

import pytest

import pigro
from pigro.engines import ENGINES
from pigro.engines.vacuity import VacuityFinder
from pigro.generate import ModelShape, random_model
from pigro.limits import Budget, Limits
from pigro.logic import parse


@pytest.fixture(scope="module")
def model():
    """`main` calls `stuck`, which never returns, so `after` is in no run. So is `far`."""
    made = pigro.ModelBuilder()
    main = made.component("main")
    main.entry("start", labels=["open"])
    main.node("after", labels=["after"])
    main.node("far", labels=["far"])
    box = main.box("call", calls="stuck")
    main.edge("start", box.call("in"))
    main.edge(box.returned("out"), "after")
    main.edge("after", "after")
    main.edge("far", "far")
    stuck = made.component("stuck")
    stuck.entry("in", labels=["busy"])
    stuck.exit("out", labels=["out"])
    stuck.edge("in", "in")
    return made.build(initial="main:start")


VACUOUS = [
    "AG (far -> EF open)",
    "A [G (far -> F open)]",
    "AG (after -> out)",
    "AG (out -> busy)",
    "AG (open & busy -> AF out)",
    "AG (open -> busy -> AF out)",
    "AG (!open & !busy -> out)",
    "AG ((open <-> busy) -> out)",
    "AG (false -> out)",
    "AG (EX after -> out)",
]
OTHERS = [
    "AG (open -> busy | open)",
    "AG (busy | far -> !out)",
    "AG (EX busy -> open | busy)",
    "AG (open | !open -> !out)",
    "AG !far",
    "!EF (far & !open)",
    "AG (far -> open) & true",
    "AG (busy -> open)",
    "EF busy",
]


@pytest.mark.parametrize("text", VACUOUS + OTHERS)
def test_which_verdicts_are(model, text):
    assert pigro.check(model, text).remarks.vacuous is (text in VACUOUS)
    assert not pigro.check(model, text, vacuity=False).remarks.vacuous


@pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")
@pytest.mark.parametrize("seed", range(60))
def test_by_one_more_question(seed):
    """On models with several entries and exits, the answer is that of `EF`."""
    share = (0.05, 0.4)[seed % 2]
    shape = ModelShape(
        components=3, boxes=2, nodes=5, entries=share, exits=0.3, density=0.15,
        labels={"p": 0.2, "q": 0.2},
    )  # fmt: skip
    model = random_model(shape, seed)
    for premise in ("p", "p & q", "!p & q", "p <-> q", "p xor q", "p & EX q", "p | !q"):
        verdict = pigro.check(model, f"AG (({premise}) -> A [q U p] | true)")
        reached = ENGINES["exhaustive"](model, parse(f"EF ({premise})")).holds
        assert verdict.remarks.vacuous is not reached


def test_beyond_the_limits_nothing_is_said(model):
    [verdict] = pigro.check_all(model, [VACUOUS[0]], vacuity=False)
    assert VacuityFinder(Budget()).has(verdict)
    clock = iter(range(1000))
    over = Budget(Limits(1.0), clock=lambda: float(next(clock)))
    assert not VacuityFinder(over).has(verdict)


def test_many_called_entries_are_not_searched():
    """A byte for each node is enough, or nothing is said."""
    count = 1000
    made = pigro.ModelBuilder()
    main, wide = made.component("main"), made.component("wide")
    main.entry("start")
    for at in range(count):
        wide.entry(f"in{at}")
        for other in range(9):
            wide.node(f"n{at}_{other}")
    box = main.box("call", calls="wide")
    main.edge("start", *(box.call(f"in{at}") for at in range(count)))
    assert made.build(initial="main:start").core.visited([0]) == b""


def test_text_and_json(model, tmp_path, monkeypatch):
    from click.testing import CliRunner

    from pigro.cli.main import cli

    monkeypatch.chdir(tmp_path)
    pigro.save(model, "app.rsm")
    told = "1 formula holds only because no reachable state satisfies its premise: "
    for options, jobs in product(([], ["--witness"], ["--verify"], ["--timeout", "60s"]), "12"):
        asked = ["check", "app.rsm", "AG (far -> out)", "AG (open -> !out)", "--jobs", jobs]
        done = CliRunner().invoke(cli, [*asked, "--format", "json", *options])
        assert (done.exit_code, done.stderr) == (0, f"warning: {told}AG (far -> out)\n")
        whole = json.loads(done.stdout)
        assert [each.get("vacuous") for each in whole["results"]] == [True, None]
        assert whole["warnings"] == [f"{told}AG (far -> out)"]
    done = CliRunner().invoke(cli, [*asked, "--no-vacuity", "--format", "json"])
    assert (done.exit_code, done.stderr) == (0, "")
    assert "vacuous" not in done.stdout


def test_results_that_claim_it_are_judged(model, tmp_path, monkeypatch):
    from click.testing import CliRunner

    from pigro.cli.main import cli

    monkeypatch.chdir(tmp_path)
    pigro.save(model, "app.rsm")
    asked = ["check", "app.rsm", "AG (far -> out)", "AG (open -> !out)", "--witness"]
    done = CliRunner().invoke(cli, [*asked, "--format", "json", "--output", "r.json"])
    assert done.exit_code == 0
    assert CliRunner().invoke(cli, ["validate-witness", "app.rsm", "r.json"]).exit_code == 0
    whole = json.loads((tmp_path / "r.json").read_text())
    whole["results"][1]["vacuous"] = True
    (tmp_path / "r.json").write_text(json.dumps(whole))
    judged = CliRunner().invoke(cli, ["validate-witness", "app.rsm", "r.json"])
    assert judged.exit_code == 1
    assert "the premise of the formula is not shown to be false" in judged.stdout
