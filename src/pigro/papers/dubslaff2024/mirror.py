"""The graph of instances once more, in the native core, where searches and runs walk it.

`ExpansionSearch` visits hundreds of thousands of pairs in a check, and there are thousands of runs
for EU. So both are in the core (native/core/contexts). The graph there is brought up to date before
each of them. Invariants:

 MI1  with `bound`, the core has the callees of each live instance. Once there was a search, it has
      the callers as well, in the order of `ContextInstance.callers`.
 MI2  where values of a formula that is `wanted` differ from those in the core, the instance is
      in `touched`. Where contexts differ, it is in `contexts`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.logic.simplify import ATOM, EU, EX
from pigro.papers.dubslaff2024.shape import bytes_for

if TYPE_CHECKING:
    from pigro.logic.normal import NormalForm
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance


class CoreMirror:
    """The graph in the core, and the instances by number."""

    def __init__(self, instances: InstanceStore) -> None:
        question = instances.question
        form, places = question.form, question.shape.places
        self.numbered = {each.number: each for each in instances.live}
        self.bound: list[int] = []
        """Caller, box, callee and so on: those that are not in the core yet (MI1)."""
        self.touched: list[dict[ContextInstance, None]] = [{} for _ in form.ops]
        """For each formula the instances where its values have changed (MI2)."""
        self.contexts: list[dict[ContextInstance, None]] = [{} for _ in form.ops]
        """For each formula the instances where the context has changed (MI2)."""
        self.wanted = _wanted(form)
        """Whether the core reads the values of a formula."""
        ops, left, right = memoryview(form.ops), memoryview(form.left), memoryview(form.right)
        self.graph = _core.InstanceGraph(places, ops, left, right, _kinds_of_boxes(instances))
        for instance in instances.live:
            self.graph.add(instance.number, instance.body.component)
        self.until = _core.UntilRun(self.graph, instances.printed, instances.improved)
        self.bound += _calls(instances)  # MI1
        self._instances = instances
        self._has_callers = False

    def prepare_search(self) -> None:
        """Lets the core list callers from now on, and exits that boxes list no return node for."""
        self.flush()
        if self._has_callers:
            return
        self._has_callers = True
        instances = self._instances
        self.graph.list_callers(_calls(instances))  # MI1
        bodies = instances.question.shape.bodies
        sites = [site for body in bodies.values() for site in body.sites]
        for callee in {each.callee for each in sites if each.listed != bodies[each.callee].exits}:
            size = bytes_for(bodies[callee].exits.bit_length())
            for formula, exits in enumerate(instances.unlisted_exits(callee)):
                self.graph.set_unlisted(callee, formula, exits.to_bytes(size, "little"))

    def copy(self, model: ContextInstance, instance: ContextInstance) -> None:
        """See `InstanceStore.copy`."""
        self.flush()
        self.graph.copy(instance.number, model.number)
        self.numbered[instance.number] = instance

    def drop(self, instance: ContextInstance) -> None:
        """See `InstanceStore.drop_unreachable`."""
        self._flush_calls()
        self.graph.drop(instance.number)
        del self.numbered[instance.number]

    def flush(self) -> None:
        """Brings the core up to date."""
        self._flush_calls()
        for formula, touched in enumerate(self.touched):
            for instance in touched:
                size = instance.body.size
                sure = instance.sure[formula].to_bytes(size, "little")
                may = instance.may[formula].to_bytes(size, "little")
                self.graph.set(instance.number, formula, sure, may)
            touched.clear()
        for formula, contexts in enumerate(self.contexts):
            for instance in contexts:
                size = bytes_for(instance.body.exits.bit_length())
                sure = instance.given_sure[formula].to_bytes(size, "little")
                may = instance.given_may[formula].to_bytes(size, "little")
                self.graph.set_context(instance.number, formula, sure, may)
            contexts.clear()

    def _flush_calls(self) -> None:
        if self.bound:
            self.graph.bind(self.bound)
            self.bound.clear()


def _calls(instances: InstanceStore) -> list[int]:
    return [
        number
        for instance in instances.live
        for caller, site in instance.callers
        for number in (caller.number, site.box, instance.number)
    ]


def _wanted(form: NormalForm) -> list[bool]:
    """Formulas that can be unknown, and operands of EU."""
    found: list[bool] = []
    for op, left, right in zip(form.ops, form.left, form.right, strict=True):
        below = op > ATOM and (found[left] or (right >= 0 and found[right]))
        found.append(op >= EX or below)
    for op, left, right in zip(form.ops, form.left, form.right, strict=True):
        if op == EU:
            found[left] = found[right] = True
    return found


def _kinds_of_boxes(instances: InstanceStore) -> bytes:
    """For each box whether a caller there has a say at the exits (reach.py), and is in a cycle."""
    shape = instances.question.shape
    counts = bytearray(shape.model.core.boxes)
    for body in shape.bodies.values():
        for site in body.sites:
            inner = shape.bodies[site.callee].rank == body.rank
            counts[site.box] = (instances.printed or site.reached) + 2 * inner
    return bytes(counts)
