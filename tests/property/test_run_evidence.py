"""No wrong evidence of runs is accepted.

Evidence for random formulas of CTL* on random structures is changed, one to three changes each. What
the replay accepts is judged by the oracle: every state, step, fact and claim must be right, and the
run must show what it should, in all ways to go on that are tried. PIGRO_RUN_MUTANTS says how many
are made, PIGRO_RUN_SEED which.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import pairwise, product
from random import Random

from pigro.evidence import Path, State, WrongEvidence, replay_run, run_evidence
from pigro.logic import Op, parse

from oracle.star_formula import LEAVES, is_state_formula, no, operands, random_star, to_text
from oracle.star_lasso import holds_on, lassos
from oracle.star_structures import random_structure
from oracle.star_tableau import CONNECTIVES
from support.judges.star_decider import OracleDecider
from support.selection.cases import FEW_CASES, first_seed, number_of_cases

MUTANTS = number_of_cases("PIGRO_RUN_MUTANTS", 20_000)
SEED = first_seed("PIGRO_RUN_SEED")
OF_EACH = 30
FURTHER = 4
"""How many states more are tried where a run may go on in any way."""
KINDS = ("label", "boolean", "run", "claim", "path")
ENDS = ("here", "loop", "stays", "pump")


def some_formula(rng):
    """A formula outside of CTL. Mostly A, E or a path formula, some booleans over A and E."""
    while True:
        found = random_star(rng, ("p", "q"), rng.randint(2, 5))
        if rng.random() < 0.3:
            other = random_star(rng, ("p", "q"), rng.randint(1, 3))
            found = (rng.choice(("and", "or", "xor", "implies", "iff")), found, other)
        formula = parse(to_text(found))
        if not formula.is_ctl:
            return formula


def test_no_wrong_evidence_is_accepted():
    rng, made, accepted, kinds = Random(SEED), 0, 0, Counter()
    while made < MUTANTS:
        formula = some_formula(rng)
        decider = OracleDecider(
            random_structure(rng, 4, ("p", "q")), formula, cut=rng.random() < 0.4
        )
        try:
            evidence = run_evidence(decider.model, formula, decider.start, decider)
        except AssertionError as error:
            assert "no short run" in str(error)
            continue
        replay_run(decider.model, formula, decider.holds, evidence, decider.value)
        judge(decider, evidence)
        for _ in range(OF_EACH):
            mutant = evidence
            for _ in range(rng.randint(1, 3)):
                mutant = mutated(rng, decider, mutant)
            if mutant == evidence:
                continue
            made += 1
            try:
                replay_run(decider.model, formula, decider.holds, mutant, decider.value)
            except WrongEvidence as why:
                kinds[str(why)] += 1
            else:
                accepted += 1
                judge(decider, mutant)
    print(f"{made} mutants, {accepted} accepted, all right; refused: {dict(kinds)}")
    assert 0 < accepted < made / 2
    assert FEW_CASES or len(kinds) > 20


# --- changes ----------------------------------------------------------------------------------------


def mutated(rng, decider, evidence):
    """One change, at the root or in one of its parts."""
    if evidence.parts and rng.random() < 0.7:
        at = rng.randrange(len(evidence.parts))
        parts = list(evidence.parts)
        parts[at] = mutated(rng, decider, parts[at])
        return replace(evidence, parts=tuple(parts))
    changes = [other_part, other_truth, other_kind, other_state, fewer_parts]
    if evidence.path is not None:
        changes += [other_run, other_end, other_facts] * 8
    return rng.choice(changes)(rng, decider, evidence)


def other_part(rng, decider, at):
    return replace(at, part=rng.randrange(-1, len(decider.formula) + 1))


def other_truth(rng, decider, at):
    return replace(at, truth=not at.truth)


def other_kind(rng, decider, at):
    return replace(at, kind=rng.choice(KINDS))


def other_state(rng, decider, at):
    return replace(at, state=State((), rng.choice(decider.nodes)))


def fewer_parts(rng, decider, at):
    kept = tuple(part for part in at.parts if rng.random() < 0.6)
    return replace(at, parts=kept)


def other_run(rng, decider, at):
    states = list(at.path.states)
    where = rng.randrange(len(states))
    roll = rng.random()
    if roll < 0.3:
        states[where] = State((), rng.choice(decider.nodes))
    elif roll < 0.5 and len(states) > 1:
        del states[where]
    elif roll < 0.8:
        states = walk(rng, decider, states[: where + 1], rng.randint(1, 3))
    else:
        states.insert(where, states[where])
    facts = tuple((node, (*truths, *[None] * 9)[: len(states)]) for node, truths in at.facts)
    return replace(at, path=replace(at.path, states=tuple(states)), facts=facts)


def walk(rng, decider, states, count):
    """Some steps more, which are right."""
    states = list(states)
    for _ in range(count):
        number = decider.nodes.index(states[-1].node)
        after = decider.structure.after(number)
        if after:
            states.append(State((), decider.nodes[rng.choice(after)]))
    return states


def other_end(rng, decider, at):
    count = len(at.path.states)
    start = rng.choice((None, *range(count), count))
    return replace(at, path=replace(at.path, ends=rng.choice(ENDS), start=start))


def other_facts(rng, decider, at):
    count = len(at.path.states)
    if at.facts and rng.random() < 0.7:
        number = rng.randrange(len(at.facts))
        node, truths = at.facts[number]
        where = rng.randrange(count + 1)
        new = (*truths[:where], rng.choice((None, True, False)), *truths[where + 1 :])
        changed = [*at.facts]
        changed[number] = (node, new)
        return replace(at, facts=tuple(changed))
    node = rng.randrange(len(decider.formula))
    truths = tuple(rng.choice((None, True, False)) for _ in range(count))
    return replace(at, facts=(*at.facts, (node, truths)))


# --- the judge --------------------------------------------------------------------------------------


def judge(decider, evidence):
    """All of it is right, by the oracle."""
    assert evidence.state == decider.start
    assert evidence.part == decider.root
    assert evidence.truth is decider.holds
    for at in (evidence, *evidence.parts):
        meant = decider.parts[at.part]
        assert decider.value(at.part, at.state) is at.truth
        if at.kind == "run":
            judge_run(decider, at)
        elif at.kind == "boolean":
            assert is_state_formula(meant)
            assert decides(meant, {decider.parts[each.part]: each.truth for each in at.parts}, at)
        elif at.kind == "label":
            assert meant[0] in ("atom", "true", "false")
        else:
            assert at.kind == "claim"


def decides(meant, told, at):
    """Whether all values of what is not told give the same."""
    leaves = sorted({*leaves_of(meant)}, key=str)
    choices = [(told[leaf],) if leaf in told else (False, True) for leaf in leaves]
    return {
        truth(meant, dict(zip(leaves, values, strict=True))) for values in product(*choices)
    } == {at.truth}


def leaves_of(meant):
    if meant[0] in (*LEAVES, "true", "false"):
        return [meant]
    return [leaf for operand in operands(meant) for leaf in leaves_of(operand)]


def truth(meant, known):
    if meant in known:
        return known[meant]
    sides = [truth(each, known) for each in operands(meant)]
    return not sides[0] if meant[0] == "not" else CONNECTIVES[meant[0]](*sides)


def judge_run(decider, at):
    states = [decider.nodes.index(state.node) for state in at.path.states]
    structure = decider.structure
    assert at.path.states[0] == at.state
    assert all(after in structure.after(before) for before, after in pairwise(states))
    for node, truths in at.facts:
        for state, told in zip(at.path.states, truths, strict=True):
            assert told is None or decider.value(node, state) is told
    some = decider.formula.ops[at.part] == Op.E
    body = decider.formula.left[at.part] if some else at.part
    if decider.formula.ops[at.part] == Op.A:
        body = decider.formula.left[at.part]
    meant = decider.parts[body] if some else no(decider.parts[body])
    for whole, loop in runs(structure, states, at.path):
        word = [decider._letter(state) for state in whole]
        assert holds_on(meant, word, loop), (to_text(meant), whole, loop)


def runs(structure, states, path: Path):
    """The run, or, if it may go on in any way, some of those ways."""
    last = states[-1]
    if path.ends == "loop":
        assert states[path.start] in structure.after(last)
        yield states, path.start
    elif path.ends == "stays":
        after = structure.after(last)
        assert after in ((), (last,))
        yield states, len(states) - 1 if after else None
    else:
        assert path.ends == "here"
        for more, loop in lassos(structure, last, FURTHER):
            at = None if loop is None else len(states) - 1 + loop
            yield [*states[:-1], *more], at
