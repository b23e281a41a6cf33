"""What tools say, read as outcomes of runs. A tool that breaks down has an outcome too."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from typing import TYPE_CHECKING

from benchmarks.case import VERDICTS, Measurement

if TYPE_CHECKING:
    from benchmarks.command import CommandResult

_LONG = 300
"""Characters of a problem that are told."""
_MOST = 2**62
"""Larger numbers than this are nonsense."""
_CONTEXTS = re.compile(r"Built a total of (\d+) contexts")
_PARSING = re.compile(r"Parsing took (\S+) seconds")
_CHECKING = re.compile(r"Checking took (\S+) seconds")
_WORDS = {"True": "holds", "False": "fails"}


def answer_of_pigro(ran: CommandResult) -> Measurement:
    """Of `pigro check --format json` with one formula."""
    if ran.over is not None or ran.code not in {0, 1}:
        return _broken(ran)
    try:
        (result,) = json.loads(ran.output)["results"]
        word, seconds, contexts = (result[name] for name in ("verdict", "seconds", "contexts"))
    except (ValueError, LookupError, TypeError):
        return _broken(ran)
    return _decided(ran, word, Measurement(word, seconds=seconds, contexts=contexts))


def answer_of_rsmcheck(ran: CommandResult, log: str) -> Measurement:
    """Of RSMCheck: the verdict is printed, numbers are in its log."""
    if ran.over is not None or ran.code != 0:
        return _broken(ran)
    found = re.findall(r"^(True|False|None): ", ran.output, re.MULTILINE)
    word = _WORDS.get(found[0]) if len(found) == 1 else None
    contexts = _CONTEXTS.search(log)
    outcome = Measurement(
        word or "error",
        seconds=_number(_CHECKING, log),
        load_seconds=_number(_PARSING, log),
        contexts=None if contexts is None else min(int(contexts[1]), _MOST),
    )
    return _decided(ran, word, outcome)


def answer_of_pymodelchecking(ran: CommandResult) -> Measurement:
    """Of drivers/ask_pymodelchecking.py."""
    if ran.over is not None or ran.code != 0:
        return _broken(ran)
    try:
        said = json.loads(ran.output.splitlines()[-1])
        word = "holds" if said["holds"] else "fails"
        outcome = Measurement(word, seconds=said["seconds"], load_seconds=said["load_seconds"])
    except (ValueError, LookupError, TypeError):
        return _broken(ran)
    return _decided(ran, word, outcome)


def _decided(ran: CommandResult, word: str | None, outcome: Measurement) -> Measurement:
    if word not in VERDICTS:
        return _broken(ran)
    return replace(outcome, whole_seconds=ran.seconds, peak_memory=ran.peak_memory)


def _broken(ran: CommandResult) -> Measurement:
    """No verdict. The last line of a traceback says why."""
    lines = [line for line in (ran.errors or ran.output).splitlines() if line.strip()]
    last = lines[-1][:_LONG] if lines else "it said nothing"
    if ran.over is not None:
        problem = f"killed after {ran.seconds:.1f} s, with {ran.peak_memory / 1e6:,.0f} MB"
    elif ran.code < 0:
        problem = f"ended by signal {-ran.code}: {last}"
    elif ran.code == 0:
        problem = f"no verdict: {last}"
    else:
        problem = last
    return Measurement(
        ran.over or "error",
        whole_seconds=ran.seconds,
        peak_memory=ran.peak_memory,
        problem=problem,
    )


def _number(pattern: re.Pattern[str], log: str) -> float | None:
    found = pattern.search(log)
    try:
        seconds = 0.0 if found is None else float(found[1])
    except ValueError:
        return None
    return seconds if 0 < seconds < _MOST else None
