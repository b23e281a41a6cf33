"""Models that are made for measuring: the same everywhere, and as large and recursive as they say."""

import pytest

from benchmarks.generators.call_graphs import grow
from benchmarks.generators.models import EITHER, FORMULAS, NESTED, call_graph, permutations
from benchmarks.generators.modules import control_flow, procedures
from pigro.engines import ENGINES
from pigro.formats import smv
from pigro.logic import parse


def test_programs_have_about_as_many_nodes_as_asked_for():
    found = call_graph(4_000).statistics
    assert (found.components, found.nodes, found.edges, found.boxes) == (100, 4144, 5881, 553)
    assert (found.recursive_components, found.unreachable_components) == (97, 0)
    assert found.most_exits == 3


@pytest.mark.parametrize("exits", [1, 16])
def test_all_components_have_the_exits_asked_for(exits):
    found = call_graph(2_000, exits=(exits, exits)).statistics
    assert (found.exits, found.most_exits) == (exits * found.components, exits)


def test_another_seed_makes_another_program():
    sizes = {grow(2_000, seed, (1, 3)).statistics.edges for seed in (1, 1, 2)}
    assert len(sizes) == 2


@pytest.mark.parametrize("engine", ["demand", "lazy"])
def test_verdicts_on_programs_are_as_told(engine):
    model = call_graph(400)
    for text, word in FORMULAS.items():
        assert ENGINES[engine](model, parse(text)).outcome == word, text
    for text in NESTED.values():
        assert ENGINES[engine](model, parse(text)).outcome == "fails", text


def test_permutations_need_many_contexts():
    found = [ENGINES["demand"](permutations(exits), parse(EITHER)).stats for exits in (4, 8, 12)]
    assert [each.contexts for each in found] == [30, 174, 1898]


def test_a_module_has_the_states_and_formulas_asked_for():
    document = smv.SmvDocument(control_flow(200, 90, 60).encode())
    model = document.model()
    assert model.statistics.nodes == 200
    assert len(document.requirements(model)) == 90


def test_modules_with_calls_have_one_entry_and_one_exit_and_all_are_reached():
    document = smv.SmvDocument(procedures(20, formulas=7).encode())
    model = document.model()
    found = model.statistics
    assert (found.components, found.entries, found.exits, found.most_exits) == (20, 20, 20, 1)
    assert (found.recursive_components, found.unreachable_components) == (11, 0)
    assert len(document.requirements(model)) == 7
