"""A run that shows a verdict, for people and programs: the same for every subject and logic.

A trace is a list of states, and how the run goes on after the last one:

    loop     with the state number `start` again, forever
    deeper   as from the state number `start`, with all that is on the stack since then below
    stays    not at all: the last state is a dead end, or an exit that no caller waits for
    open     in any way: every run that begins so shows the same
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal, overload

from msgspec import field

from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.model.positions import SourcePosition

End = Literal["loop", "deeper", "stays", "open"]
ENDS: dict[str, End] = {"loop": "loop", "pump": "deeper", "stays": "stays", "here": "open"}
"""By the words of paths."""
SHOWN = 12
"""States of a long trace that are printed."""


class TraceState(Record, frozen=True):
    """A state of a trace."""

    name: str
    """As the subject names it, such as `main:start`."""
    state: Any = None
    """The state itself: a `State` of a model, numbers of the states of parts, or an object.

    Of a verdict on an object that was pickled, it is a `State`: the objects are not pickled.
    """
    depth: int = 0
    """How many calls it is in."""
    call: str | None = None
    """The box that the step to it calls. None if the step is no call."""
    labels: tuple[str, ...] = ()
    """The labels of the formula that it carries."""
    unknown: tuple[str, ...] = ()
    """Those of which a part of a composition does not say whether the state carries them."""
    changes: tuple[str, ...] = ()
    """Labels that the state before does not have, as `+p`, and that only that one has, as `-p`."""
    variables: Mapping[str, str] = field(default_factory=dict)
    """Variables with other values than in the state before. Of the first state, all.

    Of a composition: the parts with their states."""
    source: str | None = None
    """The position in a source file, with the text of the line if there is one."""
    position: SourcePosition | None = None
    """The same position, as data: also where it is that of the state before."""
    truths: Mapping[str, bool] = field(default_factory=dict)
    """The truth of subformulas, as far as the evidence tells."""
    mark: str | None = None
    """What the rest of the run shows, where that is not what the run before shows."""


class Trace(Record, frozen=True):
    """A run: a list of states, and how it ends."""

    states: tuple[TraceState, ...]
    end: End
    start: int | None = None
    """Where a loop begins, or a round that goes deeper. Otherwise None."""

    @overload
    def __getitem__(self, at: int) -> TraceState: ...
    @overload
    def __getitem__(self, at: slice) -> tuple[TraceState, ...]: ...
    def __getitem__(self, at: int | slice) -> TraceState | tuple[TraceState, ...]:
        return self.states[at]

    def __iter__(self) -> Iterator[TraceState]:
        return iter(self.states)

    def __len__(self) -> int:
        return len(self.states)

    def __str__(self) -> str:
        """A line for each state, without the middle of a long run, and one for its end."""
        return "\n".join(self.lines(full=False))

    def lines(self, *, full: bool) -> list[str]:
        """The same, line by line. All states, if `full`."""
        count, half = len(self.states), SHOWN // 2
        told = [_line(at, each) for at, each in enumerate(self.states)]
        if not full and count > SHOWN:
            told[half : count - half] = [f"  ... {count - SHOWN:,} more states"]
        return [*told, f"        {end_text(self.end, self.start)}"]


def _line(at: int, state: TraceState) -> str:
    called = f"   (called by {state.call})" if state.call else ""
    labels = ""
    if state.changes or (at == 0 and state.labels):
        labels = f"   [{', '.join(state.labels) or 'none of the labels'}]"
    source = f"   {state.source}" if state.source else ""
    mark = f"   from here: {state.mark}" if state.mark else ""
    return f"{at:>6}  {'| ' * state.depth}{state.name}{called}{labels}{source}{mark}"


def end_text(end: str, start: int | None) -> str:
    """How a run goes on, for people."""
    if end == "loop":
        return f"and on from state {start} again, forever"
    if end == "deeper":
        return f"and so on from state {start}, ever deeper"
    return "a dead end: it goes no further" if end == "stays" else "however it goes on"


def with_changes(states: Sequence[TraceState]) -> tuple[TraceState, ...]:
    """The same states, which tell how their labels and their variables change.

    Needs: they have all of their variables, or those that change.
    """
    from msgspec.structs import replace

    told, before, values = [], frozenset[str](), dict[str, str]()
    for each in states:
        fresh = {name: value for name, value in each.variables.items() if values.get(name) != value}
        values |= fresh
        here = frozenset(each.labels)
        changes = [f"+{label}" for label in each.labels if label not in before]
        changes += [f"-{label}" for label in sorted(before - here)]
        told.append(replace(each, changes=tuple(changes), variables=fresh))
        before = here
    return tuple(told)
