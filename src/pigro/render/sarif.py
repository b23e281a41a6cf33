"""Logs in SARIF 2.1.0, which services for code review read: what findings and verdicts share.

A code flow shows a run: `nestingLevel` is the number of open calls, `importance` says which steps
matter. Columns count code points. Files are URIs relative to the working folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

from pigro import __version__
from pigro.diagnostics import printable

VERSION = "2.1.0"
SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_ROOT = "%SRCROOT%"
_MESSAGE = 2000

Json = dict[str, Any]


def log(rules: list[Json], results: list[Json], notifications: list[Json], *, whole: bool) -> Json:
    """A log of one run of Pigro. `whole`: nothing is left out."""
    invocation: Json = {"executionSuccessful": whole}
    if notifications:
        invocation["toolExecutionNotifications"] = notifications
    run = {
        "tool": {"driver": {"name": "Pigro", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [invocation],
        "results": results,
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def to_bytes(made: Json) -> bytes:
    """A log, indented."""
    return (json.dumps(made, indent=1) + "\n").encode()


def message(text: str) -> dict[str, str]:
    """A text for people, harmless and not too long."""
    return {"text": printable(text, _MESSAGE)}


def place(file: str, region: Json | None = None) -> Json:
    """A place in a file."""
    made: Json = {"artifactLocation": _artifact(file)}
    if region:
        made["region"] = region
    return made


def name_in_program(name: str) -> list[dict[str, str]]:
    """The function or state that a place belongs to."""
    return [{"fullyQualifiedName": printable(name, _MESSAGE)}]


def step(location: Json, depth: int, *, is_decisive: bool, has_note: bool) -> Json:
    """A step of a run."""
    importance = "essential" if is_decisive else "important" if has_note else "unimportant"
    return {"location": location, "nestingLevel": depth, "importance": importance}


def flow(steps: list[Json]) -> list[Json]:
    """The code flow of one run."""
    return [{"threadFlows": [{"locations": steps}]}]


def _artifact(file: str) -> dict[str, str]:
    raw = file.encode("utf-8", "surrogateescape")
    if Path(file).is_absolute():
        return {"uri": "file://" + quote(raw)}
    return {"uri": quote(raw), "uriBaseId": _ROOT}
