"""Kripke structures for CTL*, with three edges a state, the same in every run.

Large ones as models, made by numpy, which is loaded when the first is made. Small random ones as
plain data, for all tools.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.model import RSM

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from numpy import bool_, int64
    from numpy.typing import NDArray

    Numbers = NDArray[int64]
    Where = NDArray[bool_]


def kripke(targets: Numbers, labels: Mapping[str, Where]) -> RSM:
    """The structure in which state i has the successors targets[i]. Labels by where they are."""
    import numpy as np

    states, degree = targets.shape
    return RSM.from_arrays(
        component_offsets=[0, states],
        node_flags=bytes(states),
        edge_sources=np.repeat(np.arange(states, dtype=np.int32), degree),
        edge_targets=targets.astype(np.int32).ravel(),
        labels={name: np.flatnonzero(where).astype(np.int32) for name, where in labels.items()},
        initial=[0],
    )


def ring(states: int) -> RSM:
    """Around, and to the multiples of a hundred, where p is: G F p holds."""
    import numpy as np

    rng, at = np.random.default_rng(1), np.arange(states)
    jumps = [100 * rng.integers(0, states // 100, states) for _ in range(2)]
    return kripke(np.stack([(at + 1) % states, *jumps], 1), {"p": at % 100 == 0})


def chain(states: int) -> RSM:
    """Forward to the last state, which stays. P is everywhere, q not on the last ten."""
    import numpy as np

    at = np.arange(states)
    after = np.minimum(at[:, None] + np.array([1, 2, 3]), states - 1)
    return kripke(after, {"p": at >= 0, "q": at < states - 10})


def tangle(states: int) -> RSM:
    """Around, and anywhere. P and q are on three states of ten. No cycle has p and never q."""
    import numpy as np

    rng, at = np.random.default_rng(1), np.arange(states)
    after = np.stack([(at + 1) % states, *(rng.integers(0, states, states) for _ in range(2))], 1)
    p = (rng.random(states) < 0.3) & (at % 10 > 0)
    q = rng.random(states) < 0.3
    bad = p & ~q
    back = bad[:, None] & bad[after] & (after <= at[:, None])
    return kripke(np.where(back, after - after % 10, after), {"p": p, "q": q})


def colourful(states: int, labels: int) -> RSM:
    """Forward to the last state, by 1 to 3. Each p is on half of the states, each r on few."""
    import numpy as np

    rng, at = np.random.default_rng(2), np.arange(states)
    after = np.minimum(at[:, None] + np.array([1, 2, 3]), states - 1)
    where = {f"p{i + 1}": rng.random(states) < 0.5 for i in range(labels)}
    where |= {f"r{i + 1}": rng.random(states) < 0.01 for i in range(labels)}
    return kripke(after, {**where, "last": at == states - 1})


class RandomQuestion(NamedTuple):
    """A formula whose verdict needs the whole state space."""

    formula: str
    model: Callable[[int], RSM]
    holds: bool


WHOLE = (
    RandomQuestion("A [G F p]", ring, True),
    RandomQuestion("E [G (p U q)]", chain, False),
    RandomQuestion("A [F G p -> G F q]", tangle, True),
    RandomQuestion("AG EF p", tangle, True),
    RandomQuestion("AG AF p", ring, True),
)


class Billion:
    """A counter with 10^9 values, as a function. From each, three ways on."""

    initial = 0

    def successors(self, state: int) -> Iterable[int]:
        """By one, by two, or doubled."""
        return [(state + 1) % 10**9, (state + 2) % 10**9, 2 * state % 10**9]

    def labels(self, state: int) -> Iterator[str]:
        """Some that can be found, and one that can't without looking everywhere."""
        if state == 77:
            yield "found"
        if state % 2:
            yield "odd"
        if state == 10**9 - 1:
            yield "last"
