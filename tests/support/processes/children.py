"""Child processes of tests."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from subprocess import Popen

PATIENCE = 600
"""Seconds after which a child counts as hanging, on the slowest machine."""

SANITIZED = "libasan" in os.environ.get("LD_PRELOAD", "")
"""Whether an address sanitizer keeps memory of its own beside that of Pigro."""

counts_memory = pytest.mark.skipif(SANITIZED, reason="the sanitizer uses memory of its own")
"""For a test that compares how much memory a process has."""


def wait_until_working(child: Popen) -> None:
    """Returns when the command of the child has begun: when it has loaded the native core."""
    maps = Path(f"/proc/{child.pid}/maps")
    until = time.monotonic() + PATIENCE
    while child.poll() is None and "/pigro/_core." not in maps.read_text():
        assert time.monotonic() < until, "the child does not begin"
        time.sleep(0.01)
