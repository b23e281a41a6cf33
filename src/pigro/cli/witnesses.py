"""The work of `pigro validate-witness`: finds the evidence in a file, and replays it.

The model is loaded once for a whole file, with the labels that all its formulas ask for.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from pigro.certificates import Malformed, Mismatch, check_certificates
from pigro.certificates.reading import FORMULA, frames
from pigro.cli.certificates import model_for, read_model
from pigro.cli.sources import read_content
from pigro.diagnostics import CheckError, InputError, Position, printable
from pigro.evidence import WrongEvidence, read, read_run, replay, replay_run
from pigro.evidence.bundle import read_head, read_shared
from pigro.evidence.document import SCHEMA, Document, certificate_of, head_of, read_piece
from pigro.evidence.proved import Proved
from pigro.evidence.replay import need_claim, replay_proved
from pigro.evidence.run_document import SCHEMA as RUN_SCHEMA
from pigro.evidence.run_document import run_head
from pigro.evidence.tables import Numbered
from pigro.evidence.tree_json import NotEvidence
from pigro.evidence.walking import need
from pigro.render.json import SCHEMA as RESULTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.certificates import Checked
    from pigro.evidence.bundle import SharedData
    from pigro.evidence.run_document import RunDocument
    from pigro.model import RSM

    Told = tuple[str, str, str | None]

_OF_COMPOSITIONS = ("pigro.composition/1", "pigro.strategy/1")
_FAMILIES = tuple(name.partition("/")[0] for name in (SCHEMA, RUN_SCHEMA, RESULTS))


def validate_file(model: str, path: str, from_: str | None) -> Iterator[Told]:
    """For each piece of evidence: formula, verdict, and what is wrong with it."""
    data, name = read_content(path)
    try:
        whole = _whole(data)
        if whole["schema"] == SCHEMA:
            yield _validate(model, from_, data)
        elif whole["schema"] == RUN_SCHEMA:
            yield _validate_run(model, from_, data)
        else:
            yield from _validate_results(model, from_, whole)
    except (NotEvidence, Malformed) as error:
        raise _no_evidence(name, str(error)) from None
    except _OfComposition:
        refused = _no_evidence(name, "this is about a composition of parts")
        refused.hint = "give the parts to `pigro compose PART... --replay FILE`"
        raise refused from None
    except Mismatch as error:
        hint = "give the model file that the evidence was made with"
        raise InputError("P502", str(error), position=Position(name), hint=hint) from None


class _OfComposition(Exception):  # noqa: N818 - what the file is
    pass


def _whole(data: bytes) -> dict[str, object]:
    """The document, which says what it is; `NotEvidence` if it can't be evidence."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise NotEvidence("this is not JSON") from None
    schema = whole.get("schema") if isinstance(whole, dict) else None
    if not isinstance(whole, dict) or not isinstance(schema, str):
        raise NotEvidence("this does not say what it is")
    if schema in _OF_COMPOSITIONS:
        raise _OfComposition
    if schema not in {SCHEMA, RUN_SCHEMA, RESULTS}:
        if schema.startswith(tuple(f"{family}/" for family in _FAMILIES)):
            raise NotEvidence(f"this is {printable(schema)}, made by another version of Pigro")
        raise NotEvidence(f"this is {printable(schema)}")
    return whole


def _no_evidence(name: str, why: str) -> InputError:
    hint = "evidence is written by `pigro check ... --witness --format json`"
    return InputError("P503", f"no evidence here: {why}", position=Position(name), hint=hint)


def _validate(path: str, from_: str | None, data: bytes) -> Told:
    """Evidence of CTL, which has a certificate."""
    head = head_of(data)
    model = read_model(path, from_, certificate_of(head))
    problem = None
    try:
        document, certificate, evidence = read(model, data)
        replay(model, certificate, evidence, document)
    except WrongEvidence as error:
        problem = str(error)
    return _told(head.formula, head.verdict, problem)


def _validate_run(path: str, from_: str | None, data: bytes) -> Told:
    """Evidence of LTL and CTL*, whose facts and claims are decided again."""
    head = run_head(data)
    model = model_for(path, from_, [head.formula], head.semantics, head.dead_ends)
    problem = None
    try:
        _replay_run(model, head, None)
    except (WrongEvidence, CheckError) as error:  # the engine can't check such a model
        problem = str(error)
    return _told(head.formula, head.verdict, problem)


def _replay_run(model: RSM, head: RunDocument, numbered: Numbered | None) -> None:
    from pigro.engines.onthefly.again import decider

    model, formula, evidence = read_run(model, head, numbered)
    decide = decider(model, formula, head.depth)
    replay_run(model, formula, head.verdict == "holds", evidence, decide)


def _validate_results(path: str, from_: str | None, whole: dict[str, object]) -> Iterator[Told]:
    results = whole.get("results")
    rows = [each for each in results if isinstance(each, dict)] if isinstance(results, list) else []
    found = [(row, read_head(row["evidence"])) for row in rows if "evidence" in row]
    if not found:
        raise NotEvidence("no result has evidence")
    read_as = whole.get("model")
    read_as = read_as if isinstance(read_as, dict) else {}
    semantics, dead_ends = read_as.get("semantics"), read_as.get("dead_ends")
    if semantics not in ("standard", "rsmcheck") or dead_ends not in ("stutter", "stop", "error"):
        raise NotEvidence("it does not say how the model was read")
    formulas = [str(row.get("formula")) for row in rows]
    model = model_for(path, from_, formulas, str(semantics), str(dead_ends))
    shared = _Shared(model, read_shared(whole))
    for row, head in found:
        problem = shared.problem(head)
        around = (row.get("formula"), row.get("verdict"))
        if problem is None and around != (head.formula, head.verdict):
            problem = "the result says another formula or verdict"
        yield _told(head.formula, head.verdict, problem)


@dataclass(frozen=True)
class _Shared:
    """The model, and what the results share."""

    model: RSM
    data: SharedData

    @cached_property
    def numbered(self) -> Numbered | str:
        """The states of the tables; or what is wrong with them."""
        try:
            return Numbered(self.model, self.data.tables)
        except WrongEvidence as error:
            return str(error)

    @cached_property
    def proofs(self) -> list[tuple[Checked, bytes]]:
        """What becomes of each certificate, and its section."""
        data = self.data.file()
        bodies = [body for kind, body in frames(data) if kind == FORMULA]
        return list(zip(check_certificates(self.model, data), bodies, strict=True))

    def problem(self, head: Document | RunDocument) -> str | None:
        """What is wrong with a piece of evidence."""
        try:
            if isinstance(self.numbered, str):
                return self.numbered
            if isinstance(head, Document):
                self._replay(head, self.numbered)
            else:
                read_as = (str(self.model.semantics), str(self.model.dead_ends))
                fine = (head.semantics, head.dead_ends) == read_as
                need(fine, "the evidence reads the model in another way than the results")
                _replay_run(self.model, head, self.numbered)
        except (WrongEvidence, CheckError) as error:  # the engine can't check such a model
            return str(error)
        return None

    def _replay(self, head: Document, numbered: Numbered) -> None:
        number = head.certificate
        there = isinstance(number, int) and 0 <= number < len(self.proofs)
        need(there, "its certificate is not there")
        checked, body = self.proofs[int(number)]
        need_claim(checked, head)
        evidence = read_piece(numbered, head)
        replay_proved(self.model, Proved(self.model, body), evidence)


def _told(formula: str, verdict: str, problem: str | None) -> Told:
    return printable(formula, len(formula)), printable(verdict), problem
