"""Where a formula and its parts are true: at the initial nodes, or at one node, under any caller.

A node is visited under many call stacks, and a formula may be true under some of them and false
under others. Each subformula has a labelling of its own (engines/labelling.py), which tells the
states at the node that runs reach. In the mu-calculus, the engine `game` is asked instead. A path
formula alone means A of it.

Cost: a labelling for each subformula. At the initial nodes, a check for each.
"""

from __future__ import annotations

import warnings
from itertools import chain, islice
from typing import TYPE_CHECKING, Protocol

from pigro.diagnostics import UsageError
from pigro.engines.auto import AUTO
from pigro.engines.labelling import (
    FormulaLabelling,
    FormulaTruth,
    TruthAmongStates,
    about_states,
    meant_anywhere,
)
from pigro.engines.likely_mistakes import UnknownLabelWarning, unknown_labels
from pigro.engines.native import DEMAND
from pigro.engines.table import require_logic
from pigro.evidence.states import EMPTY, State
from pigro.limits import LIMIT_ERRORS, Budget, Limits
from pigro.logic.construct import subformulas
from pigro.logic.files import reader, resolved
from pigro.logic.operators import Fragment
from pigro.logic.printer import as_written

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.engines.engine import Engine
    from pigro.evidence.states import Stack
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.space import Model, StateSpace
    from pigro.verdict import Verdict

MOST = 50
"""Subformulas that are explained, if no other number is given."""


def explain_at(
    model: Model,
    formula: Formula | str,
    node: int | str | None = None,
    *,
    most: int = MOST,
    timeout: float | None = None,
    memory: float | None = None,
    budget: Budget | None = None,
) -> list[FormulaTruth]:
    """The truth of each subformula of a formula, the whole first, up to `most` of them.

    At a declared node, by number or name: in all states there that are reachable from the initial
    nodes. Without `node`: at the initial nodes with the empty stack. Labels that no node carries
    are false, with an `UnknownLabelWarning`. `timeout` and `memory` are as for `check`, a `budget`
    stands for both. Formulas not decided within them are unknown. In the mu-calculus, a variable
    stands for its fixpoint. Raises `FormulaError` for text that is no formula, `CheckError` for
    one that `check` refuses, `UsageError` if there is no such node.

    >>> from pigro import kripke
    >>> model = kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> [(str(each.formula), str(each.truth)) for each in explain_at(model, "AX done")]
    [('AX done', 'holds'), ('done', 'fails')]
    """
    if isinstance(formula, str):
        formula = reader(model.document, lenient=True)(formula)
    whole = about_states(resolved(formula, model.document))
    formula = about_states(as_written(whole))
    require_logic(engine_for(formula), formula)
    budget = budget or Budget(Limits(timeout, memory))
    model = model.about(whole.atoms)
    unknown = unknown_labels(model, [formula])
    if unknown:
        warnings.warn(unknown.message(), UnknownLabelWarning, stacklevel=2)
    parts = list(islice(subformulas(formula), most))
    if node is None:
        return _at_initial_nodes(model, parts, [whole, *meant_anywhere(model, parts[1:])], budget)
    listed = model.listed(budget.poll)
    return _at_node(listed, parts, _declared(listed, node), budget)


def engine_for(formula: Formula) -> Engine:
    """The engine that decides a formula in states of any model."""
    if formula.fragment is not Fragment.MU:
        return DEMAND
    from pigro.engines.game.engine import GAME

    return GAME


def _declared(model: RSM, node: int | str) -> int:
    if isinstance(node, str):
        return model.find(node)
    if not 0 <= node < model.core.nodes or model.core.box(node) >= 0:
        raise UsageError("P004", f"node {node} is not a node that was declared")
    return node


def _at_initial_nodes(
    model: Model, parts: list[Formula], meant: list[Formula], budget: Budget
) -> list[FormulaTruth]:
    if not model.is_listed:
        return _at_initial_states(model, parts, meant, budget)
    found = []
    for part, verdict in zip(parts, _decided(model, meant, budget), strict=True):
        state = {truth: State(EMPTY, node) for node, truth in reversed(verdict.starts)}
        if verdict.holds is None:
            found.append(FormulaTruth(part, TruthAmongStates.UNKNOWN))
        elif len(state) == 2:
            found.append(FormulaTruth(part, TruthAmongStates.DEPENDS, state[True], state[False]))
        else:
            found.append(
                FormulaTruth(
                    part, TruthAmongStates.HOLDS if True in state else TruthAmongStates.FAILS
                )
            )
    return found


def _decided(model: Model, formulas: list[Formula], budget: Budget) -> list[Verdict]:
    """Verdicts in the order of the formulas. Those of one engine are asked for together."""
    found: dict[int, Verdict] = {}
    engines = [engine_for(each) for each in formulas]
    for engine in {each.name: each for each in engines}.values():
        mine = [at for at, each in enumerate(engines) if each is engine]
        verdicts = engine.check_all(model, [formulas[at] for at in mine], budget=budget)
        found |= zip(mine, verdicts, strict=True)
    return [found[at] for at in range(len(formulas))]


def _at_initial_states(
    model: StateSpace, parts: list[Formula], meant: list[Formula], budget: Budget
) -> list[FormulaTruth]:
    """The same where states are computed on demand: a part that fails may fail in some only."""
    found = []
    for part, about in zip(parts, meant, strict=True):
        yes, no = AUTO.check_all(model, [about, ~about], budget=budget)
        if yes.holds:
            truth = TruthAmongStates.HOLDS
        elif no.holds:
            truth = TruthAmongStates.FAILS
        else:
            unknown = yes.holds is None or no.holds is None
            truth = TruthAmongStates.UNKNOWN if unknown else TruthAmongStates.DEPENDS
        found.append(FormulaTruth(part, truth))
    return found


def _at_node(model: RSM, parts: list[Formula], node: int, budget: Budget) -> list[FormulaTruth]:
    return [
        _truth(model, part, about, node, budget)
        for part, about in zip(parts, meant_anywhere(model, parts), strict=True)
    ]


def _truth(model: RSM, part: Formula, meant: Formula, node: int, budget: Budget) -> FormulaTruth:
    try:
        labels = labels_of(model, meant, budget)
        found = labels.truths(model.alike(node))
    except LIMIT_ERRORS:
        return FormulaTruth(part, TruthAmongStates.UNKNOWN, node=node)
    truth = _of_all(found.values())
    if truth is not TruthAmongStates.DEPENDS:
        return FormulaTruth(part, truth, node=node)
    true_in, false_in = (
        next(labels.reached_state(at, truth=holds) for at, each in found.items() if each in kinds)
        for holds, kinds in ((True, _SOMEWHERE), (False, _NOT_EVERYWHERE))
    )
    return FormulaTruth(part, truth, true_in, false_in, node)


_SOMEWHERE = (TruthAmongStates.HOLDS, TruthAmongStates.DEPENDS)
_NOT_EVERYWHERE = (TruthAmongStates.FAILS, TruthAmongStates.DEPENDS)


def _of_all(truths: Iterable[TruthAmongStates]) -> TruthAmongStates:
    """The truth at several nodes that are explained together."""
    found = {*truths} - {TruthAmongStates.NOT_REACHABLE}
    if len(found) > 1:
        return (
            TruthAmongStates.UNKNOWN
            if TruthAmongStates.UNKNOWN in found
            else TruthAmongStates.DEPENDS
        )
    return found.pop() if found else TruthAmongStates.NOT_REACHABLE


class StateLabels(Protocol):
    """What is known of a formula in states of a model. `LIMIT_ERRORS` beyond the limits."""

    def truths(self, nodes: Sequence[int]) -> dict[int, TruthAmongStates]:
        """At declared nodes, in all states there that runs from the initial nodes reach."""

    def reached_state(self, node: int, *, truth: bool) -> State | None:
        """One of these states where the formula has a truth, which depends. None if not found."""

    def under(self, stack: Stack, nodes: Sequence[int]) -> dict[int, bool]:
        """The truth at declared nodes of the component that a stack leads to, under the stack.

        Nodes of which it is not known are left out.
        """


def labels_of(model: RSM, formula: Formula, budget: Budget) -> StateLabels:
    """Where a formula that is meant in any state holds. The model has its labels."""
    if formula.fragment is not Fragment.MU:
        return FormulaLabelling(model, about_states(formula), budget.poll)
    from pigro.engines.game.truths import MuLabels

    return MuLabels(model, formula, budget)


def truths_at(
    model: RSM, formula: Formula | str, nodes: Sequence[int], budget: Budget
) -> dict[int, TruthAmongStates]:
    """Of declared nodes, by number: the truth in all states there that runs reach.

    Says the same as `explain_at` at each node. `OutOfTime` or `OutOfMemory` beyond the budget.
    """
    model, formula = meant_in(model, formula)
    alike = {node: model.alike(node) for node in nodes}
    found = labels_of(model, formula, budget).truths([*chain.from_iterable(alike.values())])
    return {node: _of_all(found[each] for each in mine) for node, mine in alike.items()}


def truths_under(
    model: RSM, formula: Formula | str, stack: Stack, nodes: Sequence[int], budget: Budget
) -> dict[int, bool]:
    """Of declared nodes of the component that a stack leads to: the truth there under the stack.

    Nodes of which the limits leave the truth open are left out. Errors are as in `truths_at`.
    """
    model, formula = meant_in(model, formula)
    labels = labels_of(model, formula, budget)
    if stack or not nodes:
        return labels.under(stack, nodes)
    starts = model.with_initial(nodes).initial  # in the reading `rmv`, twins of the nodes
    found = labels.under(stack, starts)
    return {node: found[at] for node, at in zip(nodes, starts, strict=True) if at in found}


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
