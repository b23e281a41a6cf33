"""Random cases for CTL* on recursive machines.

Random machines and formulas alone miss mistakes about marks. So half of the machines are *rings*: a
few components that call each other round and round, return now and then, and carry few labels, and
many formulas ask for something again and again.
"""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from oracle.generate import PROFILES, Shape, random_machine
from oracle.machine import Box, Component, Machine, Node
from oracle.star_formula import A, E, F, Formula, G, U, X, atom, both, either, no, random_star

if TYPE_CHECKING:
    from oracle.machine import Ref

LABELS = ("p", "q")
SMALL = {
    "tiny": PROFILES["tiny"],
    "recursive": Shape(
        components=(1, 3), inner=(0, 2), boxes=(1, 2), call=0.6, self_call=0.4, exits=(1, 2)
    ),
    "ragged": Shape(
        components=(1, 3),
        inner=(0, 2),
        dead_end=0.25,
        missing_return=0.4,
        stop=0.6,
        boxes=(1, 2),
        exits=(1, 2),
    ),
    "oneliners": Shape(components=(2, 3), inner=(0, 1), exits=(1, 2), entry_exit=0.5, boxes=(1, 2)),
    "sparse": Shape(components=(2, 4), inner=(0, 2), exits=(1, 2), label=0.1, rare=0.0),
    "exits": Shape(components=(1, 2), exits=(2, 3), boxes=(1, 2), inner=(0, 2), label=0.25),
}


def star_case(seed: int, formulas: int = 4) -> tuple[Machine, list[Formula]]:
    """Machine number `seed`, and formulas to ask of it."""
    rng = Random(seed)
    if rng.random() < 0.5:
        machine = random_ring(rng)
    else:
        machine = random_machine(rng, SMALL[rng.choice(list(SMALL))])
    return machine, [random_question(rng) for _ in range(formulas)]


def random_ring(rng: Random) -> Machine:
    """Components that call each other round and round."""
    count = rng.randint(1, 3)
    chance = rng.choice((0.1, 0.25, 0.5))
    names = [f"C{i}" for i in range(count)]
    exits = {name: rng.randint(1, 2) for name in names}

    def some() -> tuple[str, ...]:
        return tuple(label for label in LABELS if rng.random() < chance)

    made = []
    for i, name in enumerate(names):
        inner = [f"n{j}" for j in range(rng.randint(0, 2))]
        leave = [f"x{j}" for j in range(exits[name])]
        nodes = [Node("e", is_entry=True, labels=some())]
        nodes += [Node(node, labels=some()) for node in inner]
        nodes += [Node(node, is_exit=True, labels=some()) for node in leave]
        callees = [names[(i + 1) % count]]
        callees += [rng.choice(names) for _ in range(rng.choice((0, 0, 1)))]
        boxes = []
        for j, callee in enumerate(callees):
            listed = [f"x{k}" for k in range(exits[callee]) if rng.random() < 0.9]
            boxes.append(Box(f"b{j}", callee, ("e",), tuple(listed)))
        targets: list[Ref] = [*inner, *leave, *[(box.name, "e") for box in boxes]]
        sources: list[Ref] = ["e", *inner]
        sources += [(box.name, leaving) for box in boxes for leaving in box.return_nodes]
        edges: list[tuple[Ref, Ref]] = [("e", ("b0", "e"))] if rng.random() < 0.8 else []
        for source in sources:
            wanted = rng.choice((0, 1, 1, 1, 2)) if rng.random() < 0.3 else 1
            edges += [(source, rng.choice(targets)) for _ in range(wanted)]
        made.append(Component(name, tuple(nodes), tuple(boxes), tuple(dict.fromkeys(edges))))
    dead_ends = rng.choice(("stutter", "stutter", "stop"))
    return Machine(tuple(made), names[0], ("e",), dead_ends)


def random_question(rng: Random) -> Formula:
    """A formula of CTL*: any, or one that asks for something again and again."""
    roll = rng.random()
    if roll < 0.45:
        return random_star(rng, LABELS, rng.randint(1, 5))
    p, q = atom("p"), atom("q")
    f, g = rng.choice((p, no(p))), rng.choice((q, no(q), X(q), E(X(q)), A(F(q))))
    shapes = (
        G(F(f)),
        both(G(F(f)), G(F(g))),
        both(G(F(f)), F(G(g))),
        either(no(G(F(f))), G(F(g))),
        G(either(no(f), F(g))),
        F(G(either(f, g))),
        U(f, G(F(g))),
        G(F(both(f, X(g)))),
        both(F(f), both(F(g), G(F(both(f, g))))),
    )
    path = rng.choice(shapes)
    if roll < 0.8:
        return rng.choice((A, E))(path)
    inner = rng.choice((A, E))(path)
    nested = (
        E(F(both(p, inner))),
        A(G(either(no(q), inner))),
        E(X(inner)),
        A(F(inner)),
        E(G(F(inner))),
        E(both(F(inner), G(F(q)))),
        A(U(inner, q)),
        E(U(no(inner), X(both(q, inner)))),
        E(G(inner)),
        E(X(both(p, inner))),
    )
    return rng.choice(nested)
