"""An SQLite file of Pigro's: opened, recognised by its header, and with readable errors."""

from __future__ import annotations

import sqlite3
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Self

from pigro.diagnostics import UsageError, printable

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


class StoreFile:
    """The file, open. Use it in a `with` statement. Subclasses define its content."""

    APPLICATION: ClassVar[int]
    """The header of the file says this, so that no other file is mistaken for a store."""
    VERSION: ClassVar[int]
    SCHEMA: ClassVar[str]
    ERRORS: ClassVar[tuple[type[Exception], ...]] = (sqlite3.Error, UnicodeError)
    """Exceptions that mean that the file can't be used. SQLite names what is not UTF-8."""

    def __init__(self, path: Path, *, patience: float, exclusive: bool) -> None:
        """Opens or makes the file. `patience` is the time in seconds to wait for other users."""
        self.path = path
        with self._errors():
            self._file = sqlite3.connect(path.absolute(), isolation_level=None, timeout=patience)
            try:
                self._open(exclusive=exclusive)
            except BaseException:
                self._file.close()
                raise

    def _open(self, *, exclusive: bool) -> None:
        run = self._file.execute
        if exclusive:
            run("PRAGMA locking_mode = EXCLUSIVE")
        run("BEGIN EXCLUSIVE" if exclusive else "BEGIN IMMEDIATE")
        application, version = (
            run(f"PRAGMA {name}").fetchone()[0] for name in ("application_id", "user_version")
        )
        if not run("SELECT count(*) FROM sqlite_master").fetchone()[0]:
            for statement in self.SCHEMA.split(";"):
                run(statement)
            run(f"PRAGMA application_id = {self.APPLICATION}")
            run(f"PRAGMA user_version = {self.VERSION}")
        elif application != self.APPLICATION or version != self.VERSION:
            run("ROLLBACK")
            is_ours = application == self.APPLICATION
            what = "another version of Pigro" if is_ours else "another program"
            raise self._refused(f"it was made by {what}")
        run("COMMIT")
        run("PRAGMA journal_mode = WAL")
        run("PRAGMA synchronous = NORMAL")  # a kill loses nothing, a power cut not the file

    @contextmanager
    def _errors(self) -> Iterator[None]:
        try:
            yield
        except self.ERRORS as error:
            raise self._refused(self._why(error)) from None

    def _why(self, error: Exception) -> str:
        """What an exception means, for people."""
        return str(error)

    def _refused(self, why: str) -> UsageError:
        hint = "give another file with --store"
        return UsageError("P012", f"can't use {printable(str(self.path))}: {why}", hint=hint)

    def close(self) -> None:
        """Lets go of the file."""
        self._file.close()

    def __enter__(self) -> Self:
        """The store itself."""
        return self

    def __exit__(self, *_: object) -> None:
        """Closes it."""
        self.close()
