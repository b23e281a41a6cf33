"""`satisfying` says where a formula holds: compared with `explain_at`, and with oracles on stacks.

PIGRO_LABEL_CASES random machines with a random formula each. Some of their nodes are explained, and
random stacks are inlined: then the oracle of CTL knows the truth at all nodes under them. The
oracle of CTL* knows it under any stack.
"""

from dataclasses import replace
from random import Random

import pytest

from pigro.engines.explaining import explain_at
from pigro.engines.labelling import satisfying

from oracle import contexts
from oracle.formula import to_text
from oracle.generate import PROFILES, random_case
from oracle.inline import inline
from oracle.star_cases import star_case
from oracle.star_formula import closed
from oracle.star_formula import to_text as star_text
from oracle.star_pushdown import TooLarge, valuations
from support.agreement.ctl import as_model
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_LABEL_CASES", 300)
NODES, STACKS, DEEPEST = 3, 4, 6

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


@pytest.mark.parametrize("profile", [*PROFILES, "rmv"])
def test_labelling_agrees(profile):
    asked, true = 0, 0
    for seed in seeds(CASES // (len(PROFILES) + 1)):
        case = random_case(seed, None if profile == "rmv" else profile)
        machine = replace(case.machine, semantics="rmv") if profile == "rmv" else case.machine
        text = to_text(case.formula)
        model = as_model(machine)
        found = satisfying(model, text)
        rng = Random(seed)
        truths = list(found.truths())
        if profile != "rmv":  # there, a node and its twin are explained together
            for node, truth in rng.sample(truths, min(NODES, len(truths))):
                assert explain_at(model, text, node)[0].truth is truth, (seed, node)
        for stack in stacks(machine, rng):
            inlined = inline(machine, machine.initial_component, stack)
            [points] = contexts.true_points(inlined, [case.formula])
            for node in callee(machine, stack).nodes:
                expected = ("node", f"{len(stack)}/{node.name}") in points
                said = holds(found, stack, callee(machine, stack).name, node.name, machine)
                assert said is expected, (seed, stack, node.name)
                asked, true = asked + 1, true + expected
    print(f"{profile}: {asked} states, {true} satisfy their formula")
    assert FEW_CASES or 0 < true < asked


def test_labelling_of_paths_agrees():
    asked, true = 0, 0
    for seed in seeds(CASES // 10):
        machine, formulas = star_case(seed, 2)
        model, rng = as_model(machine), Random(seed)
        for formula in formulas:
            try:
                known = valuations(machine, formula)
            except TooLarge:
                continue
            found = satisfying(model, star_text(formula))
            for stack, here in called_stacks(machine, rng):
                symbol = known.symbols(stack)[-1]
                for node in here.nodes:
                    expected = known.true(closed(formula), symbol, node.name)
                    boxes = [":".join(box) for box in stack]
                    said = (boxes, f"{here.name}:{node.name}") in found
                    assert said is expected, (seed, star_text(formula), stack, node.name)
                    asked, true = asked + 1, true + expected
    print(f"CTL*: {asked} states, {true} satisfy their formula")
    assert FEW_CASES or 0 < true < asked


def called_stacks(machine, rng):
    """Random stacks of boxes that nodes call, as the oracle of CTL* writes them."""
    for _ in range(STACKS):
        stack, here = [], machine.component[machine.initial_component]
        for _ in range(rng.randint(0, DEEPEST)):
            boxes = [box for box in here.boxes if is_entered(machine, here, box)]
            if not boxes:
                break
            box = rng.choice(boxes)
            stack.append((here.name, box.name))
            here = machine.component[box.component]
        yield tuple(stack), here


def is_entered(machine, component, box):
    exits = {node.name for node in machine.component[box.component].nodes if node.is_exit}
    calls = [to for node, to in component.edges if isinstance(node, str) and to[0] == box.name]
    return any(isinstance(to, tuple) and to[1] not in exits for to in calls)


def stacks(machine, rng):
    """Random stacks of boxes that some edge leads to."""
    for _ in range(STACKS):
        stack, here = [], machine.component[machine.initial_component]
        for _ in range(rng.randint(0, DEEPEST)):
            boxes = [
                b
                for b in here.boxes
                if any(isinstance(t, tuple) and t[0] == b.name for _, t in here.edges)
            ]
            if not boxes:
                break
            box = rng.choice(boxes)
            stack.append(box.name)
            here = machine.component[box.component]
        yield stack


def callee(machine, stack):
    here = machine.component[machine.initial_component]
    for box in stack:
        here = machine.component[here.box[box].component]
    return here


def holds(found, stack, component, node, machine):
    model = found.model
    number = next(
        model.core.node_of_declared(at)
        for at, name in enumerate(model.names.nodes)
        if name == node and is_meant(model, at, component, stack, machine)
    )
    return (stack, number) in found


def is_meant(model, declared, component, stack, machine):
    """With the empty stack a run is in the twin of a component, if there is one."""
    name = model.component_name(model.core.node_of_declared(declared))
    twin = f"{component}_initial"
    there = machine.semantics == "rmv" and not stack and twin in model.names.components
    return name == (twin if there else component)
