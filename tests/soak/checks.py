"""Compares every engine with the oracle on many random cases: `make soak CASES=1000000 SEED=1`.

With `LOGIC=star` the formulas are of CTL* and half of the machines are rings of calls. With
`LOGIC=automata` they have automata and regular expressions, and those whose complements are too large for
the oracle are left out. With `LOGIC=mu` they are of the mu-calculus, and those with too many positions for the oracle are left out. With
`LOGIC=strategies`, strategies for such formulas are checked, and five spoiled ones for each.

Machine number n is the generator's n-th, and is asked several formulas: a case each. Progress is kept
in a journal (`--journal FILE`). Started again with the same file, the run goes on where it was.
"""

from __future__ import annotations

import argparse
import json
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

from support.agreement.automata import automata_disagreements
from support.agreement.ctl import FORMULAS, disagreements
from support.agreement.mu import mu_disagreements
from support.agreement.star import star_disagreements
from support.judges.game_strategies import believed, wrong_strategies

_CHUNK = 500
_POSITIONS = 3_000


def run_chunk(logic: str, first: int, count: int) -> tuple[int, list[str]]:
    """How many formulas were left out among those of `count` machines, and the disagreements."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent stops the run
    seeds = range(first, first + count)
    if logic == "mu":
        found = [mu_disagreements(seed, _POSITIONS) for seed in seeds]
        compared = sum(each for each, _ in found)
        return count * FORMULAS - compared, [line for _, lines in found for line in lines]
    if logic == "automata":
        told = [automata_disagreements(seed) for seed in seeds]
        return sum(each for each, _ in told), [line for _, lines in told for line in lines]
    if logic == "strategies":
        made = [wrong_strategies(seed, _POSITIONS) for seed in seeds]
        spoiled = [believed(seed, _POSITIONS) for seed in seeds]
        lines = [line for *_, found in (*made, *spoiled) for line in found]
        return count * FORMULAS - sum(each for each, _ in made), lines
    compare = star_disagreements if logic == "star" else disagreements
    return 0, [line for seed in seeds for line in compare(seed)]


class Journal:
    """What a run has done so far, in a file that survives it."""

    def __init__(self, path: Path, seed: int, cases: int) -> None:
        self.path = path
        self.state = {"seed": seed, "cases": cases, "done": 0, "left_out": 0}
        self.state |= {"seconds": 0.0, "disagree": []}
        if path.exists():
            found = json.loads(path.read_text())
            if found["seed"] == seed:
                self.state |= {
                    key: found[key] for key in ("done", "left_out", "seconds", "disagree")
                }

    def note(self, count: int, left_out: int, seconds: float, found: list[str]) -> None:
        """Adds a finished chunk and writes the file anew."""
        self.state["done"] += count
        self.state["left_out"] += left_out
        self.state["seconds"] += seconds
        self.state["disagree"] += found
        draft = self.path.with_suffix(".new")
        draft.write_text(json.dumps(self.state, indent=1))
        draft.replace(self.path)


def main() -> int:
    """Runs the cases on all cores; 1 if any disagreed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1, help="number of the first machine")
    parser.add_argument(
        "--logic", choices=("ctl", "star", "automata", "mu", "strategies"), default="ctl"
    )
    parser.add_argument("--journal", type=Path, help="default: .soak/journal-LOGIC.json")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    options.journal = options.journal or Path(f".soak/journal-{options.logic}.json")
    options.journal.parent.mkdir(parents=True, exist_ok=True)
    journal = Journal(options.journal, options.seed, options.cases)
    machines = -(-options.cases // FORMULAS)
    first = options.seed + journal.state["done"] // FORMULAS
    if journal.state["done"]:
        print(f"going on after {journal.state['done']:,} cases")
    end = options.seed + machines
    starts = range(first, end, _CHUNK)
    counts = [min(_CHUNK, end - start) for start in starts]
    last = time.perf_counter()
    with ProcessPoolExecutor(options.jobs) as pool:
        try:
            for number, (left_out, found) in enumerate(
                pool.map(partial(run_chunk, options.logic), starts, counts)
            ):
                now = time.perf_counter()
                journal.note(counts[number] * FORMULAS, left_out, now - last, found)
                last = now
                for each in found:
                    print(each, flush=True)
                if (number + 1) % 20 == 0:
                    report(journal)
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            print("interrupted; start again to go on")
    report(journal)
    return 1 if journal.state["disagree"] else 0


def report(journal: Journal) -> None:
    """One line."""
    state = journal.state
    print(
        f"{state['done']:,} of {state['cases']:,} cases from machine {state['seed']}, "
        f"{len(state['disagree'])} disagree, {state['left_out']:,} left out, {state['seconds']:.0f} s",
        flush=True,
    )


if __name__ == "__main__":
    sys.exit(main())
