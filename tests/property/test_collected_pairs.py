"""[Finis2012], Proposition 4.5.7: the collected context pairs suffice.

The proposition says that labelByFixpoint labels the pairs in Xi the same if another pair is added to Xi.
Here all other known pairs of the formula are added whose subformulas are labelled, as labelByFixpoint
requires. Xi is a set of pairs with the nodes searched there, and these nodes are compared.
"""

from collections import Counter
from copy import deepcopy
from random import Random

from pigro.logic import existential_normal_form, parse
from pigro.papers.finis2012 import INCREMENTAL, refinement
from pigro.papers.finis2012.context import RmvRequest
from pigro.papers.finis2012.engine import by_component
from pigro.papers.finis2012.fixpoint import label_by_fixpoint
from pigro.papers.finis2012.local import M
from pigro.papers.finis2012.refinement import RefinementCheck
from pigro.papers.finis2012.structure import structures_of

from oracle.formula import to_text
from oracle.generate import random_formula, single_machine
from support.agreement.ctl import as_model
from support.selection.cases import FEW_CASES, number_of_cases, seeds

MACHINES = number_of_cases("PIGRO_COLLECTED_PAIRS", 3000)
WANTED = 100
"""Least number of pairs that are added."""


def is_ready(pair):
    """Whether the subformulas are labelled at all locations, and the formula is not."""
    rows = [row for row in (pair.psi, pair.chi) if row is not None]
    known = all(row[node] != M for row in rows for node in pair.structure.locations)
    return bool(rows) and known and not pair.is_full()


def compared(running, counts):
    """labelByFixpoint, once with Xi and, on a copy, with more pairs."""

    def label(relevant, tick, watch=None):
        formula = next(iter(relevant)).formula
        others = [
            pair
            for pair in running.pairs.values()
            if pair.formula == formula and pair not in relevant and is_ready(pair)
        ]
        members, added = deepcopy((list(relevant), others))
        enlarged = dict(zip(members, map(list, relevant.values()), strict=True))
        enlarged.update((pair, list(pair.structure.locations)) for pair in added)
        label_by_fixpoint(enlarged, tick)
        checks = label_by_fixpoint(relevant, tick, watch)
        for (pair, nodes), copied in zip(relevant.items(), members, strict=True):
            assert [pair.row[node] for node in nodes] == [copied.row[node] for node in nodes]
        counts["Xi"] += 1
        counts["added"] += len(others)
        return checks

    return label


def test_collected_pairs_suffice(monkeypatch):
    counts = Counter()
    for seed in seeds(MACHINES):
        rng = Random(seed)
        model = as_model(single_machine(rng))
        formula = existential_normal_form(parse(to_text(random_formula(rng))))
        if INCREMENTAL.fits(model) is not None:
            continue
        structures = structures_of(model)
        running = RefinementCheck(structures, RmvRequest(model, formula), lambda: None)
        monkeypatch.setattr(refinement, "label_by_fixpoint", compared(running, counts))
        for component, nodes in by_component(model).items():
            structure = structures[component]
            running.decide(structure, [node - structure.first for node in nodes])
    print(dict(counts))
    assert FEW_CASES or min(counts["Xi"], counts["added"]) > WANTED
