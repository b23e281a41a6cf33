"""The optimistic and pessimistic runs for EU and EG over a group of instances ([Dubslaff2024],
Alg. 1, lines 14 to 35).

Each run decides the nodes that are still ??. `sure` nodes count as satisfied, and nodes outside of
`may` as not (IP2). A call node takes the value of the entry it calls: if the callee belongs to the
group, that value is found by the same run. Otherwise it is read from the callee.

Cost of a run: linear in the unknown nodes of the group and their edges, each edge step on a set.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.engines.dubslaff2024.shape import bits

if TYPE_CHECKING:
    from pigro.engines.dubslaff2024.instances import Instances
    from pigro.engines.dubslaff2024.interpretation import Instance

Group = dict["Instance", int]
"""Instances, each with the call nodes where the called entry has changed."""
Sets = dict["Instance", int]
"""A set of nodes for each instance."""


def until(instances: Instances, formula: int, group: Group) -> None:
    """E [left U right]: two least fixpoints, by backward reachability.

    Where an earlier run has been, a run begins at what has changed since. The first can only add
    nodes, and starts from new ones. The second can only remove nodes, and is left out if every node
    has the grounds that it had (`_has_lost_grounds`).
    """
    lost = _pessimistic(instances, formula, group)
    left, goals, again = instances.question.form.left[formula], {}, False
    for instance in group:
        goals[instance] = may_end = _goals(instances, formula, instance)
        again = again or _has_lost_grounds(formula, left, instance, may_end, lost[instance])
    if again:
        _optimistic(instances, formula, goals, lost)
    for instance, may_end in goals.items():
        sure, may = instance.sure, instance.may
        instance.kept[formula] = sure[formula], may[formula], sure[left], may[left], may_end


def _pessimistic(instances: Instances, formula: int, group: Group) -> Sets:
    """Lines 27 to 30. Returns the call nodes whose entries have come to fail."""
    form = instances.question.form
    left, right = form.left[formula], form.right[formula]
    by_context = instances.printed
    open_, seeds, through, lost = {}, {}, {}, {}
    for instance, calls in group.items():
        body, kept, sure = instance.body, instance.kept[formula], instance.sure
        open_[instance] = unknown = instance.may[formula] & ~sure[formula]
        through[instance] = passable = sure[left] & unknown & body.plain
        look = unknown & (body.calls if kept is None else calls)
        called, lost[instance] = _read_calls(instance, formula, look) if look else (0, 0)
        ends = sure[right] & (body.plain if by_context else ~body.calls)
        called |= unknown & (ends | instance.given_sure[formula])
        if kept is None or kept[0] != sure[formula] or kept[2] != sure[left]:
            called |= _entering(instance, passable, sure[formula])
        seeds[instance] = called
    if any(seeds.values()):
        for instance, found in _reach(instances, open_, seeds, through).items():
            instance.sure[formula] |= found
    return lost


def _optimistic(instances: Instances, formula: int, goals: Sets, lost: Sets) -> None:
    """Lines 32 to 35."""
    left = instances.question.form.left[formula]
    open_, seeds, through = {}, {}, {}
    for instance, may_end in goals.items():
        open_[instance] = unknown = instance.unknown(formula)
        through[instance] = instance.may[left] & unknown & instance.body.plain
        called = unknown & instance.body.calls & ~lost[instance]
        for node in bits(called & instance.body.inner_calls):
            if instance.callee[instance.body.called[node][0]] in goals:  # the run finds its value
                called ^= 1 << node
        seeds[instance] = unknown & (may_end | called) | _entering(
            instance, through[instance], instance.sure[formula]
        )
    for instance, found in _reach(instances, open_, seeds, through).items():
        instance.may[formula] = instance.sure[formula] | found


def distrust(instance: Instance, formula: int) -> None:
    """Lets the next run look for lost grounds everywhere, because calls have changed in a cycle."""
    kept = instance.kept[formula]
    if kept is not None:
        instance.kept[formula] = kept[0], -1, *kept[2:]


def _goals(instances: Instances, formula: int, instance: Instance) -> int:
    """The nodes where the formula may hold without a step: by the right operand or the context."""
    form = instances.question.form
    left, right = instance.may[form.left[formula]], instance.may[form.right[formula]]
    operands = left | right if instances.improved else instance.body.every
    return right & instance.body.plain | instance.given_may[formula] & operands


def _has_lost_grounds(formula: int, left: int, instance: Instance, goals: int, lost: int) -> bool:
    """Whether an unknown node may have lost what it could hold by since the last run.

    `lost` are call nodes whose entry fails. A node that became sure is ground for those before it.
    `left` is the left operand.
    """
    kept, may = instance.kept[formula], instance.may
    if kept is None or kept[1] != may[formula]:
        return True
    if kept[3] != may[left]:
        lost |= kept[3] & ~may[left] & instance.body.plain
    lost |= kept[4] & ~goals
    return bool(lost and lost & instance.unknown(formula))


def _read_calls(instance: Instance, formula: int, calls: int) -> tuple[int, int]:
    """Those of the call nodes whose entry is sure to satisfy the formula, and where it fails."""
    holds = fails = 0
    called, callees = instance.body.called, instance.callee
    while calls:
        node = calls & -calls
        calls ^= node
        slot, entry = called[node.bit_length() - 1]
        callee = callees[slot]
        if callee.sure[formula] >> entry & 1:
            holds |= node
        elif not callee.may[formula] >> entry & 1:
            fails |= node
    return holds, fails


def _called(instance: Instance, formula: int) -> int:
    """The unknown call nodes whose entry may satisfy the formula."""
    result, unknown = 0, instance.unknown(formula)
    for site in instance.body.sites if unknown & instance.body.calls else ():
        if unknown & site.call_set:
            values = instance.callee[site.slot].may[formula]
            result |= site.calls_of(values)
    return result


def _entering(instance: Instance, nodes: int, goal: int) -> int:
    """Those of `nodes` that have a successor in `goal`."""
    return nodes & instance.body.before_all(goal) if nodes and goal else 0


def _reach(instances: Instances, open_: Sets, seeds: Sets, through: Sets) -> Sets:
    """The open nodes from which `seeds` is reached through `through`, over calls as well."""
    if len(open_) == 1:
        ((instance, front),) = seeds.items()
        if not instance.body.recursive:
            return {instance: instance.body.reach(front, through[instance]) if front else 0}
    found = dict.fromkeys(open_, 0)
    waiting = [instance for instance, nodes in seeds.items() if nodes]
    for instance in waiting:  # grows while we walk
        instances.budget.poll()
        front = seeds[instance] & ~found[instance]
        if not front:
            continue
        seeds[instance] = 0
        new = instance.body.reach(front, through[instance] & ~found[instance])
        found[instance] |= new
        new &= instance.body.entries
        if not new or not instance.body.recursive:  # then no caller is in the group
            continue
        for caller, site in instance.callers:
            if caller in open_:
                calls = site.calls_of(new)
                calls &= open_[caller] & ~found[caller] & ~seeds[caller]
                if calls:
                    seeds[caller] |= calls
                    waiting.append(caller)
    return found


def globally(instances: Instances, formula: int, group: Group) -> None:
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


def _living_calls(instance: Instance, formula: int, alive: Sets) -> int:
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


def _prune(instances: Instances, formula: int, alive: Sets) -> None:
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


def _movable(instance: Instance, formula: int) -> int:
    """The nodes that a run can remove: those in doubt that live by their successors."""
    return instance.unknown(formula) & instance.body.plain & ~instance.body.dead


def _starve(instance: Instance, formula: int, living: int, gone: int) -> tuple[int, int]:
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
