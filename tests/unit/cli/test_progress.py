"""The progress line: late, in place, and gone at the end."""

from __future__ import annotations

import io

import pytest

from pigro.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self):
        return True


class Clock:
    now = 0.0

    def __call__(self):
        return self.now


@pytest.fixture(autouse=True)
def _capable(monkeypatch):
    monkeypatch.setenv("TERM", "xterm")


def test_shows_after_half_a_second_and_ten_times_a_second():
    clock, terminal = Clock(), Terminal()
    progress = Progress(1595, terminal, clock=clock)
    progress.advance()
    clock.now = 0.4
    progress.tick()
    assert terminal.getvalue() == ""
    clock.now = 0.6
    progress.advance()
    assert terminal.getvalue() == "\r\x1b[2Kchecked 2/1595, 1 s ..."
    clock.now = 0.65
    progress.advance()
    assert terminal.getvalue().count("checked") == 1
    progress.clear()
    progress.clear()
    assert terminal.getvalue().endswith("...\r\x1b[2K")


def test_nothing_to_clear():
    terminal = Terminal()
    Progress(5, terminal).clear()
    assert terminal.getvalue() == ""


@pytest.mark.parametrize("stream", [io.StringIO, Terminal])
def test_nothing_without_a_terminal_that_can(stream, monkeypatch):
    monkeypatch.setenv("TERM", "dumb" if stream is Terminal else "xterm")
    clock, target = Clock(), stream()
    progress = Progress(5, target, clock=clock)
    clock.now = 100.0
    progress.advance()
    progress.clear()
    assert target.getvalue() == ""
