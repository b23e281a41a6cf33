"""EagerCheck: subformula by subformula, in all contexts that arise ([Dubslaff2024], Alg. 4).

Bottom-up, each existential subformula is decided in every instance before the next one is looked
at. Only boxes that know something new are contextualized: for the others Alg. 2 would find the
instance that they call already.

Two steps follow the published tool, whose counts Table 1 has: the root gets its context formula by
formula, and a box is left alone if its callee knows the formula at all exits. The variant `printed`
follows Alg. 4 in both, and writes the values decided on a cycle into the contexts (lines 11 and
15).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.papers.dubslaff2024.contextualize import contextualize
from pigro.papers.dubslaff2024.cycles import resolve_all, resolve_contexts
from pigro.papers.dubslaff2024.initialize import give_root_context
from pigro.papers.dubslaff2024.refine import refine

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance
    from pigro.papers.dubslaff2024.shape import LocalBox


def eager_check(instances: InstanceStore) -> None:
    """Decides the whole formula at all nodes of all instances."""
    question = instances.question
    printed = instances.printed
    if printed:
        give_root_context(instances, question.existential)  # line 1
    for formula in question.existential:  # line 2
        if not printed:
            give_root_context(instances, [formula])
        refine(instances, formula)
        known = [each for each in question.existential if each <= formula]
        instances.may_refine = dict(instances.live)
        while _expand(instances, formula, known):  # lines 3 to 7
            instances.drop_unreachable()
            refine(instances, formula)
        if any(instance.unknown(formula) for instance in instances.live):  # lines 8 to 15
            (resolve_contexts if printed else resolve_all)(instances, formula)
    if not question.existential and not printed:
        give_root_context(instances, [])
    refine(instances)


def _expand(instances: InstanceStore, formula: int, known: list[int]) -> bool:
    """Contextualizes all boxes whose callees lack the formula and could know more (line 5)."""
    printed = instances.printed

    def knows_more(caller: ContextInstance, site: LocalBox) -> bool:
        lacking = printed or caller.callee[site.slot].unknown_exits(formula) > 0
        return lacking and any(instances.induces_more(caller, site, each) for each in known)

    boxes = instances.boxes_where(knows_more)
    for caller, site in boxes:
        instances.budget.poll()
        if caller not in instances.live:
            continue
        before = caller.callee[site.slot]
        exits = before.unknown_exits(formula)
        callee, built = contextualize(instances, caller, site, known)
        instances.trace.contextualized(
            instances, caller, site, formula=formula, exits=exits, callee=callee, built=built
        )
        assert callee is not before, "else the box had nothing new to say"
        if printed:
            instances.drop_unreachable()  # Alg. 2, line 13
    return bool(boxes)
