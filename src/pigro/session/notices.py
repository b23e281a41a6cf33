"""The warnings about a question, before it is asked: a row for each, and which subjects have it.

`prepare` asks all rows. At most one warning comes from each. Readers of files add what only they
know: keys that look misspelled, and how a document is read.
"""

from __future__ import annotations

import os.path
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.diagnostics import printable
from pigro.engines import (
    BracketWarning,
    SingleStepWarning,
    UnknownLabelWarning,
    missing_brackets,
    single_steps,
    unknown_labels,
)
from pigro.logic import Fragment
from pigro.model.kinds import SubjectKind
from pigro.options import FILE, GIVEN, MODEL, PARTS, PARTS_FILE
from pigro.session.request import SubjectNotice
from pigro.verdict.reason import activations_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.engines import UnknownLabels
    from pigro.logic import Formula
    from pigro.session.request import CheckQuestion


_OF_VARIABLES = ("def_", "use_", "usedef_")
"""How labels of variables begin."""


def shared_labels(subject: Any, formula: Formula) -> tuple[str, ...]:
    """The functions whose activations share labels of a formula. See `Remarks.activations`."""
    if not any(each.startswith(_OF_VARIABLES) for each in formula.atoms):
        return ()
    if subject.kind is not SubjectKind.MODEL:
        return ()
    from pigro.formats.use_def import activations

    return activations(subject, formula)


def notices_of(question: CheckQuestion, given: str) -> tuple[SubjectNotice, ...]:
    """The warnings about a question whose subject is given so.

    Errors with `strict`: `CheckError` P402 for labels that the subject does not have.
    """
    rows = (row for row in NOTICES if given in row.subjects)
    return tuple(notice for row in rows for notice in row.tell(question))


def _labels_of_models(question: CheckQuestion) -> Iterator[SubjectNotice]:
    """Labels that no node carries.

    Formulas of the file itself count only if no label of theirs is on any node: they can't be
    meant so.
    """
    given, own = _given(question), question.formulas[len(question.formulas) - question.stated :]
    known = question.subject.label_names
    nowhere = [e for e in own if e.atoms and not any(atom in known for atom in e.atoms)]
    formulas = (*given, *nowhere)
    if any(atom not in known for each in formulas for atom in each.atoms):
        yield from _unknown(unknown_labels(question.subject, formulas), question)


def _labels_of_parts(question: CheckQuestion) -> Iterator[SubjectNotice]:
    """Labels that no part sees."""
    from pigro.engines.game.checking import named_labels, unknown_names

    labels = [named_labels(each, dead_ends=question.dead_ends) for each in question.formulas]
    yield from _unknown(unknown_names(question.composition, labels), question)


def _given(question: CheckQuestion) -> tuple[Formula, ...]:
    """The formulas of the person who asks."""
    return question.formulas[: len(question.formulas) - question.stated]


def _unknown(unknown: UnknownLabels, question: CheckQuestion) -> Iterator[SubjectNotice]:
    request = question.request
    if unknown.names and request.strict:
        raise unknown.as_error()
    if unknown.names:
        mistaken = [e for e in request.formulas if isinstance(e, str) and e in unknown.names]
        file = next((each for each in mistaken if os.path.isfile(each)), None)
        message = unknown.message()
        if file is not None:
            message += f"; to read formulas from the file {printable(file)}, write -f before it"
        yield SubjectNotice(message, UnknownLabelWarning)


def _activations(question: CheckQuestion) -> Iterator[SubjectNotice]:
    """Activations of functions that share labels of formulas."""
    subject, formulas = question.subject, question.formulas
    found = dict.fromkeys(name for each in formulas for name in shared_labels(subject, each))
    if found:
        yield SubjectNotice(
            f"{activations_of([*found])} share the labels of local variables, so verdicts can be "
            "wrong about a variable of one activation"
        )


def _brackets_and_steps(question: CheckQuestion) -> Iterator[SubjectNotice]:
    """A formula that may be meant otherwise, and how it was read. Single steps that look like LTL.

    Where states are computed by a program, formulas of single steps are refused before.
    """
    message = missing_brackets(question.formulas)
    if message is not None:
        yield SubjectNotice(message, BracketWarning)
    of_parts = question.subject.kind is SubjectKind.COMPOSITION
    given = _given(question)
    if any(each.fragment is Fragment.MU for each in given):
        message = single_steps(given, of_parts=of_parts)
        if message is not None:
            yield SubjectNotice(message, SingleStepWarning)


class NoticeRow(NamedTuple):
    """A warning, and how subjects are given that can have it."""

    subjects: tuple[str, ...]
    tell: Callable[[CheckQuestion], Iterator[SubjectNotice]]


_MODELS = (FILE, MODEL)
_PARTS = (PARTS_FILE, PARTS)
NOTICES = (
    NoticeRow(_MODELS, _labels_of_models),
    NoticeRow(_PARTS, _labels_of_parts),
    NoticeRow(_MODELS, _activations),
    NoticeRow(GIVEN, _brackets_and_steps),
)
"""In the order in which they are told."""
