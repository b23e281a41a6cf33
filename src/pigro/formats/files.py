"""Reading and writing model files of any format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, printable
from pigro.formats.registry import format_named, format_of_content, format_of_suffix
from pigro.limits import unwatched
from pigro.model import DeadEnds, Semantics

if TYPE_CHECKING:
    from io import RawIOBase
    from typing import IO

    from pigro.formats.registry import Format
    from pigro.limits import Poll
    from pigro.model import RSM

_PIECE = 1 << 24
"""Bytes that are read at once."""


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - a keyword argument, the word for it
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
) -> RSM:
    """Reads a model file.

    Its format is found by the content, or else by the suffix; `format` names it. With
    `semantics="rsmcheck"` calls of entry-exit nodes are read as the tool RSMCheck does. `dead_ends`
    is `stutter` (default: a run stays there forever), `stop` (it ends there; default with rsmcheck)
    or `error`. Raises `InputError` or `ModelError`, with file, line and a hint.
    """
    data, source = read_bytes(path), os.fspath(path)
    kind = choose_format(data, source, format)
    return read_model(kind, data, source, semantics=semantics, dead_ends=dead_ends)


def choose_format(data: bytes, source: str | None, name: str | None) -> Format:
    """The format called `name`, or else the one that the content and the file's name tell."""
    return format_of_content(data, source) if name is None else format_named(name)


def read_model(  # noqa: PLR0913 - how to read is said by name
    kind: Format,
    data: bytes,
    source: str | None,
    *,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    poll: Poll = unwatched,
) -> RSM:
    """The model in the bytes of a file; `UsageError` P007 if the format can't be read.

    `poll` is called often, and may raise to stop.
    """
    poll()
    read = kind.need("read", "read")
    how = {"semantics": semantics, "dead_ends": dead_ends, **kind.polling(poll)}
    model: RSM = read(data, source=source, **how)
    poll()
    return model


def save(
    model: RSM,
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - see above
) -> None:
    """Writes a model file, whole or not at all, in the format of its suffix or the one named.

    A name that says no format gets an `.rsm` file.
    """
    kind = None if format is not None else format_of_suffix(os.fspath(path))
    kind = kind or format_named(format or "rsm")
    write_atomically(path, write_model(kind, model))


def write_model(kind: Format, model: RSM) -> bytes:
    """The bytes of the model's file; `UsageError` P007 if the format can't be written."""
    data: bytes = kind.need("write", "written")(model)
    return data


def read_bytes(path: str | os.PathLike[str], poll: Poll = unwatched) -> bytes:
    """The content of a file; `UsageError` P001 if it can't be read."""
    try:
        with Path(path).open("rb", buffering=0) as file:
            return read_all(file, poll)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError("P001", f"can't read {printable(str(path))}: {reason}") from None


def read_all(file: IO[bytes] | RawIOBase, poll: Poll = unwatched) -> bytes:
    """All that is left of a file, read in pieces so that `poll` can stop it."""
    pieces = []
    while piece := file.read(_PIECE):
        poll()
        pieces.append(piece)
    return pieces[0] if len(pieces) == 1 else b"".join(pieces)


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Replaces the file in one step; a failure or an interruption leaves the old one."""
    from pigro.formats.temporary import open_temporary  # noqa: PLC0415 - most runs write no file

    target = Path(path)
    temporary: Path | None = None
    try:
        handle, temporary = open_temporary(target)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            umask = os.umask(0)
            os.umask(umask)
            temporary.chmod(0o666 & ~umask)
            temporary.replace(target)  # while it is locked: see temporary.py
            temporary = None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError("P003", f"can't write {printable(str(path))}: {reason}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
