"""The same sources give the same bytes, whatever the hash seed, the processes and the cache."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

import pigro

from support.processes.children import PATIENCE
from support.samples.leaks import GIVEN, HELPERS, LEAK

PROGRAM = """
import asyncio, threading, time
lock = threading.Lock()

class Base:
    def __init__(self):
        self.setup()
        self.name = "x"
    def setup(self):
        return self.name

async def wait():
    helper()

def helper():
    time.sleep(1)

def held():
    with lock:
        helper()
    lock.acquire()
    if helper():
        return 1
    lock.release()

def twice(a):
    b = a + 1
    b = 2
    return b
"""


@pytest.mark.parametrize(
    "form",
    [
        *("text", "json"),
        *(
            pytest.param(form, marks=pytest.mark.long)
            for form in ("sarif", "github", "junit", "html")
        ),
    ],
)
def test_the_same_bytes(form, tmp_path):
    home = Path(os.__file__).parent
    for number in range(18):
        (tmp_path / f"m{number}.py").write_text(LEAK.replace("read_header", f"read_{number}"))
    (tmp_path / "h.py").write_text(HELPERS + GIVEN + PROGRAM)
    (tmp_path / "ssl.py").write_bytes((home / "ssl.py").read_bytes())
    (tmp_path / "wrong.py").write_text("def f(:\n")
    made = {
        scanned(tmp_path, form, seed, jobs) for seed, jobs in (("1", "1"), ("2", "2"), ("3", "1"))
    }
    assert len(made) == 1
    [(output, errors)] = made
    assert b"m17.py" in output
    assert b"P150" in errors


def scanned(folder, form, seed, jobs):
    package = str(Path(pigro.__file__).resolve().parents[1])
    done = subprocess.run(
        [sys.executable, "-m", "pigro", "scan", "--select", "ALL", "--format", form, "--jobs", jobs,
         "--stats", "--cache-dir", str(folder / "cache")],
        cwd=folder, capture_output=True, timeout=PATIENCE,
        env=os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": package},
    )  # fmt: skip
    assert done.returncode == 2, done.stderr
    return done.stdout, done.stderr
