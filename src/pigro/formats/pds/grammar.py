"""Text of a `.pds` file to a pushdown system, one statement a line (docs/formats/pushdown.md).

Files have 10^5 lines and more, nearly all of them rules and labels in ASCII. Those the native core
takes in. Everything else, and everything wrong, is left to `statement.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError
from pigro.formats.pds.comments import without_comments
from pigro.formats.pds.system import PushdownSystem
from pigro.formats.text import checked
from pigro.limits import no_poll, tick_of

if TYPE_CHECKING:
    from pigro.limits import Poll


def parse(data: bytes, *, source: str | None = None, poll: Poll = no_poll) -> PushdownSystem:
    """The pushdown system in the bytes of a file."""
    if len(data) >= 2**31:  # numbers of symbols have 32 bits
        raise ModelError(
            "P213", f"a file of {len(data):,} bytes is too large for a pushdown system"
        )
    data = without_comments(checked(data, source), source)
    system = PushdownSystem()
    initial_line: int | None = None
    unread = system.core.read_lines(data, tick_of(poll))
    if not unread and system.core.initial_state >= 0:
        return system
    from pigro.formats.pds import statement

    for begin, length, number in unread:
        poll()
        place = statement.StatementLine(data[begin : begin + length].decode(), source, number + 1)
        if statement.read(place, system):
            if initial_line is not None:
                raise statement.second_initial(place, initial_line)
            initial_line = number + 1
    if initial_line is None:
        raise statement.no_initial(source, data.count(b"\n") + 1)
    return system
