"""Work in a copy of the process can be ended while an operation runs that never looks at the limits."""

from __future__ import annotations

import faulthandler
import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from functools import cache

import pytest

from pigro.diagnostics import InternalError
from pigro.limits import Budget, KilledBySystem, OutOfTime
from pigro.limits.processes import run_in_fork

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
NAME = "the process that works on decision diagrams"


def nothing():
    """No limits."""


def apart(work, tick):
    """Runs work in a copy."""
    return run_in_fork(work, tick, NAME)


def endless():
    """One call that does not come back, and that no signal handler of Python can end."""
    return sum(range(10**18))


@needs_fork
def test_an_operation_that_never_looks_is_ended_by_the_limits(monkeypatch):
    ticks, copies, fork = [], [], os.fork
    monkeypatch.setattr(os, "fork", lambda: copies.append(fork()) or copies[-1])

    def tick():
        ticks.append(1)
        if len(ticks) == 5:
            raise OutOfTime("5 ticks")

    with pytest.raises(OutOfTime, match="5 ticks"):
        apart(endless, tick)
    [copy] = copies
    with pytest.raises(ChildProcessError):
        os.waitpid(copy, os.WNOHANG)


INTERRUPTED = """
from pigro.limits.processes import run_in_fork
print("ready", flush=True)
run_in_fork(lambda: sum(range(10**18)), lambda: None, "it")
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


@pytest.fixture
def ignored_ends():
    """SIGCHLD is ignored, so the system keeps no exit codes of copies."""
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGCHLD, before)


@needs_fork
@pytest.mark.usefixtures("ignored_ends")
def test_the_exit_code_is_not_needed_and_descriptors_may_be_large():
    import resource

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


def ended_by(number):
    """Work that a signal ends."""

    def work():
        faulthandler.disable()
        os.kill(os.getpid(), number)

    return work


@needs_fork
def test_a_copy_that_the_system_kills_has_too_little_memory():
    with pytest.raises(MemoryError, match="killed, as the system does when memory is short") as end:
        apart(ended_by(signal.SIGKILL), nothing)
    why = "no verdict: the process that works on decision diagrams was killed"
    assert Budget().why_none(end.value).startswith(why)


@pytest.fixture
def copies(monkeypatch):
    """The numbers of all copies that were made."""
    made, fork = [], os.fork

    def counted():
        made.append(fork())
        return made[-1]

    monkeypatch.setattr(os, "fork", counted)
    return made


def killed_while_it_writes(copies):
    """Half an answer is none."""
    ticks = []

    def tick():
        ticks.append(1)
        if len(ticks) == 20:
            os.kill(copies[0], signal.SIGKILL)

    with pytest.raises(KilledBySystem):
        apart(lambda: bytes(1 << 24), tick)  # a pipe holds far less
    assert len(ticks) >= 20


@needs_fork
def test_a_copy_is_killed_while_it_writes(copies):
    killed_while_it_writes(copies)


@needs_fork
@pytest.mark.usefixtures("ignored_ends")
def test_a_copy_is_killed_and_its_exit_code_is_unknown(copies):
    killed_while_it_writes(copies)
    with pytest.raises(KilledBySystem, match="ended early, as it does when memory is short"):
        apart(ended_by(signal.SIGKILL), nothing)


@needs_fork
def test_a_copy_that_crashes_is_a_fault():
    with pytest.raises(InternalError, match="ended by signal 11"):
        apart(ended_by(signal.SIGSEGV), nothing)


@needs_fork
def test_an_answer_that_cannot_be_sent_is_an_error():
    said = "pickle|get local object"  # CPython 3.13 does not name pickle
    with pytest.raises((AttributeError, TypeError, pickle.PicklingError), match=said):
        apart(lambda: lambda: 1, nothing)


@cache
def told_without_other_threads():
    """What a process of its own says about the tests with an interrupt, one line for each."""
    command = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider"]
    plain = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}
    return subprocess.run(
        [*command, "-rA", __file__, "-k", "test_an_interrupt"],
        capture_output=True,
        text=True,
        timeout=300,
        env=plain,
    ).stdout


def passes_without_other_threads(request):
    """Runs the test in a process of its own, if this one has other threads: they get signals too."""
    if len(os.listdir("/proc/self/task")) == 1:
        return False
    told = told_without_other_threads()
    assert f"PASSED {request.node.nodeid}" in told.splitlines(), told
    return True


@contextmanager
def interrupted_without_a_trace():
    """The work is interrupted. No copy is left, nothing is open, and signals are as before."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    opened = len(os.listdir("/dev/fd"))
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        signal.signal(signal.SIGINT, before)
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)
    assert len(os.listdir("/dev/fd")) == opened
    assert signal.pthread_sigmask(signal.SIG_BLOCK, ()) == mask


@needs_fork
def test_an_interrupt_right_after_the_copy_was_made(request, monkeypatch):
    """Its number is not known yet, and it must end all the same."""
    if passes_without_other_threads(request):
        return
    fork = os.fork

    def interrupted():
        copy = fork()
        if copy:
            os.kill(os.getpid(), signal.SIGINT)
        return copy

    monkeypatch.setattr(os, "fork", interrupted)
    with interrupted_without_a_trace():
        apart(endless, nothing)


@needs_fork
@pytest.mark.parametrize("step", ["kill", "waitpid", "close"])
@pytest.mark.parametrize("work", [endless, os.getpid])
def test_an_interrupt_while_the_copy_is_ended(request, monkeypatch, step, work):
    """The copy ends, the process waits for it, and the pipe is closed. Then the interrupt counts."""
    if passes_without_other_threads(request):
        return
    usual, kill, me, ticks, sent = getattr(os, step), os.kill, os.getpid(), [], []

    def interrupted(*given):
        if ticks and not sent and os.getpid() == me:
            sent.append(step)
            kill(me, signal.SIGINT)
        return usual(*given)

    def tick():
        ticks.append(1)
        if work is endless or step == "kill":
            raise OutOfTime("one tick")

    with interrupted_without_a_trace(), monkeypatch.context() as patched:
        patched.setattr(os, step, interrupted)
        apart(work, tick)


@needs_fork
def test_no_copy_can_be_made(monkeypatch):
    def refused():
        raise BlockingIOError("no more processes")

    opened = os.listdir("/dev/fd")
    monkeypatch.setattr(os, "fork", refused)
    assert apart(os.getpid, nothing) == os.getpid()
    assert len(os.listdir("/dev/fd")) == len(opened)


@needs_fork
def test_signals_reach_the_copy_as_usual():
    """All are blocked while the copy is made."""
    assert apart(lambda: signal.pthread_sigmask(signal.SIG_BLOCK, ()), nothing) == set()
