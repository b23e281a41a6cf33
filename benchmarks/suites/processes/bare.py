"""Whole processes that load a file, beside processes that only scan it.

The bare scan of an `.rsm` file is `json.load`. That of a `.pds` file is `bytes.split`, which makes
an object for each word. Times are those of the processor. Processes run by turns.
"""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from benchmarks.case import Case
from benchmarks.checking import LastValueCache
from benchmarks.generators.models import call_graph, without_numpy
from benchmarks.suite import Suite
from benchmarks.suites.java import files_of, missing_files, program_file
from benchmarks.suites.processes.start import timed
from benchmarks.tables import StudyTable, ratio, time_of
from pigro.formats import pds, rsm_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.case import Measurement
    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope

RUNNERS = {
    "load": dict.fromkeys(("rsm", "pds"), "import pigro, sys; pigro.load(sys.argv[1])"),
    "bare": {
        "rsm": "import json, sys; json.load(open(sys.argv[1], 'rb'))",
        "pds": "import sys; open(sys.argv[1], 'rb').read().split()",
    },
}
PROGRAMS = {"fop2pdf": "rsm", "avroraCFG": "pds"}
"""Java programs, and the file that is loaded."""
GENERATED = "generated"
NODES, QUICK_NODES = 100_000, 1_000


class Bare(Suite):
    """Files by runners."""

    name = "bare"
    about = "whole processes that load .rsm and .pds files, beside processes that only scan them"
    repeat = 9

    def __init__(self) -> None:
        self._files: LastValueCache[bytes] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """File by file."""
        for program, kind, edition in files_of(scope, PROGRAMS):
            place = (("program", program), ("file", kind), ("nodes", 0))
            for runner in RUNNERS:
                yield Case(self.name, runner, place, edition)
        if not without_numpy():
            nodes = QUICK_NODES if scope.quick else NODES
            for kind in ("rsm", "pds"):
                for runner in RUNNERS:
                    yield Case.of(self.name, runner, program=GENERATED, file=kind, nodes=nodes)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Programs whose files are missing, and the generated one without NumPy."""
        return [*missing_files(scope, PROGRAMS), *without_numpy()]

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One process."""
        kind = case.text("file")
        data, _ = self._files.take(case.at, lambda: _content(case, scope.files))
        with TemporaryDirectory() as folder:
            path = Path(folder, f"model.{kind}")
            path.write_bytes(data)
            return timed(("-c", RUNNERS[case.runner][kind], str(path)), scope)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Times, and how many times as long a load takes as a bare scan."""
        rows = []
        for at in dict.fromkeys(each.case.at for each in found):
            load, bare = (found.one(runner, **dict(at)) for runner in RUNNERS)
            if load is None or bare is None:
                continue
            file = "{program}.{file}".format(**dict(at))
            times = (time_of(load), time_of(bare), ratio(load.seconds, bare.seconds))
            rows.append((file, *times))
        title = "Whole processes that load a file: processor time, and that of a bare scan"
        columns = ("file", "load", "bare scan", "times as long")
        return [StudyTable("bare", title, columns, tuple(rows))]


def _content(case: Case, files: Path | None) -> bytes:
    program, kind = case.text("program"), case.text("file")
    if program == GENERATED:
        model = call_graph(case.number("nodes"))
        return rsm_json.write(model) if kind == "rsm" else pds.write(model)
    assert files is not None
    return program_file(files, program, kind)
