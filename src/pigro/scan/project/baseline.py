"""A baseline: findings that are known, so that only new ones are reported.

A finding is recognised by a fingerprint of its rule, file, function and line text, so it is still
known when lines above it come or go. The file of a finding is relative to the folder of the
baseline. If a fingerprint is in the baseline twice, two findings of it are known.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from pigro.diagnostics import InputError, printable
from pigro.diagnostics.errors import Position

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.scan.findings import Finding

SCHEMA: Literal["pigro.baseline/1"] = "pigro.baseline/1"


class KnownFinding(msgspec.Struct, forbid_unknown_fields=True):
    """A finding that is known."""

    rule: str
    file: str
    """Relative to the folder of the baseline."""
    function: str
    text: str
    """The source line, without the blanks around it."""
    fingerprint: str


class Baseline(msgspec.Struct, forbid_unknown_fields=True):
    """Findings that are known, as `pigro scan --write-baseline` writes them."""

    schema: Literal["pigro.baseline/1"]
    findings: list[KnownFinding]


def fingerprint(finding: Finding, file: str | None = None) -> str:
    """What recognises a finding."""
    name = finding.file if file is None else file
    parts = (finding.rule, name, finding.function, " ".join(finding.line_text.split()))
    text = "\0".join(parts).encode("utf-8", "surrogatepass")
    return hashlib.sha256(text).hexdigest()[:32]


def baseline_bytes(findings: Iterable[Finding], path: str) -> bytes:
    """The baseline of these findings, for a file at `path`."""
    rows = []
    for each in findings:
        file = printable(_inside(each.file, path), 4000)
        text = " ".join(each.line_text.split())
        function = printable(each.function, 4000)
        rows.append(KnownFinding(each.rule, file, function, text, fingerprint(each, file)))
    rows.sort(key=lambda row: (row.file, row.function, row.rule, row.text, row.fingerprint))
    made = msgspec.json.encode(Baseline(SCHEMA, rows))
    return msgspec.json.format(made, indent=1) + b"\n"


def read_baseline(path: str) -> Counter[str]:
    """How often each fingerprint is in a baseline. Errors P001 and P164."""
    where = Position(source=path)
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        hint = f"pigro scan --baseline {printable(path)} --write-baseline makes it"
        message = f"the baseline can't be read: {error.strerror}"
        raise InputError("P001", message, position=where, hint=hint) from None
    try:
        read = msgspec.json.decode(data, type=Baseline)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise InputError("P164", printable(str(error), 300), position=where) from None
    return Counter(each.fingerprint for each in read.findings)


def without_known(
    findings: Iterable[Finding], known: Counter[str], path: str
) -> tuple[list[Finding], int, int]:
    """The findings that are new, how many are known, and how many of the baseline are gone."""
    left, rest = [], Counter(known)
    for each in findings:
        mark = fingerprint(each, printable(_inside(each.file, path), 4000))
        if rest[mark] > 0:
            rest[mark] -= 1
        else:
            left.append(each)
    gone = sum(rest.values())
    return left, sum(known.values()) - gone, gone


def _inside(file: str, path: str) -> str:
    return Path(os.path.relpath(file, Path(path).parent)).as_posix()
