"""Pushdown systems, their configurations, and CTL on them by bounded unfolding.

From the definition alone: a configuration is a control state with a word of symbols, the top first.
A rule (p, g, q, u) leads from (p, g w) to (q, u w), in one step. Where no rule applies, and so at the
empty stack, the configuration is a dead end: it stutters, or paths stop there. A configuration
carries the labels of its control state, of its top symbol, and of both together.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random
from typing import TYPE_CHECKING

from oracle.generate import random_formula
from oracle.unfold import Graph, evaluate

if TYPE_CHECKING:
    from oracle.formula import Formula

Configuration = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Pushdown:
    """Rules, labels and where to start."""

    rules: tuple[tuple[str, str, str, tuple[str, ...]], ...]
    initial: Configuration
    labels: dict[str, tuple[str, ...]] = field(default_factory=dict)
    pair_labels: dict[tuple[str, str], tuple[str, ...]] = field(default_factory=dict)
    dead_ends: str = "stutter"


def steps(system: Pushdown, configuration: Configuration) -> list[Configuration]:
    """All configurations one step later."""
    state, stack = configuration
    after = [(q, u + stack[1:]) for p, g, q, u in system.rules if p == state and stack[:1] == (g,)]
    if not after and system.dead_ends == "stutter":
        return [configuration]
    return list(dict.fromkeys(after))


def labels(system: Pushdown, configuration: Configuration) -> frozenset[str]:
    state, stack = configuration
    found = set(system.labels.get(state, ()))
    if stack:
        found |= {*system.labels.get(stack[0], ()), *system.pair_labels.get((state, stack[0]), ())}
    return frozenset(found)


def explore(system: Pushdown, max_height: int, max_states: int) -> Graph:
    """Breadth first, as `unfold.explore` does."""
    states = [system.initial]
    number = {system.initial: 0}
    after: list[list[int] | None] = []
    for here in states:  # grows while we walk
        if len(here[1]) > max_height or len(states) >= max_states:
            after.append(None)
            continue
        row = []
        for there in steps(system, here):
            if there not in number:
                number[there] = len(states)
                states.append(there)
            row.append(number[there])
        after.append(row)
    return Graph(states, after, [labels(system, each) for each in states], [0])  # type: ignore[arg-type]


def decide_many(
    system: Pushdown, formulas: list[Formula], max_height: int = 8, max_states: int = 120
) -> list[bool | None]:
    """Does each formula hold at the start? None: the bounds are too small to tell."""
    graph = explore(system, max_height, max_states)
    found: list[bool | None] = []
    for formula in formulas:
        sure, may = evaluate(graph, formula)
        found.append(True if 0 in sure else None if 0 in may else False)
    return found


def to_text(system: Pushdown, end: str = "\n") -> str:
    """The system as a `.pds` file."""
    state, stack = system.initial
    lines = [f"({state} <{' '.join(stack)}>)"]
    lines += [f"ATOMS {name} {', '.join(found)}" for name, found in system.labels.items() if found]
    lines += [
        f"ATOMS {p} <{g}> {', '.join(found)}"
        for (p, g), found in system.pair_labels.items()
        if found
    ]
    lines += [f"{p} <{g}> --> {q} <{' '.join(u)}>" for p, g, q, u in system.rules]
    return end.join([*lines, ""])


def random_pushdown(rng: Random, *, pure: bool) -> Pushdown:
    """A small random system; in a `pure` one each head pops with all of its rules or none."""
    states = [f"p{i}" for i in range(rng.choice((1, 1, 2, 2, 3)))]
    symbols = [f"g{i}" for i in range(rng.randint(1, 5))]
    longest = rng.choice((2, 2, 2, 3, 4))
    dead = rng.choice((0.0, 0.1, 0.3))
    rules = []
    for p in states:
        for g in symbols:
            if rng.random() < dead:
                continue
            pops = rng.random() < 0.35
            for _ in range(rng.choice((1, 1, 2, 3))):
                if pure:
                    size = 0 if pops else rng.randint(1, longest)
                else:
                    size = rng.choice((0, 0, 1, 1, rng.randint(2, longest)))
                word = tuple(rng.choice(symbols) for _ in range(size))
                rules.append((p, g, rng.choice(states), word))
    rng.shuffle(rules)
    chance = rng.choice((0.1, 0.3, 0.5))

    def some(of: float) -> tuple[str, ...]:
        return tuple(label for label in ("p", "q", "r") if rng.random() < of)

    height = rng.choice((1, 1, 1, 2, 3, 5, 0)) if rng.random() < 0.5 else 1
    return Pushdown(
        tuple(rules),
        (rng.choice(states), tuple(rng.choice(symbols) for _ in range(height))),
        {name: some(chance) for name in (*states, *symbols)},
        {(p, g): some(0.5) for p in states for g in symbols if rng.random() < 0.1},
        rng.choice(("stutter", "stutter", "stop")),
    )


def random_case(seed: int, *, pure: bool, formulas: int = 4) -> tuple[Pushdown, list[Formula]]:
    """A system and formulas. Often ones where something comes to light, and is asked for late."""
    rng = Random(seed)
    for _ in range(rng.randint(1, 10)):
        system = random_pushdown(rng, pure=pure)
        if _lively(system):
            break
    asked = []
    near = explore(system, 6, 8)
    for _ in range(formulas):
        for _ in range(rng.randint(1, 10)):
            formula = random_formula(rng)
            sure, may = evaluate(near, formula)
            if 0 in may and 0 not in sure:
                break
        asked.append(formula)
    return system, asked


def _lively(system: Pushdown) -> bool:
    """Near the start, are there pops that bring a symbol to light which is carried on from?"""
    graph = explore(system, 5, 40)
    return any(
        len(there[1]) < len(here[1]) and len(there[1]) > 0 and graph.next[j] not in (None, [j], [])
        for here, row in zip(graph.states, graph.next, strict=True)
        for j in row or ()
        for there in (graph.states[j],)
    )
