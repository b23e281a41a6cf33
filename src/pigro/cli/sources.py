"""Model files as the commands read them: from a file or standard input, in any format."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import UsageError
from pigro.formats import choose_format, read_bytes, read_model

if TYPE_CHECKING:
    from pigro.formats import Format
    from pigro.model import RSM

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a model file, and its format."""

    data: bytes
    format: Format
    name: str
    document: Any = None
    """The file as its format's `Document`, if it has one: see `formats/registry.py`."""

    def fresh(self) -> Source:
        """The same file, of whose document nothing was asked yet."""
        document = self.format.offer("Document")
        made = None if document is None else document(self.data, source=self.name)
        return replace(self, document=made)

    def model(self, *, semantics: str = "standard", dead_ends: str | None = None) -> RSM:
        """The model; it has the labels of the formulas that were asked of the document before."""
        if self.document is None:
            return read_model(
                self.format, self.data, self.name, semantics=semantics, dead_ends=dead_ends
            )
        model: RSM = self.document.model(semantics=semantics, dead_ends=dead_ends)
        return model


def open_source(path: str, format_name: str | None = None) -> Source:
    """A file or, for `-`, standard input."""
    data, name = read_content(path)
    kind = choose_format(data, None if path == STDIN else path, format_name)
    return Source(data, kind, name).fresh()


def read_content(path: str) -> tuple[bytes, str]:
    """The bytes of a file or of standard input, and the name to call it by."""
    if path != STDIN:
        return read_bytes(path), path
    if sys.stdin is None:
        raise UsageError("P001", "standard input (-) is closed")
    return sys.stdin.buffer.read(), "<stdin>"
