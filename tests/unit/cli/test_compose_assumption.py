"""`pigro compose --save-assumption`: what is written decides the same when it is read again."""

from pathlib import Path
from random import Random

import pytest

import pigro
from pigro import Composition, PartBuilder, UsageError, compose_check
from pigro.logic import parse

from oracle.mu_formula import Shape, random_ctl, random_mu, text
from oracle.mu_structures import KRIPKE, names_in, random_lts, random_parts
from support.agreement.compositions import composition_of

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
HANDSHAKE = str(EXAMPLES / "handshake.parts")
FAILS = "AG (request -> busy)"


@pytest.mark.parametrize("method", ["refine", "refine-one"])
@pytest.mark.parametrize(("formula", "code"), [("EF busy", 0), (FAILS, 1)])
def test_written_files_decide_the_same(run, tmp_path, method, formula, code):
    file = tmp_path / "assumption.parts"
    options = ("--check", formula, "--method", method, "--save-assumption", str(file))
    assert run("compose", HANDSHAKE, *options).exit_code == code
    assert f"check {formula}" in file.read_text()
    again = run("compose", str(file))
    assert again.exit_code == code
    assert formula in again.output


def test_an_abstract_part_stands_for_the_part(run, tmp_path):
    file = tmp_path / "assumption.parts"
    run(
        "compose",
        HANDSHAKE,
        "--check",
        FAILS,
        "--method",
        "refine-one",
        "--save-assumption",
        str(file),
    )
    mixed = run("compose", f"{HANDSHAKE}:client", f"{file}:server", "--check", FAILS)
    assert mixed.exit_code == 1


@pytest.mark.parametrize(
    ("options", "told"),
    [
        (("--check", FAILS), "method concrete has no --save-assumption"),
        (("--method", "refine"), "an assumption is about one formula, and there are 4"),
    ],
)
def test_refused(run, tmp_path, options, told):
    file = tmp_path / "assumption.parts"
    result = run("compose", HANDSHAKE, *options, "--save-assumption", str(file))
    assert result.exit_code == 2
    assert told in result.stderr
    assert not file.exists()


def test_two_results_in_one_place(run):
    result = run(
        "compose", HANDSHAKE, "--check", FAILS, "--method", "refine", "--save-assumption", "-"
    )
    assert result.exit_code == 2
    assert result.stderr.count("results and assumption can't both go to standard output") == 1


def test_nothing_is_written_without_a_verdict(run, tmp_path):
    file = tmp_path / "assumption.parts"
    options = ("--check", FAILS, "--method", "refine", "--timeout", "1ms", "--memory", "1M")
    result = run("compose", HANDSHAKE, *options, "--save-assumption", str(file))
    assert result.exit_code in (2, 3)
    assert not file.exists()


def test_from_python(tmp_path):
    system = pigro.load(HANDSHAKE)
    verdict = compose_check(system, FAILS, method="refine", assumption=True)
    pigro.save(verdict.details.assumption, tmp_path / "a.parts")
    assert pigro.load(tmp_path / "a.parts") == verdict.details.assumption
    assert compose_check(system, FAILS, method="refine").details.assumption is None
    with pytest.raises(UsageError, match="method concrete has no assumption"):
        compose_check(system, FAILS, assumption=True)


def test_a_part_alone_is_saved(tmp_path):
    part = pigro.load(HANDSHAKE).parts[0]
    pigro.save(part, tmp_path / "part.parts")
    assert pigro.load(tmp_path / "part.parts").parts == (part,)


def test_a_block_that_is_named_as_a_state(tmp_path):
    """The block of a and b, and the state "a+1", which is a block of its own."""
    part = PartBuilder("one", labels=["p"])
    part.state("a", initial=True).state("b").state("a+1", "p")
    part.step("a", "b").step("b", "a+1").step("a+1", "a")
    other = PartBuilder("two", labels=["p"]).state("x", initial=True).state("y", "p")
    other.step("x", "x").step("x", "y").step("y", "x")
    system = Composition([part.build(), other.build()])
    verdict = compose_check(system, "!p", method="refine", assumption=True)
    assert sorted(verdict.details.assumption.parts[0].states) == ["a+1", "a+1'"]
    pigro.save(verdict.details.assumption, tmp_path / "a.parts")
    assert compose_check(pigro.load(tmp_path / "a.parts"), "!p").holds is verdict.holds


@pytest.mark.filterwarnings("ignore:.*seen by no part")
@pytest.mark.parametrize("seed", range(0, 120, 4))
def test_random_systems(seed, tmp_path):
    for each in range(seed, seed + 4):
        rng = Random(each)
        parts = (random_lts if each % 3 == 0 else random_parts)(rng, KRIPKE)
        atoms, actions = names_in(parts)
        formula = random_ctl(rng, atoms or ("p",), 5)
        if each % 2:
            formula = random_mu(rng, atoms or ("p",), 8, actions=actions, shape=Shape(ctl=0.1))
        asked, system = parse(text(formula)), composition_of(parts)
        dead_ends = "stop" if each % 5 == 0 else "stutter"
        method = "refine" if each % 4 else "refine-one"
        found = compose_check(system, asked, method=method, dead_ends=dead_ends, assumption=True)
        assert found.details.assumption is not None
        pigro.save(found.details.assumption, tmp_path / "a.parts")
        again = pigro.load(tmp_path / "a.parts")
        assert compose_check(again, asked, dead_ends=dead_ends).holds is found.holds is not None
