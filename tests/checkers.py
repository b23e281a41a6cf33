"""Certificates made by the engines, and everyone who checks them."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from pigro import _core
from pigro.logic import existential_normal_form, parse
from pigro.model import DeadEnds, Semantics
from sections import number

try:
    from pigro.certificates.checker import check_certificates
    from pigro.certificates.reading import Malformed
except ImportError:
    check_certificates = None

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.logic import NormalForm
    from pigro.model import RSM

ENGINES = {
    "demand": _core.Engine.DEMAND,
    "demand, forward": _core.Engine.DEMAND_FORWARD,
    "demand, backward": _core.Engine.DEMAND_BACKWARD,
    "exhaustive": _core.Engine.EXHAUSTIVE,
}
MALFORMED = "malformed"


def _reading(model: RSM) -> _core.DeadEnds:
    return _core.DeadEnds.STOP if model.dead_ends is DeadEnds.STOP else _core.DeadEnds.STUTTER


@lru_cache(maxsize=64)
def _normal(formula: str) -> NormalForm:
    return existential_normal_form(parse(formula))


def _arrays(model: RSM, formula: str) -> tuple[memoryview, memoryview, memoryview, list[int]]:
    form = _normal(formula)
    labels = [model.label_ids.get(atom, -1) for atom in form.atoms]
    return memoryview(form.ops), memoryview(form.left), memoryview(form.right), labels


class Section(NamedTuple):
    """A certificate in a file."""

    formula: str
    holds: bool
    lemmas: bytes
    """The body of the section of lemmas before it; empty if there is none."""
    body: bytes
    """The body of its own section."""


def certified(model: RSM, formulas: Sequence[str], engine: str) -> list[Section]:
    """The certificates of an engine's verdicts, for one file."""
    batch = _core.Batch(model.core, model.initial, _reading(model), ENGINES[engine], certify=True)
    for formula in formulas:
        batch.add(*_arrays(model, formula))
    batch.run(1, 0, 0, None)
    book = _core.LemmaBook(model.core)
    found = []
    for at, formula in enumerate(formulas):
        outcome = batch.outcome(at)
        assert outcome.certificate is not None, f"no certificate: {formula}"
        lemmas = book.section(outcome.certificate)
        text = formula.encode()
        body = number(len(text)) + text + outcome.certificate.body
        found.append(Section(formula, all(outcome.holds), lemmas, body))
    return found


Answers = list[str | None]


def native(model: RSM, sections: Sequence[Section]) -> Answers:
    """What the native checker says of each certificate: None, or the first problem. [MALFORMED] if
    the file is.
    """
    verifier = _core.Verifier(model.core, _reading(model))
    broken, found = None, []
    try:
        for formula, _, lemmas, body in sections:
            if lemmas and broken is None:
                broken = verifier.lemmas(lemmas)
            problem = verifier.formula(body, *_arrays(model, formula))
            found.append(broken or problem)
    except _core.Malformed:
        return [MALFORMED]
    return found


def python(model: RSM, sections: Sequence[Section]) -> Answers:
    """The same of the checker in Python."""
    try:
        checked = list(check_certificates(model, file_bytes(model, sections)))
    except Malformed:
        return [MALFORMED]
    return [None if each.problem is None else str(each.problem) for each in checked]


def file_bytes(model: RSM, sections: Sequence[Section]) -> bytes:
    """A file with these certificates, as if made for the model."""
    reading = bytes([model.semantics is Semantics.RSMCHECK, model.dead_ends is DeadEnds.STOP])
    parts = [b"pigro certificate 1\n", reading, model.digest]
    for each in sections:
        if each.lemmas:
            parts += [b"L", number(len(each.lemmas)), each.lemmas]
        parts += [b"F", number(len(each.body)), each.body]
    return b"".join(parts)


CHECKERS = {"native": native}
if check_certificates is not None:
    CHECKERS["python"] = python
