"""LTLSPEC about inputs: each operator, in any order, without a change to other formulas."""

from __future__ import annotations

import pytest

import pigro
from pigro.formats import smv

HEAD = """MODULE main
VAR x : boolean;
IVAR i : boolean; k : 0..2;
DEFINE d := i & x;
ASSIGN init(x) := FALSE; next(x) := i;
"""
SPECS = {
    "LTLSPEC i": False,
    "LTLSPEC F i": False,
    "LTLSPEC G (i <-> X x)": True,
    "LTLSPEC i S x": False,
    "LTLSPEC i T x": False,
    "LTLSPEC G ((i S x) -> O x)": True,
    "LTLSPEC G ((x S i) -> (i | X x | O x))": True,
    "LTLSPEC G ((i T x) -> x)": True,
    "LTLSPEC Z i": True,
    "LTLSPEC Y i": False,
    "LTLSPEC G (Y i <-> x)": True,
    "LTLSPEC G (Z i <-> (x | !(Y TRUE)))": True,
    "LTLSPEC G (O i <-> (i | O x))": True,
    "LTLSPEC G (H i -> (x | !(Y TRUE)))": True,
    "LTLSPEC G (O [1, 1] i <-> x)": True,
    "LTLSPEC G (H [0, 0] i <-> i) & G (O d -> O x)": True,
    "LTLSPEC G (d <-> (Y i & X x))": True,
    "LTLSPEC G (k = 1 -> X (k = 2 | x | TRUE))": True,
    "LTLSPEC G (k = 1)": False,
    "SPEC EX x & EX !x": True,
    "SPEC AG EX x": True,
    "SPEC AX x": False,
    "INVARSPEC x": False,
}


def verdicts(specs: list[str]) -> dict[str, bool | None]:
    document = smv.SmvDocument((HEAD + "\n".join(specs)).encode())
    model = document.model()
    asked = document.requirements(model)
    return dict(zip(specs, [pigro.check(model, each.formula).holds for each in asked], strict=True))


@pytest.mark.parametrize("spec", SPECS)
def test_each_operator_takes_inputs(spec):
    assert verdicts([spec]) == {spec: SPECS[spec]}


@pytest.mark.parametrize("first", ["SPEC EX x & EX !x", "LTLSPEC i S x", "LTLSPEC Y i"])
def test_formulas_mean_the_same_in_any_company(first):
    others = [each for each in SPECS if each != first][::4]
    for specs in ([first, *others], [*reversed(others), first]):
        assert verdicts(specs) == {each: SPECS[each] for each in specs}


def test_operators_without_memory_have_names_of_their_own():
    """`H [0, 0]` needs no variable."""
    spec = "LTLSPEC G (H (H [0, 0] x) <-> H x) & G (O (O [0, 0] x) <-> O x)"
    assert verdicts([spec]) == {spec: True}


def test_inputs_of_processes_and_instances():
    text = """MODULE main
VAR a : process m; b : process m;
MODULE m
VAR x : boolean;
IVAR i : boolean;
ASSIGN init(x) := FALSE; next(x) := i;
LTLSPEC G (running & i -> X x)
LTLSPEC G (i -> X x)
LTLSPEC G (X x -> (x S (running & i)))
SPEC EX x
"""
    document = smv.SmvDocument(text.encode())
    model = document.model()
    found = [pigro.check(model, each.formula).holds for each in document.requirements(model)]
    assert found == [True, False, True, True] * 2


def test_an_operator_on_paths_inside_of_a_comparison_is_refused():
    text = "MODULE main\nVAR x : boolean;\nIVAR i : boolean;\nLTLSPEC G (i > X x)\nSPEC AG TRUE\n"
    document = smv.SmvDocument(text.encode())
    assert [each.code for each in document.faults] == ["P125"]
    assert [each.line for each in document.stated(None)] == [5]
