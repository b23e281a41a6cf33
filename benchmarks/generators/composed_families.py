"""Families of composed systems of any size, with known facts about them.

By what a formula depends on:
  one          a part that decides it alone
  few          the joint states of a short start-up. What comes afterwards, parts decide alone
  most         all joint states, but not all subformulas in each of them
  everything   all positions: nothing can be left out

A family is asked for so many composed states, and comes as near as its shape allows.
"""

from __future__ import annotations

from math import isqrt
from typing import TYPE_CHECKING, NamedTuple

from pigro.logic import parse
from pigro.logic.modal import modal_form
from pigro.model.composition import Composition
from pigro.model.part import LOCAL, Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Step = tuple[int, int] | tuple[int, int, str]


class Family(NamedTuple):
    """Systems of all sizes, and a question with the same answer on all of them."""

    name: str
    kind: str
    """One, few, most, everything."""
    make: Callable[[int], Composition]
    formula: str
    holds: bool

    @property
    def sharing(self) -> str:
        """How many parts, and what they share."""
        parts = self.make(100).parts
        return f"{len(parts)}, {'labels' if parts[0].actions is None else 'actions'}"

    @property
    def is_symbolic(self) -> bool:
        """Whether the study asks the symbolic method about it: its parts share labels."""
        form = modal_form(parse(self.formula))
        return form.alternation_free and self.make(100).parts[0].actions is None


def part(
    name: str,
    rows: Sequence[Iterable[str]],
    steps: Iterable[Step],
    *,
    labels: Sequence[str] = (),
    actions: Sequence[str] | None = None,
) -> Part:
    """A part from the labels of each state and steps (source, target, action, `tau` if none)."""
    moves = sorted({(*step, "")[:3] for step in steps})
    number = {action: at for at, action in enumerate(actions or ())} | {"": LOCAL}
    held = [frozenset(row) for row in rows]
    return Part.from_steps(
        name,
        states=[f"{name}{at}" for at in range(len(rows))],
        initial=[0],
        atoms=labels,
        values=bytes([label in row for row in held for label in labels]),
        sources=[source for source, _, _ in moves],
        targets=[target for _, target, _ in moves],
        actions=actions,
        by=None if actions is None else [number[action] for _, _, action in moves],
    )


def _around(first: int, count: int) -> list[tuple[int, int]]:
    """A cycle of states."""
    return [(first + at, first + (at + 1) % count) for at in range(count)]


def _cube_root(number: int) -> int:
    root: float = number ** (1 / 3)
    return round(root)


# One part decides.


def buffer_in_step(states: int) -> Composition:
    """A buffer that says what it does next, and a client that goes around and sees it.

    The buffer: at each level it puts, takes or waits. One more state where it would overflow.
    """
    size = isqrt(3 * states)
    levels = max(2, size // 3)
    moves = ("put", "take", "")
    rows: list[tuple[str, ...]] = []
    steps: list[Step] = []
    for level in range(levels):
        for way, move in enumerate(moves):
            rows.append((move,))
            after = min(max(level + (1, -1, 0)[way], 0), levels - 1)
            steps += [(3 * level + way, 3 * after + other) for other in range(3)]
    rows.append(("overflow",))
    steps.append((3 * levels, 3 * levels))
    buffer = part("buffer", rows, steps, labels=("put", "take", "overflow"))
    around: list[Step] = [*_around(0, 3 * levels)]
    around += [(at, (at + 2) % (3 * levels)) for at in range(3 * levels)]
    seen = [(moves[at % 3],) for at in range(3 * levels)]
    return Composition([buffer, part("client", seen, around, labels=("put", "take"))])


def _buffer(levels: int) -> Part:
    steps: list[Step] = [(at, at + 1, "put") for at in range(levels - 1)]
    steps += [(at + 1, at, "take") for at in range(levels - 1)]
    rows = [(), *[("some",)] * (levels - 1), ("overflow",)]
    return part("buffer", rows, steps, labels=("some", "overflow"), actions=("put", "take"))


def _worker(name: str, states: int, action: str, label: str) -> Part:
    """Local work, then an action. The last state has a label, and work can begin anew there."""
    rows = [()] * (states - 1) + [(label,)]
    steps: list[Step] = [*_around(0, states), (states - 1, 0, action)]
    return part(name, rows, steps, labels=(label,), actions=(action,))


def buffer_with_client(states: int) -> Composition:
    """A buffer by actions, and a producer that takes long to put."""
    size = isqrt(states)
    return Composition([_buffer(size - 1), _worker("producer", size, "put", "ready")])


def pipeline(states: int) -> Composition:
    """Producer, buffer, consumer."""
    size = _cube_root(states)
    producer = _worker("producer", size, "put", "ready")
    return Composition([producer, _buffer(size - 1), _worker("consumer", size, "take", "hungry")])


# Few joint states decide.


def line(states: int) -> Composition:
    """Two stations on a line: who talks alone first will lead. Then both have work of their own.

    Both see who talks. When both do, each counts the collisions, or forgets one.
    """
    size = isqrt(states)
    tries = max(1, isqrt(size) // 2)
    return Composition([_station("a", "b", tries, size), _station("b", "a", tries, size)])


def _station(mine: str, other: str, tries: int, work: int) -> Part:
    """States by collisions and who talks. Then two cycles, one to lead and one to follow."""
    talks = ((), (f"talk_{mine}",), (f"talk_{other}",), (f"talk_{mine}", f"talk_{other}"))
    half = work // 2
    lead, follow = 4 * tries, 4 * tries + half
    rows = [row for _ in range(tries) for row in talks]
    rows += [(f"lead_{mine}",)] * half + [()] * half
    steps: list[Step] = [*_around(lead, half), *_around(follow, half)]
    steps += [(at, at) for at in range(lead, follow + half)]
    for count in range(tries):
        here = 4 * count
        steps += [(here, here + way) for way in range(4)]
        steps += [(here + 1, lead), (here + 2, follow)]
        for after in (min(count + 1, tries - 1), count):
            steps += [(here + 3, 4 * after + way) for way in range(4)]
    labels = (f"talk_{mine}", f"talk_{other}", f"lead_{mine}")
    return part(mine, rows, steps, labels=labels)


PATIENCE = 4


def _caller(states: int, *, logs: bool = False) -> Part:
    """Asks until it is let in. Then it works alone, and serves once in each round."""
    rows: list[tuple[str, ...]] = [(), ("refused",), ("served",), *[()] * (states - 3)]
    steps: list[Step] = [(0, 1, "refuse"), (1, 0), (0, 2, "connect"), *_around(2, states - 2)]
    if logs:
        steps += [(at, at, "log") for at in range(2, states)]
    actions = ("refuse", "connect", "log") if logs else ("refuse", "connect")
    return part("caller", rows, steps, labels=("refused", "served"), actions=actions)


def _listener(states: int) -> Part:
    """Refuses a few times at most. Then it works alone."""
    steps: list[Step] = [(at, at + 1, "refuse") for at in range(PATIENCE)]
    steps += [(at, PATIENCE + 1, "connect") for at in range(PATIENCE + 1)]
    steps += _around(PATIENCE + 1, states - PATIENCE - 1)
    return part("listener", [()] * states, steps, actions=("refuse", "connect"))


def call(states: int) -> Composition:
    """A caller and a listener."""
    size = isqrt(states)
    return Composition([_caller(size), _listener(size)])


def call_with_log(states: int) -> Composition:
    """The same, and a log of what the caller does, with work of its own."""
    size = max(_cube_root(states), PATIENCE + 3)
    log = part("log", [()] * size, [*_around(0, size), (0, 0, "log")], actions=("log",))
    return Composition([_caller(size, logs=True), _listener(size), log])


# It takes all of them.


def barrier(states: int) -> Composition:
    """Two parts that work or wait, and pass a gate together."""
    size = isqrt(states)
    parts = []
    for name in "ab":
        rows = [("gate",), *[()] * (size - 1)]
        steps: list[Step] = [*_around(0, size), *((at, at) for at in range(1, size))]
        parts.append(part(name, rows, steps, labels=("gate",)))
    return Composition(parts)


def rounds(states: int) -> Composition:
    """The same by actions: parts go on or not, and begin anew together."""
    size = isqrt(states)
    parts = []
    for name in "ab":
        steps: list[Step] = [(at, at + more, "work") for at in range(size - 1) for more in (0, 1)]
        steps += [(size - 1, size - 1, "work"), (size - 1, 0, "again")]
        parts.append(part(name, [()] * size, steps, actions=("work", "again")))
    return Composition(parts)


def mutual_exclusion(states: int) -> Composition:
    """A lock, and two parts with local work that enter one at a time."""
    size = isqrt(states // 3)
    actions = ("enter_a", "leave_a", "enter_b", "leave_b")
    steps: list[Step] = [(0, 1, "enter_a"), (1, 0, "leave_a"), (0, 2, "enter_b"), (2, 0, "leave_b")]
    parts = [part("lock", [()] * 3, steps, actions=actions)]
    for name in "ab":
        rows = [()] * (size - 1) + [(f"in_{name}",)]
        steps = [*_around(0, size - 1)[:-1]]
        steps += [(size - 2, size - 1, f"enter_{name}"), (size - 1, 0, f"leave_{name}")]
        names = (f"enter_{name}", f"leave_{name}")
        parts.append(part(name, rows, steps, labels=(f"in_{name}",), actions=names))
    return Composition(parts)


ONE_ENTERS = "nu X. mu Y. <enter_a> X | <> Y"
BOTH_ENTER = "nu X. mu Y. <enter_a> (mu Z. <enter_b> X | <> Z) | <> Y"
FAMILIES = (
    Family("buffer in step", "one", buffer_in_step, "AG !overflow", holds=True),
    Family("buffer in step, overflow", "one", buffer_in_step, "EF overflow", holds=False),
    Family("buffer", "one", buffer_with_client, "AG !overflow", holds=True),
    Family("producer", "one", buffer_with_client, "AG !ready", holds=False),
    Family("pipeline", "one", pipeline, "AG !overflow", holds=True),
    Family("line", "few", line, "AG !(lead_a & lead_b)", holds=True),
    Family("call, served", "few", call, "nu X. mu Y. served & <> X | <> Y", holds=True),
    Family("call, refused", "few", call, "nu X. mu Y. refused & <> X | <> Y", holds=False),
    Family("call with log", "few", call_with_log, "AG EF served", holds=True),
    Family("lock, one enters", "few", mutual_exclusion, ONE_ENTERS, holds=True),
    Family("lock, both enter", "most", mutual_exclusion, BOTH_ENTER, holds=True),
    Family("lock", "most", mutual_exclusion, "AG !(in_a & in_b)", holds=True),
    Family("barrier, often", "most", barrier, "nu X. mu Y. gate & <> X | <> Y", holds=True),
    Family("barrier, always", "most", barrier, "AG AF gate", holds=False),
    Family("barrier", "everything", barrier, "nu Z. <> true & [] Z", holds=True),
    Family("rounds", "everything", rounds, "nu Z. <> true & [] Z", holds=True),
)
