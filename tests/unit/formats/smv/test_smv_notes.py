"""What is told about a file: dead ends, COMPUTE, and COMPASSION in CTL."""

import warnings

import pytest

import pigro
from pigro.formats import smv

DEAD = "MODULE main VAR x : 0..3; {more} TRANS next(x) = x + 1; INIT x = 0; SPEC EF x = 2"
MANY = "FROZENVAR a : array 1..20 of boolean; INIT " + " & ".join(f"!a[{i}]" for i in range(1, 21))
STRONG = (
    "MODULE main VAR x : {a, b}; ASSIGN init(x) := a; next(x) := {a, b}; COMPASSION (x = a, x = b) "
)


def notes(text):
    return smv.SmvDocument(text.encode()).notes()


def test_a_dead_end_is_told_with_its_state():
    (note,) = notes(DEAD.format(more=""))
    assert note.startswith("in module `main`, state 3 has no successor")


def test_several_dead_ends_are_counted():
    (note,) = notes(DEAD.format(more="b : boolean;"))
    assert "state 3,FALSE (and 1 more) has no successor" in note


def test_no_note_without_dead_ends():
    assert notes("MODULE main VAR x : 0..3; TRANS next(x) = x | next(x) = 0; SPEC EF x = 2") == []


def test_a_dead_end_is_told_when_the_search_sees_it(tmp_path):
    path = tmp_path / "dead.smv"
    path.write_text(DEAD.format(more=MANY).replace("SPEC EF x = 2", "LTLSPEC F x = 3"))
    assert notes(path.read_text()) == []  # nothing is listed
    model = smv.read(path.read_bytes())
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        pigro.check_all(model, ["F X FALSE"])
    texts = [str(each.message) for each in told]
    assert any("has no successor" in each and "state 3," in each for each in texts), texts


def test_a_value_outside_of_a_type_has_variable_value_and_line():
    text = "MODULE main VAR x : 0..3;\nASSIGN init(x) := 0;\n  next(x) := x + 1;"
    with pytest.raises(pigro.InputError) as caught:
        smv.SmvDocument(text.encode()).model()
    assert caught.value.code == "P126"
    assert caught.value.position.line == 3
    assert "`x` gets the value 4 after 3" in caught.value.message


def test_compute_is_told():
    text = "MODULE main VAR x : 0..3;\nCOMPUTE MIN [x = 0, x = 1]\nCOMPUTE MAX [x = 0, x = 1];"
    (note,) = notes(text)
    assert note == "COMPUTE in line 2 (and 1 more) asks for a number and is not computed"


def verdicts(text):
    document = smv.SmvDocument(text.encode())
    model = document.model()
    formulas = [each.formula for each in document.requirements(model)]
    again = [document.resolved(each) for each in formulas]
    assert again == formulas
    return [each.holds for each in pigro.check_all(model, formulas)]


@pytest.mark.parametrize("justice", ["", "JUSTICE TRUE ", "TRANS x = x "])
def test_compassion_counts_in_ltl_only(justice):
    text = STRONG + justice + "SPEC AG AF x = b; LTLSPEC G F x = b; SPEC E [x = a U x = b]"
    assert verdicts(text) == [False, True, True]  # as NuSMV says
    (note,) = notes(text)
    assert note.startswith("COMPASSION does not count in CTL, as in NuSMV")
    assert notes(STRONG + "LTLSPEC G F x = b") == []
