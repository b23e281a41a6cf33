"""Budgets, by a clock and a memory that the test sets."""

import math

import pytest

from pigro.limits import (
    LIMIT_ERRORS,
    Budget,
    Limits,
    OutOfMemory,
    OutOfTime,
    interrupt_in,
    no_poll,
    shared_by_all,
    tick_of,
)
from pigro.limits import budget as budget_module


class Machine:
    """Time and memory as the test says."""

    def __init__(self):
        self.now, self.used = 100.0, 10_000_000

    def budget(self, tick=None, **limits):
        return Budget(Limits(**limits), tick, clock=lambda: self.now, resident=lambda: self.used)


@pytest.fixture
def machine():
    return Machine()


def test_time_counts_from_the_beginning(machine):
    budget = machine.budget(seconds=2)
    machine.now += 1.9
    budget.poll()
    machine.now += 0.1
    with pytest.raises(OutOfTime, match="^time limit of 2 s$"):
        budget.poll()


def test_time_of_one_formula(machine):
    budget = machine.budget(seconds=5, seconds_each=1)
    for _ in range(4):
        one = budget.each()
        machine.now += 0.9
        one.poll()
        machine.now += 0.1
        with pytest.raises(OutOfTime, match="^time limit of 1 s for one formula$"):
            one.poll()
    one = budget.each(spent=0.7)
    machine.now += 0.4
    with pytest.raises(OutOfTime, match="for one formula"):
        one.look()
    one = budget.each()
    machine.now += 0.8
    with pytest.raises(OutOfTime, match="^time limit of 5 s$"):
        one.look()


def test_work_for_all_formulas_takes_the_time_of_the_first(machine):
    budget = machine.budget(seconds_each=1)
    for _ in range(2):
        with shared_by_all(budget.poll):
            machine.now += 0.25
            budget.look()
    machine.now += 5  # other work, for which there is no limit
    budget.look()
    first = budget.each()
    machine.now += 0.25
    first.look()
    machine.now += 0.25
    with pytest.raises(OutOfTime, match="^time limit of 1 s for one formula$"):
        first.look()
    second = budget.each()
    machine.now += 0.75
    second.look()


def test_work_for_all_formulas_ends_with_the_time_of_one(machine):
    budget = machine.budget(seconds_each=1)
    with shared_by_all(budget.poll):
        machine.now += 0.5
    with pytest.raises(OutOfTime, match="for one formula"), shared_by_all(budget.poll):  # noqa: PT012 - in time
        machine.now += 0.25
        budget.look()
        machine.now += 0.25
        budget.look()
    machine.now += 1
    budget.look()


def test_work_that_no_budget_watches_has_no_limit():
    with shared_by_all(no_poll):
        pass


def test_a_poll_looks_every_few_milliseconds_only(machine):
    looks = []
    budget = machine.budget(tick=lambda: looks.append(machine.now))
    for _ in range(100):
        budget.poll()
        machine.now += 0.001
    assert len(looks) == 25


def test_memory(machine):
    budget = machine.budget(memory=300e6)
    budget.look(200_000_000)
    with pytest.raises(OutOfMemory, match="^memory limit of 300 MB$"):
        budget.look(300_000_000)
    machine.used = 300_000_001
    with pytest.raises(MemoryError):
        budget.look()


def test_native_work_tells_how_much_memory_it_takes_next(machine):
    tick = tick_of(machine.budget(memory=300e6).poll)
    tick(290_000_000)
    with pytest.raises(OutOfMemory):
        tick(290_000_001)


def test_native_work_with_any_other_poll():
    calls = []
    tick_of(lambda: calls.append(1))(10**12)
    assert calls == [1]


def test_what_the_allocator_keeps_does_not_count(machine, monkeypatch):
    budget = machine.budget(memory=300e6)
    machine.used = 400_000_000
    calls = []

    def release():
        calls.append("release")
        machine.used = 100_000_000

    monkeypatch.setattr(budget_module._core, "release_memory", release)
    budget.look()
    assert calls == ["release"]


def test_garbage_of_earlier_checks_is_collected_before_one_begins(machine, monkeypatch):
    machine.used = 400_000_000
    calls = []

    def collect():
        calls.append("collect")
        machine.used = 100_000_000

    monkeypatch.setattr(budget_module.gc, "collect", collect)
    machine.budget(memory=300e6).look()
    assert calls == ["collect"]


def test_most_of_what_there_is_if_nothing_is_said(machine, monkeypatch):
    monkeypatch.setattr(budget_module, "available_memory", lambda: 110_000_000)
    budget = machine.budget()
    assert budget.memory == 90_000_000
    machine.used = 90_000_001
    with pytest.raises(OutOfMemory, match="memory limit of 90 MB"):
        budget.look()


def test_a_large_process_may_use_something_too(machine, monkeypatch):
    """80 % of the machine are in use, say by arrays of who calls: a small check has room."""
    monkeypatch.setattr(budget_module, "available_memory", lambda: 100_000_000)
    machine.used = 90_000_000
    machine.budget().look(7_000_000)


@pytest.mark.parametrize("given, there_is", [(math.inf, 100), (10**400, 100), (None, None)])
def test_no_cap(machine, monkeypatch, given, there_is):
    monkeypatch.setattr(budget_module, "available_memory", lambda: there_is)
    budget = machine.budget(memory=given)
    assert budget.memory is None
    budget.look(2**62)


def test_the_tick_may_stop(machine):
    def tick():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        machine.budget(tick=tick).poll()


@pytest.mark.parametrize(
    "end, why",
    [
        (OutOfTime("time limit of 2 s"), "no verdict within the time limit of 2 s"),
        (OutOfMemory("memory limit of 3 MB"), "no verdict within the memory limit of 3 MB"),
        (MemoryError(), "no verdict: the check needs more memory than there is"),
    ],
)
def test_why_there_is_no_verdict(machine, end, why):
    assert isinstance(end, LIMIT_ERRORS)
    assert machine.budget().why_none(end) == why


def test_an_error_on_the_way_of_an_interrupt_is_the_interrupt():
    interrupt = KeyboardInterrupt()
    try:
        try:
            raise interrupt
        except KeyboardInterrupt:
            raise ValueError from OSError()
    except ValueError as error:
        assert interrupt_in(error) is error  # it has another cause
    try:
        try:
            raise interrupt
        finally:
            try:
                raise OSError
            finally:
                {}["gone"]
    except KeyError as error:
        assert interrupt_in(error) is interrupt
    other = ValueError()
    other.__context__ = OSError()
    other.__context__.__context__ = other
    assert interrupt_in(other) is other
