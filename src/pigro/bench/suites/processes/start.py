"""Whole runs of the command, each in a process of its own, from doing nothing on.

Python alone is measured too, so that it is seen what of the time is Pigro's.
"""

from __future__ import annotations

import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from pigro.bench.case import Case, Outcome
from pigro.bench.checking import Shelf
from pigro.bench.command import run_command
from pigro.bench.generators.models import call_graph, without_numpy
from pigro.bench.suite import Suite
from pigro.bench.tables import Table, count, time_of
from pigro.formats import rsm_json
from pigro.generate import ModelShape, random_model

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.bench.findings import Findings
    from pigro.bench.suite import Scope

COMMANDS = {
    "python": ("-c", "pass"),
    "import pigro": ("-c", "import pigro"),
    "pigro --help": ("-m", "pigro", "--help"),
    "pigro check": ("-m", "pigro", "check"),
}
SMALL = 50
"""Nodes of the small model; those of the large one are these."""
LARGE, QUICK_LARGE = 100_000, 10_000


class Start(Suite):
    """Commands by sizes of models."""

    name = "start"
    about = "whole runs of the command, from nothing"
    repeat = 10

    def __init__(self) -> None:
        self._files: Shelf[bytes] = Shelf()

    def cases(self, scope: Scope) -> Iterator[Case]:
        """Command by command."""
        large = QUICK_LARGE if scope.quick else LARGE
        sizes = (SMALL,) if self.skipped(scope) else (SMALL, large)
        for command in COMMANDS:
            for nodes in sizes if command == "pigro check" else (0,):
                runner = "python" if command == "python" else "pigro"
                yield Case.of(self.name, runner, command=command, nodes=nodes)

    def skipped(self, scope: Scope) -> list[str]:  # noqa: ARG002 - whatever the scope
        """The large model, without NumPy."""
        return without_numpy()

    def run(self, case: Case, scope: Scope) -> Outcome:
        """One process."""
        command, nodes = [sys.executable, *COMMANDS[case.text("command")]], case.number("nodes")
        if nodes == 0:
            return timed(command, scope)
        data, _ = self._files.take(nodes, lambda: file_of(nodes))
        formula = "EF a" if nodes == SMALL else "AG (p -> EF q)"  # both hold
        with TemporaryDirectory() as folder:
            path = Path(folder, "model.rsm")
            path.write_bytes(data)
            return timed([*command, str(path), formula], scope)

    def tables(self, found: Findings) -> list[Table]:
        """One row for each command."""
        rows = [
            (each.case.text("command"), count(each.case.number("nodes") or None), time_of(each))
            for each in found
        ]
        title = "Whole runs, each in a process of its own"
        return [Table("start", title, ("command", "nodes", "time"), tuple(rows))]


def file_of(nodes: int) -> bytes:
    """A model of about that many nodes, as `.rsm`."""
    model = random_model(ModelShape()) if nodes == SMALL else call_graph(nodes)
    return rsm_json.write(model)


def timed(command: Sequence[str], scope: Scope) -> Outcome:
    """A run of a command that must end well, and within the limits."""
    ran = run_command(command, scope.limits)
    spent, peak = ran.seconds, ran.peak_memory
    if ran.over is None and ran.code == 0:
        return Outcome("done", seconds=spent, whole_seconds=spent, peak_memory=peak)
    said = (ran.errors or ran.output).strip().rpartition("\n")[2]
    problem = f"ended with code {ran.code}: {said}"
    return Outcome(ran.over or "error", whole_seconds=spent, peak_memory=peak, problem=problem)
