"""Answers to questions of the page, each by the function that the command line uses."""

from __future__ import annotations

import json
import time
import warnings
from itertools import islice
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, printable
from pigro.engines import UnknownLabelWarning
from pigro.engines.explaining import engine_for, explain_at, truths_at, truths_under
from pigro.explore.jobs import JobStopped
from pigro.explore.states import state_of
from pigro.explore.under_calls import runs_from
from pigro.logic.construct import subformulas
from pigro.logic.files import reader
from pigro.logic.printer import as_written, text_as_written
from pigro.render.html import ReportPage
from pigro.render.text import duration
from pigro.session.asking import EvidenceRoom, ask
from pigro.session.prepare import prepare
from pigro.session.request import Request
from pigro.sources.front_ends import is_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence.states import State
    from pigro.explore.subject import ExploreOptions, LoadedModel
    from pigro.limits import Budget
    from pigro.model import RSM
    from pigro.model.space import Model
    from pigro.session.request import CheckOutcome

_PARTS = 50
"""Subformulas that are listed."""
_LONGEST = 2000
"""Characters of a formula that is shown."""


def checked(model: Model, formula: str, state: State | None, budget: Budget) -> dict[str, object]:
    """The verdict on a formula, with its evidence: from the initial nodes, or from a state."""
    if state is not None and state.stack:
        return _from_state(model.listed(), formula, state, budget)
    outcome = outcome_of(model, formula, state, budget)
    [verdict] = outcome.verdicts
    page = ReportPage(verdict.subject, EvidenceRoom(budget.poll))
    page.take(0, verdict)
    notes = [*(each.text for each in outcome.question.notices), *outcome.missing]
    return {"report": json.loads(page.data()), "notes": [printable(e, _LONGEST) for e in notes]}


def outcome_of(
    model: Model, formula: str, state: State | None, budget: Budget, *, certify: bool = False
) -> CheckOutcome:
    """The outcome of a check, whose one verdict has evidence."""
    if state is not None:
        model = model.listed().with_initial([state.node])
    request = Request(model, (formula,), witness="full", certify=certify)
    outcome = ask(prepare(request, budget))
    if outcome.stopped_by is not None and not outcome.verdicts:
        raise outcome.stopped_by
    if outcome.is_interrupted:
        raise JobStopped
    return outcome


def _from_state(model: RSM, formula: str, state: State, budget: Budget) -> dict[str, object]:
    """The truth in a state under calls."""
    began = time.perf_counter()
    known = truths_under(model, formula, state.stack, [state.node], budget).get(state.node)
    if known is None:
        budget.look()
    word = "unknown" if known is None else "holds" if known else "fails"
    read = reader(model.document, lenient=True)(formula)
    verdict = {
        "word": word,
        "formula": printable(text_as_written(read), _LONGEST),
        "reason": "decided in this state, under its call stack",
        "cost": f"{duration(time.perf_counter() - began)}, {engine_for(read).name}",
        **{key: [] for key in ("tree", "truths", "atoms", "evidence")},
    }
    runs = [] if known is None else runs_from(model, read, state, budget, truth=known)
    return {"report": {"verdicts": [verdict]}, "notes": [], "runs": runs}


def coloured(
    model: RSM, formula: str, nodes: Sequence[int], state: State | None, budget: Budget
) -> dict[str, object]:
    """The truth at nodes of one component: under a stack, or under any caller."""
    if state is None:
        found = truths_at(model, formula, nodes, budget)
        return {"truths": {node: str(truth) for node, truth in found.items()}}
    exact = truths_under(model, formula, state.stack, nodes, budget)
    return {"truths": {node: "holds" if truth else "fails" for node, truth in exact.items()}}


def explained(model: Model, formula: str, node: int | None, budget: Budget) -> dict[str, object]:
    """The truth of all subformulas at a node, or at the initial nodes: `pigro explain`."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        found = explain_at(model, formula, node, budget=budget)
    rows = [
        {
            "formula": printable(text_as_written(each.formula), _LONGEST),
            "truth": str(each.truth),
            "true_in": None if each.true_in is None else state_of(each.true_in),
            "false_in": None if each.false_in is None else state_of(each.false_in),
        }
        for each in found
    ]
    return {"rows": rows}


def parsed(model: Model, text: str) -> dict[str, object]:
    """A formula with its subformulas, which colours take."""
    formula = reader(model.document, lenient=True)(text)
    found = islice(subformulas(as_written(formula)), _PARTS)
    parts = [text_as_written(each) for each in found]
    return {"formula": text_as_written(formula), "parts": parts}


def nodes_given(model: RSM, component: int, given: object, most: int) -> list[int]:
    """The declared nodes of a component that a request names. All of a small one."""
    declared = [node for node in model.core.nodes_of(component) if model.core.box(node) < 0]
    if not isinstance(given, list):
        return declared[:most]
    wanted = {each for each in given[:most] if type(each) is int}
    if len(wanted) < len(given[:most]) or not wanted <= set(declared):
        raise UsageError("P004", "the component has no such nodes")
    return [node for node in declared if node in wanted]


def command_line(
    wanted: ExploreOptions, loaded: LoadedModel, formula: str, state: State | None
) -> str | None:
    """The command that gives the same answer. None if a stack is part of the question."""
    import shlex

    if state is not None and state.stack:
        return None
    words = ["pigro", "check", wanted.path, formula, "--witness"]
    if is_source(wanted.path):
        return None
    if wanted.format is not None:
        words += ["--from", wanted.format]
    if wanted.semantics is not None:
        words += ["--semantics", wanted.semantics]
    if wanted.dead_ends is not None:
        words += ["--dead-ends", wanted.dead_ends]
    if state is not None:
        words += ["--start", loaded.listed.node_name(state.node)]
    return shlex.join(words)
