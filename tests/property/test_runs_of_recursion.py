"""CTL* on recursive machines: every verdict has evidence that replays, and no wrong evidence does.

Runs and claims for random formulas on random machines, half of them rings of calls, are judged by
the oracle, pumps in all of their rounds. They are then spoiled by one to three changes. Evidence
that the replay still accepts must be right by the oracle. `PIGRO_RECURSION_RUNS` asks for more
machines, with 4 formulas each.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

import pytest

from pigro.engines.recursion.evidence import RunEvidenceEngine
from pigro.engines.recursion.recheck import deciders
from pigro.evidence import State, WrongEvidence, replay_run
from pigro.logic import parse

from oracle.star_cases import star_case
from oracle.star_formula import to_text
from oracle.star_pushdown import TooLarge
from support.agreement.ctl import as_model
from support.certificates.star_traps import TRAPS
from support.judges.runs import RecursionJudge
from support.selection.cases import FEW_CASES, START, number_of_cases, seeds

MACHINES = number_of_cases("PIGRO_RECURSION_RUNS", 500)
CHUNKS = 5
SPOILED = 10
"""Of each piece of evidence."""
SHOWER = RunEvidenceEngine()
ENDS = ("here", "loop", "pump", "stays")

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: f"{trap.mistake}: {trap.formula}")
def test_machines_that_catch_a_mistake(trap):
    model, asked = as_model(trap.machine), parse(trap.formula)
    if asked.is_ctl:
        return
    verdict = SHOWER(model, asked)
    assert verdict.holds is trap.holds
    replay_run(model, asked, verdict.holds, verdict.evidence, *deciders(model, asked))
    RecursionJudge(trap.machine, asked).judge(verdict.evidence)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_runs_are_right_and_spoiled_ones_are_refused(chunk):
    rng, shown, why = Random(START + chunk), Counter(), Counter()
    for seed in seeds(MACHINES, chunk, CHUNKS):
        machine, formulas = star_case(seed)
        for asked in (parse(to_text(each)) for each in formulas):
            try:
                judge = RecursionJudge(machine, asked)
            except TooLarge:
                continue
            if asked.is_ctl:
                continue
            verdict = SHOWER(judge.model, asked)
            evidence = verdict.evidence
            judge.judge(evidence)
            replay_run(judge.model, asked, verdict.holds, evidence, judge.value, judge.on_path)
            if seed % 10 == chunk:
                told = deciders(judge.model, asked)
                replay_run(judge.model, asked, verdict.holds, evidence, *told)
            for each in (evidence, *evidence.parts):
                shown[each.path.ends if each.path else each.kind] += 1
            for _ in range(SPOILED):
                why[refusal(judge, verdict.holds, spoiled(rng, judge, evidence))] += 1
    print(f"{dict(shown)}; spoiled: {dict(why)}")
    assert FEW_CASES or all(shown[each] > 0 for each in (*ENDS, "claim"))
    assert why[None] < why.total() / 2


def refusal(judge, holds, evidence):
    """Why the replay refuses evidence. None if it is accepted, which must be right."""
    formula = judge.formula
    try:
        replay_run(judge.model, formula, holds, evidence, judge.value, judge.on_path)
    except WrongEvidence as error:
        return str(error)
    assert evidence.truth is holds
    judge.judge(evidence)
    return None


def spoiled(rng, judge, evidence):
    """The evidence with one to three changes."""
    for _ in range(rng.randint(1, 3)):
        evidence = changed(rng, judge, evidence)
    return evidence


def changed(rng, judge, at):
    if at.parts:
        parts = list(at.parts)
        number = rng.randrange(len(parts))
        parts[number] = changed(rng, judge, parts[number])
        return replace(at, parts=tuple(parts))
    changes = [other_truth, other_kind]
    if at.path is not None:
        changes += [other_state, other_stack, other_length, other_end, other_start] * 2
        changes += [other_fact] * (4 if at.facts else 1)
    return rng.choice(changes)(rng, judge, at)


def other_truth(_rng, _judge, at):
    return replace(at, truth=not at.truth)


def other_kind(rng, _judge, at):
    return replace(at, kind=rng.choice(("label", "boolean", "run", "claim", "path")))


def with_states(at, states):
    facts = tuple((node, (*truths, *[None] * 9)[: len(states)]) for node, truths in at.facts)
    return replace(at, path=replace(at.path, states=tuple(states)), facts=facts)


def other_state(rng, judge, at):
    states = list(at.path.states)
    where, core = rng.randrange(len(states)), judge.model.core
    nodes = [node for node in range(core.nodes) if core.kind(node).name != "CALL"]
    stack = rng.choice(states).stack
    here = [node for node in nodes if not stack or core.callee(stack.box) == core.component(node)]
    states[where] = State(stack, rng.choice(here))
    return with_states(at, states)


def other_stack(rng, judge, at):
    states = list(at.path.states)
    where = rng.randrange(len(states))
    boxes = list(states[where].stack)
    if boxes and rng.random() < 0.5:
        boxes[rng.randrange(len(boxes))] = rng.randrange(judge.model.core.boxes)
    elif boxes:
        boxes.pop(rng.randrange(len(boxes)))
    elif judge.model.core.boxes:
        boxes.append(rng.randrange(judge.model.core.boxes))
    states[where] = State(boxes, states[where].node)
    return with_states(at, states)


def other_length(rng, judge, at):
    """A state less, or one more that is a step of the machine if there is any."""
    from pigro.evidence import Steps

    states = list(at.path.states)
    where = rng.randrange(len(states))
    if rng.random() < 0.5 and len(states) > 1:
        del states[where]
        return with_states(at, states)
    after = Steps(judge.model).maximal_next(states[-1])
    states.append(rng.choice(after) if after else states[where])
    return with_states(at, states)


def other_end(rng, _judge, at):
    return replace(at, path=replace(at.path, ends=rng.choice(ENDS)))


def other_start(rng, _judge, at):
    start = rng.choice((None, *range(len(at.path.states) + 1)))
    return replace(at, path=replace(at.path, start=start))


def other_fact(rng, judge, at):
    count = len(at.path.states)
    if not at.facts:
        node = rng.randrange(len(judge.formula))
        return replace(at, facts=((node, tuple([rng.choice((None, True))] * count)),))
    number = rng.randrange(len(at.facts))
    node, truths = at.facts[number]
    where = rng.randrange(len(truths))
    new = (*truths[:where], rng.choice((None, True, False)), *truths[where + 1 :])
    facts = [*at.facts]
    facts[number] = (node, new)
    return replace(at, facts=tuple(facts))
