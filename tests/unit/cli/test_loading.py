"""While a file loads, in any format: limits count, and a terminal shows that the work goes on."""

from __future__ import annotations

import io
import itertools
import sys
from pathlib import Path

import pytest

import pigro
from pigro.cli import progress
from pigro.formats import write_subject
from pigro.formats.registry import format_named
from pigro.limits import Budget, Limits, OutOfTime
from pigro.session.prepare import prepare as read
from pigro.session.request import Request

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
PDMU = "Rules:\ncsinit # -> csq main #;\ncsq main -> csq _;\nPropositions:\ncsq main busy;\n"
FORMATS = ["rsm", "json", "pigro", "smv", "pds", "pdmu", "parts"]


@pytest.fixture(params=FORMATS)
def prepare(request, tmp_path):
    """What reads a file of this format."""
    path = tmp_path / f"x.{request.param}"
    if request.param == "parts":
        path.write_bytes((EXAMPLES / "handshake.parts").read_bytes())
        return reading(path)
    model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={"b": ["busy"]}, initial="a")
    if request.param == "pdmu":
        path.write_text(PDMU)
    else:
        path.write_bytes(write_subject(format_named(request.param), model))
    return reading(path)


def reading(path):
    request = Request((str(path),), formulas=("EF busy",))

    def read_it(budget=None):
        with progress.loading() as tick:
            return read(request, budget, tick=tick)

    return read_it


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_a_terminal_shows_that_a_file_loads(prepare, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    prepare()
    assert terminal.getvalue().startswith("\r\x1b[2Kloading, 0 s ...")
    assert terminal.getvalue().endswith("\r\x1b[2K")  # gone before anything is checked


def test_the_line_is_gone_after_an_error(prepare, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "_PATIENCE", 0.0)
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    with pytest.raises(OutOfTime):
        prepare(Budget(Limits(seconds=1), clock=itertools.count().__next__))
    assert terminal.getvalue().endswith("\r\x1b[2K")


def test_loading_counts(prepare):
    """Each look at the clock is a second later: the time is over at some poll of the reader."""
    ends = 0
    for seconds in range(1, 200):
        try:
            question = prepare(Budget(Limits(seconds=seconds), clock=itertools.count().__next__))
        except OutOfTime as error:
            assert str(error) == f"time limit of {seconds} s"
            ends += 1
        else:
            break
    assert ends >= 3
    assert question.budget.limits.seconds == seconds
