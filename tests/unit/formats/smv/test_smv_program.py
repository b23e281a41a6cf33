"""The language of NuSMV beyond one module: instances, processes, constraints, fairness, past."""

from __future__ import annotations

import warnings

import pytest

import pigro
from pigro.formats import smv


def verdicts(text: str) -> list[bool | None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        document = smv.SmvDocument(text.encode())
        model = document.model()
        return [pigro.check(model, each.formula).holds for each in document.requirements(model)]


def test_parameters_are_given_by_name():
    assert verdicts("""
        MODULE cell(carry) VAR value : boolean; DEFINE out := value & carry;
        ASSIGN init(value) := FALSE; next(value) := value xor carry;
        SPEC AG AF out
        MODULE main VAR a : cell(TRUE); b : cell(a.out); c : cell(b.out);
        SPEC AG !c.out
        SPEC EF (a.value & b.value & c.value)
    """) == [False, True, True, True, True]


def test_processes_interleave_and_running_is_fair():
    ring = """
        MODULE inverter(input) VAR output : boolean;
        ASSIGN init(output) := FALSE; next(output) := !input;
        {fair}
        MODULE main VAR a : process inverter(c.output); b : process inverter(a.output);
        c : process inverter(b.output);
        SPEC AG AF a.output & AG AF !a.output
    """
    assert verdicts(ring.format(fair="")) == [False]
    assert verdicts(ring.format(fair="FAIRNESS running")) == [True]


def test_inputs_frozen_variables_and_constraints():
    assert verdicts("""
        MODULE main
        FROZENVAR limit : 1..3; IVAR go : boolean; VAR x : 0..3;
        INIT x = 0
        TRANS next(x) = (go & x < limit ? x + 1 : x)
        INVAR limit != 2
        INVARSPEC x <= limit
        SPEC EF x = 1
        SPEC AG !(x = 2 & limit = 1)
        SPEC AF x = 1
    """) == [True, True, True, False]


def test_an_ltlspec_may_speak_of_inputs():
    text = "MODULE main IVAR go : boolean; VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := go;"
    assert verdicts(text + "LTLSPEC G (go <-> X x) LTLSPEC G !go") == [True, False]


def test_arrays_and_words():
    assert (
        verdicts("""
        MODULE main
        VAR a : array 0..2 of 0..2; i : 0..2; w : unsigned word[3]; s : signed word[2];
        DEFINE table := [2, 0, 1];
        ASSIGN init(i) := 0; next(i) := table[i]; init(w) := 0ud3_6; next(w) := w + 0ud3_1;
        init(s) := 0sd2_1; next(s) := -s;
        init(a[0]) := 0; init(a[1]) := 1; init(a[2]) := 2;
        next(a[0]) := a[i]; next(a[1]) := a[1]; next(a[2]) := a[2];
        SPEC AX i = 2
        SPEC AX AX (w = 0ud3_0)
        SPEC AX (s = -0sd2_1 & toint(s) = -1)
        SPEC AX AX a[0] = 2
        SPEC AG (w[2:1] = 0ud2_3 -> toint(w) >= 6)
        SPEC AG count(a[0] = 1, a[1] = 1, a[2] = 1) >= 1
    """)
        == [True] * 6
    )


def test_dead_ends_are_on_no_path():
    text = "MODULE main VAR x : 0..2; INIT x = 0 TRANS next(x) = x + 1 | (x = 0 & next(x) = 0) "
    assert verdicts(text + "SPEC AG x = 0 SPEC EF x = 1 LTLSPEC G x = 0 INVARSPEC x < 2") == [
        True,
        False,
        True,
        False,
    ]


def test_ctl_under_fairness_is_about_fair_paths():
    text = "MODULE main VAR b : boolean; ASSIGN init(b) := FALSE; "
    assert verdicts(text + "SPEC AF b SPEC EG !b") == [False, True]
    assert verdicts(text + "FAIRNESS b SPEC AF b SPEC EG !b INVARSPEC !b") == [True, False, False]


def test_compassion():
    text = """
        MODULE main VAR p : boolean; q : boolean; ASSIGN init(p) := FALSE; init(q) := FALSE;
        {} LTLSPEC G F p -> G F q
    """
    assert verdicts(text.format("")) == [False]
    assert verdicts(text.format("COMPASSION (p, q)")) == [True]


def test_the_past():
    assert verdicts("""
        MODULE main VAR x : 0..3; ASSIGN init(x) := 0; next(x) := (x + 1) mod 4;
        LTLSPEC G (x = 2 -> O x = 1)
        LTLSPEC G (x = 0 -> Y x = 3)
        LTLSPEC G (x = 0 -> Z x = 3)
        LTLSPEC G (x = 3 -> (x > 0 S x = 0))
        LTLSPEC G (x = 3 -> H x < 3)
        LTLSPEC F (x = 3 & Y Y x = 1)
        LTLSPEC G ((x = 0) T (x < 4))
    """) == [True, False, True, True, False, True, True]


def test_isa_and_definitions_for_other_instances():
    assert verdicts("""
        MODULE base VAR x : boolean; ASSIGN init(x) := FALSE;
        MODULE user ISA base ASSIGN next(x) := ack;
        MODULE main VAR u : user; DEFINE u.ack := !u.x;
        SPEC AX u.x
        SPEC AG (u.x -> AX !u.x)
    """) == [True, True]


@pytest.mark.parametrize("count", [20, 30, 60])
def test_near_answers_need_few_states(count):
    names = [f"b{i}" for i in range(count)]
    text = "MODULE main VAR " + " ".join(f"{each} : boolean;" for each in names)
    text += " ASSIGN " + " ".join(f"init({each}) := FALSE;" for each in names)
    document = smv.SmvDocument(text.encode())
    model = document.model()
    verdict = pigro.check(model, document.formula("E [F (b0 & X b1)]"))
    assert (verdict.holds, verdict.engine) == (True, "onthefly")
    assert verdict.stats.states < 200
    assert not model.is_listed, "nothing listed the states"


def test_states_are_listed_when_something_needs_them():
    text = "MODULE main VAR x : 0..99999; ASSIGN init(x) := 0; next(x) := x < 50 ? x + 1 : 0;"
    document = smv.SmvDocument(text.encode())
    model = document.model()
    assert repr(model) == "<StateSpace: 1 variable, states not listed>"
    assert pigro.check(model, document.formula("AG x <= 50")).holds
    assert model.listed().statistics.nodes == 51
    assert repr(model) == "<StateSpace: 1 variable, states not listed>", (
        "no answer depends on the list"
    )
    assert model.listed().is_listed
    assert pigro.check(model, document.formula("EF x = 50"), engine="demand").holds


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("MODULE a VAR x : b; MODULE b VAR y : a; MODULE main VAR z : a;", "P124"),
        ("MODULE main VAR x : array 0..999999999 of boolean;", "P128"),
        ("MODULE main VAR w : word[1000000];", "P122"),
        ("MODULE main VAR x : 0..999999999999999999 * 999999999999999999;", "P125"),
        ("MODULE main VAR x : 3..1;", "P125"),
        ("MODULE main VAR r : real;", "P122"),
        ("MODULE main VAR x : boolean; DEFINE d := e; e := d; SPEC d", "P124"),
        ("MODULE main VAR x : boolean; INIT x & !x SPEC x", "P126"),
        ("MODULE main IVAR i : boolean; VAR x : boolean; SPEC i", "P122"),
        ("MODULE main IVAR i : boolean; ASSIGN next(i) := TRUE;", "P125"),
        ("MODULE main FROZENVAR f : boolean; ASSIGN next(f) := TRUE;", "P125"),
        ("MODULE main VAR a : array 0..1 of boolean; SPEC a[2]", "P125"),
        ("MODULE main VAR w : word[3]; ASSIGN next(w) := 0ud4_1;", "P125"),
        ("MODULE m(x) MODULE main VAR y : m;", "P125"),
    ],
)
def test_refusals(text, code):
    with pytest.raises(pigro.PigroError) as caught:
        smv.requirements(text.encode())
    assert caught.value.code == code
    assert caught.value.position is not None


@pytest.mark.long
def test_instances_that_multiply_are_refused():
    levels = [f"MODULE m{i} VAR a : m{i + 1}; b : m{i + 1};" for i in range(40)]
    text = " ".join([*levels, "MODULE m40 VAR x : boolean;", "MODULE main VAR r : m0;"])
    with pytest.raises(pigro.InputError) as caught:
        smv.read(text.encode())
    assert caught.value.code == "P128"


ELEMENTS = {
    "an input of an instance, in fairness": """
        MODULE m VAR x : boolean; IVAR i : boolean;
        MODULE main VAR {0} : m; s : boolean; JUSTICE {0}.i SPEC AF s SPEC EG !s
        """,
    "a definition with the name of one inside": """
        MODULE m VAR x : boolean; DEFINE y := !x;
        MODULE main VAR {0} : m; DEFINE x := {0}.x; y := x & !{0}.y; SPEC x <-> !{0}.y SPEC EF y
        """,
    "names with dots after it": """
        MODULE n VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := TRUE;
        MODULE m VAR n : n; MODULE main VAR {0} : m; SPEC {0}.n.x SPEC AX {0}.n.x
        """,
    "a variable of another module that is called": """
        MODULE b VAR x : boolean; ASSIGN init(x) := FALSE; next(x) := EXIT;
        MODULE m VAR x : boolean; ASSIGN init(x) := TRUE; next(x) := x;
        MODULE main VAR {0} : m; b : boolean; CALL b := b;
        SPEC {0}.x
        """,
    "a step": """
        MODULE m VAR x : boolean; DEFINE y := !x;
        MODULE main VAR {0} : m; s : boolean; TRANS next({0}.y) = s; SPEC AG (s -> AX {0}.y)
        """,
}


@pytest.mark.parametrize("name", ELEMENTS)
def test_an_instance_that_is_an_element(name: str):
    """It means the same as an instance with a plain name."""
    text = ELEMENTS[name]
    found = verdicts(text.format("a[0]"))
    assert found == verdicts(text.format("a"))
    assert found


def test_definitions_that_depend_on_each_other_by_way_of_an_element():
    text = "MODULE m(p) DEFINE y := p.x; MODULE main VAR a[0] : m(self); DEFINE x := a[0].y; SPEC x"
    with pytest.raises(pigro.InputError, match="by way of itself") as caught:
        verdicts(text)
    assert caught.value.code == "P124"
