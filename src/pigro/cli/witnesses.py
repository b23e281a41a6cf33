"""The work of `pigro validate-witness`: finds the evidence in a file, and replays it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pigro.certificates import Malformed, Mismatch
from pigro.cli.certificates import read_model
from pigro.cli.sources import read_content
from pigro.diagnostics import InputError, Position, printable
from pigro.evidence import WrongEvidence, read, replay
from pigro.evidence.document import SCHEMA, certificate_of, head_of
from pigro.evidence.tree_json import NotEvidence

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.model import RSM


def validate_file(
    model: str, path: str, from_: str | None
) -> Iterator[tuple[str, str, str | None]]:
    """For each piece of evidence: formula, verdict, and what is wrong with it."""
    data, name = read_content(path)
    for document in _documents(data, name):
        try:
            found = _replay(read_model(model, from_, certificate_of(document)), document)
        except (NotEvidence, Malformed) as error:
            raise _no_evidence(name, str(error)) from None
        except Mismatch as error:
            hint = "give the model file that the evidence was made with"
            raise InputError("P502", str(error), position=Position(name), hint=hint) from None
        yield found


def _documents(data: bytes, name: str) -> list[bytes]:
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise _no_evidence(name, "this is not JSON") from None
    if isinstance(whole, dict) and whole.get("schema") == SCHEMA:
        return [data]
    results = whole.get("results") if isinstance(whole, dict) else None
    rows = [each for each in results if isinstance(each, dict)] if isinstance(results, list) else []
    found = [each["evidence"] for each in rows if "evidence" in each]
    if not found:
        raise _no_evidence(name, "no result has evidence")
    return [json.dumps(each).encode() for each in found]


def _no_evidence(name: str, why: str) -> InputError:
    hint = "evidence is written by `pigro check ... --witness --format json`"
    return InputError("P503", f"no evidence here: {why}", position=Position(name), hint=hint)


def _replay(model: RSM, data: bytes) -> tuple[str, str, str | None]:
    head = head_of(data)
    problem = None
    try:
        document, certificate, evidence = read(model, data)
        replay(model, certificate, evidence, document)
    except WrongEvidence as error:
        problem = str(error)
    return printable(head.formula, len(head.formula)), printable(head.verdict), problem
