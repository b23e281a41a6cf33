"""What heuristics see of instances: their contexts and interpretations, by names."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.contexts.shape import bits

if TYPE_CHECKING:
    from pigro.engines.contexts.instances import Instances
    from pigro.engines.contexts.interpretation import Instance

Values = dict[tuple[str, str], bool]
"""For a node and a subformula its truth; pairs that are unknown are left out."""


@dataclass(frozen=True, slots=True)
class InstanceView:
    """A component under a context, as it is now."""

    _instance: Instance
    _instances: Instances

    @property
    def component(self) -> str:
        """The component's name."""
        return self._instances.question.shape.model.names.components[self._instance.body.component]

    @property
    def number(self) -> int:
        """Tells instances of one component apart, as `#NUMBER` does in traces."""
        return self._instance.number

    @property
    def nodes(self) -> list[str]:
        """All nodes, call and return nodes included; exits first."""
        return [self._name(node) for node in range(len(self._instance.body.nodes))]

    @property
    def context(self) -> Values:
        """gamma: what the context says at the exits, for existential subformulas."""
        sure, may = self._instance.given_sure, self._instance.given_may
        formulas, exits = self._instances.question.existential, self._instance.body.exits
        return self._values(formulas, exits, sure, may)

    @property
    def interpretation(self) -> Values:
        """theta: what is known at the nodes, for all subformulas."""
        body, form = self._instance.body, self._instances.question.form
        formulas = list(range(len(form)))
        return self._values(formulas, body.every, self._instance.sure, self._instance.may)

    def _values(self, formulas: list[int], nodes: int, sure: list[int], may: list[int]) -> Values:
        form = self._instances.question.form
        return {
            (self._name(node), str(form.to_formula(formula))): bool(sure[formula] >> node & 1)
            for formula in formulas
            for node in bits(nodes & ~(may[formula] & ~sure[formula]))
        }

    def _name(self, node: int) -> str:
        return self._instances.question.shape.model.node_name(self._instance.body.nodes[node])
