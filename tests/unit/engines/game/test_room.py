"""Work on diagrams can be ended while an operation runs that never looks at the limits."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time

import pytest

from pigro.diagnostics import ModelError
from pigro.engines.game.room import apart, within_room
from pigro.limits import OutOfTime

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
FULL = ValueError("the function `Cudd_bddAndAbstract` returned NULL")


def nothing():
    """No limits."""


def endless():
    """One call that does not come back, and that no signal handler of Python can end."""
    return sum(range(10**18))


@needs_fork
def test_an_operation_that_never_looks_is_ended_by_the_limits():
    ticks = []

    def tick():
        ticks.append(1)
        if len(ticks) == 5:
            raise OutOfTime("5 ticks")

    with pytest.raises(OutOfTime, match="5 ticks"):
        apart(endless, tick)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


@needs_fork
def test_only_the_first_attempt_is_in_this_process():
    places = []

    def work(room):
        places.append(room)
        if len(places) == 1 or room < 1 << 27:
            raise FULL
        return os.getpid(), room

    pid, room = within_room(work, None, nothing)
    assert (pid != os.getpid(), room) == (True, 1 << 27)
    assert places == [1 << 25]  # the others were elsewhere


@needs_fork
def test_errors_come_back():
    def work(room):
        if room == 1 << 25:
            raise FULL
        raise ModelError("P218", "no initial state", hint="give one")

    with pytest.raises(ModelError, match="no initial state") as caught:
        within_room(work, None, nothing)
    assert (caught.value.code, caught.value.hint) == ("P218", "give one")


def test_too_little_room():
    def work(_):
        raise FULL

    with pytest.raises(MemoryError):
        within_room(work, 1 << 26, nothing)


INTERRUPTED = """
from pigro.engines.game.room import apart
print("ready", flush=True)
apart(lambda: sum(range(10**18)), lambda: None)
"""


@needs_fork
def test_an_interrupt_ends_it():
    """The process ends soon after the signal, though the operation would go on for ages."""
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=120)
    assert "KeyboardInterrupt" in said


@needs_fork
def test_a_copy_that_nobody_waits_for():
    """Who ignores SIGCHLD has no copies to wait for, and who has many files open has large numbers for new ones."""
    import resource

    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    opened = []
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, 2_000), hard))
        while not opened or opened[-1] < 1_100:
            opened.append(os.open(os.devnull, os.O_RDONLY))
        assert apart(lambda: 7, nothing) == 7
    finally:
        for each in opened:
            os.close(each)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        signal.signal(signal.SIGCHLD, before)
