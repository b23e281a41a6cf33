"""Contextualize: let a box call an instance that knows what the box knows ([Dubslaff2024], Alg. 2).

Only the context is new: the structure is that of the component (its *base component*), and the
values are those of the instance that was called before, until they are refined. Unreachable
instances are removed by the callers of this module, once after a round of boxes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance
    from pigro.papers.dubslaff2024.shape import LocalBox


def contextualize(
    instances: InstanceStore, caller: ContextInstance, site: LocalBox, formulas: list[int]
) -> tuple[ContextInstance, bool]:
    """Contextualizes the box with what it knows about `formulas`.

    Needs: values that are up to date. Leaves: the box calls an instance under the induced context.
    What must be refined is in `dirty`. Returns that instance, and whether it was built for it.
    """
    before = caller.callee[site.slot]
    key = instances.induced(caller, site, formulas)  # line 1
    found = instances.index.get(key)  # line 3
    built = found is None
    if found is None:  # lines 7 to 11
        found = instances.copy(before)
        found.given_sure, found.given_may = list(key[1]), list(key[2])
        instances.index[key] = found
        instances.contexts += 1
        for formula in formulas:
            if (found.given_sure[formula], found.given_may[formula]) != (
                before.given_sure[formula],
                before.given_may[formula],
            ):
                instances.note_context(formula, found)
    instances.bind(caller, site, found)  # lines 5 and 12
    return found, built
