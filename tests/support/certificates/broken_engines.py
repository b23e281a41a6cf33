"""Collects the certificates of a broken engine and checks them with a sound core: for tools/mutants.py.

As a plug-in of pytest (`-p support.certificates.broken_engines`, with WRONG_CERTIFICATES=FILE), it replaces `expect`. Each test then
writes the verdicts of the engines to FILE, with their certificates, and compares nothing. As a script,
`python -m support.certificates.broken_engines FILE`, it checks the certificates of the wrong verdicts. It prints how many
there are, and ends with 1 if a checker accepts one. `python -m support.certificates.broken_engines FILE traps` writes the verdicts
about the traps of CTL*.
"""

from __future__ import annotations

import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from pigro.certificates import Malformed, Mismatch, check_certificates
from pigro.certificates.native_checker import check_certificates_natively
from pigro.engines.native import DEMAND, EXHAUSTIVE
from pigro.formats import rsm_json
from pigro.logic import parse

from oracle.machine import Machine, to_json_dict
from oracle.notation import machine_from
from support.agreement import ctl
from support.certificates.star_traps import TRAPS


def pytest_configure() -> None:
    """Takes the place of `expect` before any test imports it."""
    ctl.expect = write_down


def write_down(text: str, cases: dict[str, bool], *, oracle: bool = True, **reading: Any) -> None:
    """Writes the verdicts of the engines, one JSON object per line."""
    swear(Path(os.environ["WRONG_CERTIFICATES"]), machine_from(text, **reading), cases)


def swear(told: Path, machine: Machine, cases: dict[str, bool]) -> None:
    """Adds what the engines say of a machine."""
    model = ctl.as_model(machine)
    with told.open("a", encoding="utf-8") as file:
        for formula, truth in cases.items():
            for engine in (DEMAND, EXHAUSTIVE):
                record = {
                    "machine": to_json_dict(machine),
                    "reading": {"semantics": machine.semantics, "dead_ends": machine.dead_ends},
                    "formula": formula,
                    "truth": truth,
                    "holds": engine(model, parse(formula)).holds,
                    "certificate": certificate(
                        replace(engine, certify=True, certify_paths=True), model, formula
                    ),
                }
                file.write(json.dumps(record) + "\n")


def certificate(engine, model, formula: str) -> str | None:
    """The bytes as text. None if there is no proof, which is what a contradiction comes to."""
    try:
        verdict = engine(model, parse(formula))
    except RuntimeError:
        return None
    assert verdict.certificate is not None
    return verdict.certificate.to_bytes().hex()


def accepted(record: dict[str, Any]) -> bool:
    """Whether some checker accepts the certificate for what it claims."""
    if record["certificate"] is None:
        return False
    model = rsm_json.read(json.dumps(record["machine"]).encode(), **record["reading"])
    found = []
    for check in (check_certificates, check_certificates_natively):
        try:
            [checked] = check(model, bytes.fromhex(record["certificate"]))
        except (Malformed, Mismatch):
            continue
        found.append(checked.problem is None and checked.holds != record["truth"])
    return any(found)


def main() -> int:
    """Judges a file, or writes one."""
    if sys.argv[2:] == ["traps"]:
        for trap in TRAPS:
            swear(Path(sys.argv[1]), trap.machine, {trap.formula: trap.holds})
        return 0
    lines = Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    wrong = [each for each in records if each["holds"] != each["truth"]]
    fooled = [each for each in records if accepted(each)]
    print(
        f"{len(wrong)} of {len(records)} verdicts wrong, {len(fooled)} false certificates accepted"
    )
    for each in fooled:
        print(json.dumps(each))
    return 1 if fooled else 0


if __name__ == "__main__":
    sys.exit(main())
