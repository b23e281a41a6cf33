"""Pushdown systems with changed bytes: a model or an error with a code, and one way of reading."""

from __future__ import annotations

import time
from itertools import islice, pairwise
from random import Random
from typing import TYPE_CHECKING

import pytest

from pigro import PigroError, _core
from pigro.diagnostics import render_error
from pigro.formats import pdmu, pds
from pigro.formats.pds import statement
from pigro.formats.pds.comments import without_comments
from pigro.formats.pds.system import PushdownSystem
from pigro.formats.text import checked

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro import RSM

PDS = b"""\
(start <bottom>)
ATOMS run running
ATOMS lib library, busy
ATOMS run <lib> both // a comment
start <bottom> --> run <main bottom>
run <main> --> run <lib back>
run <lib> --> run < >
run <back> --> run <main>  # another
run <back> --> run <a b c d>
run <bottom> --> end <bottom>
"""
PDMU = b"""\
Rules:
start bottom -> run main bottom;
run main -> run lib back;
run lib -> run _;
Propositions:
run main def_x run;
run lib use_x;
Mu Property:
nu X. [@def_x]ff
"""
SIGNS = b"<>()#/*-> \n\r\t,;ATOMSpq\x00\x1c\x85\xc3\xa9\xff_:"


def changed(data: bytes, rng: Random) -> bytes:
    """A few bytes replaced, removed, put in or repeated."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(made))
        kind = rng.randrange(4)
        if kind == 0:
            made[at] = rng.choice(SIGNS)
        elif kind == 1:
            del made[at : at + rng.randint(1, 9)]
        elif kind == 2:
            made[at:at] = bytes(rng.choice(SIGNS) for _ in range(rng.randint(1, 5)))
        else:
            other = rng.randrange(len(made))
            made[at:at] = made[other : other + 20]
    return bytes(made)


def is_taken(line: bytes) -> bool:
    """Whether the native core takes the line in before all others."""
    return _core.Pushdown().read_lines(b"(p <g>)\n" + line) == []


def the_long_way(data: bytes) -> PushdownSystem:
    """Every line by `statement.py`, none by the native core, in the order of the native core."""
    lines = [*enumerate(without_comments(checked(data, "x"), "x").split(b"\n"), 1)]
    system = PushdownSystem()
    initial: int | None = None
    for number, line in sorted(lines, key=lambda each: not is_taken(each[1])):
        place = statement.StatementPlace(line.decode(), "x", number)
        if statement.read(place, system):
            if initial is not None:
                raise statement.second_initial(place, initial)
            initial = number
    if initial is None:
        raise statement.no_initial("x", len(lines))
    return system


def result(data: bytes, parse: Callable[[bytes], PushdownSystem]) -> RSM | str:
    """The model, or the error as it is shown."""
    try:
        return pds.translate(parse(data), source="x")
    except PigroError as error:
        return render_error(error)


def assert_same(data: bytes) -> bool:
    """Both ways give the same model, or the same error. Which of them it was."""
    quick = result(data, lambda text: pds.parse(text, source="x"))
    slow = result(data, the_long_way)
    assert quick == slow, data
    if not isinstance(quick, str):
        assert not isinstance(slow, str)
        assert [*quick.label_ids] == [*slow.label_ids], data
        assert quick.positions == slow.positions, data
    return not isinstance(quick, str)


@pytest.mark.parametrize("translation", ["auto", "general"])
def test_changed_bytes(translation: str):
    models = 0
    for seed in range(2_000):
        rng = Random(seed)
        for data, read in ((PDS, pds.read), (PDMU, pdmu.read)):
            bad = changed(data, rng)
            try:
                read(bad, source="x", translation=translation)
            except PigroError as error:
                assert error.code in render_error(error)
            else:
                models += 1
    assert models > 400


def test_both_ways_of_reading_a_line_agree():
    read = [assert_same(changed(PDS, Random(seed))) for seed in range(2_000)]
    assert sum(read) > 200
    assert read.count(False) > 300


@pytest.mark.parametrize("at", range(17))
def test_any_byte_at_any_place_of_a_name(at: int):
    """Names are read eight bytes at a time."""
    for byte in range(256):
        name = b"abcdefghijklmnopq"[:at] + bytes([byte]) + b"rs"
        assert_same(b"p <%b> --> p <b>\nATOMS b %b, c\n(p <%b>)\n" % (name, name, name))


def test_names_of_any_length_and_ends_of_files():
    for length in range(1, 40):
        name = b"n" * length
        for end in (b"", b"\n", b"\r\n", b"\r", b" ", b"#", b",", b"<", b"\0"):
            assert_same(b"(p <g>)\np <g> --> p <%b>%b" % (name, end))
            assert_same(b"(p <g>)\nATOMS g %b%b" % (name, end))
            assert_same(b"ATOMS g a\n(p <%b>)%b" % (name, end))
            assert_same(b"(p <g>)\np <g> --> p <b> %b%b" % (name, end))


def word(rng: Random) -> bytes:
    """Few words, so that they repeat, of all lengths. Some begin alike, some are signs."""
    kind = rng.randrange(12)
    if kind == 0:
        return rng.choice(
            [b"--", b"ATOMS", b"#", b"(", b")", b",", b"p(x)", b"\xc3\xa9", b"", b"/"]
        )
    return b"prefix_of_eight_and_more"[: rng.choice([1, 6, 7, 8, 9, 15, 16, 17])] + b"%d" % kind


def random_line(rng: Random) -> bytes:
    """A statement that is mostly right."""
    one, two, three = word(rng), word(rng), word(rng)
    stack = b" ".join(word(rng) for _ in range(rng.choice([0, 1, 1, 2, 2, 5])))
    shapes = [b"%b <%b> --> %b <%b>" % (one, two, three, stack)] * 6
    shapes += [b"ATOMS %b %b, %b" % (one, two, three)] * 3
    shapes += [b"ATOMS %b <%b> %b" % (one, two, three), b"", b"# " + stack]
    return rng.choice(shapes)


def test_random_files():
    read = []
    for seed in range(1_500):
        rng = Random(seed)
        initial = b"(%b <%b>)" % (word(rng), word(rng))
        lines = [initial, *(random_line(rng) for _ in range(rng.randint(1, 8)))]
        rng.shuffle(lines)
        read.append(assert_same(rng.choice([b"\n", b"\r\n"]).join(lines)))
    assert min(sum(read), read.count(False)) > 100


def test_long_lines_and_many_lines():
    """Long stacks and lists of labels, and more names than are looked up together."""
    many = [b"name%d" % number for number in range(3_000)]
    data = b"(p <name0>)\np <name0> --> p <%b>\n" % b" ".join(many)
    data += b"ATOMS name1 " + b", ".join(many) + b"\n"
    data += b"".join(b"p <%b> --> p <%b>\n" % pair for pair in pairwise(many))
    assert assert_same(data)


def test_native_reading_can_be_stopped():
    calls = []

    def tick(_: int) -> None:
        calls.append(1)
        if len(calls) == 2:
            raise InterruptedError

    system = _core.Pushdown()
    with pytest.raises(InterruptedError):
        system.read_lines(b"p <a> --> p <b>\n" * 2_000_000, tick)
    with pytest.raises(RuntimeError, match="interrupted"):
        system.start_at("p", ["a"])


def test_native_splitting_can_be_stopped():
    system = PushdownSystem()
    for number in range(200_000):
        system.add("p", f"a{number}", "p", (f"a{number + 1}", "b"))
    system.start("p", ["a0"])

    def tick(_: int) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        system.core.split(1_000, _core.Semantics.STANDARD, tick)


def mixed(x: int) -> int:
    """The hash of a pair of names without a seed, as in native/core/base/names.hpp."""
    every = (1 << 64) - 1
    x ^= x >> 32
    x = x * 0x9E3779B97F4A7C15 & every
    x ^= x >> 29
    return (x * 0xBF58476D1CE4E5B9 & every) >> 32


def test_heads_that_are_chosen_by_their_hashes():
    """In one cluster of the table, 30,000 heads took seconds. They take a few milliseconds."""
    pairs = ((a, b) for a in range(4096) for b in range(4096))
    close = (pair for pair in pairs if mixed((pair[0] + 1) << 32 | (pair[1] + 1)) < 1 << 26)
    lines = [f"ATOMS n0 {', '.join(f'n{i}' for i in range(1, 4096))}"]
    lines += [f"n{a} <n{b}> --> n{a} <n{b}>" for a, b in islice(close, 30_000)]
    system = _core.Pushdown()
    began = time.process_time()
    system.read_lines("\n".join(lines).encode(), lambda _: None)
    assert time.process_time() - began < 1
