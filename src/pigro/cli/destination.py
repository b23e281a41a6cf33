"""Where results go: standard output, or a file that is replaced in one step."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import IO, TYPE_CHECKING

from pigro.cli.failures import abandon_stdout
from pigro.diagnostics import UsageError, printable
from pigro.formats import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable


STDOUT = ("-", "/dev/stdout")


def check_destination(output: str | None, inputs: Iterable[str]) -> None:
    """`UsageError` P003 when the output file could not be written, before any work is done."""
    if output is None or output in STDOUT:
        return
    target = Path(output)
    folder = Path(os.path.realpath(output)).parent
    if not output or target.is_dir():
        raise _refused(output, "it is a folder" if output else "the name is empty")
    if not folder.is_dir():
        raise _refused(output, "its folder does not exist")
    if _is_special(target):
        return
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _refused(output, "its folder is not writable")
    if target.exists() and any(_same(target, each) for each in inputs):
        raise _refused(output, "it is an input of this run")


def write_output(output: str | None, data: bytes) -> None:
    """All results at once, to the output file or else to standard output."""
    if output is None or output in STDOUT:
        if output is not None and sys.stdout is None:
            raise UsageError("P003", "can't write to standard output: it is closed")
        write_stdout(data)
    elif _is_special(Path(output)):
        _write_special(output, data)
    else:
        write_atomically(os.path.realpath(output), data)  # a link stays a link


def write_stdout(data: bytes | str) -> None:
    """Writes and flushes; `BrokenPipeError` when nobody reads any more."""
    out = sys.stdout
    if out is None:
        return
    try:
        if isinstance(data, str):
            data = data.encode(out.encoding or "utf-8", out.errors or "backslashreplace")
        out.flush()
        _write_all(out.buffer, data)
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_stdout()
        raise UsageError("P003", f"can't write to standard output: {error.strerror}") from None


def _is_special(target: Path) -> bool:
    """A device, pipe or open file such as /dev/null: written to, never replaced by a file."""
    opened = os.path.abspath(target).startswith(("/dev/fd/", "/dev/std", "/proc/"))  # noqa: PTH100
    return opened or (target.exists() and not target.is_file())


def _write_special(output: str, data: bytes) -> None:
    try:
        with Path(output).open("ab", buffering=0) as file:
            _write_all(file, data)
    except BrokenPipeError:
        raise
    except OSError as error:
        raise _refused(output, error.strerror or str(error)) from None


def _write_all(file: IO[bytes], data: bytes) -> None:
    """An unbuffered file may take a part only, and say so by a number."""
    rest = memoryview(data)
    while rest:
        rest = rest[file.write(rest) :]
    file.flush()


def _same(target: Path, other: str) -> bool:
    try:
        return target.samefile(other)
    except (OSError, ValueError):
        return False


def _refused(output: str, why: str) -> UsageError:
    return UsageError("P003", f"can't write {printable(output)}: {why}")
