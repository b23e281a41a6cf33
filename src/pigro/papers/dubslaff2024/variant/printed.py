"""LazyCheck as printed ([Dubslaff2024], Alg. 5; LazyCheck' of section 6.3.2), with nothing added.

Contexts are built for the boxes that the heuristic names, one after the other, and components that
nothing calls any more are removed after each (Alg. 2, line 13). The loop stops at the first initial
node where the formula is false (line 19), so that the others may stay unknown.

Where the text leaves a choice, or can't be meant:
- lines 7 and 11 ask for formulas whose subformulas are known everywhere. Both sets are taken before
  line 9 changes anything: an `EU` above an `EG` that was just decided must be refined first.
- for LazyCheck' we ask that no subformula was visited by the search, as the proof of Theorem 3
  does, not that it is known everywhere: otherwise the loop need not end.
- a heuristic that names no box although there are some is helped out by GetNextExpansion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.simplify import ATOM, EX
from pigro.papers.dubslaff2024.contextualize import contextualize
from pigro.papers.dubslaff2024.cycles import resolve, resolve_contexts
from pigro.papers.dubslaff2024.expansion import ExpansionSearch
from pigro.papers.dubslaff2024.heuristics import HeuristicView
from pigro.papers.dubslaff2024.initialize import give_root_context
from pigro.papers.dubslaff2024.refine import refine

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.papers.dubslaff2024.expansion import ExpandableBox
    from pigro.papers.dubslaff2024.heuristics import BoxCandidate, Choose
    from pigro.papers.dubslaff2024.instances import InstanceStore


def printed_check(instances: InstanceStore, choose: Choose, *, guided: bool) -> None:
    """Decides the formula at the initial nodes, or finds one where it is false.

    `guided`: the heuristic is GetNextExpansion, so that LazyCheck' is meant.
    """
    give_root_context(instances, instances.question.existential)  # line 1
    refine(instances)  # line 3
    situation, search = HeuristicView(instances), ExpansionSearch(instances)
    while not instances.decided():  # line 4
        if not expand_all(instances, choose(situation)):  # lines 5 and 16
            _go_on(instances, search, guided=guided)
        refine(instances)  # lines 17 and 18
        if False in instances.answers():  # line 19
            return


def _go_on(instances: InstanceStore, search: ExpansionSearch, *, guided: bool) -> None:
    if not guided and not instances.contextualizable():
        for formula in determined_below(instances):  # lines 6 to 14
            resolve_contexts(instances, formula)
        instances.drop_unreachable()
        return
    box = search.next_box()
    if box is not None:
        expand(instances, box)
    else:
        resolve(instances, search.pairs, search.cycles())
        instances.drop_unreachable()


def expand_all(instances: InstanceStore, chosen: Iterable[BoxCandidate]) -> bool:
    """Contextualizes what a heuristic has chosen. Whether that changed anything."""
    return sum(expand(instances, box) for box in [each.box for each in chosen]) > 0


def expand(instances: InstanceStore, box: ExpandableBox) -> bool:
    """Contextualizes the box if it induces a context that its callee does not have."""
    caller, site = box.caller, box.site
    if caller not in instances.live:
        return False
    instances.budget.poll()
    formulas = instances.question.existential
    before = caller.callee[site.slot]
    if instances.induced(caller, site, formulas) == before.key():
        return False
    callee, built = contextualize(instances, caller, site, formulas)
    instances.trace.contextualized(
        instances, caller, site, formula=box.formula, exits=box.exits, callee=callee, built=built
    )
    instances.drop_unreachable()  # Alg. 2, line 13
    return True


def determined_below(instances: InstanceStore) -> list[int]:
    """The unknown EG and EU all of whose strict subformulas are known at all nodes."""
    form = instances.question.form
    known: list[bool] = []
    """Whether the formula and its subformulas are known everywhere."""
    found = []
    for number, (op, left, right) in enumerate(zip(form.ops, form.left, form.right, strict=True)):
        below = op <= ATOM or (known[left] and (right < 0 or known[right]))
        unknown = any(instance.unknown(number) for instance in instances.live)
        if unknown and below and op > EX:
            found.append(number)
        known.append(below and not unknown)
    return found
