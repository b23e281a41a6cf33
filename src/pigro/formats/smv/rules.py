"""What [Finis2012], section 5.1, forbids in modules that call, though it has a meaning here.

A state that calls has no label and is not initial, no call follows right after a call, and a module
that is called has one initial state. The semantics `rmv` rejects files that break one of these
rules; otherwise they are warned of. `parts.py` says what such files mean.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.formats.smv.text import Fault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.formats.smv.parts import Part

CODE = "P136"


def broken_rules(parts: Mapping[str, Part]) -> Iterator[Fault]:
    """The first breach of each rule in each module."""
    for part in parts.values():
        if part.calls:
            yield from filter(None, (_initial(part), _labelled(part), _in_a_row(part)))
    called = {
        callee: part for part in reversed(list(parts.values())) for callee in part.calls.values()
    }
    for callee, part in called.items():
        initial = parts[callee].space.initial
        if initial > 1:
            state = min(at for at, name in part.calls.items() if name == callee)
            message = f"module `{printable(callee)}` is called and has {initial:,} initial states"
            yield Fault(
                CODE, message, part.called_at[state], "give each variable one initial value"
            )


def _initial(part: Part) -> Fault | None:
    state = min(part.calls)
    if state >= part.space.initial:
        return None
    message = f"initial state {_name(part, state)} calls `{printable(part.calls[state])}`"
    return Fault(CODE, message, part.called_at[state], "begin with a state that does not call")


def _labelled(part: Part) -> Fault | None:
    for label, states in part.labelled.items():
        state = next((state for state in states if state in part.calls), None)
        if state is not None:
            callee = printable(part.calls[state])
            message = (
                f"state {_name(part, state)} calls `{callee}` and has label `{printable(label)}`"
            )
            return Fault(CODE, message, part.called_at[state], "exclude states that call")
    return None


def _in_a_row(part: Part) -> Fault | None:
    calls = part.calls
    for source, target in zip(part.space.sources, part.space.targets, strict=True):
        if source in calls and target in calls:
            message = (
                f"state {_name(part, target)} calls right after state {_name(part, source)} does"
            )
            return Fault(CODE, message, part.called_at[target], "put another state between them")
    return None


def _name(part: Part, state: int) -> str:
    return f"{printable(part.space.name(state))} of `{printable(part.space.module.name)}`"
