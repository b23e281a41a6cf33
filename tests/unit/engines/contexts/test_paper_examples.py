"""The examples of [Dubslaff2024]; Examples 10, 12 and 13 are in test_trace.py and test_variants.py."""

from dataclasses import replace

import pytest

import pigro
from pigro.engines.contexts import EAGER, LAZY, RANDOM, TERNARY, Variant
from pigro.engines.contexts.contextualize import contextualize
from pigro.engines.contexts.initialize import give_root_context, initialize
from pigro.engines.contexts.interpretation import Question
from pigro.engines.contexts.refine import refine
from pigro.engines.contexts.shape import shape_of
from pigro.engines.contexts.trace import Trace
from pigro.limits import Budget
from pigro.logic import parse

ENGINES = {engine.name: engine for engine in (EAGER, LAZY, TERNARY, RANDOM)}


def begun(formula, variant=Variant.PRINTED):
    """The first graph of instances of the running example, and its names of nodes."""
    question = Question.of(shape_of(pigro.load("examples/choices.rsm")), parse(formula))
    return initialize(question, Budget(), Trace(), variant)


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
