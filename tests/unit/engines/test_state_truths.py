"""Truths at many nodes are those that `explain_at` and `satisfying` give, one node at a time."""

from __future__ import annotations

from itertools import pairwise

import pytest

import pigro
from pigro.engines.explaining import explain_at, truths_at, truths_under
from pigro.engines.labelling import TruthAmongStates, satisfying
from pigro.engines.recursion.evidence import shown_from
from pigro.evidence import holds_on
from pigro.evidence.states import EMPTY, Stack, State, Steps
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.limits import Budget
from pigro.logic import Op, parse
from pigro.logic.construct import part_of, subformulas
from pigro.logic.fragments import state_formulas

from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_EXPLORE_CASES", 30)
MODELS = ModelShape(components=3, boxes=2, nodes=5, density=0.3)
FORMULAS = FormulaShape(depth=2, operators=("EX", "EF", "EG", "EU", "AX", "AF", "AG", "AU"))


def declared(model, component):
    return [node for node in model.core.nodes_of(component) if model.core.box(node) < 0]


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(CASES))
def test_truths_of_random_models(seed):
    model, formula = random_model(MODELS, seed), random_formula(FORMULAS, seed)
    known = satisfying(model, formula)
    for component in range(model.core.components):
        nodes = declared(model, component)
        found = truths_at(model, formula, nodes, Budget())
        assert found == {node: known.truth(node) for node in nodes}
    [first] = {model.core.component(node) for node in model.initial}
    for stack in [(), *((box,) for box in model.core.boxes_of(first))]:
        if not known.states(stack):  # no run has this stack
            continue
        nodes = declared(model, model.core.callee(stack[-1]) if stack else first)
        found = truths_under(model, formula, Stack.of(stack), nodes, Budget())
        assert found == {node: (stack, node) in known for node in nodes}


@pytest.mark.parametrize("text", ["G F a", "E [F (a & X b)]", "A [G (a -> F b)] & !c"])
def test_truths_beyond_ctl(text):
    model = random_model(MODELS, 3)
    for component in range(model.core.components):
        nodes = declared(model, component)
        found = truths_at(model, text, nodes, Budget())
        assert found == {node: explain_at(model, text, node)[0].truth for node in nodes}


def test_several_initial_nodes():
    """A node that is reached from one of them only is reached."""
    after = {"a": ["a"], "b": ["c"], "c": ["c"], "d": ["d"]}
    model = pigro.kripke(after, labels={"c": ["p"]}, initial=["a", "b"])
    nodes = declared(model, 0)
    found = truths_at(model, "p", nodes, Budget())
    assert found == {node: explain_at(model, "p", node)[0].truth for node in nodes}
    assert [str(each) for each in found.values()].count("not reachable") == 1


def test_no_nodes():
    model = random_model(MODELS, 1)
    assert truths_under(model, "EF a", EMPTY, [], Budget()) == {}
    assert truths_at(model, "EF a", [], Budget()) == {}


def as_mu(formula):
    """The same formula in the mu-calculus."""
    steps = str(formula).replace("EX", "<>").replace("AX", "[]")
    return f"({steps}) & (<> true | [] false)"


def some_states(model, most=6):
    """States that runs reach, the first ones of a search in all directions."""
    found = {State(EMPTY, node): None for node in model.initial}
    for state in found.copy():
        pending = [state]
        while pending and len(found) < most:
            for after in Steps(model).next(pending.pop(0)):
                if after not in found and model.core.box(after.node) < 0:
                    found[after] = None
                    pending.append(after)
    return list(found)


@pytest.mark.random
@pytest.mark.parametrize("seed", seeds(CASES // 2))
def test_the_mu_calculus_says_the_same_as_ctl(seed):
    model, formula = random_model(MODELS, seed), random_formula(FORMULAS, seed)
    known, asked = satisfying(model, formula), as_mu(formula)
    for component in range(model.core.components):
        nodes = declared(model, component)
        found = truths_at(model, asked, nodes, Budget())
        assert found == {node: known.truth(node) for node in nodes}
        depends = [node for node in nodes if found[node] is TruthAmongStates.DEPENDS]
        for node in depends:
            [told, *_] = explain_at(model, asked, node)
            assert (told.true_in.stack, node) in known
            assert (told.false_in.stack, node) not in known
            assert told.true_in.node == told.false_in.node == node
    for stack, node in some_states(model):
        found = truths_under(model, asked, stack, [node], Budget())
        assert found == {node: (stack, node) in known}


MU = [
    "nu X. mu Y. <> (a & X | Y)",
    "nu X. mu Y. [] (a & X | Y)",
    "mu X. nu Y. [] (b & Y | X) | <> X",
    "mu X. nu Y. <> ((a | X) & <> Y) & [] (c | Y)",
]


@pytest.mark.parametrize("text", MU)
@pytest.mark.parametrize("seed", range(3))
def test_parts_of_the_mu_calculus_fit_together(text, seed):
    """In each state, a part is true if and only if its own parts say so there, or one step on."""
    model = random_model(MODELS, seed)
    parts = list(subformulas(parse(text)))
    for state in some_states(model, 4):
        after = [each for each in Steps(model).maximal_next(state) if model.core.box(each.node) < 0]
        if len(after) < len(Steps(model).maximal_next(state)):
            continue  # a call of an empty procedure is no declared node
        here = [true_in(model, part, state) for part in parts]
        for part, truth in zip(parts, here, strict=True):
            assert truth is local_truth(model, part, state, after)


def true_in(model, formula, state):
    [truth] = truths_under(model, formula, state.stack, [state.node], Budget()).values()
    return truth


def local_truth(model, part, state, after):
    """By the truth of the operands."""
    op = part.ops[-1]
    if op == Op.ATOM:
        return part.atoms[0] in model.labels_of(state.node)
    below = list(subformulas(part))[1:]
    if op in (Op.MU, Op.NU):
        return true_in(model, below[0], state)
    if op in (Op.DIAMOND, Op.BOX):
        found = [true_in(model, below[0], each) for each in after]
        return any(found) if op == Op.DIAMOND else all(found)
    left, right = ordered(part)
    found = [true_in(model, each, state) for each in (left, right)]
    return all(found) if op == Op.AND else any(found)


def ordered(part):
    """The two sides of & or |, which are closed."""
    root = len(part) - 1
    return part_of(part, part.left[root]), part_of(part, part.right[root])


@pytest.mark.parametrize("text", ["G F a", "F (a & X b)", "E [G F b]", "E [F (a & X !b) & G F c]"])
@pytest.mark.parametrize("seed", range(6))
def test_runs_from_states_under_calls(text, seed):
    """Each run begins in the state, is one of the model, and shows what the verdict says."""
    model, formula = random_model(MODELS, seed).about(("a", "b", "c")), parse(text)
    if not state_formulas(formula)[-1]:
        formula = pigro.parse(f"A [{text}]")
    for state in some_states(model, 8):
        if not state.stack:
            continue
        truth = true_in(model, formula, state)
        shown = shown_from(model, formula, state, Budget())
        assert shown.truth is truth
        assert shown.kind == ("run" if truth is (formula.ops[-1] == Op.E) else "claim")
        if shown.path is not None:
            assert shown.path.states[0] == state
            assert_run(model, shown.path)
            assert holds_on(model, formula, len(formula) - 1, shown.path) is truth


def assert_run(model, path):
    steps, states = Steps(model), list(path.states)
    if path.ends == "loop":
        states.append(states[path.start])
    if path.ends == "pump":  # a second round, on top of the first one
        low = states[path.start].stack.depth
        more = tuple(states[-1].stack)[low:]
        for each in path.states[path.start + 1 :]:
            boxes = [*tuple(each.stack)[:low], *more, *tuple(each.stack)[low:]]
            states.append(State(Stack.of(boxes), each.node))
    for before, after in pairwise(states):
        assert after in steps.maximal_next(before)
