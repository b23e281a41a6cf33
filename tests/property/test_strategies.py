"""Every definite verdict on a composition has a strategy that replays. No wrong one does.

Random compositions of all kinds: 500, unless `PIGRO_STRATEGY_CASES` asks for more, and strategies
with mistakes: 4,000, unless `PIGRO_STRATEGY_MUTANTS` does. What the replay accepts is judged by the
oracle: the verdict must be right, and each claim true in all composed states that it is about.
"""

import json
import re
from collections import Counter
from dataclasses import replace
from itertools import count, islice
from random import Random

import pytest

from pigro import compose_check
from pigro.certificates import Mismatch
from pigro.evidence import WrongEvidence, replay_strategy
from pigro.evidence.data import NotEvidence
from pigro.evidence.strategy.lines import strategy_lines
from pigro.logic import parse

from oracle.mu_formula import Shape, random_mu, text
from oracle.mu_structures import (
    KMTS,
    KRIPKE,
    THREE,
    are_composable,
    names_in,
    random_lts,
    random_parts,
)
from support.agreement.compositions import Case, code, composition_of
from support.evidence.documents import read_strategy, strategy_document
from support.judges.strategies import Judge, mutant
from support.selection.cases import FEW_CASES, START, covers, number_of_cases, seeds

CASES = number_of_cases("PIGRO_STRATEGY_CASES", 500)
MUTANTS = number_of_cases("PIGRO_STRATEGY_MUTANTS", 4000)
COUNT, MORE = re.compile(r"a strategy of (\d+)"), re.compile(r"\.\.\. (?:and )?(\d+) more")
CHUNKS = 4
OF_EACH = 20

SHAPES = (
    KRIPKE,
    KMTS,
    THREE,
    replace(KMTS, parts=(3, 4), states=(1, 4)),
    replace(KRIPKE, parts=(1, 1)),
)
METHODS = ("concrete", "full", "refine", "refine-one")


def random_case(seed):
    rng = Random(seed)
    make = random_lts if seed % 2 else random_parts
    parts = make(rng, SHAPES[seed % len(SHAPES)])
    atoms, actions = names_in(parts)
    shape = Shape(ctl=rng.choice((0, 0, 0.3)))
    return Case(parts, random_mu(rng, atoms, rng.randint(1, 12), actions=actions, shape=shape))


def shown(case, system):
    """By each method that fits: the verdict, with evidence."""
    formula = parse(text(case.formula))
    for method in METHODS if system.is_concrete else METHODS[:2]:
        yield compose_check(system, formula, method=method, witness=True)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_every_definite_verdict_has_a_strategy(chunk):
    values = Counter()
    for seed in seeds(CASES, chunk, CHUNKS):
        case = random_case(seed)
        system = composition_of(case.parts)
        for found in shown(case, system):
            values[found.holds, found.details.method] += 1
            assert (found.evidence is None) is (found.holds is None)
            if found.evidence is not None:
                assert found.evidence.holds is found.holds
                try:
                    replay_strategy(system, found.evidence)
                except WrongEvidence as error:
                    pytest.fail(f"{code(case)}\n# {found.details.method}: {error}", pytrace=False)
    assert FEW_CASES or all(values[holds, method] for holds in (True, False) for method in METHODS)


def test_claims_are_true():
    """All of them, in all states, although the replay does not compose everything."""
    for seed in seeds(CASES, 0, 10):
        case = random_case(seed)
        for found in shown(case, composition_of(case.parts)):
            if found.evidence is not None:
                judge = Judge(case.parts, found.evidence.form)
                assert not judge.wrong_claims(found.evidence), code(case)


def strategies():
    """Without end."""
    for seed in count(START):
        case = random_case(seed)
        system = composition_of(case.parts)
        found = [each.evidence for each in shown(case, system) if each.evidence is not None]
        if found:
            yield case, system, Random(seed), Random(seed).choice(found)


def accepts(system, strategy):
    try:
        replay_strategy(system, strategy)
    except WrongEvidence:
        return False
    return True


def test_no_mistake_is_accepted():
    """Unless what is left is right."""
    made, accepted, judged = 0, 0, 0
    for case, system, rng, strategy in strategies():
        judge = None
        for _ in range(OF_EACH):
            wrong = mutant(rng, strategy)
            for _ in range(rng.choice((0, 0, 1, 2))):
                wrong = mutant(rng, wrong) if all(each.claims for each in wrong.layers) else wrong
            made += 1
            if not accepts(system, wrong):
                continue
            accepted += 1
            assert wrong.holds is strategy.holds, code(case)
            if wrong == strategy:
                continue
            judged += 1
            judge = judge or Judge(case.parts, strategy.form)
            assert not judge.wrong_claims(wrong), code(case)
        if made >= MUTANTS:
            break
    assert judged
    assert accepted < made / 4


def test_what_shows_another_composition_shows_nothing_here():
    """Unless it is true here too: a strategy for a composition with one step or label changed."""
    outcomes = Counter()
    for seed in seeds(CASES, 0, 3):
        case, rng = random_case(seed), Random(seed)
        at = rng.randrange(len(case.parts))
        parts = list(case.parts)
        parts[at] = changed(rng, parts[at])
        if not are_composable(parts):
            continue
        system = composition_of(case.parts)
        holds = compose_check(system, parse(text(case.formula))).holds
        for found in shown(Case(tuple(parts), case.formula), composition_of(parts)):
            if found.evidence is not None:
                accepted = accepts(system, found.evidence)
                outcomes[found.holds is holds, accepted] += 1
                if accepted and seed % 5 == 0:
                    judge = Judge(case.parts, found.evidence.form)
                    assert not judge.wrong_claims(found.evidence), code(case)
    assert not outcomes[False, True]
    assert FEW_CASES or outcomes[False, False]
    assert FEW_CASES or outcomes[True, True] > outcomes[True, False]


def changed(rng, part):
    """A part with another label, or with a step more or less, of the same names."""
    rows = [dict(row) for row in part.labels]
    if part.atoms and rng.random() < 0.5:
        row = rng.choice(rows)
        name = rng.choice(part.atoms)
        row[name] = not row[name]
        return replace(part, labels=tuple(rows))
    steps = dict(part.steps)
    if steps and rng.random() < 0.5:
        del steps[rng.choice(list(steps))]
    else:
        action = rng.choice(part.actions) if part.actions else "" if part.actions is None else "tau"
        steps[rng.choice(part.states), action, rng.choice(part.states)] = True
    return replace(part, steps=steps)


def test_documents_there_and_back():
    """The strategy that is read is the one that was written. Its text has an end."""
    for _, system, _, strategy in islice(strategies(), CASES // 5):
        data = strategy_document(system, strategy)
        again = read_strategy(system, data)
        replay_strategy(system, again)
        assert again.layers == strategy.layers
        assert strategy_document(system, again) == data
        lines = strategy_lines(system, strategy, most=3)
        whole = strategy_lines(system, strategy, most=None)
        assert len(lines) <= 6
        assert len(whole) <= strategy.positions + 1
        counted = COUNT.search(whole[0])
        more = [int(found[1]) for found in map(MORE.match, lines) if found]
        assert (0 if counted is None else int(counted[1])) == len(whole) - 1
        assert sum(more) == len(whole) - len(lines) + len(more)


def test_documents_with_mistakes():
    """Each is refused, or right. None is taken for a mistake of ours."""
    outcomes = Counter()
    for case, system, rng, strategy in islice(strategies(), CASES // 5):
        data = strategy_document(system, strategy)
        for _ in range(5):
            document = json.loads(data)
            spoil(rng, document)
            try:
                again = read_strategy(system, json.dumps(document).encode())
                replay_strategy(system, again)
            except (NotEvidence, WrongEvidence, Mismatch) as error:
                outcomes[type(error)] += 1
                continue
            outcomes["right"] += 1
            if again.formula == strategy.formula and again.dead_ends == strategy.dead_ends:
                assert again.holds is strategy.holds, code(case)
    assert covers(outcomes, {NotEvidence, WrongEvidence, Mismatch, "right"})


def spoil(rng, document):
    """Changes something somewhere in a JSON document."""
    at = document
    while True:
        key = rng.choice(list(at) if isinstance(at, dict) else range(len(at)))
        inside = at[key]
        if isinstance(inside, (dict, list)) and inside and rng.random() < 0.9:
            at = inside
            continue
        others = (None, 0, -1, 2**40, True, "", "s0", "s1", "a0", [], {}, [None], 1.5, "holds")
        if rng.random() < 0.2:
            del at[key]
        elif isinstance(at, list) and rng.random() < 0.3:
            at.append(rng.choice((inside, None)))
        else:
            at[key] = rng.choice(others)
        return
