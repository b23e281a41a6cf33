"""Compares the engines with the oracle on many random cases: `make soak CASES=1000000 SEED=1`.

Case number n of a run is the generator's case n, so a failure is named by one number.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
import warnings
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))

from agreement import disagreement

_CHUNK = 500


def run_chunk(first: int, count: int) -> list[str]:
    """The disagreements among `count` cases."""
    warnings.simplefilter("ignore")
    return [found for seed in range(first, first + count) if (found := disagreement(seed))]


def main() -> int:
    """Runs the cases on all cores; 1 if any disagreed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=1, help="number of the first case")
    options = parser.parse_args()
    began = time.perf_counter()
    bad: list[str] = []
    starts = range(options.seed, options.seed + options.cases, _CHUNK)
    counts = [min(_CHUNK, options.seed + options.cases - first) for first in starts]
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for done, found in enumerate(pool.map(run_chunk, starts, counts), 1):
            bad += found
            for each in found:
                print(each, flush=True)
            if done % 20 == 0 or done == len(starts):
                seconds = time.perf_counter() - began
                print(
                    f"{sum(counts[:done]):,} cases, {len(bad)} disagree, {seconds:.0f} s",
                    flush=True,
                )
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
