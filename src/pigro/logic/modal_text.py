"""The nodes of a modal form as text, for people: in the words of the formula as far as they go.

Texts of nodes inside the translation of CTL are put together from these words: of `AG p`, which is
`nu Z. p & [] Z`, the variable is told as `AG p` again, because it stands for that.

Texts are made from those of operands, each cut where it gets long. So it costs no more than nodes
times length, however the formula is nested. There may be more parentheses than the printer writes.
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
from pigro.logic.printer import SIGNS

if TYPE_CHECKING:
    from pigro.logic.modal import ModalForm
    from pigro.logic.syntax import Formula

_CHAINS = (Op.AND, Op.OR)
_MODAL_SIGNS = {AND: Op.AND, OR: Op.OR}


def modal_texts(
    formula: Formula, *, dead_ends: Literal["stutter", "stop"] = "stutter", limit: int = 100
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
    written = _ModalTexts(limit)
    for node in range(len(formula)):
        _write(written, formula, node)
    made = _ModalTexts(limit)
    for node in range(len(form)):
        if node not in origins:
            _compose(made, form, node)
            continue
        at, plain = origins[node]
        if plain:
            made.add(written.texts[at], written.tops[at])
        else:
            made.add(f"!{written.inside(at)}")
    return made.texts


class _ModalTexts:
    """Texts of nodes, one after the other."""

    def __init__(self, limit: int) -> None:
        self.texts: list[str] = []
        self.tops: list[Op | None] = []
        """What stands in parentheses inside others: a connective, or a fixpoint."""
        self._limit = limit

    def add(self, text: str, top: Op | None = None) -> None:
        self.texts.append(text if len(text) <= self._limit else f"{text[: self._limit - 3]}...")
        self.tops.append(top)

    def inside(self, node: int, around: Op | None = None) -> str:
        """The text of an operand. A chain of equal connectives needs no parentheses."""
        top = self.tops[node]
        if top is None or (top is around and around in _CHAINS):
            return self.texts[node]
        return f"({self.texts[node]})"

    def join(self, op: Op, left: int, right: int) -> None:
        text = f"{self.inside(left, op)}{SIGNS[op]}{self.inside(right, op)}"
        self.add(text, op)


def _write(to: _ModalTexts, formula: Formula, node: int) -> None:
    """A node of the formula. Path operators are told with the A or E before them."""
    op, left, right = Op(formula.ops[node]), formula.left[node], formula.right[node]
    if op in (Op.TRUE, Op.FALSE):
        to.add(op.name.lower())
    elif op is Op.ATOM:
        to.add(quote(formula.atoms[left]))
    elif op is Op.VARIABLE:
        to.add(formula.variables[left])
    elif op is Op.NOT:
        to.add(f"!{to.inside(left)}")
    elif op in SIGNS:
        to.join(op, left, right)
    elif op in (Op.X, Op.F, Op.G):
        to.add(f"{op.name} {to.inside(left)}")
    elif op in (Op.A, Op.E):
        binary = to.tops[left] is not None
        to.add(f"{op.name} [{to.texts[left]}]" if binary else f"{op.name}{to.texts[left]}")
    elif op in (Op.MU, Op.NU):
        to.add(f"{op.name.lower()} {formula.variables[right]}. {to.texts[left]}", op)
    else:
        names = () if right < 0 else formula.actions[right]
        to.add(_step(op is Op.DIAMOND, names, to.inside(left)))


def _compose(to: _ModalTexts, form: ModalForm, node: int) -> None:
    """A node that is no subformula, from its operands."""
    op, left, right = form.ops[node], form.left[node], form.right[node]
    if op in {TRUE, FALSE}:
        to.add("true" if op == TRUE else "false")
    elif op in {ATOM, NEGATED}:
        to.add(f"{'!' if op == NEGATED else ''}{quote(form.atoms[left])}")
    elif op in {AND, OR}:
        to.join(_MODAL_SIGNS[op], left, right)
    elif op == VAR:
        to.add(f"Z{node}")
    elif op in {MU, NU}:
        sign = Op.MU if op == MU else Op.NU
        to.add(f"{sign.name.lower()} {to.texts[left]}. {to.texts[form.left[left]]}", sign)
    else:
        names = () if right < 0 else form.actions[right]
        to.add(_step(op == DIAMOND, names, to.inside(left)))


def _step(some: bool, names: tuple[str, ...], inside: str) -> str:
    told = ", ".join(map(quote, names))
    return f"<{told}> {inside}" if some else f"[{told}] {inside}"
