"""Pushdown systems whose models are far larger than their files: the limits hold while they are read.

Each is read in a process of its own, which may crash and whose peak is its own.
"""

from __future__ import annotations

import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from support.processes.children import PATIENCE, SANITIZED, counts_memory

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

CHECK = """
import pathlib, re, runpy, sys
sys.argv[:1] = ["pigro", "check"]
try:
    runpy.run_module("pigro", run_name="__main__")
finally:  # not ru_maxrss, which a child inherits
    print(re.search(r"VmHWM:\\s+(\\d+)", pathlib.Path("/proc/self/status").read_text())[1])
"""
LIMIT = 100
"""MB. The interpreter takes 25 of them."""
SLACK = 20


def labels(nodes: int, count: int) -> Iterator[str]:
    """All nodes carry all labels of their control state."""
    yield "(p <n0>)\n"
    yield from (f"p <n{i}> --> p <n{i + 1}>\n" for i in range(nodes))
    yield f"ATOMS p {', '.join(f'l{i}' for i in range(count))}\n"


def mixed_labels(nodes: int, count: int) -> Iterator[str]:
    """The same with a head that pops and does not, so that the system can't be split."""
    yield from labels(nodes, count)
    yield "p <n1> --> p <>\n"


def names(nodes: int, size: int) -> Iterator[str]:
    """Many nodes are named after one control state with a long name."""
    yield f"(p <n0>)\np <x> --> {'q' * size} <>\n"
    yield from (f"p <n{i}> --> p <x n{i + 1}>\n" for i in range(nodes))


def run(file: Path, system: Iterator[str], *options: str) -> tuple[int, str, float]:
    """The exit code, the error, and the peak of memory in MB."""
    file.write_text("".join(system))
    command = [sys.executable, "-c", CHECK, str(file), "EF l1", *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    return done.returncode, done.stderr, int(done.stdout.split()[-1]) / 1000 if done.stdout else 0


@counts_memory
@pytest.mark.parametrize(
    "system",
    [
        pytest.param(labels(50_000, 1_500), id="300 MB of labels"),
        pytest.param(labels(45_000, 300), id="54 MB of labels, twice"),
        pytest.param(mixed_labels(10_000, 3_000), id="240 MB of labels in Python"),
        pytest.param(names(3_000, 100_000), id="300 MB of names"),
    ],
)
def test_the_memory_limit_holds(system: Iterator[str], tmp_path: Path):
    code, error, peak = run(tmp_path / "large.pds", system, "--memory", f"{LIMIT}M")
    assert code == 3, error
    assert f"the memory limit of {LIMIT} MB was reached while the input was read" in error
    print(f"{peak:.0f} MB")
    assert 0 < peak < LIMIT + SLACK


def test_more_labels_of_nodes_than_have_numbers(tmp_path: Path):
    """They are counted before any memory is taken."""
    code, error, peak = run(tmp_path / "large.pds", labels(36_000, 60_000))
    assert code == 2, error
    assert "error[P213]: 2,160,120,000 nodes, edges or labels of nodes are more than" in error
    assert SANITIZED or peak < LIMIT
