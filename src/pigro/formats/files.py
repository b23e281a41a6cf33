"""Reading and writing model files of any format."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, Position, UsageError, printable
from pigro.formats import rsm_json
from pigro.model import DeadEnds, Semantics

if TYPE_CHECKING:
    from pigro.model import RSM


def load(
    path: str | os.PathLike[str],
    *,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
) -> RSM:
    """Reads a model file.

    `semantics="rsmcheck"` reads calls of entry-exit nodes as the tool RSMCheck does. `dead_ends` is
    `stutter` (default: a run stays there forever), `stop` (it ends there; default with rsmcheck) or
    `error`. Raises `InputError` or `ModelError`, with file, line and a hint.
    """
    data = read_bytes(path)
    if not data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith((b"{", b"[")) and not str(path).endswith(
        (".rsm", ".json")
    ):
        raise InputError(
            "P105",
            "not a model file that Pigro reads",
            position=Position(source=str(path)),
            hint="Pigro reads .rsm files (JSON)",
        )
    return rsm_json.read(data, source=str(path), semantics=semantics, dead_ends=dead_ends)


def save(model: RSM, path: str | os.PathLike[str]) -> None:
    """Writes a model as an `.rsm` file, whole or not at all."""
    write_atomically(path, rsm_json.write(model))


def read_bytes(path: str | os.PathLike[str]) -> bytes:
    """The content of a file; `UsageError` P001 if it can't be read."""
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError("P001", f"can't read {printable(str(path))}: {reason}") from None


def write_atomically(path: str | os.PathLike[str], data: bytes) -> None:
    """Replaces the file in one step; a failure or an interruption leaves the old one."""
    import tempfile  # noqa: PLC0415 - most runs write no file

    target = Path(path)
    temporary: Path | None = None
    try:
        handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:50]}.")
        temporary = Path(name)
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        umask = os.umask(0)
        os.umask(umask)
        temporary.chmod(0o666 & ~umask)
        temporary.replace(target)
        temporary = None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise UsageError("P003", f"can't write {printable(str(path))}: {reason}") from None
    finally:
        if temporary is not None:
            temporary.unlink(missing_ok=True)
