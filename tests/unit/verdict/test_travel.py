"""Verdicts, evidence and certificates are pickled, copied and compared, and leave their model behind."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys

import pytest

import pigro
from pigro.evidence import replay, replay_strategy
from pigro.evidence.states import Stack
from pigro.verdict import SubjectSummary

from support.evidence.documents import document_of
from support.samples.deep_calls import deep_calls


def loop():
    return pigro.kripke({"a": ["b"], "b": ["a", "b"]}, labels={"b": ["p"]}, initial=["a", "b"])


def pair():
    one = pigro.PartBuilder("one", labels=["p", "go"]).state("a", "p", initial=True).step("a", "a")
    two = pigro.PartBuilder("two", labels=["q", "go"]).state("b", initial=True).step("b", "b")
    return pigro.Composition([one.build(), two.build()])


class Counter:
    initial = 0

    def successors(self, state):
        return [state + 1]

    def labels(self, state):
        return ["big"] if state > 3 else []


VERDICTS = {
    "holds": lambda: pigro.check(loop(), "EF p"),
    "several initial nodes": lambda: pigro.check(loop(), "p"),
    "evidence": lambda: pigro.check(loop(), "AG EF p", witness=True),
    "deep": lambda: pigro.check(deep_calls(400), "EF goal", witness=True),
    "certificate": lambda: pigro.check(loop(), "AG EF p", certify=True, verify=True),
    "CTL*": lambda: pigro.check(loop(), "E [G F p]", witness=True),
    "mu-calculus": lambda: pigro.check(loop(), "nu X. <> X"),
    "unknown": lambda: pigro.check(loop(), "EF p", timeout=1e-9),
    "composition": lambda: pigro.compose_check(pair(), "nu Z. p & <> Z", witness=True),
    "refinement": lambda: pigro.compose_check(pair(), "nu Z. p & <> Z", method="refine"),
    "system": lambda: pigro.check(Counter(), "AG !big"),
}


@pytest.fixture(params=VERDICTS)
def verdict(request):
    return VERDICTS[request.param]()


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
def test_a_pickled_verdict_says_the_same(verdict, protocol):
    again = pickle.loads(pickle.dumps(verdict, protocol))
    assert isinstance(again.subject, SubjectSummary)
    assert (again.holds, again.outcome, again.reason) == (
        verdict.holds,
        verdict.outcome,
        verdict.reason,
    )
    assert (again.stats, again.details) == (verdict.stats, verdict.details)
    assert (again.evidence, again.certificate) == (verdict.evidence, verdict.certificate)
    assert again == pickle.loads(pickle.dumps(again, protocol))
    assert again.on(verdict.subject) == verdict
    if again.subject.digest:
        assert again == verdict


def test_copies_are_the_same(verdict):
    for each in (copy.copy(verdict), copy.deepcopy(verdict)):
        assert each == verdict
        assert each.subject is verdict.subject


def test_all_that_is_in_a_verdict_travels_alone(verdict):
    for each in (verdict.evidence, verdict.certificate, verdict.details, verdict.stats):
        if each is not None:
            assert pickle.loads(pickle.dumps(each)) == each
            assert copy.copy(each) == each
            assert copy.deepcopy(each) == each


def test_a_verdict_leaves_its_model_behind():
    small, large = (
        len(pickle.dumps(pigro.check(deep_calls(depth), "EX true"))) for depth in (10, 5000)
    )
    assert large <= small + 10


def test_a_verdict_is_about_one_model():
    verdict = pickle.loads(pickle.dumps(pigro.check(loop(), "p")))
    assert verdict.on(loop().with_initial([0])).subject.initial == loop().initial
    with pytest.raises(pigro.UsageError, match="another model"):
        verdict.on(deep_calls(3))
    with pytest.raises(pigro.UsageError, match="another model"):
        verdict.on(pair())


def test_a_verdict_is_about_one_reading_of_its_model(tmp_path):
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start")
    main.node("end", labels=["done"])
    main.edge("start", "end")
    pigro.save(model.build(initial="main:start"), tmp_path / "small.rsm")
    stutters = pigro.load(tmp_path / "small.rsm")
    stops = pigro.load(tmp_path / "small.rsm", dead_ends="stop")
    verdict = pickle.loads(pickle.dumps(pigro.check(stutters, "AG EX true")))
    assert verdict.holds
    assert pigro.check(stops, "AG EX true").holds is False
    assert verdict.on(stutters).holds
    with pytest.raises(pigro.UsageError, match="reads the model in another way"):
        verdict.on(stops)


def test_verdicts_differ():
    model = loop()
    one, other = pigro.check(model, "EF p"), pigro.check(deep_calls(3), "EF goal")
    assert one != other
    assert one != "EF p"
    assert len({one, one}) == 1


def test_a_deep_run_is_pickled_with_each_stack_once():
    small, large = (
        len(pickle.dumps(pigro.check(deep_calls(depth), "EF goal", witness=True)))
        for depth in (1000, 4000)
    )
    assert large < 5 * small


def test_deep_runs_are_compared_stack_by_stack_once(monkeypatch):
    verdict = pigro.check(deep_calls(1000), "AG !goal", witness=True)
    again = pickle.loads(pickle.dumps(verdict))
    seen, look = [0], Stack.__hash__

    def counted(stack):
        seen[0] += 1
        return look(stack)

    monkeypatch.setattr(Stack, "__hash__", counted)
    assert verdict == again
    assert 0 < seen[0] < 30_000


def test_certificates_are_still_checked_after_a_journey():
    verdict = pigro.check(loop(), "AG EF p", certify=True)
    again = pickle.loads(pickle.dumps(verdict.certificate))
    assert again == verdict.certificate
    assert again != pigro.check(loop(), "EF p", certify=True).certificate
    (checked,) = pigro.check_certificates(loop(), again.to_bytes())
    assert checked.problem is None
    replay(loop(), again.to_bytes(), verdict.evidence)


def test_a_rejected_certificate_is_pickled():
    from pigro.engines.proving import RejectedCertificate

    error = RejectedCertificate(pigro.check(loop(), "EF p", certify=True), "it is wrong")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.code, again.hint) == (str(error), error.code, error.hint)
    assert (again.problem, again.verdict) == (error.problem, error.verdict)


CHILD = """
import pickle, sys
from pigro.evidence import replay
model, verdict = pickle.load(sys.stdin.buffer)
verdict = verdict.on(model)
replay(model, verdict.certificate.to_bytes(), verdict.evidence)
sys.stdout.buffer.write(pickle.dumps(verdict))
"""


def test_a_verdict_goes_to_another_process_and_back():
    model = deep_calls(50)
    verdict = pigro.check(model, "EF goal", certify=True, witness=True)
    sent = pickle.dumps((model, verdict))
    done = subprocess.run(
        [sys.executable, "-c", CHILD], input=sent, stdout=subprocess.PIPE, check=True, timeout=120
    )
    back = pickle.loads(done.stdout)
    assert back == verdict
    again = back.on(model)
    replay(model, again.certificate.to_bytes(), again.evidence)
    assert document_of(again)


def test_other_evidence_is_replayed_after_a_journey():
    verdict = pickle.loads(pickle.dumps(VERDICTS["CTL*"]()))
    assert document_of(verdict.on(loop()))
    verdict = pickle.loads(pickle.dumps(VERDICTS["composition"]()))
    replay_strategy(pair(), verdict.evidence)
