"""Global dependency cycles: values that are left unknown when no context can be refined any more
([Dubslaff2024], Lemma 6).

Let D be a set of pairs (node, f) with value ??, for one f = EU or EG whose subformulas are known at
the nodes of D, such that D contains with a node all its unknown successors, with a call node the
called entry, and with an exit all return nodes in all callers. Then at D

- EU fails: a run through D stays in D or comes to nodes where f fails, and never to the goal.
- EG holds: from each node of D a step leads to another, and the operand holds at all of them.

It does no harm if some return nodes are known already, as long as they have that very value.

`resolve_all` takes for D all unknown pairs of such an f in all instances, as Alg. 4 and 5 do.
`resolve` takes the pairs that a search has visited (LazyCheck', section 6.3.2): they are closed
under the above, and the condition on subformulas is looked up in the pairs themselves. There it is
enough to set the contexts of the exits in D. RefineTernary finds the rest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.simplify import ATOM, EU, EX

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import CheckRequest, ContextInstance

Pairs = dict[int, dict["ContextInstance", int]]
"""For each formula and instance a set of nodes: the pairs (node, formula)."""


def resolve_all(instances: InstanceStore, formula: int) -> None:
    """Decides `formula` where it is unknown. Its subformulas must be known (Alg. 4, l. 8 to 15).

    The values are set, and the contexts left as they are: the published tool does so, and counts
    the contexts that are built when a box later passes on the values decided here.
    """
    holds = instances.question.form.ops[formula] != EU
    unknown = {each: each.unknown(formula) for each in instances.live if each.unknown(formula)}
    instances.trace.resolved(instances, formula, unknown, holds=holds)
    for instance, nodes in unknown.items():
        if holds:
            instance.sure[formula] |= nodes
        else:
            instance.may[formula] &= ~nodes  # Alg. 4, line 15 says tt: a slip
        instances.note_values(formula, instance)
        for parent in instances.question.parents[formula]:
            instances.note_input(parent, instance)


def resolve_contexts(instances: InstanceStore, formula: int) -> None:
    """The same, and in the contexts as well (Alg. 4, l. 11 and 15; Alg. 5, l. 10 and 14)."""
    holds = instances.question.form.ops[formula] != EU
    unknown = {each: each.unknown_exits(formula) for each in instances.live}
    resolve_all(instances, formula)
    for instance, exits in unknown.items():
        if exits:
            instances.refine_context(
                instance, formula, sure=exits if holds else 0, fails=0 if holds else exits
            )


def resolve(instances: InstanceStore, pairs: Pairs, chosen: Pairs | None = None) -> None:
    """Decides those formulas of a closed set of pairs that have no subformula in it.

    With `chosen`, at these of the pairs only.
    """
    for formula in _innermost(instances.question, pairs):
        nodes = (pairs if chosen is None else chosen).get(formula)
        if nodes is not None:
            _decide(instances, formula, nodes)


def _innermost(question: CheckRequest, pairs: Pairs) -> list[int]:
    form = question.form
    inside: list[bool] = []
    """Whether the formula or one of its subformulas is in `pairs`."""
    found = []
    for number, (op, left, right) in enumerate(zip(form.ops, form.left, form.right, strict=True)):
        below = op > ATOM and (inside[left] or (right >= 0 and inside[right]))
        inside.append(below or number in pairs)
        if number in pairs and not below:
            assert op > EX, "an unknown EX or connective has an unknown operand"
            found.append(number)
    return found


def _decide(instances: InstanceStore, formula: int, nodes: dict[ContextInstance, int]) -> None:
    holds = instances.question.form.ops[formula] != EU
    instances.trace.resolved(instances, formula, nodes, holds=holds)
    assert any(unknown & instance.body.exits for instance, unknown in nodes.items()), "it returns"
    for instance, unknown in nodes.items():
        exits = unknown & instance.body.exits
        if not exits:
            continue
        if holds:
            instances.refine_context(instance, formula, sure=exits, fails=0)
        else:
            instances.refine_context(instance, formula, sure=0, fails=exits)
