"""Long disjunctions, which are evaluated by tables: the same steps and errors as without tables."""

from __future__ import annotations

import time
from random import Random

import pytest

from pigro import PigroError
from pigro.formats import smv

MODULE = """\
MODULE main
VAR
  x : 0..4;
  y : {{0, 2, 3}};
  b : boolean;
IVAR
  i : 0..2;
INIT
  {initial}
TRANS
  {steps}
"""
CURRENT = (
    "x = {0}",
    "{0} = x",
    "y = 2",
    "y = 3",
    "b",
    "b = TRUE",
    "x in {{{0}, {1}}}",
    "x > {0}",
    "x = y",
)
NEXT = (
    "next(x) = {0}",
    "next(y) = 0",
    "next(b)",
    "next(x) = x",
    "i = {1}",
    "next(y) = y",
    "next(b) = b",
)
FAILING = ("4 / x = {0}", "x mod y = {1}", "8 / (x - {0}) > 0")


def operand(rng: Random, common: list[str], *, failing: bool) -> str:
    """A conjunction that mostly has the tests of the others, in any order."""
    tests = [each for each in common if rng.random() < 0.9]
    tests += rng.choices(CURRENT, k=rng.randint(0, 1)) + rng.choices(NEXT, k=rng.randint(0, 3))
    tests += [rng.choice(FAILING)] if failing and rng.random() < 0.1 else []
    rng.shuffle(tests)
    made = [each.format(rng.randrange(5), rng.randrange(3)) for each in tests or ["FALSE"]]
    return "(" + " & ".join(made) + ")"


def long(operands: list[str]) -> str:
    return " | ".join(operands)


def without_table(operands: list[str]) -> str:
    """The same condition. Operands are looked at in the same order."""
    return "!(" + " & ".join(f"!{each}" for each in operands) + ")"


def read(text: str) -> tuple[object, ...] | str:
    """The steps of the model with its names, or the error without its place."""
    try:
        model = smv.read(text.encode())
    except PigroError as error:
        return f"{error.code}: {error.message}"
    return model.digest, [*model.names.nodes], model.initial


@pytest.mark.parametrize("failing", [False, True])
def test_tables_change_nothing(failing: bool):  # noqa: FBT001
    models = 0
    for seed in range(120):
        rng = Random(seed)
        common = rng.choices(CURRENT[:4] + NEXT[:2], k=rng.randint(0, 3))
        operands = [operand(rng, common, failing=failing) for _ in range(rng.randint(16, 40))]
        starts = [f"(x = {rng.randrange(5)} & y = 2 & !b)" for _ in range(20)]
        made = [
            read(MODULE.format(initial=write(starts), steps=write(operands)))
            for write in (long, without_table)
        ]
        assert made[0] == made[1], seed
        models += not isinstance(made[0], str)
    assert models > (20 if failing else 90)


def test_20_000_alternatives():
    """Without tables, each state looks at all operands for each next value, which takes minutes. With them, about a second."""
    size = 20_000
    steps = long([f"(x = {i} & next(x) = {(i * 7 + 1) % size})" for i in range(size)])
    text = f"MODULE main\nVAR x : 0..{size - 1};\nINIT x = 0\nTRANS {steps}\n".encode()
    began = time.process_time()
    smv.read(text)
    assert time.process_time() - began < 60
