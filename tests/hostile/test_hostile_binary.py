"""Damaged and forged `.pigro` files: an error with a code, or the model. Never anything else."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings
import zlib
from array import array

import pytest

from pigro import ModelBuilder, PigroError, check, kripke, load
from pigro.engines.likely_mistakes import UnknownLabelWarning
from pigro.formats import binary
from pigro.model.binary.packing import _ITEMS, _MODEL, pack
from pigro.model.binary.sections import join_sections, split_sections

from support.processes.children import counts_memory


def small() -> ModelBuilder:
    model = ModelBuilder(file="a.c")
    main = model.component("m", at=1)
    main.entry("a", labels=["p", "\u00e9"], at=(2, 3, 4, 5), file="\u00e9.c")
    main.exit("z")
    box = main.box("b", calls="m", at=(3, 3, 3, 4))
    main.edge("a", box.call("a"), "z")
    main.edge(box.returned("z"), "z")
    return model


MODEL = small().build(initial="m:a")
FILE = binary.write(MODEL)


def with_crc(data: bytes | bytearray) -> bytes:
    """With the checksum that a forger would write."""
    crc = zlib.crc32(data[24:], zlib.crc32(data[:20]))
    return bytes(data[:20]) + crc.to_bytes(4, "little") + bytes(data[24:])


def outcome(data: bytes) -> str:
    """The code of the error, or the verdict. All else escapes and fails the test."""
    try:
        model = binary.read(data, source="hostile.pigro")
        names = [*model.names.nodes, *model.names.boxes, *model.names.components]
        assert all(isinstance(name, str) for name in names)
        for node in range(model.core.nodes):
            place = model.position(node)
            assert place is None or 1 <= place.line <= place.end_line
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnknownLabelWarning)
            return check(model, "AG (p -> EF !p)").outcome
    except PigroError as error:
        assert str(error).isprintable(), ascii(str(error))
        assert len(str(error)) < 2000
        assert error.position.source == "hostile.pigro"
        return error.code


def test_the_file_itself():
    assert outcome(FILE) == "holds"
    assert binary.read(FILE) == MODEL


def test_every_bit_flipped():
    for at in range(len(FILE)):
        for bit in range(8):
            data = bytearray(FILE)
            data[at] ^= 1 << bit
            assert outcome(bytes(data)) in ("P140", "P141"), (at, bit)


def test_every_byte_changed_to_every_value():
    """All of them are found: a CRC-32 tells any change within four bytes."""
    for at in range(len(FILE)):
        for value in range(0, 256, 5):
            if value != FILE[at]:
                data = FILE[:at] + bytes([value]) + FILE[at + 1 :]
                assert outcome(data) in ("P140", "P141"), (at, value)


def test_every_bit_flipped_under_a_right_checksum():
    """Now the checks behind it have to hold."""
    seen = set()
    for at in range(len(FILE)):
        for bit in range(8):
            data = bytearray(FILE)
            data[at] ^= 1 << bit
            seen.add(outcome(with_crc(data)))
    assert seen >= {"P140", "P141", "P212", "holds", "fails"}


def test_truncated_at_every_byte():
    for length in range(len(FILE)):
        assert outcome(FILE[:length]) == "P140"


def test_zeros_from_every_byte_on():
    """As after a crash: the file has its size, but not its content."""
    content = len(FILE.rstrip(b"\0"))
    for length in range(content):
        data = FILE[:length] + bytes(len(FILE) - length)
        assert outcome(data) in ("P140", "P141")


def test_every_byte_left_out_or_doubled():
    for at in range(len(FILE)):
        assert outcome(FILE[:at] + FILE[at + 1 :]) in ("P140", "P141")
        assert outcome(FILE[:at] + FILE[at : at + 1] + FILE[at:]) in ("P140", "P141")


@pytest.mark.parametrize("start", range(0, 6000, 1000))
def test_random_forgeries(start: int):
    """Sections replaced by random ones of about the right size, in a file that is otherwise fine."""
    codes = set()
    for seed in range(start, start + 1000):
        rng = random.Random(seed)
        sections = {tag: bytes(each) for tag, each in split_sections(FILE, _MODEL, _ITEMS).items()}
        for tag in rng.sample(sorted(sections), rng.choice((1, 1, 2, 4))):
            sections[tag] = _noise(rng, tag, sections[tag])
        made = join_sections(_MODEL, ((tag, _ITEMS[tag], each) for tag, each in sections.items()))
        codes.add(outcome(made))
    assert codes >= {"P140", "P212", "holds"}


def _noise(rng: random.Random, tag: str, content: bytes) -> bytes:
    if _ITEMS[tag] == 1:
        data = bytearray(content)
        data[rng.randrange(len(data) + 1) :] = rng.randbytes(rng.randrange(3))
        return bytes(data)
    values = array("i", content)
    odd = (-1, 0, 1, 2, 3, 4, 5, 7, 2**31 - 1, -(2**31), 2**30)
    kind = rng.randrange(3)
    if kind == 0 or not values:
        values.append(rng.choice(odd))
    elif kind == 1:
        values.pop(rng.randrange(len(values)))
    else:
        values[rng.randrange(len(values))] = rng.choice(odd)
    return values.tobytes()


@counts_memory
@pytest.mark.parametrize(
    ("at", "new"),
    [
        (16, b"\xff\xff\xff\xff"),  # sections
        (24, b"\xff" * 8),  # the size of the file
        (32 + 8, (2**63).to_bytes(8, "little")),  # the offset of the first section
        (32 + 16, (2**62).to_bytes(8, "little")),  # its length
        (32 + 16, (2**64 - 8).to_bytes(8, "little")),
    ],
)
def test_huge_numbers_take_no_memory(at: int, new: bytes, tmp_path):
    """In a process that can't have much."""
    data = bytearray(FILE)
    data[at : at + len(new)] = new
    (tmp_path / "huge.pigro").write_bytes(with_crc(data))
    program = (
        "import resource, sys, pigro, pigro.formats.binary\n"
        "resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))\n"
        "try: pigro.load(sys.argv[1])\n"
        "except pigro.PigroError as error: print(error.code)\n"
    )
    ran = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path / "huge.pigro")],
        capture_output=True,
        timeout=120,
        check=False,
    )
    assert (ran.stdout, ran.returncode) == (b"P140\n", 0), ran.stderr


@pytest.mark.parametrize("content", [b"", FILE[:4], FILE[:8], b"\x88" + FILE[1:], b"{}" + FILE])
def test_files_that_only_have_the_name(content: bytes, tmp_path):
    (tmp_path / "x.pigro").write_bytes(content)
    with pytest.raises(PigroError) as caught:
        load(tmp_path / "x.pigro")
    assert caught.value.code in ("P140", "P102")


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"\xff", "P140"),
        (b"{", "P101"),
        (b'{"x": ' + b"[" * 100_000, "P104"),
        (b"7", "P103"),
        (b'{"properties": 7}', "P103"),
        (b'{"properties": [{"formula": "AG ("}]}', "P301"),
        (b'{"properties": [{"formula": "p", "initial_component": "x"}]}', "P202"),
    ],
)
def test_formulas_that_are_none(content, code):
    model = kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a")
    data = pack(model, formulas=content)
    assert binary.read(data) == model
    with pytest.raises(PigroError) as caught:
        binary.requirements(data, source="x.pigro", model=model)
    assert caught.value.code == code
    assert caught.value.position.source == "x.pigro"
