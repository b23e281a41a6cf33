"""The scalability experiment of [Dubslaff2024], section 7.2: models of ours, its formulas."""

from __future__ import annotations

import pytest

import pigro
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model

from shared_files import benchmark


def published():
    folder = benchmark("rsmcheck/random")
    files = sorted(folder.glob("*.ctl"), key=lambda file: int(file.stem))
    return [formula for file in files for _, formula in pigro.read_formulas(file.read_bytes())]


def test_the_largest_model_with_all_formulas_of_the_experiment():
    formulas = published()
    assert len(formulas) == 50
    model = random_model(ModelShape.of_grid(50), seed=50)
    verdicts = pigro.check_all(model, formulas)
    assert {verdict.word for verdict in verdicts} == {"holds", "fails"}


@pytest.mark.parametrize("size", [1, 4, 7, 10])
def test_engines_agree_on_the_grid(size):
    model = random_model(ModelShape.of_grid(size), seed=size)
    formulas = [random_formula(FormulaShape.of_grid(j), seed=j) for j in range(1, 51)]
    demand, exhaustive = (
        [verdict.holds for verdict in pigro.check_all(model, formulas, engine=engine)]
        for engine in ("demand", "exhaustive")
    )
    assert demand == exhaustive
