"""Certificates as they are made: one, and the file that many of them share.

A certificate proves one verdict. `checker.py`, which shares nothing with what makes it, checks it.
The bytes are told in docs/certificate-format.md.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro import _core
from pigro.certificates.reading import MAGIC, READINGS
from pigro.lazy_names import type_names
from pigro.limits import Poll, no_poll
from pigro.logic.printer import text_of
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from pigro.logic import Formula
    from pigro.model import RSM
else:
    type_names(globals(), {"pigro.logic": "Formula", "pigro.model": "RSM"})


@dataclass(frozen=True, slots=True)
class Certificate:
    """The proof of a verdict.

    >>> import pigro
    >>> model = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> certificate = pigro.check(model, "AF done", certify=True).certificate
    >>> [str(each.problem) for each in pigro.check_certificates(model, certificate.to_bytes())]
    ['None']
    """

    model: RSM = field(repr=False)
    formula: Formula
    holds: bool
    engine: str
    """The engine that proved it. Not always the one that was asked."""
    proof: _core.Certificate | bytes = field(repr=False)
    """As the native core made it. Or, after it was pickled, a file with this certificate alone."""
    shortest: bool = False
    """Whether its paths are as short as can be."""

    @property
    def native(self) -> _core.Certificate:
        """The proof as the native core made it. `ValueError` after it was pickled."""
        if isinstance(self.proof, bytes):
            raise ValueError("a certificate that was pickled is a file of its own")  # noqa: TRY004
        return self.proof

    @property
    def body(self) -> bytes:
        """The section about the formula, without the lemmas it needs."""
        proved = self.native.body
        text = text_of(self.formula).encode("utf-8", "surrogatepass")
        return _number(len(text)) + text + proved

    def to_bytes(self, poll: Poll = no_poll) -> bytes:
        """A file with this certificate alone."""
        return self.proof if isinstance(self.proof, bytes) else file_of([self], poll)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Certificate):
            return NotImplemented
        return self is other or (
            self._facts == other._facts and self.to_bytes() == other.to_bytes()
        )

    def __hash__(self) -> int:
        return hash(self._facts)

    @property
    def _facts(self) -> tuple[object, ...]:
        return self.formula, self.holds, self.engine, self.shortest

    def __copy__(self) -> Certificate:
        return self

    def __deepcopy__(self, _memo: object) -> Certificate:
        return self

    def __reduce__(self) -> tuple[type[Certificate], tuple[object, ...]]:
        """As a file with its lemmas, without the model."""
        formula, holds, engine, shortest = self._facts
        return Certificate, (None, formula, holds, engine, self.to_bytes(), shortest)


class CertificateFile:
    """The certificates of verdicts on one model, which may start at different nodes."""

    def __init__(self, model: RSM, *, shortest: bool = False) -> None:
        self.model = model
        self._book = _core.LemmaBook(model.core, shortest)
        self._parts = [MAGIC, bytes(_reading(model)), model.digest]

    def add(self, certificate: Certificate, poll: Poll = no_poll) -> tuple[bytes, bytes]:
        """Appends a certificate. The bodies of its new lemmas, perhaps empty, and of its own.

        Raises `ValueError` for a certificate of another model. If `poll` raises, nothing is
        appended, and nothing can be from then on.
        """
        if certificate.model.core is not self.model.core:
            raise ValueError("certificates of several models do not go into one file")
        lemmas = self._book.section(certificate.native, lambda _bytes: poll())
        body = certificate.body
        if lemmas:
            self._parts += [b"L", _number(len(lemmas)), lemmas]
        self._parts += [b"F", _number(len(body)), body]
        return lemmas, body

    def to_bytes(self) -> bytes:
        """The file as it is now."""
        return b"".join(self._parts)


def file_of(certificates: Iterable[Certificate], poll: Poll = no_poll) -> bytes:
    """One file with certificates of verdicts on one model. There must be some."""
    file = None
    for each in certificates:
        file = file or CertificateFile(each.model, shortest=each.shortest)
        file.add(each, poll)
    if file is None:
        raise ValueError("a file of certificates needs at least one")
    return file.to_bytes()


def _reading(model: RSM) -> tuple[int, int]:
    return READINGS.index(model.semantics), model.dead_ends is DeadEnds.STOP


def _number(value: int) -> bytes:
    made = bytearray()
    while value >= 128:
        made.append(value & 127 | 128)
        value >>= 7
    return bytes([*made, value])
