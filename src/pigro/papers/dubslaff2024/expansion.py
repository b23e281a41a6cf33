"""Which box to contextualize next: GetNextExpansion and FindReason ([Dubslaff2024], Alg. 6 and 7).

The search asks *why* the formula is unknown at an initial node, and goes from pairs (node, formula)
with value ?? to the pairs they hang on, until it comes to an exit whose value some caller knows:
that box is worth a context. It keeps an explicit stack and visits a pair once. The walk itself is
in the core (native/core/contexts/reason_search.cpp), because it visits most pairs many times.

    unknown pair            hangs on, in this order
    !, &, |                 unknown operands at the same node (lines 2 to 6)
    exit                    the unknown return nodes of ALL its callers in the graph (line 11)
    call node               the entry it calls (line 7)
    EX f                    f at the successors (line 14)
    EG f                    f here, if unknown. Otherwise EG f at the unknown successors (line 18)
    E [f U g]               g here, if unknown. Else f here, if unknown. Else the successors (26)

An exit whose callers know nothing but what a cycle would give (EU: false, EG: true) is no reason
for a context: if the rest is a cycle, it has that value in all of them (cycles.py). Callers that no
run comes to are left out (reach.py).

If there is no such box, the pairs visited are closed under "hangs on", so that the innermost
formulas among them can be decided (cycles.py). The paper decides only pairs on cycles, D. Deciding
every pair is as sound and needs fewer rounds.

The variant `printed` has no cycle filter, counts all callers, begins anew after each context, and
decides D. In the paper R holds the pairs that led to the current one, so that a pair can be visited
once for each way to it. One visit finds the same first box, for a second finds nothing that the
first did not, and D, the pairs that lie on a cycle of visits, is the union of the nontrivial
SCCs of "hangs on".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro import _core
from pigro.model.calls import has_cycle, strong_components

if TYPE_CHECKING:
    import random
    from collections.abc import Callable

    from pigro.papers.dubslaff2024.cycles import Pairs
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance
    from pigro.papers.dubslaff2024.mirror import CoreMirror
    from pigro.papers.dubslaff2024.shape import LocalBox


@dataclass(frozen=True, slots=True)
class ExpandableBox:
    """A box in an instance that knows the formula at an exit where its callee does not."""

    caller: ContextInstance
    site: LocalBox
    formula: int
    exits: int
    """Where in the callee. A set."""


class ExpansionSearch:
    """GetNextExpansion, which goes on after a box was contextualized where it had stopped.

    After that, values have changed, and the pairs visited no longer tell all. So it starts anew
    when it comes to its end, and only a search without a break gives `pairs` to decide.
    """

    def __init__(self, instances: InstanceStore, choice: random.Random | None = None) -> None:
        self._instances = instances
        self._order = None if choice is None else _shuffled(choice)
        """Where the paper leaves a choice: leftmost first, or as this says."""
        self._made: _core.ReasonSearch | None = None

    def next_box(self) -> ExpandableBox | None:
        """A box to contextualize. If there is none, `pairs` is closed under "hangs on"."""
        instances, search, tick = self._instances, self._search, self._instances.budget.look
        mirror = self._mirror
        mirror.prepare_search()
        found = None if search.is_done or instances.printed else search.next(tick)
        if found is None:
            search.start(self._starts())
            found = search.next(tick)
        if found is None:
            return None
        number, box, formula, exit_ = found
        caller = mirror.numbered[number]
        return ExpandableBox(caller, caller.body.site_of[box], formula, 1 << exit_)

    @property
    def pairs(self) -> Pairs:
        """The pairs visited since the search started."""
        found: Pairs = {}
        for formula, number, places in self._search.visited():
            nodes = int.from_bytes(places, "little")
            if nodes:
                found.setdefault(formula, {})[self._mirror.numbered[number]] = nodes
        return found

    def cycles(self) -> Pairs:
        """D of Alg. 7, for the variant `printed`: the visited pairs that hang on themselves."""
        hangs_on = dict(self._search.hangs_on())
        visited = list(hangs_on)
        number = {pair: at for at, pair in enumerate(visited)}
        after = [[number[each] for each in row] for row in hangs_on.values()]
        found: Pairs = {}
        for group in strong_components(after):
            if has_cycle(group, after):
                for at in group:
                    instance, node, formula = visited[at]
                    nodes = found.setdefault(formula, {})
                    where = self._mirror.numbered[instance]
                    nodes[where] = nodes.get(where, 0) | 1 << node
        return found

    @property
    def _mirror(self) -> CoreMirror:
        """The graph in the core."""
        assert self._instances.mirror is not None
        return self._instances.mirror

    @property
    def _search(self) -> _core.ReasonSearch:
        if self._made is None:
            graph = self._mirror.graph
            self._made = _core.ReasonSearch(graph, self._order, self._instances.printed)
        return self._made

    def _starts(self) -> list[tuple[int, int, int]]:
        """The initial nodes where the whole formula is unknown (Alg. 6, line 2)."""
        instances, last = self._instances, len(self._instances.question.form) - 1
        return [
            (instances.roots[root].number, node, last) for root, node in reversed(instances.starts)
        ]


def _shuffled(choice: random.Random) -> Callable[[int], list[int]]:
    """An order of so many, drawn as `shuffle` does."""

    def order(count: int) -> list[int]:
        drawn = list(range(count))
        choice.shuffle(drawn)
        return drawn

    return order


def worth(
    instances: InstanceStore, caller: ContextInstance, site: LocalBox
) -> ExpandableBox | None:
    """The box with the first formula that it knows more about than its callee, if any."""
    for formula in instances.question.existential:
        exits = instances.new_values(caller, site, formula)
        if exits:
            return ExpandableBox(caller, site, formula, exits)
    return None
