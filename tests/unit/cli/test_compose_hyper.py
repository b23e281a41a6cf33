"""Hyper-steps on the command line: `.parts` files, every method, evidence, and `--hyper`."""

import json
from pathlib import Path

import pytest

TEA = """\
part machine
  labels coin, ready, tea
  state waiting  {}            initial
  state paid     { coin }
  state brewing  { ready, tea }
  state heating  { ready }
  waiting -> waiting, paid
  paid    -> brewing | heating
  heating -> brewing
  brewing -> waiting
part customer
  labels coin, ready
  state thirsty  {}        initial
  state paying   { coin }
  state drinking { ready }
  thirsty  -> thirsty, paying
  paying   -> drinking
  drinking -> drinking, thirsty
"""
FORKED = """\
part one
  labels p, q
  state a {} initial
  state b {} initial
  state c { p, q }
  state d { q }
  state e {}
  a -> c
  b -> d
  c -> e
  d -> e
check <> (p & <> true | !p & <> true)
"""


@pytest.fixture
def tea(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tea.parts").write_text(TEA)
    (tmp_path / "may.parts").write_text(TEA.replace("-> brewing |", "~> brewing,"))
    (tmp_path / "forked.parts").write_text(FORKED)
    return "tea.parts"


@pytest.mark.parametrize("method", ["concrete", "full"])
def test_verdicts(run, tea, method):
    checks = ("--check", "AG (coin -> EX ready)", "--check", "AG (coin -> EX tea)")
    told = run("compose", tea, *checks, "--method", method).stdout
    assert [line.split()[0] for line in told.splitlines() if "AG" in line] == ["holds", "unknown"]
    told = run("compose", "may.parts", *checks, "--method", method).stdout
    assert [line.split()[0] for line in told.splitlines() if "AG" in line] == ["unknown", "unknown"]


def test_runs(run, tea):
    told = run(
        "compose", tea, "--check", "A [G (coin -> X ready)]", "--check", "A [G (coin -> X tea)]"
    )
    assert "holds    A [G (coin -> X ready)]" in told.stdout
    assert "unknown  A [G (coin -> X tea)]" in told.stdout


def test_evidence_shows_a_hyper_step(run, tea):
    check = ("--check", "AG (coin -> EX ready)", "--witness")
    told = run("compose", tea, *check).stdout
    assert (
        "machine=paid, customer=paying: <> ready holds, by the step to machine=brewing, "
        "customer=drinking or machine=heating, customer=drinking, where ready is true\n"
    ) in told
    result = run("compose", tea, *check, "--format", "json", "--output", "why.json")
    assert result.exit_code == 0
    assert run("validate-witness", tea, "why.json").exit_code == 0
    assert run("validate-witness", "may.parts", "why.json").exit_code == 1


def test_the_symbolic_method_refuses(run, tea):
    pytest.importorskip("dd")
    result = run("compose", tea, "--check", "EF tea", "--method", "symbolic")
    assert result.exit_code == 2
    assert 'error[P409]: part "machine" has hyper-steps' in result.stderr


def test_refines(run, tea):
    assert run("compose", "--refines", "may.parts", tea).exit_code == 0
    assert run("compose", "--refines", tea, tea).exit_code == 0
    result = run("compose", "--refines", tea, "may.parts")
    assert result.exit_code == 1
    assert (
        "the abstract step to machine=brewing, customer=drinking or machine=heating"
        in result.stdout
    )
    (*_, last) = json.loads(
        run("compose", "--refines", tea, "may.parts", "--format", "json").stdout
    )["game"]
    assert last["others"] == [["heating", "drinking"]]


def test_a_choice_in_a_game(run, tea, tmp_path):
    """The concrete side answers by a hyper-step, one of whose targets is no answer."""
    more = TEA.replace("part customer", "  state spoilt { ready }\n  paid ~> spoilt\npart customer")
    (tmp_path / "abstract.parts").write_text(more)
    (tmp_path / "spoilt.parts").write_text(more.replace("brewing | heating", "brewing | spoilt"))
    result = run("compose", "--refines", "abstract.parts", "spoilt.parts")
    assert result.exit_code == 1
    assert "the concrete hyper-step can lead to machine=spoilt, customer=drinking" in result.stdout


def test_refinement_with_and_without(run, tea):
    """Without hyper-steps the block of both initial states is split."""
    ways = {}
    for option in ("--hyper", "--no-hyper"):
        result = run("compose", "forked.parts", "--method", "refine", option, "--format", "json")
        (told,) = json.loads(result.stdout)["results"]
        assert told["verdict"] == "holds"
        ways[option] = told["rounds"][-1]["blocks"]
    assert ways == {"--hyper": [4], "--no-hyper": [5]}


def test_an_assumption_keeps_hyper_steps(run, tea):
    result = run("compose", "forked.parts", "--method", "refine", "--save-assumption", "far.parts")
    assert result.exit_code == 0
    assert " | " in Path("far.parts").read_text(encoding="utf-8")
    assert run("compose", "far.parts").exit_code == 0
    assert run("compose", "--refines", "far.parts", "forked.parts").exit_code == 0


def test_the_option_is_for_methods_that_refine(run, tea):
    result = run("compose", tea, "--check", "EF tea", "--no-hyper")
    assert result.exit_code == 2
    assert "method concrete has no --no-hyper" in result.stderr
