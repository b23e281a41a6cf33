"""Model families that tests and benchmarks share."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pigro

if TYPE_CHECKING:
    from pigro.model import RSM


def permutations(exits: int) -> RSM:
    """One recursive component with two boxes, of which one rotates the exits and one swaps two.

    Every permutation of the exits waits somewhere, so that `AG (EF EG p | EF EG !p)` needs exponentially many contexts.
    """
    model = pigro.ModelBuilder()
    only = model.component("only")
    only.entry("in")
    for i in range(exits):
        only.exit(f"x{i}", labels=["p"] if i < exits // 2 else [])
    rotate = only.box("rotate", calls="only")
    swap = only.box("swap", calls="only")
    only.edge("in", rotate.call("in"), swap.call("in"), *(f"x{i}" for i in range(exits)))
    for i in range(exits):
        only.edge(rotate.returned(f"x{i}"), f"x{(i + 1) % exits}")
        only.edge(swap.returned(f"x{i}"), f"x{(1, 0)[i] if i < 2 else i}")
    return model.build(initial="only:in")


SHAPES = (
    "EF {}",
    "AG ({} -> EF {})",
    "AG ({} -> AF {})",
    "A [!{} U {}]",
    "EF ({} & EG !{})",
)
"""Of formulas that static analysis asks: a label comes, after another, before another, never."""


def control_flow(
    states: int = 5000, formulas: int = 4500, labels: int = 1500, seed: int = 1
) -> str:
    """An `.smv` file with one module and one variable: a control flow graph, and questions about it.

    The size of the one in section 5.5 of [Finis2012]. Steps lead forward, by one or by up to fifty;
    one in fifty leads back. A label holds at one to six states.
    """
    rng = Random(seed)
    lines = [
        "MODULE main",
        "VAR",
        f"  state : {{{', '.join(f's{i}' for i in range(states))}}};",
        "DEFINE",
    ]
    for number in range(labels):
        held = sorted(rng.sample(range(states), rng.randint(1, 6)))
        lines.append(f"  l{number} := state in {{{', '.join(f's{i}' for i in held)}}};")
    lines += ["ASSIGN", "  init(state) := s0;", "  next(state) := case"]
    for i in range(states):
        targets = {min(i + 1, states - 1)}
        if rng.random() < 0.3:
            targets.add(min(i + rng.randint(2, 50), states - 1))
        if rng.random() < 0.02:
            targets.add(rng.randrange(i + 1))
        lines.append(f"    state = s{i} : {{{', '.join(f's{j}' for j in sorted(targets))}}};")
    lines.append("  esac;")
    for _ in range(formulas):
        shape = rng.choice(SHAPES)
        chosen = (f"l{rng.randrange(labels)}" for _ in range(shape.count("{}")))
        lines.append(f"SPEC {shape.format(*chosen)}")
    return "\n".join(lines) + "\n"
