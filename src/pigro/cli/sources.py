"""Model files as the commands read them: from a file or standard input, in any format."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError
from pigro.formats import choose_format, read_bytes, read_model

if TYPE_CHECKING:
    from pigro.formats import Format
    from pigro.model import RSM

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """A model, the file's content and its format."""

    model: RSM
    data: bytes
    format: Format
    name: str


def read_source(
    path: str,
    format_name: str | None = None,
    *,
    semantics: str = "standard",
    dead_ends: str | None = None,
) -> Source:
    """The model in a file or, for `-`, in standard input."""
    data, name = read_content(path)
    kind = choose_format(data, None if path == STDIN else path, format_name)
    model = read_model(kind, data, name, semantics=semantics, dead_ends=dead_ends)
    return Source(model, data, kind, name)


def read_content(path: str) -> tuple[bytes, str]:
    """The bytes of a file or of standard input, and the name to call it by."""
    if path != STDIN:
        return read_bytes(path), path
    if sys.stdin is None:
        raise UsageError("P001", "standard input (-) is closed")
    return sys.stdin.buffer.read(), "<stdin>"
