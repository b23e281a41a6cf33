"""The truth of a formula at many nodes: under any caller, or under one call stack.

Any caller: `AG !here` finds out which nodes runs reach, with a label for each. With a label that
a group of these has, `AG (here -> f)` says that f is true at all of them, and `AG (here -> !f)` at
none. A group that is neither is split. A node alone that is neither depends on its callers. Under
one stack, new nodes lead to the states (recursion/leading.py), and groups of these are asked about
in the same way.

Cost: a check for each node after a return that entries don't lead to, once for each model. Then one
or two checks for each group. There are few groups if neighbours agree.
"""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING

from pigro import _core
from pigro.engines.explaining import Truth, about_states, engine_for, meant_anywhere
from pigro.engines.native import DEMAND
from pigro.engines.recursion.deciding import StateTruths
from pigro.engines.recursion.leading import Leading, leading_to
from pigro.engines.table import require_logic
from pigro.evidence.states import Path, Stack, State
from pigro.limits import OutOfTime
from pigro.logic import AG, Formula, atom
from pigro.logic.files import reader, resolved
from pigro.logic.printer import as_written

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.limits import Budget
    from pigro.model import RSM


def truths_at(
    model: RSM, formula: Formula | str, nodes: Sequence[int], budget: Budget
) -> dict[int, Truth]:
    """Of declared nodes, by number: the truth in all states there that runs reach.

    Says the same as `explain_at` at each node. `OutOfTime` or `OutOfMemory` beyond the budget.
    """
    model, formula = meant_in(model, formula)
    reached = _reached(model, nodes, budget)
    found = {node: Truth.NOT_REACHABLE for node in nodes if not reached[node]}
    pending = [[node for node in nodes if reached[node]]]
    taken = {*model.label_ids, *formula.atoms}
    label = next(name for at in count() if (name := f"here{at}") not in taken)
    while pending:
        budget.look()
        group = pending.pop()
        truth = _common(model, formula, label, group, budget) if group else None
        if truth is not None:
            found.update(dict.fromkeys(group, truth))
        elif len(group) > 1:
            half = len(group) // 2
            pending += [group[half:], group[:half]]
        elif group:
            found[group[0]] = Truth.DEPENDS
    return found


def truths_under(
    model: RSM, formula: Formula | str, stack: Stack, nodes: Sequence[int], budget: Budget
) -> dict[int, bool]:
    """Of declared nodes of the component that a stack leads to: the truth there under the stack.

    Nodes of which the limits leave the truth open are left out. Errors are as in `truths_at`.
    """
    if not nodes:
        return {}
    model, formula = meant_in(model, formula)
    if not stack:
        [verdict] = engine_for(formula).check_all(
            model.with_initial(nodes), [formula], budget=budget
        )
        return dict(verdict.holds_at)
    truths = StateTruths(model, formula, engine_for(formula), budget)
    path = Path(tuple(State(stack, node) for node in nodes))
    led: dict[Path, Leading] = model.kept("leading to states", lambda _: {})
    if path not in led:  # for the next formula
        led.clear()
        led[path] = leading_to(model, path)
    truths.known = path, led[path]
    found = truths.on_path(len(formula) - 1, path, [True] * len(nodes))
    return {node: truth for node, truth in zip(nodes, found, strict=True) if truth is not None}


def meant_in(model: RSM, formula: Formula | str) -> tuple[RSM, Formula]:
    """The formula as it is meant in any state, and the model with its labels.

    `CheckError` for a formula that `check` refuses.
    """
    if isinstance(formula, str):
        formula = reader(model.document, lenient=True)(formula)
    written = as_written(about_states(resolved(formula, model.document)))
    require_logic(engine_for(written), written)
    [meant] = meant_anywhere(model, [about_states(written)])
    return model.about(meant.atoms), meant


def _common(
    model: RSM, formula: Formula, label: str, group: list[int], budget: Budget
) -> Truth | None:
    """The truth at all nodes of a group. None if they differ, or depend on their callers."""
    here = atom(label)
    marked = model.with_labels({label: [model.core.declared_of_node(node) for node in group]})
    for truth, part in ((Truth.HOLDS, formula), (Truth.FAILS, ~formula)):
        rule = AG(here.implies(part))
        [verdict] = engine_for(rule).check_all(marked, [rule], budget=budget)
        if verdict.holds:
            return truth
        if verdict.holds is None:
            budget.look()
            return Truth.UNKNOWN
    return None


def _reached(model: RSM, nodes: Sequence[int], budget: Budget) -> dict[int, bool]:
    """Whether runs from the initial nodes reach declared nodes. The model keeps the answers.

    A run comes to a node at the start, by a call of an entry, after a return, or by a step from
    another node of the component. So if all nodes of a component are asked about, only entries and
    what follows returns are checked.
    """
    core = model.core
    known: dict[int, bool] = model.kept("reached nodes", lambda _: {})
    _spread(model, [node for node in model.initial if node not in known], known)
    _ask_reached(model, [node for node in nodes if core.is_entry(node)], known, budget)
    mine = [
        each
        for number in {core.component(node) for node in nodes}
        for each in core.nodes_of(number)
    ]
    if sum(core.box(node) < 0 for node in mine) == len(nodes):
        returns = [node for node in mine if core.kind(node) is _core.NodeKind.RETURN]
        later = {after for node in returns for after in core.successors(node)}
        _ask_reached(model, [node for node in nodes if node in later], known, budget)
        known.update({node: False for node in nodes if node not in known})
    _ask_reached(model, nodes, known, budget)
    return known


def _ask_reached(model: RSM, nodes: Sequence[int], known: dict[int, bool], budget: Budget) -> None:
    asked = [node for node in nodes if node not in known]
    if not asked:
        return
    names = (name for at in count() if (name := f"node{at}") not in model.label_ids)
    labels = {name: [model.core.declared_of_node(node)] for name, node in zip(names, asked)}  # noqa: B905 - names have no end
    verdicts = DEMAND.check_all(
        model.with_labels(labels), [AG(~atom(label)) for label in labels], budget=budget
    )
    for node, verdict in zip(asked, verdicts, strict=True):
        if verdict.holds is None:
            budget.look()
            raise OutOfTime(verdict.reason)
        known[node] = not verdict.holds
    _spread(model, [node for node in asked if known[node]], known)


def _spread(model: RSM, reached: list[int], known: dict[int, bool]) -> None:
    """Nodes are reached, and so are all that steps inside of their component lead to."""
    core, pending = model.core, list(reached)
    known.update(dict.fromkeys(reached, True))
    while pending:
        for after in core.successors(pending.pop()):
            if core.box(after) < 0 and not known.get(after):
                known[after] = True
                pending.append(after)
