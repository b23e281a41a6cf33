"""Evidence as text, for tests that have a tree and no verdict."""

from __future__ import annotations

from dataclasses import fields

from pigro.evidence import RunEvidence
from pigro.evidence.kinds import ShownEvidence
from pigro.render import text


def shown_of(model, formula, evidence, certificate=None):
    return ShownEvidence(model, formula, evidence.truth, evidence, certificate)


def by_runs(evidence):
    """A tree whose parts are numbers in the formula."""
    given = {each.name: getattr(evidence, each.name) for each in fields(evidence)}
    return RunEvidence(**given)


def evidence_text(model, formula, evidence, indent=0, *, full):
    return text.evidence_text(shown_of(model, formula, evidence), indent, full=full)
