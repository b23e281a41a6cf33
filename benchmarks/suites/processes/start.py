"""Whole runs of the command, each in a process of its own, from doing nothing on.

Times are those of the processor. The yardstick is an import of click and msgspec: it runs before
every command, and the table has the time beyond it. Modules are counted in a run of their own.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.case import Case, Measurement
from benchmarks.checking import LastValueCache
from benchmarks.command import run_command
from benchmarks.generators.models import call_graph, without_numpy
from benchmarks.suite import Suite
from benchmarks.tables import StudyTable, amount_of_time, count, time_of
from pigro.formats import rsm_json
from pigro.generate import ModelShape, random_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope

COMMANDS = {
    "python": ("-c", "pass"),
    "import click, msgspec": ("-c", "import click, msgspec"),
    "import pigro": ("-c", "import pigro"),
    "pigro --help": ("-m", "pigro", "--help"),
    "pigro check": ("-m", "pigro", "check"),
}
YARDSTICK = "import click, msgspec"
SMALL = 50
"""Nodes of the small model. Those of the large one are these."""
LARGE, QUICK_LARGE = 100_000, 10_000


class Start(Suite):
    """Commands by sizes of models."""

    name = "start"
    about = "whole runs of the command, from nothing"
    repeat = 10

    def __init__(self) -> None:
        self._files: LastValueCache[bytes] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Command by command."""
        large = QUICK_LARGE if scope.quick else LARGE
        sizes = (SMALL,) if self.skipped(scope) else (SMALL, large)
        for command in COMMANDS:
            for nodes in sizes if command == "pigro check" else (0,):
                runner = "pigro" if "pigro" in command else "python"
                yield Case.of(self.name, runner, command=command, nodes=nodes)

    def skipped(self, scope: StudyScope) -> list[str]:
        """The large model, without NumPy."""
        return without_numpy()

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """The command, after the yardstick."""
        command, nodes = COMMANDS[case.text("command")], case.number("nodes")
        if nodes == 0:
            return compared(command, scope)
        data, _ = self._files.take(nodes, lambda: file_of(nodes))
        formula = "EF a" if nodes == SMALL else "AG (p -> EF q)"  # both hold
        with TemporaryDirectory() as folder:
            path = Path(folder, "model.rsm")
            path.write_bytes(data)
            return compared((*command, str(path), formula), scope)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """One row for each command."""
        rows = [
            (
                each.case.text("command"),
                count(each.case.number("nodes") or None),
                time_of(each),
                beyond(each) if each.case.runner == "pigro" else "",
                str(each.last.details.get("modules", "")),
            )
            for each in found
        ]
        title = "Whole runs, each in a process of its own: processor time"
        columns = ("command", "nodes", "time", f"beyond {YARDSTICK}", "modules")
        return [StudyTable("start", title, columns, tuple(rows))]


def beyond(result: CaseResult) -> str:
    """How much longer the command takes than the yardstick, which ran by turns with it."""
    found = [each.details.get("beyond") for each in result.counted]
    known = [float(each) for each in found if each is not None]
    if not known:
        return ""
    spent = median(known)
    return amount_of_time(spent) if spent > 0 else "0"


def file_of(nodes: int) -> bytes:
    """A model of about that many nodes, as `.rsm`."""
    model = random_model(ModelShape()) if nodes == SMALL else call_graph(nodes)
    return rsm_json.write(model)


def compared(args: Sequence[str], scope: StudyScope) -> Measurement:
    """A run of Python with these arguments, after a run of the yardstick."""
    yardstick = timed(COMMANDS[YARDSTICK], scope)
    outcome = timed(args, scope)
    if outcome.seconds is None or yardstick.seconds is None:
        return outcome
    listing = run_command([sys.executable, "-X", "importtime", *args], scope.limits).errors
    modules = sum(line.startswith("import time:") for line in listing.splitlines()[1:])
    beyond = outcome.seconds - yardstick.seconds
    return replace(outcome, details={"beyond": beyond, "modules": modules})


def timed(args: Sequence[str], scope: StudyScope) -> Measurement:
    """A run of Python that must end well, and within the limits."""
    ran = run_command([sys.executable, *args], scope.limits)
    whole, peak = ran.seconds, ran.peak_memory
    if ran.over is None and ran.code == 0:
        spent = ran.processor_seconds
        return Measurement("done", seconds=spent, whole_seconds=whole, peak_memory=peak)
    said = (ran.errors or ran.output).strip().rpartition("\n")[2]
    problem = f"ended with code {ran.code}: {said}"
    return Measurement(ran.over or "error", whole_seconds=whole, peak_memory=peak, problem=problem)
