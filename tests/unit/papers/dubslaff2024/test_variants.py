"""Variants of the published algorithms: improved, as printed, and as the authors' tool has them."""

from dataclasses import replace

import pytest

import pigro
from pigro.engines import with_options
from pigro.engines.native import DEMAND
from pigro.formats import rsm_json
from pigro.limits import Budget
from pigro.logic import parse, read_formulas
from pigro.papers.dubslaff2024 import EAGER, LAZY, RANDOM, TERNARY, Variant
from pigro.papers.dubslaff2024.expansion import ExpansionSearch
from pigro.papers.dubslaff2024.initialize import give_root_context, initialize
from pigro.papers.dubslaff2024.interpretation import CheckRequest
from pigro.papers.dubslaff2024.refine import refine
from pigro.papers.dubslaff2024.shape import bits, shape_of
from pigro.papers.dubslaff2024.trace import StepNotes
from pigro.papers.dubslaff2024.variant.printed import expand

from oracle.formula import to_text
from oracle.generate import random_case
from oracle.notation import machine_from
from support.agreement.ctl import as_model
from support.samples.shared_files import java

ENGINES = {engine.name: engine for engine in (EAGER, LAZY, TERNARY, RANDOM)}
PUBLISHED = {  # [Dubslaff2024], Table 1: contexts of ternary and lazy
    "dataflow": (1, 1),
    "avroraReg": (27, 2),
    "avroraMedTest": (28, 4),
    "avroraELF": (1, 1),
    "fop2pdf": (60, 6),
    "dom2pdf": (240, 1),
}


def program(name):
    model = rsm_json.read(java(name, ".rsm"), semantics="rsmcheck")
    return model, read_formulas(java(name, "_single_usedef.ctl"))[0][1]


@pytest.mark.parametrize("name", PUBLISHED)
def test_the_tool_builds_exactly_as_many_contexts_as_published(name):
    model, formula = program(name)
    built = [
        replace(engine, variant=Variant.TOOL)(model, formula).stats.contexts
        for engine in (TERNARY, LAZY)
    ]
    assert tuple(built) == PUBLISHED[name]


PRINTED = {  # eager, ternary and lazy, as printed
    "dataflow": (5, 1, 1),
    "avroraReg": (471, 80, 15),
    "avroraMedTest": (263, 140, 37),
    "avroraELF": (429, 1, 1),
}


@pytest.mark.parametrize("name", PRINTED)
def test_the_printed_algorithms_build_more_than_the_tool(name):
    model, formula = program(name)
    verdicts = [
        replace(engine, variant=Variant.PRINTED)(model, formula)
        for engine in (EAGER, TERNARY, LAZY)
    ]
    assert tuple(each.stats.contexts for each in verdicts) == PRINTED[name]
    assert {each.holds for each in verdicts} == {name != "dataflow"}


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_the_printed_algorithms_are_right(engine):
    printed = replace(engine, variant=Variant.PRINTED)
    for seed in range(400):
        case = random_case(seed)
        model, formula = as_model(case.machine), parse(to_text(case.formula))
        verdict = printed(model, formula)
        assert (verdict.holds, verdict.remarks.caveat) == (DEMAND(model, formula).holds, None), seed


@pytest.mark.parametrize("engine", ENGINES.values(), ids=ENGINES)
def test_the_tool_says_when_it_has_no_grounds(engine):
    tool, wrong = replace(engine, variant=Variant.TOOL), 0
    for seed in range(400):
        case = random_case(seed)
        model, formula = as_model(case.machine), parse(to_text(case.formula))
        verdict = tool(model, formula)
        if verdict.holds is not DEMAND(model, formula).holds:
            assert verdict.remarks.caveat is not None or verdict.remarks.gave_up is not None, seed
            wrong += verdict.holds is not None
    assert (wrong > 0) is (engine is not EAGER)


def figure_3():
    return pigro.load("examples/choices.rsm")


UNTIL = parse("AX E [white U grey]")


def last_search(formula):
    """The search of LazyCheck' in the running example that finds no more box."""
    question = CheckRequest.of(shape_of(figure_3()), formula)
    instances = initialize(question, Budget(), StepNotes(), Variant.PRINTED)
    give_root_context(instances, question.existential)
    refine(instances)
    search = ExpansionSearch(instances)
    while (box := search.next_box()) is not None:
        expand(instances, box)
        refine(instances)
    return instances, search


def test_example_12_a_complete_heuristic_must_build_a_useless_context():
    """b1 knows E [white U grey] at its return nodes. No verdict hangs on it."""
    verdict = replace(TERNARY, variant=Variant.PRINTED, trace=True)(figure_3(), UNTIL)
    boxes = [step.box for step in verdict.details.steps if step.action == "contextualize"]
    assert boxes[0] == "b1"
    assert verdict.stats.contexts == 2
    assert verdict.holds is False


def test_example_13_a_search_that_comes_back_finds_the_cycle():
    """D has the nodes of the example. Before, b1 comes to call the root: no context is built.

    The example reads at n4 that the formula fails. Alg. 1 asks the context of an exit only.
    """
    instances, search = last_search(UNTIL)
    model = instances.question.shape.model
    (nodes,) = search.cycles().values()
    names = {
        model.node_name(instance.body.nodes[node])
        for instance, found in nodes.items()
        for node in bits(found)
    }
    assert names == {"A1:b2.n3", "A2:n3", "A2:n6", "A1:b2.n6", "A1:n2"}
    verdict = replace(LAZY, variant=Variant.PRINTED, trace=True)(figure_3(), UNTIL)
    assert [step.action for step in verdict.details.steps] == [
        "initialize",
        "contextualize",
        "resolve",
    ]
    assert not verdict.details.steps[1].built
    assert verdict.details.steps[2].nodes == ("A2:n6",)
    assert (verdict.stats.contexts, verdict.holds) == (1, False)


def test_line_19_stops_at_the_first_false_initial_node():
    model = as_model(
        machine_from(
            """
main >no >yes goal:q
  box one = callee
  box two = callee
  no -> no
  yes -> one.in
  one.x -> two.in
  two.x -> goal
  goal -> goal
callee >in x>
  in -> x
"""
        )
    )
    model = model.with_initial(
        node for node in range(model.core.nodes) if model.node_name(node) in ("main:no", "main:yes")
    )
    verdicts = {
        variant: replace(LAZY, variant=variant)(model, parse("EF q"))
        for variant in (Variant.IMPROVED, Variant.PRINTED)
    }
    known = {variant: len(verdict.starts) for variant, verdict in verdicts.items()}
    assert known == {Variant.IMPROVED: 2, Variant.PRINTED: 1}
    assert {verdict.holds for verdict in verdicts.values()} == {False}


def test_the_default_is_improved():
    assert {engine.variant for engine in ENGINES.values()} == {Variant.IMPROVED}


def test_other_engines_have_no_variant():
    with pytest.raises(pigro.UsageError) as error:
        with_options(DEMAND, variant="printed")
    assert error.value.code == "P006"
