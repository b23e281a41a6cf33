"""The work of `pigro compose --replay`: finds strategies in a file of results, and replays them."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from pigro.certificates import Mismatch
from pigro.cli.composing import read_composition
from pigro.cli.sources import read_content
from pigro.diagnostics import InputError, Position, UsageError, printable
from pigro.evidence import WrongEvidence, replay_strategy, take_strategy
from pigro.evidence.strategy_json import SCHEMA, strategy_head
from pigro.evidence.tree_json import NotEvidence

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.model.composition import Composition


def refuse_with_replay(options: Mapping[str, object]) -> None:
    """`UsageError` P006 for options that are for checking; those that are not said are false."""
    for name, value in options.items():
        if value:
            hint = "--replay checks evidence, and only the parts go with it"
            raise UsageError("P006", f"--replay and {name} don't go together", hint=hint)


def replay_file(parts: tuple[str, ...], path: str) -> Iterator[tuple[str, str, str | None]]:
    """For each piece of evidence: formula, verdict, and what is wrong with it."""
    composition = read_composition(parts)
    data, name = read_content(path)
    for document, around in _documents(data, name):
        try:
            yield _replayed(composition, document, around)
        except NotEvidence as error:
            raise _no_evidence(name, str(error)) from None
        except Mismatch as error:
            hint = "give the parts that the evidence was made with, in the same order"
            raise InputError("P502", str(error), position=Position(name), hint=hint) from None


def _replayed(
    composition: Composition, document: object, around: Mapping[str, object]
) -> tuple[str, str, str | None]:
    head = strategy_head(document)
    problem = None
    try:
        replay_strategy(composition, take_strategy(composition, document))
    except WrongEvidence as error:
        problem = str(error)
    said = (around.get("formula"), around.get("verdict"))
    if problem is None and around and said != (head.formula, head.verdict):
        problem = "the result says another formula or verdict"
    return printable(head.formula, len(head.formula)), head.verdict, problem


def _documents(data: bytes, name: str) -> list[tuple[object, Mapping[str, object]]]:
    """Each with the result that it stands in."""
    try:
        whole = json.loads(data)
    except (ValueError, RecursionError):
        raise _no_evidence(name, "this is not JSON") from None
    if isinstance(whole, dict) and whole.get("schema") == SCHEMA:
        return [(whole, {})]
    results = whole.get("results") if isinstance(whole, dict) else None
    rows = [each for each in results if isinstance(each, dict)] if isinstance(results, list) else []
    found: list[tuple[object, Mapping[str, object]]] = [
        (each["evidence"], each) for each in rows if "evidence" in each
    ]
    if not found:
        raise _no_evidence(name, "no result has evidence")
    return found


def _no_evidence(name: str, why: str) -> InputError:
    hint = "evidence is written by `pigro compose ... --witness --format json`"
    return InputError("P503", f"no evidence here: {why}", position=Position(name), hint=hint)
