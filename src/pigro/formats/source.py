"""A file that is read, in any format: its model or composition, and the formulas it states."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pigro.diagnostics import UsageError, printable
from pigro.formats.files import STDIN, read_bytes, read_content
from pigro.formats.registry import choose_format
from pigro.lazy_names import type_names
from pigro.limits import Poll, no_poll
from pigro.model import RSM, DeadEnds, Semantics
from pigro.model.kinds import SubjectKind
from pigro.records import Record

if TYPE_CHECKING:
    from pigro.formats.registry import Format, Requirement
    from pigro.formats.use_def import UseDef
    from pigro.logic import Formula
    from pigro.model.composition import Subject
    from pigro.model.space import Model
else:
    type_names(
        globals(),
        {"pigro.model.composition": "Subject", "pigro.model.space": "Model"},
    )


class OpenedFile(Record, frozen=True):
    """The content of a file, and its format."""

    data: bytes
    format: Format
    name: str
    document: Any = None
    """The file as its format's `Document`, if it has one: see `formats/registry.py`."""

    def fresh(self, poll: Poll = no_poll) -> OpenedFile:
        """The same file, of whose document, if its format has any, nothing was asked yet."""
        document = self.format.offer("Document")
        if document is None:
            return self
        made = document(self.data, source=self.name, poll=poll)
        return replace(self, document=made)

    def subject(
        self,
        *,
        semantics: str | None = None,
        dead_ends: str | None = None,
        poll: Poll = no_poll,
    ) -> Subject:
        """The model, or the composition. See `model`."""
        if self.document is None:
            return read_subject(
                self.format,
                self.data,
                self.name,
                semantics=semantics,
                dead_ends=dead_ends,
                poll=poll,
            )
        how = {"semantics": semantics or Semantics.STANDARD, "dead_ends": dead_ends}
        subject: Subject = self.document.model(**how, poll=poll)
        return subject

    def model(
        self,
        *,
        semantics: str | None = None,
        dead_ends: str | None = None,
        poll: Poll = no_poll,
    ) -> Model:
        """The model. It has the labels of the formulas that were asked of the document before.

        `UsageError` P007 if the file holds a composition.
        """
        found = self.subject(semantics=semantics, dead_ends=dead_ends, poll=poll)
        if found.kind is SubjectKind.MODEL:
            return found
        raise UsageError(
            "P007",
            f"{printable(self.name)} has parts of a composition, and this needs a model",
            hint="a file of parts is checked by `pigro compose`",
        )

    def requirements(self, subject: Subject) -> list[Requirement]:
        """The formulas that the file states. None if its format has no place for them."""
        found: list[Requirement]
        if self.document is not None:
            found = self.document.requirements(subject)
        else:
            find = self.format.offer("requirements")
            if find is None:
                return []
            found = find(self.data, source=self.name, model=subject)
        if isinstance(subject, RSM) and subject.endings is not None:
            return [_started(subject, each) for each in found]
        return found

    def variables(self, model: Model) -> dict[str, Formula | UseDef]:
        """The variables that the file's format knows, or else those that labels speak of.

        `UsageError` P008 if there are none.
        """
        from pigro.formats.use_def import no_variables, use_def

        find = self.format.offer("use_def")
        found: dict[str, Formula | UseDef]
        if find is not None:
            found = dict(find(self.data, source=self.name))
        else:
            found = {each.variable: each for each in use_def(model)}
        if not found:
            raise no_variables()
        return found


def open_source(path: str, format_name: str | None = None, poll: Poll = no_poll) -> OpenedFile:
    """A file or, for `-`, standard input."""
    return find_source(path, format_name, poll).fresh(poll)


def find_source(path: str, format_name: str | None = None, poll: Poll = no_poll) -> OpenedFile:
    """The same, but its content is not looked at yet: there is no document."""
    data, name = read_content(path, poll)
    kind = choose_format(data, None if path == STDIN else path, format_name)
    return OpenedFile(data, kind, name)


def _started(model: RSM, stated: Requirement) -> Requirement:
    """A formula that begins where runs do in a model with ending states."""
    if stated.initial is None:
        return stated
    import dataclasses

    starts = model.with_initial(stated.initial).initial
    return dataclasses.replace(stated, initial=starts)  # other formats have their own classes


def load(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,  # noqa: A002 - a keyword argument, the word for it
    semantics: Semantics | str | None = None,
    dead_ends: DeadEnds | str | None = None,
) -> Subject:
    """Reads a model from a file, or the composition of the parts in the file.

    The states of a large `.smv` file are computed on demand: it gives a `StateSpace`, whose method
    `listed` makes an `RSM`.

    - `format` names the format, such as `rsm`, or `pds:single` with the translation of a pushdown
      system. By default the content of the file decides, and then the suffix of its name.
    - `semantics` is `standard`, `rsmcheck` (calls of entry-exit nodes are dead ends, as in the tool
      RSMCheck) or `rmv` (runs go on after the exit of the initial component, as in the tool RMV).
    - `dead_ends` is `stutter` (a run stays there forever), `stop` (the run ends there) or `error`.
      The default is `stop` with `rsmcheck`, and `stutter` otherwise.

    `.rsm`, `.json` and `.pigro` files can say both. What you give counts instead.

    Raises `InputError` or `ModelError`, with the file, the line and a hint.

    >>> import pigro
    >>> pigro.load("examples/dataflow.rsm")
    <RSM: 3 components, 7 nodes, 6 edges, 2 boxes>
    """
    data, source = read_bytes(path), os.fspath(path)
    kind = choose_format(data, source, format)
    return read_subject(kind, data, source, semantics=semantics, dead_ends=dead_ends)


def read_subject(
    kind: Format,
    data: bytes,
    source: str | None,
    *,
    semantics: Semantics | str | None = None,
    dead_ends: DeadEnds | str | None = None,
    poll: Poll = no_poll,
) -> Subject:
    """The model or composition in the bytes of a file.

    `UsageError` P007 if the format can't be read. `poll` is called often, and may raise to stop.
    """
    poll()
    read = kind.offer("read") or kind.need("read", "read")
    if semantics is None and not kind.says_reading:
        semantics = Semantics.STANDARD
    how = {"semantics": semantics, "dead_ends": dead_ends, "poll": poll}
    if kind.translation is not None:
        how["translation"] = kind.translation
    subject: Subject = read(data, source=source, **how)
    poll()
    return subject
