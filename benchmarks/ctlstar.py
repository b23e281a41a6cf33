"""Measures CTL* on the fly: `make ctlstar`. Prints Markdown tables; takes some minutes.

Time against states, against the length of CTL formulas and of LTL patterns, what is looked at of a
system of 10^9 states, and pyModelChecking on the same structures (if it is installed; where it
disagrees, the oracle of the tests says who is right).
"""

from __future__ import annotations

import argparse
import random
import sys
import time
import warnings
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from run import ms, row, table

import pigro
from pigro.engines import ENGINES
from pigro.logic import parse

from oracle.star_formula import A, E, F, G, U, atom, either, no, to_text
from oracle.star_structures import Structure
from oracle.star_tableau import decide

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.engines import Verdict

    from oracle.star_formula import Formula

ONTHEFLY = ENGINES["onthefly"]
LIMIT = 20.0
"""Seconds for one pattern."""


def main() -> int:
    """All tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000, help="states of the largest model")
    largest = parser.parse_args().largest
    warnings.simplefilter("ignore")
    against_states(largest)
    against_length()
    against_patterns()
    locally()
    return against_peer()


# Models: three edges a state.


def kripke(targets: np.ndarray, labels: dict[str, np.ndarray]) -> pigro.RSM:
    """The structure in which state i has the successors targets[i]; labels by where they are."""
    states, degree = targets.shape
    return pigro.RSM.from_arrays(
        component_offsets=[0, states],
        node_flags=bytes(states),
        edge_sources=np.repeat(np.arange(states, dtype=np.int32), degree),
        edge_targets=targets.astype(np.int32).ravel(),
        labels={name: np.flatnonzero(where).astype(np.int32) for name, where in labels.items()},
        initial=[0],
    )


def ring(states: int) -> pigro.RSM:
    """Around, and to the multiples of a hundred, where p is: G F p holds."""
    rng, at = np.random.default_rng(1), np.arange(states)
    jumps = [100 * rng.integers(0, states // 100, states) for _ in range(2)]
    return kripke(np.stack([(at + 1) % states, *jumps], 1), {"p": at % 100 == 0})


def chain(states: int) -> pigro.RSM:
    """Forward to the last state, which stays; p is everywhere, q not on the last ten."""
    at = np.arange(states)
    after = np.minimum(at[:, None] + np.array([1, 2, 3]), states - 1)
    return kripke(after, {"p": at >= 0, "q": at < states - 10})


def tangle(states: int) -> pigro.RSM:
    """Around, and anywhere; p and q are on three states of ten. No cycle has p and never q."""
    rng, at = np.random.default_rng(1), np.arange(states)
    after = np.stack([(at + 1) % states, *(rng.integers(0, states, states) for _ in range(2))], 1)
    p = (rng.random(states) < 0.3) & (at % 10 > 0)
    q = rng.random(states) < 0.3
    bad = p & ~q
    back = bad[:, None] & bad[after] & (after <= at[:, None])
    return kripke(np.where(back, after - after % 10, after), {"p": p, "q": q})


class Question(NamedTuple):
    """A formula whose verdict needs the whole state space."""

    formula: str
    model: Callable[[int], pigro.RSM]
    holds: bool


WHOLE = (
    Question("A [G F p]", ring, True),
    Question("E [G (p U q)]", chain, False),
    Question("A [F G p -> G F q]", tangle, True),
    Question("AG EF p", tangle, True),
    Question("AG AF p", ring, True),
)


def ask(model: pigro.RSM, formula: str) -> Verdict:
    """The verdict, within the limit."""
    return pigro.check(model, formula, engine="onthefly", timeout=LIMIT)


def against_states(largest: int) -> None:
    """The whole state space, from 10^3 states on."""
    table("The whole state space", "formula", "states", "edges", "assertions", "time", "per state")
    for question in WHOLE:
        states = 1000
        while states <= largest:
            model = question.model(states)
            verdict = ask(model, question.formula)
            assert verdict.holds is question.holds, question.formula
            assert verdict.stats.states == states, "all of them"
            spent = verdict.stats.seconds
            row(
                f"`{question.formula}`", f"{states:,}", f"{model.core.edges:,}",
                f"{verdict.stats.visited:,}", ms(spent), f"{spent / states * 1e9:,.0f} ns",
            )  # fmt: skip
            states *= 10


def against_length() -> None:
    """CTL: time and assertions grow like the length."""
    table(
        "CTL formulas of growing length, on 10,000 states",
        "formula", "operators", "assertions", "time", "per operator",
    )  # fmt: skip
    model = tangle(10_000)
    for name, make in {
        "AG EF AG EF ... p": lambda n: "AG EF " * (n // 2) + "p",
        "AF p & AF !p & ...": lambda n: " & ".join(["EF (p & EX q)", "EF (q & EX p)"] * (n // 4)),
        "A [p U A [q U ...]]": lambda n: "E [!p U E [!q U " * (n // 2) + "p" + "]]" * (n // 2),
    }.items():
        for length in (4, 16, 64, 256):
            formula = parse(make(length))
            verdict = ask(model, str(formula))
            spent = verdict.stats.seconds
            row(
                f"`{name}`", length, f"{verdict.stats.visited:,}", ms(spent), ms(spent / length)
            )


class Pattern(NamedTuple):
    """A family of formulas of LTL, by size."""

    name: str
    make: Callable[[int], str]
    sizes: tuple[int, ...]


def _labels(count: int) -> list[str]:
    return [f"p{number}" for number in range(count)]


PATTERNS = (
    Pattern("G F p1 & G F p2 & ...", lambda n: " & ".join(f"G F {p}" for p in _labels(n)), (2, 4, 8)),
    Pattern("F p1 & F p2 & ...", lambda n: " & ".join(f"F {p}" for p in _labels(n)), (2, 4, 8)),
    Pattern("p1 U (p2 U ...)", lambda n: " U (".join(_labels(n)) + ")" * (n - 1), (2, 4, 8)),
    Pattern("F (p1 & X F (p2 & ...))", lambda n: "F (" + " & X F (".join(_labels(n)) + ")" * n, (2, 4, 8)),
    Pattern("G F p1 & ... -> G F q", lambda n: f"{' & '.join(f'G F {p}' for p in _labels(n))} -> G F q", (1, 2, 4, 6, 8)),
    Pattern("F G p1 | F G p2 | ...", lambda n: " | ".join(f"F G {p}" for p in _labels(n)), (1, 2, 4, 6, 8)),
    Pattern("G p1 | G p2 | ...", lambda n: " | ".join(f"G {p}" for p in _labels(n)), (1, 2, 4, 8, 10)),
)  # fmt: skip


def colourful(states: int, labels: int) -> pigro.RSM:
    """A ring with chords; label i is missing on every (i + 2)th state: all obligations stay open."""
    rng, at = np.random.default_rng(2), np.arange(states)
    after = np.stack([(at + 1) % states, *(rng.integers(0, states, states) for _ in range(2))], 1)
    where = {f"p{i}": at % (i + 2) != 0 for i in range(labels)}
    return kripke(after, {**where, "q": at % 2 == 0})


def against_patterns() -> None:
    """LTL: some families stay cheap, others double with each operand."""
    table(
        "LTL patterns of growing size, on 10,000 states, on all paths and on some",
        "formula", "n", "A: verdict", "assertions", "time", "E of the negation", "assertions", "time",
    )  # fmt: skip
    for pattern in PATTERNS:
        for size in pattern.sizes:
            model, formula = colourful(10_000, size), pattern.make(size)
            cells: list[object] = []
            for asked in (f"A [{formula}]", f"A [!({formula})]"):
                verdict = ask(model, asked)
                known = verdict.stats.visited
                cells += [verdict.word, f"{known:,}" if known else "", ms(verdict.stats.seconds)]
            row(f"`{pattern.name}`", size, *cells)


class Billion:
    """A counter with 10^9 values; from each, three ways on."""

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


def locally() -> None:
    """A system of 10^9 states, of which few are looked at."""
    table("10^9 states, given by a function", "formula", "verdict", "states looked at", "time")
    for formula in ("EF found", "AG !found", "A [G F odd]", "E [G F odd]", "E [!last U found]"):
        verdict = pigro.check(Billion(), formula)
        stats = verdict.stats
        row(f"`{formula}`", verdict.word, f"{stats.states:,}", ms(stats.seconds))


# Side by side with pyModelChecking.

P, Q = atom("p"), atom("q")
ASKED: tuple[Formula, ...] = (
    A(G(no(P))),
    A(F(P)),
    E(G(P)),
    E(U(P, Q)),
    A(G(either(no(P), E(F(Q))))),
    A(G(F(P))),
    A(F(G(P))),
    E(G(F(P))),
    E(G(U(P, Q))),
    A(either(no(F(G(P))), G(F(Q)))),
    A(G(either(no(P), F(Q)))),
    E(F(E(G(F(P))))),
)
"""The first five are CTL."""


def structures(count: int, states: int) -> Iterator[Structure]:
    """Random ones, total, three edges a state."""
    for seed in range(count):
        rng = random.Random(1000 * states + seed)
        labels = [frozenset(x for x in "pq" if rng.random() < 0.5) for _ in range(states)]
        after = [tuple(sorted({(i + 1) % states, *rng.choices(range(states), k=2)})) for i in range(states)]  # fmt: skip
        yield Structure(tuple(after), tuple(labels))


def against_peer() -> int:
    """The same structures and formulas; returns how often Pigro was wrong."""
    try:
        from pyModelChecking import CTLS, Kripke
    except ImportError:
        print("\nleft out: pyModelChecking is not installed")
        return 0
    table(
        "Side by side with pyModelChecking 1.3",
        "formula", "states", "structures", "equal", "right: Pigro", "right: the other",
        "Pigro", "pyModelChecking", "ratio",
    )  # fmt: skip
    wrong = 0
    for formula in ASKED:
        for states, count in ((10, 20), (100, 5), (1000, 1)):
            text, spent, tally = to_text(formula), [0.0, 0.0], [0, 0, 0]
            for structure in structures(count, states):
                names = structure.names
                model = pigro.kripke(
                    {names[i]: [names[j] for j in after] for i, after in enumerate(structure.successors)},
                    labels={names[i]: sorted(each) for i, each in enumerate(structure.labels)},
                    initial=names[0],
                )  # fmt: skip
                other = Kripke(
                    S=range(states), S0=[0], L=dict(enumerate(map(set, structure.labels))),
                    R=[(i, j) for i, after in enumerate(structure.successors) for j in after],
                )  # fmt: skip
                began = time.perf_counter()
                ours = ONTHEFLY(model, parse(text)).holds
                middle = time.perf_counter()
                theirs = 0 in CTLS.modelcheck(other, text.replace("!", " not ").replace("|", " or "))
                spent[0] += middle - began
                spent[1] += time.perf_counter() - middle
                tally[0] += ours == theirs
                if ours != theirs:
                    truth = 0 in decide(structure, formula)
                    tally[1 if ours == truth else 2] += 1
            wrong += tally[2]
            times = [each / count for each in spent]
            ratio = f"{times[1] / times[0]:,.0f}"
            row(f"`{text}`", f"{states:,}", count, *tally, ms(times[0]), ms(times[1]), ratio)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
