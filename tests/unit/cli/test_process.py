"""The command as a process: streams, signals, terminals, what is imported."""

from __future__ import annotations

import os
import pty
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pigro

from support.processes.children import PATIENCE

PIGRO = [sys.executable, "-m", "pigro"]
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(Path(pigro.__file__).parent.parent)}
ENVIRONMENT.pop("NO_COLOR", None)


def process(*args, **options):
    return subprocess.run(
        [*PIGRO, *args],
        capture_output=True,
        check=False,
        env=ENVIRONMENT,
        timeout=PATIENCE,
        **options,
    )


def on_terminal(*args, **environment):
    """Runs with standard output on a terminal of 80 columns. Returns what it shows."""
    ours, theirs = pty.openpty()
    settings = {**ENVIRONMENT, "TERM": "xterm", "COLUMNS": "80", **environment}
    with subprocess.Popen([*PIGRO, *args], stdout=theirs, stderr=theirs, env=settings) as child:
        os.close(theirs)
        shown = b""
        try:
            while part := os.read(ours, 1 << 16):
                shown += part
        except OSError:  # Linux says so at the end
            pass
        child.wait(60)
    os.close(ours)
    erased = r"[^\n]*\r\x1b\[2K"  # progress, which a busy machine shows on any check
    return re.sub(erased, "", shown.decode().replace("\r\n", "\n"))


def test_results_and_warnings_are_separate(app):
    found = process("check", app, "EF use", "EF zebra")
    assert found.returncode == 1
    assert found.stdout.startswith(b"holds    EF use\n")
    assert found.stderr.startswith(b"warning: 1 label")
    assert len(found.stderr.splitlines()) == 1


def test_input_error(app):
    found = process("check", app, "EF (")
    assert (found.returncode, found.stdout) == (2, b"")
    assert found.stderr.startswith(b"error[P301]")


def test_reader_that_goes_away(app):
    Path("many.ctl").write_text("EF use\n" * 5000)
    with subprocess.Popen(
        [*PIGRO, "check", app, "-f", "many.ctl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    ) as child:
        assert child.stdout.readline().startswith(b"holds")
        child.stdout.close()
        assert child.stderr.read() == b""
        assert child.wait(60) == 141


@pytest.mark.parametrize(
    ("closed", "code"), [("2>&-", 1), ("<&-", 1), (">&-", 2), ("<&- >&- 2>&-", 2)]
)
def test_closed_streams(app, closed, code):
    command = f'"$0" -m pigro check app.rsm "EF use" "EF zebra" {closed}'
    found = subprocess.run(["sh", "-c", command, sys.executable], check=False, env=ENVIRONMENT)
    assert found.returncode == code


@pytest.mark.parametrize(
    "arguments",
    [
        *('check app.rsm "EF use"', 'check app.rsm "EF use" --format json', "show app.rsm"),
        *("--version", "--help", "check --help", "formats", 'explain app.rsm "EF use"'),
        *("convert app.rsm - --to json", "generate rsm"),
    ],
)
def test_closed_standard_output_is_told(app, arguments):
    command = f'"$0" -m pigro {arguments} >&-'
    found = subprocess.run(
        ["sh", "-c", command, sys.executable],
        check=False,
        env=ENVIRONMENT,
        stderr=subprocess.PIPE,
    )
    assert found.returncode == 2
    told = found.stderr.decode().splitlines()
    assert told[0] == "error[P003]: can't write to standard output: it is closed"
    assert told[1:] == ["  hint: to see no results, send them to /dev/null"]


def test_closed_standard_output_that_is_not_needed(app):
    command = '"$0" -m pigro check app.rsm "EF use" --output out.txt >&-'
    found = subprocess.run(["sh", "-c", command, sys.executable], check=False, env=ENVIRONMENT)
    assert found.returncode == 0
    assert Path("out.txt").read_text().startswith("holds    EF use\n")


def test_full_disk(app):
    with Path("/dev/full").open("wb") as full:
        found = subprocess.run(
            [*PIGRO, "check", app, "EF use"],
            stdout=full,
            stderr=subprocess.PIPE,
            check=False,
            env=ENVIRONMENT,
        )
    assert found.returncode == 2
    assert found.stderr.startswith(b"error[P003]: can't write to standard output: No space")


def test_output_that_knows_few_characters(app):
    environment = {**ENVIRONMENT, "PYTHONIOENCODING": "latin-1"}
    found = subprocess.run(
        [*PIGRO, "check", app, "EF (λ & é)"], capture_output=True, check=False, env=environment
    )
    assert found.returncode == 1
    assert found.stdout.startswith(b"fails    EF (\\u03bb & \xe9)\n")


def test_a_real_interrupt(app):
    """The child can't end before we read all of its output."""
    Path("many.ctl").write_text("EF use\n" * 20_000)
    with subprocess.Popen(
        [*PIGRO, "check", app, "-f", "many.ctl"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,  # or the first line takes others with it
        env=ENVIRONMENT,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also in the background
    ) as child:
        assert child.stdout.readline().startswith(b"holds")
        child.send_signal(signal.SIGINT)
        rest, stderr = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    told = re.fullmatch(rb"warning: interrupted: (\d+) of 20000 formulas were checked\n", stderr)
    assert told is not None
    assert abs(1 + rest.count(b"EF use\n") - int(told[1])) <= 1
    assert rest.splitlines()[-1].startswith(f"{int(told[1]):,} hold".encode())


def test_colours_only_on_a_terminal(app):
    assert "\x1b[1;32mholds\x1b[0m    EF use\n" in on_terminal("check", app, "EF use")
    assert "\x1b" not in on_terminal("check", app, "EF use", NO_COLOR="1")
    assert "\x1b" not in on_terminal("check", app, "EF use", TERM="dumb")
    assert b"\x1b" not in process("check", app, "EF use").stdout


def test_long_formulas_are_cut_only_on_a_terminal(app):
    formula = " & ".join(["EF use"] * 100)
    shown = on_terminal("check", app, formula, NO_COLOR="1").splitlines()[0]
    assert len(shown) == 3 * 80
    assert shown.endswith("...")
    assert process("check", app, formula).stdout.decode().splitlines()[0].endswith(formula)


@pytest.mark.parametrize("args", [["--help"], ["--version"], ["check", "--help"]], ids=str)
def test_help_imports_little(args):
    code = (
        "import sys\nfrom pigro.cli.main import cli\n"
        f"try: cli.main({args!r})\nexcept SystemExit: pass\n"
        "print(*sys.modules, file=sys.stderr)"
    )
    found = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, check=True, env=ENVIRONMENT
    )
    loaded = set(found.stderr.decode().split())
    heavy = {"msgspec", "rich", "pigro._core", "pigro.engines", "pigro.logic", "pigro.model"}
    assert not loaded & heavy
