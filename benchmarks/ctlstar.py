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

from run import ms, row, table

import pigro
from pigro.bench.structures import WHOLE, colourful, tangle
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
    parser.add_argument(
        "--largest", type=int, default=1_000_000, help="states of the largest model"
    )
    largest = parser.parse_args().largest
    warnings.simplefilter("ignore")
    against_states(largest)
    against_length()
    against_patterns()
    locally()
    return against_peer()


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
        "AG EX AG EX ... true": lambda n: "AG EX " * (n // 2) + "true",
        "AG !(p & EG (p & !q & EX EG ...))": lambda n: (
            "AG !(p & EG (p & !q & EX " * (n // 3) + "p" + "))" * (n // 3)
        ),
    }.items():
        for length in (4, 16, 64, 256):
            formula = parse(make(length))
            verdict = ask(model, str(formula))
            spent = verdict.stats.seconds
            row(f"`{name}`", length, f"{verdict.stats.visited:,}", ms(spent), ms(spent / length))


class Pattern(NamedTuple):
    """A family of formulas of LTL, by size; all hold, and need the whole state space."""

    name: str
    make: Callable[[int], str]
    sizes: tuple[int, ...]


def _all(sign: str, count: int, before: str) -> str:
    return f" {sign} ".join(f"{before} p{number}" for number in range(1, count + 1))


PATTERNS = (
    Pattern("G F p1 & ... & G F pn -> G F p1", lambda n: f"{_all('&', n, 'G F')} -> G F p1", (1, 2, 4, 8, 12)),
    Pattern("(G F p1 -> G F r1) & ... & (G F pn -> G F rn) -> F last", lambda n: " & ".join(f"(G F p{i + 1} -> G F r{i + 1})" for i in range(n)) + " -> F last", (1, 2, 4, 6)),
    Pattern("G (p1 -> F last) & ... & G (pn -> F last)", lambda n: f"{_all('&', n, 'G (F last | !')})".replace(" & G", ") & G"), (1, 2, 4, 8, 12)),
    Pattern("F p1 & ... & F pn | F last", lambda n: f"{_all('&', n, 'F')} | F last", (1, 2, 4, 8, 12)),
    Pattern("F G p1 | ... | F G pn | F last", lambda n: f"{_all('|', n, 'F G')} | F last", (1, 2, 4, 8, 12)),
    Pattern("G !r1 | ... | G !rn | F last", lambda n: f"{_all('|', n, 'G !')} | F last".replace("! p", "!r"), (1, 2, 4, 8, 12)),
    Pattern("F (p1 & X F (p2 & ... X F pn)) | F last", lambda n: f"F ({' & X F ('.join(f'p{i + 1}' for i in range(n))}{')' * n} | F last", (1, 2, 4, 8, 12)),
    Pattern("F (p1 & X X ... X p2) | F last", lambda n: f"F (p1 & {'X ' * n}p2) | F last", (1, 2, 4, 8, 12)),
)  # fmt: skip


def against_patterns() -> None:
    """LTL: some families stay cheap, others double with each operand."""
    table(
        "LTL patterns of growing size, on 2,000 states",
        "formula", "n", "verdict", "assertions", "time",
    )  # fmt: skip
    for pattern in PATTERNS:
        for size in pattern.sizes:
            model = colourful(2000, max(2, size))
            verdict = ask(model, f"A [{pattern.make(size)}]")
            known = verdict.stats.visited
            row(
                f"`{pattern.name}`", size, verdict.word, f"{known:,}" if known else "",
                ms(verdict.stats.seconds),
            )  # fmt: skip


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
    for formula in (
        "EF found",
        "AG !found",
        "E [!last U (found & X odd)]",
        "A [X (odd | X odd)]",
        "E [F (found & X E [X X !odd])]",
    ):
        verdict = pigro.check(Billion(), formula, timeout=LIMIT)
        stats = verdict.stats
        row(f"`{formula}`", verdict.word, f"{stats.states:,}", ms(stats.seconds))


# Side by side with pyModelChecking.

P, Q = atom("p"), atom("q")
CTL = ((10, 20), (100, 10), (1000, 5), (10_000, 1))
LTL = ((10, 20), (30, 10), (100, 1))
ASKED: tuple[tuple[Formula, tuple[tuple[int, int], ...]], ...] = (
    (A(G(no(P))), CTL),
    (A(F(P)), CTL),
    (E(G(P)), CTL),
    (E(U(P, Q)), CTL),
    (A(G(either(no(P), E(F(Q))))), CTL),
    (A(G(F(P))), LTL),
    (A(F(G(P))), LTL),
    (E(G(F(P))), LTL),
    (E(G(U(P, Q))), LTL),
    (A(G(either(no(P), F(Q)))), LTL),
    (E(F(E(G(F(P))))), LTL),
    (A(either(no(F(G(P))), G(F(Q)))), ((3, 2), (5, 1))),
)
"""With the numbers of states, and how many structures of that size; the last one takes it long."""


def structures(count: int, states: int) -> Iterator[Structure]:
    """Random ones, total, three edges a state."""
    for seed in range(count):
        rng = random.Random(1000 * states + seed)
        labels = [frozenset(x for x in "pq" if rng.random() < 0.5) for _ in range(states)]
        after = [tuple(sorted({(i + 1) % states, *rng.choices(range(states), k=2)})) for i in range(states)]  # fmt: skip
        yield Structure(tuple(after), tuple(labels))


def in_their_words(formula: Formula) -> str:
    """The formula as pyModelChecking reads it."""
    words = {"not": "not ", "or": " or ", "U": " U "}
    parts = [in_their_words(each) for each in formula[1:] if isinstance(each, tuple)]
    if not parts:
        return str(formula[1])
    word = words.get(formula[0], formula[0])
    return f"({parts[0]}{word}{parts[1]})" if len(parts) == 2 else f"{word}({parts[0]})"


def against_peer() -> int:
    """The same structures and formulas; returns how often Pigro was wrong."""
    try:
        from pyModelChecking import CTLS, Kripke
        from pyModelChecking.CTLS import Parser
    except ImportError:
        print("\nleft out: pyModelChecking is not installed")
        return 0
    table(
        "Side by side with pyModelChecking 1.3",
        "formula", "states", "structures", "equal", "right: Pigro", "right: the other",
        "Pigro", "pyModelChecking", "ratio",
    )  # fmt: skip
    wrong, read = 0, Parser()
    for formula, sizes in ASKED:
        asked, theirs = parse(to_text(formula)), read(in_their_words(formula))
        for states, count in sizes:
            spent, tally = [0.0, 0.0], [0, 0, 0]
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
                ours = ONTHEFLY(model, asked).holds
                middle = time.perf_counter()
                answer = 0 in CTLS.modelcheck(other, theirs)
                spent[0] += middle - began
                spent[1] += time.perf_counter() - middle
                tally[0] += ours == answer
                if ours != answer:
                    truth = 0 in decide(structure, formula)
                    tally[1 if ours == truth else 2] += 1
            wrong += tally[2]
            times = [each / count for each in spent]
            ratio = f"{times[1] / times[0]:,.0f}"
            row(f"`{asked}`", f"{states:,}", count, *tally, ms(times[0]), ms(times[1]), ratio)
    return wrong


if __name__ == "__main__":
    sys.exit(main())
