"""Formulas over the labels of a composition, written as conditions on variables.

Parts of modules have labels such as `x = 2` (`composing.py`), and share them with other parts. So
conditions are labels here, by their canonical text, and mean nothing else.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import did_you_mean, printable
from pigro.formats.smv.specs.formulas import formula_over
from pigro.formats.smv.syntax.formula import read_formula
from pigro.formats.smv.syntax.nodes import N
from pigro.formats.smv.syntax.text import TokenFault
from pigro.formats.smv.written import plain_text
from pigro.logic import Op

if TYPE_CHECKING:
    from collections.abc import Collection

    from pigro.logic import Formula
    from pigro.logic.arena import Arena

_HINT = "a part has the labels `x = VALUE`, and its definitions: DEFINE the condition in the module"


def over_labels(text: str, labels: Collection[str]) -> Formula:
    """The formula whose conditions are among these labels. Raises `FormulaError` with the place."""
    own, whole = read_formula(text)
    nodes = whole.nodes

    def atom(node: int, arena: Arena) -> int:
        op = nodes.ops[node]
        if op == N.CONSTANT and isinstance(nodes.args[node], bool):
            return arena.node(int(Op.TRUE if nodes.args[node] else Op.FALSE))
        label = plain_text(nodes, node, "=" if op == N.NE else None)
        if label not in labels:
            close = did_you_mean(label, labels) if op in (N.EQ, N.NE, N.NAME) else None
            message = f"no part has the label `{printable(label)}`"
            raise TokenFault("P123", message, nodes.at[node], close or _HINT)
        made = arena.atom(label)
        return arena.node(int(Op.NOT), made) if op == N.NE else made

    try:
        return formula_over(own, whole, atom)
    except TokenFault as fault:
        raise own.error(fault) from None
