"""Checks fixed questions and prints what they cost, in counts: `python counting.py EXAMPLES`.

Contexts and visited nodes are exact. With `allocations.c` loaded before the C library, the blocks
of memory that a check asks for are counted as well.
"""

from __future__ import annotations

import ctypes
import json
import sys
from pathlib import Path

import pigro
from benchmarks.generators.models import EITHER, FORMULAS, call_graph, permutations
from pigro.engines import choose_engine

ENGINES = ("demand", "exhaustive", "lazy", "eager")
QUESTIONS = {
    "dataflow.rsm": ("AG (def_i -> EF use_i)", "A [G (def_i -> F use_i)]"),
    "server.rsm": ("AG (request -> AF answer)", "AG EF request"),
}


def main(examples: Path) -> None:
    """Prints one JSON object: counts by question."""
    counted = {}
    for name, formulas in QUESTIONS.items():
        model = pigro.load(examples / name)
        for formula in formulas:
            counted |= costs(name, model, formula)
    generated = call_graph(100_000)
    for formula in FORMULAS:
        counted |= costs("call_graph", generated, formula, ENGINES[:2])
    counted |= costs("permutations", permutations(6), EITHER)
    print(json.dumps(counted))


def costs(name, model, formula, engines=ENGINES):
    """What each engine that takes the formula counts. The first check fills caches."""
    found = {}
    for engine in engines:
        chosen = choose_engine(engine)
        asked = [pigro.parse(formula)]
        try:
            chosen.check_all(model, asked)
        except pigro.PigroError:  # not in its logic
            continue
        before = blocks()
        (verdict,) = chosen.check_all(model, asked)
        after = blocks()
        found[f"{name} {engine} {formula}"] = {
            "verdict": verdict.outcome,
            "contexts": verdict.stats.contexts,
            "visited": verdict.stats.visited,
            "blocks": after - before,
        }
    return found


def blocks() -> int:
    """Blocks of memory that were asked for. 0 if nobody counts them."""
    count = getattr(ctypes.CDLL(None), "blocks_asked", None)
    return count() if count else 0


if __name__ == "__main__":
    main(Path(sys.argv[1]))
