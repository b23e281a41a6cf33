"""Documents of evidence that stand alone: written for a verdict, and read back by their kind."""

from __future__ import annotations

import json
from dataclasses import replace

from pigro.diagnostics.json_keys import require_distinct_keys
from pigro.evidence import document
from pigro.evidence.data import NotEvidence
from pigro.evidence.kinds import KINDS, SharedEvidence, ShownEvidence, kind_for
from pigro.evidence.tables import DocumentStates
from pigro.evidence.tree.documents import formula_of, read_piece
from pigro.session.judge import piece_of


def document_of(verdict, evidence=None):
    """The document for a verdict, with this evidence in place of its own."""
    return document(
        verdict.shown if evidence is None else replace(verdict, evidence=evidence).shown
    )


def head_of(data, name=None):
    """A document, unread. With `name`: of this kind of evidence."""
    require_distinct_keys(data, None)
    try:
        decoded = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise NotEvidence(str(error)) from None
    kind = kind_for(decoded.get("schema") if isinstance(decoded, dict) else None)
    if kind is None or name not in {None, kind.name}:
        raise NotEvidence("Invalid enum value in its schema")
    return piece_of(decoded, KINDS[kind.name].subject).head


def read(subject, data):
    """What a document shows on a subject. It is not replayed."""
    head = head_of(data)
    return kind_for(head.schema).read(subject, head, SharedEvidence())


def read_tree(model, data):
    """The tree of a document of CTL, whatever its certificate proves."""
    head = head_of(data, "tree")
    atoms = formula_of(head).atoms
    return read_piece(DocumentStates(model.about(atoms).showing(atoms), head.tables), head)


def strategy_document(composition, strategy):
    """The document of a strategy."""
    return document(ShownEvidence(composition, strategy.formula, strategy.holds, strategy))


def read_strategy(composition, data):
    """The strategy of a document."""
    return read(composition, data).evidence
