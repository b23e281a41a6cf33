"""Files to keep: the report, the evidence and the certificate of a verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError
from pigro.explore.answers import outcome_of
from pigro.render.html import ReportPage
from pigro.render.text import document_of
from pigro.session.asking import EvidenceRoom

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.evidence.states import State
    from pigro.limits import Budget
    from pigro.model.space import Model

    Make = Callable[[Model, str, State | None, Budget], bytes]


def report(model: Model, formula: str, state: State | None, budget: Budget) -> bytes:
    """The HTML report, as `pigro check --html` writes it."""
    [verdict] = outcome_of(model, formula, state, budget).verdicts
    page = ReportPage(verdict.subject, EvidenceRoom(budget.poll))
    page.take(0, verdict)
    return page.to_bytes()


def evidence(model: Model, formula: str, state: State | None, budget: Budget) -> bytes:
    """The result with its evidence, as `pigro check --format json --witness` writes it."""
    outcome = outcome_of(model, formula, state, budget)
    [verdict] = outcome.verdicts
    return document_of(outcome, verdict, EvidenceRoom(budget.poll))


def certificate(model: Model, formula: str, state: State | None, budget: Budget) -> bytes:
    """The proof, as `pigro check --certificate` writes it."""
    outcome = outcome_of(model, formula, state, budget, certify=True)
    if outcome.certificates is None or outcome.verdicts[0].holds is None:
        raise CheckError("P401", "there is no proof of this verdict")
    return outcome.certificates
