"""What became of evidence, as text and as one JSON object."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import UNSET

from pigro.render.data import (
    CertificatesData,
    CertifiedModel,
    CheckedData,
    JudgedItemData,
    ValidationData,
    WantedData,
)
from pigro.render.json import document_json

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.session.certificate_evidence import ProofJudge
    from pigro.session.findings import Validation

_DEEPEST = 10
"""The most that a problem is indented."""


def validation_text(validation: Validation, *, quiet: bool = False) -> Iterator[str]:
    """For people, line by line. With `quiet`: what counts against the file, and how many."""
    if validation.proofs is not None and not quiet:
        model = validation.proofs.model
        yield f"{model.semantics} semantics, dead ends: {model.dead_ends}\n"
    for each in validation.findings:
        if quiet and not each.counts_against:
            continue
        yield f"{each.word}  {each.about}\n"
        if each.problem is not None:
            yield f"{' ' * min(len(each.word) + 2, _DEEPEST)}{each.problem}\n"
    if quiet or validation.proofs is not None:
        asked = validation.proofs is not None and validation.proofs.wanted is not None
        last = asked or validation.counts.get("no evidence")
        counts = list(validation.counts.items())[: 3 if last else 2]
        line = ", ".join(f"{number:,} {word}" for word, number in counts)
        yield f"{line}\n" if quiet else f"\n{line}\n"


def validation_json(validation: Validation) -> bytes:
    """For programs: one object."""
    if validation.proofs is not None:
        return document_json(_certificates(validation.proofs))
    return document_json(_validation(validation))


def _validation(validation: Validation) -> ValidationData:
    return ValidationData(
        schema="pigro.validation/2",
        accepted=validation.accepted,
        findings=[
            JudgedItemData(
                word=each.word,  # type: ignore[arg-type] # only certificates are not proved
                about=each.about,
                problem=each.problem,
                counts_against=each.counts_against,
            )
            for each in validation.findings
        ],
        warnings=list(validation.warnings),
    )


def _certificates(proofs: ProofJudge) -> CertificatesData:
    model, unproved = proofs.model, proofs.unproved
    return CertificatesData(
        schema="pigro.certificates/1",
        model=CertifiedModel(
            file=model.source,
            digest=model.digest.hex(),
            semantics=model.semantics.value,
            dead_ends=model.dead_ends.value,
        ),
        results=[
            CheckedData(
                formula=each.formula,
                verdict="holds" if each.holds else "fails",
                initial=[model.node_name(node) for node in each.initial],
                accepted=each.problem is None,
                problem=None if each.problem is None else str(each.problem),
            )
            for each in proofs.results
        ],
        wanted=UNSET
        if proofs.wanted is None
        else [
            WantedData(formula=each, proved=each not in unproved, problem=unproved.get(each))
            for each in proofs.wanted
        ],
    )
