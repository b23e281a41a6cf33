"""Random modules in SMV: control flow with calls, labels, data, and questions about them.

Source: the evaluation of [Finis2012], section 5.5, has one random module with 5,000 states and
4,500 formulas. Modules keep the rules of its section 5.1 for calls.

A module has a variable `state` with the values s0, s1, ... and boolean variables d0, d1, ... that
may change at every step. Steps lead forward, by one and perhaps further, and the last state exits.
The random choices for a module, in this order: for each state but the first and the last, if the
state before it does not call, whether it calls, and which module; for each state, whether a second
step leads from it, and how far (`farthest` at most), and whether a third step leads back, and where
to; for each label, how many states carry it (up to `spread`), and which. Then for each formula its
shape and its labels. Calls lead to later modules, unless there is recursion. The first call of a
module leads to the next one, so that all modules can be reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from pigro.generate.stream import RandomStream, require

if TYPE_CHECKING:
    from collections.abc import Iterator

SHAPES = (
    "EF {}",
    "AG ({} -> EF {})",
    "AG ({} -> AF {})",
    "A [!{} U {}]",
    "EF ({} & EG !{})",
)
"""Of formulas: questions of static analysis."""

_LARGEST = 10_000_000
"""States, variables, labels and formulas of a file."""


@dataclass(frozen=True, slots=True)
class ModuleShape:
    """What random modules look like."""

    modules: int = 5
    states: int = 20
    """Values of `state`, in each module."""
    data: int = 0
    """Boolean variables, in each module."""
    calls: float = 0.2
    """The probability that a state calls."""
    recursion: bool = True
    """Whether modules may call themselves and earlier ones."""
    branches: float = 0.3
    """The probability of a second step."""
    loops: float = 0.02
    """The probability of a step back."""
    farthest: int = 50
    """How far a second step leads at most."""
    labels: int = 10
    """Labels, each of which every module has."""
    spread: int = 6
    """How many states of a module carry a label at most."""
    formulas: int = 20

    def __post_init__(self) -> None:
        """Refuses shapes that no file has."""
        for what in ("modules", "states", "labels", "spread"):
            require(holds=getattr(self, what) >= 1, message=f"there is at least one of {what}")
        for what in ("data", "formulas"):
            require(
                holds=getattr(self, what) >= 0, message=f"the number of {what} must be 0 or more"
            )
        require(holds=self.farthest >= 2, message="the farthest step leads at least 2 states on")
        for what in ("calls", "branches", "loops"):
            chance = getattr(self, what)
            message = f"{what} is between 0 and 1, not {chance}"
            require(holds=0 <= chance <= 1, message=message)
        size = self.modules * (self.states + self.data + self.labels) + self.formulas
        message = (
            f"modules times (states + data + labels) plus formulas is at most {_LARGEST:,}, "
            f"not {size:,}"
        )
        require(holds=size <= _LARGEST, message=message)


def random_modules(shape: ModuleShape, seed: int = 0) -> str:
    """The text of the `.smv` file of this shape and seed.

    >>> print(random_modules(ModuleShape(1, 3, labels=1, formulas=1), seed=2), end="")
    MODULE main
    VAR
      state : {s0, s1, s2};
    DEFINE
      l0 := state in {s0, s2};
    CALL
      main := state in {s1};
    ASSIGN
      init(state) := s0;
      next(state) := case
        state = s0 : {s1, s2};
        state = s1 : {s2};
        state = s2 : {EXIT};
      esac;
    SPEC A [!l0 U l0]
    """
    stream = RandomStream(seed)
    modules = [list(_module(shape, stream, number)) for number in range(shape.modules)]
    first, *rest = modules
    return "".join(
        f"{line}\n" for line in [*first, *_formulas(shape, stream), *chain.from_iterable(rest)]
    )


def _name(number: int) -> str:
    return f"m{number}" if number else "main"


def _module(shape: ModuleShape, stream: RandomStream, number: int) -> Iterator[str]:
    calls = _calls(shape, stream, number)
    steps = [_steps(shape, stream, state) for state in range(shape.states)]
    labels = [_carriers(shape, stream, calls) for _ in range(shape.labels)]
    data = [f"d{at}" for at in range(shape.data)]
    yield f"MODULE {_name(number)}"
    yield "VAR"
    yield f"  state : {{{', '.join(f's{state}' for state in range(shape.states))}}};"
    yield from (f"  {each} : boolean;" for each in data)
    yield "DEFINE"
    for at, states in enumerate(labels):
        yield f"  l{at} := state in {{{', '.join(f's{state}' for state in states)}}};"
    if calls:
        yield "CALL"
        for callee in sorted(set(calls.values())):
            callers = ", ".join(f"s{state}" for state, each in calls.items() if each == callee)
            yield f"  {_name(callee)} := state in {{{callers}}};"
    yield "ASSIGN"
    yield "  init(state) := s0;"
    yield "  next(state) := case"
    for state, targets in enumerate(steps):
        allowed = [to for to in targets if not (state in calls and to in calls)]
        named = ", ".join("EXIT" if to == shape.states else f"s{to}" for to in allowed)
        yield f"    state = s{state} : {{{named}}};"
    yield "  esac;"
    for each in data:
        yield f"  init({each}) := FALSE;"
        leaving = f"state = s{shape.states - 1} : EXIT; "
        yield f"  next({each}) := case {leaving}TRUE : {{TRUE, FALSE}}; esac;"


def _calls(shape: ModuleShape, stream: RandomStream, number: int) -> dict[int, int]:
    """From states to the modules that they call. No two of them in a row."""
    first = 0 if shape.recursion else number + 1
    calls: dict[int, int] = {}
    for state in range(1, shape.states - 1):
        if state - 1 not in calls and first < shape.modules and stream.chance(shape.calls):
            drawn = first + stream.below(shape.modules - first)
            calls[state] = drawn if calls or number + 1 >= shape.modules else number + 1
    return calls


def _steps(shape: ModuleShape, stream: RandomStream, state: int) -> list[int]:
    """The states that follow. One more than the last is the exit."""
    last = shape.states
    targets = {state + 1}
    if stream.chance(shape.branches):
        targets.add(min(state + 2 + stream.below(shape.farthest - 1), last - 1))
    if stream.chance(shape.loops):
        targets.add(stream.below(state + 1))
    return [last] if state == last - 1 else sorted(targets - {last})


def _carriers(shape: ModuleShape, stream: RandomStream, calls: dict[int, int]) -> list[int]:
    count = 1 + stream.below(shape.spread)
    drawn = {stream.below(shape.states) for _ in range(count)}
    return sorted(state for state in drawn if state not in calls) or [0]


def _formulas(shape: ModuleShape, stream: RandomStream) -> Iterator[str]:
    for _ in range(shape.formulas):
        text = stream.pick(SHAPES)
        chosen = [f"l{stream.below(shape.labels)}" for _ in range(text.count("{}"))]
        yield f"SPEC {text.format(*chosen)}"
