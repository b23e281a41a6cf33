"""Inputs in LTLSPEC, by hidden variables that remember.

An input has a value in each step of a path, and none in states. A condition that speaks of inputs
gets a hidden variable m that begins FALSE, and then says whether the step before met the condition.
On an endless path, the condition is `X m`. States are told apart by one bit more for each such
condition, and what they lead to stays the same. So formulas about states mean the same as without.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.formats.smv.instances import ScopedExpression
from pigro.formats.smv.specs.past import copied, remember
from pigro.formats.smv.syntax.nodes import CONNECTIVES, TEMPORAL, Expression, operands
from pigro.formats.smv.written import plain_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.formats.smv.instances import ModuleInstance, ScalarVariable

_INNER = CONNECTIVES | TEMPORAL


def without_inputs(
    whole: Expression,
    instance: ModuleInstance,
    variables: list[ScalarVariable],
    reads_inputs: Callable[[ScopedExpression], bool],
) -> Expression:
    """The formula with `X m` for each condition that speaks of inputs. `variables` grows."""
    nodes, waiting = whole.nodes, [whole.root]
    named: dict[int, str] = {}
    while waiting:
        node = waiting.pop()
        if nodes.ops[node] in _INNER:
            waiting += operands(nodes, node)
        elif TEMPORAL.isdisjoint(nodes.ops[nodes.first[node] : node]) and reads_inputs(
            ScopedExpression(nodes, node, instance)
        ):  # the others are refused when the formula is made
            named[node] = _seen(whole, node, instance, variables)
    return copied(nodes, whole.root, named, later=True) if named else whole


def _seen(
    whole: Expression, node: int, instance: ModuleInstance, variables: list[ScalarVariable]
) -> str:
    """The name of the variable for a condition. Equal conditions share one."""
    nodes = whole.nodes
    name = f"before: {plain_text(nodes, node)}"
    if name not in instance.names:
        condition, kept = copied(nodes, node, {}), f"input #{len(variables)}"
        instance.names[kept] = ScopedExpression(condition.nodes, condition.root, instance)
        remember(name, kept, nodes.at[node], instance, variables)
    return name
