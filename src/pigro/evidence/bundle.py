"""The evidence of many verdicts on one model, among their results.

They share one file of certificates, in which a lemma stands once, and the tables of their states.
"""

from __future__ import annotations

import base64
import binascii
from typing import TYPE_CHECKING, TypeAlias, cast

import msgspec
from msgspec import UNSET

from pigro.certificates.certificate import CertificateFile
from pigro.evidence.data import (
    EVIDENCE,
    GAME,
    Document,
    GameDocument,
    NotEvidence,
    RunDocument,
    converted,
)
from pigro.evidence.documents import piece, run_piece
from pigro.evidence.joining import Joined
from pigro.evidence.run.runs import shown_by_runs
from pigro.evidence.tables import Tables
from pigro.limits import unwatched

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.certificates.certificate import Certificate
    from pigro.evidence.game.strategy import GameStrategy
    from pigro.evidence.states import Evidence
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict

AnyDocument: TypeAlias = Document | GameDocument | RunDocument


class Bundle:
    """Takes the evidence of verdicts, and then tells what they share."""

    def __init__(self, model: RSM) -> None:
        self._joined, self._tables = Joined(model), Tables()
        self._file: CertificateFile | None = None
        self._count = 0
        self._over: BaseException | None = None
        """What cut a certificate short. Then the file takes no other one."""

    @property
    def model(self) -> RSM:
        """The model that the nodes of all evidence are of."""
        return self._joined.model

    def add(
        self,
        verdict: Verdict,
        certificate: Certificate | None,
        evidence: Evidence | GameStrategy,
        poll: Poll = unwatched,
    ) -> dict[str, object]:
        """What stands in the result of a verdict. Outside of CTL it has no certificate."""
        made: AnyDocument
        self._joined.expect(verdict)
        if verdict.game is not None:
            from pigro.evidence.game.documents import game_piece

            made = game_piece(self._tables, verdict, verdict.game)
        elif certificate is None or shown_by_runs(verdict.formula):
            evidence = self._joined.take(verdict, cast("Evidence", evidence))
            shown = verdict.model if verdict.excerpt is None else self.model
            made = run_piece(self._tables, verdict, shown, evidence)
        else:
            made = piece(self._tables, verdict, self._count, cast("Evidence", evidence))
            self._add(certificate, poll)
        poll()
        told: dict[str, object] = msgspec.to_builtins(made)
        return told

    def _add(self, certificate: Certificate, poll: Poll) -> None:
        if self._over is not None:
            raise self._over
        if self._file is None:
            self._file = CertificateFile(self.model, shortest=certificate.shortest)
        try:
            self._file.add(certificate, poll)
        except BaseException as over:
            self._over = over
            raise
        self._count += 1

    def shared(self, formulas: Iterable[Formula]) -> dict[str, object]:
        """What stands besides the results. `formulas` are theirs, whose labels are told."""
        atoms = [atom for formula in formulas for atom in formula.atoms]
        file = b"" if self._file is None else self._file.to_bytes()
        return {
            "certificates": base64.b64encode(file).decode(),
            "tables": msgspec.to_builtins(self._tables.data(self.model.showing(atoms))),
        }


def read_file(certificates: str) -> bytes:
    """The file of certificates. `NotEvidence` if it is none. Empty if there are none."""
    try:
        return base64.b64decode(certificates, validate=True)
    except (binascii.Error, ValueError) as error:
        raise NotEvidence(str(error)) from None


def read_head(told: object) -> AnyDocument:
    """The evidence in a result, unread. `NotEvidence` if it is none."""
    schema = told.get("schema") if isinstance(told, dict) else None
    found: AnyDocument
    if schema == GAME:
        found = converted(told, GameDocument)
    else:
        found = converted(told, Document) if schema == EVIDENCE else converted(told, RunDocument)
    own = isinstance(found, Document) and isinstance(found.certificate, str)
    if own or found.tables is not UNSET:
        raise NotEvidence("the evidence in a result has a certificate or tables of its own")
    return found
