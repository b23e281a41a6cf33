"""Certificates made by the native engines, and everyone who checks them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro import _core
from pigro.certificates import Malformed, check_certificates
from pigro.certificates.native_checker import check_certificates_natively
from pigro.logic import existential_normal_form, parse
from pigro.model import DeadEnds

from support.certificates.drafts import header_bytes, number, section_bytes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.model import RSM

ENGINES = {
    "demand": _core.Engine.DEMAND,
    "demand, forward": _core.Engine.DEMAND_FORWARD,
    "demand, backward": _core.Engine.DEMAND_BACKWARD,
    "exhaustive": _core.Engine.EXHAUSTIVE,
}
CHECKERS = {"native": check_certificates_natively, "python": check_certificates}
MALFORMED = "malformed"


class Section(NamedTuple):
    """A certificate in a file: bodies of sections."""

    formula: str
    holds: bool
    lemmas: bytes
    """Those that it needs, and none before it did. Perhaps empty."""
    body: bytes


def certified(model: RSM, formulas: Sequence[str], engine: str) -> list[Section]:
    """The certificates of an engine's verdicts, for one file."""
    stop = model.dead_ends is DeadEnds.STOP
    dead_ends = _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER
    batch = _core.Batch(model.core, model.initial, dead_ends, ENGINES[engine], _core.Proofs.ANY)
    for formula in formulas:
        form = existential_normal_form(parse(formula))
        labels = [model.label_ids.get(atom, -1) for atom in form.atoms]
        batch.add(memoryview(form.ops), memoryview(form.left), memoryview(form.right), labels)
    batch.run()
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


def answers(checker: str, model: RSM, sections: Sequence[Section]) -> list[str | None]:
    """What a checker says of each certificate of a file: None, or the first problem; [MALFORMED]
    if the file is. It has the header of the model, whichever one that is.
    """
    data = header_bytes(model)
    for each in sections:
        data += section_bytes(b"L", each.lemmas) if each.lemmas else b""
        data += section_bytes(b"F", each.body)
    try:
        checked = list(CHECKERS[checker](model, data))
    except Malformed:
        return [MALFORMED]
    return [None if each.problem is None else str(each.problem) for each in checked]
