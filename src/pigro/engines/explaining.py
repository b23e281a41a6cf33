"""Where a formula and its parts are true: at the initial nodes, or at one node, under any caller.

A node is visited under many call stacks, and a formula may be true under some of them and false
under others. With a label `here` that only this node has, f is true in no reachable state at the
node if AG (here -> !f) holds, and in all of them if AG (here -> f) does. If both fail it depends on
the callers, and the certificates of the two verdicts lead to a state of each kind. Beyond CTL,
where there are none, runs that break the two rules do so, and in the mu-calculus strategies do. A
path formula alone means A of it.

Cost: two checks for each subformula. For each that depends, two certificates or runs.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, islice
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError
from pigro.engines.auto import AUTO
from pigro.engines.labels import UnknownLabelWarning, unknown_labels
from pigro.engines.native import DEMAND
from pigro.engines.proving import Wanted, certifying
from pigro.engines.table import require_logic
from pigro.evidence.states import EMPTY, State
from pigro.evidence.tree.following import Follower
from pigro.limits import OVER, Budget, Limits
from pigro.logic import AG, A, Formula, atom
from pigro.logic.construct import subformulas
from pigro.logic.files import reader, resolved
from pigro.logic.fragments import state_formulas
from pigro.logic.operators import Fragment
from pigro.logic.printer import as_written

if TYPE_CHECKING:
    from pigro.engines.engine import Engine
    from pigro.model import RSM
    from pigro.verdict import Verdict

MOST = 50
"""Subformulas that are explained, if no other number is given."""


class Truth(StrEnum):
    """In which of the states that are asked about a formula is true."""

    HOLDS = "holds"
    """In all of them."""
    FAILS = "fails"
    """In none of them."""
    DEPENDS = "depends"
    """In some."""
    NOT_REACHABLE = "not reachable"
    """There are no such states."""
    UNKNOWN = "unknown"
    """It was not decided within the limits."""


@dataclass(frozen=True, slots=True)
class SubformulaTruth:
    """Where a subformula is true.

    Where that depends, there is a state in which it is true and one in which it is false, unless
    the limits left no room to find them. A state is written with the boxes of all calls on its
    stack and a declared node: where an empty procedure is called, with its box.
    """

    formula: Formula
    truth: Truth
    true_in: State | None = None
    false_in: State | None = None


def explain_at(
    model: RSM,
    formula: Formula | str,
    node: int | str | None = None,
    *,
    most: int = MOST,
    timeout: float | None = None,
    memory: float | None = None,
    budget: Budget | None = None,
) -> list[SubformulaTruth]:
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
    model = (model if node is None else model.listed(budget.poll)).about(whole.atoms)
    unknown = unknown_labels(model, [formula])
    if unknown:
        warnings.warn(unknown.message(), UnknownLabelWarning, stacklevel=2)
    parts = list(islice(subformulas(formula), most))
    if node is None:
        return _at_initial_nodes(model, parts, [whole, *meant_anywhere(model, parts[1:])], budget)
    return _at_node(model, parts, formula, _declared(model, node), budget)


def about_states(formula: Formula) -> Formula:
    """A formula of LTL is about all paths."""
    return formula if state_formulas(formula)[-1] else A(formula)


def engine_for(formula: Formula) -> Engine:
    """The engine that decides a formula in states of any model."""
    if formula.fragment is not Fragment.MU:
        return DEMAND
    from pigro.engines.game.engine import GAME

    return GAME


def meant_anywhere(model: RSM, parts: list[Formula]) -> list[Formula]:
    """What subformulas mean in any state: the model's file may speak of fair paths only."""
    anywhere = getattr(model.document, "anywhere", None)
    return parts if anywhere is None else [anywhere(part) for part in parts]


def _declared(model: RSM, node: int | str) -> int:
    if isinstance(node, str):
        return model.find(node)
    if not 0 <= node < model.core.nodes or model.core.box(node) >= 0:
        raise UsageError("P004", f"node {node} is not a node that was declared")
    return node


def _at_initial_nodes(
    model: RSM, parts: list[Formula], meant: list[Formula], budget: Budget
) -> list[SubformulaTruth]:
    if model.on_demand is not None:
        return _at_initial_states(model, parts, meant, budget)
    found = []
    for part, verdict in zip(parts, _decided(model, meant, budget), strict=True):
        state = {truth: State(EMPTY, node) for node, truth in reversed(verdict.holds_at)}
        if verdict.holds is None:
            found.append(SubformulaTruth(part, Truth.UNKNOWN))
        elif len(state) == 2:
            found.append(SubformulaTruth(part, Truth.DEPENDS, state[True], state[False]))
        else:
            found.append(SubformulaTruth(part, Truth.HOLDS if True in state else Truth.FAILS))
    return found


def _decided(model: RSM, formulas: list[Formula], budget: Budget) -> list[Verdict]:
    """Verdicts in the order of the formulas. Those of one engine are asked for together."""
    found: dict[int, Verdict] = {}
    engines = [engine_for(each) for each in formulas]
    for engine in {each.name: each for each in engines}.values():
        mine = [at for at, each in enumerate(engines) if each is engine]
        verdicts = engine.check_all(model, [formulas[at] for at in mine], budget=budget)
        found |= zip(mine, verdicts, strict=True)
    return [found[at] for at in range(len(formulas))]


def _at_initial_states(
    model: RSM, parts: list[Formula], meant: list[Formula], budget: Budget
) -> list[SubformulaTruth]:
    """The same where states are computed on demand: a part that fails may fail in some only."""
    found = []
    for part, about in zip(parts, meant, strict=True):
        yes, no = AUTO.check_all(model, [about, ~about], budget=budget)
        if yes.holds:
            truth = Truth.HOLDS
        elif no.holds:
            truth = Truth.FAILS
        else:
            unknown = yes.holds is None or no.holds is None
            truth = Truth.UNKNOWN if unknown else Truth.DEPENDS
        found.append(SubformulaTruth(part, truth))
    return found


def _at_node(
    model: RSM, parts: list[Formula], formula: Formula, node: int, budget: Budget
) -> list[SubformulaTruth]:
    taken = {*model.label_ids, *formula.atoms}
    label = next(name for at in count() if (name := f"here{at}") not in taken)
    here, model = atom(label), model.with_labels({label: [model.core.declared_of_node(node)]})
    [unreachable] = DEMAND.check_all(model, [AG(~here)], budget=budget)
    if unreachable.holds:
        return [SubformulaTruth(part, Truth.NOT_REACHABLE) for part in parts]
    meant = meant_anywhere(model, parts)
    never = [AG(here.implies(~part)) for part in meant]
    always = [AG(here.implies(part)) for part in meant]
    answers = _decided(model, [*never, *always], budget)
    pairs = zip(answers[: len(parts)], answers[len(parts) :], strict=True)
    return [
        _truth(part, *pair, is_reachable=unreachable.holds is False, budget=budget)
        for part, pair in zip(parts, pairs, strict=True)
    ]


def _truth(
    part: Formula, never: Verdict, always: Verdict, *, is_reachable: bool, budget: Budget
) -> SubformulaTruth:
    """What AG (here -> !f) and AG (here -> f) say about f."""
    if never.holds is False and always.holds is False:
        true_in, false_in = (_exception(each, budget) for each in (never, always))
        return SubformulaTruth(part, Truth.DEPENDS, true_in, false_in)
    if never.holds and (always.holds is False or is_reachable):
        return SubformulaTruth(part, Truth.FAILS)
    if always.holds and (never.holds is False or is_reachable):
        return SubformulaTruth(part, Truth.HOLDS)
    return SubformulaTruth(part, Truth.UNKNOWN)


def _exception(rule: Verdict, budget: Budget) -> State | None:
    """A reachable state at the node that breaks the rule AG (here -> f), which fails.

    None if it can't be found within the budget.
    """
    if rule.formula.fragment is Fragment.MU:
        from pigro.engines.game.breaking import breaking_state

        state = breaking_state(rule.model, rule.formula, budget)
        return None if state is None else _as_declared(rule.model, state)
    if not rule.formula.is_ctl:
        return _end_of_run(rule, budget)
    [proved] = certifying(DEMAND, Wanted(shortest=True)).check_all(
        rule.model, [rule.formula], budget=budget
    )
    if proved.certificate is None:
        return None
    try:
        with Follower.of(proved.certificate, budget.poll) as follower:
            reaching = follower.form.left[len(follower.form) - 1]  # the rule is !E [true U ...]
            states = (State(EMPTY, node) for node in follower.initial)
            start = next(state for state in states if follower.value(reaching, state))
            path = follower.path(reaching, start, shortest=True)
    except OVER:
        return None
    return _as_declared(rule.model, path.states[-1])


def _end_of_run(rule: Verdict, budget: Budget) -> State | None:
    """The last state of a run that breaks the rule: it is cut short there."""
    from pigro.engines.recursion.evidence import RunShower

    [shown] = RunShower().check_all(rule.model, [rule.formula], budget=budget)
    if shown.evidence is None or shown.evidence.path is None:
        return None
    return _as_declared(rule.model, shown.evidence.path.states[-1])


def _as_declared(model: RSM, state: State) -> State:
    box = model.core.box(state.node)
    if box < 0:
        return state
    return State(state.stack.push(box), model.core.subject(state.node))
