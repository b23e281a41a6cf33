"""RefineTernary: from contexts to interpretations ([Dubslaff2024], Alg. 1).

One call brings every subformula up to date, bottom-up. Only instances with changed inputs (IN4) are
looked at, and in them only nodes whose value is still ??.

Deviations from Alg. 1, with reasons:
- line 6: a label that is not carried gives ff. Line 13: the context is asked for the whole formula
  (docs/slips.md).
- line 12: a call node is the entry it calls, so EX looks through calls (T1).
- lines 15, 21, 27, 32: at an exit we also use what the operands say there: EU holds where its right
  operand holds, and fails where both operands fail. EG fails where its operand fails. That needs
  fewer contexts and is as sound. The variant `printed` does not do it.
- the runs go over the whole graph of instances in the paper, for call nodes take the value of
  entries. Here a run takes the instances that can influence each other (`affected`): changed ones
  and, if they are recursive, callers with unknown call nodes. Others read finished values, because
  callees are refined before their callers.
"""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING

from pigro.logic.simplify import EG, EU, EX
from pigro.papers.dubslaff2024.fixpoints import globally, until

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.fixpoints import Group
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance


def refine(instances: InstanceStore, last: int | None = None) -> None:
    """Computes all subformulas, or those up to number `last`, where their inputs have changed."""
    ops = instances.question.form.ops
    for formula, todo in enumerate(instances.dirty):
        if not todo:
            continue
        if last is not None and formula > last:
            break
        instances.dirty[formula] = {}
        if ops[formula] < EX:
            _connectives(instances, formula, todo)
        elif ops[formula] == EX:
            _next(instances, formula, todo)
        else:
            _paths(instances, formula, todo)


def _connectives(instances: InstanceStore, formula: int, todo: Group) -> None:
    connective = instances.question.connective
    for instance in todo:
        instances.budget.poll()
        sure, may = connective(instance, formula)
        if sure != instance.sure[formula] or may != instance.may[formula]:
            instance.sure[formula], instance.may[formula] = sure, may
            instances.note_values(formula, instance)
            _wake_parents(instances, formula, instance, 0)


def _wake_parents(
    instances: InstanceStore, formula: int, instance: ContextInstance, changed: int
) -> None:
    """Values have changed. `changed`: where those of an existential formula have."""
    if changed:
        instances.note_returns(formula, instance, changed)
    for parent in instances.question.parents[formula]:
        instances.dirty[parent][instance] = None  # IN4


def _next(instances: InstanceStore, formula: int, todo: Group) -> None:
    """EX (lines 11 to 13): first at the nodes whose step is an edge, then at the call nodes."""
    pulling = dict(todo)
    for instance in todo:
        instances.budget.poll()
        instances.passes += 1
        operand = instances.question.form.left[formula]
        given_sure, given_may = instance.given_sure[formula], instance.given_may[formula]
        calls = instance.body.calls
        sure = _before(instance, instance.sure[operand], stop=instances.question.stop)
        may = _before(instance, instance.may[operand], stop=instances.question.stop)
        sure |= given_sure | instance.sure[formula] & calls
        may |= given_may | instance.may[formula] & calls
        changed = (instance.sure[formula] ^ sure) | (instance.may[formula] ^ may)
        if changed:
            instance.sure[formula], instance.may[formula] = sure, may
            instances.note_values(formula, instance)
            _wake_parents(instances, formula, instance, changed)
            pulling.update((caller, None) for caller, _ in instance.callers)
    for instance in pulling:
        if pull_calls(instance, formula):
            instances.note_values(formula, instance)
            _wake_parents(instances, formula, instance, instance.body.calls)


def _before(instance: ContextInstance, nodes: int, *, stop: bool) -> int:
    """The nodes with an edge into `nodes`. Those dead ends that stay in `nodes` forever."""
    return instance.body.before_all(nodes) | (0 if stop else nodes & instance.body.dead)


def pull_calls(instance: ContextInstance, formula: int) -> bool:
    """Sets unknown call nodes to the values of the entries they call (IP3). Were there any?"""
    changed = False
    if not instance.unknown(formula) & instance.body.calls:
        return False
    for site in instance.body.sites:
        callee = instance.callee[site.slot]
        for node, entry in site.calls:
            truth = callee.truth(formula, entry)
            if truth is not None and instance.truth(formula, node) is None:
                changed = True
                if truth:
                    instance.sure[formula] |= 1 << node
                else:
                    instance.may[formula] &= ~(1 << node)
    return changed


def _paths(instances: InstanceStore, formula: int, todo: Group) -> None:
    """EU and EG (lines 14 to 35), callees first."""
    run = {EU: until, EG: globally}[instances.question.form.ops[formula]]
    ranked: dict[int, Group] = {}
    heap: list[int] = []

    def wait(instance: ContextInstance) -> None:
        rank = instance.body.rank
        if rank not in ranked:
            ranked[rank] = {}
            heappush(heap, rank)
        ranked[rank][instance] = None

    for instance in todo:
        wait(instance)
    while heap:
        instances.budget.poll()
        rank = heappop(heap)
        group = _affected(formula, ranked.pop(rank))
        before = [(each, each.sure[formula], each.may[formula]) for each in group]
        instances.passes += len(group)
        run(instances, formula, group)
        for instance, sure, may in before:
            changed = (instance.sure[formula] ^ sure) | (instance.may[formula] ^ may)
            if not changed:
                continue
            _wake_parents(instances, formula, instance, changed)
            if changed & instance.body.entries:
                for caller, site in instance.callers:
                    if caller not in group and caller.unknown(formula) & site.call_set:
                        wait(caller)


def _affected(formula: int, changed: Group) -> Group:
    """The changed instances and, within their recursion, all whose unknowns may hang on them."""
    group: Group = {}
    for instance in changed:
        if instance.may[formula] & ~instance.sure[formula]:
            group[instance] = None
    if not group or not instance.body.recursive:  # as are all of a rank, or none
        return group
    waiting, rank = list(group), instance.body.rank
    for instance in waiting:  # grows while we walk
        for caller, site in instance.callers:
            if (
                caller not in group
                and caller.body.rank == rank
                and caller.unknown(formula) & site.call_set
            ):
                group[caller] = None
                waiting.append(caller)
    return group
