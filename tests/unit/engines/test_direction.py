"""`demand` begins forward and may give up and go backward: decision 0008."""

import pytest

from pigro import _core
from pigro.engines.native import NativeEngine
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.logic import parse

from oracle.notation import machine_from
from support.agreement.ctl import as_model

ENTRIES = 64
LENGTH = 200
EASY = "EF p"
"""Where calls lead first."""
HARD = "EF q"
"""Nowhere, but each entry's search must reach the exit to know."""

DEMAND = NativeEngine("demand", _core.Engine.DEMAND)
FORWARD = NativeEngine("demand", _core.Engine.DEMAND_FORWARD)
BACKWARD = NativeEngine("demand", _core.Engine.DEMAND_BACKWARD)


@pytest.fixture(scope="module")
def model():
    """A callee with many entries, one chain behind all of them, and one exit."""
    entries = [f"e{i}" for i in range(ENTRIES)]
    chain = [f"n{i}" for i in range(LENGTH)]
    return as_model(
        machine_from(
            "\n".join(
                [
                    "main >start",
                    "  box b = callee",
                    f"  start -> {' '.join('b.' + entry for entry in entries)}",
                    "  b.x -> start",
                    f"callee >{' >'.join(entries)} {chain[0]}:p {' '.join(chain[1:])} x> never:q",
                    *(f"  {entry} -> {chain[0]}" for entry in entries),
                    *(
                        f"  {before} -> {after}"
                        for before, after in zip(chain, [*chain[1:], "x"], strict=True)
                    ),
                ]
            )
        )
    )


def counts(verdict):
    stats = verdict.stats
    return stats.contexts, stats.visited, stats.passes


def has_given_up(verdict, forward, backward):
    """The counts of the backward run, and visits of both, or just those of the forward run."""
    if counts(verdict) == counts(forward):
        return False
    contexts, visited, passes = counts(verdict)
    assert (contexts, passes) == (backward.stats.contexts, backward.stats.passes)
    assert visited > backward.stats.visited
    return True


def test_forward_is_kept_while_it_is_cheap(model):
    verdict, forward, backward = (each(model, parse(EASY)) for each in (DEMAND, FORWARD, BACKWARD))
    assert verdict.holds is True
    assert counts(verdict) == counts(forward) == (1, 67, 0)
    assert counts(backward) == (1, 332, 0)


def test_forward_is_given_up(model):
    verdict, forward, backward = (each(model, parse(HARD)) for each in (DEMAND, FORWARD, BACKWARD))
    assert verdict.holds is forward.holds is backward.holds is False
    assert has_given_up(verdict, forward, backward)
    assert backward.stats.visited == 332
    assert forward.stats.visited == 12994
    thrown_away = verdict.stats.visited - backward.stats.visited
    assert 4000 < thrown_away < 4200, "after the first 4,096 polls; assertions in the core poll too"


def test_counts_do_not_depend_on_threads_and_order(model):
    formulas = [parse(text) for text in (HARD, EASY, f"EX {HARD}", f"AG !({HARD})", "EG !q")]
    alone = [counts(DEMAND(model, formula)) for formula in formulas]
    assert alone == [counts(each) for each in DEMAND.check_all(model, formulas)]
    assert alone == [counts(each) for each in DEMAND.check_all(model, formulas, jobs=3)]
    backwards = DEMAND.check_all(model, formulas[::-1], jobs=2)
    assert alone == [counts(each) for each in backwards[::-1]]


def test_certifying_never_gives_up(model):
    verdict, forward = (
        NativeEngine("demand", policy, certify=True)(model, parse(HARD))
        for policy in (_core.Engine.DEMAND, _core.Engine.DEMAND_FORWARD)
    )
    assert verdict.certificate is not None
    assert counts(verdict) == counts(forward)


def test_given_up_or_not_the_verdict_is_the_same():
    """Random models with many entries and few exits, formulas nested one to four times."""
    given_up = []
    for seed in range(25):
        shape = ModelShape(
            components=1 + seed % 3,
            boxes=6,
            nodes=60,
            entries=0.5,
            exits=0.04,
            density=0.04,
            labels={"a": 0.5, "b": 0.5, "r": 0.01},
        )
        tried = random_model(shape, seed)
        formulas = [
            random_formula(FormulaShape(depth=1 + i % 4), 3, 100 * seed + i) for i in range(12)
        ]
        formulas += [
            parse(text) for text in ("AG (a -> EF r)", "AG (EF r | EG a)", "EF (r & EG b)")
        ]
        for verdict, forward, backward in zip(
            *(each.check_all(tried, formulas) for each in (DEMAND, FORWARD, BACKWARD)), strict=True
        ):
            assert verdict.holds is forward.holds is backward.holds, (seed, verdict.formula)
            given_up.append(has_given_up(verdict, forward, backward))
    assert 20 < sum(given_up) < len(given_up) - 20
