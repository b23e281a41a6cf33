"""Ctrl-C and SIGTERM: at any moment, with what is decided and without a traceback."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pigro
from benchmarks.generators.models import permutations

ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(pigro.__file__).parent.parent)}
CODES = {signal.SIGINT: 130, signal.SIGTERM: 143}
AT_IMPORT = """
import signal, sys, weakref
from pigro.__main__ import main
from pigro.cli.stopping import listen
which, at, moment = int(sys.argv[1]), sys.argv[2], sys.argv[3]
signal.signal(signal.SIGINT, signal.default_int_handler)
listen()

class Thing:
    def __set_name__(self, owner, name):
        signal.raise_signal(which)

def send():
    if moment == "callback":  # an exception in it is lost
        weakref.ref(Thing(), lambda _: signal.raise_signal(which))
    elif moment == "class":  # Python 3.11 wraps an exception in it
        type("Class", (), {"thing": Thing()})
    else:
        signal.raise_signal(which)

class Finder:
    count = 0
    def find_spec(self, name, path=None, target=None):
        Finder.count += 1
        if Finder.count == int(at):
            send()

sys.meta_path.insert(0, Finder())
sys.argv = ["pigro", *sys.argv[4:]]
main()
"""
"""Runs the command, and sends itself a signal at the import with this number."""
HARD = "AG (E [F G p] | E [F G !p])"


@pytest.mark.parametrize("which", CODES)
@pytest.mark.parametrize(
    ("at", "moment"),
    [
        *((number, "plain") for number in (1, 2, 7, 30, 60, 90)),
        *((number, moment) for number in (7, 80) for moment in ("callback", "class")),
    ],
)
def test_while_modules_are_imported(run, which, at, moment):
    pigro.save(permutations(40), "hard.rsm")
    arguments = [str(int(which)), str(at), moment, "check", "hard.rsm", HARD]
    command = [sys.executable, "-c", AT_IMPORT, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)
    assert (done.returncode, done.stdout) == (CODES[which], ""), done.stderr
    assert "Traceback" not in done.stderr


WHILE_BLOCKED = """
import signal, sys, threading, types
from pigro.cli.stopping import Terminated, listen
listen()
signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM})
sys.unraisablehook(types.SimpleNamespace(exc_value=Terminated()))
for thread in threading.enumerate():
    if thread is not threading.main_thread():
        thread.join()
print("blocked")
try:
    signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGTERM})
except Terminated:
    print("ended")
"""
"""A signal that got lost is sent again while the native core is loaded, for example."""


def test_a_signal_that_is_sent_again_waits_until_it_may_come():
    command = [sys.executable, "-c", WHILE_BLOCKED]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)
    assert (done.stdout, done.stderr) == ("blocked\nended\n", "")


@pytest.mark.parametrize("which", CODES)
@pytest.mark.parametrize(
    "options",
    [
        (),
        ("--witness",),
        ("--jobs", "2"),
        pytest.param(("--witness", "--timeout", "1h"), marks=pytest.mark.long),
    ],
)
def test_finished_verdicts_are_kept(run, tmp_path, which, options):
    """The second formula takes forever. When the first is decided, the signal comes."""
    pigro.save(permutations(40), "hard.rsm")
    command = [sys.executable, "-m", "pigro", "check", "hard.rsm", "EF p", HARD, *options]
    with subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as child:
        first = "" if "1h" in options else child.stdout.readline()
        if not first:
            wait_until_it_works(child.pid)
        child.send_signal(which)
        rest, told = child.communicate(timeout=120)
    assert child.returncode == CODES[which]
    assert (first + rest).startswith("holds    EF p\n")
    assert told.splitlines()[-1] == "warning: interrupted: 1 of 2 formulas were checked"
    assert os.listdir(tmp_path) == ["hard.rsm"]


def wait_until_it_works(pid):
    """Until the process has used two seconds of processor time."""
    ticks = os.sysconf("SC_CLK_TCK")
    while int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11]) < 2 * ticks:
        signal.sigtimedwait([], 0.05)


def test_ignored_sigterm_stays_ignored():
    program = (
        "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN);"
        "from pigro.cli.stopping import listen; listen();"
        "print(signal.getsignal(signal.SIGTERM) is signal.SIG_IGN)"
    )
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, timeout=120)
    assert done.stdout == "True\n"


def test_terminated_while_loading(run, app, monkeypatch):
    from pigro.cli.stopping import Terminated

    def load(*_, **__):
        raise Terminated

    monkeypatch.setattr("pigro.formats.source.read_subject", load)
    result = run("check", app, "EF use")
    assert (result.exit_code, result.stdout, result.stderr) == (143, "", "interrupted\n")
