"""Where results go: standard output, or a file, which `formats/files.py` writes.

Standard output that was closed before the start, as by `>&-`, is an error where it is written to:
Python has no `sys.stdout` then, and printing would do nothing, silently.
"""

from __future__ import annotations

import io
import os
import sys
from typing import TYPE_CHECKING, NoReturn

from pigro.cli.failures import abandon_stdout
from pigro.diagnostics import InputProblems, PigroError, UsageError, printable
from pigro.formats.files import is_read_only, is_special, write_all, write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from pigro.cli.output import OutputOptions
    from pigro.session.request import Request


class ClosedStdout(io.TextIOBase):
    """Refuses all text."""

    def write(self, _text: str, /) -> NoReturn:
        """`UsageError` P003."""
        raise closed_error()


def closed_error() -> UsageError:
    """The error."""
    hint = "to see no results, send them to /dev/null"
    return UsageError("P003", "can't write to standard output: it is closed", hint=hint)


def require_stdout() -> None:
    """`UsageError` P003 if standard output is closed."""
    if sys.stdout is None or isinstance(sys.stdout, ClosedStdout):
        raise closed_error()


STDOUT = ("-", "/dev/stdout")


def check_places(request: Request, wanted: OutputOptions) -> InputProblems:
    """What keeps a run from reading its input or from writing its results.

    `InputProblems` if standard input would have to be read twice.
    """
    problems = InputProblems()
    inputs = (*request.subject, *request.files)
    if inputs.count("-") > 1:
        raise InputProblems([UsageError("P001", "standard input (-) can be read only once")])
    if request.composes:
        inputs += tuple(each.rpartition(":")[0] or each for each in request.subject)
    for path, check in (
        (STDOUT[0] if wanted.output is None else wanted.output, None),
        (wanted.certificate, _check_apart),
        (wanted.html, None),
        (wanted.assumption, None),
        (wanted.draw, _check_drawing if wanted.draw is not None else None),
    ):
        try:
            check_destination(path, inputs)
            if check is not None:
                check(wanted)
        except PigroError as error:
            problems.add(error)
    return problems


def _check_apart(wanted: OutputOptions) -> None:
    """What a run writes must not end up in the same place."""
    require_apart(
        {
            "results": wanted.output or STDOUT[0],
            "certificates": wanted.certificate,
            "report": wanted.html,
            "drawing": wanted.draw,
            "assumption": wanted.assumption,
        }
    )


def require_apart(outputs: Mapping[str, str | None]) -> None:
    """`UsageError` P003 if two outputs would end up in the same place. None is not wanted."""
    taken: dict[str, str] = {}
    for what, path in outputs.items():
        if path is None:
            continue
        place = STDOUT[0] if path in STDOUT else os.path.realpath(path)
        if place in taken:
            where = "to standard output" if place == STDOUT[0] else "into the same file"
            message = f"{taken[place]} and {what} can't both go {where}"
            raise UsageError("P003", message, hint="give each a file of its own")
        taken[place] = what


def _check_drawing(wanted: OutputOptions) -> None:
    """`UsageError` if nothing can be drawn into the file."""
    from pigro.render.drawing import draw_svg, drawing_format  # few need it

    if drawing_format(str(wanted.draw)) is draw_svg:
        from pigro.formats import svg

        svg.need_graphviz()


def check_destination(output: str | None, inputs: Iterable[str]) -> None:
    """`UsageError` P003 when the output could not be written, before any work is done.

    None is for output that was not asked for.
    """
    if output is None:
        return
    if output in STDOUT:
        require_stdout()
        return
    from pathlib import Path

    target = Path(output)
    folder = Path(os.path.realpath(output)).parent
    if not output or target.is_dir():
        raise _refused(output, "it is a folder" if output else "the name is empty")
    if not folder.is_dir():
        raise _refused(output, "its folder does not exist")
    if is_special(target):
        return
    if not os.access(folder, os.W_OK | os.X_OK):
        raise _refused(output, "its folder is not writable")
    if is_read_only(target):
        raise _refused(output, "it is read-only")
    if target.exists() and any(_same(target, each) for each in inputs):
        raise _refused(output, "it is an input of this run")


def write_output(output: str | None, data: bytes) -> None:
    """All results at once, to the output file or else to standard output."""
    if output is None or output in STDOUT:
        write_stdout(data)
    else:
        write_atomically(output, data)


def write_stdout(data: bytes | str) -> None:
    """Writes and flushes. `BrokenPipeError` when the reader is gone."""
    require_stdout()
    out = sys.stdout
    try:
        if isinstance(data, str):
            data = data.encode(out.encoding or "utf-8", out.errors or "backslashreplace")
        out.flush()
        taken = out.buffer.write(data)
        if taken < len(data):  # standard output has no buffer
            write_all(out.buffer, data[taken:])
        out.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        abandon_stdout()
        raise UsageError("P003", f"can't write to standard output: {error.strerror}") from None


def _same(target: Path, other: str) -> bool:
    try:
        return target.samefile(other)
    except (OSError, ValueError):
        return False


def _refused(output: str, why: str) -> UsageError:
    return UsageError("P003", f"can't write {printable(output)}: {why}")


def on_terminal() -> bool:
    """Whether a person looks at standard output."""
    return sys.stdout is not None and sys.stdout.isatty()


def colour_wanted() -> bool:
    """Whether a terminal is to show colours."""
    return not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
