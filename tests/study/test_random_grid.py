"""The scalability experiment of [Dubslaff2024], section 7.2: models of ours, its formulas."""

from __future__ import annotations

import pytest

import pigro
from benchmarks.suite import StudyScope
from benchmarks.suites.grid import formula_edition, scope_formula
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model

from support.samples.shared_files import benchmark


def published():
    folder = benchmark("rsmcheck/random")
    files = sorted(folder.glob("*.ctl"), key=lambda file: int(file.stem))
    return [formula for file in files for _, formula in pigro.read_formulas(file.read_bytes())]


def test_the_parameters_are_the_published_ones():
    shape, formula = ModelShape.of_grid(30), FormulaShape.of_grid(30)
    assert dict(shape.labels) == {"a": 0.4, "b": 0.6, "c": 0.5}
    assert (shape.components, shape.boxes, shape.nodes) == (30, 10, 90)
    assert (shape.density, shape.entries, shape.exits) == (0.2, 0.05, 0.05)
    assert (formula.depth, formula.branching, formula.negation) == (3, 2, 0.5)


def test_the_suite_asks_the_published_formulas():
    files = benchmark("rsmcheck").parent
    asked = [scope_formula(StudyScope(files=files), size) for size in range(1, 51)]
    assert asked == published()
    assert scope_formula(StudyScope(), 9) != asked[8]
    editions = {formula_edition(StudyScope(files=files), size) for size in range(1, 51)}
    assert len(editions) == 49  # two of the 50 formulas are the same
    assert formula_edition(StudyScope(), 1) not in editions


def test_the_largest_model_with_all_formulas_of_the_experiment():
    formulas = published()
    assert len(formulas) == 50
    model = random_model(ModelShape.of_grid(50), seed=50)
    verdicts = pigro.check_all(model, formulas)
    assert {verdict.outcome for verdict in verdicts} == {"holds", "fails"}


@pytest.mark.parametrize("size", [1, 4, 7, 10])
def test_engines_agree_on_the_grid(size):
    model = random_model(ModelShape.of_grid(size), seed=size)
    formulas = [random_formula(FormulaShape.of_grid(j), seed=j) for j in range(1, 51)]
    demand, exhaustive = (
        [verdict.holds for verdict in pigro.check_all(model, formulas, engine=engine)]
        for engine in ("demand", "exhaustive")
    )
    assert demand == exhaustive
