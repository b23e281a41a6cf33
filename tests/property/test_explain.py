"""Explanations of a node are right, by both oracles.

PIGRO_EXPLAIN_CASES random machines, with a random formula and some of their nodes each. The context
oracle knows, for the same machine with one more label, whether some reachable state at the node has
a subformula, and the truth in the two states that are told where it depends. The unfolding oracle
lists states near the initial ones: no truth that it finds there may be denied.
"""

from dataclasses import replace
from random import Random

import pytest

from pigro.engines.explaining import explain_at
from pigro.engines.labelling import TruthAmongStates
from pigro.logic import parse
from pigro.logic.construct import subformulas

from oracle import contexts, unfold
from oracle.formula import to_text
from oracle.generate import PROFILES, random_case, random_formula
from oracle.machine import component_of
from support.agreement.ctl import as_model, to_oracle
from support.selection.cases import first_seed, number_of_cases

CASES = number_of_cases("PIGRO_EXPLAIN_CASES", 300)
FIRST = first_seed("PIGRO_EXPLAIN_SEED")
NODES = 2
DEPTH, STATES = 4, 100
HERE = ("atom", "HERE")


@pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")
@pytest.mark.parametrize("profile", PROFILES)
def test_explanations_agree_with_the_oracles(profile):
    seen = dict.fromkeys(TruthAmongStates, 0)
    for seed in range(FIRST, FIRST + CASES // len(PROFILES)):
        case = random_case(seed, profile)
        rng = Random(seed)
        for place in places(case.machine, rng):
            formula = ("and", case.formula, ("EX", random_formula(rng)))
            for truth in judge(case.machine, to_text(formula), place, f"case {seed}"):
                seen[truth] += 1
    print(profile, {str(truth): number for truth, number in seen.items()})
    assert seen.pop(TruthAmongStates.UNKNOWN) == 0, "there is no limit but that of the machine"
    assert CASES < 300 or all(seen.values())


def places(machine, rng):
    """Nodes as they come, and those met under most stacks near by: exits, whose next step is the
    caller's.
    """
    nodes = {(c.name, n.name): n.is_exit for c in machine.components for n in c.nodes}
    states = unfold.explore(machine, DEPTH, STATES).states
    met = {place: sum(is_at(machine, state, place) for state in states) for place in nodes}
    often = sorted(nodes, key=lambda place: (nodes[place], met[place]))[-NODES:]
    return dict.fromkeys([*often, *rng.sample(list(nodes), min(NODES, len(nodes)))])


def judge(machine, text, place, where):
    model = as_model(machine)
    node = model.find(":".join(place))
    asked = [to_oracle(str(each)) for each in subformulas(parse(text))]
    told = explain_at(model, text, node, most=len(asked))
    assert [to_oracle(str(each.formula)) for each in told] == asked
    exact = truths(machine, asked, place)
    root = contexts._decided(machine, asked)
    graph = unfold.explore(machine, DEPTH, STATES)
    there = [at for at, state in enumerate(graph.states) if is_at(machine, state, place)]
    for each, formula, expected in zip(told, asked, exact, strict=True):
        label = f"{where}, {each.formula} at {place}"
        assert each.truth is expected, label
        sure, may = unfold.evaluate(graph, formula)
        fit(each.truth, {at in sure for at in there if (at in sure) == (at in may)}, there, label)
        for state, truth in ((each.true_in, True), (each.false_in, False)):
            assert (state is not None) == (each.truth is TruthAmongStates.DEPENDS), label
            if state is not None:
                assert state.node == node, label
                assert truth in values(machine, model, root, formula, state), label
    return [each.truth for each in told]


def truths(machine, formulas, place):
    """By the context oracle, on the machine with one more label."""
    component, name = place
    marked = replace(
        machine,
        components=tuple(
            c
            if c.name != component
            else replace(
                c,
                nodes=tuple(
                    n if n.name != name else replace(n, labels=(*n.labels, "HERE")) for n in c.nodes
                ),
            )
            for c in machine.components
        ),
    )
    questions = [("AG", ("not", HERE))]
    for formula in formulas:
        questions += [
            ("AG", ("implies", HERE, ("not", formula))),
            ("AG", ("implies", HERE, formula)),
        ]
    unreachable, *rest = contexts.decide_many(marked, questions)
    if unreachable:
        return [TruthAmongStates.NOT_REACHABLE] * len(formulas)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    return [
        TruthAmongStates.FAILS
        if never
        else TruthAmongStates.HOLDS
        if always
        else TruthAmongStates.DEPENDS
        for never, always in pairs
    ]


def is_at(machine, state, place):
    stack, node = state
    here = component_of(machine, stack)
    if isinstance(node, tuple):  # rsmcheck: a call of an empty procedure
        box, node = node
        return (here.box[box].component, node) == place
    return (here.name, node) == place


def fit(truth, found, there, label):
    """Results of the unfolding do not contradict the explanation."""
    if there:
        assert truth is not TruthAmongStates.NOT_REACHABLE, label
    if True in found:
        assert truth in {TruthAmongStates.HOLDS, TruthAmongStates.DEPENDS}, label
    if False in found:
        assert truth in {TruthAmongStates.FAILS, TruthAmongStates.DEPENDS}, label


def values(machine, model, root, formula, state):
    """The truths in a state, by walking down the instances; in the reading of RSMCheck there may be
    two states that are written alike: at an exit, and at a call of an empty procedure.
    """
    names = [model.names.boxes[box] for box in state.stack]
    name = model.names.nodes[model.core.declared_of_node(state.node)]
    *outer, last = names or [None]
    caller = root
    for box in outer:
        caller = caller.callee[box]
    found = set()
    points = [(caller, ("return", (last, name))), (caller, ("call", (last, name)))]
    if last is None:
        points = [(root, ("node", name))]
    elif last in caller.callee:
        points.append((caller.callee[last], ("node", name)))
    for instance, point in points:
        if point in instance.body.number:
            found.add(instance.truth[formula] >> instance.body.number[point] & 1 == 1)
    assert machine.semantics == "rsmcheck" or len(found) == 1
    return found


@pytest.mark.parametrize("profile", PROFILES)
def test_one_more_label_changes_nothing_else(profile):
    for seed in range(FIRST, FIRST + CASES // len(PROFILES)):
        model = as_model(random_case(seed, profile).machine)
        here = model.core.declared_of_node(model.initial[0])
        more = model.with_labels({"HERE": [here]})
        assert more.core.parts(0)[:-2] == model.core.parts(0)[:-2]
        assert more.digest == model.digest
        assert list(more.label_ids) == [*model.label_ids, "HERE"]
        for label, number in model.label_ids.items():
            assert more.core.labelled(more.label_ids[label]) == model.core.labelled(number)
        assert more.core.labelled(more.label_ids["HERE"]) == [model.initial[0]]
        assert (more.initial, more.semantics) == (model.initial, model.semantics)
        assert (more.dead_ends, more.names) == (model.dead_ends, model.names)
