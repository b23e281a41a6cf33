"""The native follower: what it refuses, how it is stopped, and that evidence is made once."""

import gc
from pathlib import Path
from weakref import ref

import pytest

import pigro
from pigro import _core
from pigro.certificates import Malformed
from pigro.evidence import evidence_for, evidence_of
from pigro.evidence.tree.following import CertificateFollower, SharedFollower
from pigro.logic import existential_normal_form, parse
from pigro.render.html import render_html

from support.samples.deep_calls import deep_calls

DATAFLOW = Path(__file__).resolve().parents[3] / "examples" / "dataflow.rsm"


@pytest.fixture
def opened():
    """A certificate of EF goal, opened by the native follower alone."""
    model = deep_calls(3)
    certificate = pigro.check(model, "EF goal", certify=True).certificate
    follower = _core.Follower(model.core, _core.DeadEnds.STUTTER)
    form = existential_normal_form(parse("EF goal"))
    arrays = (memoryview(form.ops), memoryview(form.left), memoryview(form.right))
    follower.open(certificate.body, *arrays, [model.label_ids["goal"]])
    return follower


def test_a_path(opened):
    stacks, nodes, ends, start, _ = opened.path(0, 0, 0)
    assert (stacks, len(nodes), ends, start) == ([0, 1, 2], 3, "here", None)
    assert opened.stacks_from(0) == [(0, 0), (1, 1)]
    assert opened.values(0, stacks, nodes) == b"\1\1\1"


@pytest.mark.parametrize(
    "ask",
    [
        lambda it: it.values(1, [0], [0]),
        lambda it: it.values(-1, [0], [0]),
        lambda it: it.values(0, [1], [0]),
        lambda it: it.values(0, [0], [-1]),
        lambda it: it.values(0, [0], [1000]),
        lambda it: it.path(0, 7, 0),
        lambda it: it.explored(2),
        lambda it: it.push(3, 0),
        lambda it: it.push(0, 2),
    ],
)
def test_what_is_not_there(opened, ask):
    with pytest.raises(IndexError):
        ask(opened)


def test_states_and_stacks_must_fit(opened):
    inner = opened.push(0, 0)
    for ask in (
        lambda: opened.values(0, [inner], [0]),  # the node of another component
        lambda: opened.push(inner, 0),  # a box of another component
        lambda: opened.values(0, [0, 0], [0]),
        lambda: opened.values(0, [0], [2]),  # a call node
    ):
        with pytest.raises(ValueError, match="no such|for each"):
            ask()


def test_bytes_that_are_no_certificate(opened):
    model = deep_calls(3)
    form = existential_normal_form(parse("EF goal"))
    arrays = (memoryview(form.ops), memoryview(form.left), memoryview(form.right))
    with pytest.raises(_core.Malformed):
        opened.open(b"\0\1\1\0" + b"\xff" * 20, *arrays, [0])
    with pytest.raises(IndexError):  # nothing is open
        opened.values(0, [0], [0])
    data = pigro.check(model, "EF goal", certify=True).certificate.to_bytes()
    with pytest.raises(Malformed):
        evidence_for(model, data[:-1])
    with pytest.raises(Malformed, match="one verdict"):
        evidence_for(model, data[:-1][:54])


def test_evidence_is_made_once():
    verdict = pigro.check(deep_calls(3), "EF goal", certify=True)
    assert verdict.evidence is verdict.evidence


def test_evidence_of_one_model_shares_its_states():
    model = deep_calls(4)
    one, other = pigro.check_all(model, ["EF goal", "EF (goal & EF goal)"], certify=True)
    first, second = one.evidence.path.states, other.evidence.path.states
    assert all(a is b for a, b in zip(first, second, strict=True))


def test_two_certificates_at_once_do_not_disturb_each_other():
    model = deep_calls(4)
    one, other = pigro.check_all(model, ["EF goal", "EX EX true"], certify=True)
    with (
        CertificateFollower.of(one.certificate) as first,
        CertificateFollower.of(other.certificate) as second,
    ):
        assert first.shared is not second.shared
        assert (len(first.form), len(second.form)) != (0, 0)
    [idle] = model.kept("idle followers", lambda _: [])
    assert isinstance(idle, SharedFollower)


class Stop(Exception):
    """Raised by a poll."""


def test_polls_stop_the_work():
    model, polls = deep_calls(4000), []

    def poll():
        polls.append(None)
        raise Stop

    verdict = pigro.check(model, "EF goal", certify=True)
    with pytest.raises(Stop):
        evidence_of(verdict.certificate, poll)
    assert len(polls) == 1
    assert evidence_of(verdict.certificate) == verdict.evidence
    assert len(verdict.evidence.path.states) == 4000


def test_a_proof_is_opened_once_for_evidence_and_truths(monkeypatch):
    """The report in HTML asks for more truths than the evidence has."""
    opened = []

    class Counting(SharedFollower):
        def __init__(self, model):
            super().__init__(model)
            self.core = Counted(self.core)

    class Counted:
        def __init__(self, core):
            self.core = core

        def open(self, *args):
            opened.append(args)
            self.core.open(*args)

        def __getattr__(self, name):
            return getattr(self.core, name)

    monkeypatch.setattr("pigro.evidence.tree.following.SharedFollower", Counting)
    model = pigro.load(DATAFLOW)
    first, second = pigro.check_all(model, ["EF use_i", "AG (def_i -> EF use_i)"], certify=True)
    assert len(opened) == 2
    for verdict in (second, second, first):  # the second one is still open
        data = render_html(model, [verdict])
        assert b'"evidence":[{' in data
    assert len(opened) == 3
    assert evidence_of(second.certificate) == second.evidence


def test_what_is_open_keeps_no_proof_alive():
    model = pigro.load(DATAFLOW)
    verdict = pigro.check(model, "EF use_i", certify=True)
    proof = ref(verdict.certificate.proof)
    del verdict
    gc.collect()
    assert proof() is None
