"""Every verdict of `onthefly` outside of CTL has evidence, which replays.

On random structures, facts and claims are decided again by the oracle; on random machines of all
profiles, with calls and with recursion cut off at a random depth, by the search in Python. The runs
are walked by the definition of steps in any case. PIGRO_RUN_CASES asks more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pigro.engines import misfit_reason
from pigro.engines.onthefly import ONTHEFLY
from pigro.engines.onthefly.recheck import decider
from pigro.evidence import replay_run
from pigro.logic import parse

from oracle.generate import LABELS, PROFILES, random_machine
from oracle.star_formula import random_star, to_text
from oracle.star_structures import random_structure
from support.agreement.ctl import as_model
from support.judges.star_decider import OracleDecider
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_RUN_CASES", 4000)
SHOWING = replace(ONTHEFLY, show=True)


def some_formula(rng, labels):
    while True:
        text = to_text(random_star(rng, labels, rng.randint(2, 7)))
        if rng.random() < 0.2:
            other = to_text(random_star(rng, labels, rng.randint(1, 3)))
            text = f"({text}) {rng.choice(('&', '|', 'xor', '->', '<->'))} ({other})"
        formula = parse(text)
        if not formula.is_ctl:
            return formula


def test_on_structures():
    rng, ends = Random(5), Counter()
    for _ in seeds(CASES):
        formula = some_formula(rng, ("p", "q"))
        decider = OracleDecider(random_structure(rng, 6, ("p", "q")), formula)
        verdict = SHOWING(decider.model, formula)
        assert verdict.holds is decider.holds
        replay_run(decider.model, formula, verdict.holds, verdict.evidence, decider.value)
        ends.update(each.path.ends for each in all_of(verdict.evidence) if each.path)
    assert FEW_CASES or all(ends[each] > CASES // 50 for each in ("here", "loop", "stays")), ends


def all_of(evidence):
    return (evidence, *evidence.parts)


@pytest.mark.parametrize("profile", PROFILES)
def test_on_machines(profile):
    rng, shown, unknown = Random(profile), Counter(), 0
    for _ in seeds(CASES // len(PROFILES)):
        machine = random_machine(rng, PROFILES[profile])
        machine = replace(machine, dead_ends=rng.choice(("stutter", "stop")))
        model = as_model(machine)
        depth = rng.randint(0, 4) if rng.random() < 0.3 or misfit_reason(SHOWING, model) else None
        formula = some_formula(rng, LABELS)
        verdict = replace(SHOWING, depth=depth)(model, formula)
        if verdict.holds is None:
            assert verdict.evidence is None
            unknown += 1
            continue
        assert verdict.evidence.depth == depth
        decide = decider(model, formula, depth)
        replay_run(model, formula, verdict.holds, verdict.evidence, decide)
        for each in all_of(verdict.evidence):
            shown[each.kind, each.path and each.path.ends] += 1
    print(f"{profile}: {dict(shown)}, {unknown} unknown")
    assert FEW_CASES or shown["run", "loop"] + shown["run", "stays"] > 0
