"""Results of batches in one SQLite file. A task that has results there is not answered again.

Results are written in transactions of a fraction of a second. A process that is killed leaves whole
transactions, so each task has all of its results or none. Several processes may use one file.
"""

from __future__ import annotations

import math
import sqlite3
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from pigro.batch.store_file import StoreFile
from pigro.batch.tasks import FAILED, WORDS, Result, Task

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Sequence
    from pathlib import Path
    from types import UnionType

_SCHEMA = """
CREATE TABLE results (
  task BLOB NOT NULL, number INTEGER NOT NULL, model TEXT NOT NULL, formula TEXT NOT NULL,
  verdict TEXT NOT NULL, reason TEXT NOT NULL, engine TEXT NOT NULL, seconds REAL NOT NULL,
  warnings TEXT NOT NULL, asked TEXT NOT NULL, evidence BLOB, certificate BLOB,
  PRIMARY KEY (task, number)
) WITHOUT ROWID;
CREATE INDEX by_verdict ON results (verdict)
"""
_COLUMNS = (
    "task, number, model, formula, verdict, reason, engine, seconds, warnings, asked, evidence, "
    "certificate"
)
_NAMES = tuple(_COLUMNS.split(", "))
_INSERT = f"""
INSERT INTO results ({_COLUMNS})
SELECT * FROM (SELECT {", ".join(f"? AS {name}" for name in _NAMES)}) AS new
WHERE NOT EXISTS (SELECT 1 FROM results AS old WHERE old.task = new.task AND old.number = 0)
"""
_KINDS: tuple[type | UnionType, ...] = (
    bytes, int, str, str, str, str, str, float, str, str, bytes | None, bytes | None,
)  # fmt: skip
"""The types of values in these columns."""
COLUMNS = _NAMES[2:9]
"""The columns for people and for exports."""
_BUSY_SECONDS = 60.0
_BETWEEN_WRITES = 0.25
_MOST_UNWRITTEN = 5000


class Store(StoreFile):
    """The file, open. Use it in a `with` statement, at whose end the last results are written."""

    APPLICATION = 0x50494742
    VERSION = 2
    SCHEMA = _SCHEMA
    ERRORS = (*StoreFile.ERRORS, msgspec.MsgspecError)

    def __init__(self, path: Path) -> None:
        self._rows: list[tuple[object, ...]] = []
        self._due = 0.0
        super().__init__(path, patience=_BUSY_SECONDS, exclusive=False)

    def _why(self, error: Exception) -> str:
        is_damaged = not isinstance(error, sqlite3.Error)
        return f"it is damaged: {error}" if is_damaged else str(error)

    def found(self, digests: Sequence[bytes]) -> dict[bytes, list[Result]]:
        """The results of those of these tasks that have any."""
        marks = ",".join("?" * len(digests))
        query = f"SELECT {_COLUMNS} FROM results WHERE task IN ({marks}) ORDER BY task, number"
        found: dict[bytes, list[Result]] = {}
        with self._errors():
            for row in self._file.execute(query, digests):
                found.setdefault(row[0], []).append(_result(row))
        return found

    def add(self, digest: bytes, results: Sequence[Result]) -> None:
        """Keeps the results of a task. They are in the file within a fraction of a second."""
        rows = [_row(digest, number, result) for number, result in enumerate(results)]
        self._rows += reversed(rows)  # in one step: an interruption leaves all of them or none
        if len(self._rows) >= _MOST_UNWRITTEN or time.monotonic() >= self._due:
            self.write()

    def write(self) -> None:
        """Writes the results that are not in the file yet.

        The first row of a task is written last, and only while it is missing the others are
        written. So a task has the results of one process, even if two have answered it.
        """
        self._due = time.monotonic() + _BETWEEN_WRITES
        if not self._rows:
            return
        with self._transaction():
            self._file.executemany(_INSERT, self._rows)
        self._rows.clear()

    def forget(self, digests: Sequence[bytes]) -> None:
        """Removes the results of those of these tasks that have no verdict."""
        tasks, words = ",".join("?" * len(digests)), ",".join("?" * len(FAILED))
        failed = f"SELECT task FROM results WHERE task IN ({tasks}) AND verdict IN ({words})"
        with self._transaction():
            self._file.execute(
                f"DELETE FROM results WHERE task IN ({failed})",
                (*digests, *FAILED),
            )

    @contextmanager
    def _transaction(self) -> Iterator[None]:
        """All or nothing, also if a signal comes in the middle."""
        with self._errors():
            self._file.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._file.execute("COMMIT")
            finally:
                if self._file.in_transaction:
                    self._file.execute("ROLLBACK")

    def results(self, verdicts: Collection[str] = ()) -> Iterator[Result]:
        """All results, or those with these words, in the order of models and formulas."""
        where = f"WHERE verdict IN ({','.join('?' * len(verdicts))})" if verdicts else ""
        query = f"SELECT {_COLUMNS} FROM results {where} ORDER BY model, formula, task, number"
        with self._errors():
            for row in self._file.execute(query, tuple(verdicts)):
                yield _result(row)

    def counts(self) -> dict[str, int]:
        """How many results there are of each word."""
        with self._errors():
            query = "SELECT verdict, count(*) FROM results GROUP BY verdict"
            found = dict(self._file.execute(query).fetchall())
            if not found.keys() <= set(WORDS):
                raise msgspec.ValidationError("the verdict of a row has a wrong value")
            return found

    def close(self) -> None:
        """Writes the rest and closes the file."""
        try:
            self.write()
        finally:
            super().close()


def _row(digest: bytes, number: int, result: Result) -> tuple[object, ...]:
    task = result.task
    return (
        digest, number, task.subject, result.formula, result.verdict, result.reason,
        result.engine, result.seconds, result.warnings, msgspec.json.encode(task).decode(),
        result.evidence, result.certificate,
    )  # fmt: skip


def _result(row: Sequence[Any]) -> Result:
    """The result in a row. `ValidationError` if the row can't be one of Pigro's."""
    for name, kind, value in zip(_NAMES, _KINDS, row, strict=True):
        if not isinstance(value, kind):
            raise msgspec.ValidationError(f"the column {name} of a row has a wrong value")
    if row[4] not in WORDS or not 0 <= row[7] < math.inf:
        raise msgspec.ValidationError("the verdict or the time of a row has a wrong value")
    return Result(
        task=msgspec.json.decode(row[9], type=Task), formula=row[3], verdict=row[4],
        reason=row[5], engine=row[6], seconds=row[7], warnings=row[8], evidence=row[10],
        certificate=row[11],
    )  # fmt: skip
