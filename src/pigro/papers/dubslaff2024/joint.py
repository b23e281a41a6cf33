"""What all callers of an instance agree on: its context can say so at once.

An instance may be called from many boxes. If a formula is true at the return nodes of all of them,
it is true at the exit whatever the caller. Likewise false. The context of the instance is refined
in place: nothing is copied, so this builds no context. [Dubslaff2024] has no such step. It builds a
context for the first of these boxes, and lets the others call it one by one.

Sound by Lemma 4: the value at an exit is that at the return node, in whichever caller waits.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.papers.dubslaff2024.refine import refine

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance


def refine_jointly(instances: InstanceStore) -> None:
    """RefineTernary, and contexts that all callers agree on, until nothing changes."""
    refine(instances)
    while instances.changed:
        moved, instances.changed = instances.changed, {}
        for callee, formula in moved:
            if callee in instances.live and callee.callers:
                _agree(instances, callee, formula)
        refine(instances)


def _agree(instances: InstanceStore, callee: ContextInstance, formula: int) -> None:
    open_ = callee.unknown_exits(formula)
    all_sure, some_may = open_, 0
    for caller, site in callee.callers:
        if not open_:
            return
        if site.reached:
            sure, may = instances.returned(caller, site, formula)
            all_sure &= sure
            some_may |= may
            open_ &= all_sure | ~some_may
    if not open_ or callee in instances.roots:
        return
    instances.refine_context(callee, formula, sure=open_ & all_sure, fails=open_ & ~some_may)
