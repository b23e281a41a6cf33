"""The examples of [Dubslaff2024]. Examples 10, 12 and 13 are in test_trace.py and test_variants.py."""

from dataclasses import replace

import pytest

import pigro
from pigro.limits import Budget
from pigro.logic import parse
from pigro.papers.dubslaff2024 import EAGER, LAZY, RANDOM, TERNARY, Variant
from pigro.papers.dubslaff2024.contextualize import contextualize
from pigro.papers.dubslaff2024.initialize import give_root_context, initialize
from pigro.papers.dubslaff2024.interpretation import CheckRequest
from pigro.papers.dubslaff2024.refine import refine
from pigro.papers.dubslaff2024.shape import shape_of
from pigro.papers.dubslaff2024.trace import StepNotes

ENGINES = {engine.name: engine for engine in (EAGER, LAZY, TERNARY, RANDOM)}


def begun(formula, variant=Variant.PRINTED):
    """The first graph of instances of the running example, and its names of nodes."""
    question = CheckRequest.of(shape_of(pigro.load("examples/choices.rsm")), parse(formula))
    return initialize(question, Budget(), StepNotes(), variant)


def node(instance, instances, name):
    names = [instances.question.shape.model.node_name(each) for each in instance.body.nodes]
    return names.index(name)


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_examples_1_and_2_a_value_that_is_never_used(engine):
    model = pigro.load("examples/dataflow.rsm")
    assert engine(model, parse("AG (def_i -> EF use_i)")).holds is False


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_example_3_calls_without_end_are_a_witness(engine):
    assert engine(pigro.load("examples/choices.rsm"), parse("EG grey")).holds is True


def test_example_4_five_contexts_are_consistent():
    """Of 16 + 4: the truths of EF EG black and EG black at exits, under all stacks of some depths."""
    model = pigro.load("examples/choices.rsm")
    formulas = [pigro.satisfying(model, each) for each in ("EF EG black", "EG black")]

    def contexts(exits, *boxes):
        stacks = [["b1"] * depth + list(boxes) for depth in range(6)]
        return {
            tuple((stack, each) in formula for each in exits for formula in formulas)
            for stack in stacks
        }

    assert contexts(["A1:n4", "A1:n5"]) == {
        (True, False, False, False), (False, False, True, False), (True, True, False, False)
    }  # fmt: skip
    assert contexts(["A2:n6"], "b2") == {(True, False), (False, False)}


def test_example_5_a_node_can_be_unknown_without_a_context():
    instances = begun("EF EG black")
    refine(instances)
    last = len(instances.question.form) - 1
    found = {
        each.truth(last, node(each, instances, "A1:n5"))
        for each in instances.live
        if each not in instances.roots and each.body is instances.roots[0].body
    }
    assert found == {None}


def test_example_6_what_refine_finds_in_given_contexts():
    """The example writes (b1, n6) for (b2, n6), and says ff of values that it then takes as ??."""
    instances = begun("EF EG white")
    always, whole = instances.question.existential
    free = [each for each in instances.live if each not in instances.roots]
    a1, a2 = sorted(free, key=lambda each: each.body.component)
    a1.given_may[always] &= ~(1 << node(a1, instances, "A1:n4"))
    instances.note_context(always, a1)
    for formula in (always, whole):
        a2.given_sure[formula] |= 1 << node(a2, instances, "A2:n6")
        instances.note_context(formula, a2)
    refine(instances)
    names = instances.question.shape.model.node_name

    def told(formula, truths):
        return {
            names(at).partition(":")[2]
            for each in free
            for place, at in enumerate(each.body.nodes)
            if each.truth(formula, place) in truths
        }

    sure = {"n6", "n3", "b2.n3", "n2", "b2.n6"}
    assert told(always, [True]) == sure
    assert told(always, [True, None]) == {*sure, "n5"}
    assert told(whole, [True]) == {*sure, "n1", "b1.n1"}
    assert told(whole, [False]) == set()


def test_example_8_the_second_box_finds_the_context_of_the_first():
    instances = begun("EF black")
    formula = instances.question.existential[-1]
    give_root_context(instances, [formula])
    refine(instances)
    (root,) = instances.roots
    site = next(each for each in root.body.sites if each.callee == root.body.component)
    before = instances.contexts
    callee, built = contextualize(instances, root, site, [formula])
    assert built
    refine(instances)
    again, built = contextualize(instances, callee, site, [formula])
    assert (again is callee, built, instances.contexts) == (True, False, before + 1)


def test_example_9_the_initial_context_is_fully_known():
    instances = begun("EF EG black")
    give_root_context(instances, instances.question.existential)
    (root,) = instances.roots
    n4, n5 = (node(root, instances, name) for name in ("A1:n4", "A1:n5"))
    for formula in instances.question.existential:
        assert root.given_sure[formula] == root.given_may[formula]
        assert (root.given_sure[formula] >> n4 & 1, root.given_sure[formula] >> n5 & 1) == (1, 0)


@pytest.mark.parametrize("variant", [Variant.IMPROVED, Variant.PRINTED])
def test_example_11_what_has_no_say_is_not_looked_at(variant):
    formula = parse("EX grey | EX E [white U black]")
    verdict = replace(LAZY, variant=variant)(pigro.load("examples/choices.rsm"), formula)
    assert (verdict.holds, verdict.stats.contexts) == (True, 1)
