"""Table 1 of [Dubslaff2024]: can a variable still be used where it is defined, in Java programs?

Six programs as `.rsm` and all eight as `.pds`, with the published requirement of each. For two
programs there is no `.rsm` and the requirement was not published: theirs is that of the first
variable, a stand-in. Its verdict is the published one, and its counts can't be compared. All in
Pigro's semantics, and in the published reading of calls of entry-exit nodes.
"""

from __future__ import annotations

import hashlib
import zipfile
from typing import TYPE_CHECKING, NamedTuple

from benchmarks.case import Case
from benchmarks.checking import PAPER, LastValueCache, checked
from benchmarks.findings import slowest_of
from benchmarks.suite import Suite
from benchmarks.tables import StudyTable, amount_of_time, count, time_of
from pigro.formats import pds, rsm_json
from pigro.formats.use_def import use_def
from pigro.logic import read_formulas

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from benchmarks.case import At, Measurement
    from benchmarks.findings import CaseResult, ResultSet
    from benchmarks.suite import StudyScope
    from pigro.logic import Formula
    from pigro.model import RSM


class Published(NamedTuple):
    """A row of the published table: verdict, and contexts and seconds of three algorithms."""

    word: str
    components: int
    """Column k."""
    pdsolver: str
    pumoc: str
    eager: tuple[int, float]
    ternary: tuple[int, float]
    lazy: tuple[int, float]


PUBLISHED = {
    "dataflow": Published("fails", 3, "< 0.01 s", "0.02 s", (6, 0.01), (1, 0.01), (1, 0.01)),
    "avroraReg": Published("holds", 173, "8.73 s", "16.12 s", (477, 1.77), (27, 0.56), (2, 0.32)),
    "avroraMedTest": Published(
        "holds", 238, "12.48 s", "37.09 s", (264, 1.32), (28, 0.69), (4, 0.43)
    ),
    "avroraELF": Published("holds", 248, "26.68 s", "71.28 s", (614, 4.79), (1, 0.29), (1, 0.29)),
    "fop2pdf": Published("holds", 607, "61.68 s", "> 1800 s", (2029, 27.67), (60, 1.42), (6, 1.23)),
    "dom2pdf": Published(
        "holds", 615, "80.46 s", "1345.56 s", (2002, 17.64), (240, 6.93), (1, 0.79)
    ),
    "avroraDisassemble": Published(
        "holds", 2085, "806.66 s", "> 1800 s", (4628, 163.89), (1731, 118.92), (1, 3.47)
    ),
    "avroraCFG": Published(
        "holds", 3169, "> 1800 s", "> 1800 s", (4372, 107.53), (160, 56.73), (2, 8.22)
    ),
}
"""The fop2pdf of the files is called fo2pdf there."""
PROGRAMS = tuple(PUBLISHED)
WITHOUT_RSM = ("avroraDisassemble", "avroraCFG")
ENGINES = ("demand", *PAPER)
VARIANTS = tuple(
    f"{engine}/{variant}"
    for variant in ("printed", "tool")
    for engine in ("eager", "ternary", "lazy")
)
"""What Table 1 has besides Pigro's versions."""
READINGS = {"standard": "Pigro's semantics", "rsmcheck": "the published reading"}


class Java(Suite):
    """Programs by files, semantics and engines."""

    name = "java"
    about = "the Java programs of the published Table 1, by demand, eager, ternary, random and lazy"

    def __init__(self) -> None:
        self._models: LastValueCache[RSM] = LastValueCache()

    def cases(self, scope: StudyScope) -> Iterator[Case]:
        """Program by program."""
        for at, edition in program_places(scope):
            for engine in (*ENGINES, *VARIANTS) if is_in_table_1(at) else ENGINES:
                yield Case(self.name, engine, at, edition)

    def skipped(self, scope: StudyScope) -> list[str]:
        """Programs whose files are missing."""
        return missing_programs(scope)

    def run(self, case: Case, scope: StudyScope) -> Measurement:
        """One engine on one program."""
        assert scope.files is not None
        program, kind = case.text("program"), case.text("file")
        files, semantics = scope.files, case.text("semantics")
        model, seconds = self._models.take(
            case.at, lambda: read_program(files, program, kind, semantics)
        )
        formula = requirement(files, program, model)
        return checked(case.runner, model, formula, scope.limits, seconds)

    def tables(self, found: ResultSet) -> list[StudyTable]:
        """Times and contexts for each file and reading, and beside the published ones."""
        return [
            *(
                self._table(found, kind, semantics)
                for semantics in READINGS
                for kind in ("rsm", "pds")
                if found.where(file=kind, semantics=semantics)
            ),
            beside_published(found),
            table_1(found),
        ]

    def facts(self, found: ResultSet) -> dict[str, str]:
        """What the text tells."""
        slowest = {
            f"{engine}-slowest": amount_of_time(slowest_of(found.where(engine)))
            for engine in ENGINES
        }
        loads = [each.load_seconds for each in found if each.load_seconds is not None]
        wrong = [program for program in PROGRAMS if _is_wrong(found, program)]
        return {
            **slowest,
            "load-slowest": amount_of_time(max(loads, default=None)),
            "wrong": str(len(wrong)),
            "wrong-names": ", ".join(wrong),
        }

    def _table(self, found: ResultSet, kind: str, semantics: str) -> StudyTable:
        rows = []
        for program in PROGRAMS:
            place = {"program": program, "file": kind, "semantics": semantics}
            cells = {engine: found.one(engine, **place) for engine in ENGINES}
            demand = cells["demand"]
            if not any(cells.values()):
                continue
            rows.append((
                program, demand.word if demand else "",
                amount_of_time(_load(list(cells.values()))),
                *(_contexts_and_time(each) for each in cells.values()),
            ))  # fmt: skip
        title = f"Java programs as .{kind}, {READINGS[semantics]}: contexts, time"
        columns = ("program", "verdict", "load", *ENGINES)
        return StudyTable(f"java-{kind}-{semantics}", title, columns, tuple(rows))


def beside_published(found: ResultSet) -> StudyTable:
    """Contexts and times of the published table, and of the same algorithms here."""
    rows = []
    for program, published in PUBLISHED.items():
        place = {"program": program, "file": "rsm", "semantics": "rsmcheck"}
        cells: list[str] = []
        for engine in ("eager", "ternary", "lazy"):
            contexts, seconds = getattr(published, engine)
            result = found.one(engine, **place)
            ours = count(result.last.contexts) if result is not None else ""
            cells += [count(contexts), ours, amount_of_time(seconds), time_of(result)]
        if any(found.one(engine, **place) for engine in ("eager", "ternary", "lazy")):
            rows.append((program, published.word, _word(found, program), *cells))
    columns = ("program", "published", "truth", *(
        f"{engine}: {what}"
        for engine in ("eager", "ternary", "lazy")
        for what in ("contexts, published", "contexts, here", "time, published", "time, here")
    ))  # fmt: skip
    title = "The published table, and the same algorithms here in the published reading"
    return StudyTable("java-published", title, columns, tuple(rows))


def is_in_table_1(at: At) -> bool:
    """Whether it is the published reading, of the `.rsm` file if there is one."""
    place = dict(at)
    kind = "pds" if place["program"] in WITHOUT_RSM else "rsm"
    return place["semantics"] == "rsmcheck" and place["file"] == kind


def table_1(found: ResultSet) -> StudyTable:
    """The whole published table, and below each row the measurements made here, by variant."""
    rows: list[tuple[str, ...]] = []
    for program, published in PUBLISHED.items():
        kind = "pds" if program in WITHOUT_RSM else "rsm"
        place = {"program": program, "file": kind, "semantics": "rsmcheck"}
        mine = []
        for variant in ("improved", "printed", "tool"):
            suffix = "" if variant == "improved" else f"/{variant}"
            results = [
                found.one(f"{engine}{suffix}", **place) for engine in ("eager", "ternary", "lazy")
            ]
            if any(results):
                words = sorted({each.word for each in results if each is not None})
                cells = [_contexts_and_time(each) for each in results]
                mine.append(("", f"here, {variant}", "/".join(words), "", "", "", *cells))
        if mine:
            theirs = [
                f"{count(contexts)}, {amount_of_time(seconds)}"
                for contexts, seconds in (published.eager, published.ternary, published.lazy)
            ]
            k = count(published.components)
            peers = (published.pdsolver, published.pumoc)
            rows += [(program, "published", published.word, k, *peers, *theirs), *mine]
    columns = ("program", "who", "verdict", "k", "PDSolver", "PuMoC", "eager", "ternary", "lazy")
    title = "Table 1 whole, in the published reading: contexts, time"
    return StudyTable("java-table-1", title, columns, tuple(rows))


def _word(found: ResultSet, program: str) -> str:
    """The verdict on the published requirement. Nothing where there is none."""
    result = found.one("demand", program=program, file="rsm", semantics="standard")
    return result.word if result is not None and result.decided else ""


def _is_wrong(found: ResultSet, program: str) -> bool:
    """Whether the published verdict is not the truth."""
    return _word(found, program) not in {"", PUBLISHED[program].word}


def program_places(scope: StudyScope) -> Iterator[tuple[At, str]]:
    """Programs by files and readings, as coordinates. With a digest of the file."""
    files = scope.files
    if files is None:
        return
    for program in PROGRAMS:
        for kind in ("rsm", "pds"):
            if has_file(files, program, kind):
                digest = hashlib.sha256(archive_of(files, program, kind).read_bytes()).hexdigest()
                for semantics in READINGS:
                    at = (("program", program), ("file", kind), ("semantics", semantics))
                    yield at, digest[:12]


def files_of(scope: StudyScope, wanted: Mapping[str, str]) -> Iterator[tuple[str, str, str]]:
    """Those of these programs that are there as a file of that kind. With a digest of the file."""
    for at, edition in program_places(scope):
        program, kind, semantics = (str(value) for _, value in at)
        if wanted.get(program) == kind and semantics == "standard":
            yield program, kind, edition


def archive_of(files: Path, program: str, kind: str) -> Path:
    """Where a program is as a file of that kind."""
    return files / "java" / f"{'all-pds' if kind == 'pds' else program}.zip"


def has_file(files: Path, program: str, kind: str) -> bool:
    """Whether there is a program as a file of that kind."""
    known = kind == "pds" or program not in WITHOUT_RSM
    return known and archive_of(files, program, kind).is_file()


def missing_programs(scope: StudyScope) -> list[str]:
    """A line about programs whose files are missing."""
    files = scope.files
    missing = [
        program
        for program in PROGRAMS
        if files is None or not any(has_file(files, program, kind) for kind in ("rsm", "pds"))
    ]
    if not missing:
        return []
    why = "no folder with their files (--files)" if scope.files is None else f"not in {scope.files}"
    return [f"{', '.join(missing)}: {why}"]


def missing_files(scope: StudyScope, wanted: Mapping[str, str]) -> list[str]:
    """A line about missing programs, unless all of these are there as a file of that kind."""
    files = scope.files
    there = files is not None and all(has_file(files, *each) for each in wanted.items())
    return [] if there else missing_programs(scope)


def program_file(files: Path, program: str, kind: str) -> bytes:
    """The model of a program."""
    return read_member(files, "all-pds" if kind == "pds" else program, f"{program}.{kind}")


def read_program(files: Path, program: str, kind: str, semantics: str = "standard") -> RSM:
    """The model of a program, read."""
    read = rsm_json.read if kind == "rsm" else pds.read
    return read(program_file(files, program, kind), semantics=semantics)


def read_member(files: Path, archive: str, member: str) -> bytes:
    """A file of an archive."""
    with zipfile.ZipFile(files / "java" / f"{archive}.zip") as opened:
        return opened.read(member)


def requirement(files: Path, program: str, model: RSM) -> Formula:
    """The published requirement, or that of the first variable."""
    if program in WITHOUT_RSM or not (files / "java" / f"{program}.zip").is_file():
        return use_def(model)[0].formula
    (_, formula), *_ = read_formulas(read_member(files, program, f"{program}_single_usedef.ctl"))
    return formula


def _load(results: list[CaseResult | None]) -> float | None:
    found = [each.load_seconds for each in results if each is not None]
    return next((each for each in found if each is not None), None)


def _contexts_and_time(result: CaseResult | None) -> str:
    if result is None:
        return ""
    return (
        f"{count(result.last.contexts)}, {time_of(result)}" if result.decided else time_of(result)
    )
