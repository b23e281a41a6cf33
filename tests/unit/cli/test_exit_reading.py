"""When users are told that a verdict depends on what follows the exit of a module."""

from pathlib import Path

import pytest

from pigro.formats import smv
from pigro.session.exit_reading import exit_note

CALLS = """
MODULE main
VAR s : {a, b, c};
DEFINE p := s in {a, EXIT}; q := s = c;
CALL f := s = b;
ASSIGN init(s) := a; next(s) := case s = a : b; s = b : c; TRUE : EXIT; esac;
MODULE f
VAR s : {t};
DEFINE r := s = t;
ASSIGN init(s) := t; next(s) := EXIT;
"""
NO_CALLS = "MODULE main VAR s : {a}; DEFINE p := s = EXIT; ASSIGN next(s) := EXIT;"
DIFFERENT = [
    "E [{p}^w]",
    "AF AG p",
    "AG EF p",
    "EG p",
    "EF (p & EX p)",
    "A [G F p]",
    "E [F G s = EXIT]",
    "nu Z. p",
]
ALIKE = ["AF p", "EF q", "A [!p U q]", "AG (q -> AX p)", "EX r", "AF s = EXIT", "A [F (p & F q)]"]


@pytest.fixture
def told(run):
    def warnings(text, *formulas):
        Path("model.smv").write_text(text)
        found = run("check", "model.smv", *formulas)
        assert found.exit_code in (0, 1), found.stderr
        return [each for each in found.stderr.splitlines() if each.startswith("warning")]

    return warnings


@pytest.mark.parametrize("formula", DIFFERENT)
def test_a_verdict_that_may_depend_on_the_reading_has_a_warning(told, formula):
    [note] = told(CALLS, formula)
    assert "may depend on the semantics" in note
    assert told(CALLS, formula, "--semantics", "rmv") == []  # the user chose it
    assert told(NO_CALLS, formula.replace("q", "p")) == []


@pytest.mark.parametrize("formula", ALIKE)
def test_other_verdicts_have_none(told, formula):
    assert told(CALLS, formula) == []


def test_formulas_of_the_file_start_in_their_modules(told):
    spec = "SPEC AG EF s = EXIT\n"
    assert told(CALLS + "SPEC AF r\n") == []
    [note] = told(CALLS + spec + spec)
    assert "(and 1 more)" in note
    callee = told(CALLS.replace("CALL f := s = b;", "CALL f := s = b; SPEC AG EF r"))
    assert callee == []  # no exit of main carries r


def test_broken_rules_of_rmv_are_no_warning(told):
    assert told(CALLS.replace("q := s = c", "q := s = b"), "AF p") == []


def test_a_module_that_is_never_left_has_no_note():
    document = smv.SmvDocument(CALLS.replace("TRUE : EXIT", "TRUE : c").encode())
    model = document.model()
    assert exit_note(model, [(document.formula("AG EF p"), model.initial)]) is None


def test_the_example_of_the_docs_has_no_warning(told):
    page = Path(__file__).parents[3] / "docs" / "formats" / "smv.md"
    text = page.read_text().split("<!-- file: elevator.smv -->\n```text\n")[1].split("```")[0]
    assert told(text) == []
