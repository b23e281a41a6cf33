"""Runs NuSMV, or a tool that answers as it does, on an `.smv` file without calls."""

from __future__ import annotations

import re
import subprocess
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.case import Measurement
from benchmarks.checking import packed

if TYPE_CHECKING:
    from pigro.limits import Limits

_ANSWER = re.compile(r"^-- (?:specification|invariant) .* is (true|false)\s*$", re.MULTILINE)
_VERSION = re.compile(r"(?:NuSMV|nuXmv)\s+(\d[\w.]*)")
_PATIENCE = 60.0


def check_file(program: str, text: str, formulas: int, limits: Limits) -> Measurement:
    """All formulas of a file at once. The time is that of the whole process."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.smv"
        path.write_text(text)
        began = time.perf_counter()
        try:
            ran = subprocess.run(  # noqa: S603 - the program that the user names
                [program, str(path)],
                capture_output=True,
                text=True,
                errors="replace",
                timeout=limits.seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Measurement(word="timeout", problem=f"no answer in {limits.seconds} s")
        except OSError as error:
            return Measurement(word="error", problem=str(error))
        seconds = time.perf_counter() - began
    truths = [answer == "true" for answer in _ANSWER.findall(ran.stdout)]
    if ran.returncode != 0 or len(truths) != formulas:
        lines = (ran.stderr or ran.stdout).strip().splitlines()
        said = lines[-1] if lines else f"it ended with code {ran.returncode}"
        return Measurement(word="error", problem=f"{len(truths)} of {formulas} answers: {said}")
    details = {
        "formulas": formulas,
        "hold": sum(truths),
        "verdicts": packed(truths),
        "nodes": 0,
        "slowest": seconds,
    }
    return Measurement(word="done", seconds=seconds, load_seconds=0.0, details=details)


def version_of(program: str) -> str | None:
    """The version that the program tells. None if it can't be run."""
    try:
        ran = subprocess.run(  # noqa: S603 - as above
            [program, "-help"], capture_output=True, text=True, timeout=_PATIENCE, check=False,
        )  # fmt: skip
    except (OSError, subprocess.SubprocessError):
        return None
    found = _VERSION.search(ran.stdout + ran.stderr)
    return found[1] if found else "?"
