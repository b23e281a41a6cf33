"""Ways of writing that NuSMV's grammar has, beyond those of the manual's examples."""

import random

import pytest

import pigro
from pigro.formats import smv
from pigro.formats.smv.compiler import ExpressionCompiler


def verdicts(text):
    document = smv.SmvDocument(text.encode())
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
    "elements that are defined by others": (
        "MODULE main VAR v : boolean; DEFINE d[0] := !d[-1]; d[-1] := v; e[0][1] := d[0]; "
        "e[0][0] := e[0][1]; all := d; SPEC AG (d[0] <-> !v) SPEC AG (e[0][0] <-> all[0])",
        [True, True],
    ),
    "elements that are defined by others in instances": (
        "MODULE s(p) DEFINE q[0] := p; q[1] := !self.q[0]; "
        "MODULE main VAR v : boolean; m : s(b[0]); DEFINE b[0] := v; b[1] := !m.q[1]; "
        "TRANS next(b[1]) = !b[1] SPEC AG (b[1] <-> v) SPEC AG (v -> AX !v)",
        [True, True],
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
        smv.requirements(
            f"MODULE main VAR x : boolean; a : array 0..1 of 0..1; SPEC {condition}".encode()
        )
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
        smv.requirements(f"MODULE main VAR {declared}".encode())
    assert caught.value.code == code
    assert message in caught.value.message


CIRCLES = {
    "the whole array": "d[1] := d;",
    "the whole array in an expression": "d[1] := v & d;",
    "the whole array of two dimensions": "d[1][0] := d;",
    "a row": "d[1][0] := d[1];",
    "the element": "d[1] := !d[1];",
    "another element": "d[1] := d[2]; d[2] := d[1];",
    "an element by an index that may vary": "d[1] := d[i]; d[2] := v;",
    "another definition": "d[1] := e; e := d;",
    "another array": "d[1] := !e[0]; e[0] := d;",
    "an array literal": "d[1] := e[0]; e := [v, d];",
    "a parameter": "d[1] := m.e;",
    "an instance": "d[1] := self.d;",
}


@pytest.mark.parametrize("circle", CIRCLES)
@pytest.mark.parametrize("used", ["v", "d[1]", "next(d[1])"])
def test_an_element_that_is_defined_by_way_of_its_array(circle, used):
    with pytest.raises(pigro.InputError, match="defined by way of itself") as caught:
        smv.read(
            "MODULE n(p) DEFINE e := p; MODULE main VAR v : boolean; i : 1..2; m : n(d);\n"
            f"DEFINE {CIRCLES[circle]}\nINVAR TRUE TRANS {used} | TRUE SPEC EF v".encode()
        )
    assert caught.value.code == "P124"
    assert caught.value.position.line in (1, 2)  # where the definition or the argument stands


def test_elements_mean_the_same_as_names():
    """Definitions at random, once as elements of arrays and once with names of their own."""
    r = random.Random(7)
    for _ in range(100):
        size = r.randint(2, 6)
        lines, order = [], list(range(size))
        r.shuffle(order)
        for i, each in enumerate(order):
            known = [f"b[{other}]" for other in order[:i]] + ["v", "w"]
            left, right = r.choice(known), r.choice(known)
            lines.append(f"b[{each}] := {r.choice('! ')}({left} {r.choice('&|')} !{right});")
        r.shuffle(lines)
        specs = " ".join(f"SPEC AG b[{i}] SPEC EF (b[{i}] & EX !b[0])" for i in range(size))
        text = f"MODULE main VAR v : boolean; w : boolean; DEFINE {' '.join(lines)} "
        text += f"TRANS next(b[{order[0]}]) | b[{order[-1]}] {specs}"
        assert verdicts(text) == verdicts(text.replace("[", "_").replace("]", ""))


def test_a_long_chain_of_elements():
    chain = " ".join(f"c[{i}] := !c[{i - 1}];" for i in range(1, 400))
    text = f"MODULE main VAR v : boolean; DEFINE {chain} c[0] := v; SPEC AG (c[399] <-> !v)"
    assert verdicts(text) == [True]


def test_elements_are_compiled_one_by_one(monkeypatch):
    """The work grows with the uses, not with the uses times the size of the array."""
    calls, usual = [], ExpressionCompiler._entity

    def counted(*given):
        calls.append(1)
        return usual(*given)

    monkeypatch.setattr(ExpressionCompiler, "_entity", counted)
    lines = " ".join(f"b[{i}] := !v; c[{i}] := !b[{i}];" for i in range(300))
    smv.read(f"MODULE main VAR v : boolean; DEFINE {lines} SPEC AG c[1]".encode())
    assert 0 < len(calls) < 10 * 300


@pytest.mark.parametrize("wrong", ["x[0]", "x[0][1]", "x[2].y"])
def test_the_last_element_that_does_not_fit_is_shown(wrong):
    with pytest.raises(pigro.InputError) as caught:
        smv.read(f"MODULE main VAR x[0].y : boolean;\n  {wrong} : boolean;\n".encode())
    position = caught.value.position
    assert (position.line, position.column) == (2, 3)
