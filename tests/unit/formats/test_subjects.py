"""Every object that can be checked goes through every format that can hold it."""

from __future__ import annotations

import copy
import pickle
from pathlib import Path

import pytest

import pigro
from pigro import Composition, ModelError, PartBuilder, UsageError

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def plain_part(name="light"):
    made = PartBuilder(name, labels=["go", "never"]).state("red", initial=True).state("green", "go")
    return made.step("red", "green").step("green", "red").step("red", "red").build()


def vague_part():
    made = PartBuilder("vague", labels=["go"]).state("a", unknown=["go"], initial=True)
    return made.step("a", "a", must=False).build()


def acting_part():
    made = PartBuilder("acting", actions=["go"]).state("a", initial=True).step("a", "a", "go")
    return made.step("a", "a", "tau").build()


@pytest.mark.parametrize("make", [plain_part, vague_part, acting_part])
@pytest.mark.parametrize("name", ["some.parts", "no suffix"])
def test_a_part_is_saved_and_loaded(tmp_path, make, name):
    part = make()
    pigro.save(part, tmp_path / name)
    assert pigro.load(tmp_path / name) == Composition([part])
    assert copy.deepcopy(part) == pickle.loads(pickle.dumps(part)) == part


@pytest.mark.parametrize("name", ["handshake", "vending"])
def test_a_composition_is_saved_and_loaded(tmp_path, name):
    path = EXAMPLES / f"{name}.parts"
    composition = pigro.load(path)
    pigro.save(composition, tmp_path / "copy.parts")
    pigro.save(composition.parts, tmp_path / "list.parts")
    assert isinstance(composition, Composition)
    assert pigro.load(tmp_path / "copy.parts") == pigro.load(tmp_path / "list.parts") == composition
    assert copy.copy(composition) == pickle.loads(pickle.dumps(composition)) == composition


@pytest.mark.parametrize("suffix", ["rsm", "json", "pigro", "smv", "pds"])
def test_a_plain_part_is_a_model(tmp_path, suffix):
    """And a model without calls is a part."""
    part = plain_part()
    pigro.save(part, tmp_path / f"light.{suffix}")
    model = pigro.load(tmp_path / f"light.{suffix}")
    for formula, holds in (("AG EF go", True), ("AF go", False)):
        assert pigro.check(model, formula, engine="demand").holds is holds
        assert pigro.compose_check(part, formula).holds is holds
    if suffix != "pds":  # whose states have other names
        pigro.save(model, tmp_path / "again.parts")
        (again,) = pigro.load(tmp_path / "again.parts").parts
        assert (again.states, again.initial) == (part.states, part.initial)
        for formula in ("AG EF go", "AF go", "EF go", "AG (go -> AX !go)"):
            verdicts = [pigro.compose_check(each, formula).holds for each in (again, part)]
            assert verdicts[0] is verdicts[1]


@pytest.mark.parametrize(
    ("given", "why"),
    [
        ([plain_part("a"), plain_part("b")], "the composition has 2 parts"),
        (vague_part(), 'part "vague" has unknown labels, or steps that only may be there'),
        (acting_part(), 'part "acting" has actions'),
    ],
)
@pytest.mark.parametrize("suffix", ["rsm", "smv", "pds"])
def test_a_value_that_is_no_model_is_refused(tmp_path, given, why, suffix):
    with pytest.raises(ModelError, match="P215") as caught:
        pigro.save(given, tmp_path / f"x.{suffix}")
    assert caught.value.message == f"{why}, which a model can't have"
    assert not list(tmp_path.iterdir())


def test_a_model_with_calls_is_no_part(tmp_path):
    with pytest.raises(ModelError, match="P222"):
        pigro.save(pigro.load(EXAMPLES / "server.rsm"), tmp_path / "x.parts")


def test_choices_for_models_are_refused_for_parts():
    for choice in ({"dead_ends": "stop"}, {"semantics": "rsmcheck"}):
        with pytest.raises(UsageError, match="P006"):
            pigro.load(EXAMPLES / "handshake.parts", **choice)


def test_a_value_that_is_no_subject_is_refused(tmp_path):
    with pytest.raises(pigro.PigroError, match="P220"):
        pigro.save(7, tmp_path / "x.rsm")
