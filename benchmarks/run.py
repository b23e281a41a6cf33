"""Measures start-up, loading and checking: `make bench`. Prints Markdown tables.

Check times are medians in one process where a row says so, else single runs. Rows on the Java
programs come from benchmark files that are not distributed with Pigro; they are left out where the
files are missing. `--largest 10000000` adds the largest model (about 3 GB of memory).
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import pigro
from pigro.engines import ENGINES
from pigro.formats import pds, rsm_json, smv
from pigro.formats.use_def import use_def

import models
from families import control_flow, permutations

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.engines import Verdict
    from pigro.model import RSM

JAVA = Path(__file__).resolve().parents[2] / "shared" / "benchmarks" / "java"
PROGRAMS = ("dataflow", "avroraReg", "avroraMedTest", "avroraELF", "fop2pdf", "dom2pdf")
EXITS = (1, 2, 4, 8, 16, 32, 64)
DEMAND = ENGINES["demand"]
NATIVE = {name: ENGINES[name] for name in ("demand", "exhaustive")}


def table(title: str, *columns: str) -> None:
    """The head of a table."""
    print(f"\n### {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)


def row(*cells: object) -> None:
    """A row of a table."""
    print(f"| {' | '.join(str(cell) for cell in cells)} |", flush=True)


def seconds(action: Callable[[], object], runs: int) -> float:
    """The median time of the action."""
    times = []
    for _ in range(runs):
        began = time.perf_counter()
        action()
        times.append(time.perf_counter() - began)
    return median(times)


def ms(spent: float) -> str:
    """Milliseconds to three digits."""
    return f"{spent * 1000:.3g} ms" if spent < 1 else f"{spent:.2f} s"


def share(verdict: Verdict, model: RSM) -> str:
    """How much of the model was visited."""
    visited = verdict.stats.visited or 0
    part = visited / model.core.declared_nodes
    return f"{visited:,} ({part:.0%})"


def start_up() -> None:
    """How long the program takes to do nothing."""
    table("Start-up", "command", "median of 20")
    for name, command in {
        "import pigro": ["-c", "import pigro"],
        "pigro --help": ["-m", "pigro", "--help"],
    }.items():
        full = [sys.executable, *command]
        row(
            f"`{name}`",
            ms(
                seconds(
                    lambda full=full: subprocess.run(full, check=True, stdout=subprocess.DEVNULL),
                    20,
                )
            ),
        )


def member(program: str, suffix: str) -> bytes:
    """A file of a Java program."""
    with zipfile.ZipFile(JAVA / f"{program}.zip") as archive:
        return archive.read(f"{program}{suffix}")


def java_single() -> None:
    """The single use-def formulas of the Java programs."""
    table(
        "Java programs, the published formula",
        "program",
        "load",
        "demand",
        "exhaustive",
        "contexts",
        "visited",
        "verdict",
    )
    for program in PROGRAMS:
        data = member(program, ".rsm")
        load = seconds(lambda data=data: rsm_json.read(data), 5)
        model = rsm_json.read(data)
        _, formula = pigro.read_formulas(member(program, "_single_usedef.ctl"))[0]
        runs = {
            name: [engine(model, formula) for _ in range(20)] for name, engine in NATIVE.items()
        }
        spent = {
            name: median(each.stats.seconds for each in each_run) for name, each_run in runs.items()
        }
        first, all_of_it = runs["demand"][0], runs["exhaustive"][0]
        row(
            program, ms(load), ms(spent["demand"]), ms(spent["exhaustive"]),
            f"{first.stats.contexts} of {all_of_it.stats.contexts:,}", share(first, model), first.word,
        )  # fmt: skip


def java_all() -> None:
    """All use-def formulas of the Java programs."""
    table(
        "Java programs, all use-def formulas, median of 15",
        "program",
        "formulas",
        "1 job",
        "2 jobs",
        "ratio",
        "hold",
    )
    for program in PROGRAMS:
        model = rsm_json.read(member(program, ".rsm"))
        formulas = [formula for _, formula in pigro.read_formulas(member(program, "_usedef.ctl"))]
        DEMAND.check_all(model, formulas)  # what formulas share is there from now on
        times: dict[int, list[float]] = {1: [], 2: []}
        for _ in range(15):  # by turns, for machines are noisy
            for jobs, each in times.items():
                each.append(
                    seconds(lambda jobs=jobs: DEMAND.check_all(model, formulas, jobs=jobs), 1)
                )
        spent = {jobs: median(each) for jobs, each in times.items()}
        holding = sum(verdict.holds is True for verdict in DEMAND.check_all(model, formulas))
        row(
            program,
            len(formulas),
            ms(spent[1]),
            ms(spent[2]),
            f"{spent[1] / spent[2]:.2f}",
            holding,
        )


def cold() -> None:
    """Whole runs of the command, from nothing."""
    table("Cold runs of the command", "command", "median of 5")
    with tempfile.TemporaryDirectory() as folder:
        for program, suffix in (("fop2pdf", "_single_usedef.ctl"), ("dom2pdf", "_usedef.ctl")):
            model, formulas = Path(folder, f"{program}.rsm"), Path(folder, f"{program}.ctl")
            model.write_bytes(member(program, ".rsm"))
            formulas.write_bytes(member(program, suffix))
            command = [sys.executable, "-m", "pigro", "check", str(model), "-f", str(formulas)]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            spent = seconds(
                lambda command=command: subprocess.run(command, check=False, **quiet), 5
            )  # type: ignore[call-overload]
            count = len(pigro.read_formulas(formulas.read_bytes()))
            row(
                f"`pigro check {program}.rsm` with {count:,} formula{'s' if count > 1 else ''}",
                ms(spent),
            )


def other_formats() -> None:
    """Pushdown systems and modules: loading, and checking what they ask."""
    table("Other formats, median of 5", "file", "size", "load", "formulas", "all checked in", "slowest", "cold, one formula")  # fmt: skip
    files = {"5,000 states.smv": control_flow().encode()}
    if JAVA.is_dir():
        with zipfile.ZipFile(JAVA / "all-pds.zip") as archive:
            files |= {
                name: archive.read(name) for name in ("avroraDisassemble.pds", "avroraCFG.pds")
            }
    for name, data in files.items():
        if name.endswith(".smv"):
            load = seconds(lambda data=data: smv.read(data), 5)
            document = smv.Document(data)
            model = document.model()
            formulas = [each.formula for each in document.requirements(model)]
        else:
            load = seconds(lambda data=data: pds.read(data), 5)
            model = pds.read(data)
            formulas = [each.formula for each in use_def(model)]
        spent = seconds(lambda model=model, formulas=formulas: DEMAND.check_all(model, formulas), 5)
        runs = [DEMAND.check_all(model, formulas) for _ in range(3)]
        slowest = max(
            median(each.stats.seconds for each in same) for same in zip(*runs, strict=True)
        )
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, name)
            path.write_bytes(data)
            text = "EF state = s1" if name.endswith(".smv") else str(formulas[0])
            command = [sys.executable, "-m", "pigro", "check", str(path), text]
            quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            cold = seconds(lambda command=command: subprocess.run(command, check=False, **quiet), 5)  # type: ignore[call-overload]
        row(name, f"{len(data) / 1e6:.1f} MB", ms(load), f"{len(formulas):,}", ms(spent), ms(slowest), ms(cold))  # fmt: skip


def scale(largest: int) -> None:
    """Generated programs of growing size; a row in which less than half was visited does not count."""
    table(
        "Size, median of 3", "nodes", "formula", "check", "growth", "contexts", "visited", "verdict", "peak memory so far"
    )  # fmt: skip
    before: dict[str, float] = {}
    size = 100_000
    while size <= largest:
        model = models.call_graph(size)
        for text, expected in models.FORMULAS.items():
            verdicts = [DEMAND(model, pigro.parse(text)) for _ in range(3)]
            verdict = verdicts[0]
            assert verdict.holds is expected
            assert (verdict.stats.visited or 0) * 2 >= model.core.declared_nodes, "the row counts"
            spent = median(each.stats.seconds for each in verdicts)
            growth = f"{spent / before[text]:.1f} times" if text in before else ""
            before[text] = spent
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
            row(
                f"{model.core.declared_nodes:,}", f"`{text}`", ms(spent), growth,
                f"{verdict.stats.contexts:,}", share(verdict, model), verdict.word, f"{peak:.2f} GB",
            )  # fmt: skip
        size *= 10


def exits(plot: Path | None) -> None:
    """Exits 1 to 64 by nesting 1 to 6, at 10^5 nodes."""
    columns = [f"nesting {depth}" for depth in models.NESTED]
    table(
        "Exits and nesting, 100,000 nodes: time, and instances for each component",
        "exits",
        *columns,
    )
    times: dict[int, list[float]] = {depth: [] for depth in models.NESTED}
    for count in EXITS:
        model = models.call_graph(100_000, exits=(count, count))
        cells = []
        for depth, text in models.NESTED.items():
            verdict = DEMAND(model, pigro.parse(text))
            assert verdict.holds is False
            each = (verdict.stats.contexts or 0) / model.core.components
            assert each <= 50, "instances stay few"
            times[depth].append(verdict.stats.seconds)
            cells.append(f"{ms(verdict.stats.seconds)}, {each:.1f}")
        row(count, *cells)
    if plot is not None:
        draw(plot, times)


def draw(path: Path, times: dict[int, list[float]]) -> None:
    """The table above as a picture."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "pigro"
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(6.4, 4))
    for depth, spent in times.items():
        axes.plot(EXITS, [each * 1000 for each in spent], marker="o", label=f"nesting {depth}")
    axes.set_xscale("log", base=2)
    axes.set_xticks(EXITS, [str(each) for each in EXITS])
    axes.set_xlabel("exits of each component")
    axes.set_ylabel("check time in ms")
    axes.set_ylim(bottom=0)
    axes.legend()
    axes.grid(alpha=0.3)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def blow_up() -> None:
    """Where contexts really are many: boxes that permute exits."""
    text = "AG (EF EG p | EF EG !p)"
    table(f"Permuted exits, `{text}`", "exits", "check", "contexts", "verdict")
    for count in (4, 8, 12, 16, 20, 40):
        verdict = pigro.check(permutations(count), text, timeout=5, memory=8_000_000_000)
        contexts = "" if verdict.stats.contexts is None else f"{verdict.stats.contexts:,}"
        row(count, ms(verdict.stats.seconds), contexts, verdict.word)


def main() -> None:
    """All tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--largest", type=int, default=1_000_000, help="nodes of the largest model")
    parser.add_argument("--plot", type=Path, help="draw exits and nesting into this SVG file")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"Pigro {pigro.__version__}, Python {sys.version.split()[0]}")
    start_up()
    if JAVA.is_dir():
        java_single()
        java_all()
        cold()
    else:
        print("\nJava programs: left out, the benchmark files are not here.")
    other_formats()
    scale(options.largest)
    exits(options.plot)
    blow_up()


if __name__ == "__main__":
    main()
