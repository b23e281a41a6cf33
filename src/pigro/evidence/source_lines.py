"""The text of source lines, for showing them beside the nodes that stand for them.

The names of source files come from models, which may be hostile, and files may be missing, changed
since, huge or binary. So only regular files are read, up to a size, and only in the folder where
Pigro runs, in that of the model file, or below these: a report must not show the lines of private
files because a model names them. Where there is no text, the position is shown alone.
"""

from __future__ import annotations

import os
import stat
from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from pigro.model import RSM, SourcePosition

_LARGEST = 1 << 24
"""Bytes of a file."""
_ALL = 1 << 26
"""Bytes of all files together."""
_LONGEST = 80
"""Characters of a line that are shown."""
_LOOKED_AT = 1000
"""Bytes of a line that are looked at."""


def shown_position(model: RSM, position: SourcePosition | None) -> str:
    """A position, with the text of its line if there is one. Empty without a position.

    >>> from pigro import ModelBuilder
    >>> program = ModelBuilder(file="gone.c")
    >>> program.component("main").entry("start", at=(3, 5))
    >>> model = program.build(initial="main:start")
    >>> shown_position(model, model.position(0))
    'gone.c:3:5'
    """
    if position is None:
        return ""
    text = line_text(model, position)
    return f"{position}: {text}" if text else str(position)


def line_text(model: RSM, position: SourcePosition) -> str:
    """The line where a position begins, on one line and harmless. Empty if it can't be read."""
    return model.kept("source lines", SourceLines).text(position)


def source_columns(model: RSM, position: SourcePosition | None) -> list[object]:
    """A source position and the text of its line. Nothing without a position."""
    return [] if position is None else [str(position), line_text(model, position)]


class SourceLines:
    """The source files of a model, each read once."""

    def __init__(self, model: RSM) -> None:
        self._source = model.source
        folders = ["."] if not model.source else [".", os.path.dirname(model.source) or "."]
        self._folders = list(dict.fromkeys(map(os.path.realpath, folders)))
        self._files: dict[str, list[bytes]] = {}
        self._left = _ALL

    def text(self, position: SourcePosition) -> str:
        """The line where a position begins. Empty if there is none."""
        lines = self._files.get(position.file)
        if lines is None:
            lines = self._files[position.file] = self._read(position.file)
        if position.line > len(lines):
            return ""
        line = lines[position.line - 1]
        cut = " ..." if len(line) > _LOOKED_AT else ""
        text = " ".join(line[:_LOOKED_AT].decode("utf-8", "replace").split()) + cut
        return printable(text, _LONGEST)

    def _read(self, name: str) -> list[bytes]:
        for path in self._paths(name):
            data = _content(path, min(_LARGEST, self._left))
            if data is not None:
                self._left -= len(data)
                return data.removeprefix(b"\xef\xbb\xbf").split(b"\n")
        return []

    def _paths(self, name: str) -> list[str]:
        """Where a file may be, links followed."""
        try:
            found = [os.path.realpath(os.path.join(each, name)) for each in self._folders]
        except (OSError, ValueError):
            return []
        if name == self._source:  # who named it may read it
            return found
        return [each for each in dict.fromkeys(found) if self._is_inside(each)]

    def _is_inside(self, path: str) -> bool:
        return any(path.startswith(each.rstrip(os.sep) + os.sep) for each in self._folders)


def _content(path: str, most: int) -> bytes | None:
    """The bytes of a regular text file. A pipe is not waited for."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except (OSError, ValueError):
        return None
    try:
        with os.fdopen(handle, "rb") as file:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode) or status.st_size > most:
                return None
            data = file.read(most)
    except OSError:
        return None
    return None if b"\0" in data else data
