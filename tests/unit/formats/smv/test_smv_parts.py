"""Modules of `.smv` files as parts."""

from pathlib import Path

import pytest

from pigro import Composition, ModelError, UsageError, parse
from pigro.formats.parts import load_parts, together
from pigro.formats.smv.composing import parts_of_modules

EXAMPLES = Path(__file__).resolve().parents[4] / "examples"
MAIN = b"""\
MODULE main
VAR on : boolean; x : 0..2; mode : {a, b};
ASSIGN init(on) := FALSE; next(on) := !on;
  init(x) := {0, 1}; next(x) := x < 2 ? x + 1 : 0;
  mode := on ? a : b;
DEFINE high := x = 2; twice := x + x;
SPEC AG (x + 1 > 0 & on -> AX !on)
SPEC AF high
"""
SEVERAL = b"""\
MODULE left
VAR r : boolean;
MODULE right
VAR r : boolean; n : {1, 2};
SPEC EF n = 2
MODULE caller
VAR s : {go, here};
CALL left := s = go;
"""


def test_labels_are_truth_values_values_definitions_and_conditions_of_formulas():
    file = parts_of_modules(MAIN, source="dir/clock.smv")
    (part,) = file.parts
    assert part.name == "clock"
    assert part.atoms == (
        "on",
        *("x = 0", "x = 1", "x = 2"),
        *("mode = a", "mode = b"),
        "high",
        "x + 1 > 0",
    )
    assert part.states[:2] == ("FALSE,0,b", "FALSE,1,b")
    assert part.initial == (0, 1)
    assert part.labels_of(1) == ["x = 1", "mode = b", "x + 1 > 0"]
    assert len(part.states) == len(part.targets) == 6
    assert part.is_concrete
    assert [each.line for each in file.formulas] == [7, 8]
    assert file.formulas[1].formula == parse("AF high")
    assert str(file.formulas[0].formula) == 'AG ("x + 1 > 0" & on -> AX !on)'


def test_parts_are_main_or_all_modules_or_those_named():
    assert [
        part.name for part in parts_of_modules(SEVERAL[: SEVERAL.index(b"MODULE caller")]).parts
    ] == [
        "left",
        "right",
    ]
    left, right = parts_of_modules(SEVERAL, modules=["left", "right"]).parts
    assert left.atoms == ("r",)
    assert right.atoms == ("r", "n = 1", "n = 2", "right.n = 2")
    made = Composition([left, right])
    assert (made.joint, made.states) == (("r",), 4)


def test_formulas_are_those_of_the_chosen_modules():
    assert not parts_of_modules(SEVERAL, modules=["left"]).formulas
    (found,) = parts_of_modules(SEVERAL, modules=["right"]).formulas
    assert found.text == "EF n = 2"


def test_a_module_that_calls_is_no_part():
    with pytest.raises(ModelError) as found:
        parts_of_modules(SEVERAL, source="several.smv", modules=["caller"])
    assert found.value.code == "P222"
    assert (found.value.position.source, found.value.position.line) == ("several.smv", 8)


def test_a_module_that_is_not_there():
    with pytest.raises(UsageError) as found:
        parts_of_modules(SEVERAL, modules=["lefd"])
    assert found.value.code == "P009"
    assert '"left"' in found.value.hint


def test_a_type_with_too_many_values_is_refused():
    text = b"MODULE main VAR x : 0..1000000000; ASSIGN init(x) := 0; next(x) := 0;"
    with pytest.raises(ModelError) as found:
        parts_of_modules(text)
    assert found.value.code == "P213"


def test_the_examples_share_two_variables():
    sender, receiver = (str(EXAMPLES / f"{name}.smv") for name in ("sender", "receiver"))
    parts, formulas = together([load_parts(sender), load_parts(f"{receiver}:main")])
    made = Composition(parts)
    assert [part.name for part in parts] == ["sender", "receiver"]
    assert made.joint == ("message", "ack")
    assert made.states == 4
    assert not formulas


@pytest.mark.parametrize(
    "other, values",
    [("{a, c}", "a, c"), ("boolean", "FALSE, TRUE"), ("0..5", "0, 1, 2, 3 and more")],
)
def test_a_shared_variable_has_the_same_values_everywhere(other, values):
    def one(name, type_):
        return parts_of_modules(f"MODULE {name} VAR x : {type_};".encode())

    with pytest.raises(ModelError, match=f"its values differ: a, b and {values}") as caught:
        together([one("left", "{a, b}"), one("right", other)])
    assert caught.value.code == "P220"
    parts, _ = together([one("left", "{a, b}"), one("right", "{b, a}")])
    assert Composition(parts).states == 2
