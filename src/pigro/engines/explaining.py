"""Where a formula and its parts are true: at the initial nodes, or at one node whoever calls it.

A node is visited under many call stacks, and a formula may be true under some of them and false
under others. With a label `here` that only this node has, f is true in no reachable state at the
node if AG (here -> !f) holds, and in all of them if AG (here -> f) does. If both fail it depends on
the callers, and the certificates of the two verdicts lead to a state of each kind.

Cost: two checks for each subformula; for each that depends, two certificates to follow.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from enum import StrEnum
from itertools import count, islice
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError
from pigro.engines.labels import UnknownLabelWarning, unknown_labels
from pigro.engines.native import DEMAND
from pigro.engines.proving import certifying
from pigro.evidence.following import Follower
from pigro.evidence.stacks import EMPTY
from pigro.evidence.states import State
from pigro.logic import AG, Formula, atom, parse
from pigro.logic.subformulas import subformulas

if TYPE_CHECKING:
    from pigro.engines.verdict import Verdict
    from pigro.model import RSM

MOST = 50
"""Subformulas that are explained, if no other number is given."""


class Truth(StrEnum):
    """In which of the states that are asked about a formula is true."""

    YES = "yes"
    """In all of them."""
    NO = "no"
    """In none of them."""
    DEPENDS = "depends"
    """In some."""
    NOT_REACHABLE = "not reachable"
    """There are no such states."""


@dataclass(frozen=True, slots=True)
class SubformulaTruth:
    """Where a subformula is true.

    Where that depends, there is a state in which it is true and one in which it is false. A state
    is written with the boxes of all calls on its stack and a declared node: where an empty
    procedure is called, with its box.
    """

    formula: Formula
    truth: Truth
    true_in: State | None = None
    false_in: State | None = None


def explain_at(
    model: RSM, formula: Formula | str, node: int | str | None = None, *, most: int = MOST
) -> list[SubformulaTruth]:
    """The truth of each subformula of a formula, the whole first, up to `most` of them.

    At a declared node, by number or name: in all states there that are reachable from the initial
    nodes. Without `node`: at the initial nodes with the empty stack. Labels that no node carries
    are false, with an `UnknownLabelWarning`. Raises `FormulaError` for text that is no formula,
    `CheckError` for one that is not in CTL, `UsageError` if there is no such node.

    >>> from pigro import kripke
    >>> model = kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> [(str(each.formula), str(each.truth)) for each in explain_at(model, "AX done")]
    [('AX done', 'yes'), ('done', 'no')]
    """
    formula = parse(formula) if isinstance(formula, str) else formula
    formula.require_ctl()
    model = model.about(formula.atoms)
    unknown = unknown_labels(model, [formula])
    if unknown:
        warnings.warn(unknown.message(), UnknownLabelWarning, stacklevel=2)
    parts = list(islice(subformulas(formula), most))
    if node is None:
        return _at_initial_nodes(model, parts)
    return _at_node(model, parts, formula, _declared(model, node))


def _declared(model: RSM, node: int | str) -> int:
    if isinstance(node, str):
        return model.find(node)
    if not 0 <= node < model.core.nodes or model.core.box(node) >= 0:
        raise UsageError("P004", f"node {node} is not a node that was declared")
    return node


def _at_initial_nodes(model: RSM, parts: list[Formula]) -> list[SubformulaTruth]:
    found = []
    for part, verdict in zip(parts, DEMAND.check_all(model, parts), strict=True):
        _decided(verdict)
        state = {truth: State(EMPTY, node) for node, truth in reversed(verdict.holds_at)}
        if len(state) == 2:
            found.append(SubformulaTruth(part, Truth.DEPENDS, state[True], state[False]))
        else:
            found.append(SubformulaTruth(part, Truth.YES if True in state else Truth.NO))
    return found


def _at_node(
    model: RSM, parts: list[Formula], formula: Formula, node: int
) -> list[SubformulaTruth]:
    taken = {*model.label_ids, *formula.atoms}
    label = next(name for at in count() if (name := f"here{at}") not in taken)
    here, model = atom(label), model.with_labels({label: [model.core.declared_of_node(node)]})
    if _decided(DEMAND(model, AG(~here))):
        return [SubformulaTruth(part, Truth.NOT_REACHABLE) for part in parts]
    never = [AG(here.implies(~part)) for part in parts]
    always = [AG(here.implies(part)) for part in parts]
    verdicts = [_decided(each) for each in DEMAND.check_all(model, [*never, *always])]
    found = []
    for at, part in enumerate(parts):
        if verdicts[at]:
            found.append(SubformulaTruth(part, Truth.NO))
        elif verdicts[len(parts) + at]:
            found.append(SubformulaTruth(part, Truth.YES))
        else:
            true_in, false_in = (_exception(model, each[at]) for each in (never, always))
            found.append(SubformulaTruth(part, Truth.DEPENDS, true_in, false_in))
    return found


def _decided(verdict: Verdict) -> bool:
    if verdict.holds is None:  # there are no limits but that of the machine
        raise MemoryError(verdict.gave_up)
    return verdict.holds


def _exception(model: RSM, formula: Formula) -> State:
    """A reachable state at the node that breaks the rule AG (here -> f), which fails."""
    verdict = certifying(DEMAND, shortest=True).check_all(model, [formula])[0]
    _decided(verdict)
    assert verdict.certificate is not None, "it was asked for"
    with Follower.of(verdict.certificate) as follower:
        reaching = follower.form.left[len(follower.form) - 1]  # the rule is !E [true U ...]
        states = (State(EMPTY, node) for node in follower.initial)
        start = next(state for state in states if follower.value(reaching, state))
        path = follower.path(reaching, start, shortest=True)
    return _as_declared(model, path.states[-1])


def _as_declared(model: RSM, state: State) -> State:
    box = model.core.box(state.node)
    if box < 0:
        return state
    return State(state.stack.push(box), model.core.subject(state.node))
