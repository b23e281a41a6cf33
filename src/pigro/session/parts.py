"""Parts that run together as a subject of a question: from files, or as a program has them."""

from __future__ import annotations

import re
import shlex
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING

from msgspec.structs import replace

from pigro.diagnostics import (
    FormulaError,
    PigroError,
    Position,
    UsageError,
    printable,
)
from pigro.engines.game.checking import (
    WITHOUT_STATES,
    named_labels,
    require_formula,
    require_method,
)
from pigro.engines.game.modules import of_modules
from pigro.formats.parts import load_parts, together
from pigro.logic import Formula, parse
from pigro.logic.syntax import mark
from pigro.model.composition import Composition, as_composition
from pigro.session.formulas import fitting
from pigro.session.prepare import SubjectReader
from pigro.session.request import SubjectNotice

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.formats.parts import PartsFile
    from pigro.session.formulas import ParsedFormulas

_IN_MODULES = re.compile(r"\.smv(?:$|:)")
"""Files whose parts have labels for conditions."""
_FEWEST_TO_ORDER = 3
"""Parts. Of two it does not matter which is first."""


class PartsObjectReader(SubjectReader):
    """A composition, a part or several parts that a program has."""

    formulas_first = False

    def read(self) -> None:
        """The parts as the method takes them. Lists their states if need be."""
        composition = as_composition(self.request.subject)
        method, predicates = self.request.method, self.request.predicates
        composition = of_modules(composition, method, predicates, self.budget.poll)
        require_method(composition, method=method)
        self._take(composition)

    def _take(self, composition: Composition) -> None:
        """Formulas are also read in the language of modules, if conditions are labels."""
        self.subject, self.parse = composition, partial(_parsed, frozenset(composition.atoms))

    def open(self) -> None:
        """What a formula must be depends on the method."""
        self.require = self._require

    def _require(self, formula: Formula) -> Formula:
        """As far as that can be said without a composition."""
        dead_ends = self.request.dead_ends or "stutter"
        if self.subject is None:
            named_labels(formula, dead_ends=dead_ends)
        else:
            method = self.request.method
            require_formula(self.subject, formula, method=method, dead_ends=dead_ends)
        return formula


class PartsFileReader(PartsObjectReader):
    """Parts in files."""

    is_file = True
    no_formula = (
        "no formula given, and none in the files of the parts",
        'give one with --check "AG EF p", or -f FILE with one formula per line',
    )

    def read(self) -> None:
        """The parts of all files. `InputProblems` if nobody can say what formulas mean."""
        names = self.request.subject
        self._files = list(self._read_files())
        if not self.problems.errors:
            with self.problems.collecting():
                self._compose()
        if self.subject is None and any(_IN_MODULES.search(each) for each in names):
            raise self.problems

    def _compose(self) -> None:
        method = self.request.method
        given = Composition(together(self._files)[0])
        given = of_modules(given, method, self.request.predicates, self.budget.poll)
        if method not in WITHOUT_STATES:
            _ = given.initial  # may be too many
        composition = _ordered(given, method)
        self.reordered = composition.parts != given.parts
        self._take(composition)
        require_method(composition, method=method)
        _ = composition.counted  # part of loading

    def _read_files(self) -> Iterator[PartsFile]:
        for argument in self.request.subject:
            with self.problems.collecting():
                try:
                    yield load_parts(argument, self.poll)
                except UsageError as error:
                    if error.code == "P001" and _is_formula(argument):
                        error.hint = (
                            f"formulas are given with --check: --check {shlex.quote(argument)}"
                        )
                    raise

    def completed(self, asked: ParsedFormulas) -> ParsedFormulas:
        """Those that the files state, if nothing is asked."""
        if self.request.formulas or self.request.files:
            return asked
        before = len(self.problems.errors)
        stated = tuple(self._stated())
        return replace(asked, formulas=stated, wrong=len(self.problems.errors) > before)

    def _stated(self) -> Iterator[Formula]:
        """What the files state. A file of which several parts are taken says it once."""
        said = set[tuple[str | None, int | None, str]]()
        wrong = set[str]()
        for file in self._files:
            for error in file.faults:
                if (shown := str(error.position)) not in wrong:
                    wrong.add(shown)
                    self.problems.add(error)
            for each in file.formulas:
                key = (file.source, each.line, each.text)
                if key in said:
                    continue
                said.add(key)
                with self.problems.collecting():
                    yield fitting(each.formula, Position(file.source, each.line), self.require)

    def conclude(self, asked: ParsedFormulas) -> None:
        """An assumption is written for one formula."""
        if self.request.assumption and len(asked.formulas) > 1:
            message = f"an assumption is about one formula, and there are {len(asked.formulas):,}"
            hint = "give the one formula with --check"
            self.problems.add(UsageError("P006", message, hint=hint))

    def notices(self, asked: ParsedFormulas) -> Iterator[SubjectNotice]:
        """Files that nothing is taken of, and formulas of theirs that can't be checked."""
        yield from map(SubjectNotice, _unused(self._files))
        yield from map(SubjectNotice, _wrong(self._files))


def _parsed(
    labels: frozenset[str], text: str, *, source: str | None = None, line: int = 1
) -> Formula:
    try:
        return parse(text, source=source, line=line)
    except FormulaError as error:
        if not any(" = " in each for each in labels):
            raise
        from pigro.formats.smv.specs.over_labels import over_labels

        try:
            return mark(over_labels(text, labels), text)
        except FormulaError as other:
            if other.code == "P121":
                raise error from None
            if other.position is not None:
                other.position = replace(other.position, source=source, line=line)
            raise other from None


def _is_formula(argument: str) -> bool:
    """Whether it can be meant as one: a label alone is rather a file."""
    with suppress(PigroError):
        return len(parse(argument)) > 1
    return False


def _ordered(composition: Composition, method: str) -> Composition:
    """Of three parts and more, neighbours next to each other. Refine-one is about the first."""
    if len(composition.parts) < _FEWEST_TO_ORDER:
        return composition
    return composition.neighbours_first(start=0 if method == "refine-one" else None)


def _unused(files: list[PartsFile]) -> Iterator[str]:
    """A warning for each file that was given and of which nothing is composed."""
    composed, _ = together(files)
    for file in files:
        if not any(part == each for part in file.parts for each in composed):
            names = ", ".join(printable(part.name) for part in file.parts[:3])
            more = " and more" if len(file.parts) > 3 else ""
            source = printable(str(file.source))
            yield f"nothing of {source} ({names}{more}) is composed: another file chooses the parts"


def _wrong(files: list[PartsFile]) -> Iterator[str]:
    """A warning for each file with formulas that can't be checked."""
    for file in files:
        for error in file.faults[:1]:
            more = f" and {len(file.faults) - 1:,} more" if len(file.faults) > 1 else ""
            place = printable(str(file.source))
            yield f"a formula of {place}{more} can't be checked: {error.code}: {error.message}"
