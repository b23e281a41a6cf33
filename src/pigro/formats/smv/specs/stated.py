"""What a file states: its formulas and its fairness, over labels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.formats.smv.instances import ScalarVariable
from pigro.formats.smv.specs.formulas import ComponentCondition, LabelConditions
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.formats.smv.instances import ModuleInstance
    from pigro.formats.smv.machine import SmvComponent
    from pigro.formats.smv.syntax.parser import ParsedSpec
    from pigro.formats.smv.syntax.text import TokenText
    from pigro.logic import Formula


class StatedFormulas(NamedTuple):
    """The formulas of all components, and what they are over."""

    labels: LabelConditions
    fairness: dict[str, list[tuple[str, ...]]]
    """The labels of the fairness of each component."""
    fair_labels: frozenset[str]
    """All of these."""
    specs: list[tuple[str, ModuleInstance, ParsedSpec, Formula]]
    """The formulas, each about an instance of a component."""
    faults: list[TokenFault]
    """What is wrong with others, which are left out."""


def stated_in(text: TokenText, components: Mapping[str, SmvComponent]) -> StatedFormulas:
    """What a file states. Raises a `TokenFault` of its fairness."""
    labels = LabelConditions(components)
    fairness = {name: _fair(text, labels, name, each) for name, each in components.items()}
    fair_labels = frozenset(labels.own)
    specs: list[tuple[str, ModuleInstance, ParsedSpec, Formula]] = []
    faults = []
    for name, component in components.items():
        for instance, spec, whole in component.specs:
            known = len(labels.own)
            try:
                formula = labels.formula(text, whole, instance, name, spec.section)
                specs.append((name, instance, spec, formula))
            except TokenFault as fault:
                faults.append(fault)
                while len(labels.own) > known:
                    labels.own.popitem()
    return StatedFormulas(labels, fairness, fair_labels, specs, faults)


def _fair(
    text: TokenText, labels: LabelConditions, name: str, component: SmvComponent
) -> list[tuple[str, ...]]:
    """The labels of the fairness of a component."""
    found: list[tuple[str, ...]] = []
    for fair in component.fairness:
        mine = []
        for seen, written in zip(fair.conditions, fair.written, strict=True):
            label = labels.text_of(written, name)
            at = written.nodes.at[written.root]
            if isinstance(seen, ScalarVariable):
                label, number = f"before: {label}", component.compiler.current(seen)
            else:
                number = component.condition(seen, "FAIRNESS").number
            labels.own.setdefault(label, ComponentCondition(name, number, at, text))
            mine.append(label)
        found.append(tuple(mine))
    return found
