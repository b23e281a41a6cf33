"""The states of a component, listed by the native core."""

from __future__ import annotations

import threading
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import printable
from pigro.formats.smv.syntax.nodes import EXIT
from pigro.formats.smv.syntax.text import TokenFault
from pigro.formats.smv.written import show_constant
from pigro.limits import OutOfMemory, OutOfTime, no_poll, shared_by_all, tick_of
from pigro.model.names import LazyNames

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.formats.smv.machine import SmvComponent
    from pigro.formats.smv.syntax.nodes import Value
    from pigro.limits import Poll

_WIDEST = _core.SmvNumbers.WIDEST_SET
_ON_DEMAND = (
    "a check without certificates and without conversion lists only the states that it needs"
)
_FEWER = "a variable may have more values: give it a type such as 0..200000"


@dataclass(frozen=True, slots=True)
class ListingBounds:
    """How many states and steps may be listed."""

    states: int = 100_000_000
    edges: int = 1_000_000_000


class TooManyStates(TokenFault):
    """A component has more states or steps than may be listed."""

    def __init__(self, component: SmvComponent, what: str, bounds: ListingBounds) -> None:
        most = f"{bounds.states:,} states" if what == "states" else f"{bounds.edges:,} steps"
        message = f"module `{printable(component.module.name)}` has more than {most}"
        super().__init__("P128", message, component.module.at, _ON_DEMAND)


class ComponentSpace:
    """The states of a component and the steps between them, by number."""

    def __init__(
        self, component: SmvComponent, bounds: ListingBounds, poll: Poll = no_poll
    ) -> None:
        self.component = component
        self.lock = threading.RLock()
        """The core serves one thread at a time, and refuses others."""
        self.core = _core.StateSpace(component.machine)
        try:
            with evaluating(component), _listing(self.core, poll):
                self.core.explore(bounds.states, bounds.edges, tick_of(poll))
        except ValueError as error:
            raise TooManyStates(component, str(error), bounds) from None
        self.size = len(self.core)
        self.initial: int = self.core.initial
        """The first so many states are initial."""
        self.last: int | None = None if self.core.exit < 0 else self.core.exit
        """The state where all variables are EXIT, if it is reached."""

    @property
    def sources(self) -> memoryview[int]:
        """Where steps begin, ascending."""
        return memoryview(self.core.sources).cast("i")

    @property
    def targets(self) -> memoryview[int]:
        """Where they lead."""
        return memoryview(self.core.targets).cast("i")

    def states(self, condition: int, poll: Poll = no_poll) -> memoryview[int]:
        """The states where a condition of the component holds, ascending."""
        machine = self.component.machine
        with self.lock, evaluating(self.component):
            return memoryview(self.core.satisfying(machine, condition, tick_of(poll))).cast("i")

    def name(self, state: int) -> str:
        """The values of a state, as people write them."""
        if state == self.last:
            return EXIT
        return state_name(self.component, self.values(state))

    def values(self, state: int) -> list[int]:
        """The values of a state, as the core has them."""
        with self.lock:
            return self.core.values(state)


class StateNames(LazyNames):
    """The names of states, made when asked for."""

    def __init__(self, space: ComponentSpace, states: Sequence[int]) -> None:
        self._space = space
        self._states = states

    def __len__(self) -> int:
        return len(self._states)

    def _make(self, number: int) -> str:
        return self._space.name(self._states[number])


def state_name(component: SmvComponent, values: Sequence[int]) -> str:
    """The values of a state, as people write them. Hidden ones after a bar."""
    shown: list[str] = []
    hidden: list[str] = []
    for flat, value in zip(component.variables, values, strict=True):
        (hidden if flat.hidden else shown).append(show(component.symbols.read(value)))
    text = ",".join(shown) if shown else "state"
    return f"{text}|{','.join(hidden)}" if hidden else text


def named_state(component: SmvComponent, name: str) -> tuple[int, ...] | None:
    """The values of a state of this name. None if they can't be."""
    shown, _, hidden = name.partition("|")
    texts = {False: iter(shown.split(",")), True: iter(hidden.split(","))}
    found = []
    for flat in component.variables:
        value = flat.domain.named(next(texts[flat.hidden], ""))
        if value is None:
            return None
        found.append(component.symbols.value(value))
    return tuple(found)


def show(value: Value) -> str:
    """A value as it is written, for people."""
    return printable(show_constant(value))


@contextmanager
def evaluating(component: SmvComponent) -> Iterator[None]:
    """Turns what goes wrong in the core into a fault with a place."""
    try:
        yield
    except _core.MachineFault as fault:
        raise explained(component, *fault.args) from None


@contextmanager
def _listing(core: _core.StateSpace, poll: Poll) -> Iterator[None]:
    """The time is the first formula's. A limit that ends the list says how long it is."""
    try:
        with shared_by_all(poll):
            yield
    except (OutOfTime, OutOfMemory) as end:
        raise type(end)(f"{end} ({len(core):,} states were listed)") from None


def explained(
    component: SmvComponent,
    kind: str,
    at: int,
    first: int,
    second: int,
    variable: int,
    state: list[int],
) -> TokenFault:
    """The fault with words."""
    read = component.symbols.read
    if kind == "outside":
        flat = (*component.variables, *component.inputs)[variable]
        where = f" after {state_name(component, state)}" if state else ""
        message = f"`{printable(flat.name)}` gets the value {show(read(first))}{where}"
        return TokenFault("P126", f"{message}, which its type does not have", at)
    messages: dict[str, tuple[str, str | None]] = {
        "zero": ("division by zero", None),
        "overflow": ("the number does not fit into 64 bits", "the largest is 2^63 - 1"),
        "empty": (f"the range {first}..{second} is empty", None),
        "wide": (f"the range {first}..{second} has more than {_WIDEST:,} values", None),
        "large": (f"the set has more than {_WIDEST:,} values", _FEWER),
        "no_case": ("no condition of this case is true", "add a last branch `TRUE : ...;`"),
        "index": (f"the array has no element {first}", None),
        "shift": (f"a word can't be shifted by {first}", None),
    }
    if kind == "compute":
        return TokenFault("P126", f"can't compute with {show(read(first))}", at)
    message, hint = messages[kind]
    return TokenFault("P126", message, at, hint)
