"""Model files as the commands read them: from a file or standard input, in any format."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import UsageError
from pigro.formats import choose_format, read_all, read_bytes, read_model
from pigro.limits import unwatched

if TYPE_CHECKING:
    from pigro.formats import Format
    from pigro.limits import Poll
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

    def fresh(self, poll: Poll = unwatched) -> Source:
        """The same file, of whose document nothing was asked yet."""
        document = self.format.offer("Document")
        if document is None:
            return self
        made = document(self.data, source=self.name, **self.format.polling(poll))
        return replace(self, document=made)

    def model(
        self,
        *,
        semantics: str = "standard",
        dead_ends: str | None = None,
        poll: Poll = unwatched,
    ) -> RSM:
        """The model; it has the labels of the formulas that were asked of the document before."""
        if self.document is None:
            return read_model(
                self.format,
                self.data,
                self.name,
                semantics=semantics,
                dead_ends=dead_ends,
                poll=poll,
            )
        polling = self.format.polling(poll)
        model: RSM = self.document.model(semantics=semantics, dead_ends=dead_ends, **polling)
        return model


def open_source(path: str, format_name: str | None = None, poll: Poll = unwatched) -> Source:
    """A file or, for `-`, standard input."""
    data, name = read_content(path, poll)
    kind = choose_format(data, None if path == STDIN else path, format_name)
    return Source(data, kind, name).fresh(poll)


def read_content(path: str, poll: Poll = unwatched) -> tuple[bytes, str]:
    """The bytes of a file or of standard input, and the name to call it by."""
    if path != STDIN:
        return read_bytes(path, poll), path
    if sys.stdin is None:
        raise UsageError("P001", "standard input (-) is closed")
    return read_all(sys.stdin.buffer, poll), "<stdin>"
