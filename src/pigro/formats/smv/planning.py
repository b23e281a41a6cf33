"""In which order the variables of a component get their values.

A step chooses the inputs and the next value of each variable: by its right side, or any value of
its type. Constraints are split at `&`, and each part is looked at as soon as the values chosen may
make it false. So variables are ordered: first those whose right sides need nothing that is not
chosen yet. Then, one by one, the free one that leaves the fewest unknown in some constraint.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import printable
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class ValueRule(NamedTuple):
    """How a variable or input gets its value."""

    slot: int
    right: int
    """-1: any value of its type."""
    at: int
    needs: int
    """Slots, as bits."""
    name: str


class SlotChoice(NamedTuple):
    """That a slot gets its value."""

    rule: ValueRule
    opened: list[int]
    """Constraints that the value may make false, and that are decided later."""
    settled: list[int]
    """Constraints that are decided with it."""


class ChoicePlan(NamedTuple):
    """How initial states, or steps, are chosen. See native/core/smv/machine.hpp."""

    checks: list[int]
    """Constraints that read no slot that is chosen."""
    choices: list[SlotChoice]


def planned(
    rules: Sequence[ValueRule], constraints: Iterable[int], reads: Sequence[int], inputs: int
) -> ChoicePlan:
    """The plan. `reads` has the slots that expressions read, as bits. Inputs are the last slots.

    `inputs` is the first of these. Inputs that nothing reads are not chosen.
    """
    chosen = used = 0
    for rule in rules:
        chosen |= 1 << rule.slot
    masks = {each: reads[each] & chosen for each in constraints}
    for mask in masks.values():
        used |= mask
    for rule in rules:
        used |= rule.needs
    needed = [each for each in rules if each.slot < inputs or used >> each.slot & 1]
    order = _ordered(needed, [mask for mask in masks.values() if mask])
    last = {rule.slot: i for i, rule in enumerate(order)}
    plan = ChoicePlan([], [SlotChoice(rule, [], []) for rule in order])
    for each, mask in masks.items():
        places = sorted(last[slot] for slot in bits(mask))
        if not places:
            plan.checks.append(each)
            continue
        plan.choices[places[-1]].settled.append(each)
        for place in places[:-1]:
            plan.choices[place].opened.append(each)
    return plan


def bits(mask: int) -> Iterable[int]:
    """The slots of a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _ordered(rules: list[ValueRule], masks: list[int]) -> list[ValueRule]:
    """Each rule after those of the slots that it needs, and free ones where they help most."""
    waiting = {rule.slot: rule.needs.bit_count() for rule in rules}
    users: dict[int, list[ValueRule]] = {}
    for rule in rules:
        for slot in bits(rule.needs):
            users.setdefault(slot, []).append(rule)
    order: list[ValueRule] = []
    done = 0
    ready = [rule for rule in rules if rule.right >= 0 and not rule.needs]
    free = {rule.slot: rule for rule in rules if rule.right < 0}
    left = list(masks)
    while ready or free:
        rule = ready.pop(0) if ready else free.pop(_best(free, left))
        order.append(rule)
        done |= 1 << rule.slot
        left = [each for each in (mask & ~done for mask in left) if each]
        for user in users.get(rule.slot, ()):
            waiting[user.slot] -= 1
            if not waiting[user.slot]:
                ready.append(user)
    if len(order) < len(rules):
        made = {rule.slot for rule in order}
        stuck = next(rule for rule in rules if rule.slot not in made)
        message = f"the value of `{printable(stuck.name)}` depends on itself"
        raise TokenFault("P124", message, stuck.at)
    return order


def _best(free: dict[int, ValueRule], masks: list[int]) -> int:
    """A slot of the constraint with the fewest open slots. Otherwise the first."""
    best, fewest = next(iter(free)), 1 << 30
    for mask in masks:
        count = mask.bit_count()
        if count < fewest:
            slot = next((each for each in bits(mask) if each in free), None)
            if slot is not None:
                best, fewest = slot, count
                if count == 1:
                    break
    return best
