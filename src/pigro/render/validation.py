"""What became of evidence, as text and as one JSON object."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET

from pigro.render.data import (
    CertificatesData,
    CertifiedModel,
    CheckedData,
    FindingData,
    ValidationData,
    WantedData,
)
from pigro.render.json import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.session.certificate_evidence import Proofs
    from pigro.session.findings import Validation

_DEEPEST = 10
"""The most that a problem is indented."""


def validation_text(found: Validation, *, quiet: bool = False) -> Iterator[str]:
    """For people, line by line. With `quiet`: what counts against the file, and how many."""
    if found.proofs is not None and not quiet:
        model = found.proofs.model
        yield f"{model.semantics} semantics, dead ends: {model.dead_ends}\n"
    for each in found.findings:
        if quiet and not each.counts_against:
            continue
        yield f"{each.word}  {each.about}\n"
        if each.problem is not None:
            yield f"{' ' * min(len(each.word) + 2, _DEEPEST)}{each.problem}\n"
    if quiet or found.proofs is not None:
        asked = found.proofs is not None and found.proofs.wanted is not None
        last = asked or found.counts.get("no evidence")
        counts = list(found.counts.items())[: 3 if last else 2]
        line = ", ".join(f"{number:,} {word}" for word, number in counts)
        yield f"{line}\n" if quiet else f"\n{line}\n"


def validation_json(found: Validation) -> bytes:
    """For programs: one object."""
    document = _validation(found) if found.proofs is None else _certificates(found.proofs)
    return harmless(json.dumps(msgspec.to_builtins(document), indent=2) + "\n").encode()


def _validation(found: Validation) -> ValidationData:
    return ValidationData(
        schema="pigro.validation/2",
        accepted=found.accepted,
        findings=[
            FindingData(
                word=each.word,  # type: ignore[arg-type] # only certificates are not proved
                about=each.about,
                problem=each.problem,
                counts_against=each.counts_against,
            )
            for each in found.findings
        ],
        warnings=list(found.warnings),
    )


def _certificates(proofs: Proofs) -> CertificatesData:
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
