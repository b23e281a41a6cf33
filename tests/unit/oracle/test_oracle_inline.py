"""Inlined stacks, and the claims about them, say the same as the machine itself."""

from dataclasses import replace
from random import Random

import pytest

from oracle import unfold
from oracle.contexts import true_points
from oracle.formula import TRUE, to_text
from oracle.generate import PROFILES, random_case, random_formula
from oracle.inline import inline, leave_by, reaches, stays
from oracle.machine import component_of, labels, problems, steps


def stack_of(machine, rng, depth):
    """A random stack: the component at the bottom, and its boxes with their components."""
    bottom = rng.choice(machine.components)
    here, stack = bottom, []
    for _ in range(depth):
        if not here.boxes:
            break
        box = rng.choice(here.boxes)
        stack.append((here.name, box.name))
        here = machine.component[box.component]
    return bottom.name, tuple(stack)


def explored(machine, stack, start, states=100, depth=5):
    """What the definition of steps says from a state on. Exits at the stack get labels."""
    known, order = {start: 0}, [start]
    after = []
    for state in order:  # grows
        if len(order) >= states or len(state[0]) > len(stack) + depth:
            after.append(None)
            continue
        row = []
        for target in steps(machine, state):
            if target not in known:
                known[target] = len(order)
                order.append(target)
            row.append(known[target])
        after.append(row)
    exits = [node.name for node in component_of(machine, stack).nodes if node.is_exit]
    carried = []
    for here, at in order:
        own = set(labels(machine, (here, at)))
        if here == stack and at in exits:
            own |= {"leave", f"leave {at}"}
        carried.append(frozenset(own))
    return unfold.Graph(order, after, carried, [0])


def questions(rng, exits):
    """Formulas as claims.py asks them."""
    first, second = random_formula(rng, 1), random_formula(rng, 1)
    return [
        first,
        ("EX", second),
        reaches(first, second),
        reaches(TRUE, second),
        stays(second),
        stays(TRUE),
        *(reaches(first, ("and", first, leave_by(e))) for e in exits),
        *(reaches(TRUE, ("and", TRUE, leave_by(e))) for e in exits),
    ]


def points_of(machine, stack, top):
    """The topmost clone's points, and the states that they stand for."""
    for node in top.nodes:
        yield ("node", f"{len(stack)}/{node.name}"), (stack, node.name)
    for box in top.boxes:
        name = f"{len(stack)}/{box.name}"
        for node in machine.component[box.component].nodes:
            if node.is_exit:
                yield ("return", (name, node.name)), ((*stack, (top.name, box.name)), node.name)
            if node.is_exit and machine.semantics == "rsmcheck":
                yield ("call", (name, node.name)), (stack, (box.name, node.name))


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "large"])
def test_an_inlined_stack_has_the_same_runs(profile):
    decided = 0
    for seed in range(12):
        rng = Random(seed)
        machine = random_case(seed, profile).machine
        bottom, stack = stack_of(machine, rng, seed % 4)
        machine = replace(machine, initial_component=bottom)
        inlined = inline(machine, bottom, [box for _, box in stack])
        assert problems(inlined) == []
        top = component_of(machine, stack)
        asked = questions(rng, [node.name for node in top.nodes if node.is_exit])
        told = true_points(inlined, asked)
        for point, state in points_of(machine, stack, top):
            graph = explored(machine, stack, state)
            for formula, points in zip(asked, told, strict=True):
                sure, may = unfold.evaluate(graph, formula)
                if (0 in sure) == (0 in may):
                    decided += 1
                    assert (point in points) is (0 in sure), (seed, stack, state, to_text(formula))
    assert decided > 300
