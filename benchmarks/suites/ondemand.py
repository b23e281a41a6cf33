"""States looked at beside states there are: `.smv` files that are searched on demand.

Free booleans are large, and their answers are near: the search should look at few states, however
many there are. The classics of examples/smv, which are there where the command runs in the
repository, are small. The files that come with NuSMV are in `nusmv/files.zip` of the benchmarks,
with the verdicts of NuSMV 2.5.4. They are asked if they are there.
"""

from __future__ import annotations

import json
import time
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.case import Case, Measurement
from benchmarks.drivers.nusmv import check_file
from benchmarks.drivers.peers import NUSMV
from benchmarks.suite import Suite
from benchmarks.tables import StudyTable, amount_of_time, count, time_of
from pigro.diagnostics import PigroError
from pigro.engines import choose_engine
from pigro.formats import smv
from pigro.limits import Budget

if TYPE_CHECKING:
    from collections.abc import Iterator

    from benchmarks.findings import ResultSet
    from benchmarks.suite import StudyScope
    from pigro.model.space import Model

BOOLEANS = (16, 20, 30, 60)
FORMULA = "E [F (b0 & X b1)]"
LISTED = 20
"""Booleans whose states can be listed to be counted."""
_FOLDER = "nusmv"
_EXAMPLES = Path("examples/smv")


class OnDemandSuite(Suite):
    """Free booleans, the examples, and the files of NuSMV."""

    name = "ondemand"
    about = "states looked at beside states there are, and the files that come with NuSMV"
    tools = (NUSMV,)

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Booleans first, then the files that are there."""
        for booleans in BOOLEANS:
            yield Case.of(self.name, "auto", file="booleans", size=booleans)
        for runner, size, paths in (
            ("onthefly", 1, sorted(map(str, _EXAMPLES.glob("*.smv")))),
            ("auto", 0, _files(scope)),
        ):
            for path in paths:
                yield Case.of(self.name, runner, file=path, size=size)
                if scope.peer(NUSMV) is not None:
                    case = Case.of(self.name, NUSMV, file=path, size=size)
                    yield replace(case, edition=dict(scope.versions).get(NUSMV, ""))

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """Reads a file and checks its formulas, from nothing."""
        file, size = case.text("file"), case.number("size")
        if file == "booleans":
            return _checked(free_booleans(size).encode(), [FORMULA], [True], scope)
        data, expected = _example(file) if size else _content(scope, file)
        program = scope.peer(NUSMV)
        if case.runner == NUSMV and program is not None:
            return check_file(program, data.decode("latin-1"), len(expected), scope.limits)
        return _checked(data, [], expected, scope, case.runner)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """States of booleans and examples, and what became of files."""
        return [_booleans(found), _of_examples(found), _of_files(found)]


def free_booleans(number: int) -> str:
    """A module of booleans that start false and do anything."""
    names = [f"b{each}" for each in range(number)]
    declared = "".join(f"  {name} : boolean;\n" for name in names)
    starts = "".join(f"  init({name}) := FALSE;\n" for name in names)
    return f"MODULE main\nVAR\n{declared}ASSIGN\n{starts}"


def _example(path: str) -> tuple[bytes, list[bool]]:
    """An example, with the verdicts that the comments before its formulas tell."""
    data = Path(path).read_bytes()
    lines = [line.strip() for line in data.decode().splitlines()]
    return data, [line == "-- holds" for line in lines if line in ("-- holds", "-- fails")]


def _folder(scope: StudyScope) -> Path | None:
    found = None if scope.files is None else scope.files / _FOLDER
    return found if found is not None and (found / "files.zip").exists() else None


def _files(scope: StudyScope) -> list[str]:
    folder = _folder(scope)
    if folder is None:
        return []
    listed = json.loads((folder / "verdicts.json").read_text())["files"]
    return [each["path"] for each in listed][: 5 if scope.quick else None]


def _content(scope: StudyScope, path: str) -> tuple[bytes, list[bool]]:
    folder = _folder(scope)
    assert folder is not None, "its files were listed"
    listed = json.loads((folder / "verdicts.json").read_text())["files"]
    verdicts = next(each["verdicts"] for each in listed if each["path"] == path)
    with zipfile.ZipFile(folder / "files.zip") as files:
        return files.read(path), [word == "true" for _, word in verdicts]


def _checked(
    data: bytes, formulas: list[str], expected: list[bool], scope: StudyScope, engine: str = "auto"
) -> Measurement:
    began = time.perf_counter()
    try:
        document = smv.SmvDocument(data)
    except PigroError as error:
        return Measurement("done", details={"refused": 1}, problem=error.message)
    model = document.model()
    asked = [document.formula(each) for each in formulas]
    asked = asked or [each.formula for each in document.requirements(model)]
    loaded = time.perf_counter()
    verdicts = choose_engine(engine).check_all(model, asked, budget=Budget(scope.limits))
    ended = time.perf_counter()
    if any(each.holds is None for each in verdicts):
        return Measurement("timeout", load_seconds=loaded - began)
    holds = [each.holds is True for each in verdicts]
    wrong = sorted(holds) != sorted(expected)
    counted: Model = verdicts[0].subject if verdicts else model
    return Measurement(
        word="wrong" if wrong else "done",
        seconds=ended - loaded,
        load_seconds=loaded - began,
        details={
            "formulas": len(asked),
            "hold": sum(holds),
            "looked_at": max((each.stats.states or 0 for each in verdicts), default=0),
            "listed": counted.listed().core.declared_nodes if counted.is_listed else 0,
        },
        problem="the verdicts are not those of NuSMV" if wrong else None,
    )


def _booleans(found: ResultSet) -> StudyTable:
    rows = []
    for booleans in BOOLEANS:
        each = found.one("auto", file="booleans", size=booleans)
        if each is not None and each.decided:
            looked = count(float(each.last.details["looked_at"]))
            there = count(float(2**booleans)) if booleans <= LISTED else f"2^{booleans}"
            rows.append(
                (str(booleans), there, looked, amount_of_time(each.load_seconds), time_of(each))
            )
    columns = ("booleans", "states there are", "states looked at", "load", "check")
    return StudyTable("ondemand", f"Free booleans, `{FORMULA}`", columns, tuple(rows))


def _of_examples(found: ResultSet) -> StudyTable:
    rows = []
    for each in found.where(size=1):
        if each.case.runner == NUSMV or not each.decided:
            continue
        path, details = each.case.text("file"), each.last.details
        beside = found.one(NUSMV, file=path, size=1)
        rows.append((
            Path(path).name, count(float(details["formulas"])), count(float(details["hold"])),
            count(float(details["listed"])), count(float(details["looked_at"])),
            amount_of_time(each.load_seconds), time_of(each), time_of(beside),
        ))  # fmt: skip
    columns = (
        "file", "formulas", "hold", "states there are", "most looked at", "load", "check", NUSMV,
    )  # fmt: skip
    return StudyTable("ondemand-examples", "The classics of examples/smv", columns, tuple(rows))


def _of_files(found: ResultSet) -> StudyTable:
    rows = []
    for runner in ("auto", NUSMV):
        cells = [each for each in found.where(size=0) if each.case.runner == runner]
        if not cells:
            continue
        refused = sum("refused" in each.last.details for each in cells)
        decided = [each for each in cells if each.decided and "refused" not in each.last.details]
        wrong = sum(each.last.word == "wrong" for each in cells)
        seconds = sum((each.seconds or 0.0) + (each.load_seconds or 0.0) for each in decided)
        rows.append((
            runner, count(len(cells)), count(len(cells) - refused), count(len(decided)),
            count(wrong), amount_of_time(seconds),
        ))  # fmt: skip
    columns = ("by", "files", "read", "decided", "other verdicts", "time for those decided")
    return StudyTable("ondemand-files", "Files that come with NuSMV", columns, tuple(rows))
