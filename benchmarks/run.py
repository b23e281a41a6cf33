"""Measures start-up, loading and checking: `make bench`. Prints a Markdown table.

Times are medians of several runs in one process. The Java programs come from benchmark files that
are not distributed with Pigro; their rows are left out where the files are missing.
"""

from __future__ import annotations

import subprocess
import sys
import time
import zipfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import models

import pigro
from pigro.engines import ENGINES
from pigro.formats import rsm_json

if TYPE_CHECKING:
    from collections.abc import Callable

JAVA = Path(__file__).resolve().parents[2] / "shared" / "benchmarks" / "java"
PROGRAMS = ("dataflow", "avroraReg", "avroraMedTest", "avroraELF", "fop2pdf", "dom2pdf")
SIZES = (10_000, 100_000, 1_000_000)


def seconds(action: Callable[[], object], runs: int) -> float:
    """The median time of the action."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return median(times)


def start_up() -> None:
    """How long the program takes to do nothing."""
    print("\n| start-up | median of 20 |\n|---|---|")
    for name, command in {"import pigro": ["-c", "import pigro"], "pigro --help": ["-m", "pigro", "--help"]}.items():
        full = [sys.executable, *command]
        spent = seconds(lambda full=full: subprocess.run(full, check=True, stdout=subprocess.DEVNULL), 20)
        print(f"| {name} | {spent * 1000:.0f} ms |")


def java(engine: str) -> None:
    """The single use-def formulas of the Java programs."""
    if not JAVA.is_dir():
        print("\nJava programs: left out, the benchmark files are not here.")
        return
    print(f"\n| program | load | check ({engine}) | contexts | visited | verdict |\n|---|---|---|---|---|---|")
    for program in PROGRAMS:
        with zipfile.ZipFile(JAVA / f"{program}.zip") as archive:
            data = archive.read(f"{program}.rsm")
            text = archive.read(f"{program}_single_usedef.ctl")
        load = seconds(lambda data=data: rsm_json.read(data), 5)
        model = rsm_json.read(data)
        _, formula = pigro.read_formulas(text)[0]
        runs = [ENGINES[engine](model, formula) for _ in range(20)]
        spent = median(run.stats.seconds for run in runs)
        stats = runs[0].stats
        print(
            f"| {program} | {load * 1000:.0f} ms | {spent * 1000:.3f} ms "
            f"| {stats.contexts:,} | {stats.visited:,} | {runs[0].word} |"
        )


def scale(engine: str) -> None:
    """Generated programs of growing size."""
    print(f"\n| nodes | formula | check ({engine}) | contexts | visited | verdict |\n|---|---|---|---|---|---|")
    for size in SIZES:
        model = models.call_graph(size)
        for text, expected in models.FORMULAS.items():
            verdict = ENGINES[engine](model, pigro.parse(text))
            assert verdict.holds is expected
            print(
                f"| {model.core.declared_nodes:,} | `{text}` | {verdict.stats.seconds * 1000:.1f} ms "
                f"| {verdict.stats.contexts:,} | {verdict.stats.visited:,} | {verdict.word} |"
            )


if __name__ == "__main__":
    print(f"Pigro {pigro.__version__}, Python {sys.version.split()[0]}")
    start_up()
    for name in ENGINES:
        java(name)
        scale(name)
