"""Formulas that look like LTL as SPIN writes it, where `[]` is always and `<>` eventually.

Here they are modalities of the mu-calculus and speak of single steps, so `[] (p -> <> q)` is a
formula of another meaning. It looks like SPIN's LTL if it has no fixpoint, no action, no A or E,
and no modality over a constant: `<> true` and `[] false` are the usual way to speak of dead ends.
"""

from __future__ import annotations

from pigro.diagnostics import printable
from pigro.logic.arena import children
from pigro.logic.operators import Op
from pigro.logic.printer import pieces
from pigro.logic.syntax import Formula

_LONGEST = 200
"""Characters of a formula that is proposed."""
_MODALITIES = frozenset((int(Op.BOX), int(Op.DIAMOND)))
_IN_LTL = {"[] ": "G ", "<> ": "F "}


def looks_like_spin(formula: Formula) -> bool:
    """Whether `[]` and `<>` may be meant as SPIN means them.

    >>> from pigro.logic import parse
    >>> looks_like_spin(parse("[] (p -> <> q)")), looks_like_spin(parse("nu Z. p & [] Z"))
    (True, False)
    """
    ops, left, right = formula.ops, formula.left, formula.right
    modal = [node for node, op in enumerate(ops) if op in _MODALITIES]
    if not modal or max(ops) > Op.BOX or Op.A in ops or Op.E in ops:
        return False
    return all(right[node] < 0 and ops[left[node]] > Op.FALSE for node in modal)


def alternates(formula: Formula) -> bool:
    """Whether a `[]` stands somewhere inside a `<>`, or the other way round."""
    inside: list[frozenset[int]] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        found = frozenset[int]().union(*(inside[each] for each in children(op, left, right)))
        if op in _MODALITIES and found - {op}:
            return True
        inside.append(found | {op} if op in _MODALITIES else found)
    return False


def spin_hint(formula: Formula) -> str | None:
    """What to write if SPIN's LTL is meant. None if the formula does not look like it.

    >>> from pigro.logic import parse
    >>> spin_hint(parse("[] (p -> <> q)"))
    "for SPIN's always and eventually write `A [G (p -> F q)]`"
    """
    if not looks_like_spin(formula):
        return None
    text = ""
    for piece in pieces(formula, len(formula) - 1):
        text += _IN_LTL.get(piece, piece)
        if len(text) > _LONGEST:
            return "for SPIN's always and eventually write G for [] and F for <>"
    ltl = str(Formula(f"A [{text}]"))
    return f"for SPIN's always and eventually write `{printable(ltl, len(ltl))}`"
