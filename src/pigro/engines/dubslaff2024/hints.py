"""Known reasons for contexts, kept from one search to the next (`expansion.ExpansionSearch`).

A caller can be a reason for a context at an exit if it knows the formula at the return node, and
not just the value that a cycle would give. Searches ask for that at every exit they come to, and
callers can be thousands. So a mark is set when the values of a caller change, or when a box calls
another instance. Invariant:

 HI1  if some caller is a reason at an unknown exit, the exit has a mark. Marks can be left over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.simplify import EG, EU

if TYPE_CHECKING:
    from pigro.engines.dubslaff2024.instances import Instances
    from pigro.engines.dubslaff2024.interpretation import Instance
    from pigro.engines.dubslaff2024.shape import Site

CYCLE = {EU: False, EG: True}
"""What a cycle gives."""


class Hints:
    """Marks at exits, for each instance and formula."""

    def __init__(self, instances: Instances) -> None:
        self._instances = instances
        self._marks: dict[tuple[Instance, int], int] = {}
        for caller in instances.live:
            for site in caller.body.sites:
                for formula in instances.question.existential:
                    self.note(caller, site, formula)

    def note(self, caller: Instance, site: Site, formula: int) -> None:
        """Values of the caller have changed, or the box calls another instance."""
        callee = caller.callee[site.slot]
        unknown = callee.unknown_exits(formula)
        if not unknown or not site.reached:
            return
        sure, may = self._instances.returned(caller, site, formula)
        cycle = CYCLE.get(self._instances.question.form.ops[formula])
        told = (0 if cycle is True else sure) | (0 if cycle is False else ~may)
        if told & unknown:
            key = callee, formula
            self._marks[key] = self._marks.get(key, 0) | told & unknown

    def has(self, instance: Instance, formula: int, exit_: int) -> bool:
        """Whether some caller may be a reason there."""
        return bool(self._marks.get((instance, formula), 0) >> exit_ & 1)

    def clear(self, instance: Instance, formula: int, exit_: int) -> None:
        """No caller is a reason there."""
        self._marks[instance, formula] &= ~(1 << exit_)
