"""Systems that are given by a program: one initial state, and functions for what comes after.

A `System` is any object with these attributes. Its states are any hashable values that never
change. `ExploredSystem` is the part of it that a check has seen so far: states get numbers in the
order in which they are found, and the system is asked once for what it knows about each, when that
is needed. The successors of a state may come one by one, by a generator: then only those that are
needed are taken, and there may be any number of them.

Objects that are no systems get a `CheckError` P407. What the system's own methods raise is none of
our business, and passes through.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from inspect import ismethod
from pathlib import PurePath
from typing import Generic, Protocol, TypeVar, cast

from pigro.diagnostics import CheckError, ModelError, printable
from pigro.model.choices import DeadEnds

S = TypeVar("S", bound=Hashable)
_MISSING = object()


class System(Protocol[S]):
    """A state space written in Python, which `check` explores as far as the answer needs.

    States are hashable values. There may be any number of them, also without end. An object of any
    class will do if it has `initial`, `successors` and `labels`.

    Two more attributes are optional. `dead_ends` says what a run does in a state without
    successors: `stutter` (it stays there, the default), `stop` or `error`. `is_cut(state)` is true
    if you cut the system off there, so that the successors of the state are not known.

    >>> import pigro
    >>> class Counter:
    ...     initial = 0
    ...     def successors(self, state):
    ...         return [state + 1]
    ...     def labels(self, state):
    ...         return ["big"] if state > 99 else []
    >>> pigro.check(Counter(), "EF big").holds
    True
    """

    @property
    def initial(self) -> S:
        """Where runs begin: one state."""

    def successors(self, state: S, /) -> Iterable[S]:
        """The states after a state. None in a dead end."""

    def labels(self, state: S, /) -> Iterable[str]:
        """The labels that a state carries."""


class ExploredSystem(Generic[S]):
    """The known part of a system. State 0 is the initial one."""

    def __init__(self, system: System[S]) -> None:
        if isinstance(system, type):
            hint = f"make one: {system.__name__}()"
            raise _no_system(f"{printable(system.__name__)} is a class", hint)
        if isinstance(system, (str, PurePath)):
            raise _no_system(f"{_kind(system)}", "to read a model from a file, use pigro.load(...)")
        self._successors = _method(system, "successors")
        self._labels = _method(system, "labels")
        self._is_cut = None
        if _attribute(system, "is_cut", None) is not None:
            self._is_cut = _method(system, "is_cut")
        given = _attribute(system, "dead_ends", DeadEnds.STUTTER)
        self.dead_ends = DeadEnds(cast("str", given))
        self.states: list[S] = []
        self.stuck: set[int] = set()
        """Dead ends, as far as successors were asked for."""
        self._numbers: dict[S, int] = {}
        self._rows: dict[int, list[int]] = {}
        """Successors, as far as they were taken."""
        self._sources: dict[int, Iterator[S]] = {}
        """Where the rest of them comes from."""
        self._labelled: dict[int, frozenset[str]] = {}
        self._label_sets: dict[frozenset[str], frozenset[str]] = {}
        self._cuts: dict[int, bool] = {}
        initial = _attribute(system, "initial")
        if ismethod(initial):
            raise _no_system("`initial` is a method", "let it be a state, or a property")
        self._number(cast("S", initial), "`initial` is")

    @property
    def can_be_cut(self) -> bool:
        """Whether the system says where it was cut off."""
        return self._is_cut is not None

    @property
    def asked(self) -> int:
        """The number of states whose successors were asked for."""
        return len(self._rows)

    @property
    def labelled(self) -> int:
        """The number of states whose labels were asked for."""
        return len(self._labelled)

    def number(self, state: S) -> int:
        """The number of a state, which is found with this if it was not."""
        return self._number(state, "a state is")

    def taken(self, other: ExploredSystem[S], state: int) -> int:
        """The number of a state that another part of the system has. Its labels come with it."""
        number = self.number(other.states[state])
        if state in other._labelled:
            self._labelled.setdefault(number, other._labelled[state])
        return number

    def successor(self, state: int, position: int) -> int | None:
        """The successor of a state at a position, or None if it has fewer.

        Positions are asked for in order, 0 first. By many, in turn. A run that stays in a dead end
        has the state itself after it.
        """
        row = self._rows.get(state)
        if row is None:
            row = self._ask(state)
        if position < len(row):
            return row[position]
        source = self._sources.get(state)
        if source is None:
            return None
        for target in source:
            row.append(self._number(target, "a successor is"))
            return row[position]
        del self._sources[state]
        return None if row else self._dead_end(state)

    def row(self, state: int) -> list[int]:
        """The successors of a state that were taken so far."""
        return self._rows.get(state, [])

    def is_known(self, state: int) -> bool:
        """Whether all successors of a state were taken."""
        return state in self._rows and state not in self._sources

    def labels(self, state: int) -> frozenset[str]:
        """The labels of a state."""
        found = self._labelled.get(state)
        if found is None:
            found = self._labelled[state] = self._read_labels(self._labels(self.states[state]))
        return found

    def is_cut(self, state: int) -> bool:
        """Whether the successors of a state are unknown."""
        if self._is_cut is None:
            return False
        found = self._cuts.get(state)
        if found is None:
            found = self._cuts[state] = bool(self._is_cut(self.states[state]))
        return found

    def _ask(self, state: int) -> list[int]:
        given = self._successors(self.states[state])
        hint = "return a list of states; in a dead end, an empty one"
        if isinstance(given, (str, bytes)):
            raise _no_system(f"successors() gave back {_kind(given)}", hint)
        source = cast("Iterator[S]", _iterator(given, "successors", hint))
        row: list[int] = []
        if isinstance(given, (list, tuple)) and given:  # they are all there
            row = [self._number(target, "a successor is") for target in source]
        else:
            self._sources[state] = source
        self._rows[state] = row
        return row

    def _dead_end(self, state: int) -> int | None:
        if self.dead_ends is DeadEnds.ERROR:
            raise ModelError(
                "P211",
                f"a dead end: {printable(str(self.states[state]))} has no successors",
                hint="give it one, or choose dead_ends: stutter or stop",
            )
        self.stuck.add(state)
        if self.dead_ends is DeadEnds.STOP:
            return None
        self._rows[state].append(state)
        return state

    def _number(self, state: S, what: str) -> int:
        try:
            number = self._numbers.get(state)
        except TypeError as error:
            if _is_theirs(error):
                raise
            raise _no_system(
                f"{what} {_kind(state)} that can't be hashed",
                "states are values that never change: use tuples and frozensets",
            ) from None
        if number is None:
            number = self._numbers[state] = len(self.states)
            self.states.append(state)
        return number

    def _read_labels(self, given: object) -> frozenset[str]:
        if isinstance(given, str):
            raise _no_system(
                f'labels() gave back the one word "{printable(given)}"',
                f'return a list of labels, such as ["{printable(given)}"]',
            )
        if isinstance(given, Mapping):
            hint = "return a list of the labels that are true"
            raise _no_system(f"labels() gave back {_kind(given)}", hint)
        names = []
        for each in _iterator(given, "labels", "return a list of labels; it may be empty"):
            if not isinstance(each, str):
                raise _no_system(f"a label is {_kind(each)}", "labels are strings, as in formulas")
            names.append(each)
        found = frozenset(names)
        return self._label_sets.setdefault(found, found)


def _attribute(system: object, name: str, default: object = _MISSING) -> object:
    try:
        return getattr(system, name)
    except AttributeError as error:
        if _is_theirs(error):
            raise
    if default is not _MISSING:
        return default
    raise _no_system(
        f"{_kind(system)} has no `{name}`",
        "a system has `initial`, `successors(state)` and `labels(state)`",
    )


def _method(system: object, name: str) -> Callable[[object], object]:
    found = _attribute(system, name)
    if not callable(found):
        hint = f"write a method {name}(state)"
        raise _no_system(f"`{name}` is {_kind(found)}, not a method", hint)
    return cast("Callable[[object], object]", found)


def _iterator(given: object, method: str, hint: str) -> Iterator[object]:
    try:
        return iter(cast("Iterable[object]", given))
    except TypeError as error:
        if _is_theirs(error):
            raise
    raise _no_system(f"{method}() gave back {_kind(given)}", hint)


def _is_theirs(error: Exception) -> bool:
    """Whether the error comes from a function that we called, and not from the call itself."""
    trace = error.__traceback__
    return trace is not None and trace.tb_next is not None


def _kind(value: object) -> str:
    name = type(value).__name__
    return "None" if value is None else f"{'an' if name[0] in 'aeiouAEIOU' else 'a'} {name}"


def _no_system(message: str, hint: str) -> CheckError:
    return CheckError("P407", f"not a system: {message}", hint=hint)
