"""Which logic does a formula belong to, and if not to CTL, why not?

A *path operator* is X, F, G, U, W or R, or one with a regular expression or an automaton. A
*quantifier* is A or E.
- propositional: neither path operators nor quantifiers.
- CTL: every path operator stands directly under a quantifier and every quantifier directly over
  one.
- LTL, unless CTL already: no quantifier at all (`G F p`, which means `A [G F p]`), or a single one,
  an A that is the outermost operator (`A [G F p]`, also `A [p]`).
- the mu-calculus: whatever has a fixpoint or a modality. Path operators as in CTL may be mixed in
  (those beyond are refused where the formula is used).
- CTL*: everything else, but for
- ECTL*: what has a regular expression or an automaton.

Formulas are graphs in which equal subformulas are one node. The conditions above are about edges
and about the root, so they are read off the nodes in one pass, without unfolding.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.operators import Fragment, Op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.logic.syntax import Formula

_ATOM, _A, _E, _X = int(Op.ATOM), int(Op.A), int(Op.E), int(Op.X)
_DIAMOND, _VARIABLE = int(Op.DIAMOND), int(Op.VARIABLE)
_SEQ, _AUTOMATON = int(Op.SEQ), int(Op.AUTOMATON)
"""Plain ints compare faster than enum members. Path operators are those from X up to before
DIAMOND. Leaves are those up to ATOM, and VARIABLE. From DIAMOND on, `right` is no node."""


def fragment_of(formula: Formula) -> Fragment:
    """The smallest fragment that `formula` belongs to."""
    ops = formula.ops
    largest = max(ops)
    if largest < _A:
        return Fragment.PROPOSITIONAL
    if largest >= _DIAMOND:
        return Fragment.MU
    if largest >= _SEQ:
        return Fragment.ECTL_STAR
    quantifiers = ops.count(_A) + ops.count(_E)
    if stray_node(formula) is None:
        return Fragment.CTL
    if not quantifiers or (quantifiers == 1 and ops[-1] == _A):
        return Fragment.LTL
    return Fragment.CTL_STAR


def stray_node(formula: Formula) -> tuple[int, int] | None:
    """The outermost break of the CTL rule as (parent, child), or None for CTL formulas.

    Parent is -1 when the formula itself is a path formula. Formulas of the mu-calculus may break
    the rule or not.
    """
    ops, left, right = formula.ops, formula.left, formula.right
    root = len(ops) - 1
    if _X <= ops[root] < _DIAMOND:
        return -1, root
    for node in range(root, -1, -1):
        op = ops[node]
        if op <= _ATOM or op == _VARIABLE:
            continue
        first = ops[left[node]]
        if op in (_A, _E):
            if not _X <= first < _SEQ:
                return node, left[node]
        elif _X <= first < _DIAMOND:
            return node, left[node]
        elif op < _DIAMOND and right[node] >= 0 and _X <= ops[right[node]] < _DIAMOND:
            return node, right[node]
    return None


def is_about_runs(formula: Formula) -> bool:
    """Whether it is of LTL, CTL* or ECTL*, beyond CTL: such formulas are decided on the fly."""
    return formula.fragment in {Fragment.LTL, Fragment.CTL_STAR, Fragment.ECTL_STAR}


def state_formulas(formula: Formula) -> bytearray:
    """For each node of a formula 1 if it is a state formula, else 0.

    >>> from pigro.logic import parse
    >>> list(state_formulas(parse("A [p U X q]")))
    [1, 1, 0, 0, 1]
    """
    found = bytearray(len(formula))
    for node, (op, left, right) in enumerate(
        zip(formula.ops, formula.left, formula.right, strict=True)
    ):
        if op <= _ATOM or op in (_A, _E) or op >= _DIAMOND:
            found[node] = 1
        elif op < _A:
            found[node] = found[left] and (right < 0 or found[right])
    return found


def temporal_depth(ops: Sequence[int], left: Sequence[int], right: Sequence[int]) -> int:
    """How deep temporal operators are nested.

    `AG p` counts once. An A or E that stands over no path operator counts too, and so do fixpoints
    and modalities.

    >>> temporal_depth((2, 13, 9), (0, 0, 1), (-1, -1, -1))
    1
    """
    depth = [0] * len(ops)
    for node, op in enumerate(ops):
        if op <= _ATOM or op == _VARIABLE:
            continue
        below = depth[left[node]]
        if op < _DIAMOND and right[node] >= 0 and depth[right[node]] > below:
            below = depth[right[node]]
        if _SEQ <= op <= _AUTOMATON:
            pass  # parts of an expression
        elif op >= _X or (op >= _A and not _X <= ops[left[node]] < _DIAMOND):
            below += 1
        depth[node] = below
    return max(depth)
