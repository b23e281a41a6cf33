"""The exceptions that Pigro raises, and where they point."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics.catalogue import CATALOGUE, Diagnostic
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Callable


class Position(Record, frozen=True):
    """A place in an input. Lines and columns count from 1. A column counts code points."""

    source: str | None = None
    line: int | None = None
    column: int | None = None
    path: str | None = None
    """Where in a structured file, such as `$.components[0].name`."""
    text: str | None = None
    """The source line itself, for the caret."""
    width: int = 1
    """How many code points the caret underlines."""


class PigroError(Exception):
    """An error with a stable code, a place and a hint. `str(error)` is one readable line.

    All errors of Pigro are of this class. A traceback shows the hint too, as a note.

    >>> import pigro
    >>> try:
    ...     pigro.parse("AG (p")
    ... except pigro.PigroError as error:
    ...     print(error.code, error.position.column, error.hint)
    P302 4 add a `)`
    """

    def __init__(
        self,
        code: str,
        message: str,
        *,
        position: Position | None = None,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.diagnostic: Diagnostic = CATALOGUE[code]
        self.message = message
        self.position = position
        self.hint = hint

    @property
    def hint(self) -> str | None:
        """What to do instead."""
        return self._hint

    @hint.setter
    def hint(self, hint: str | None) -> None:
        self._hint = hint
        self.__notes__ = [] if hint is None else [f"hint: {hint}"]

    @property
    def code(self) -> str:
        """The stable code, such as `P301`."""
        return self.diagnostic.code

    def __str__(self) -> str:
        return f"{self.code}: {self.message}"

    def __reduce__(self) -> tuple[Callable[..., PigroError], tuple[object, ...], dict[str, object]]:
        state = {name: value for name, value in vars(self).items() if name != "diagnostic"}
        return _again, (type(self), self.code, self.message), state


def _again(kind: type[PigroError], code: str, message: str) -> PigroError:
    """An error from its pickle, which adds the place and the hint."""
    made = kind.__new__(kind, message)
    PigroError.__init__(made, code, message)
    return made


class UsageError(PigroError):
    """The call itself is wrong: an option, an argument, a missing file."""


class InputError(PigroError):
    """A file can't be read as what it should be."""


class ModelError(PigroError):
    """The model breaks a rule of recursive state machines."""


class FormulaError(PigroError):
    """A formula can't be parsed or is outside of a limit."""


class CheckError(PigroError):
    """The question can't be checked as asked."""


class InternalError(PigroError):
    """A fault of Pigro's own."""


def place_of(text: str, offset: int, *, source: str | None) -> Position:
    """The line and column of an offset, with the text of that line."""
    line = text.count("\n", 0, offset) + 1
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    shown = text[start : end if end >= 0 else len(text)].removesuffix("\r")
    return Position(source=source, line=line, column=offset - start + 1, text=shown or None)
