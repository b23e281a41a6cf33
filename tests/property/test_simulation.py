"""Mixed simulation against its definition, on random pairs of compositions. Evidence is judged.

600 pairs, unless `PIGRO_SIMULATION_CASES` asks for more.
"""

import json
from collections import Counter
from dataclasses import replace
from random import Random

from pigro import simulates
from pigro.render.refinement import simulation_json
from pigro.session.judge import EvidenceCase, judge, piece_of

from oracle.mu_structures import (
    KMTS,
    composed,
    mixed_simulation,
    random_abstraction,
    random_lts,
    random_parts,
)
from support.agreement.compositions import composition_of
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_SIMULATION_CASES", 600)
SMALL = replace(KMTS, states=(1, 4), may=0.3, unknown=0.2)
FEW = replace(SMALL, states=(1, 3), targets=(1, 2))


def changed(rng, structure):
    """One thing is different: a step is gone or must be there, or a label is known."""
    steps, labels = dict(structure.steps), [dict(row) for row in structure.labels]
    kind = rng.randrange(4)
    if kind == 0 and steps:
        steps.pop(rng.choice(list(steps)))
    elif kind == 1 and steps:
        steps[rng.choice(list(steps))] = True
    elif kind == 2 and structure.atoms:
        rng.choice(labels)[rng.choice(structure.atoms)] = rng.choice((True, False))
    return replace(structure, steps=steps, labels=tuple(labels))


def random_pair(seed):
    """Parts, and others that often abstract them."""
    rng = Random(seed)
    shape = replace(FEW if seed % 3 == 0 else SMALL, parts=(1, 1 + seed % 3))
    concrete = (random_lts if seed % 4 == 0 else random_parts)(rng, shape)
    shared = Counter(name for part in concrete for name in part.atoms)
    joint = [name for name, count in shared.items() if count > 1]
    abstract = []
    for part in concrete:
        kept = [name for name in joint if name in part.atoms and rng.random() < 0.9]
        made = random_abstraction(rng, part, kept)[0]
        abstract.append(changed(rng, made) if rng.random() < 0.5 else made)
    return (concrete, abstract) if rng.random() < 0.8 else (abstract, concrete)


def refines(concrete, abstract):
    """By the definition, on everything composed."""
    ours, theirs = composed(concrete).whole, composed(abstract).whole
    related = mixed_simulation(ours, theirs)
    return all(any((c, a) in related for a in theirs.initial) for c in ours.initial) and all(
        any((c, a) in related for c in ours.initial if c not in ours.perhaps)
        for a in theirs.initial
        if a not in theirs.perhaps
    )


class Side:
    """A composition by the tuples of its states."""

    def __init__(self, parts):
        made = composed(parts)
        self.whole = made.whole
        self.tuples = made.tuples
        self.numbers = {states: at for at, states in enumerate(made.tuples)}

    def row(self, states):
        return self.whole.labels[self.numbers[states]]

    def steps(self, states, *, must=False):
        at = self.numbers[states]
        return [
            (action, self.tuples[target])
            for (source, action, target), sure in self.whole.steps.items()
            if source == at and (sure or not must)
        ]

    def starts(self, *, must=False):
        whole = self.whole
        kept = [at for at in whole.initial if not must or at not in whole.perhaps]
        return [("", self.tuples[at]) for at in kept]


def judge_relation(found, ours, theirs):
    """Rules 1 to 3 for each pair, and at the start."""
    related = set(found.relation)
    for c, a in related:
        assert all(v is None or v is ours.row(c)[name] for name, v in theirs.row(a).items())
        pairs = (
            (ours.steps(c), theirs.steps(a)),
            (ours.steps(c, must=True), theirs.steps(a, must=True)),
        )
        judge_steps(related, *pairs)
    starts = (ours.starts(), theirs.starts()), (ours.starts(must=True), theirs.starts(must=True))
    judge_steps(related, *starts)


def judge_steps(related, may, must):
    for action, c in may[0]:
        assert any((c, a) in related for by, a in may[1] if by == action)
    for action, a in must[1]:
        assert any((c, a) in related for by, c in must[0] if by == action)


def judge_game(found, ours, theirs):
    """Each reason is right, all answers are there, and there are no circles."""
    for at, (pair, why) in enumerate(found.game):
        assert (pair is None) == (at == 0)
        if why.label is not None:
            known = theirs.row(pair.abstract)[why.label]
            assert known is not None
            assert ours.row(pair.concrete)[why.label] is not known
            continue
        must = why.kind == "abstract step"
        c_steps = ours.starts(must=must) if pair is None else ours.steps(pair.concrete, must=must)
        a_steps = (
            theirs.starts(must=must) if pair is None else theirs.steps(pair.abstract, must=must)
        )
        mine, other = (a_steps, c_steps) if must else (c_steps, a_steps)
        assert (why.action, why.target) in mine
        wanted = {
            (to, why.target) if must else (why.target, to) for by, to in other if by == why.action
        }
        assert {found.game[each][0] for each in why.answers} == wanted
    assert is_without_circles([why.answers for _, why in found.game])


def is_without_circles(rows):
    depth = [0] * len(rows)
    for _ in rows:
        depth = [max((1 + depth[to] for to in row), default=0) for row in rows]
    return max(depth) < len(rows)


def test_random_pairs():
    said = Counter()
    for seed in seeds(CASES):
        concrete, abstract = random_pair(seed)
        try:
            ours, theirs = composition_of(concrete), composition_of(abstract)
        except Exception:  # noqa: BLE001 - they can't start together
            continue
        found = simulates(theirs, ours)
        assert found.holds is refines(concrete, abstract), seed
        by_definition = judge_relation if found.holds else judge_game
        by_definition(found, Side(concrete), Side(abstract))
        document = json.loads(simulation_json(found, theirs, ours, 0.0))
        assert (
            next(judge(EvidenceCase((theirs, ours), [piece_of(document, "refinement")]))).word
            == "accepted"
        )
        contrary = document | {"refines": not found.holds, "relation": [], "game": []}
        assert (
            next(judge(EvidenceCase((theirs, ours), [piece_of(contrary, "refinement")]))).word
            == "rejected"
        )
        said[found.holds, len(concrete)] += 1
    assert (
        FEW_CASES
        or min(said[holds, parts] for holds in (True, False) for parts in (1, 2)) > CASES // 30
    )
