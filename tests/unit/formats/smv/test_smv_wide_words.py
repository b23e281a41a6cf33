"""Words of 63 and 64 bits: Python's integers say what must come out."""

import random
import warnings

import pytest

import pigro
from pigro.formats import smv

BINARY = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "&": lambda x, y: x & y,
    "|": lambda x, y: x | y,
    "xor": lambda x, y: x ^ y,
}
EDGES = (
    0,
    1,
    2,
    1 << 31,
    (1 << 61) + 3,
    1 << 62,
    (1 << 62) - 1,
    (1 << 63) - 1,
    1 << 63,
    (1 << 64) - 1,
)


def number(value, width):
    """The word that has the lowest bits of a number; a negative width is that of a signed one."""
    size = abs(width)
    value &= (1 << size) - 1
    return value - (1 << size) if width < 0 and value >> (size - 1) else value


def written(value, width):
    if width > 0:
        return f"0ud{width}_{value}"
    return f"0sb{-width}_{value & ((1 << -width) - 1):0{-width}b}"


def divided(x, y):
    """Towards zero, as in C."""
    return (abs(x) // abs(y)) * (1 if (x < 0) == (y < 0) else -1)


def facts(width, x, y):
    """Conditions that are all true."""
    one, two = written(x, width), written(y, width)
    for sign, made in BINARY.items():
        yield f"({one} {sign} {two}) = {written(number(made(x, y), width), width)}"
    if y:
        quotient = divided(x, y)
        yield f"{one} / {two} = {written(number(quotient, width), width)}"
        yield f"{one} mod {two} = {written(number(x - quotient * y, width), width)}"
    yield f"({one} < {two}) = {str(x < y).upper()}"
    yield f"({one} >= {two}) = {str(x >= y).upper()}"
    yield f"({one} = {two}) = {str(x == y).upper()}"
    yield f"!{one} = {written(number(~x, width), width)}"
    yield f"-{one} = {written(number(-x, width), width)}"
    yield f"{one} in {{{one}, {two}}}"
    by = y % (abs(width) + 1)
    yield f"{one} << {by} = {written(number(x << by, width), width)}"
    yield f"{one} >> {by} = {written(number(x >> by, width), width)}"
    high = y % abs(width)
    bits = x >> (high // 2) & ((1 << (high - high // 2 + 1)) - 1)
    yield f"{one}[{high}:{high // 2}] = {written(bits, high - high // 2 + 1)}"
    yield f"unsigned(signed({one})) = unsigned({one})"
    yield f"{one}[{abs(width) - 1}:32] :: {one}[31:0] = {written(number(x, abs(width)), abs(width))}"


@pytest.mark.parametrize("width", [63, 64, -63, -64])
def test_operators(width):
    chosen = random.Random(width)
    cases = [(x, y) for x in EDGES for y in chosen.sample(EDGES, 3)]
    cases += [
        (chosen.getrandbits(64), chosen.getrandbits(chosen.choice((3, 64)))) for _ in range(20)
    ]
    asked = [each for x, y in cases for each in facts(width, number(x, width), number(y, width))]
    text = "MODULE main VAR b : boolean; " + "".join(f"SPEC {each}\n" for each in asked)
    document = smv.SmvDocument(text.encode())
    model = document.model()
    formulas = [each.formula for each in document.requirements(model)]
    wrong = [
        each
        for each, verdict in zip(asked, pigro.check_all(model, formulas), strict=True)
        if not verdict.holds
    ]
    assert wrong == []


COUNTER = """MODULE main
VAR x : {kind} word[{width}]; b : boolean;
ASSIGN init(x) := {start}; next(x) := case x = {end} : {start}; TRUE : x + {one}; esac;
SPEC AG EF x = {end}
SPEC EF x = {beyond}
"""


@pytest.mark.parametrize("width", [63, 64, -63, -64])
def test_variables(width):
    """A counter that goes beyond the largest number, or beyond 2^62."""
    start = (1 << (abs(width) - (1 if width > 0 else 2))) - 3
    values = [number(start + i, width) for i in range(8)]
    text = COUNTER.format(
        kind="signed" if width < 0 else "unsigned",
        width=abs(width),
        start=written(values[0], width),
        end=written(values[6], width),
        one=written(1, width),
        beyond=written(values[7], width),
    )
    document = smv.SmvDocument(text.encode())
    model = document.model()
    formulas = [each.formula for each in document.requirements(model)]
    assert [each.holds for each in pigro.check_all(model, formulas)] == [True, False]
    model = model.listed()
    assert model.core.declared_nodes == 14
    shown = [model.values(node)["x"] for node in range(14)]
    assert set(shown) == {written(each, width) for each in values[:7]}


def test_states_have_names_that_are_read_again():
    text = b"MODULE main VAR x : word[64]; ASSIGN x := 0ud64_18446744073709551615;"
    computed = smv.read(text).computed
    (state,) = computed.after([], 2)
    assert computed.name(state) == "18446744073709551615"
    assert computed.named(())(computed.name(state)) == tuple(state)
    assert computed.values(state) == {"x": "0ud64_18446744073709551615"}


def test_any_value_is_one_of_very_many():
    """The search finds an answer that is near."""
    text = b"MODULE main VAR x : word[64]; ASSIGN init(x) := 0ud64_0;"
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert pigro.check(smv.read(text), "EX x != 0ud64_0", timeout=60).holds


def test_words_beyond_64_bits_are_refused():
    with pytest.raises(pigro.InputError, match="words have 1 to 64 bits") as caught:
        smv.read(b"MODULE main VAR x : word[65];")
    assert caught.value.code == "P122"
    assert "several words" in caught.value.hint


def test_a_module_that_exits_has_words_of_63_bits():
    text = "MODULE main VAR x : word[{}]; ASSIGN init(x) := uwconst(0, {}); next(x) := EXIT;"
    assert smv.read(text.format(63, 63).encode()).core.declared_nodes == 2
    with pytest.raises(pigro.InputError, match="may be EXIT besides"):
        smv.read(text.format(64, 64).encode())
