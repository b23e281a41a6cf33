"""Models as subjects of a question: from files, or as a program has them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from pigro.diagnostics import InputProblems, PigroError, Position
from pigro.engines import require_fits
from pigro.formats.registry import format_of_suffix
from pigro.formats.rsm_keys import UnknownKeyWarning, taking_key_warnings
from pigro.formats.source import find_source
from pigro.logic.files import reader
from pigro.model import Semantics
from pigro.session.formulas import fitting
from pigro.session.prepare import SubjectReader
from pigro.session.request import SubjectNotice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.formats.source import OpenedFile
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model
    from pigro.session.formulas import ParsedFormulas
    from pigro.session.request import CheckQuestion


class ObjectReader(SubjectReader):
    """A model that a program has."""

    def open(self) -> None:
        """Formulas are read as those of the file that the model comes from."""
        self.document = self.request.subject.document
        self.parse = reader(self.document, lenient=True)

    def read(self) -> None:
        self.subject = self.request.subject

    def completed(self, asked: ParsedFormulas) -> ParsedFormulas:
        """Also with the formulas of its labels or, if nothing is asked, those that it states."""
        request, model = self.request, self.subject
        if request.starts or request.at is not None:
            model = model.listed(self.budget.poll)
        try:
            if model.conditions is not None:
                model = model.about(atom for each in asked.formulas for atom in each.atoms)
            if request.use_def or request.requirements:
                asked = replace(asked, own=self._by_labels(model))
            elif not (request.formulas or request.files):
                asked = self.with_stated(model, asked)
        except PigroError as error:
            self.problems.add(error)
            asked = replace(asked, wrong=True)
        except InputProblems as faults:
            self.problems.errors += faults.errors
            asked = replace(asked, wrong=True)
        self.subject = self._started(model) if request.starts else model
        if request.at is not None:
            with self.problems.collecting():
                self.node = self.subject.find(request.at)
        return asked

    def variables(self, model: Model) -> Any:
        """The variables that its labels are about, by name."""
        from pigro.formats.use_def import use_def

        return {each.variable: each for each in use_def(model)}

    def _by_labels(self, model: Model) -> tuple[Formula, ...]:
        """The formulas of the variables and of the requirements that are named."""
        from pigro.formats.use_def import formulas_of, named_requirements

        found: list[Formula] = []
        if self.request.use_def:
            found += formulas_of(self.variables(model), self.request.use_def)
        if self.request.requirements:
            found += named_requirements(model, self.request.requirements)
        return tuple(found)

    def with_stated(self, _model: Model, asked: ParsedFormulas) -> ParsedFormulas:
        """The formulas, with those that a file states."""
        return asked

    def _started(self, model: RSM) -> RSM:
        """The model as it starts at the nodes that are named, as far as there are such."""
        nodes = []
        for name in self.request.starts:
            with self.problems.collecting():
                nodes.append(model.find(name))
        return model.with_initial(nodes) if nodes else model

    def require_fit(self, question: CheckQuestion) -> None:
        """`auto` checks CTL on all models."""
        if question.request.engine != "auto" or not all(e.is_ctl for e in question.formulas):
            for part, formulas in question.parts():
                require_fits(question.engine, part, formulas, question.budget.poll)


class FileReader(ObjectReader):
    """A model in a file."""

    is_file = True
    formulas_first = False
    no_formula = (
        "no formula given",
        'for example: pigro check MODEL "AG EF p", or -f FILE with one formula per line',
    )
    _source: OpenedFile | None = None

    def open(self) -> None:
        """Finds the file. What its document says about formulas is read with it."""
        request = self.request
        self._strays: list[UnknownKeyWarning] = []
        found = None
        try:
            found = find_source(request.subject[0], request.format, self.poll)
            self._source = found.fresh(self.poll)
            if self._source.document is not None:
                self.document, self.formulas_first = self._source.document, True
                self.parse = reader(self.document)
        except PigroError as error:
            self.problems.add(error)
            name = request.subject[0] if request.format is None else f".{request.format}"
            kind = format_of_suffix(name) if found is None else found.format
            if kind is not None and kind.offer("Document") is not None:
                raise self.problems from None  # who can say what the formulas mean?

    def read(self) -> None:
        """The model, if the file was found."""
        if self._source is not None:
            how = {"semantics": self.request.semantics, "dead_ends": self.request.dead_ends}
            with taking_key_warnings(self._strays.append):
                self.subject = self._source.model(**how, poll=self.poll)

    def variables(self, model: Model) -> Any:
        """As the format finds them."""
        assert self._source is not None, "its model was read"
        return self._source.variables(model)

    def with_stated(self, model: Model, asked: ParsedFormulas) -> ParsedFormulas:
        """`InputProblems` if some of them are wrong."""
        assert self._source is not None, "its model was read"
        InputProblems(list(getattr(self.document, "faults", ()))).raise_if_any()
        own = self._source.requirements(model)
        for each in own:
            place = Position(source=self._source.name, line=each.line)
            fitting(each.formula, place, self.require)
        starts = tuple(each.initial for each in own)
        said = any(start is not None for start in starts)
        own_formulas = tuple(each.formula for each in own)
        return replace(asked, own=own_formulas, starts=starts if said else ())

    def conclude(self, asked: ParsedFormulas) -> None:
        """With `strict`, keys that look misspelled are errors. A state space must start."""
        if self.request.strict:
            for each in self._strays:
                if each.error is not None:
                    self.problems.add(each.error)
        if self.subject is not None and not self.subject.is_listed and not self.problems.errors:
            from pigro.engines.onthefly.computed import require_start

            with self.problems.collecting():  # files whose states are listed are refused by then
                require_start(self.subject, self.budget)

    def notices(self, asked: ParsedFormulas) -> Iterator[SubjectNotice]:
        """What the document says about how it is read, and keys that look misspelled."""
        notes = getattr(self.document, "notes", None)
        if notes is not None:
            yield from map(SubjectNotice, notes())
        has_calls = self.subject.is_listed and getattr(self.document, "has_calls", False)
        if has_calls and self.subject.semantics is not Semantics.RMV:
            from pigro.session.exit_reading import exit_note

            starts = asked.starts if asked.starts and not self.request.starts else ()
            own = zip(asked.own, starts or (None,) * len(asked.own), strict=True)
            given = ((each, None) for each in asked.formulas)
            pairs = [(each, at or self.subject.initial) for each, at in (*given, *own)]
            note = exit_note(self.subject, pairs)
            if note is not None:
                yield SubjectNotice(note)
        for each in self._strays:
            if not (self.request.strict and each.error is not None):
                yield SubjectNotice(str(each), UnknownKeyWarning)
