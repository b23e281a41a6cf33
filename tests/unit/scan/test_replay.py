"""The run of each finding is evidence that replays on the model, and the steps shown are that run.

Evidence is replayed by `pigro.evidence`, which knows nothing of engines. The steps are compared with
the positions of the model, which the rendering does not read.
"""

import os
import textwrap
from itertools import groupby, pairwise
from pathlib import Path

import pytest

from pigro.evidence import evidence_of, replay
from pigro.evidence.states import EMPTY, Steps
from pigro.logic import parse
from pigro.rules.choosing import chosen_rules, known_rules
from pigro.scan import asking
from pigro.scan.runs import states_of
from pigro.scan.scanning import scan_paths
from pigro.sources.graph import NOWHERE, RETURN_NODE

from support.samples.faults import BAD
from support.samples.leaks import HELPERS, LEAK

HOME = Path(__file__).resolve().parents[3]
LIBRARY = Path(os.__file__).parent
LIBRARIES = ("ssl.py", "socket.py", "tarfile.py", "tempfile.py", "multiprocessing", "pty.py")


@pytest.fixture
def replayed(monkeypatch):
    """Replays each run that a scan asks for. Counts them by formula."""
    formulas = []

    def checked(self, start, formula, notes):
        alone = self.alone(start)
        model = alone.model
        [verdict] = asking._PROVING.check_all(model, [parse(formula)], budget=self.budget)
        assert verdict.holds is False
        evidence = evidence_of(verdict.certificate)
        replay(model, verdict.certificate.to_bytes(), evidence)
        run = taken(self, start, formula, notes)
        states = states_of(evidence)
        check_run(model, alone.nodes[0], states)
        check_steps(alone, states, run.steps)
        formulas.append(formula)
        return run

    taken = asking.SiteModel.run
    monkeypatch.setattr(asking.SiteModel, "run", checked)
    return formulas


def check_run(model, start, states):
    """The states are a run from the start, by the definition of steps."""
    steps = Steps(model)
    assert states[0] == (EMPTY, start)
    for before, after in pairwise(states):
        assert after in steps.next(before)


def check_steps(asked, states, steps):
    """The places of the states, without those that have none, are those of the steps.

    Between two states are the places of the nodes that the function passes on its only way.
    """
    model, places = asked.model, []
    for before, state in pairwise((None, *states)):
        if before is not None and before.stack == state.stack:
            for file, at in passed(asked, before.node, state.node):
                places.append((file, at[0], at[2], len(state.stack)))
        at = model.position(state.node)
        if at is not None and model.core.box(state.node) < 0:
            places.append((at.file, at.line, at.end_line, len(state.stack)))
    shown = [(each.file, each.at[0], each.at[2], each.depth) for each in steps]
    assert [key for key, _ in groupby(places)] == [key for key, _ in groupby(shown)]


def passed(asked, source, target):
    """The places between two nodes, if the function has one way from one to the other."""
    core, parts = asked.model.core, list(asked.machine.components.values())
    if core.box(source) >= 0 or core.box(target) >= 0:
        return []
    number = core.component(source)
    part, first = parts[number], sum(len(each.labels) for each in parts[:number])
    source, target = (core.declared_of_node(each) - first for each in (source, target))
    at, goal = part.origins[source], part.origins[target]
    if goal < 0:
        names = [name for name, node in part.exits.items() if node == target]
        goal = RETURN_NODE if names[0].startswith("return") else -1
    found = []
    while at != goal:
        edges = part.function.edges[at] if at >= 0 else []
        if len(edges) != 1 or edges[0][1] is not None or len(found) > 1000:
            return []
        at = edges[0][0]
        found.append(at)
    ats = (part.function.at_nodes[each] for each in found[:-1][:40])
    return [(asked.files[part.function.name], each) for each in ats if each != NOWHERE]


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
