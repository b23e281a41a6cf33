"""Findings survive renaming and reformatting: they are at the same nodes of the syntax tree."""

import os
import re
import textwrap
from pathlib import Path

import pytest

from pigro.rules.choosing import chosen_rules, known_rules
from pigro.scan.scanning import scan_paths

from support.changes.programs import numbered, renamed, spread, unparsed
from support.samples.faults import BAD
from support.samples.leaks import HELPERS, LEAK

HOME = Path(__file__).resolve().parents[3]
LIBRARY = Path(os.__file__).parent
OWN = {
    **{name: textwrap.dedent(text) for name, text in BAD.items()},
    "leak": LEAK,
    "helpers": HELPERS,
    "example": (HOME / "examples/leak.py").read_text(),
}
LIBRARIES = ("ssl.py", "socket.py", "tarfile.py", "tempfile.py", "pty.py", "asyncio/base_events.py")


def findings(folder, text, names=None):
    """The findings in a text, by the numbers of nodes in its tree, under the old names."""
    path = folder / "app.py"
    path.write_text(text)
    nodes = numbered(text)
    old = {new: each for each, new in (names or {}).items()}
    made = []
    for each in scan_paths([str(path)], chosen_rules(known_rules(), ["ALL"])).findings:
        message = re.sub(r"\w+", lambda word: old.get(word[0], word[0]), each.message)
        if each.steps:
            message = message.replace(f"line {each.steps[-1].at[0]} ", "the last line ")
        steps = [
            (nodes.get(step.at[:2]), step.depth, step.note, step.is_decisive, step.is_uncertain)
            for step in each.steps
        ]
        made.append((each.rule, nodes.get(each.at[:2]), each.grade, message, steps))
    return sorted(made, key=repr)


@pytest.mark.parametrize("name", OWN)
def test_own_programs(name, tmp_path):
    text = OWN[name]
    first = findings(tmp_path, text)
    assert first
    assert findings(tmp_path, unparsed(text)) == first
    assert findings(tmp_path, spread(text)) == first
    other, names = renamed(text)
    assert names
    assert findings(tmp_path, other, names) == first
    assert findings(tmp_path, spread(other), names) == first


@pytest.mark.parametrize("name", LIBRARIES)
def test_the_standard_library(name, tmp_path):
    text = (LIBRARY / name).read_text()
    first = findings(tmp_path, text)
    assert findings(tmp_path, unparsed(text)) == first
    other, names = renamed(text)
    assert findings(tmp_path, other, names) == first
