"""Other tools beside Pigro: a process for each formula, the same files, the same limits.

`pigro` is the command with the engine that `auto` picks for such models, in its own semantics.
`pigro lazy`, `pigro ternary` and `pigro eager` are the published algorithms in the published
reading of calls of entry-exit nodes, to compare them with RSMCheck's own.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import drivers
from benchmarks.answers import answer_of_pigro, answer_of_pymodelchecking, answer_of_rsmcheck
from benchmarks.case import Case
from benchmarks.checking import LastValueCache
from benchmarks.command import run_command
from benchmarks.drivers.peers import PYMODELCHECKING, RSMCHECK, rsmcheck_at
from benchmarks.suite import Suite
from benchmarks.suites.java import missing_programs
from benchmarks.suites.peers.questions import Files, places
from benchmarks.suites.peers.tables import peer_facts, peer_tables

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.case import Measurement
    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from benchmarks.tables import StudyTable

MODES = {
    "lazy": (),
    "ternary": ("-expansion_heuristic", "all"),
    "random": ("-expansion_heuristic", "random"),
    "eager": ("-exhaustive",),
}
"""Of RSMCheck, by the names that Pigro has for them."""
PACKAGE = "pyModelChecking"
DRIVER = Path(drivers.__file__).with_name("ask_pymodelchecking.py")
RUNNERS = {
    "java": (
        "pigro", "pigro lazy", "pigro ternary", "pigro eager",
        *(f"rsmcheck {mode}" for mode in MODES),
    ),
    "grid": ("pigro", *(f"rsmcheck {mode}" for mode in MODES)),
    "kripke": ("pigro", PACKAGE),
}  # fmt: skip


class Peers(Suite):
    """Java programs and random models with RSMCheck, Kripke structures with pyModelChecking."""

    name = "peers"
    about = "RSMCheck and pyModelChecking beside Pigro, each run in a process of its own"
    tools = (RSMCHECK, PYMODELCHECKING)
    repeat = 1

    def __init__(self) -> None:
        self._files: LastValueCache[Files] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Place by place."""
        versions = dict(scope.versions)
        for at in places(scope):
            for runner in RUNNERS[str(dict(at)["kind"])]:
                tool = runner.partition(" ")[0].lower()
                yield Case(self.name, runner, at, versions.get(tool, ""))

    def skipped(self, scope: StudyScope) -> list[str]:
        """Tools that do not take part, and programs without files."""
        left_out = []
        if scope.peer(RSMCHECK) is None:
            left_out.append("RSMCheck: not given (--peer rsmcheck=FOLDER)")
        elif scope.files is None:
            left_out += missing_programs(scope)
        if scope.peer(PYMODELCHECKING) is None:
            left_out.append("pyModelChecking: not given (--peer pymodelchecking)")
        return left_out

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One tool, one formula, one process."""
        files, _ = self._files.take(case.at, lambda: Files(case.at, scope))
        tool, _, mode = case.runner.partition(" ")
        if tool == "pigro":
            return self._pigro(files, "onthefly" if case["kind"] == "kripke" else mode, scope)
        if tool == PACKAGE:
            python = _peer(scope, PYMODELCHECKING)
            command = [python, str(DRIVER), str(files.model), str(files.formula)]
            return answer_of_pymodelchecking(run_command(command, scope.limits))
        return self._rsmcheck(files, mode, scope)

    def _pigro(self, files: Files, engine: str, scope: StudyScope) -> Measurement:
        command = [
            sys.executable, "-m", "pigro", "check", str(files.model), "-f", str(files.formula),
            "--format", "json", "--engine", engine or "demand",
        ]  # fmt: skip
        if engine in MODES:
            command += ["--semantics", "rsmcheck"]
        return answer_of_pigro(run_command(command, scope.limits))

    def _rsmcheck(self, files: Files, mode: str, scope: StudyScope) -> Measurement:
        folder, python = rsmcheck_at(_peer(scope, RSMCHECK))
        log = files.folder / "rsmcheck.log"
        log.unlink(missing_ok=True)
        command = [
            python, "rsmcheck.py", str(files.model), str(files.formula),
            "-log", str(log), "-overwrite", *MODES[mode],
        ]  # fmt: skip
        ran = run_command(command, scope.limits, folder)
        text = log.read_text(encoding="utf-8", errors="replace") if log.is_file() else ""
        return answer_of_rsmcheck(ran, text)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Verdicts, numbers and ratios."""
        return peer_tables(found)

    def facts(self, found: ResultSet) -> dict[str, str]:
        """What the text tells."""
        return peer_facts(found)


def _peer(scope: StudyScope, name: str) -> str:
    where = scope.peer(name)
    assert where is not None, f"{name} takes part"
    return where
