"""Certificates made by the engines, and everyone who checks them, one certificate at a time."""

from __future__ import annotations

from typing import TYPE_CHECKING

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


def _arrays(model: RSM, formula: str) -> tuple[memoryview, memoryview, memoryview, list[int]]:
    form = existential_normal_form(parse(formula))
    labels = [model.label_ids.get(atom, -1) for atom in form.atoms]
    return memoryview(form.ops), memoryview(form.left), memoryview(form.right), labels


def certified(model: RSM, formulas: Sequence[str], engine: str) -> list[tuple[bool, bytes, bytes]]:
    """Of each formula the verdict, the body of the lemmas it needs, and its own without the text."""
    batch = _core.Batch(model.core, model.initial, _reading(model), ENGINES[engine], certify=True)
    for formula in formulas:
        batch.add(*_arrays(model, formula))
    batch.run(1, 0, 0, None)
    found = []
    for at in range(len(formulas)):
        outcome = batch.outcome(at)
        assert outcome.certificate is not None, f"no certificate: {formulas[at]}"
        lemmas = _core.LemmaBook(model.core).section(outcome.certificate)
        found.append((all(outcome.holds), lemmas, outcome.certificate.body))
    return found


def native(model: RSM, formula: str, lemmas: bytes, body: bytes) -> str | None:
    """What the native checker says of a certificate: None, the first problem, or MALFORMED."""
    verifier = _core.Verifier(model.core, _reading(model))
    try:
        problem = verifier.lemmas(lemmas) if lemmas else None
        of_formula = verifier.formula(body, *_arrays(model, formula))
    except _core.Malformed:
        return MALFORMED
    return problem or of_formula


def python(model: RSM, formula: str, lemmas: bytes, body: bytes) -> str | None:
    """The same of the checker in Python."""
    try:
        [checked] = check_certificates(model, file_bytes(model, lemmas, body))
    except Malformed:
        return MALFORMED
    return None if checked.problem is None else str(checked.problem)


def file_bytes(model: RSM, lemmas: bytes, body: bytes) -> bytes:
    """A file with one certificate."""
    reading = bytes([model.semantics is Semantics.RSMCHECK, model.dead_ends is DeadEnds.STOP])
    head = b"pigro certificate 1\n" + reading + model.digest
    of_lemmas = b"L" + number(len(lemmas)) + lemmas if lemmas else b""
    return head + of_lemmas + b"F" + number(len(body)) + body


CHECKERS = {"native": native}
if check_certificates is not None:
    CHECKERS["python"] = python
