"""A RSMCheck of our own, which says what a test wants. The real one is never here."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from benchmarks.drivers.peers import find_peers
from benchmarks.suite import StudyScope
from pigro.engines import Limits

if TYPE_CHECKING:
    from pathlib import Path

SCRIPT = """
import json, sys, time
model, formula, *options = sys.argv[1:]
assert options[0] == "-log" and options[2] == "-overwrite", options
json.load(open(model)), open(formula).read()
print("Checking RSM", model, "against properties", formula)
log = open(options[1], "w")
print("2026-11-16 13:26:24,104 using lazy approach", *options[3:], file=log, flush=True)
{behaviour}
print("2026-11-16 13:26:25,177 Built a total of 3 contexts (plus 0 context relabels)", file=log)
print("2026-11-16 13:26:25,178     Parsing took 0.25 seconds", file=log)
print("2026-11-16 13:26:25,179     Checking took 0.5 seconds", file=log)
print(answer + ": E(true U p) does hold in n0 (component c0)")
"""
TRUE, FALSE = 'answer = "True"', 'answer = "False"'
EAGER_IS_WRONG = 'answer = str("-exhaustive" not in options)'
BREAKS_DOWN = 'raise ValueError("Something went wrong")'
HANGS = "time.sleep(60)"
EATS_MEMORY = "a = []\nwhile True: a.append(bytearray(b'x') * 1_000_000); time.sleep(0.0005)"


def fake_rsmcheck(folder: Path, monkeypatch, behaviour: str) -> Path:
    """A checkout, and a package of the name that RSMCheck needs, which is empty."""
    (folder / "src").mkdir()
    (folder / "src" / "rsmcheck.py").write_text(SCRIPT.format(behaviour=behaviour))
    (folder / "packages").mkdir()
    (folder / "packages" / "pyModelChecking.py").write_text("")
    monkeypatch.setenv("PYTHONPATH", str(folder / "packages"), prepend=":")
    return folder


def scope_with(folder: Path, limits: Limits | None = None, files: Path | None = None) -> StudyScope:
    """A scope in which that RSMCheck takes part."""
    peers = find_peers([f"rsmcheck={folder}@{sys.executable}"])
    return StudyScope(
        quick=True, files=files, peers=peers, limits=limits or Limits(20, 2_000_000_000)
    )
