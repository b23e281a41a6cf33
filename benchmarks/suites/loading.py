"""How fast models are read: the same model as an `.rsm` and as a `.pigro` file.

Files are in memory, and times are those of the processor: a busy machine changes both in the same
way. The format is found by the content, as for every file. Both models must have the same digest.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from benchmarks.case import Case, Measurement
from benchmarks.checking import LastValueCache, steady
from benchmarks.generators.models import call_graph, without_numpy
from benchmarks.suite import Suite
from benchmarks.suites.java import files_of, missing_files, program_file
from benchmarks.tables import StudyTable, amount_of_memory, count, ratio, time_of
from pigro.formats import binary, choose_format, pds, rsm_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from pigro.model import RSM

FORMATS = ("rsm", "pigro")
PROGRAMS = {"dataflow": "rsm", "dom2pdf": "rsm", "avroraCFG": "pds"}
"""Java programs, and the format of the file that they are made from."""
GENERATED = "generated"
NODES, QUICK_NODES = 200_000, 10_000


class Loading(Suite):
    """Programs by formats."""

    name = "loading"
    about = "reading the same models as .rsm and as .pigro files"
    repeat = 9

    def __init__(self) -> None:
        self._files: LastValueCache[dict[str, bytes]] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Program by program."""
        for program, _, edition in files_of(scope, PROGRAMS):
            for runner in FORMATS:
                yield Case(self.name, runner, (("program", program), ("nodes", 0)), edition)
        if not without_numpy():
            nodes = QUICK_NODES if scope.quick else NODES
            for runner in FORMATS:
                yield Case.of(self.name, runner, program=GENERATED, nodes=nodes)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Programs whose files are missing, and the generated one without NumPy."""
        return [*missing_files(scope, PROGRAMS), *without_numpy()]

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """Reads one file."""
        program, nodes = case.text("program"), case.number("nodes")
        files, _ = self._files.take(case.at, lambda: _written(program, nodes, scope.files))
        data = files[case.runner]
        model, seconds = _timed(data)
        details: dict[str, str | int | float] = {
            "bytes": len(data),
            "nodes": model.core.declared_nodes,
            "verdicts": model.digest.hex(),  # must be the same for all runners
        }
        del model
        outcome = Measurement("done", seconds=seconds, details=details)
        return steady(outcome, lambda: _timed(data)[1])

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Sizes and times, and how many times as fast the binary files are."""
        rows = []
        for at in dict.fromkeys(each.case.at for each in found):
            text, compact = (found.one(runner, **dict(at)) for runner in FORMATS)
            if text is None or compact is None:
                continue
            details = [each.last.details for each in (text, compact)]
            rows.append((
                str(dict(at)["program"]),
                count(_whole(details[0].get("nodes"))),
                *(amount_of_memory(_whole(each.get("bytes"))) for each in details),
                time_of(text), time_of(compact), ratio(text.seconds, compact.seconds),
            ))  # fmt: skip
        columns = (
            "program", "nodes", ".rsm size", ".pigro size", ".rsm time", ".pigro time",
            "times as fast",
        )  # fmt: skip
        title = "Reading a model: processor time, and how many times as fast a .pigro file is"
        return [StudyTable("loading", title, columns, tuple(rows))]

    def facts(self, found: ResultSet) -> dict[str, str]:
        """How many times as fast binary files are, for each program."""
        ratios = found.ratios("rsm", "pigro").items()
        return {str(dict(at)["program"]): ratio(times, 1.0) for at, times in ratios}


def _written(program: str, nodes: int, files: Path | None) -> dict[str, bytes]:
    """The model in both formats. Labels stand in the order that they have in the text."""
    if program == GENERATED:
        text = rsm_json.write(call_graph(nodes))
    else:
        assert files is not None
        kind = PROGRAMS[program]
        data = program_file(files, program, kind)
        text = data if kind == "rsm" else rsm_json.write(pds.read(data))
    return {"rsm": text, "pigro": binary.write(rsm_json.read(text))}


def _timed(data: bytes) -> tuple[RSM, float]:
    """The model in a file, and the processor time that it took to read it."""
    began = time.process_time()
    model: RSM = choose_format(data, None, None).need("read", "read")(data)
    return model, time.process_time() - began


def _whole(value: str | float | None) -> int | None:
    return None if value is None else int(value)
