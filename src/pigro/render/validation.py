"""What became of evidence, as text and as one JSON object."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pigro.render.json import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.session.certificate_evidence import Proofs
    from pigro.session.findings import Validation

SCHEMA = "pigro.validation/2"
OF_CERTIFICATES = "pigro.certificates/1"
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
    document: dict[str, object]
    if found.proofs is not None:
        document = _of_certificates(found.proofs)
    else:
        document = {
            "schema": SCHEMA,
            "accepted": found.accepted,
            "findings": [
                {
                    "word": each.word,
                    "about": each.about,
                    "problem": each.problem,
                    "counts_against": each.counts_against,
                }
                for each in found.findings
            ],
            "warnings": list(found.warnings),
        }
    return harmless(json.dumps(document, indent=2) + "\n").encode()


def _of_certificates(proofs: Proofs) -> dict[str, object]:
    model = proofs.model
    document: dict[str, object] = {
        "schema": OF_CERTIFICATES,
        "model": {
            "file": model.source,
            "digest": model.digest.hex(),
            "semantics": str(model.semantics),
            "dead_ends": str(model.dead_ends),
        },
        "results": [
            {
                "formula": each.formula,
                "verdict": "holds" if each.holds else "fails",
                "initial": [model.node_name(node) for node in each.initial],
                "accepted": each.problem is None,
                "problem": None if each.problem is None else str(each.problem),
            }
            for each in proofs.results
        ],
    }
    if proofs.wanted is not None:
        unproved = proofs.unproved
        document["wanted"] = [
            {"formula": each, "proved": each not in unproved, "problem": unproved.get(each)}
            for each in proofs.wanted
        ]
    return document
