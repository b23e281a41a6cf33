"""What a run did, step by step: `--trace`."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.papers.dubslaff2024.shape import bits
from pigro.verdict import Step

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance
    from pigro.papers.dubslaff2024.shape import LocalBox


@dataclass(slots=True)
class StepNotes:
    """Notes the steps of a run if `wanted`. Otherwise does nothing, and costs nothing."""

    wanted: bool = False
    steps: list[Step] = field(default_factory=list)

    def initialized(
        self, instances: InstanceStore, root: ContextInstance, formulas: list[int]
    ) -> None:
        """A root got its context for these formulas."""
        if self.wanted:
            self.steps.append(
                Step(
                    action="initialize",
                    formula=_text(instances, formulas[-1] if formulas else -1),
                    instance=_name(instances, root),
                    built=True,
                    context=_context(instances, root),
                )
            )

    def contextualized(
        self,
        instances: InstanceStore,
        caller: ContextInstance,
        site: LocalBox,
        *,
        formula: int,
        exits: int,
        callee: ContextInstance,
        built: bool,
    ) -> None:
        """At `site`, `caller` calls `callee`, for it knows `formula` at `exits`."""
        if self.wanted:
            self.steps.append(
                Step(
                    action="contextualize",
                    formula=_text(instances, formula),
                    nodes=_nodes(instances, callee, exits),
                    box=instances.question.shape.model.names.boxes[site.box],
                    caller=_name(instances, caller),
                    instance=_name(instances, callee),
                    built=built,
                    context=_context(instances, callee),
                )
            )

    def resolved(
        self,
        instances: InstanceStore,
        formula: int,
        nodes: dict[ContextInstance, int],
        *,
        holds: bool,
    ) -> None:
        """A global dependency cycle was decided."""
        if self.wanted:
            exits = [
                name
                for instance, unknown in nodes.items()
                for name in _nodes(instances, instance, unknown & instance.body.exits)
            ]
            self.steps.append(
                Step(
                    action="resolve",
                    formula=_text(instances, formula),
                    value="true" if holds else "false",
                    nodes=tuple(exits),
                )
            )


def _text(instances: InstanceStore, formula: int) -> str:
    return str(instances.question.form.to_formula(formula))


def _name(instances: InstanceStore, instance: ContextInstance) -> str:
    names = instances.question.shape.model.names
    return f"{names.components[instance.body.component]}#{instance.number}"


def _nodes(instances: InstanceStore, instance: ContextInstance, nodes: int) -> tuple[str, ...]:
    model = instances.question.shape.model
    return tuple(model.node_name(instance.body.nodes[each]) for each in bits(nodes))


def _context(
    instances: InstanceStore, instance: ContextInstance
) -> tuple[tuple[str, str, str], ...]:
    """The values given at the exits. Unknown values are left out."""
    found = []
    for formula in instances.question.existential:
        sure, may = instance.given_sure[formula], instance.given_may[formula]
        for exit_ in bits(instance.body.exits):
            if sure >> exit_ & 1 or not may >> exit_ & 1:
                (name,) = _nodes(instances, instance, 1 << exit_)
                value = "true" if sure >> exit_ & 1 else "false"
                found.append((name, _text(instances, formula), value))
    return tuple(found)
