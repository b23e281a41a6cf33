r"""The container of binary files: a header, a table of sections, and the sections.

    header, 32 bytes   8 bytes "\x89pigro\r\n". Major, minor, kind, 0: u16.
                       Number of sections, CRC-32: u32. Size of the file: u64
    row, 24 bytes      tag: 4 letters. Bytes of an item: u32. Offset, length in bytes: u64
    sections           in the order of their rows, each at the next multiple of 8. Zeros between

Numbers are little-endian. The CRC-32 is that of all bytes but its own four. A tag that begins with
a capital letter must be known to the reader of the file. Sections with other tags can be skipped.

The first bytes are chosen as those of PNG files: not text, and changed by everything that takes
the file for text. Needs: nothing of the bytes. Leaves: views of sections that lie in the bytes and
do not overlap, or an error. Cost: linear, and no more memory than the bytes take.
"""

from __future__ import annotations

import zlib
from struct import Struct
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

MAGIC = b"\x89pigro\r\n"
MAJOR, MINOR = 1, 0
"""A file with another major version is refused. A new minor version may add sections to skip."""
_HEADER = Struct("<8sHHHHIIQ")
_ROW = Struct("<4sIQQ")
_CRC = slice(20, 24)
_VERSION = slice(8, 10)


def join_sections(kind: int, sections: Iterable[tuple[str, int, bytes]]) -> bytes:
    """The file with these sections: tag, bytes of an item, content."""
    listed = list(sections)
    at = _HEADER.size + _ROW.size * len(listed)  # a multiple of 8
    rows, parts = [], []
    for tag, item, content in listed:
        rows.append(_ROW.pack(tag.encode("ascii"), item, at, len(content)))
        parts += [content, bytes(-len(content) % 8)]
        at += len(content) + len(parts[-1])
    made = bytearray(_HEADER.pack(MAGIC, MAJOR, MINOR, kind, 0, len(listed), 0, at))
    made += b"".join([*rows, *parts])
    made[_CRC] = _crc(made).to_bytes(4, "little")
    return bytes(made)


def split_sections(data: bytes, kind: int, known: Mapping[str, int]) -> dict[str, memoryview]:
    """The sections of a file by tag. `known` tags have items of so many bytes.

    Raises `InputError` P140 for a damaged file, and P141 for one that this version can't read.
    """
    count = _check_header(data, kind)
    found: dict[str, memoryview] = {}
    view = memoryview(data)
    at = _HEADER.size + _ROW.size * count
    if at > len(data):
        raise damaged(f"its table of {count:,} sections does not fit into it")
    for row in range(count):
        name, item, offset, length = _ROW.unpack_from(data, _HEADER.size + _ROW.size * row)
        tag = name.decode("latin-1")
        if offset != at or length > len(data) - at:
            raise damaged(f"section {row} is not where it should be")
        if tag in found:
            raise damaged(f"section {row} has the tag of another one")
        if tag not in known and tag[0].isupper():
            raise InputError("P141", f"section {row} is of a kind that this Pigro does not know")
        if tag in known and (item != known[tag] or length % item):
            raise damaged(f"section {row} has items of a wrong size")
        found[tag] = view[offset : offset + length]
        at += length + -length % 8
    if at != len(data):
        raise damaged("there are bytes after its last section")
    return found


def damaged(why: str) -> InputError:
    """The error for bytes that no Pigro has written."""
    hint = "make the file again with `pigro convert`"
    return InputError("P140", f"the binary file is damaged: {why}", hint=hint)


def _check_header(data: bytes, kind: int) -> int:
    """How many sections there are."""
    if not data.startswith(MAGIC):
        raise damaged("it does not begin as binary files of Pigro do")
    if len(data) < _HEADER.size:
        raise damaged("it ends in its header")
    major = int.from_bytes(data[_VERSION], "little")
    if major != MAJOR:
        raise InputError(
            "P141",
            f"the file has version {major} of the binary format; this Pigro reads version {MAJOR}",
            hint="read it with the version of Pigro that wrote it, or make it again",
        )
    _, _, _, what, zero, count, crc, size = _HEADER.unpack_from(data)
    if size != len(data):
        raise damaged(f"it has {len(data):,} bytes and should have {size:,}")
    if crc != _crc(data):
        raise damaged("its checksum is wrong")
    if zero or what != kind:
        raise InputError("P141", f"the file holds something else than a model: kind {what}")
    return int(count)


def _crc(data: bytes | bytearray) -> int:
    view = memoryview(data)
    return zlib.crc32(view[_CRC.stop :], zlib.crc32(view[: _CRC.start]))
