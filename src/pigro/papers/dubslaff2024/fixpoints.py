"""The optimistic and pessimistic runs for EU and EG over a group of instances ([Dubslaff2024],
Alg. 1, lines 14 to 35). Those for EU are in the core (native/core/contexts/until_run.cpp).

Each run decides the nodes that are still ??. `sure` nodes count as satisfied, and nodes outside of
`may` as not (IP2). A call node takes the value of the entry it calls: if the callee belongs to the
group, that value is found by the same run. Otherwise it is read from the callee.

Cost of a run: linear in the unknown nodes of the group and their edges.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.papers.dubslaff2024.shape import bits

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance

Group = dict["ContextInstance", None]
"""Instances that a run is about."""
Sets = dict["ContextInstance", int]
"""A set of nodes for each instance."""


def until(instances: InstanceStore, formula: int, group: Group) -> None:
    """E [left U right]: two least fixpoints, by backward reachability, in the core.

        pessimistic (27 to 30): holds at n for sure if
            n is an exit:       its context or right says so
            n is a call node:   it holds at the entry
            otherwise:          right holds, or left does and the formula holds after a step
        optimistic (32 to 35): may hold at n if
            n is an exit:       its context allows it, and left or right may hold
            the others:         the same, with values that may hold

    At exits the variant `printed` asks the context only.
    """
    mirror = instances.mirror
    assert mirror is not None
    mirror.flush()
    for number, sure, may in mirror.until(formula, [each.number for each in group]):
        instance = mirror.numbered[number]
        instance.sure[formula] = int.from_bytes(sure, "little")
        instance.may[formula] = int.from_bytes(may, "little")


def _called(instance: ContextInstance, formula: int) -> int:
    """The unknown call nodes whose entry may satisfy the formula."""
    result, unknown = 0, instance.unknown(formula)
    for site in instance.body.sites if unknown & instance.body.calls else ():
        if unknown & site.call_set:
            values = instance.callee[site.slot].may[formula]
            result |= site.calls_of(values)
    return result


def globally(instances: InstanceStore, formula: int, group: Group) -> None:
    """EG operand: two greatest fixpoints, by removing what can't go on."""
    operand = instances.question.form.left[formula]
    by_context = instances.printed
    alive: Sets = {}
    for instance in group:  # optimistic, lines 21 to 24
        body, may = instance.body, instance.may[operand]
        if by_context:
            may |= body.exits
        possible = instance.given_may[formula] | body.plain
        possible = possible & may | _called(instance, formula)
        alive[instance] = instance.sure[formula] | instance.unknown(formula) & possible
    _prune(instances, formula, alive)
    for instance, left in alive.items():
        instance.may[formula] = left
    for instance in group:  # pessimistic, lines 16 to 19
        body = instance.body
        certain = instance.given_sure[formula] | instance.sure[operand] & body.plain
        alive[instance] = instance.sure[formula] | instance.unknown(formula) & certain
    for instance in group:
        alive[instance] |= instance.unknown(formula) & _living_calls(instance, formula, alive)
    _prune(instances, formula, alive)
    for instance, left in alive.items():
        instance.sure[formula] |= left
        instances.note_values(formula, instance)


def _living_calls(instance: ContextInstance, formula: int, alive: Sets) -> int:
    """The unknown call nodes whose entry is alive in the group, or sure outside of it."""
    result, unknown = 0, instance.unknown(formula)
    for site in instance.body.sites if unknown & instance.body.calls else ():
        if not unknown & site.call_set:
            continue
        callee = instance.callee[site.slot]
        values = alive.get(callee)
        if values is None:
            values = callee.sure[formula]
        result |= site.calls_of(values)
    return result


def _prune(instances: InstanceStore, formula: int, alive: Sets) -> None:
    """Removes nodes without a step to a living node, until there are none."""
    gone: Sets = {}
    for instance, nodes in alive.items():
        body = instance.body
        stuck = 0
        for node in bits(nodes & _movable(instance, formula)):
            if not body.after[node] & nodes:
                stuck |= 1 << node
        alive[instance] = nodes & ~stuck
        gone[instance] = stuck | instance.unknown(formula) & ~nodes & body.entries
    waiting = [instance for instance, nodes in gone.items() if nodes]
    while waiting:
        instances.budget.poll()
        instance = waiting.pop()
        alive[instance], lost = _starve(instance, formula, alive[instance], gone[instance])
        gone[instance] = 0
        for caller, site in instance.callers if lost else ():
            if caller in alive:
                calls = site.calls_of(lost)
                calls &= alive[caller] & caller.unknown(formula)
                if calls:
                    alive[caller] &= ~calls
                    gone[caller] |= calls
                    waiting.append(caller)


def _movable(instance: ContextInstance, formula: int) -> int:
    """The nodes that a run can remove: those in doubt that live by their successors."""
    return instance.unknown(formula) & instance.body.plain & ~instance.body.dead


def _starve(instance: ContextInstance, formula: int, living: int, gone: int) -> tuple[int, int]:
    """What lives on in one instance after `gone` has gone, and the entries that were lost."""
    before, after = instance.body.before, instance.body.after
    movable, lost = _movable(instance, formula), gone
    while gone:
        low = gone & -gone
        gone ^= low
        for node in bits(before[low.bit_length() - 1] & living & movable):
            if not after[node] & living:
                living ^= 1 << node
                gone |= 1 << node
                lost |= 1 << node
    return living, lost & instance.body.entries
