"""The algorithms of the literature on its own examples: `make study`. Prints Markdown tables.

Contexts of [Dubslaff2024], Table 1, with the first use-def formula of each Java program, in the published
reading and in ours; and the exponential gap of its section 6.4.1 between EagerCheck and LazyCheck.
Java programs are left out where the files are missing. Times are those of the check alone.
"""

from __future__ import annotations

import argparse
import sys
import warnings
from pathlib import Path

from run import JAVA, PROGRAMS, member, ms, row, table

import pigro
from pigro.engines import ENGINES
from pigro.formats import rsm_json

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))
from families import permutations

PUBLISHED = {  # eager, ternary, lazy
    "dataflow": (6, 1, 1),
    "avroraReg": (477, 27, 2),
    "avroraMedTest": (264, 28, 4),
    "avroraELF": (614, 1, 1),
    "fop2pdf": (2029, 60, 6),
    "dom2pdf": (2002, 240, 1),
}
ALGORITHMS = ("eager", "ternary", "lazy")
PHI = "AG (EF EG p | EF EG !p)"
SIZES = (2, 4, 6, 8, 10, 12)


def contexts(semantics: str) -> None:
    """Contexts and times on the Java programs."""
    published = semantics == "rsmcheck"
    columns = [
        column
        for engine in ALGORITHMS
        for column in ([f"{engine}, published"] if published else []) + [engine, "time"]
    ]
    what = "the published reading" if published else "Pigro's semantics"
    table(f"Contexts, {what}", "program", "verdict", *columns)
    for program in PROGRAMS:
        data = member(program, ".rsm")
        _, formula = pigro.read_formulas(member(program, "_single_usedef.ctl"))[0]
        cells: list[object] = []
        words = set()
        for engine, counted in zip(ALGORITHMS, PUBLISHED[program], strict=True):
            model = rsm_json.read(data, semantics=semantics)  # anew: models keep what was computed
            verdict = ENGINES[engine](model, formula)
            words.add(verdict.word)
            cells += [f"{counted:,}"] if published else []
            cells += [f"{verdict.stats.contexts:,}", ms(verdict.stats.seconds)]
        (word,) = words
        row(program, word, *cells)


def gap(plot: Path | None) -> None:
    """Phi, or a label that holds initially: all contexts against one."""
    text = f"{PHI} | !p"
    table(
        f"Exponential gap, `{text}` on permuted exits",
        "exits", "eager contexts", "time", "lazy contexts", "time",
    )  # fmt: skip
    found: dict[str, list[tuple[int, float]]] = {"eager": [], "lazy": []}
    for exits in SIZES:
        cells: list[object] = []
        for engine, points in found.items():
            verdict = ENGINES[engine](permutations(exits), pigro.parse(text))
            assert verdict.holds is True
            points.append((verdict.stats.contexts or 0, verdict.stats.seconds))
            cells += [f"{verdict.stats.contexts:,}", ms(verdict.stats.seconds)]
        row(exits, *cells)
    if plot is not None:
        draw(plot, found)


def draw(path: Path, found: dict[str, list[tuple[int, float]]]) -> None:
    """The table above as a picture."""
    import matplotlib as mpl

    mpl.use("svg")
    mpl.rcParams["svg.hashsalt"] = "pigro"
    from matplotlib import pyplot

    figure, both = pyplot.subplots(1, 2, figsize=(8, 3.6))
    for place, (axes, what) in enumerate(zip(both, ("contexts", "check time in s"), strict=True)):
        for engine, points in found.items():
            axes.plot(SIZES, [point[place] for point in points], marker="o", label=engine)
        axes.set_yscale("log")
        axes.set_xlabel("exits")
        axes.set_ylabel(what)
        axes.grid(alpha=0.3)
        axes.legend()
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def main() -> None:
    """All tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plot", type=Path, help="draw the gap into this SVG file")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"Pigro {pigro.__version__}, Python {sys.version.split()[0]}")
    if JAVA.is_dir():
        contexts("rsmcheck")
        contexts("standard")
    else:
        print("\nJava programs: left out, the benchmark files are not here.")
    gap(options.plot)


if __name__ == "__main__":
    main()
