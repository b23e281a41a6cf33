"""Proves all use-def verdicts of the Java programs and has them checked: `make certificates`.

Prints what it costs, as Markdown tables: times are medians of several runs, by turns, for all
formulas together. Sizes are without the text of the formula, which the certificate only repeats.
Ends with an error if any verdict is not proved, or any proof not accepted by both checkers.
"""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from dataclasses import replace
from statistics import median
from typing import TYPE_CHECKING

import pigro
from benchmarks.printing import JAVA, PROGRAMS, member, ms, row, table
from pigro.certificates import CertificateFile, check_certificates
from pigro.certificates.native_checker import NativeChecker
from pigro.engines.native import DEMAND
from pigro.formats import rsm_json

if TYPE_CHECKING:
    from pigro.engines import Verdict
    from pigro.logic import Formula
    from pigro.model import RSM

PROVING = replace(DEMAND, certify=True)


def main() -> int:
    """All programs, in both semantics."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=7, help="how often times are measured")
    parser.add_argument("--native-only", action="store_true", help="leave the Python checker out")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    if not JAVA.is_dir():
        print("left out: the benchmark files are not here")
        return 0
    models = {}
    for semantics in ("standard", "rsmcheck"):
        for program in PROGRAMS:
            model = rsm_json.read(member(program, ".rsm"), semantics=semantics)
            texts = [member(program, suffix) for suffix in ("_usedef.ctl", "_single_usedef.ctl")]
            formulas = [each for text in texts for _, each in pigro.read_formulas(text)]
            models[program, semantics] = model, formulas
    times(models, options.runs)
    sizes(models)
    return acceptance(models, native_only=options.native_only)


Models = dict[tuple[str, str], "tuple[RSM, list[Formula]]"]


def times(models: Models, runs: int) -> None:
    """What proofs cost beside verdicts."""
    table(
        f"Certificates: time for all formulas, median of {runs}",
        "program", "semantics", "formulas", "solve", "solve and prove", "ratio", "verify", "ratio",
    )  # fmt: skip
    for (program, semantics), (model, formulas) in models.items():
        DEMAND.check_all(model, formulas)  # what formulas share is there from now on
        solve, prove, verify = [], [], []
        for _ in range(runs):  # by turns, for machines are noisy
            solve.append(sum(each.stats.seconds for each in DEMAND.check_all(model, formulas)))
            verdicts = PROVING.check_all(model, formulas)
            began = time.perf_counter()
            file = CertificateFile(model)
            sections = [file.add(certificate_of(each)) for each in verdicts]
            lemmas = time.perf_counter() - began
            prove.append(sum(whole(each) for each in verdicts) + lemmas)
            verify.append(verify_seconds(model, formulas, sections))
        spent = [median(each) for each in (solve, prove, verify)]
        row(
            program, semantics, len(formulas), ms(spent[0]), ms(spent[1]),
            f"{spent[1] / spent[0]:.2f}", ms(spent[2]), f"{spent[2] / spent[0]:.2f}",
        )  # fmt: skip


def whole(verdict: Verdict) -> float:
    """Time for the verdict and its proof."""
    return verdict.stats.seconds + (verdict.stats.certify_seconds or 0.0)


def certificate_of(verdict: Verdict) -> pigro.Certificate:
    """The certificate, which must be there."""
    assert verdict.certificate is not None
    return verdict.certificate


def verify_seconds(
    model: RSM, formulas: list[Formula], sections: list[tuple[bytes, bytes]]
) -> float:
    """Time of the native checker for a file, its lemmas included."""
    checker = NativeChecker(model)
    began = time.perf_counter()
    for formula, (lemmas, body) in zip(formulas, sections, strict=True):
        assert not lemmas or checker.lemmas(lemmas) is None
        assert checker.formula(body, formula) is None
    return time.perf_counter() - began


def sizes(models: Models) -> None:
    """How large proofs are, against the model in its normal form."""
    table(
        "Certificates: bytes without the formula, and in parts of the model's normal form",
        "program", "semantics", "normal form", "median", "90 %", "largest", "lemmas for all",
    )  # fmt: skip
    for (program, semantics), (model, formulas) in models.items():
        normal = sum(map(len, model.core.parts(len(model.label_ids))))
        file = CertificateFile(model)
        found, lemmas = [], 0
        for verdict in PROVING.check_all(model, formulas):
            certificate = certificate_of(verdict)
            lemmas += len(file.add(certificate)[0])
            found.append(len(certificate.native.body))
        found.sort()
        cells = [median(found), found[len(found) * 9 // 10], found[-1], lemmas]
        row(
            program, semantics, f"{normal:,}",
            *(f"{size:,.0f} ({size / normal:.2%})" for size in cells),
        )  # fmt: skip


def acceptance(models: Models, *, native_only: bool) -> int:
    """Are all verdicts proved, and all proofs accepted?"""
    asked = accepted = 0
    began = time.perf_counter()
    for model, formulas in models.values():
        verdicts = pigro.check_all(model, formulas, certify=True, verify=True)
        asked += len(verdicts)
        if native_only:
            accepted += sum(each.certificate is not None for each in verdicts)
            continue
        file = CertificateFile(model)
        for verdict in verdicts:
            file.add(certificate_of(verdict))
        found = check_certificates(model, file.to_bytes())
        for verdict, checked in zip(verdicts, found, strict=True):
            same = checked.holds == verdict.holds and checked.formula == str(verdict.formula)
            accepted += same and checked.problem is None
    who = "the native checker" if native_only else "both checkers"
    spent = time.perf_counter() - began
    print(f"\n{accepted:,} of {asked:,} verdicts proved and accepted by {who}, {spent:.0f} s")
    return int(accepted != asked)


if __name__ == "__main__":
    sys.exit(main())
