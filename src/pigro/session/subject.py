"""What evidence is about: a model or a composition, from files or made by a program.

Evidence says how its model was read. A file is read in that way. A model that a program made must
have been read so.
"""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, PigroError
from pigro.diagnostics.problems import Problems
from pigro.engines.game.modules import as_needed
from pigro.formats.parts import load_parts, together
from pigro.logic import parse
from pigro.logic.files import reader
from pigro.model import DeadEnds
from pigro.model.composition import Composition

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pigro.formats.source import Source
    from pigro.model.space import Model
    from pigro.session.programs import Program


class Readable(Protocol):
    """A model that can be read in different ways."""

    @property
    def document(self) -> Any:
        """What reads formulas for it, if that is not Pigro's own language."""

    def model(self, formulas: Iterable[str], semantics: str, dead_ends: str) -> Model:
        """The model, read in that way, with the labels that formulas ask for.

        `Mismatch` if the formulas speak of labels that the model can't have, or the model was read
        in another way.
        """


@dataclass(frozen=True, slots=True)
class OfFile:
    """The model in a file."""

    source: Source

    @property
    def document(self) -> Any:
        """The file as its format's `Document`, if it has one."""
        return self.source.document

    def model(self, formulas: Iterable[str], semantics: str, dead_ends: str) -> Model:
        """The model. Documents that can't find labels afterwards are asked for them before."""
        source, formulas = self.source.fresh(), list(formulas)
        is_early = source.document is not None and not hasattr(source.document, "resolved")
        with _mismatch():
            for text in formulas if is_early else ():
                reader(source.document)(text)
        model = source.model(semantics=semantics, dead_ends=dead_ends)
        return _about(model, formulas)


@dataclass(frozen=True, slots=True)
class Given:
    """A model that a program has."""

    given: Model

    @property
    def document(self) -> Any:
        """See `RSM.document`."""
        return self.given.document

    def model(self, formulas: Iterable[str], semantics: str, dead_ends: str) -> Model:
        """The model itself. `Mismatch` if it was read in another way."""
        model = self.given
        if model.semantics != semantics:
            raise Mismatch(f"the evidence reads the model in {semantics} semantics")
        if (model.dead_ends is DeadEnds.STOP) is not (dead_ends == "stop"):
            raise Mismatch(f"the evidence reads dead ends as {dead_ends}")
        if dead_ends == "error":
            model = model.listed().without_dead_ends()
        return _about(model, list(formulas))


@dataclass(frozen=True, slots=True)
class OfProgram:
    """The state space that a program is. The program is run."""

    program: Program

    @property
    def document(self) -> Any:
        """Formulas are in Pigro's own language."""
        return None

    def model(self, formulas: Iterable[str], semantics: str, dead_ends: str) -> Model:
        """The model. `Mismatch` if the evidence reads it in another way.

        `CheckError` P411 if the program says where it is cut off: then it is not all there.
        """
        from pigro.engines.onthefly.program import ProgramStates
        from pigro.session.programs import model_of

        model = model_of(self.program)
        states = model.computed
        assert isinstance(states, ProgramStates), "it is a program"
        if states.told.can_be_cut:
            message = "the program says where it is cut off, so its evidence can't be judged"
            hint = "take its method is_cut away, if it has few states, and check again"
            raise CheckError("P411", message, hint=hint)
        if (semantics, dead_ends) != (model.semantics.value, model.dead_ends.value):
            raise Mismatch("the evidence reads the program in another way")
        return model


def composition_of(paths: Sequence[str], *, lists: bool = True) -> Composition:
    """The parts that the paths name, together. `Problems` with all that is wrong.

    If it does not list states, modules with many states stay formulas.
    """
    problems, files = Problems(), []
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


def _about(model: Model, formulas: list[str]) -> Model:
    with _mismatch():
        return model.about(atom for text in formulas for atom in _atoms(text))


@contextmanager
def _mismatch() -> Iterator[None]:
    """Formulas that can't be read are about another model."""
    try:
        yield
    except PigroError as error:
        raise Mismatch(f"this is about another model: {error.message}") from None


def _atoms(text: str) -> tuple[str, ...]:
    """The labels of a formula. None if the text is no formula."""
    try:
        return parse(text).atoms
    except PigroError:
        return ()
