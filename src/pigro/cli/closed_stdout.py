"""Standard output that was closed before the start, as by `>&-`: an error where it is written to.

Python has no `sys.stdout` then, and printing would do nothing, silently.
"""

from __future__ import annotations

import io
import sys
from typing import NoReturn

from pigro.diagnostics import UsageError


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
