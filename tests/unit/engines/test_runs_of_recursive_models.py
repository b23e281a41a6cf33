"""Evidence of CTL* on recursive models: runs whose stacks may grow forever, and its replay."""

from dataclasses import replace
from pathlib import Path

import pytest

import pigro
from pigro.engines.native import NativeEngine
from pigro.engines.recursion.evidence import RunEvidenceEngine
from pigro.engines.recursion.recheck import deciders
from pigro.evidence import EMPTY, RunEvidence, State, WrongEvidence, replay_run
from pigro.evidence import Path as Run
from pigro.logic import Op, parse

from support.agreement.ctl import as_model
from support.certificates.star_traps import machine_of
from support.judges.runs import RecursionJudge

CHOICES = Path(__file__).resolve().parents[3] / "examples" / "choices.rsm"


@pytest.mark.parametrize("timeout", [None, 60])
def test_a_run_is_shown(timeout):
    verdict = pigro.check(pigro.load(CHOICES), "E [F G black]", witness=True, timeout=timeout)
    assert (verdict.holds, verdict.engine, verdict.evidence.depth) == (True, "demand", None)
    assert verdict.evidence.path.ends == "stays"


def test_stacks_that_must_grow_are_shown():
    """`b1` calls its own component. Nothing else goes on forever without a color."""
    model = pigro.load(CHOICES)
    verdict = pigro.check(model, "A [G F (white | black)]", witness=True)
    assert verdict.holds is False
    path = verdict.evidence.path
    assert path.ends == "pump"
    more = path.states[-1].stack.above(len(path.states[path.start].stack))
    assert [model.names.boxes[box] for box in more] == ["b1"]


@pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")
def test_claims_about_all_runs_are_told():
    verdict = pigro.check(pigro.load(CHOICES), "E [G F missing]", witness=True)
    assert (verdict.holds, verdict.evidence.kind) == (False, "claim")


@pytest.mark.parametrize(
    "lie",
    [
        lambda told: replace(told, holds=not told.holds),
        lambda told: replace(
            told,
            holds=not told.holds,
            certificate=replace(told.certificate, holds=not told.holds),
        ),
        lambda told: replace(told, holds=not told.holds, certificate=None),
    ],
    ids=["another verdict", "another certificate", "no certificate"],
)
@pytest.mark.parametrize("formula", ["E [F G black]", "A [G F (white | black)]", "EF black"])
def test_a_wrong_answer_is_noticed_in_replay(monkeypatch, formula, lie):
    model, asked = pigro.load(CHOICES), parse(formula)
    start = State(EMPTY, model.initial[0])
    root = len(asked) - 1
    assert deciders(model, asked)[0](root, start) is pigro.check(model, asked).holds
    sound = NativeEngine.check_all

    def lying(*args, **options):
        return [lie(told) for told in sound(*args, **options)]

    monkeypatch.setattr(NativeEngine, "check_all", lying)
    assert deciders(model, asked)[0](root, start) is None


def test_marks_are_collected_by_several_ways_through_a_call():
    """Each round calls once for p and once for q: no way through the call has both."""
    machine = machine_of(
        ("0>; 1; 0->b0.0 b0.3->b0.0", "0> 1[p] 2[q] 3!;; 0->1 0->2 1->3 2->3"),
    )
    asked = parse("E [G F p & G F q]")
    verdict = RunEvidenceEngine()(as_model(machine), asked)
    RecursionJudge(machine, asked).judge(verdict.evidence)
    assert verdict.evidence.path.ends == "loop"


def test_no_number_of_rounds_is_enough():
    """At q, `EX EX p` is true in the first round only: from there the run can leave all calls."""
    machine = machine_of(
        ("0> 1[p]; 1; 0->b0.0 b0.1->1", "0>[q] 1!; 1; 0->1 0->b0.0 b0.1->1"),
    )
    model, asked = as_model(machine), parse("E [G F (q & E [X X p])]")
    assert RunEvidenceEngine()(model, asked).holds is False
    start, entry = model.find("C0:n0"), model.find("C1:n0")
    states = (State((), start), State((0,), entry), State((0, 1), entry))
    inner = asked.ops.index(Op.E)
    for truths in ((None, True, True), (None, True, None), (None, None, True)):
        run = Run(states, "pump", 1)
        false = RunEvidence(len(asked) - 1, True, states[0], "run", run, facts=((inner, truths),))
        for told in (deciders(model, asked), by_oracle(machine, asked)):
            with pytest.raises(WrongEvidence, match=r"a fact|does not show"):
                replay_run(model, asked, True, false, *told)


def by_oracle(machine, asked):
    judge = RecursionJudge(machine, asked)
    return judge.value, judge.on_path


def test_a_run_that_is_exponential_is_not_made():
    """Each of 21 procedures calls the next one twice, and p is inside the last."""
    chain = [f"0> 1!; {i} {i}; 0->b0.0 b0.1->b1.0 b1.1->1" for i in range(2, 23)]
    machine = machine_of(("0> 1[p]; 1 0; 0->b0.0 b0.1->1 0->b1.0 1->1", *chain, "0> 1!;; 0->1"))
    model = as_model(machine)
    verdict = pigro.check(model, "E [F G p]", witness=True)
    assert (verdict.holds, verdict.evidence) == (True, None)
