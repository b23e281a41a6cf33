"""The work of `pigro validate-witness`: finds the evidence in a file, and replays it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pigro.certificates import Malformed, Mismatch
from pigro.cli.certificates import model_for, read_model
from pigro.cli.sources import read_content
from pigro.diagnostics import CheckError, InputError, Position, printable
from pigro.evidence import WrongEvidence, read, read_run, replay, replay_run
from pigro.evidence.document import SCHEMA, certificate_of, head_of
from pigro.evidence.run_document import SCHEMA as RUN_SCHEMA
from pigro.evidence.run_document import run_head
from pigro.evidence.tree_json import NotEvidence

if TYPE_CHECKING:
    from collections.abc import Iterator

_OF_COMPOSITIONS = ("pigro.composition/1", "pigro.strategy/1")


def validate_file(
    model: str, path: str, from_: str | None
) -> Iterator[tuple[str, str, str | None]]:
    """For each piece of evidence: formula, verdict, and what is wrong with it."""
    data, name = read_content(path)
    for kind, document, around in _documents(data, name):
        validate = _validate_run if kind == RUN_SCHEMA else _validate
        try:
            found = validate(model, from_, document)
        except (NotEvidence, Malformed) as error:
            raise _no_evidence(name, str(error)) from None
        except Mismatch as error:
            hint = "give the model file that the evidence was made with"
            raise InputError("P502", str(error), position=Position(name), hint=hint) from None
        formula, verdict, problem = found
        if problem is None and around:
            said = _told(str(around.get("formula")), str(around.get("verdict")), None)
            if said != found:
                problem = "the result says another formula or verdict"
        yield formula, verdict, problem


def _documents(data: bytes, name: str) -> list[tuple[object, bytes, dict[str, object]]]:
    """Each with the schema that it says it has, and the result that it stands in."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise _no_evidence(name, "this is not JSON") from None
    if isinstance(whole, dict) and whole.get("schema") in (SCHEMA, RUN_SCHEMA):
        return [(whole["schema"], data, {})]
    if isinstance(whole, dict) and whole.get("schema") in _OF_COMPOSITIONS:
        error = _no_evidence(name, "this is about a composition of parts")
        error.hint = "give the parts to `pigro compose PART... --replay FILE`"
        raise error
    results = whole.get("results") if isinstance(whole, dict) else None
    rows = [each for each in results if isinstance(each, dict)] if isinstance(results, list) else []
    found = [(each["evidence"], each) for each in rows if "evidence" in each]
    if not found:
        raise _no_evidence(name, "no result has evidence")
    return [
        (each.get("schema") if isinstance(each, dict) else None, json.dumps(each).encode(), around)
        for each, around in found
    ]


def _no_evidence(name: str, why: str) -> InputError:
    hint = "evidence is written by `pigro check ... --witness --format json`"
    return InputError("P503", f"no evidence here: {why}", position=Position(name), hint=hint)


def _validate(path: str, from_: str | None, data: bytes) -> tuple[str, str, str | None]:
    """Evidence of CTL, which has a certificate."""
    model = read_model(path, from_, certificate_of(data))
    head = head_of(data)
    problem = None
    try:
        document, certificate, evidence = read(model, data)
        replay(model, certificate, evidence, document)
    except WrongEvidence as error:
        problem = str(error)
    return _told(head.formula, head.verdict, problem)


def _validate_run(path: str, from_: str | None, data: bytes) -> tuple[str, str, str | None]:
    """Evidence of LTL and CTL*, whose facts and claims are decided again."""
    from pigro.engines.onthefly.again import decider

    head = run_head(data)
    model = model_for(path, from_, [head.formula], head.semantics, head.dead_ends)
    problem = None
    try:
        model, formula, evidence = read_run(model, head)
        decide = decider(model, formula, head.depth)
        replay_run(model, formula, head.verdict == "holds", evidence, decide)
    except (WrongEvidence, CheckError) as error:  # the engine can't check such a model
        problem = str(error)
    return _told(head.formula, head.verdict, problem)


def _told(formula: str, verdict: str, problem: str | None) -> tuple[str, str, str | None]:
    return printable(formula, len(formula)), printable(verdict), problem
