"""Initialize: the roots, and an instance of each component without context.

[Dubslaff2024], Alg. 3. A root is the component of an initial node under the context of the empty
stack: its exits loop. The paper has one initial component. With initial nodes in several components
there is a root for each.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.papers.dubslaff2024.instances import InstanceStore
from pigro.papers.dubslaff2024.mirror import CoreMirror
from pigro.papers.dubslaff2024.variant import Variant

if TYPE_CHECKING:
    from pigro.limits import Budget
    from pigro.papers.dubslaff2024.interpretation import CheckRequest, ContextInstance
    from pigro.papers.dubslaff2024.trace import StepNotes


def initialize(
    question: CheckRequest, budget: Budget, trace: StepNotes, variant: Variant = Variant.IMPROVED
) -> InstanceStore:
    """The first graph of instances. The roots have no context yet: see `give_root_context`."""
    instances = InstanceStore(question, budget, trace, variant)
    core = question.shape.model.core
    starts = dict.fromkeys(core.component(node) for node in question.shape.model.initial)
    roots = [instances.add(question.shape.bodies[component]) for component in starts]  # line 3
    base: dict[int, ContextInstance] = {}
    for component, body in question.shape.bodies.items():  # lines 1 and 2
        base[component] = instances.add(body)
        instances.index[base[component].key()] = base[component]
    for instance in list(instances.live):
        for site in instance.body.sites:
            callee = base[site.callee]
            instance.callee.append(callee)
            callee.callers[instance, site] = None
    instances.roots = roots
    place, number = question.shape.place, {each: at for at, each in enumerate(starts)}
    instances.starts = [
        (number[core.component(node)], place[node]) for node in question.shape.model.initial
    ]
    instances.drop_unreachable()
    instances.mirror = CoreMirror(instances)
    return instances


def give_root_context(instances: InstanceStore, formulas: list[int]) -> None:
    """Lines 4 to 17, for these formulas: what holds at the exits of the roots with the empty stack.

    EagerCheck gives the roots their contexts formula by formula. In between, boxes may have come to
    call a root. These go on to call what it was before.
    """
    for place, old in enumerate(instances.roots):
        root = instances.copy(old) if old.callers else old
        instances.replace_root(place, root)
        if instances.index.get(root.key()) is root:
            del instances.index[root.key()]
        alone = instances.question.alone(root.body, loops=True)
        for formula in formulas:
            root.given_sure[formula] = root.given_may[formula] = alone[formula]
            instances.note_context(formula, root)
        instances.index.setdefault(root.key(), root)
        instances.contexts += 1
        instances.trace.initialized(instances, root, formulas)
