"""What evidence is about, as it was given: in files, as objects, or as a program.

Evidence says how its model was read. A file is read in that way. A model that a program made, and a
program that is one, must have been read so.
"""

from __future__ import annotations

import os
from contextlib import contextmanager
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, PigroError, UsageError
from pigro.diagnostics.problems import InputProblems
from pigro.engines.game.modules import as_needed
from pigro.formats.parts import load_parts, together
from pigro.formats.source import open_source
from pigro.logic import parse
from pigro.logic.files import reader
from pigro.model import DeadEnds
from pigro.model.composition import Composition, as_composition
from pigro.model.kinds import SubjectKind
from pigro.model.part import Part
from pigro.model.space import Model

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pigro.engines.onthefly.program import ProgramSpace
    from pigro.formats.source import OpenedFile
    from pigro.session.programs import ProgramPlace


class EvidenceSubject:
    """A model, parts, or two sides of parts: whatever a document says that it is about.

    `UsageError` P006 for a value that is none of them.
    """

    def __init__(self, given: Any, format_name: str | None = None) -> None:
        rows = given if isinstance(given, (list, tuple)) else (given,)
        is_made = isinstance(given, (Model, Composition)) or all(isinstance(e, Part) for e in rows)
        if not is_made and not all(isinstance(each, (str, os.PathLike)) for each in rows):
            raise UsageError("P006", "evidence is about a model, or parts, or their files")
        self._given, self._format, self._rows = given, format_name, rows
        self.paths = [] if is_made else [os.fspath(each) for each in rows]
        """The files. Empty if it is made of objects."""

    @property
    def is_object(self) -> bool:
        """Whether it is a model that a program made."""
        return getattr(self._given, "kind", None) is SubjectKind.MODEL

    @property
    def document(self) -> Any:
        """What reads formulas for the model, if that is not Pigro's own language."""
        if self.is_object:
            return self._given.document
        return None if self._program is not None else self._source.document

    def model(self, formulas: Iterable[str], semantics: str, dead_ends: str) -> Model:
        """The model, read in that way, with the labels that formulas ask for.

        `Mismatch` if it is no model, if the formulas speak of labels that it can't have, or if it
        was read in another way.
        """
        formulas = list(formulas)
        if self.is_object:
            model = self._object(semantics, dead_ends)
        elif self._program is not None:
            model = _run(self._program, semantics, dead_ends)
        else:
            model = self._read(formulas, semantics, dead_ends)
        with _mismatch():
            return model.about(atom for text in formulas for atom in _atoms(text))

    def by_default(self, model: Model, semantics: str | None, dead_ends: str | None) -> Model:
        """The model as it is read if only this is said. Objects and programs are as they are."""
        if self.is_object or self._program is not None:
            return model
        return self._source.model(semantics=semantics, dead_ends=dead_ends)

    def composition(self) -> Composition:
        """The parts together. `Mismatch` if it is a model."""
        if self.is_object:
            raise Mismatch("this is about a composition of parts")
        return (
            composition_of(self.paths, lists=False) if self.paths else as_composition(self._given)
        )

    def sides(self) -> tuple[Composition, Composition]:
        """The abstract composition, whose file comes first, and the concrete one."""
        if len(self._rows) < 2:
            raise Mismatch("this is about abstract parts, and about others that refine them")
        first, *rest = self._rows
        if not self.paths:
            return as_composition(first), as_composition(rest)
        return composition_of(self.paths[:1]), composition_of(self.paths[1:])

    @cached_property
    def _program(self) -> ProgramPlace | None:
        """The program that an argument names. None if it names a file."""
        if len(self.paths) != 1:
            raise Mismatch("this is about one model")
        if ":" not in self.paths[0]:
            return None
        from pigro.session.programs import program_of

        return program_of(self.paths[0])

    @cached_property
    def _source(self) -> OpenedFile:
        source = open_source(self.paths[0], self._format)
        if SubjectKind.MODEL not in source.format.holds:
            raise Mismatch("this is about one model")
        return source

    def _object(self, semantics: str, dead_ends: str) -> Model:
        model: Model = self._given
        if model.semantics != semantics:
            raise Mismatch(f"the evidence reads the model in {semantics} semantics")
        if (model.dead_ends is DeadEnds.STOP) is not (dead_ends == "stop"):
            raise Mismatch(f"the evidence reads dead ends as {dead_ends}")
        return model.listed().without_dead_ends() if dead_ends == "error" else model

    def _read(self, formulas: Sequence[str], semantics: str, dead_ends: str) -> Model:
        """The model of a file. Documents that can't find labels afterwards are asked before."""
        source = self._source.fresh()
        is_early = source.document is not None and not hasattr(source.document, "resolved")
        with _mismatch():
            for text in formulas if is_early else ():
                reader(source.document)(text)
        return source.model(semantics=semantics, dead_ends=dead_ends)


def _run(program: ProgramPlace, semantics: str, dead_ends: str) -> Model:
    """The state space that a program is.

    `CheckError` P411 if the program says where it is cut off: then it is not all there.
    """
    from pigro.session.programs import model_of

    model = model_of(program)
    if cast("ProgramSpace", model.computed).told.can_be_cut:
        message = "the program says where it is cut off, so its evidence can't be judged"
        hint = "take its method is_cut away, if it has few states, and check again"
        raise CheckError("P411", message, hint=hint)
    if (semantics, dead_ends) != (model.semantics.value, model.dead_ends.value):
        raise Mismatch("the evidence reads the program in another way")
    return model


def composition_of(paths: Sequence[str], *, lists: bool = True) -> Composition:
    """The parts that the paths name, together. `InputProblems` with all that is wrong.

    If it does not list states, modules with many states stay formulas.
    """
    problems, files = InputProblems(), []
    for each in paths:
        with problems.collecting():
            files.append(load_parts(each))
    problems.raise_if_any()
    parts = together(files)[0]
    if not lists:
        return Composition(parts)
    composition = Composition([as_needed(part, "concrete") for part in parts])
    _ = composition.initial  # may be too many
    return composition


@contextmanager
def _mismatch() -> Iterator[None]:
    """Formulas that can't be read are about another model."""
    try:
        yield
    except PigroError as error:
        raise Mismatch(f"this is about another model: {error.message}") from None


def _atoms(text: str) -> tuple[str, ...]:
    """The labels of a formula. Empty if the text is no formula."""
    try:
        return parse(text).atoms
    except PigroError:
        return ()
