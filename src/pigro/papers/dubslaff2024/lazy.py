"""LazyCheck: contexts only where a heuristic wants them ([Dubslaff2024], Alg. 5 and section 6.3.2).

All subformulas are refined together, three-valued, until the whole formula is known at the initial
nodes. When the heuristic has no more boxes to offer, GetNextExpansion is asked for one. When it has
none either, the pairs it has visited are a global dependency cycle and get decided (LazyCheck').
So a heuristic need not be complete. Alg. 5 itself decides, for complete ones, all unknown pairs at
that point. Those that the initial nodes hang on are enough.

Terminates: each of these steps makes the context that some box calls more definite, or lets it call
an older instance under the same context. No two live instances have the same context, and there are
finitely many contexts (`InstanceStore.refine_context`). So first the instances that the roots call
stay the same, then the instances that these call, and so on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.papers.dubslaff2024.contextualize import contextualize
from pigro.papers.dubslaff2024.cycles import resolve
from pigro.papers.dubslaff2024.expansion import ExpansionSearch
from pigro.papers.dubslaff2024.heuristics import HeuristicView
from pigro.papers.dubslaff2024.initialize import give_root_context
from pigro.papers.dubslaff2024.joint import refine_jointly

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.expansion import ExpandableBox
    from pigro.papers.dubslaff2024.heuristics import Choose
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance
    from pigro.papers.dubslaff2024.shape import LocalBox


def lazy_check(instances: InstanceStore, choose: Choose) -> None:
    """Decides the whole formula at the initial nodes."""
    give_root_context(instances, instances.question.existential)  # line 1
    refine_jointly(instances)  # line 3
    situation, search = HeuristicView(instances), ExpansionSearch(instances)
    instances.suspects = dict(instances.live)
    while not instances.decided():  # line 4
        expanded = False
        for candidate in choose(situation):  # line 5
            expanded |= _expand(instances, candidate.box)  # line 16
        if not expanded:
            box = search.next_box()
            if box is not None:
                _expand(instances, box)
            else:
                resolve(instances, search.pairs)  # lines 6 to 14
        instances.drop_unreachable()
        refine_jointly(instances)  # lines 17 and 18


def _expand(instances: InstanceStore, box: ExpandableBox) -> bool:
    """Contextualizes the box if it still has something to say."""
    caller, site = box.caller, box.site
    if caller not in instances.live or not instances.new_values(caller, site, box.formula):
        return False
    instances.budget.poll()
    before, formulas = caller.callee[site.slot], instances.question.existential
    key = instances.induced(caller, site, formulas)
    if instances.index.get(key) is before:  # since it was built in this round. It is refined below
        return False
    callee, built = contextualize(instances, caller, site, formulas)
    _note(instances, caller, site, box, callee, built=built)
    for other, place in instances.boxes_inducing(before, key, box.formula):  # these follow at once
        instances.bind(other, place, callee)
        if instances.trace.wanted:
            _note(instances, other, place, box, callee, built=False)
    return True


def _note(
    instances: InstanceStore,
    caller: ContextInstance,
    site: LocalBox,
    box: ExpandableBox,
    callee: ContextInstance,
    *,
    built: bool,
) -> None:
    instances.trace.contextualized(
        instances, caller, site, formula=box.formula, exits=box.exits, callee=callee, built=built
    )
