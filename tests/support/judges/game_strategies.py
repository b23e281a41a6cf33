"""Strategies for the mu-calculus on recursive machines: made, judged a second time, and spoiled.

`faults` says which of the rules W1 to W9 a strategy breaks. It is written from their text, with no
care for speed, and shares nothing with the native checker.
"""

from __future__ import annotations

from array import array
from dataclasses import replace
from random import Random
from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines import ENGINES
from pigro.evidence import GameStrategy, WrongEvidence, replay_game
from pigro.evidence.game.strategy import GameClaim, GameFrame, ReturnPromise
from pigro.logic import parse
from pigro.logic.modal import AND, ATOM, BOX, DIAMOND, MU, NEGATED, NU, OR, TRUE, VAR
from pigro.model import DeadEnds

from oracle import mu_pushdown
from oracle.mu_formula import Formula, everything_in, operands, text, with_operands
from oracle.mutate import KINDS, mutate
from support.agreement.ctl import as_model
from support.agreement.mu import mu_case

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.model import RSM

    from oracle.machine import Machine

SHOWING = replace(ENGINES["game"], show=True)


def strategy_for(model: RSM, asked: str) -> GameStrategy | None:
    """The strategy for a formula. None if it is one of CTL."""
    return SHOWING(model, parse(asked)).evidence


def made(strategy: GameStrategy, claims: Sequence[GameClaim], **changed: object) -> GameStrategy:
    """The strategy with other claims."""
    offsets, rows = array("i", [0]), array("i")
    for claim in claims:
        rows.extend([*claim[:4], *claim.rests])
        offsets.append(len(rows))
    return replace(strategy, offsets=offsets, rows=rows, **changed)


def claims_of(strategy: GameStrategy) -> list[GameClaim]:
    return [strategy.claim(at) for at in range(len(strategy))]


def problem(model: RSM, strategy: GameStrategy) -> str | None:
    """What the native checker says."""
    try:
        replay_game(model, strategy)
    except WrongEvidence as error:
        return str(error)
    return None


def faults(model: RSM, strategy: GameStrategy) -> set[str]:  # noqa: PLR0912, PLR0915 - all rules in a row
    """The rules that a strategy breaks."""
    core, form, broken = model.core, strategy.form, set()
    claims, frames, holds = claims_of(strategy), strategy.frames, strategy.holds
    stutters = model.dead_ends is not DeadEnds.STOP
    kinds = _core.NodeKind
    steps: list[tuple[int, int, int]] = []

    def meant(f: int) -> int:
        return form.left[f] if form.ops[f] in (MU, NU) else f

    def chooses(f: int) -> bool:
        return (form.ops[f] in (OR, DIAMOND)) is holds

    def is_(number: int, frame: int, node: int, f: int, seen: int) -> bool:
        seen = 0 if frames[frame].is_bottom else seen
        return claims[number][:4] == (frame, node, meant(f), seen)

    for frame in frames:
        if not 0 <= frame.component < core.components:
            return {"W1"}
        exits = [n for n in core.nodes_of(frame.component) if core.kind(n) is kinds.EXIT]
        good = list(frame.promises) == sorted(set(frame.promises))
        good &= not (frame.is_bottom and frame.promises)
        for exit_, f, seen in frame.promises:
            good &= exit_ in exits and 0 <= f < len(form) and form.ops[f] in (DIAMOND, BOX)
            good &= 0 <= seen <= max(form.priority)
        if not good:
            return {"W1"}
    for claim in claims:
        good = 0 <= claim.frame < len(frames) and 0 <= claim.node < core.nodes
        good = good and core.component(claim.node) == frames[claim.frame].component
        good = good and 0 <= claim.formula < len(form) and meant(claim.formula) == claim.formula
        good = (
            good
            and 0 <= claim.seen <= max(form.priority)
            and not (frames[claim.frame].is_bottom and claim.seen)
        )
        if not good or not all(0 <= each < len(claims) for each in claim.rests):
            return {"W1"}
    for number, (frame, node, f, seen, rests) in enumerate(claims):
        op, kind = form.ops[f], core.kind(node)
        priority = 0
        if op <= NEGATED:
            value = op == TRUE
            if op in (ATOM, NEGATED):
                label = form.atoms[form.left[f]]
                value = (label in model.labels.get(core.subject(node), ())) == (op == ATOM)
            if rests or value is not holds:
                broken.add("W2")
        elif kind is kinds.CALL:
            wanted: list[tuple[bool, int]] = []
            if not rests:
                broken.add("W3")
                continue
            callee = claims[rests[0]].frame
            wanted.append((not frames[callee].is_bottom, 0))
            wanted[0] = (wanted[0][0] and is_(rests[0], callee, core.subject(node), f, 0), 0)
            left = list(rests[1:])
            for exit_, modality, largest in frames[callee].promises:
                back = core.return_node(core.box(node), exit_)
                if back is None and not stutters:
                    wanted.append((not chooses(modality), -1))
                    continue
                if not left:
                    wanted.append((False, -1))
                    continue
                after = left.pop(0)
                at = claims[after].frame
                if back is None:
                    good = frames[at].is_bottom and is_(after, at, exit_, modality, 0)
                else:
                    good = is_(after, frame, back, modality, max(seen, largest))
                wanted.append((good, largest))
            if left or not all(good for good, _ in wanted):
                broken.add("W3")
            else:
                through = [each for _, each in wanted if each >= 0]
                steps += [(number, to, by) for to, by in zip(rests, through, strict=True)]
            continue
        elif op == VAR:
            priority = form.priority[f]
            if len(rests) != 1 or not is_(rests[0], frame, node, form.left[f], max(seen, priority)):
                broken.add("W4")
        elif op in (AND, OR):
            fits = [[is_(each, frame, node, form.left[f], seen) for each in rests]]
            fits.append([is_(each, frame, node, form.right[f], seen) for each in rests])
            if chooses(f):
                good = len(rests) == 1 and (fits[0][0] or fits[1][0])
            else:
                good = len(rests) == 2 and fits[0][0] and fits[1][1]
            if not good:
                broken.add("W5")
        elif kind is kinds.EXIT and not frames[frame].is_bottom:
            if rests or ReturnPromise(node, f, seen) not in frames[frame].promises:
                broken.add("W7")
        else:
            after = list(core.successors(node))
            if kind is kinds.EXIT or (not after and stutters):
                after = [node]
            there = [claims[each].node for each in rests]
            good = all(is_(each, frame, claims[each].node, form.left[f], seen) for each in rests)
            good &= len(rests) == 1 and there[0] in after if chooses(f) else there == after
            if not good:
                broken.add("W6")
        steps += [(number, to, priority) for to in rests]
    if any(
        _has_cycle(len(claims), steps, most)
        for most in {by for *_, by in steps}
        if (most % 2 == 0) is not holds
    ):
        broken.add("W8")
    started = set()
    for start in strategy.starts:
        if not 0 <= start < len(claims) or not frames[claims[start].frame].is_bottom:
            return broken | {"W9"}
        if claims[start].formula != meant(form.root):
            return broken | {"W9"}
        started.add(claims[start].node)
    found = [node in started for node in model.initial]
    if not (all(found) if holds else any(found)):
        broken.add("W9")
    return broken


def _has_cycle(size: int, steps: list[tuple[int, int, int]], most: int) -> bool:
    """Whether a cycle has a step of this priority and none of a larger one."""
    after: list[list[int]] = [[] for _ in range(size)]
    for one, two, by in steps:
        if by <= most:
            after[one].append(two)
    for one, two, by in steps:
        if by != most:
            continue
        seen, pending = {two}, [two]
        while pending:
            for each in after[pending.pop()]:
                if each not in seen:
                    seen.add(each)
                    pending.append(each)
        if one in seen:
            return True
    return False


def spoiled(rng: Random, model: RSM, strategy: GameStrategy) -> GameStrategy:
    """The strategy with one change, which may still be right."""
    claims = claims_of(strategy)
    at = rng.randrange(len(claims))
    claim = claims[at]
    kind = rng.randrange(10)
    if kind == 0:
        return replace(strategy, holds=not strategy.holds)
    if kind == 9:
        return replace(strategy, starts=strategy.starts[1:] or (at,))
    if kind == 1 and claim.rests:  # rests on another claim
        rests = list(claim.rests)
        rests[rng.randrange(len(rests))] = rng.randrange(len(claims))
        claims[at] = claim._replace(rests=tuple(rests))
    elif kind == 2 and claim.rests:  # rests on less
        rests = list(claim.rests)
        del rests[rng.randrange(len(rests))]
        claims[at] = claim._replace(rests=tuple(rests))
    elif kind == 3:  # says something else
        claims[at] = claim._replace(formula=rng.randrange(len(strategy.form)))
    elif kind == 4:
        claims[at] = claim._replace(
            node=rng.choice(list(model.core.nodes_of(model.core.component(claim.node))))
        )
    elif kind == 5:
        claims[at] = claim._replace(seen=rng.randrange(4))
    elif kind == 6:  # promises more, less, or something else
        return replace(strategy, frames=_other_promises(rng, strategy))
    elif kind == 7:  # points to a claim that says the same, or nearly so
        alike = [n for n, each in enumerate(claims) if each[1:3] == claim[1:3] and n != at]
        if alike:
            other = rng.choice(alike)
            claims = [
                each._replace(rests=tuple([other if to == at else to for to in each.rests]))
                for each in claims
            ]
    else:
        frames = list(strategy.frames)
        which = rng.randrange(len(frames))
        frames[which] = replace(frames[which], is_bottom=not frames[which].is_bottom)
        return replace(strategy, frames=tuple(frames))
    return made(strategy, claims)


def _other_promises(rng: Random, strategy: GameStrategy) -> tuple[GameFrame, ...]:
    frames = list(strategy.frames)
    which = rng.randrange(len(frames))
    promises = list(frames[which].promises)
    if promises and rng.random() < 0.7:
        gone = promises.pop(rng.randrange(len(promises)))
        if rng.random() < 0.5:
            promises.append(gone._replace(seen=rng.randrange(4)))
    else:
        known = [each for frame in frames for each in frame.promises]
        promises.append(rng.choice(known) if known else ReturnPromise(0, 0, 0))
    frames[which] = replace(frames[which], promises=tuple(sorted(set(promises))))
    return tuple(frames)


def other_formula(rng: Random, formula: Formula) -> Formula:
    """The formula with one operator turned into its dual. The shape stays."""
    places = [f for f in everything_in(formula) if f[0] in _DUAL]
    if not places:
        return formula
    chosen = rng.choice(places)

    def changed(f: Formula) -> Formula:
        if f is chosen:
            return (_DUAL[f[0]], *f[1:])
        inside = [changed(each) for each in operands(f)]
        return with_operands(f, inside) if inside else f

    return changed(formula)


_DUAL = {"mu": "nu", "nu": "mu", "and": "or", "or": "and", "dia": "box", "box": "dia"}


def truth(machine: Machine, formula: Formula, most: int) -> bool | None:
    """What the oracle says. None where that takes too long."""
    try:
        return all(mu_pushdown.holds_at(machine, formula, most))
    except mu_pushdown.TooLarge:
        return None


def cases(seed: int) -> Iterator[tuple[Machine, RSM, Formula, GameStrategy]]:
    """Machine number `seed` with its formulas, and strategies for them."""
    machine, formulas = mu_case(seed)
    model = as_model(machine)
    for formula in formulas:
        strategy = strategy_for(model, text(formula))
        if strategy is not None:
            yield machine, model, formula, strategy


def wrong_strategies(seed: int, most: int) -> tuple[int, list[str]]:
    """How many strategies of a machine there are, and those that are rejected, or for a wrong verdict."""
    count, found = 0, []
    for machine, model, formula, strategy in cases(seed):
        count += 1
        right = truth(machine, formula, most)
        said = problem(model, strategy)
        if said is not None or right is (not strategy.holds):
            found.append(f"machine {seed}: {text(formula)}: {said}, oracle {right}")
    return count, found


def believed(seed: int, most: int, each: int = 5) -> tuple[int, int, list[str]]:
    """Spoiled strategies of a machine: how many there are and are accepted, and those wrongly so."""
    rng = Random(seed)
    count, accepted, found = 0, 0, []
    for machine, model, formula, strategy in cases(seed):
        for _ in range(each):
            one = spoiled(rng, model, strategy)
            changed, other, asked = machine, model, formula
            if rng.random() < 0.3:
                changed = mutate(rng, machine, rng.choice(KINDS)) or machine
                other = as_model(changed)
            if rng.random() < 0.2:
                asked = other_formula(rng, formula)
            if rng.random() < 0.5 and (changed is not machine or asked is not formula):
                one = strategy
            if asked is not formula:
                try:
                    one = replace(one, formula=parse(text(asked)))
                except ValueError:
                    continue
            if one == strategy and other is model:
                continue
            count += 1
            said = problem(other, one)
            broken = faults(other, one)
            if (said is None) != (not broken):
                found.append(f"machine {seed}: {said}, judged {broken}: {text(asked)}")
            if said is None:
                accepted += 1
                if truth(changed, asked, most) is (not one.holds):
                    found.append(f"machine {seed}: accepted though wrong: {text(asked)}")
    return count, accepted, found
