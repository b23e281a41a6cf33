"""The run of each finding is evidence that replays on the model, and the steps shown are that run.

Evidence is replayed by `pigro.evidence`, which knows nothing of engines. The steps are compared with
the positions of the model, which the rendering does not read.
"""

import os
import textwrap
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from faults import BAD
from pigro.evidence import evidence_of, replay
from pigro.evidence.states import EMPTY, Steps
from pigro.logic import parse
from pigro.rules.choosing import chosen_rules, known_rules
from pigro.scan import asking
from pigro.scan.runs import states_of
from pigro.scan.scanning import scan_paths

from leaks import HELPERS, LEAK

HOME = Path(__file__).resolve().parents[3]
LIBRARY = Path(os.__file__).parent
LIBRARIES = ("ssl.py", "socket.py", "tarfile.py", "tempfile.py", "multiprocessing", "pty.py")


@pytest.fixture
def replayed(monkeypatch):
    """Replays each run that a scan asks for. Counts them by formula."""
    formulas = []

    def checked(self, start, formula, notes):
        model = self.model.with_initial([self.nodes[start]])
        [verdict] = asking._PROVING.check_all(model, [parse(formula)], budget=self.budget)
        assert verdict.holds is False
        evidence = evidence_of(verdict.certificate)
        replay(model, verdict.certificate.to_bytes(), evidence)
        steps = taken(self, start, formula, notes)
        states = states_of(evidence)
        check_run(model, self.nodes[start], states)
        check_steps(model, states, steps)
        formulas.append(formula)
        return steps

    taken = asking.Asked.run
    monkeypatch.setattr(asking.Asked, "run", checked)
    return formulas


def check_run(model, start, states):
    """The states are a run from the start, by the definition of steps."""
    steps = Steps(model)
    assert states[0] == (EMPTY, start)
    for before, after in pairwise(states):
        assert after in steps.next(before)


def check_steps(model, states, steps):
    """The places of the states, without those that have none, are those of the steps."""
    places = []
    for state in states:
        at = model.position(state.node)
        if at is not None and model.core.box(state.node) < 0:
            places.append((at.file, at.line, at.end_line, len(state.stack)))
    shown = [(each.file, each.at[0], each.at[2], each.depth) for each in steps]
    assert [key for key, _ in groupby(places)] == [key for key, _ in groupby(shown)]


def scan(*paths):
    return scan_paths(map(str, paths), chosen_rules(known_rules(), ["ALL"])).findings


@pytest.mark.parametrize("name", BAD)
def test_the_run_of_each_rule_replays(name, tmp_path, replayed):
    (tmp_path / "app.py").write_text(textwrap.dedent(BAD[name]))
    found = scan(tmp_path)
    assert name in {each.rule for each in found}
    assert len(replayed) >= len(found)


def test_runs_of_examples_and_of_the_standard_library_replay(tmp_path, replayed):
    (tmp_path / "a.py").write_text(LEAK)
    (tmp_path / "b.py").write_text(HELPERS)
    found = scan(tmp_path, HOME / "examples", *(LIBRARY / each for each in LIBRARIES))
    assert len(found) >= 8
    assert len(replayed) >= len(found)


def test_a_run_is_one_run_where_the_formula_needs_two(tmp_path):
    (tmp_path / "app.py").write_text(textwrap.dedent(BAD["cm-without-finally"]))
    [finding] = scan(tmp_path)
    assert [each.at[0] for each in finding.steps] == [5, 6, 7]
