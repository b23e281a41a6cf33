"""Every run, in one SQLite file, written down before the next run begins.

A *session* is all that was measured with the same build of Pigro, on the same machine, within the
same limits. A session goes on where it was stopped, by whatever: cases in the store are not run
again, and a run that was not finished leaves nothing. The file is locked as long as it is open, so
that two programs don't measure at the same time without knowing of each other.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, TypeAlias

from benchmarks.case import Case, Measurement
from pigro.batch.store_file import StoreFile

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path

_SCHEMA = """
CREATE TABLE sessions (
  id INTEGER PRIMARY KEY, began TEXT NOT NULL, pigro TEXT NOT NULL, build TEXT NOT NULL,
  machine TEXT NOT NULL, settings TEXT NOT NULL
);
CREATE TABLE runs (
  session INTEGER NOT NULL REFERENCES sessions, suite TEXT NOT NULL, edition TEXT NOT NULL,
  runner TEXT NOT NULL, place TEXT NOT NULL, repetition INTEGER NOT NULL, ended TEXT NOT NULL,
  word TEXT NOT NULL, seconds REAL, load_seconds REAL, whole_seconds REAL, peak_memory INTEGER,
  contexts INTEGER, visited INTEGER, details TEXT NOT NULL, problem TEXT,
  PRIMARY KEY (session, suite, edition, runner, place, repetition)
);
"""
_RUN = (
    "suite, edition, runner, place, repetition, ended, word, seconds, load_seconds, whole_seconds, "
    "peak_memory, contexts, visited, details, problem"
)
Settings: TypeAlias = dict[str, int | float | None]
Row: TypeAlias = dict[str, str | int | float | None]
COLUMNS = tuple(_RUN.split(", "))
"""The facts about each run."""


@dataclass(frozen=True, slots=True)
class Session:
    """What runs must have in common to be compared."""

    pigro: str
    build: str
    machine: dict[str, str | int]
    settings: Settings


class StudyStore(StoreFile):
    """The file, open and locked. To be closed."""

    APPLICATION = 0x50494752
    VERSION = 1
    SCHEMA = _SCHEMA

    def __init__(self, path: Path) -> None:
        super().__init__(path, patience=0.0, exclusive=True)

    def _why(self, error: Exception) -> str:
        is_locked = "locked" in str(error)
        return "another measurement is using it" if is_locked else str(error)

    def session(self, wanted: Session, *, again: bool = False) -> int:
        """The newest session like this, or a new one if there is none, or one is wanted."""
        parts = (
            wanted.pigro, wanted.build, _json(wanted.machine), _json(wanted.settings),
        )  # fmt: skip
        same = "pigro = ? AND build = ? AND machine = ? AND settings = ?"
        with self._errors():
            find = f"SELECT max(id) FROM sessions WHERE {same}"
            (found,) = self._file.execute(find, parts).fetchone()
            if found is None or again:
                columns = "began, pigro, build, machine, settings"
                new = f"INSERT INTO sessions ({columns}) VALUES (?, ?, ?, ?, ?)"
                found = self._file.execute(new, (_now(), *parts)).lastrowid
        assert isinstance(found, int)
        return found

    def newest(
        self, suites: Collection[str], *, but: int | None = None
    ) -> tuple[int, Session] | None:
        """The session in which one of these suites was measured last, if any other one was."""
        marks = ",".join("?" * len(suites))
        others = f"suite IN ({marks}) AND session IS NOT ?"
        last = f"SELECT session FROM runs WHERE {others} ORDER BY rowid DESC LIMIT 1"
        query = f"SELECT id, pigro, build, machine, settings FROM sessions WHERE id = ({last})"
        with self._errors():
            row = self._file.execute(query, (*suites, but)).fetchone()
        if row is None:
            return None
        number, pigro, build, machine, settings = row
        return number, Session(pigro, build, json.loads(machine), json.loads(settings))

    def add(self, session: int, case: Case, repetition: int, outcome: Measurement) -> None:
        """Writes down a run that has just ended."""
        row = (
            session, case.suite, case.edition, case.runner, _json(case.at), repetition, _now(),
            outcome.word, outcome.seconds, outcome.load_seconds, outcome.whole_seconds,
            outcome.peak_memory, outcome.contexts, outcome.visited, _json(outcome.details),
            outcome.problem,
        )  # fmt: skip
        marks = ",".join("?" * len(row))
        with self._errors():
            self._file.execute(f"INSERT INTO runs (session, {_RUN}) VALUES ({marks})", row)

    def runs(self, session: int, suites: Iterable[str]) -> list[tuple[Case, Measurement]]:
        """The runs of these suites in a session, in the order in which they were made."""
        return [run_of(row) for row in self.rows(session, suites)]

    def rows(self, session: int, suites: Iterable[str]) -> list[Row]:
        """The same, as they are written down."""
        query = f"SELECT {_RUN} FROM runs WHERE session = ? ORDER BY rowid"
        wanted = set(suites)
        with self._errors():
            found = self._file.execute(query, (session,)).fetchall()
        rows = (dict(zip(COLUMNS, row, strict=True)) for row in found)
        return [row for row in rows if row["suite"] in wanted]


def run_of(row: Row) -> tuple[Case, Measurement]:
    """A row, as a case and its outcome."""
    values = dict(row)
    at = tuple((name, value) for name, value in json.loads(str(values.pop("place"))))
    details = json.loads(str(values.pop("details")))
    suite, edition, runner = (values.pop(name) for name in ("suite", "edition", "runner"))
    values.pop("repetition")
    values.pop("ended")
    case = Case(str(suite), str(runner), at, str(edition))
    return case, Measurement(details=details, **values)  # type: ignore[arg-type]


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
