"""A file that was opened, in any format: its model or composition, and the formulas it states."""

from __future__ import annotations

import sys
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import UsageError, printable
from pigro.formats.files import choose_format, read_all, read_bytes, read_subject
from pigro.formats.registry import OWN
from pigro.formats.use_def import ALL, UseDef, no_variable, no_variables, use_def
from pigro.limits import unwatched
from pigro.model import RSM

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.formats.files import Subject
    from pigro.formats.registry import Format, Requirement
    from pigro.limits import Poll
    from pigro.logic import Formula

STDIN = "-"


@dataclass(frozen=True, slots=True)
class Source:
    """The content of a file, and its format."""

    data: bytes
    format: Format
    name: str
    document: Any = None
    """The file as its format's `Document`, if it has one: see `formats/registry.py`."""

    def fresh(self, poll: Poll = unwatched) -> Source:
        """The same file, of whose document nothing was asked yet."""
        document = self.format.offer("Document")
        if document is None:
            return self
        made = document(self.data, source=self.name, **self.format.polling(poll))
        return replace(self, document=made)

    def subject(
        self,
        *,
        semantics: str = "standard",
        dead_ends: str | None = None,
        poll: Poll = unwatched,
    ) -> Subject:
        """The model, or the composition; see `model`."""
        if self.document is None:
            return read_subject(
                self.format,
                self.data,
                self.name,
                semantics=semantics,
                dead_ends=dead_ends,
                poll=poll,
            )
        polling = self.format.polling(poll)
        subject: Subject = self.document.model(semantics=semantics, dead_ends=dead_ends, **polling)
        return subject

    def model(
        self,
        *,
        semantics: str = "standard",
        dead_ends: str | None = None,
        poll: Poll = unwatched,
    ) -> RSM:
        """The model; it has the labels of the formulas that were asked of the document before.

        `UsageError` P007 if the file holds a composition.
        """
        found = self.subject(semantics=semantics, dead_ends=dead_ends, poll=poll)
        if isinstance(found, RSM):
            return found
        raise UsageError(
            "P007",
            f"{printable(self.name)} has parts of a composition, and this needs a model",
            hint="a file of parts is checked by `pigro compose`",
        )

    def requirements(self, subject: Subject) -> list[Requirement]:
        """The formulas that the file states; none if its format has no place for them."""
        found: list[Requirement]
        if self.document is not None:
            found = self.document.requirements(subject)
        else:
            find = self.format.offer("requirements")
            if find is None:
                return []
            more = {"model": subject} if self.format.origin == OWN else {}
            found = find(self.data, source=self.name, **more)
        if isinstance(subject, RSM) and subject.endings is not None:
            return [_started(subject, each) for each in found]
        return found

    def variables(self, model: RSM) -> dict[str, Formula | UseDef]:
        """The variables that the file's format knows, or else those that labels speak of."""
        find = self.format.offer("use_def")
        found: dict[str, Formula | UseDef]
        if find is not None:
            found = dict(find(self.data, source=self.name))
        else:
            found = {each.variable: each for each in use_def(model)}
        return require_variables(found)

    def use_def_formulas(self, model: RSM, names: Sequence[str]) -> list[Formula]:
        """The formulas of these variables, or of all; `UsageError` P008 for an unknown one."""
        return formulas_of(self.variables(model), names)


def require_variables(found: dict[str, Formula | UseDef]) -> dict[str, Formula | UseDef]:
    """The variables; `UsageError` P008 if there are none."""
    if not found:
        raise no_variables()
    return found


def formulas_of(known: dict[str, Formula | UseDef], names: Sequence[str]) -> list[Formula]:
    """The formulas of the variables of these names; `UsageError` P008 for an unknown one."""
    found: list[Formula] = []
    for name in names:
        if name in known:
            found.append(_formula(known[name]))
        elif name == ALL:
            found += map(_formula, known.values())
        else:
            raise no_variable(name, known)
    return found


def open_source(path: str, format_name: str | None = None, poll: Poll = unwatched) -> Source:
    """A file or, for `-`, standard input."""
    data, name = read_content(path, poll)
    kind = choose_format(data, None if path == STDIN else path, format_name)
    return Source(data, kind, name).fresh(poll)


def read_content(path: str, poll: Poll = unwatched) -> tuple[bytes, str]:
    """The bytes of a file or of standard input, and the name to call it by."""
    if path != STDIN:
        return read_bytes(path, poll), path
    if sys.stdin is None:
        raise UsageError("P001", "standard input (-) is closed")
    return read_all(sys.stdin.buffer, poll), "<stdin>"


def _started(model: RSM, stated: Requirement) -> Requirement:
    """A formula that begins where runs do in a model with ending states."""
    if stated.initial is None:
        return stated
    return replace(stated, initial=model.with_initial(stated.initial).initial)


def _formula(variable: Formula | UseDef) -> Formula:
    """A model can have thousands of variables: their formulas are made when asked for."""
    return variable.formula if isinstance(variable, UseDef) else variable
