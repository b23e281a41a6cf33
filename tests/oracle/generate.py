"""Random machines, formulas and cases, reproducible from a seed.

`random_case(seed)` mixes the profiles below. `random_machine` and `random_formula` draw from a
given `random.Random`. Names repeat across components on purpose (every component has an n0, a b0,
...).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Any

from oracle import unfold
from oracle.exhaustive import all_machines
from oracle.formula import BINARY_TEMPORAL, CONNECTIVES, TRUE, UNARY_TEMPORAL, Formula
from oracle.machine import Box, Component, Machine, Node, Ref

__all__ = [
    "PROFILES",
    "Case",
    "Shape",
    "all_machines",
    "is_lively",
    "random_case",
    "random_formula",
    "random_machine",
    "single_machine",
]

RARE = "rare"
LABELS = ("p", "q", "r")
Range = tuple[int, int]


@dataclass(frozen=True)
class Shape:
    """What random machines look like: inclusive ranges of counts, and chances."""

    components: Range = (1, 4)
    entries: Range = (1, 2)
    inner: Range = (0, 4)
    exits: Range = (0, 3)
    boxes: Range = (0, 3)
    targets: Range = (1, 2)  # edges from a source that is no dead end
    label: float = 0.35  # of each label at each node
    rare: float = 0.6  # of one node in the machine carrying the label RARE
    entry_exit: float = 0.12  # of an exit being an entry too
    dead_end: float = 0.08  # of a source having no edges
    missing_return: float = 0.12  # of an exit the box does not list
    missing_call: float = 0.15  # of an entry the box does not list
    call: float = 0.45  # of an edge leading to a call, where there are boxes
    into_entry: float = 0.08  # of another edge leading to an entry
    connect: float = 0.75  # of an edge from somewhere to a node or listed call node that has none
    self_call: float = 0.15  # of a box calling its own component
    initial_anywhere: float = 0.2  # of an initial node of any kind
    more_initial: float = 0.15  # of several initial nodes
    stop: float = 0.4
    rsmcheck: float = 0.15


PROFILES: dict[str, Shape] = {
    "default": Shape(),
    "tiny": Shape(components=(1, 2), inner=(0, 2), exits=(0, 1), boxes=(0, 1), label=0.5),
    "sparse": Shape(components=(2, 6), inner=(1, 4), label=0.07, rare=1.0, dead_end=0.03),
    "many": Shape(components=(5, 12), inner=(0, 2), boxes=(0, 2), label=0.2),
    "oneliners": Shape(components=(2, 5), inner=(0, 2), exits=(1, 2), entry_exit=0.6, boxes=(1, 2)),
    "rsmcheck": Shape(
        components=(2, 4), exits=(1, 2), entry_exit=0.5, boxes=(1, 3), call=0.6, rsmcheck=1.0
    ),
    "recursive": Shape(
        components=(1, 3), inner=(1, 3), boxes=(1, 3), call=0.6, self_call=0.4, exits=(1, 2)
    ),
    "ragged": Shape(
        dead_end=0.25, missing_return=0.4, missing_call=0.4, stop=0.6, boxes=(1, 3), entries=(1, 3)
    ),
    "large": Shape(
        components=(3, 8), inner=(2, 6), exits=(1, 4), boxes=(1, 4), targets=(1, 3), dead_end=0.03
    ),
    "exits": Shape(
        components=(1, 3), exits=(3, 8), boxes=(1, 2), inner=(0, 3), label=0.25, targets=(1, 3)
    ),
}
WEIGHTS = {
    "default": 6, "tiny": 2, "sparse": 2, "many": 2, "oneliners": 2, "recursive": 3, "ragged": 2,
    "rsmcheck": 2, "large": 3, "exits": 2,
}  # fmt: skip


@dataclass(frozen=True)
class Case:
    """A machine and a formula, with the data to make them again."""

    seed: int
    profile: str
    machine: Machine
    formula: Formula


def random_case(seed: int, profile: str | None = None) -> Case:
    """Case number `seed`, of the named profile or of a random one."""
    rng = Random(seed)
    drawn = rng.choices(list(WEIGHTS), list(WEIGHTS.values()))[0]
    name = profile or drawn
    for _ in range(
        rng.randint(1, 10)
    ):  # most random machines never return from a call: often insist
        machine = random_machine(rng, PROFILES[name])
        if is_lively(machine):
            break
    for _ in range(
        rng.randint(1, 10)
    ):  # and most verdicts are found within a few states: often insist on a later one
        formula = random_formula(rng)
        if unfold.decide(machine, formula, max_depth=4, max_states=8) is None:
            break
    return Case(seed, name, machine, formula)


def is_lively(machine: Machine) -> bool:
    """Near the start, does some path go on after a call has returned, or meet a call that
    `rsmcheck` gets stuck at?
    """
    graph = unfold.explore(machine, max_depth=3, max_states=40)
    return any(
        isinstance(state[1], tuple)
        or any(len(graph.states[j][0]) < len(state[0]) for j in row or ())
        for state, row in zip(graph.states, graph.next, strict=True)
    )


def random_machine(rng: Random, shape: Shape = PROFILES["default"], **changes: Any) -> Machine:
    """A random well-formed machine of the given shape. `changes` replace fields of the shape."""
    shape = replace(shape, **changes)
    count = rng.randint(*shape.components)
    nodes = {f"C{i}": _nodes(rng, shape) for i in range(count)}
    if rng.random() < shape.rare:
        owner = rng.choice(list(nodes))
        lucky = rng.randrange(len(nodes[owner]))
        nodes[owner][lucky] = replace(
            nodes[owner][lucky], labels=(*nodes[owner][lucky].labels, RARE)
        )
    components = [_component(rng, shape, name, nodes) for name in nodes]
    rng.shuffle(components)
    initial = rng.choice(components)
    return Machine(
        components=tuple(components),
        initial_component=initial.name,
        initial_nodes=_initial_nodes(rng, shape, initial),
        dead_ends="stop" if rng.random() < shape.stop else "stutter",
        semantics="rsmcheck" if rng.random() < shape.rsmcheck else "standard",
    )


def _nodes(rng: Random, shape: Shape) -> list[Node]:
    entries, inner, exits = (
        rng.randint(*span) for span in (shape.entries, shape.inner, shape.exits)
    )
    kinds = [(True, False)] * entries + [(False, False)] * inner + [(False, True)] * exits
    kinds = [
        (entry or (leave and rng.random() < shape.entry_exit), leave) for entry, leave in kinds
    ]
    if (
        rng.random() < shape.entry_exit and (True, True) in kinds
    ):  # a one-line method: its entry is its exit, alone
        kinds = [(True, True)] + [(False, False)] * inner
    rng.shuffle(kinds)
    return [
        Node(f"n{i}", entry, leave, tuple(x for x in LABELS if rng.random() < shape.label))
        for i, (entry, leave) in enumerate(kinds)
    ]


def _component(rng: Random, shape: Shape, name: str, nodes: dict[str, list[Node]]) -> Component:
    boxes = []
    for i in range(rng.randint(*shape.boxes)):
        callee = name if rng.random() < shape.self_call else rng.choice(list(nodes))
        entries = [n.name for n in nodes[callee] if n.is_entry]
        exits = [n.name for n in nodes[callee] if n.is_exit]
        calls = [e for e in entries if rng.random() >= shape.missing_call] or [rng.choice(entries)]
        returns = [e for e in exits if rng.random() >= shape.missing_return]
        boxes.append(Box(f"b{i}", callee, tuple(calls), tuple(returns)))
    mine = nodes[name]
    sources: list[Ref] = [n.name for n in mine if not n.is_exit]
    sources += [(box.name, e) for box in boxes for e in box.return_nodes]
    edges: list[tuple[Ref, Ref]] = []
    for source in sources:
        if rng.random() >= shape.dead_end:
            edges += [
                (source, _target(rng, shape, mine, boxes))
                for _ in range(rng.randint(*shape.targets))
            ]
    wanted: list[Ref] = [n.name for n in mine if not n.is_entry]
    wanted += [(box.name, e) for box in boxes for e in box.call_nodes]
    reached = {target for _, target in edges}
    open_ended = list(dict.fromkeys(source for source, _ in edges))
    for target in wanted:
        if target not in reached and open_ended and rng.random() < shape.connect:
            edges.append((rng.choice(open_ended), target))
    return Component(name, tuple(mine), tuple(boxes), tuple(dict.fromkeys(edges)))


def _target(rng: Random, shape: Shape, mine: list[Node], boxes: list[Box]) -> Ref:
    if boxes and rng.random() < shape.call:
        box = rng.choice(boxes)
        return (box.name, rng.choice(box.call_nodes))
    entries = [n.name for n in mine if n.is_entry]
    others = [n.name for n in mine if not n.is_entry]
    if not others or (entries and rng.random() < shape.into_entry):
        return rng.choice(entries)
    return rng.choice(others)


def _initial_nodes(rng: Random, shape: Shape, initial: Component) -> tuple[str, ...]:
    entries = [n.name for n in initial.nodes if n.is_entry]
    anywhere = rng.random() < shape.initial_anywhere
    choices = [n.name for n in initial.nodes] if anywhere or not entries else entries
    if rng.random() < shape.more_initial:
        everything = [n.name for n in initial.nodes]
        return tuple(rng.sample(everything, min(len(everything), rng.randint(2, 3))))
    return (rng.choice(choices),)


SINGLE_SHAPES = [
    replace(shape, entries=(1, 1), exits=(0, 1))
    for name, shape in PROFILES.items()
    if name != "exits"
]


def single_machine(rng: Random) -> Machine:
    """A machine with at most one called entry and one exit a component.

    Most calls return: an exit is left out by one shape in three only.
    """
    shape = rng.choice(SINGLE_SHAPES)
    if rng.random() < 0.67:
        shape = replace(shape, exits=(1, 1), missing_return=0.05, connect=1.0)
    return random_machine(rng, shape)


def random_formula(rng: Random, nesting: int | None = None) -> Formula:
    """A random formula with at most `nesting` temporal operators inside each other (1 to 4 when
    not given).
    """
    if nesting is None:
        nesting = rng.choices((1, 2, 3, 4), (3, 5, 4, 2))[0]
    return _temporal(rng, nesting)


def _atom(rng: Random) -> Formula:
    return ("atom", RARE if rng.random() < 0.15 else rng.choice(LABELS))


def _literal(rng: Random) -> Formula:
    roll = rng.random()
    if roll < 0.05:
        return TRUE
    return ("not", _atom(rng)) if roll < 0.4 else _atom(rng)


def _operand(rng: Random, nesting: int) -> Formula:
    """A formula with at most `nesting` nested temporal operators, likely fewer."""
    roll = rng.random()
    if nesting == 0 or roll < 0.2:
        if rng.random() < 0.25:
            return (rng.choice(list(CONNECTIVES)), _literal(rng), _literal(rng))
        return _literal(rng)
    inner = _temporal(rng, nesting)
    if roll < 0.5:
        return ("and", _atom(rng), inner)  # the shape `label & temporal`
    if roll < 0.65:
        return (rng.choice(list(CONNECTIVES)), _literal(rng), inner)
    if roll < 0.72:
        return (rng.choice(list(CONNECTIVES)), inner, _operand(rng, nesting - 1))
    return ("not", inner) if roll < 0.82 else inner


def _temporal(rng: Random, nesting: int) -> Formula:
    if rng.random() < 0.55:
        return (rng.choice(UNARY_TEMPORAL), _operand(rng, nesting - 1))
    left, right = _operand(rng, nesting - 1), _operand(rng, rng.randrange(nesting))
    return (rng.choice(BINARY_TEMPORAL), left, right)
