"""EXIT in constraints and types."""

import pytest

import pigro
from pigro.formats import smv

HEAD = "MODULE main\nVAR s : {x, y}; t : {x, y}; b : boolean; n : 0..2;\nIVAR i : {x, y};\n"
ASKING = [
    ("TRANS s = x -> next(s) = EXIT", "s"),
    ("TRANS next(s) in {x, EXIT}", "s"),
    ("TRANS EXIT = next(s)", "s"),
    ("TRANS !(next(s) != EXIT)", "s"),
    ("TRANS next(s) = EXIT <-> s = x", "s"),
    ("TRANS next(s) = (b ? EXIT : x)", "s"),
    ("TRANS next(s) = case b : x; TRUE : EXIT; esac", "s"),
    ("TRANS case b : next(s) = EXIT; TRUE : next(s) = x; esac", "s"),
    ("TRANS b ? next(s) = EXIT : next(s) = x", "s"),
    ("TRANS next(n) + 1 = EXIT", "n"),
    ("TRANS next(b) = EXIT", "b"),
    ("TRANS count(next(s) = EXIT, b) = 1", "s"),
    ("TRANS i = EXIT", "i"),
    ("INIT s = EXIT", "s"),
    ("INIT s = x | s = EXIT", "s"),
    ("INVAR s in {x, EXIT}", "s"),
    ("DEFINE left := s = EXIT;\nTRANS s = x -> next(left)", "s"),
    ("DEFINE end := EXIT;\nTRANS next(s) = end", "s"),
    ("ASSIGN init(s) := EXIT;\nTRANS next(s) = EXIT", "s"),
    ("ASSIGN next(s) := EXIT;\nINIT s = EXIT", "s"),
    ("FROZENVAR f : {x, y};\nINVAR f = EXIT", "f"),
]
HARMLESS = [
    "TRANS next(s) != EXIT",
    "TRANS next(s) = EXIT -> s = x",
    "TRANS s = EXIT -> next(s) = x",
    "TRANS next(s) = (t = EXIT ? x : y)",
    "INVAR s = EXIT -> b",
    "INIT s != EXIT",
    "ASSIGN next(s) := {x, EXIT}; TRANS s = x -> next(s) = EXIT",
    "ASSIGN next(s) := {x, EXIT}; INVAR s = EXIT | b",
    "ASSIGN s := b ? x : EXIT; INVAR s = EXIT | b",
    "ASSIGN init(s) := {x, EXIT}; INIT s = EXIT",
    "JUSTICE s = EXIT",
]


@pytest.mark.parametrize(("section", "name"), ASKING)
def test_a_constraint_that_asks_for_exit_in_vain_is_refused(section, name):
    with pytest.raises(pigro.InputError) as caught:
        smv.read((HEAD + section).encode())
    assert caught.value.code == "P138"
    assert f"`{name}`" in caught.value.message
    assert caught.value.hint
    line = (HEAD + section).splitlines()[caught.value.position.line - 1]
    assert "EXIT" in line or line == "TRANS next(s) = end"


@pytest.mark.parametrize("section", HARMLESS)
def test_other_constraints_may_speak_of_exit(section):
    assert smv.SmvDocument((HEAD + section).encode()).components


def test_an_input_is_never_exit():
    with pytest.raises(pigro.InputError, match="P138: `i` is an input: inputs are never EXIT"):
        smv.read(b"MODULE main VAR s : boolean; IVAR i : {a, EXIT};")


def check(text, formula):
    document = smv.SmvDocument(text.encode())
    return pigro.check(document.model(), document.formula(formula)).holds


def test_a_free_variable_is_exit_if_its_type_lists_it():
    text = "MODULE main VAR s : {x, y, EXIT}; ASSIGN init(s) := x; TRANS s = x -> next(s) = EXIT;"
    assert check(text, "s = x & AX AG s = EXIT")
    free = "MODULE main VAR s : {x, EXIT};"
    assert smv.read(free.encode()).names.nodes == ("x", "EXIT")
    assert check(free, "s = x -> EX s = x & EX s = EXIT")
    assert len(smv.read(free.encode()).initial) == 2
    never = "MODULE main VAR s : {x, y}; DEFINE p := s = EXIT;"
    assert smv.read(never.encode()).names.nodes == ("x", "y")


CALLER = """
MODULE main VAR s : {a, b, c}; DEFINE done := s = c; CALL f := s = b;
ASSIGN init(s) := a; next(s) := case s = a : b; TRUE : c; esac;
SPEC AF done SPEC EX EX TRUE
MODULE f VAR t : {a, b}; ASSIGN init(t) := a; next(t) := {b, EXIT}; TRANS t != b;
"""


def test_runs_that_end_in_a_called_module_do_not_count():
    document = smv.SmvDocument(CALLER.encode())
    model = document.model()
    asked = [each.formula for each in document.requirements(model)]
    assert [pigro.check(model, each).holds for each in asked] == [True, True]
    stuck = smv.SmvDocument(CALLER.replace("{b, EXIT}", "b").encode())
    model = stuck.model()
    asked = [each.formula for each in stuck.requirements(model)]
    assert [pigro.check(model, each).holds for each in asked] == [True, True]  # no endless path
