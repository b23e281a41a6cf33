"""Reports as JSON text that is safe to show."""

from __future__ import annotations

import json

import pytest

import pigro
from pigro.render.text import CheckReport


def written(name):
    model = pigro.kripke({name: [name]}, labels={}, initial=name)
    return CheckReport(model, form="json").render(list(pigro.check_all(model, ["AG true"])))


@pytest.mark.parametrize(
    "name",
    ["plain", "é漢字", "\x1b[31m", "\x7f", "\x9b", "\u202e", "\U000e0001", "\n", "\udcff", '"\\'],
    ids=ascii,
)
def test_names_come_back(name):
    data = written(name)
    assert json.loads(data)["model"]["initial"] == [f"kripke:{name}"]
    assert all(c.isprintable() or c == "\n" for c in data.decode())


def test_readable_where_it_can_be():
    assert "é漢字".encode() in written("é漢字")


def test_a_model_made_by_a_program_has_no_file():
    assert json.loads(written("a"))["model"]["file"] is None
