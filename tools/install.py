"""Installs Pigro with pip and shows how far the build of the native core is.

Compiling takes most of the time. pip shows either none of it or hundreds of lines, so this script
asks for the lines, keeps them, and prints one short line for each step of the compiler. If
nothing happens for some seconds, it prints the time, so that a slow machine shows a sign of
life too. If pip fails, all of its lines are printed.

    python tools/install.py [COMMAND...]    the command is for tests. Pip is run without one
"""

from __future__ import annotations

import re
import selectors
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PIP = (sys.executable, "-m", "pip", "install", "-v", "--disable-pip-version-check", str(ROOT))
STEP = re.compile(rb"^\s*\[(\d+)/(\d+)\] ", re.MULTILINE)
PATIENCE = 5.0  # seconds


def run(command: tuple[str, ...]) -> int:
    """Runs the command to its end. Its exit code."""
    print("Building Pigro. The native core takes about half a minute to compile.", flush=True)
    began = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        log = _follow(process, began)
        code = process.wait()
    if code == 0:
        print(f"  installed after {time.monotonic() - began:.0f} s", flush=True)
    else:
        sys.stdout.buffer.write(log)
        print(f"The build failed: {' '.join(command)}", file=sys.stderr, flush=True)
    return code


def _follow(process: subprocess.Popen[bytes], began: float) -> bytes:
    """Prints the steps until the process closes its output. All of the output."""
    assert process.stdout is not None
    log = b""
    told = 0  # how much of the log was looked at
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while True:
            if not selector.select(PATIENCE):
                print(f"  still building, {time.monotonic() - began:.0f} s", flush=True)
                continue
            more = process.stdout.read1()  # type: ignore[attr-defined]
            if not more:
                return log
            log += more
            end = log.rfind(b"\n") + 1
            for step, steps in STEP.findall(log[told:end]):
                print(f"  step {int(step)} of {int(steps)}", flush=True)
            told = max(told, end)


if __name__ == "__main__":
    sys.exit(run(tuple(sys.argv[1:]) or PIP))
