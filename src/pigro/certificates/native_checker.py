"""The native checker: the same rules as `checker.py`, written once more, for many certificates.

Both checkers give the same answer for every file.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pigro import _core
from pigro.certificates.answers import CertificateResult, Problem
from pigro.certificates.reading import (
    LEMMAS,
    Malformed,
    SectionReader,
    check_header,
    frames,
    read_formula,
)
from pigro.limits import no_poll
from pigro.logic.path_normal import path_normal_form
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM


class NativeChecker:
    """Checks sections one by one."""

    def __init__(self, model: RSM, poll: Poll = no_poll) -> None:
        stop = model.dead_ends is DeadEnds.STOP
        dead_ends = _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER
        self._labels = model.label_ids
        self._core = _core.Verifier(model.core, dead_ends, lambda _bytes: poll())

    def lemmas(self, body: bytes) -> Problem | None:
        """The fault of a section of lemmas. If there is none, it counts for those after it."""
        try:
            return _problem(self._core.lemmas(body))
        except _core.Malformed as error:
            raise Malformed(str(error)) from None

    def formula(self, body: bytes, formula: Formula) -> Problem | None:
        """The fault of a section about this formula. None if it is accepted."""
        normal = path_normal_form(formula)
        labels = [self._labels.get(atom, -1) for atom in normal.atoms]
        arrays = (memoryview(normal.ops), memoryview(normal.left), memoryview(normal.right))
        try:
            return _problem(self._core.formula(body, *arrays, labels))
        except _core.Malformed as error:
            raise Malformed(str(error)) from None


_TEXT = re.compile(r"([RK]\d+): (lemmas, )?level (\d+), (\D+) (\d+)(?:, node (\d+))?")


def _problem(text: str | None) -> Problem | None:
    if text is None:
        return None
    found = _TEXT.fullmatch(text)
    assert found is not None, text
    rule, lemmas, level, what, number, node = found.groups()
    where = None if node is None else int(node)
    return Problem(rule, int(level), what, int(number), where, lemmas is not None)


def check_certificates_natively(model: RSM, data: bytes) -> Iterator[CertificateResult]:
    """What `check_certificates` does, many times as fast."""
    checker = NativeChecker(check_header(model, data))
    wrong_lemmas: Problem | None = None
    for kind, body in frames(data):
        if kind == LEMMAS:
            found = checker.lemmas(body)
            wrong_lemmas = wrong_lemmas or found
            continue
        text, holds, initial = SectionReader(body).statement()
        problem = checker.formula(body, read_formula(text))
        yield CertificateResult(text, holds, initial, wrong_lemmas or problem)
