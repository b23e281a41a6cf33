"""Threads of a batch: never more than formulas and their operands, and fewer if no more can start.

Threads that share a model: path formulas and their certificates come out as they do alone.
"""

import os
import random
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

import pigro
from benchmarks.generators.models import call_graph, permutations
from pigro.certificates.native_checker import check_certificates_natively
from pigro.engines import ENGINES
from pigro.engines.native import DEMAND
from pigro.limits import Budget
from pigro.logic import parse

from oracle.generate import random_machine
from support.agreement.ctl import as_model

HARD = "AG (E [F G p] | E [F G !p])"


def threads():
    return len(list(Path("/proc/self/task").iterdir()))


def threads_come_down_to(number):
    """Waits for it: the system lists a thread for a moment after others have joined it."""
    patience = time.monotonic() + 60
    while threads() > number and time.monotonic() < patience:
        time.sleep(0.001)
    return threads() == number


OPERANDS = (
    "A [p U q]",
    "!(EF p & EG q)",
    "EX q | A [!p U q]",
    "EX p & (AG p | E [q U p]) & EG !q",
    "p -> (AF q & EF (p & EX q))",
    "E [G F p] | EF q | EG p",
)
"""Some over labels alone, some not, and some that the first one makes needless."""


def counts(verdict):
    stats = verdict.stats
    return verdict.holds, stats.contexts, stats.visited, stats.passes


def test_operands_of_one_formula_on_threads_of_their_own(monkeypatch):
    """Verdicts and counts are those of one thread."""
    monkeypatch.setattr(os, "cpu_count", lambda: 5)
    found = set()
    for seed in range(150):
        model = as_model(random_machine(random.Random(seed)))
        for text in OPERANDS:
            runs = [DEMAND.check_all(model, [parse(text)], jobs=jobs) for jobs in (1, 2, 5)]
            (one,), (two,), (five,) = runs
            assert counts(one) == counts(two) == counts(five)
            found.add((text, one.holds))
    assert len(found) == 2 * len(OPERANDS)


def large_model():
    """One on which a search takes some milliseconds."""
    return call_graph(300_000)


def test_a_second_operand_has_a_thread(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    model, formula = large_model(), parse("A [!q U end]")
    before = threads()
    seen = []
    for _ in range(50):
        budget = Budget(tick=lambda: seen.append(threads()))
        (verdict,) = DEMAND.check_all(model, [formula], jobs=2, budget=budget)
        assert verdict.holds
        if max(seen, default=0) > before:
            break
    assert max(seen) == before + 1
    assert threads_come_down_to(before)


def test_threads_of_operands_end_with_the_check(monkeypatch):
    monkeypatch.setattr(os, "cpu_count", lambda: 2)

    class Enough(Exception):
        pass

    def stop():
        raise Enough

    model, formula = large_model(), parse("A [!q U end]")
    before = threads()
    stopped = 0
    for _ in range(20):
        try:
            DEMAND.check_all(model, [formula], jobs=2, budget=Budget(tick=stop))
        except Enough:
            stopped += 1
        assert threads_come_down_to(before)
    assert stopped


NEEDLESS = "EF p | " + " | ".join(f"EG !q{i}" for i in range(8))
"""The first operand decides."""


def test_memory_of_needless_operands_changes_no_verdict():
    done = subprocess.run(
        [sys.executable, "-c", MEMORY, NEEDLESS], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, "True\n" * 3), done.stderr


MEMORY = """
import os, sys
os.cpu_count = lambda: 9
import pigro
from benchmarks.generators.models import call_graph
from pigro._core import resident_memory
model = call_graph(300_000)
for more in (30, 60, 90):
    limit = resident_memory() + more * 10**6
    (verdict,) = pigro.check_all(model, [sys.argv[1]], jobs=9, memory=limit)
    print(verdict.holds)
"""


def test_never_more_threads_than_formulas():
    counts = []

    class Enough(Exception):
        pass

    def tick():
        counts.append(threads())
        if len(counts) > 20:
            raise Enough

    before = threads()
    with pytest.raises(Enough):
        ENGINES["demand"].check_all(
            permutations(40), [parse(HARD), parse("EF p")], jobs=40_000, budget=Budget(tick=tick)
        )
    assert max(counts) - before <= 2
    assert threading.active_count() == 1


@pytest.mark.parametrize("jobs", [40_000, 2**31, 10**30])
def test_any_number_of_jobs(jobs):
    verdicts = pigro.check_all(permutations(3), ["EF p", "AG p", "EF p"], jobs=jobs)
    assert [verdict.holds for verdict in verdicts] == [True, False, True]


FEW = """
import resource, sys
import pigro
from benchmarks.generators.models import permutations
model = permutations(6)
pigro.check(model, "EF p")
room = int(sys.argv[1]) * 2**20
used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (used + room, used + room))
verdicts = pigro.check_all(model, ["EF p", "AG p"] * 200, jobs=400, memory=10**9)
print([each.holds for each in verdicts] == [True, False] * 200)
"""
"""Room for a few stacks of threads only."""


@pytest.mark.parametrize("room", [6, 80, 300])
def test_fewer_if_no_more_can_be_started(room):
    done = subprocess.run(
        [sys.executable, "-c", FEW, str(room)], capture_output=True, text=True, timeout=300
    )
    assert (done.returncode, done.stdout) == (0, "True\n"), done.stderr


PATHS = (
    "A [G (p -> F q)]",
    "E [G F p & G F !p]",
    "A [G F p -> G F (p & E [X X p])]",
    "E [F (p & E [G (F !p)])]",
)


def test_threads_share_a_model():
    """Path formulas in two batches at a time, each on two threads, with certificates that are checked there."""
    model = permutations(4)
    asked = [parse(text) for text in PATHS]
    engine = replace(DEMAND, certify=True, certify_paths=True)

    def checked(_: object):
        found = []
        for verdict in engine.check_all(model, asked, jobs=2):
            data = verdict.certificate.to_bytes()
            [answer] = check_certificates_natively(model, data)
            assert answer.problem is None
            found.append((verdict.holds, verdict.stats.visited, data))
        return found

    with ThreadPoolExecutor(2) as pool:
        told = list(pool.map(checked, range(6)))
    assert told == [checked(None)] * 6
    assert {each[0] for each in told[0]} == {True, False}
