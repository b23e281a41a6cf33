"""Changes of the model or the formula that can't change a verdict, and ones that must flip it."""

import random
from dataclasses import replace

import pytest

from pigro.logic import parse

from oracle.formula import to_text
from oracle.generate import random_case
from oracle.machine import Box, Component, Node
from support.agreement.ctl import ALL_ENGINES, as_model
from support.selection.cases import FEW_CASES, number_of_cases

FIRST = 1_000_000
SEEDS = range(FIRST, FIRST + number_of_cases("PIGRO_METAMORPHIC_CASES", 400))
DUALS = (
    ("AX ({f})", "!EX !({f})"),
    ("AF ({f})", "!EG !({f})"),
    ("AG ({f})", "!EF !({f})"),
    ("EF ({f})", "E [true U ({f})]"),
    ("A [({g}) U ({f})]", "!E [!({f}) W (!({f}) & !({g}))]"),
    ("A [({g}) R ({f})]", "!E [!({g}) U !({f})]"),
    ("E [({g}) W ({f})]", "E [({g}) U ({f})] | EG ({g})"),
    ("E [({g}) W ({f})]", "!A [!({f}) U (!({f}) & !({g}))]"),
)


@pytest.fixture(params=sorted(ALL_ENGINES))
def engine(request):
    return ALL_ENGINES[request.param]


def cases():
    return [random_case(seed) for seed in SEEDS]


def test_a_formula_or_its_negation_holds_at_one_initial_node(engine):
    for case in cases():
        model = as_model(case.machine)
        model = model.with_initial(model.initial[:1])
        formula = parse(to_text(case.formula))
        assert engine(model, formula).holds is not engine(model, ~formula).holds, case.seed


@pytest.mark.parametrize("left, right", DUALS)
def test_dualities(engine, left, right):
    for case in cases()[::4]:
        model = as_model(case.machine)
        parts = {"f": to_text(case.formula), "g": "p"}
        first = engine(model, parse(left.format(**parts))).holds
        assert first is engine(model, parse(right.format(**parts))).holds, case.seed


def renamed(machine, name):
    """The machine with every component, node, box and label renamed."""

    def ref(it):
        return name(it) if isinstance(it, str) else (name(it[0]), name(it[1]))

    components = tuple(
        Component(
            name(c.name),
            tuple(
                replace(n, name=name(n.name), labels=tuple(map(name, n.labels))) for n in c.nodes
            ),
            tuple(
                Box(
                    name(b.name),
                    name(b.component),
                    tuple(map(name, b.call_nodes)),
                    tuple(map(name, b.return_nodes)),
                )
                for b in c.boxes
            ),
            tuple((ref(a), ref(b)) for a, b in c.edges),
        )
        for c in machine.components
    )
    return replace(
        machine,
        components=components,
        initial_component=name(machine.initial_component),
        initial_nodes=tuple(map(name, machine.initial_nodes)),
    )


def test_renaming_changes_nothing(engine):
    for case in cases():
        other = renamed(case.machine, lambda name: name[::-1] + "'")
        formula = parse(to_text(case.formula))
        text = to_text(case.formula)
        for label in ("rare", "p", "q", "r"):
            text = (
                text.replace(f"({label})", f'("{label[::-1]}\'")') if f"({label})" in text else text
            )
        new = parse(_relabelled(formula))
        assert (
            engine(as_model(case.machine), formula).holds is engine(as_model(other), new).holds
        ), case.seed


def _relabelled(formula):
    """The formula's text with its atoms renamed as in the test above."""
    from pigro.logic import Formula
    from pigro.logic.arena import Arena

    arena = Arena()
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        if op == 2:
            arena.atom(formula.atoms[left][::-1] + "'")
        else:
            arena.node(op, left, right)
    return str(Formula.from_arena(arena))


def test_order_of_parts_changes_nothing(engine):
    for case in cases():
        rng = random.Random(case.seed)
        shuffled = tuple(
            replace(
                c,
                nodes=tuple(rng.sample(c.nodes, len(c.nodes))),
                boxes=tuple(rng.sample(c.boxes, len(c.boxes))),
                edges=tuple(rng.sample(c.edges, len(c.edges))),
            )
            for c in rng.sample(case.machine.components, len(case.machine.components))
        )
        formula = parse(to_text(case.formula))
        other = replace(case.machine, components=shuffled)
        assert (
            engine(as_model(case.machine), formula).holds is engine(as_model(other), formula).holds
        ), case.seed


def test_dead_components_change_nothing(engine):
    dead = Component(
        "dead",
        (Node("n0", is_entry=True, labels=("p", "rare")), Node("x0", is_exit=True)),
        (Box("b0", "dead", ("n0",), ("x0",)),),
        (("n0", ("b0", "n0")), (("b0", "x0"), "x0")),
    )
    for case in cases():
        formula = parse(to_text(case.formula))
        other = replace(case.machine, components=(dead, *case.machine.components))
        first, second = engine(as_model(case.machine), formula), engine(as_model(other), formula)
        assert first.holds is second.holds, case.seed
        assert first.stats.contexts == second.stats.contexts, "dead components are not explored"


def inlined(machine, caller, box):
    """The machine with the body of `box` in `caller` in place of the call."""
    callee = machine.component[box.component]
    at = lambda name: f"{box.name}/{name}"  # noqa: E731
    new_nodes = tuple(Node(at(n.name), labels=n.labels) for n in callee.nodes)
    new_boxes = tuple(replace(b, name=at(b.name)) for b in callee.boxes)

    def inner(ref):
        return at(ref) if isinstance(ref, str) else (at(ref[0]), ref[1])

    def outer(ref):
        return at(ref[1]) if not isinstance(ref, str) and ref[0] == box.name else ref

    edges = tuple((outer(a), outer(b)) for a, b in caller.edges)
    body = Component(
        caller.name,
        caller.nodes + new_nodes,
        tuple(b for b in caller.boxes if b is not box) + new_boxes,
        edges + tuple((inner(a), inner(b)) for a, b in callee.edges),
    )
    return replace(
        machine, components=tuple(body if c is caller else c for c in machine.components)
    )


def test_inlining_a_box_changes_nothing(engine):
    done = 0
    for case in cases():
        if case.machine.semantics == "rsmcheck":
            continue  # there a call of an entry-exit node is not the same as being there
        for caller in case.machine.components:
            for box in caller.boxes[:1]:
                other = inlined(case.machine, caller, box)
                formula = parse(to_text(case.formula))
                first, second = (
                    engine(as_model(case.machine), formula),
                    engine(as_model(other), formula),
                )
                assert first.holds is second.holds, (case.seed, caller.name)
                done += 1
    assert FEW_CASES or done > 400
