"""What the scripts here share: tables in Markdown, and the files of the Java programs."""

from __future__ import annotations

import zipfile
from pathlib import Path

JAVA = Path(__file__).resolve().parents[2] / "shared" / "benchmarks" / "java"
PROGRAMS = ("dataflow", "avroraReg", "avroraMedTest", "avroraELF", "fop2pdf", "dom2pdf")


def table(title: str, *columns: str) -> None:
    """The head of a table."""
    print(f"\n### {title}\n\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)


def row(*cells: object) -> None:
    """A row of a table."""
    print(f"| {' | '.join(str(cell) for cell in cells)} |", flush=True)


def ms(spent: float) -> str:
    """Milliseconds to three digits."""
    return f"{spent * 1000:.3g} ms" if spent < 1 else f"{spent:.2f} s"


def member(program: str, suffix: str) -> bytes:
    """A file of a Java program."""
    with zipfile.ZipFile(JAVA / f"{program}.zip") as archive:
        return archive.read(f"{program}{suffix}")
