"""Modules that call each other."""

import pytest

import pigro
from pigro.formats import smv

CALLEE = """
MODULE callee
VAR c : {c1, c2};
DEFINE in_callee := c != EXIT; out := c = EXIT;
ASSIGN init(c) := c1; next(c) := case c = c1 : c2; TRUE : EXIT; esac;
"""


def caller(steps, *, init="m1", define="", call="m2"):
    """A module over m1 to m5. `steps` such as "m1: m2"."""
    cases = " ".join(f"state = {each};" for each in steps.split("; "))
    return f"""
MODULE main
VAR state : {{m1, m2, m3, m4, m5}};
DEFINE done := state = m5; {define}
CALL callee := state in {{{call}}};
ASSIGN init(state) := {init};
next(state) := case {cases} esac;
{CALLEE}"""


STRAIGHT = "m1 : m2; m2 : m3; m3 : m5; m5 : m5"


def check(text, formula):
    document = smv.SmvDocument(text.encode())
    asked = document.formula(formula)
    return pigro.check(document.model(), asked).holds


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("EX in_callee", True),
        ("AX (in_callee & AX (in_callee & AX (out & AX (!out & AX done))))", True),
        ("A [!done U out]", True),
        ("main.state = m1 & AX callee.c = c1", True),
        ("state = m1 & AX !(state = m1)", True),
        ("AX AX AX (out & AX state = m3)", True),
        ("AG (in_callee -> !done)", True),
        ("AG (callee.c = c2 -> AX out)", True),
        ("state = m1 & AX state != m1", True),
        ("AG in_callee", False),
    ],
)
def test_a_call_is_its_entry_and_a_return_its_exit(formula, expected):
    assert check(caller(STRAIGHT), formula) is expected


def test_a_call_with_a_label_is_a_node_before_the_call():
    text = caller(STRAIGHT, define="busy := state = m2;")
    assert check(text, "AX (busy & AX (in_callee & !busy))") is True
    model = smv.read(text.encode())
    assert [model.node_name(n) for n in model.core.successors(model.initial[0])] == ["main:m2"]


def test_an_initial_call_is_a_node_before_the_call():
    text = caller(STRAIGHT.replace("m1 : m2; ", ""), init="m2")
    assert check(text, "!in_callee & state = m2 & AX in_callee & AF done") is True


def test_a_call_may_follow_a_call():
    text = caller("m1 : m2; m2 : m3; m3 : m5; m5 : m5", call="m2, m3")
    assert check(text, "AX AX AX (out & AX (in_callee & AX AX (out & AX done)))") is True
    assert check(text, "EG !done") is False


def test_a_call_may_have_several_successors():
    text = caller("m1 : m2; m2 : {m3, m4}; m3 : m3; m4 : m5; m5 : m5")
    assert check(text, "EF done & !AF done") is True


def test_a_module_that_never_exits():
    text = caller(STRAIGHT).replace("TRUE : EXIT", "TRUE : c2")
    assert check(text, "AG !done & AF callee.c = c2") is True
    assert smv.read(text.encode()).statistics.dead_ends == 0


def test_a_module_that_exits_at_once():
    text = caller(STRAIGHT).replace("init(c) := c1", "init(c) := EXIT")
    assert check(text, "AX (out & AX (state = m3 & AX done))") is True


def test_a_module_with_several_initial_states():
    text = caller(STRAIGHT).replace("init(c) := c1", "init(c) := {c1, c2}")
    assert check(text, "EX callee.c = c1 & EX callee.c = c2") is True


def test_a_module_has_the_calls_of_its_base():
    whole = caller(STRAIGHT)
    base = whole.replace("MODULE main", "MODULE main ISA base MODULE base")
    for text in (base, base.replace("ISA", "VAR w : other; ISA") + "MODULE other VAR o : boolean;"):
        assert (
            check(text, "AX (in_callee & AX (in_callee & AX (out & AX (!out & AX done))))") is True
        )


def test_empty_brackets_are_no_arguments():
    text = caller(STRAIGHT).replace("CALL callee", "CALL callee()")
    assert check(text, "AX in_callee") is True


def test_a_module_calls_for_its_instances():
    """What the hint of P137 says."""
    text = f"""
MODULE main VAR w : worker; CALL callee := w.t = b;
MODULE worker VAR t : {{a, b}}; DEFINE done := t = a; ASSIGN init(t) := a; next(t) := b;
{CALLEE}"""
    assert check(text, "AX in_callee & AX AX AX (out & AX in_callee)") is True


def test_recursion():
    text = """
MODULE main
VAR s : {a, b, c};
DEFINE deep := s = b; end := s = EXIT;
CALL main := s = c;
ASSIGN init(s) := a; next(s) := case s = a : {b, c}; TRUE : EXIT; esac;
SPEC EF deep SPEC AF deep SPEC AG (deep -> AF end) SPEC EG !deep
"""
    document = smv.SmvDocument(text.encode())
    model = document.model()
    asked = [each.formula for each in document.requirements(model)]
    assert [pigro.check(model, each).holds for each in asked] == [True, False, True, True]


def test_exit_of_one_variable_is_not_the_exit():
    text = """
MODULE main
VAR x : 0..2; y : 0..2;
DEFINE end := x = EXIT & y = EXIT; odd := x + y < 9; worse := x >= 0;
ASSIGN init(x) := 0; next(x) := x < 1 ? x + 1 : EXIT;
init(y) := 0; next(y) := y < 2 ? y + 1 : EXIT;
"""
    model = smv.read(text.encode())
    assert model.names.nodes == ("0,0", "1,1", "EXIT,2", "EXIT")
    assert (
        check(text, "AX AX (!end & x = EXIT & y = 2 & !odd & !worse & x + y = EXIT & AX AG end)")
        is True
    )
    assert model.statistics.exits == 1


def test_labels_are_shared_and_variables_are_not():
    text = caller(STRAIGHT, define="in_callee := state = m5;")
    assert check(text, "AF (in_callee & state = m5)") is True
    assert check(text, "EF (in_callee & callee.c = c1)") is True
    with pytest.raises(pigro.FormulaError) as caught:
        check(text, "EF c = c1")
    assert caught.value.code == "P123"
    with pytest.raises(pigro.FormulaError) as caught:
        check(text, "EF callee.c = state")
    assert caught.value.code == "P125"


def test_a_formula_about_calls_only_is_refused():
    with pytest.raises(pigro.FormulaError) as caught:
        check(caller(STRAIGHT), "EF state = m2")
    assert caught.value.code == "P127"
    assert "DEFINE" in caught.value.hint
    assert check(caller(STRAIGHT), "EF state in {m2, m3}") is True
