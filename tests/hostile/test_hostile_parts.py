"""`.parts` files with changed bytes and of odd sizes: parts, or one error, and one way of reading."""

from __future__ import annotations

from random import Random

import pytest

from pigro import Composition, Part, PigroError
from pigro.diagnostics import render_error
from pigro.formats.parts import parse, reading

FILE = b"""\
# two parts
part left
  labels p, "q r", s
  state a { p, s? } initial
  state b { p, s? }
  state c {}
  a -> b, c   # must
  b ~> a
  c -> c, a
part right
  actions x, y
  labels t
  state "1" { t } initial
  state d { t }
  "1" -x-> d, d
  d ~y~> d
  d -tau-> "1"
compose left
check AG (p -> EF "q r")
"""
SIGNS = b'{}<>~-,?#".    \n\n\r\tabcdabcdpxy1\x00\x1b\xff\\'


def changed(data: bytes, rng: Random) -> bytes:
    """A few bytes replaced, removed, put in or repeated."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 2)):
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


def outcome(data: bytes) -> object:
    """All that there is to see of the parts that are read."""
    try:
        file = parse(data, source="f.parts")
    except PigroError as error:
        assert error.code != "P901"
        shown = render_error(error)
        assert all(line.isprintable() for line in shown.split("\n"))
        return shown
    for part in file.parts:
        Composition([part])
    return [[getattr(part, name) for name in Part.__slots__] for part in file.parts], file.compose


def test_changed_bytes_and_the_quick_way_reads_as_the_careful_one(monkeypatch):
    rng = Random(3)
    files = [changed(FILE, rng) for _ in range(1_500)]
    quick = [outcome(data) for data in files]
    monkeypatch.setattr(reading, "_read_known", lambda draft, line, number: False)
    careful = [outcome(data) for data in files]
    assert quick == careful
    read = sum(not isinstance(each, str) for each in quick)
    assert 40 < read < 1_300


def test_truncated_files():
    for end in range(len(FILE)):
        outcome(FILE[:end])


@pytest.mark.parametrize(
    "data, code",
    [
        (b"\x00" * 100_000, "P130"),
        (b"\xff\xfe" + b"p\0a\0r\0t\0", "P102"),
        (bytes(range(256)) * 100, "P102"),
        (b"part a\n" + b"{" * 1_000_000, "P130"),
        (b"part " + b"a" * 1_000_000 + b"!", "P130"),
        (b"part a\nstate s initial\ns -> " + b"s, " * 200_000, "P130"),
        (b'part a\nstate "' + b"\\" * 1_000_000, "P130"),
        (b"part a\nstate s initial\ncheck " + b"(" * 100_000, "P301"),
        (b"part a\nstate s initial\n" + b"check AG p\n" * 3 + b"check", "P305"),
        (b"part a\nlabels " + b"p, " * 99_999 + b"p", "P132"),
        (b"part a\rstate s initial\r", "P130"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_files_that_are_none(data, code):
    with pytest.raises(PigroError) as found:
        parse(data, source="f.parts")
    assert found.value.code == code
    assert len(render_error(found.value)) < 1_000


def test_a_table_of_labels_that_would_fill_the_memory():
    labels = ", ".join(f"p{each}" for each in range(20_000))
    states = "".join(f"state s{each} {{}} initial\n" for each in range(20_000))
    with pytest.raises(PigroError) as found:
        parse(f"part wide\nlabels {labels}\n{states}".encode(), source="f.parts")
    assert found.value.code == "P213"
    assert found.value.position.line == 1


def in_a_ring(count: int) -> list[str]:
    lines = ["part big", "labels p, q"]
    lines += [f"state s{each} {{ {'p' if each % 3 else 'q'} }}" for each in range(count)]
    lines += [f"s{each} -> s{(each + 1) % count}" for each in range(count)]
    lines[2] += " initial"
    return lines


def test_a_hundred_thousand_states():
    count = 100_000
    (part,) = parse("\n".join(in_a_ring(count)).encode()).parts
    assert (len(part.states), len(part.targets)) == (count, count)
    assert Composition([part]).states == count


def test_a_mistake_at_the_end_of_a_long_file_has_its_place():
    lines = [*in_a_ring(2_000), "s0 -> s1, s2000"]
    with pytest.raises(PigroError) as found:
        parse("\n".join(lines).encode())
    assert (found.value.position.line, found.value.position.column) == (len(lines), 11)
