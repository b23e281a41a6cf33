"""Long disjunctions, which are evaluated by tables: the same steps and errors as without tables."""

from __future__ import annotations

import time
from random import Random

import pytest

from pigro import PigroError
from pigro.formats import smv

from support.selection.cases import FEW_CASES, number_of_cases, seeds

MODULES = number_of_cases("PIGRO_SMV_DISJUNCTIONS", 120)

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
    "x in {{y, {0}}}",
    "y in ({{0, 2}} union {{{1}}})",
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
FAILING = (
    "4 / x = {0}",
    "x mod y = {1}",
    "8 / (x - {0}) > 0",
    "x in y..{0}",
    "next(x) in x..{0}",
    "y in {{x, {0}..{1}}}",
    "x in ({{0, 1}} union (y..{0}))",
    "x in (b ? {{1, 2}} : (y..{1}))",
    "x in {{4 / x, {0}}}",
    "case x = {0} : TRUE; y in {{0, 2}} : FALSE; esac",
)


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
        found = model.digest, [*model.listed().names.nodes], model.listed().initial
    except PigroError as error:
        return f"{error.code}: {error.message}"
    return found


@pytest.mark.random
@pytest.mark.parametrize("failing", [False, True])
def test_tables_change_nothing(failing: bool):
    models = 0
    for seed in seeds(MODULES):
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
    assert FEW_CASES or models > MODULES * (0.1 if failing else 0.7)


SETS = ("{{{}}}".format(", ".join(map(str, range(100_001)))),)
SETS += (
    "({{{}}} union {{{}}})".format(
        *[", ".join(map(str, each)) for each in (range(60_000), range(60_000, 120_000))]
    ),
)


@pytest.mark.long
@pytest.mark.parametrize("large", SETS)
def test_too_large_a_set_is_an_error_with_tables_too(large: str):
    text = "MODULE main\nVAR x : 0..3; y : 0..200000;\nASSIGN init(x) := 0; init(y) := 0; next(y) := y;\nTRANS "
    operands = [f"(y in {large} & x = 3 & next(x) = 1)"]
    operands += [f"(x = {i % 3} & next(x) = {i % 3})" for i in range(20)]
    case = f"case y in {large} : TRUE; TRUE : TRUE; esac"
    for steps in (without_table(operands), long(operands), case):
        assert read(text + steps) == "P126: the set has more than 100,000 values"


@pytest.mark.long
def test_20_000_alternatives():
    """Without tables, each state looks at all operands for each next value, which takes minutes. With them, about a second."""
    size = 20_000
    steps = long([f"(x = {i} & next(x) = {(i * 7 + 1) % size})" for i in range(size)])
    text = f"MODULE main\nVAR x : 0..{size - 1};\nINIT x = 0\nTRANS {steps}\n".encode()
    began = time.process_time()
    smv.read(text)
    assert time.process_time() - began < 60
