"""examples/smv: the line before each formula says its verdict."""

import re
import warnings
from pathlib import Path

import pytest

import pigro
from pigro.formats import smv

FILES = sorted((Path(__file__).resolve().parents[2] / "examples" / "smv").glob("*.smv"))


def test_there_are_many():
    assert len(FILES) >= 20


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_formulas_have_the_verdicts_that_their_comments_say(path):
    lines = path.read_text(encoding="utf-8").split("\n")
    document = smv.SmvDocument(path.read_bytes(), source=path.name)
    model = document.model()
    asked = [each for each in document.requirements(model) if not each.instance]
    assert asked
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for each in asked:
            said = re.fullmatch(r"-- (holds|fails)", lines[each.line - 2])
            assert said, f"{path.name}:{each.line}: no verdict in the line before it"
            assert pigro.check(model, each.formula).outcome == said[1], each.text
