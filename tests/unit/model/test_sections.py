"""The container of binary files: what is written is read, and nothing else is."""

from __future__ import annotations

import zlib

import pytest

from pigro import InputError
from pigro.model.binary.sections import MAGIC, join_sections, split_sections

KNOWN = {"IDS_": 4, "TEXT": 1, "more": 4}
FILE = join_sections(1, [("IDS_", 4, bytes(12)), ("TEXT", 1, b"abc"), ("more", 4, b"")])


def with_crc(data: bytes | bytearray) -> bytes:
    """The same bytes with the right checksum, as whoever forges a file would write them."""
    crc = zlib.crc32(data[24:], zlib.crc32(data[:20]))
    return bytes(data[:20]) + crc.to_bytes(4, "little") + bytes(data[24:])


def changed(at: int, new: bytes, data: bytes = FILE) -> bytes:
    """The file with other bytes at a place, and their checksum."""
    made = bytearray(data)
    made[at : at + len(new)] = new
    return with_crc(made)


def u64(value: int) -> bytes:
    return value.to_bytes(8, "little")


ROW = 32  # the first row. Those after it follow by 24 bytes
REFUSED = {
    "empty": (b"", "P140", "does not begin"),
    "first byte": (b"\x88" + FILE[1:], "P140", "does not begin"),
    "line ends": (FILE.replace(b"\r\n", b"\n"), "P140", "does not begin"),
    "magic only": (MAGIC, "P140", "ends in its header"),
    "header cut": (FILE[:31], "P140", "ends in its header"),
    "major": (changed(8, b"\x02\0"), "P141", "version 2 of the binary format"),
    "kind": (changed(12, b"\x07\0"), "P141", "kind 7"),
    "reserved": (changed(14, b"\1\0"), "P141", "kind 1"),
    "cut": (FILE[:-1], "P140", f"has {len(FILE) - 1} bytes and should have {len(FILE)}"),
    "longer": (FILE + b"\0", "P140", "should have"),
    "size": (changed(24, u64(2**64 - 1)), "P140", "should have 18,446,744,073,709,551,615"),
    "checksum": (FILE[:20] + b"\0\0\0\0" + FILE[24:], "P140", "checksum"),
    "sections": (changed(16, b"\xff" * 4), "P140", "table of 4,294,967,295 sections"),
    "no sections": (changed(16, b"\0" * 4), "P140", "bytes after its last section"),
    "one less": (changed(16, b"\2\0\0\0"), "P140", "section 0 is not where it should be"),
    "capital tag": (changed(ROW, b"IDSX"), "P141", "section 0 is of a kind"),
    "same tag": (changed(ROW, b"more"), "P140", "section 2 has the tag of another one"),
    "odd tag": (changed(ROW, b"\xc9\xff\0\0"), "P141", "section 0 is of a kind"),
    "item size": (changed(ROW + 4, b"\2"), "P140", "section 0 has items of a wrong size"),
    "item size 0": (changed(ROW + 4, b"\0"), "P140", "section 0 has items of a wrong size"),
    "half an item": (changed(ROW + 16, u64(11)), "P140", "section 0 has items of a wrong size"),
    "offset": (changed(ROW + 8, u64(0)), "P140", "section 0 is not where"),
    "offset too large": (changed(ROW + 8, u64(2**64 - 8)), "P140", "section 0 is not where"),
    "overlap": (changed(ROW + 24 + 8, u64(104)), "P140", "section 1 is not where"),
    "length": (changed(ROW + 16, u64(2**64 - 4)), "P140", "section 0 is not where"),
    "beyond the end": (changed(ROW + 48 + 16, u64(4)), "P140", "section 2 is not where"),
    "short": (changed(ROW + 24 + 16, u64(0)), "P140", "section 2 is not where"),
}


def test_sections_are_read_as_they_were_written():
    found = split_sections(FILE, 1, KNOWN)
    assert {tag: bytes(view) for tag, view in found.items()} == {
        "IDS_": bytes(12),
        "TEXT": b"abc",
        "more": b"",
    }
    assert len(FILE) == 32 + 3 * 24 + 16 + 8


def test_unknown_sections_with_small_letters_are_skipped():
    found = split_sections(FILE, 1, {"IDS_": 4, "TEXT": 1})
    assert bytes(found["TEXT"]) == b"abc"


def test_a_new_minor_version_is_read():
    assert split_sections(changed(10, b"\xff\xff"), 1, KNOWN)


@pytest.mark.parametrize("why", REFUSED)
def test_refused(why: str):
    data, code, message = REFUSED[why]
    with pytest.raises(InputError, match=message) as caught:
        split_sections(data, 1, KNOWN)
    assert caught.value.code == code
