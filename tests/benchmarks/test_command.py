"""Programs run within limits, and the facts known of them afterwards."""

from __future__ import annotations

import os
import sys

import pytest

from benchmarks.command import _own_peak, run_command
from pigro.engines import Limits


def python(text, limits=None, folder=None):
    return run_command([sys.executable, "-c", text], limits or Limits(), folder)


def test_output_errors_code_and_folder(tmp_path):
    ran = python(
        "import os, sys; print(os.getcwd()); print('oh', file=sys.stderr); sys.exit(3)",
        folder=tmp_path,
    )
    assert (ran.code, ran.over) == (3, None)
    assert (ran.output, ran.errors) == (f"{tmp_path.resolve()}\n", "oh\n")
    assert ran.seconds > 0


def test_it_stays_in_the_process_group():
    assert python("import os; print(os.getpgrp())").output == f"{os.getpgrp()}\n"


def test_a_program_that_takes_too_long():
    ran = python("import time; print('begun', flush=True); time.sleep(600)", Limits(5))
    assert (ran.code, ran.over, ran.output) == (-9, "timeout", "begun\n")
    assert 5 <= ran.seconds < 600


def test_a_program_that_takes_too_much():
    text = "import time\na = []\nwhile True: a.append(b'x' * 1_000_000); time.sleep(0.0002)"
    ran = python(text, Limits(300, 60_000_000))
    assert ran.over == "memout"
    assert 60_000_000 < ran.peak_memory < 300_000_000


@pytest.mark.parametrize("size", [20_000_000, 400_000_000])
def test_peak_memory_is_the_programs_own(size):
    """Ours does not count, though it is more than the smaller one's."""
    ours = bytearray(b"x") * 100_000_000
    ran = python(f"import time; a = bytearray(b'x') * {size}; time.sleep(0.1); del a")
    assert len(ours) < ran.peak_memory or size < len(ours)
    assert size < ran.peak_memory < size + 60_000_000


def test_a_count_a_little_above_our_own_peak_is_ours():
    """The kernel's counts of one memory differ by some pages."""
    seen, ours = 30_000_000, 500_000_000
    assert _own_peak(ours + 400_000, seen, ours) == seen
    assert _own_peak(ours + 400_000_000, seen, ours) == ours + 400_000_000
    assert _own_peak(ours, 0, ours) == ours


def test_of_a_long_text_the_end_is_kept():
    ran = python("for i in range(300_000): print(i)")
    assert ran.output.endswith("\n299999\n")
    assert len(ran.output) == 1 << 20


def test_the_end_is_not_that_of_its_children():
    ran = python(
        "import subprocess, sys; print('done', flush=True); subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(600)'])"
    )
    assert (ran.code, ran.output) == (0, "done\n")
    assert ran.seconds < 600


def test_a_program_that_is_not_there():
    ran = run_command(["/nowhere/python"], Limits())
    assert (ran.code, ran.errors) == (127, "/nowhere/python: No such file or directory")
