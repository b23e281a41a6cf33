"""A formula means the same about a file, the model of it and the pickled model: on fair paths."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path

import pytest

import pigro
from pigro.engines import UnknownLabelWarning
from pigro.engines.explaining import explain_at
from pigro.formats import smv
from pigro.formats.smv.specs.fairness import over_fair_paths
from pigro.logic.files import reader

EXAMPLES = Path(__file__).resolve().parents[4] / "examples/smv"
FAIR = [
    each
    for each in sorted(EXAMPLES.glob("*.smv"))
    if any(word in each.read_text() for word in ("FAIRNESS", "JUSTICE", "COMPASSION"))
]
BIT = "MODULE main VAR b : boolean; x : 0..1; ASSIGN init(b) := FALSE; init(x) := 0; "
FILES = {
    "no fairness": BIT,
    "justice": BIT + "FAIRNESS b",
    "two": BIT + "JUSTICE b JUSTICE x = 1",
    "compassion": BIT + "FAIRNESS x = 1 COMPASSION (x = 1, b)",
    "dead ends": BIT + "TRANS x = 1 -> next(b)  TRANS !(x = 1 & b)  FAIRNESS b",
    "no fair path": BIT + "FAIRNESS FALSE",
}
FORMULAS = ("AF b", "EG !b", "AG EF b", "F b", "G F b", "b", "!b", "AF b & EX !b", "AF x = 1")
FORMULAS += ('AF "x = 1"', 'EG !"x=1"', 'A G E F ("x = 1" & b)', "A [F G b | F b]", "E [G F b]")


def ways(path: Path) -> list[object]:
    model = pigro.load(path)
    return [path, model, pickle.loads(pickle.dumps(pigro.load(path)))]


@pytest.mark.filterwarnings("ignore:.*has no successor")
@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_by_path_and_by_model(text, tmp_path):
    path = tmp_path / "file.smv"
    path.write_text(text)
    asked = ways(path)
    for formula in FORMULAS:
        found = [pigro.check(each, formula) for each in asked]
        assert len({(str(each.formula), each.holds) for each in found}) == 1, formula
    every = [[each.holds for each in pigro.check_all(way, FORMULAS)] for way in asked]
    assert every[0] == every[1] == every[2]


@pytest.mark.parametrize("path", FAIR, ids=lambda each: each.stem)
def test_examples(path):
    asked = [each.text for each in smv.SmvDocument(path.read_bytes()).requirements(None)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        every = [pigro.check_all(way, asked) for way in ways(path)]
    found = [[(str(each.formula), each.holds) for each in verdicts] for verdicts in every]
    assert found[0] == found[1] == found[2]
    assert all(str(each.formula) != text for each, text in zip(every[0], asked, strict=True))


def test_verdicts_on_a_model(tmp_path):
    path = tmp_path / "file.smv"
    path.write_text(FILES["justice"])
    model = pigro.load(path)
    assert pigro.check(model, "AF b").holds
    assert pigro.check(model, 'AF "b = TRUE"').holds
    assert not pigro.check(model, "EG !b").holds
    with pytest.warns(UnknownLabelWarning):
        assert pigro.check(model, "AF added").holds is False
    assert pigro.check(model.with_labels({"added": model.initial}), "AF(added)").holds


def test_a_formula_means_what_its_text_means(tmp_path):
    path = tmp_path / "file.smv"
    path.write_text(FILES["justice"])
    for each in (path, pigro.load(path)):
        assert pigro.check(each, pigro.parse("AF b")).holds
        verdict = pigro.check(each, "AF b")
        assert pigro.check(each, verdict.formula).formula == verdict.formula
        assert verdict.reason.endswith("(on fair paths)")


def test_states_and_subformulas_are_about_fair_paths(tmp_path):
    path = tmp_path / "file.smv"
    path.write_text(FILES["justice"])
    model = pigro.load(path)
    found = pigro.satisfying(model, "AF b")
    assert {str(truth) for _, truth in found.truths()} == {"holds"}
    assert str(found.formula) == "AF b"
    told = explain_at(model, "!EG !b")
    assert [(str(each.formula), str(each.truth)) for each in told][:2] == [
        ("!EG !b", "holds"),
        ("EG !b", "fails"),
    ]
    node = model.node_name(model.initial[0])
    assert str(explain_at(model, "AF b", node)[0].truth) == "holds"


def test_formulas_are_those_of_their_text():
    """Else evidence, which numbers subformulas, can't be read again."""
    fair = [("p",), ("q", "r"), ("r", "p")]
    for each in ("AG EF p", "EF p", "F p", "G F r"):
        formula = over_fair_paths(pigro.parse(each), fair, endless=False)
        assert pigro.parse(str(formula)) == formula


@pytest.mark.parametrize("text", FILES.values(), ids=FILES)
def test_fairness_is_said_once(text):
    document = smv.SmvDocument(text.encode())
    for each in FORMULAS:
        formula = reader(document)(each)
        assert reader(document)(str(formula)) == formula
    fair, endless = [("p",), ("q", "r")], True
    for each in ("AG EF p", "EF p", "F p", "E [p U A [X q]] | A [F p]", "A [F p]"):
        formula = over_fair_paths(pigro.parse(each), fair, endless=endless)
        assert formula != pigro.parse(each)
        assert over_fair_paths(formula, fair, endless=endless) == formula


@pytest.mark.parametrize("constraint", ["TRANS x", "FAIRNESS FALSE", "TRANS x FAIRNESS x"])
@pytest.mark.parametrize("spec", ["SPEC x", "LTLSPEC x", "LTLSPEC H x", "SPEC AX x", "LTLSPEC G x"])
def test_initial_states_without_a_fair_path_do_not_count_in_any_formula(constraint, spec):
    """NuSMV leaves them out in CTL and in LTL. The state with x = FALSE is one."""
    document = smv.SmvDocument(f"MODULE main VAR x : boolean; {constraint} {spec}".encode())
    model = document.model()
    (asked,) = document.requirements(model)
    assert pigro.check(model, asked.formula).holds
