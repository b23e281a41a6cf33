"""Shows and replays the evidence for all use-def verdicts of the Java programs: `make evidence`.

Every verdict that one run can show must have a run, and replay must accept all evidence. It ends
with an error otherwise. Prints a table: runs, their lengths, and times.
"""

from __future__ import annotations

import sys
import time
import warnings
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

import pigro
from benchmarks.printing import JAVA, PROGRAMS, member, ms, row, table
from pigro.engines.native import DEMAND
from pigro.evidence import evidence_of, replay
from pigro.formats import rsm_json

if TYPE_CHECKING:
    from pigro.evidence import Evidence

PROVING = replace(DEMAND, certify=True, shortest=True)


def main() -> int:
    """All programs."""
    warnings.simplefilter("ignore")
    if not JAVA.is_dir():
        print("left out: the benchmark files are not here")
        return 0
    table(
        "Evidence for all use-def verdicts",
        "program", "verdicts", "runs", "median", "longest", "find, slowest", "replay, slowest",
    )  # fmt: skip
    missing = 0
    for program in PROGRAMS:
        model = rsm_json.read(member(program, ".rsm"))
        texts = [member(program, suffix) for suffix in ("_usedef.ctl", "_single_usedef.ctl")]
        formulas = [each for text in texts for _, each in pigro.read_formulas(text)]
        lengths, finding, replaying = [], [0.0], [0.0]
        for verdict in PROVING.check_all(model, formulas):
            assert verdict.certificate is not None
            began = time.perf_counter()
            evidence = evidence_of(verdict.certificate)
            found = time.perf_counter()
            assert evidence is not None
            replay(model, verdict.certificate.to_bytes(), evidence)  # raises if it is wrong
            finding.append(found - began)
            replaying.append(time.perf_counter() - found)
            runs = list(paths(evidence))
            missing += verdict.holds is False and not runs
            lengths += runs
        row(
            program, len(formulas), len(lengths), f"{median(lengths or [0]):.0f}",
            max(lengths, default=0), ms(max(finding)), ms(max(replaying)),
        )  # fmt: skip
    print(f"\n{missing} failing formulas without a run")
    return int(missing > 0)


def paths(evidence: Evidence) -> list[int]:
    """The lengths of the runs in evidence."""
    found = [] if evidence.path is None else [len(evidence.path.states)]
    return found + [length for part in evidence.parts for length in paths(part)]


if __name__ == "__main__":
    sys.exit(main())
