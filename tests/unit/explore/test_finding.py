"""The search field: what it finds, in which order, and that it is the same as by hand."""

from __future__ import annotations

import pytest

import pigro
from pigro.explore.call_map import CallMap
from pigro.explore.finding import ModelFinder, NameIndex
from pigro.generate import ModelShape, random_model

NAMES = ["log", "Log in", "dialog", "", "straße", "STRASSE 2", "a\nlog", "é", "x" * 1000, "log"]


@pytest.mark.parametrize(
    "text", ["log", "LOG", "strasse", "ss", "é", "x", "x" * 1001, "in", "", "\n"]
)
def test_names_that_contain_a_text(text):
    wanted = text.casefold()
    found = list(NameIndex(NAMES).matching(wanted))
    assert len(found) == len(set(found))
    by_hand = {at for at, name in enumerate(NAMES) if wanted in name.casefold()}
    assert set(found) == (by_hand if wanted.strip() else set())


def test_the_same_come_first_and_then_beginnings():
    names = ["catalog", "logger", "log", "a log", "LOG"]
    assert list(NameIndex(names).matching("log")) == [2, 4, 1, 0, 3]


def test_matches_end():
    """Of very many names that match, some are found, each once."""
    found = list(NameIndex(["n"] * 100_000).matching("n"))
    assert len(found) == len(set(found)) == 5000


@pytest.fixture(scope="module")
def server():
    model = pigro.load("examples/server.rsm")
    return ModelFinder(model, CallMap.of(model))


@pytest.mark.parametrize(
    "text, expected",
    [
        ("log", [("component", "log")]),
        ("SERVE:RE", [("node", "serve:reply"), ("node", "serve:refused")]),
        ("main:re", []),
        ("answer", [("label", "serve:reply")]),
        ("reply", [("node", "serve:reply")]),
        ("nothing", []),
    ],
)
def test_components_nodes_and_labels(server, text, expected):
    assert [(each["kind"], each["name"]) for each in server.find(text)] == expected


def test_nodes_are_those_of_the_model():
    model = random_model(ModelShape(components=6, boxes=2, nodes=9), 1)
    finder = ModelFinder(model, CallMap.of(model))
    for component in range(model.core.components):
        node = model.core.nodes_of(component)[0]
        found = finder.find(model.node_name(node))
        assert found[0]["node"] == node
        assert found[0]["name"] == model.node_name(node)
