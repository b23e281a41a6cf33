"""Formulas that are not in a file, such as those of the command line, as expressions."""

from __future__ import annotations

import re

from pigro.diagnostics import FormulaError
from pigro.formats.smv.syntax.grammar import expression
from pigro.formats.smv.syntax.mistakes import unexpected
from pigro.formats.smv.syntax.nodes import Expression, ExpressionNodes
from pigro.formats.smv.syntax.text import END, TokenFault, TokenText

_QUOTE = '"'
_MODAL = r"\b[mn]u\b|[<\[]"
"""Formulas with fixpoints or modalities have one of these."""


def read_formula(text: str) -> tuple[TokenText, Expression]:
    """A formula that is not in the file, as tokens and as an expression. Raises `FormulaError`."""
    own = TokenText(text, kind=FormulaError)
    try:
        return own, whole_expression(own)
    except TokenFault as fault:
        error = own.error(fault)
    if re.search(_MODAL, text) is not None:
        from pigro.formats.smv.syntax.modal import ModalText

        modal = ModalText(text)
        if modal.heads:
            try:
                return modal, modal.checked(whole_expression(modal))
            except TokenFault as fault:
                error = modal.error(fault)
    raise error from None


def whole_expression(text: TokenText) -> Expression:
    """The expression that all tokens make."""
    tokens = text.tokens
    if tokens[0] == END:
        raise TokenFault("P305", "the formula is empty", 0)
    if _QUOTE in tokens:  # text inside of quotes must not be mistaken for operators
        raise unexpected(tokens, tokens.index(_QUOTE), "expected an expression")
    nodes = ExpressionNodes()
    root, end = expression(text, 0, nodes, chains=False, grouped=False)
    if tokens[end] != END:
        raise unexpected(tokens, end, "expected an operator or the end")
    return Expression(nodes, root)
