"""Operators on the past in LTLSPEC, by hidden variables that remember.

A past operator over conditions has a value in every state of a run, which depends on what came
before. For each there is a hidden variable m, and the operator becomes a definition:

    Y p      m        m begins FALSE, then is p of the state before
    Z p      m        m begins TRUE, then is p of the state before
    O p      p | m    m begins FALSE, then is the value of O p in the state before
    H p      p & m    m begins TRUE, then is the value of H p in the state before
    p S q    q | p & m      m begins FALSE
    p T q    q & (p | m)    m begins TRUE

`O [1, 2] p` is `Y p | Y Y p`, and `H [1, 2] p` is `Z p & Z Z p`: each step back has a variable.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.formats.smv.instances import ScalarVariable, ScopedExpression, ValueDomain
from pigro.formats.smv.syntax.nodes import (
    BOUNDED,
    PAST,
    TEMPORAL,
    Expression,
    ExpressionNodes,
    N,
    bounds,
    operands,
)
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.formats.smv.instances import ModuleInstance

_BOOLEAN = ValueDomain((False, True))
_SIGNS = {N.Y: "Y", N.Z: "Z", N.O: "O", N.H: "H", N.S: "S", N.T: "T", N.O_IN: "O", N.H_IN: "H"}
_BEGIN_TRUE = (N.Z, N.H, N.T, N.H_IN)


def has_past(whole: Expression) -> bool:
    """Whether a formula speaks of the past."""
    return not PAST.isdisjoint(whole.nodes.ops[whole.span.start : whole.span.stop])


def without_past(
    whole: Expression, instance: ModuleInstance, variables: list[ScalarVariable]
) -> Expression:
    """The formula with names for what it says of the past. `variables` grows."""
    nodes = whole.nodes
    named: dict[int, str] = {}
    for node in whole.span:
        if nodes.ops[node] not in PAST:
            continue
        for each in range(nodes.first[node], node):
            if nodes.ops[each] in TEMPORAL - PAST:
                message = "under an operator on the past there can be no operator on the future"
                raise TokenFault("P122", message, nodes.at[each], "swap them, or write a SPEC")
        named[node] = _remember(nodes, node, instance, variables, named)
    return copied(nodes, whole.root, named)


def _remember(
    nodes: ExpressionNodes,
    node: int,
    instance: ModuleInstance,
    variables: list[ScalarVariable],
    named: dict[int, str],
) -> str:
    op, at = nodes.ops[node], nodes.at[node]
    number = len(variables)
    while (name := f"{_SIGNS[op]} #{number}") in instance.names:  # `H [0, 0]` has no variable
        number += 1
    parts = []
    for place, each in enumerate(operands(nodes, node)):
        parts.append(f"{name} {place}")
        own = copied(nodes, each, named)
        instance.names[parts[-1]] = ScopedExpression(own.nodes, own.root, instance)
    if op in BOUNDED:
        low, high = bounds(nodes, node)
        for step in range(high):  # what held so many steps ago
            parts.append(f"{name} before {step}")
            remember(parts[-1], parts[-2], at, instance, variables, begin=op in _BEGIN_TRUE)
        value = _joined(N.OR if op == N.O_IN else N.AND, parts[low:], at)
    else:
        kept, begin = parts[0] if op in (N.Y, N.Z) else name, op in _BEGIN_TRUE
        remember(f"{name} before", kept, at, instance, variables, begin=begin)
        value = _value(op, parts, f"{name} before", at)
    instance.names[name] = ScopedExpression(value.nodes, value.root, instance)
    return name


def remember(
    name: str,
    kept: str,
    at: int,
    instance: ModuleInstance,
    variables: list[ScalarVariable],
    *,
    begin: bool = False,
) -> None:
    """Adds a variable that has the value that `kept` had in the step before."""
    memory = ScalarVariable(instance.full(name), at, _BOOLEAN, "VAR", hidden=True)
    variables.append(memory)
    instance.names[name] = memory
    first = ExpressionNodes()
    first.leaf(N.CONSTANT, begin, at)
    memory.init = ScopedExpression(first, 0, instance)
    right = ExpressionNodes()
    right.leaf(N.NAME, kept, at)
    memory.next.append((instance.process, ScopedExpression(right, 0, instance)))


def _joined(op: int, names: list[str], at: int) -> Expression:
    """All the names under one operator, or the only one."""
    made = ExpressionNodes()
    leaves = [made.leaf(N.NAME, name, at) for name in names]
    return Expression(made, leaves[0] if len(leaves) == 1 else made.node(op, leaves, at))


def _value(op: int, parts: list[str], memory: str, at: int) -> Expression:
    """The definition of an operator over the names of its arguments."""
    made = ExpressionNodes()
    if op in (N.Y, N.Z):
        return Expression(made, made.leaf(N.NAME, memory, at))
    if op in (N.O, N.H):
        left, right = made.leaf(N.NAME, parts[0], at), made.leaf(N.NAME, memory, at)
        return Expression(made, made.node(N.OR if op == N.O else N.AND, [left, right], at))
    goal = made.leaf(N.NAME, parts[1], at)
    left, right = made.leaf(N.NAME, parts[0], at), made.leaf(N.NAME, memory, at)
    inner, outer = (N.AND, N.OR) if op == N.S else (N.OR, N.AND)
    return Expression(made, made.node(outer, [goal, made.node(inner, [left, right], at)], at))


def copied(
    nodes: ExpressionNodes, root: int, named: Mapping[int, str], *, later: bool = False
) -> Expression:
    """An expression of its own, with names in place of what has one. If `later`, with X before."""
    made = ExpressionNodes()
    hidden: set[int] = set()
    for node in range(root, nodes.first[root] - 1, -1):  # the outermost of those with a name
        if node in named and node not in hidden:
            hidden.update(range(nodes.first[node], node))
    numbers: dict[int, int] = {}
    for node in range(nodes.first[root], root + 1):
        op, args, at = nodes.ops[node], nodes.args[node], nodes.at[node]
        if node in hidden or op == N.GONE:
            continue
        if node in named:
            numbers[node] = made.leaf(N.NAME, named[node], at)
            if later:
                numbers[node] = made.node(N.X, [numbers[node]], at)
        elif op >= N.NOT:
            numbers[node] = made.node(op, [numbers[each] for each in args], at)
        else:
            numbers[node] = made.leaf(op, args, at)
    return Expression(made, numbers[root])
