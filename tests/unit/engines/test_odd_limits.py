"""Limits of any type get the same answer from every engine and every way to ask."""

import itertools
import math
from decimal import Decimal

import pytest

import pigro
from benchmarks.generators.models import permutations
from pigro.diagnostics import UsageError
from pigro.engines import ENGINES, Limits, misfit_reason
from pigro.engines.explaining import explain_at
from pigro.limits import Budget, OutOfMemory
from pigro.limits import budget as budget_module
from pigro.logic import parse

MODEL = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["p"]}, initial="a")
FINE = [1e9, 2**63, Decimal("1e9"), 10**400, math.inf, None, 10**9]
WRONG = ["2", True, 0, -1, math.nan, b"1", [1], 1j, Decimal("NaN")]
PART = pigro.PartBuilder("one", labels=["p"]).state("a", "p", initial=True).step("a", "a").build()


class Endless:
    """It counts on and on."""

    initial = 0

    def successors(self, state):
        return [state + 1]

    def labels(self, state):
        return ["p"] if state == 3 else []


WAYS = {
    "check_all": lambda **how: pigro.check_all(MODEL, ["EF p"], **how)[0].holds,
    "composition": lambda **how: pigro.check(PART, "EF p", **how).holds,
    "compose_check": lambda timeout=None, memory=None: (
        pigro.compose_check(PART, "EF p", limits=Limits(timeout, memory)).holds
    ),
    "system": lambda **how: pigro.check(Endless(), "EF p", **how).holds,
    "explain": lambda **how: explain_at(MODEL, "EF p", **how)[0].truth == "holds",
    "certify": lambda **how: pigro.check(MODEL, "EF p", certify=True, verify=True, **how).holds,
    "witness": lambda **how: pigro.check(MODEL, "EF p", witness=True, **how).holds,
    **{
        name: lambda name=name, **how: pigro.check(MODEL, "EF p", engine=name, **how).holds
        for name in ["auto", *ENGINES]
        if name == "auto" or misfit_reason(ENGINES[name], MODEL) is None
    },
}


@pytest.mark.parametrize("way", WAYS)
def test_numbers_are_fine(way):
    for value in FINE:
        assert WAYS[way](memory=value) is True
        assert WAYS[way](timeout=value) is True


@pytest.mark.parametrize("way", WAYS)
def test_others_are_refused(way):
    for value in WRONG:
        for name in ("memory", "timeout"):
            with pytest.raises(UsageError, match=f"{name} can't be ") as caught:
                WAYS[way](**{name: value})
            assert caught.value.code == "P006"


@pytest.mark.parametrize("jobs", [1.5, "2", None, True, 0, -1, 2.0])
@pytest.mark.parametrize("engine", ["demand", "lazy", "auto"])
def test_jobs(jobs, engine):
    with pytest.raises(UsageError, match="jobs can't be "):
        pigro.check_all(MODEL, ["EF p"], jobs=jobs, engine=engine)


@pytest.mark.parametrize("limits", [5, None, "1s", (1, 2)])
def test_limits_of_another_type(limits):
    from support.agreement.systems import check_system

    for ask in (
        lambda: pigro.compose_check(PART, "EF p", limits=limits),
        lambda: check_system(Endless(), "EF p", limits=limits),
    ):
        with pytest.raises(UsageError, match="limits can't be "):
            ask()


@pytest.mark.long
def test_an_endless_system_ends_at_the_memory_of_the_machine(monkeypatch):
    """Without a limit. The machine has little here."""
    there_is = budget_module._core.resident_memory() + 60_000_000
    monkeypatch.setattr(budget_module, "available_memory", lambda: there_is)
    verdict = pigro.check(Endless(), "AG !q")
    assert verdict.holds is None
    assert "no verdict within the memory limit of " in verdict.reason


def test_a_hard_model_ends_at_the_memory_of_the_machine(monkeypatch):
    there_is = budget_module._core.resident_memory() + 60_000_000
    monkeypatch.setattr(budget_module, "available_memory", lambda: there_is)
    hard = "AG (E [F G p] | E [F G !p])"
    verdicts = pigro.check_all(permutations(40), [hard, "EF p"])
    assert [each.holds for each in verdicts] == [None, True]
    assert "no verdict within the memory limit of " in verdicts[0].reason


@pytest.mark.long
def test_what_an_earlier_check_left_does_not_count():
    """The first has much garbage in a cycle, and the allocator keeps what it frees."""
    limit = budget_module._core.resident_memory() + 80_000_000
    first = pigro.check(Endless(), "AG !q", memory=limit)
    assert first.holds is None
    assert pigro.check(Endless(), "EF p", memory=limit).holds is True
    assert pigro.check(permutations(8), "EF p", memory=limit).holds is True


def test_time_for_each_formula():
    hard, easy = "AG (E [F G p] | E [F G !p])", "EF p"
    verdicts = pigro.check_all(permutations(40), [hard, easy, hard, easy], timeout_each=0.2)
    assert [each.holds for each in verdicts] == [None, True, None, True]
    assert "no verdict within the time limit of 0.2 s for one formula" in verdicts[0].reason


@pytest.mark.parametrize("engine", ["lazy", "eager"])
def test_time_for_each_formula_in_python(engine):
    """By a clock that goes on by a second whenever somebody looks at it."""
    budget = Budget(Limits(seconds_each=3000), clock=itertools.count().__next__)
    asked = [parse("AG (EF EG p | EF EG !p)"), parse("EF p")]
    verdicts = ENGINES[engine].check_all(permutations(30), asked, budget=budget)
    assert [each.holds for each in verdicts] == [None, True]
    assert f"{3000} s for one formula" in verdicts[0].reason


@pytest.mark.parametrize("engine", ["demand", "lazy", "onthefly"])
def test_time_for_all_formulas_is_taken_from_the_first(engine):
    """By a clock that stands still, but for the work before."""
    now = 0.0
    budget = Budget(Limits(seconds_each=1000), clock=lambda: now)
    with budget.shared():
        now += 1000
    verdicts = ENGINES[engine].check_all(MODEL, [parse("EF p")] * 2, budget=budget)
    assert [each.holds for each in verdicts] == [None, True]
    assert verdicts[0].reason.endswith("time limit of 1000 s for one formula")


def test_the_sooner_of_both_counts():
    hard = "AG (E [F G p] | E [F G !p])"
    verdicts = pigro.check_all(permutations(40), [hard] * 5, timeout_each=0.2, timeout=0.5)
    assert "0.2 s for one formula" in verdicts[0].reason
    assert verdicts[-1].reason == "no verdict within the time limit of 0.5 s"


@pytest.mark.parametrize("limit", ["timeout_each", "timeout", None])
def test_a_proof_never_costs_the_verdict(monkeypatch, limit):
    """Where there is no memory to prove, there is a verdict all the same."""
    model = permutations(12)
    hard = "AG (EF EG p | EF EG !p)"
    how = {} if limit is None else {limit: 3600}
    plain = pigro.check_all(model, [hard], **how)[0]
    assert plain.holds is True
    taken = []

    def poll(self):
        taken.append(1)
        raise OutOfMemory("memory limit of 1 MB")

    monkeypatch.setattr(Budget, "poll", poll)
    verdict = pigro.check_all(model, [hard], certify=True, **how)[0]
    assert verdict.holds is True
