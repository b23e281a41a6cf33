"""Formulas that remember what was written."""

import pickle

import pigro
from pigro.formats.smv.specs.fairness import over_fair_paths
from pigro.logic.printer import as_written, paths_of, text_as_written, written_of


def fair(text, **how):
    return over_fair_paths(pigro.parse(text), [("q",)], endless=False, **how)


def test_the_original_text_is_shown():
    formula = fair("AG (p -> EF r)")
    assert str(formula) == "A [G (p -> E [F r & G F q]) | F G !q]"
    assert as_written(formula) == pigro.parse("AG (p -> EF r)")
    assert paths_of(formula) == "fair"
    assert paths_of(over_fair_paths(pigro.parse("AG p"), [], endless=True)) == "endless"
    shown = {text_as_written(formula, node) for node in range(len(formula))}
    assert {"AG (p -> EF r)", "p -> EF r", "EF r", "F r", "r"} <= shown


def test_that_no_path_counts_is_a_part_of_its_own():
    formula = fair("EF p")
    assert text_as_written(formula) == "EF p"
    texts = [text_as_written(formula, node) for node in range(len(formula))]
    assert texts[-2:] == ["no path is fair", "EF p"]
    assert str(fair("EF p", anywhere=True)) == "E [F p & G F q]"


def test_pickles_remember_and_equality_does_not_care():
    formula = fair("AF p")
    again = pickle.loads(pickle.dumps(formula))
    assert again == formula == pigro.parse(str(formula))
    assert as_written(again) == pigro.parse("AF p")
    assert written_of(pigro.parse(str(formula))) is None
    assert as_written(pigro.parse("AF p")) == pigro.parse("AF p")
