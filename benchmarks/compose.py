"""Measures what it is worth to compose only what is undecided: `make compositions`. Prints tables.

The families of `tests/composed_families.py`, from 10^2 to 10^6 composed states, by all methods; and the
solver of parity games on random games, on ladders, and on the games of the families. Times are
seconds of the processor, so that other programs disturb less: medians of three runs, but of one if
it takes more than `PATIENCE`. Beyond the limit there is no verdict; larger sizes are not tried then.
Ends with an error if two methods disagree, or one is wrong.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
import warnings
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

from run import ms, row, table

from pigro import _core
from pigro.bench.composed_families import FAMILIES
from pigro.bench.games import ladder, random_game
from pigro.diagnostics import CheckError, UsageError
from pigro.engines.engine import Limits
from pigro.engines.game import METHODS, compose_check
from pigro.engines.game.layers import play_all
from pigro.engines.game.setting import Setting
from pigro.engines.game.solver import MAYBE, solve
from pigro.logic import parse
from pigro.logic.modal import modal_form

if TYPE_CHECKING:
    from pigro.bench.composed_families import Family
    from pigro.engines.game import CompositionVerdict
    from pigro.model.composition import Composition

SIZES = (100, 1_000, 10_000, 100_000, 1_000_000)
SHOWN = (10_000, 1_000_000)
"""Sizes in the tables; all of them are in the plot and in the file."""
PRIORITIES = (1, 2, 3, 5, 10, 50)
RUNGS = range(5, 26, 5)
PATIENCE = 5.0
"""Seconds; what takes longer runs once."""


@dataclass
class Cost:
    """What a method needed."""

    seconds: float | None = None
    """None: more than the limit."""
    memory: int = 0
    """By how many bytes the process grew, at most; some of it may be memory freed before."""
    rounds: int = 0
    blocks: tuple[int, ...] = ()


@dataclass
class Case:
    """A family at one size."""

    family: str
    kind: str
    sharing: str
    formula: str
    holds: bool
    states: int
    """Composed ones, reachable or not."""
    parts: int = 0
    """Positions of the games on parts alone, all together."""
    undecided: int = 0
    """Of these, undecided ones and what they lead to."""
    product: int = 0
    """Positions of the games on several parts, all together."""
    full: int | None = None
    """Positions of the game on everything."""
    costs: dict[str, Cost] = field(default_factory=dict)

    @property
    def looked_at(self) -> int:
        """Positions of all games of the method `concrete`."""
        return self.parts + self.product

    def spent(self, method: str) -> float | None:
        """Seconds, None if there was no verdict."""
        return self.costs[method].seconds if method in self.costs else None


class Disagreement(Exception):  # noqa: N818 - a result, and a bad one
    """A method is wrong."""


def main() -> int:
    """All tables, and on demand the file and the plot."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="small sizes, one run each")
    parser.add_argument("--largest", type=int, default=SIZES[-1], help="composed states")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds for one check")
    parser.add_argument("--json", type=Path, help="write all that was measured into this file")
    parser.add_argument("--plot", type=Path, help="draw positions and times into this SVG file")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    warm_up()
    runs = 1 if options.quick else 3
    largest = min(options.largest, 1_000) if options.quick else options.largest
    sizes = [size for size in SIZES if size <= largest]
    try:
        cases = [
            each for family in FAMILIES for each in measured(family, sizes, runs, options.limit)
        ]
    except Disagreement as wrong:
        print(f"wrong: {wrong}", file=sys.stderr)
        return 1
    shown = sizes if options.quick else [size for size in sizes if size in SHOWN]
    positions(cases, sizes, shown)
    times(cases, sizes, shown)
    if options.plot:
        draw(options.plot, cases)
    games = random_games(largest, runs) + ladders(options.quick) + real_games(largest, runs)
    if options.json:
        text = json.dumps({"compositions": cases, "games": games}, default=vars, indent=1)
        options.json.write_text(text + "\n", encoding="utf-8")
    return 0


# Compositions.


def warm_up() -> None:
    """All methods once, for some load packages when they are first used."""
    for method in METHODS:
        with suppress(UsageError):
            compose_check(FAMILIES[0].make(100), FAMILIES[0].formula, method=method)


def measured(family: Family, sizes: list[int], runs: int, limit: float) -> list[Case]:
    """A family at all sizes, by all methods."""
    cases = []
    given_up: set[str] = set()
    for size in sizes:
        print(f"{family.name}, {size:,}", file=sys.stderr, flush=True)
        system = family.make(size)
        case = Case(
            family.name, family.kind, family.sharing, family.formula, family.holds, system.states
        )
        for method in METHODS:
            if method in given_up:
                continue
            try:
                verdict, cost = run(family, system, method, runs, limit)
            except (CheckError, UsageError):  # the symbolic method is not for all
                given_up.add(method)
                continue
            case.costs[method] = cost
            if verdict.holds is None:
                given_up.add(method)
            elif verdict.holds is not family.holds:
                raise Disagreement(f"{family.name}, {size:,}, {method}: {verdict.holds}")
            elif method == "concrete":
                count(case, verdict)
            elif method == "full":
                case.full = verdict.layers[-1].nodes
        cases.append(case)
    return cases


def run(
    family: Family, system: Composition, method: str, runs: int, limit: float
) -> tuple[CompositionVerdict, Cost]:
    """The verdict, and what it cost."""
    spent: list[float] = []
    before = most = _core.resident_memory()

    def look() -> None:
        nonlocal most
        most = max(most, _core.resident_memory())

    while len(spent) < runs and (not spent or spent[0] < PATIENCE):
        began = time.process_time()
        verdict = compose_check(
            system, family.formula, method=method, limits=Limits(limit), tick=look
        )
        spent.append(time.process_time() - began)
        if verdict.holds is None:
            return verdict, Cost(memory=most - before, rounds=len(verdict.rounds))
    blocks = verdict.rounds[-1].blocks if verdict.rounds else ()
    return verdict, Cost(median(spent), most - before, len(verdict.rounds), blocks)


def count(case: Case, verdict: CompositionVerdict) -> None:
    """Positions."""
    for layer in verdict.layers:
        if len(layer.parts) == 1:
            case.parts += layer.nodes
            case.undecided += layer.open_nodes
        else:
            case.product += layer.nodes


def positions(cases: list[Case], sizes: list[int], shown: list[int]) -> None:
    """How many there are, and how many it takes."""
    table(
        "Positions",
        "depends on", "family", "parts share", "formula", "verdict", "composed states",
        "parts alone", "undecided", "product", "full game", "looked at",
    )  # fmt: skip
    for at, case in enumerate(cases):
        if sizes[at % len(sizes)] not in shown:
            continue
        row(
            case.kind, case.family, case.sharing, f"`{case.formula.replace('|', chr(92) + '|')}`",
            "holds" if case.holds else "fails", f"{case.states:,}",
            *map(number, (case.parts, case.undecided, case.product) if case.parts else [None] * 3),
            number(case.full), percent(case.looked_at, case.full) if case.parts else "",
        )  # fmt: skip


def times(cases: list[Case], sizes: list[int], shown: list[int]) -> None:
    """How long the methods take."""
    table(
        "Time",
        "depends on", "family", "composed states", "concrete", "full", "ratio",
        "refine", "refine-one", "symbolic", "memory, concrete", "memory, full",
    )  # fmt: skip
    for at, case in enumerate(cases):
        if sizes[at % len(sizes)] not in shown:
            continue
        concrete, full = case.spent("concrete"), case.spent("full")
        row(
            case.kind, case.family, f"{case.states:,}", cell(case, "concrete"), cell(case, "full"),
            f"{full / concrete:,.1f}" if concrete and full else "",
            *(cell(case, method) for method in ("refine", "refine-one", "symbolic")),
            *(megabytes(case, method) for method in ("concrete", "full")),
        )  # fmt: skip


def number(value: int | None) -> str:
    """With commas."""
    return "" if value is None else f"{value:,}"


def percent(some: int, of_all: int | None) -> str:
    """To two digits, or to the unit."""
    if not of_all:
        return ""
    share = 100 * some / of_all
    return f"{share:.2g}%" if share < 99.5 else f"{share:.0f}%"


def cell(case: Case, method: str) -> str:
    """A time; `over` if it was stopped, nothing if it was not tried."""
    if method not in case.costs:
        return ""
    spent = case.spent(method)
    return "over" if spent is None else ms(spent)


def megabytes(case: Case, method: str) -> str:
    """Memory, as far as it was watched."""
    return f"{case.costs[method].memory / 1e6:,.0f} MB" if method in case.costs else ""


# Games.


@dataclass
class Solved:
    """A parity game, and how long it took."""

    game: str
    nodes: int
    edges: int
    priorities: int
    undecided: int
    seconds: float


def solved(name: str, game: tuple, runs: int) -> Solved:
    """Solve a game so many times."""
    owner, priority, _, targets, _ = game
    spent = []
    for _ in range(runs):
        began = time.process_time()
        colours = solve(*game)
        spent.append(time.process_time() - began)
    few = len(set(priority))
    return Solved(name, len(owner), len(targets), few, colours.count(MAYBE), median(spent))


def show(each: Solved) -> Solved:
    """A row of a table."""
    row(
        each.game, f"{each.nodes:,}", f"{each.edges:,}", each.priorities, f"{each.undecided:,}",
        ms(each.seconds), f"{each.nodes / max(each.seconds, 1e-9):,.0f}",
    )  # fmt: skip
    return each


COLUMNS = ("game", "nodes", "edges", "priorities", "undecided", "time", "nodes per second")


def random_games(largest: int, runs: int) -> list[Solved]:
    """From 10^3 nodes on; of their edges all must be there, or nine in ten."""
    table("Random games", *COLUMNS)
    return [
        show(solved(f"random, {may:.0%} may", random_game(size, count, may), runs))
        for size in SIZES[1:]
        if size <= largest
        for count in PRIORITIES
        for may in (0, 0.1)
    ]


def ladders(quick: bool) -> list[Solved]:  # noqa: FBT001 - as it was asked for
    """Games that are hard for the recursion."""
    table("Ladders", *COLUMNS)
    rungs = RUNGS[:3] if quick else RUNGS
    return [show(solved(f"ladder, {count} rungs", ladder(count), 1)) for count in rungs]


def real_games(largest: int, runs: int) -> list[Solved]:
    """The full games of the families, which the native core builds and solves."""
    table("Games of model checking, composed in full", *COLUMNS)
    found = []
    for family in FAMILIES:
        system = family.make(largest)
        form = modal_form(parse(family.formula))
        played = play_all(Setting(system.parts, system.initial, form), None)
        game = played.last
        spent: list[float] = []
        while len(spent) < runs and (not spent or spent[0] < PATIENCE):
            began = time.process_time()
            game.solve()
            spent.append(time.process_time() - began)
        few = len(set(form.priority))
        found.append(show(Solved(family.name, game.nodes, game.edges, few, 0, median(spent))))
    return found


# The plot.

COLOURS = {"one": "C0", "few": "C2", "most": "C1", "everything": "C3"}
MARKS = "osD^vPX*<>"


def draw(path: Path, cases: list[Case]) -> None:
    """How much of the full game is looked at, and how long it takes, by composed states."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "pigro"
    from matplotlib import pyplot

    figure, (left, right) = pyplot.subplots(1, 2, figsize=(10, 5.4))
    names = list(dict.fromkeys((case.kind, case.family) for case in cases))
    for kind, family in names:
        mine = [case for case in cases if case.family == family and case.full and case.parts]
        mark = MARKS[[name for one, name in names if one == kind].index(family)]
        style = {"color": COLOURS[kind], "marker": mark, "markersize": 4, "linewidth": 1}
        states = [case.states for case in mine]
        ratios = [case.looked_at / (case.full or 1) for case in mine]
        left.plot(states, ratios, label=f"{kind}: {family}", **style)
        pairs = [(case.states, case.spent("concrete"), case.spent("full")) for case in mine]
        both = [(size, mine_took / full) for size, mine_took, full in pairs if mine_took and full]
        right.plot([size for size, _ in both], [ratio for _, ratio in both], **style)
    for axes, what in ((left, "positions looked at"), (right, "time")):
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel("composed states")
        axes.set_ylabel(f"{what}, of those of the full game")
        axes.axhline(1, color="grey", linewidth=0.7, linestyle="--")
        axes.grid(alpha=0.3)
    figure.legend(loc="lower center", ncols=4, fontsize=8)
    figure.tight_layout(rect=(0, 0.16, 1, 1))
    figure.savefig(path, metadata={"Date": None})


if __name__ == "__main__":
    sys.exit(main())
