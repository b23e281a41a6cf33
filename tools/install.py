"""Builds a wheel of Pigro with pip, shows how far the build is, and installs the wheel.

The wheel stays in build/wheel, for `make wheel` and for the test that installs it elsewhere.
Compiling takes most of the time. pip shows either none of it or hundreds of lines, so this script
asks for the lines, keeps them, and prints one short line for each step of the compiler. If
nothing happens for some seconds, it prints the time, so that a slow machine shows a sign of
life too. If pip fails, all of its lines are printed.

    python tools/install.py [COMMAND...]    the command, for tests, takes the place of the build
"""

from __future__ import annotations

import re
import selectors
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WHEELS = ROOT / "build" / "wheel"
PIP = (sys.executable, "-m", "pip", "--disable-pip-version-check")
BUILD = (*PIP, "wheel", "-v", "--no-deps", "--wheel-dir", str(WHEELS), str(ROOT))
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
        print(f"  built after {time.monotonic() - began:.0f} s", flush=True)
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


def main() -> int:
    """Builds the wheel and installs it in place of an older one."""
    shutil.rmtree(WHEELS, ignore_errors=True)
    code = run(BUILD)
    if code != 0:
        return code
    wheels = [str(each) for each in WHEELS.glob("*.whl")]
    for command in (("uninstall", "-qq", "--yes", "pigro"), ("install", "-qq", *wheels)):
        code = code or subprocess.call((*PIP, *command))
    return code


if __name__ == "__main__":
    sys.exit(run(tuple(sys.argv[1:])) if len(sys.argv) > 1 else main())
