"""Small models and plans for batches."""

import pytest

import pigro


@pytest.fixture
def light(tmp_path, monkeypatch):
    """A model in the working folder, `light.rsm`."""
    monkeypatch.chdir(tmp_path)
    graph = {"red": ["green"], "green": ["yellow"], "yellow": ["red"]}
    model = pigro.kripke(graph, labels={"red": ["stop"], "green": ["go"]}, initial="red")
    pigro.save(model, "light.rsm")
    return "light.rsm"
