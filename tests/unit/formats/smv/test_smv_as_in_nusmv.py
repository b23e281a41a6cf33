"""Ways of writing that NuSMV's grammar has, beyond those of the manual's examples."""

import pytest

import pigro
from pigro.formats import smv


def verdicts(text):
    document = smv.Document(text.encode())
    model = document.model()
    asked = document.requirements(model)
    return [each.holds for each in pigro.check_all(model, [each.formula for each in asked])]


READ = {
    "elements one by one": (
        "MODULE main VAR x[0] : boolean; x[1] : 0..2; ASSIGN init(x[0]) := FALSE; "
        "next(x[0]) := x[1] = 2; x[1] := 2; SPEC !x[0] SPEC AX x[0] SPEC x[1] = 2",
        [True, True, True],
    ),
    "elements of two dimensions": (
        "MODULE main VAR m[0][-1] : 0..3; m[0][0] : 0..3; i : -1..0; ASSIGN m[0][-1] := 1; "
        "m[0][0] := 3; i := 0; SPEC m[0][i] = 3 SPEC m[0][i - 1] = 1",
        [True, True],
    ),
    "elements that are defined": (
        "MODULE main VAR i : 0..1; DEFINE d[0] := 5; d[1] := 6; SPEC AG d[i] = 5 + i",
        [True],
    ),
    "elements with dots": (
        "MODULE main VAR a.x[0] : boolean; b : boolean; ASSIGN a.x[0] := TRUE; SPEC a.x[0]",
        [True],
    ),
    "elements with parts": (
        "MODULE main VAR a[4].b : boolean; a[5].b : 0..3; a[5].c.d[2] : boolean; b : boolean; "
        "DEFINE d[0].e := a[5].b = 3; ASSIGN a[4].b := b; init(a[5].b) := 0; "
        "next(a[5].b) := a[5].b < 3 ? a[5].b + 1 : 0; a[5].c.d[2] := d[0].e; "
        "SPEC AG (a[4].b <-> b) SPEC AF a[5].c.d[2] SPEC AG d[0].e SPEC AG (d[0].e -> AX a[5].b = 0)",
        [True, True, False, True],
    ),
    "elements with parts in an instance": (
        "MODULE m VAR x : boolean; a[0].b : boolean; c[1].d : n; ASSIGN a[0].b := c[1].d.x; x := TRUE; "
        "MODULE n VAR x : boolean; MODULE main VAR k[0] : m; SPEC AG (k[0].a[0].b <-> k[0].c[1].d.x)",
        [True],
    ),
    "an instance and a constant with the same name": (
        "MODULE m VAR x : boolean; MODULE main VAR p : m; who : {p, q}; ASSIGN init(who) := p; "
        "SPEC who = p SPEC AG p.x",
        [True, False],
    ),
    "numbers with a sign": (
        "MODULE main VAR x : {-1, +2}; y : +0..+3; ASSIGN x := +2; y := x + +1; "
        "SPEC y = +3 SPEC A [y = +3 U x = +2]",
        [True, True],
    ),
    "empty sections": (
        "MODULE main VAR IVAR FROZENVAR VAR x : boolean; CONSTANTS ; DEFINE ASSIGN SPEC AG (x | !x)",
        [True],
    ),
    "names of formulas with dots": (
        "MODULE main VAR x : boolean; CTLSPEC NAME a.b := EF x",
        [True],
    ),
    "numbers of steps with a sign": (
        "MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4; "
        "SPEC EBF +0..+1 x = 1 SPEC EBF 0..+1 x = 2 SPEC A [x = 0 BU +0..+1 x = 1]",
        [True, False, True],
    ),
    "names whose parts are numbers": (
        "MODULE cell VAR y.0 : boolean; ASSIGN init(y.0) := TRUE; next(y.0) := !y.0; "
        "MODULE main VAR x.0 : boolean; x.12.a : 0..1; c : cell; "
        "ASSIGN init(x.0) := TRUE; next(x.0) := TRUE; "
        "CTLSPEC NAME a.0 := AG x.0 SPEC AG c.y.0 SPEC x.0 & EF x.12.a = 1",
        [True, False, True],
    ),
}


@pytest.mark.parametrize("name", READ)
def test_read(name):
    text, expected = READ[name]
    assert verdicts(text) == expected


REFUSED = {
    "READ(a, 0)": ("P122", "READ is not supported", "a[i]"),
    "WRITE(a, 0, 1) = a": ("P122", "WRITE is not supported", "each element"),
    "CONSTARRAY(a, 0) = a": ("P122", "CONSTARRAY is not supported", "each element"),
    "floor(1) = 1": ("P122", "floor is not supported", "whole numbers"),
    "1.5 > 1": ("P122", "real numbers are not supported", "whole numbers"),
    "+x = 1": ("P121", "expected an expression", ""),
    "EBF +0..+x x": ("P121", "expected a number of steps", ""),
    "x.1y": ("P121", "expected a name", ""),
    "x.0": ("P123", "`x.0`", ""),
}


@pytest.mark.parametrize("condition", REFUSED)
def test_refused_by_name(condition):
    code, message, hint = REFUSED[condition]
    with pytest.raises(pigro.InputError, match=message) as caught:
        smv.read(f"MODULE main VAR x : boolean; a : array 0..1 of 0..1; SPEC {condition}".encode())
    assert caught.value.code == code
    assert hint in (caught.value.hint or "")


DECLARED = {
    "x[0] : boolean; x[2] : boolean;": ("P123", "`x[1]` is not declared"),
    "x[0] : boolean; x[1000000000] : boolean;": ("P123", "`x[1]` is not declared"),
    "x[0] : boolean; x[0] : boolean;": ("P124", "defined already"),
    "x[0] : boolean; x[0][1] : boolean;": ("P124", "as a whole and by its elements"),
    "x : boolean; x[0] : boolean;": ("P124", "as a whole and by its elements"),
    "x" + "[0]" * 1000 + " : boolean;": ("P129", "indices"),
    "x" + "[0].y" * 1000 + " : boolean;": ("P129", "indices"),
    "x[0].y : boolean; x[0].y : boolean;": ("P124", "defined already"),
    "x[0].y : boolean; x[0] : boolean;": ("P124", "as a whole and by its elements"),
    "x[0].y : boolean; x[0][1] : boolean;": ("P124", "with indices, and others with names"),
    "x[0].y : boolean; x[2].y : boolean;": ("P123", "`x[1]` is not declared"),
    "x[0].y : boolean; SPEC x[0].z": ("P123", "`z` is not defined"),
    "x[0].y : boolean; SPEC x[0]": ("P125", "expected a value"),
    "x[0]. : boolean;": ("P121", "expected a name"),
}


@pytest.mark.parametrize("declared", DECLARED)
def test_elements_that_do_not_fit_together(declared):
    code, message = DECLARED[declared]
    with pytest.raises(pigro.InputError) as caught:
        smv.read(f"MODULE main VAR {declared}".encode())
    assert caught.value.code == code
    assert message in caught.value.message


@pytest.mark.parametrize("wrong", ["x[0]", "x[0][1]", "x[2].y"])
def test_the_last_element_that_does_not_fit_is_shown(wrong):
    with pytest.raises(pigro.InputError) as caught:
        smv.read(f"MODULE main VAR x[0].y : boolean;\n  {wrong} : boolean;\n".encode())
    position = caught.value.position
    assert (position.line, position.column) == (2, 3)
