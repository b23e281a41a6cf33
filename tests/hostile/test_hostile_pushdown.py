"""Pushdown systems with changed bytes: a model or an error with a code, and one way of reading."""

from __future__ import annotations

import re
import subprocess
import sys
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
        place = statement.StatementLine(line.decode(), "x", number)
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


BEGINNINGS = (b"n", b"n", b"n", b"n_", b"node_", b"a_long_beginning_", b"n1_", b"x,", b"")


def numbered(rng: Random) -> bytes:
    """A name that ends in digits, mostly. Some are too long for a number, or begin with zeros."""
    digits = rng.choice(
        [b"%d" % rng.randrange(40)] * 6
        + [b"%d" % rng.randrange(5_000), b"%d" % rng.randrange(10**9), b"00", b"07", b"0", b"a"]
    )
    return rng.choice(BEGINNINGS) + digits


def numbered_lines(rng: Random) -> list[bytes]:
    """Lines that the native core takes in, with parts in which some beginnings are frequent."""
    lines = []
    for _ in range(rng.randint(1, 6)):
        often = rng.choice((b"n", b"m", b"k", b"n_", b"l", b"j"))
        for _ in range(rng.randint(1, 60)):
            names = [
                often + b"%d" % rng.randrange(60) if rng.random() < 0.6 else numbered(rng)
                for _ in range(6)
            ]
            rule = b"%b <%b> --> %b <%b>" % (*names[:3], b" ".join(names[3 : rng.randint(3, 6)]))
            labels = b"ATOMS %b %b, %b" % (names[0].replace(b",", b""), names[1], names[2])
            lines.append(rng.choice([rule, rule, labels]))
    return lines


def test_names_are_numbered_as_they_come():
    """However a name is found: by its number or by its hash."""
    for seed in range(150):
        rng = Random(seed)
        lines = numbered_lines(rng)
        expected = dict.fromkeys([b""])
        for line in lines:
            is_label = line.startswith(b"ATOMS ")
            signs = rb"[^<>, ]+" if is_label else rb"[^<> ]+"
            expected |= dict.fromkeys(re.findall(signs, line.replace(b"-->", b""))[is_label:])
        system = _core.Pushdown()
        cut = rng.randrange(len(lines) + 1)
        for part in (lines[:cut], lines[cut:]):
            assert system.read_lines(b"\n".join(part)) == []
        names = rng.choices([*expected], k=20)
        for name in names:
            system.add_labels(name.decode(), [name.decode()])
        assert [each.encode() for each in system.names] == [*expected]


def test_files_of_numbered_names():
    read = []
    for seed in range(60):
        rng = Random(seed)
        lines = [b"(n0 <n1 n2>)", *numbered_lines(rng), *(random_line(rng) for _ in range(3))]
        rng.shuffle(lines)
        read.append(assert_same(b"\n".join(lines)))
    assert sum(read) > 20


LARGE_NUMBERS = """
import pathlib, re
from pigro import _core
def peak():  # not ru_maxrss, which a child inherits
    return int(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
lines = b"".join(b"p <%c9999999> --> p <%c9999998>\\n" % (k, k) for k in b"abcdefgh")
before = peak()
_core.Pushdown().read_lines(lines * 100)
print(peak() - before)
"""


def test_large_numbers_take_little_memory():
    """Arrays of names by number are not much longer than there are names. They could be 160 MB."""
    done = subprocess.run(
        [sys.executable, "-c", LARGE_NUMBERS], capture_output=True, check=True, timeout=100
    )
    assert int(done.stdout) < 20_000  # kB


def test_native_reading_asks_before_it_takes_much_memory():
    """An array of names by number grows from 80 kB to 5 MB at once."""
    asked = []
    lines = [f"p <n{i}> --> p <n{i + 1}>" for i in range(20_000)]
    lines += ["p <n1250000> --> p <n0>", "(p <n0>)"]
    _core.Pushdown().read_lines("\n".join(lines).encode(), asked.append)
    assert max(asked) == 4 * 1_250_001


def test_native_splitting_asks_before_it_takes_much_memory():
    """Labels of nodes once for the arrays, once for all that follows, and once for the model."""
    system = PushdownSystem()
    for number in range(2_000):
        system.add("p", f"a{number}", "p", ("x", f"a{number + 1}"))
    system.add("p", "x", "q" * 5_000, ())
    system.label("p", [f"l{number}" for number in range(1_000)])
    system.start("p", ["a0"])
    asked: list[int] = []
    system.core.split(10_000, _core.Semantics.STANDARD, asked.append)
    labels = 4 * 1_000 * 2_002
    *names, arrays, following, model = filter(None, asked)
    assert arrays == labels < min(following, model)
    assert max(following, model) < 1.1 * labels
    assert sum(names) > 2_000 * 5_000
    assert max(names) < 3 * 2_000 * 5_000


def test_a_second_text_has_the_initial_configuration():
    """It takes the place of the first one, as a second `start_at` does."""
    system = _core.Pushdown()
    assert system.read_lines(b"(p <a b>)\np <a> --> p <>") == []
    assert system.read_lines(b"(q <c d e>)\nq <c> --> p <>") == []
    names = system.names
    assert names[system.initial_state] == "q"
    assert [names[each] for each in system.initial_stack] == ["c", "d", "e"]


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
