"""The nodes of a modal form as text, for people: in the words of the formula as far as they go.

What is inside the translation of CTL is put together from these: of `AG p`, which is
`nu Z. p & [] Z`, the variable is told as `AG p` again, for that is what it stands for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pigro.logic.lexer import quote
from pigro.logic.modal import (
    AND,
    ATOM,
    DIAMOND,
    FALSE,
    MU,
    NEGATED,
    NU,
    OR,
    TRUE,
    VAR,
    modal_form,
    modal_origins,
)
from pigro.logic.operators import Op
from pigro.logic.printer import text_of

if TYPE_CHECKING:
    from pigro.logic.modal import ModalForm
    from pigro.logic.syntax import Formula

_LOOSE = frozenset((Op.AND, Op.OR, Op.XOR, Op.IMPLIES, Op.IFF, Op.MU, Op.NU))
"""What stands in parentheses inside others."""


def modal_texts(
    formula: Formula, *, dead_ends: Literal["stutter", "stop"] = "stutter", limit: int = 200
) -> list[str]:
    """The text of each node, cut with "..." after `limit` characters.

    >>> from pigro.logic import parse
    >>> for text in modal_texts(parse("AG (p -> EF q)")):
    ...     print(text)
    !p
    q
    EF q
    <> EF q
    q | <> EF q
    EF q
    p -> EF q
    AG (p -> EF q)
    [] AG (p -> EF q)
    (p -> EF q) & [] AG (p -> EF q)
    AG (p -> EF q)
    """
    form = modal_form(formula, dead_ends=dead_ends)
    origins = modal_origins(formula, dead_ends=dead_ends)
    for node in range(len(form)):  # a variable of CTL is its fixpoint
        if form.ops[node] in {MU, NU} and node in origins:
            origins.setdefault(form.left[node], origins[node])
    texts: list[str] = []
    inside: list[str] = []
    """The same where they are operands."""
    for node in range(len(form)):
        if node in origins:
            at, plain = origins[node]
            text, is_loose = text_of(formula, at, limit), Op(formula.ops[at]) in _LOOSE
            if not plain:
                text, is_loose = f"!({text})" if is_loose else f"!{text}", False
        else:
            text, is_loose = _composed(form, node, inside), form.ops[node] in {AND, OR, MU, NU}
        text = text if len(text) <= limit else f"{text[: limit - 3]}..."
        texts.append(text)
        inside.append(f"({text})" if is_loose else text)
    return texts


def _composed(form: ModalForm, node: int, inside: list[str]) -> str:
    """A node that is no subformula, from its operands."""
    op, left, right = form.ops[node], form.left[node], form.right[node]
    if op in {TRUE, FALSE}:
        return "true" if op == TRUE else "false"
    if op in {ATOM, NEGATED}:
        return f"{'!' if op == NEGATED else ''}{quote(form.atoms[left])}"
    if op in {AND, OR}:
        return f"{inside[left]} {'&' if op == AND else '|'} {inside[right]}"
    if op == VAR:
        return f"Z{node}"
    if op in {MU, NU}:
        return f"{'mu' if op == MU else 'nu'} Z{left}. {inside[form.left[left]]}"
    names = "" if right < 0 else ", ".join(map(quote, form.actions[right]))
    return f"<{names}> {inside[left]}" if op == DIAMOND else f"[{names}] {inside[left]}"
