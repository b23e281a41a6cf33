"""What tools say, as outcomes."""

from __future__ import annotations

import json

import pytest

from benchmarks.answers import answer_of_pigro, answer_of_pymodelchecking, answer_of_rsmcheck
from benchmarks.command import CommandResult

LOG = """
2026-11-16 13:26:24,104 using lazy approach
2026-11-16 13:26:25,177 Built a total of 12 contexts (plus 3 context relabels)
2026-11-16 13:26:25,178     Parsing took 0.27015773499999995 seconds
2026-11-16 13:26:25,179     Checking took 6.2e-05 seconds
2026-11-16 13:26:25,179 Took a total of 1.0731129949999998 seconds
"""
TRACEBACK = "Traceback (most recent call last):\n  File ...\nValueError: Something went wrong\n"


def ran(output="", errors="", code=0, over=None):
    return CommandResult(code, over, 1.5, 40_000_000, output, errors)


@pytest.mark.parametrize("said, word", [("True", "holds"), ("False", "fails")])
def test_rsmcheck_decides(said, word):
    found = answer_of_rsmcheck(ran(f"checking CTL 1\n{said}: EG p does hold in a\n"), LOG)
    assert (found.word, found.contexts, found.problem) == (word, 12, None)
    assert (found.seconds, found.load_seconds) == (6.2e-05, 0.27015773499999995)
    assert (found.whole_seconds, found.peak_memory) == (1.5, 40_000_000)


def test_rsmcheck_without_a_log():
    found = answer_of_rsmcheck(ran("True: EG p does hold in a\n"), "Parsing took ages seconds")
    assert (found.word, found.contexts, found.seconds, found.load_seconds) == ("holds", *[None] * 3)


@pytest.mark.parametrize(
    "run, word, problem",
    [
        (ran("checking CTL 1\n", TRACEBACK, 1), "error", "ValueError: Something went wrong"),
        (ran("None: EG p does hold in a\n"), "error", "no verdict: None: EG p does hold in a"),
        (ran("True: a\nFalse: b\n"), "error", "no verdict: False: b"),
        (ran("True: a\n", TRACEBACK, 1), "error", "ValueError: Something went wrong"),
        (ran(code=1), "error", "it said nothing"),
        (ran(code=-11), "error", "ended by signal 11: it said nothing"),
        (ran(code=-9, over="timeout"), "timeout", "killed after 1.5 s, with 40 MB"),
        (ran(code=-9, over="memout"), "memout", "killed after 1.5 s, with 40 MB"),
    ],
)
def test_rsmcheck_does_not_decide(run, word, problem):
    found = answer_of_rsmcheck(run, LOG)
    assert (found.word, found.problem, found.whole_seconds) == (word, problem, 1.5)
    assert not found.decided


def test_pymodelchecking():
    said = json.dumps({"holds": False, "load_seconds": 0.25, "seconds": 2.0})
    found = answer_of_pymodelchecking(ran(f"noise\n{said}\n"))
    assert (found.word, found.seconds, found.load_seconds) == ("fails", 2.0, 0.25)
    assert answer_of_pymodelchecking(ran("noise\n")).problem == "no verdict: noise"
    assert answer_of_pymodelchecking(ran("", TRACEBACK, 1)).word == "error"


def test_pigro():
    result = {"verdict": "fails", "seconds": 0.5, "contexts": 7}
    found = answer_of_pigro(ran(json.dumps({"results": [result]}), "warning: ...", 1))
    assert (found.word, found.seconds, found.contexts) == ("fails", 0.5, 7)
    assert answer_of_pigro(ran("", "error[P101]: no\n", 2)).problem == "error[P101]: no"
    assert answer_of_pigro(ran("{}")).problem == "no verdict: {}"
