"""Evidence about random modules whose states are computed on demand, written after all questions were asked.

Each document is judged by `validate`, and its runs are replayed by the oracle here: it evaluates the assignments of the
module naively, in Python. The modules change from day to day: `PIGRO_SEED` makes those of another day again.
"""

from __future__ import annotations

import itertools
import json
import random

import pytest

import pigro
from pigro.formats import smv
from pigro.logic import parse
from pigro.render.text import CheckReport, TextStyle

from support.selection.cases import seeds

COLOURS = ("red", "green", "blue")
PAD = "pad : 0..70000; ASSIGN init(pad) := 7; next(pad) := pad;"
"""A variable that makes many combinations of values, and no more states."""


class Module:
    """A module over `a`, a number, and `c`, a colour. Assignments are tables: from a state to the values after it."""

    def __init__(self, rng):
        self.top = rng.randint(2, 5)
        self.states = list(itertools.product(range(self.top + 1), COLOURS))
        self.starts = rng.sample(self.states, rng.randint(1, 3))
        self.after = {state: rng.sample(self.states, rng.randint(1, 3)) for state in self.states}

    @property
    def text(self):
        rows = [
            f"{_is(state)} & ({' | '.join(map(_next, self.after[state]))})" for state in self.states
        ]
        initial = " | ".join(map(_is, self.starts))
        kinds = f"a : 0..{self.top}; c : {{{', '.join(COLOURS)}}};"
        return f"MODULE main VAR {kinds} {PAD} INIT {initial} TRANS {' | '.join(rows)}"

    @property
    def reached(self):
        found, pending = set(self.starts), list(self.starts)
        while pending:
            new = set(self.after[pending.pop()]) - found
            found |= new
            pending += new
        return found


def _is(state):
    return f"(a = {state[0]} & c = {state[1]})"


def _next(state):
    return f"(next(a) = {state[0]} & next(c) = {state[1]})"


def questions(rng, module):
    """Formulas of three logics, those about reachable states with their truth."""
    at, colour = rng.randint(0, module.top), rng.choice(COLOURS)
    some = any(state[0] == at for state in module.reached)
    only_one = len(module.starts) == 1
    return [
        (f"AG a != {at}", not some),
        (f"G a != {at}", not some),
        (f"EF a = {at}", some if only_one else None),
        (parse(f'nu X. !"a = {at}" & [] X'), not some),
        (f"AF c = {colour}", None),
        (f"G F c = {colour}", None),
        (f"E [F (a = {at} & X c != {colour})]", None),
        (f"AG (a = {at} -> EF c = {colour})", None),
        (parse(f'mu X. "c = {colour}" | [] X'), None),
    ]


def document(verdicts):
    report = CheckReport(verdicts[0].subject, TextStyle(witness="full"), form="json")
    return report.render(verdicts)


def replay(module, data):
    """Every state is reachable and carries its labels, and every run is one. How many runs there are."""
    told = json.loads(data)
    atoms = {atom for row in told["results"] for atom in parse(row["formula"]).atoms}
    states, count = {}, 0
    for row in told["tables"]["nodes"]:
        values = row["values"]
        state = states[row["number"]] = int(values["a"]), values["c"]
        assert state in module.reached
        held = {atom for atom in atoms if atom in (f"a = {state[0]}", f"c = {state[1]}")}
        assert atoms & set(row["labels"]) == held
    for row in told["results"]:
        for at, item in enumerate(row["evidence"].get("evidence", ())):
            assert at or states[item["node"]] in module.starts
            if item["path"] is not None:
                run = [states[node] for node in item["path"]["nodes"]]
                if item["path"]["ends"] == "loop":
                    run.append(run[item["path"]["start"]])
                assert run[0] == states[item["node"]]
                assert all(
                    after in module.after[before] for before, after in itertools.pairwise(run)
                )
                count += 1
    return count


@pytest.mark.parametrize("seed", seeds(10))
def test_evidence_is_right_whenever_it_is_written(seed):
    print(f"seed {seed}")
    rng = random.Random(seed)
    module = Module(rng)
    model = smv.read(module.text.encode())
    assert not model.is_listed
    asked = [rng.choice(questions(rng, module)) for _ in range(4)]
    asked.append((f"AG a != {rng.choice(sorted(module.reached))[0]}", False))
    verdicts = [pigro.check(model, formula, witness=True) for formula, _ in asked]
    for (_, truth), verdict in zip(asked, verdicts, strict=True):
        assert verdict.holds is (verdict.holds if truth is None else truth)
        data = document([verdict])
        assert pigro.validate(smv.read(module.text.encode()), data).accepted
        replay(module, data)
    together = [each for each in verdicts if getattr(each.evidence, "excerpt", None) is not None]
    assert pigro.validate(model, document(together)).accepted
    assert replay(module, document(together)) > 0
