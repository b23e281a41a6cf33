"""Benchmark files of other tools, which lie beside the repository and are never part of it."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).resolve().parents[4] / "shared" / "benchmarks"


def benchmark(path: str) -> Path:
    """A benchmark file. The test is skipped where there is none."""
    found = BENCHMARKS / path
    if not found.exists():
        pytest.skip(f"needs the benchmark file {path}, which is not distributed with Pigro")
    return found


def java(program: str, suffix: str) -> bytes:
    """A member of the archive of a Java program, such as `_usedef.ctl`."""
    with zipfile.ZipFile(benchmark(f"java/{program}.zip")) as archive:
        return archive.read(f"{program}{suffix}")
