"""Where there are many contexts, `demand` decides by functions of contexts: decision 0066."""

import pytest

from benchmarks.generators.models import EITHER, permutations
from pigro import ModelBuilder, _core
from pigro.engines.native import DEMAND, NativeEngine
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.limits import Budget, Limits
from pigro.logic import parse

FORWARD = NativeEngine("demand", _core.Engine.DEMAND_FORWARD)
FUNCTIONS = NativeEngine("demand", _core.Engine.DEMAND_FUNCTIONS)
FIRST_LOOK = 8192
"""Contexts before functions are tried."""
ASKED = [
    EITHER,
    "AG EF EG p",
    "EF EG p",
    "AG (EX EG p | EX EG !p)",
    "EF (EG p & EX !p)",
    "AG (p -> EX E [p U EG !p])",
]


@pytest.mark.parametrize("exits", [24, 40])
def test_permuted_exits_are_decided_with_few_contexts(exits):
    verdict = DEMAND(permutations(exits), parse(EITHER))
    assert verdict.holds is True
    assert FIRST_LOOK <= verdict.stats.contexts < 20 * FIRST_LOOK


@pytest.mark.parametrize("exits", [2, 5, 9])
@pytest.mark.parametrize("formula", ASKED)
def test_functions_say_what_contexts_say(exits, formula):
    model = permutations(exits)
    listed, by_functions = FORWARD(model, parse(formula)), FUNCTIONS(model, parse(formula))
    assert by_functions.holds is listed.holds
    assert by_functions.stats.contexts == 0


def test_few_contexts_are_listed():
    model = permutations(12)
    verdict, listed = DEMAND(model, parse(EITHER)), FORWARD(model, parse(EITHER))
    assert verdict.stats.contexts == listed.stats.contexts == 1898


def test_formulas_of_paths_are_not_decided_by_functions():
    model = permutations(4)
    formula = parse("AG E [G F p]")
    assert FUNCTIONS(model, formula).holds is FORWARD(model, formula).holds
    assert FUNCTIONS(model, formula).stats.contexts > 0


def test_too_many_exits_are_not_decided_by_functions():
    """Two operators with 3,000 exits would be more variables than diagrams may have."""
    model = permutations(3000)
    verdict = FUNCTIONS(model, parse("EF EG p"))
    assert verdict.holds is True
    assert verdict.stats.contexts > 0


def test_a_verdict_of_functions_stays_when_there_is_no_room_for_a_certificate():
    engine = NativeEngine("demand", _core.Engine.DEMAND, certify=True)
    budget = Budget(Limits(memory=_core.resident_memory() + 80 * 2**20))
    (verdict,) = engine.check_all(permutations(24), [parse(EITHER)], budget=budget)
    assert verdict.holds is True
    assert verdict.certificate is None


def test_certificates_list_contexts():
    engine = NativeEngine("demand", _core.Engine.DEMAND, certify=True)
    verdict = engine(permutations(15), parse(EITHER))
    assert verdict.holds is True
    assert verdict.stats.contexts > FIRST_LOOK
    assert verdict.certificate is not None


def test_on_models_with_many_contexts_functions_agree():
    """Random models whose boxes lead to many exits, and formulas nested two to four times."""
    shape = ModelShape(
        components=2, boxes=4, nodes=16, entries=0.1, exits=0.4, density=0.12, labels={"a": 0.5}
    )
    for seed in range(20):
        model = random_model(shape, seed)
        formulas = [
            random_formula(FormulaShape(depth=2 + i % 3), 1, 50 * seed + i) for i in range(5)
        ]
        listed = FORWARD.check_all(model, formulas)
        found = FUNCTIONS.check_all(model, formulas)
        assert [each.holds for each in found] == [each.holds for each in listed]


def test_work_on_edges_counts_in_an_attempt():
    """The successors of a node become known one after the other, and it looks at all of them each time."""
    exits, size = 16, 3000
    model = ModelBuilder()
    only = model.component("only")
    only.entry("in")
    for i in range(exits):
        only.exit(f"x{i}", labels=["p"] if i < exits // 2 else [])
    rotate, swap = only.box("rotate", calls="only"), only.box("swap", calls="only")
    only.edge("in", rotate.call("in"), swap.call("in"), *(f"x{i}" for i in range(exits)))
    for i in range(exits):
        only.edge(rotate.returned(f"x{i}"), f"x{(i + 1) % exits}")
        only.edge(swap.returned(f"x{i}"), f"x{1 - i if i < 2 else i}")
    hub = model.component("hub")
    hub.entry("start")
    hub.node("hub")
    for i in range(size):
        hub.node(f"c{i}", labels=["p"] if i == size - 1 else [])
    hub.edge("start", hub.box("call", calls="only").call("in"), "hub")
    hub.edge("hub", *(f"c{i}" for i in range(size)))
    for i in range(size - 1):
        hub.edge(f"c{i}", f"c{i + 1}")
    built = model.build(initial="hub:start")
    verdict, listed = DEMAND(built, parse(EITHER)), FORWARD(built, parse(EITHER))
    assert verdict.holds is listed.holds is True
    assert verdict.stats.contexts == listed.stats.contexts, "the attempt ended after its steps"
