"""A `.parts` file as a format of the table: the composition that it describes, and its formulas."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, ModelError, Position, UsageError
from pigro.formats.parts.file import PartsFile
from pigro.formats.parts.loading import together
from pigro.formats.parts.reading import parse
from pigro.formats.parts.writing import write_parts
from pigro.limits import no_poll
from pigro.logic import Formula, Fragment
from pigro.logic import parse as parse_formula
from pigro.model.choices import DeadEnds, Semantics
from pigro.model.composition import Composition

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.formats.registry import Requirement
    from pigro.limits import Poll

_LOGICS = tuple(Fragment)


class PartsDocument:
    """A file of parts, read."""

    def __init__(self, data: bytes, *, source: str | None = None, poll: Poll = no_poll) -> None:
        self.file = parse(data, source=source, poll=poll)

    def formula(self, text: str) -> Formula:
        """A formula over the labels of the parts."""
        return parse_formula(text)

    def model(
        self,
        *,
        semantics: Semantics | str = Semantics.STANDARD,
        dead_ends: DeadEnds | str | None = None,
        poll: Poll = no_poll,
    ) -> Composition:
        """The composition of the parts that the file names with `compose`, or of all."""
        poll()
        if dead_ends is not None or semantics != Semantics.STANDARD:
            raise UsageError(
                "P006",
                "semantics and dead ends are choices for models, and these are parts",
                hint="for parts, `compose` and `compose_check` take dead ends",
            )
        try:
            return Composition(together([self.file])[0])
        except (InputError, ModelError) as error:
            error.position = error.position or Position(source=self.file.source)
            raise

    def requirements(self, composition: object = None) -> list[Requirement]:
        """The formulas that the file states with `check`."""
        return list(self.file.formulas)


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    poll: Poll = no_poll,
) -> Composition:
    """The composition in a `.parts` file's bytes."""
    document = PartsDocument(data, source=source, poll=poll)
    return document.model(semantics=semantics, dead_ends=dead_ends, poll=poll)


def statable(composition: Composition, formulas: Iterable[Requirement]) -> list[Requirement]:  # noqa: ARG001 - as others
    """The formulas that a file can have: those of logics that compositions are checked for."""
    return [each for each in formulas if each.initial is None and each.formula.fragment in _LOGICS]


def write(
    composition: Composition, formulas: Sequence[Requirement] = (), *, poll: Poll = no_poll
) -> bytes:
    """The composition as a `.parts` file. `ModelError` P215 if a name has a line break."""
    return write_parts(PartsFile(composition.listed_parts, formulas=tuple(formulas)), poll)


def requirements(data: bytes, *, source: str | None = None) -> list[Requirement]:
    """The formulas that a file states."""
    return PartsDocument(data, source=source).requirements()
