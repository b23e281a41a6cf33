"""Formulas that look like LTL as SPIN writes it, where `[]` is always and `<>` eventually.

Here they are modalities of the mu-calculus and speak of single steps, so `[] (p -> <> q)` is a
formula of another meaning. It looks like SPIN's LTL if it has no fixpoint, no action, no A or E,
and no modality over a constant: `<> true` and `[] false` are the usual way to speak of dead ends.

Where all runs satisfy a formula of LTL, the same can often be said in CTL, by AG and AF:

    A [f & g] = A f & A g      A [s | f] = s | A f      A [G f] = AG A f      A [F s] = AF s

for a state formula s; s -> f is !s | f. `reading_in_ctl` uses these rules only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.logic.arena import Arena
from pigro.logic.operators import Op
from pigro.logic.syntax import Formula

if TYPE_CHECKING:
    from collections.abc import Callable

_LONGEST = 200
"""Characters of a formula that is proposed."""
_LTL = {int(Op.BOX): int(Op.G), int(Op.DIAMOND): int(Op.F)}


def looks_like_spin(formula: Formula) -> bool:
    """Whether `[]` and `<>` may be meant as SPIN means them.

    >>> from pigro.logic import parse
    >>> looks_like_spin(parse("[] (p -> <> q)")), looks_like_spin(parse("nu Z. p & [] Z"))
    (True, False)
    """
    ops, left, right = formula.ops, formula.left, formula.right
    modal = [node for node, op in enumerate(ops) if op in _LTL]
    if not modal or max(ops) > Op.BOX or Op.A in ops or Op.E in ops:
        return False
    return all(right[node] < 0 and ops[left[node]] > Op.FALSE for node in modal)


def alternates(formula: Formula) -> bool:
    """Whether a `[]` stands somewhere inside a `<>`, or the other way round."""
    inside: list[frozenset[int]] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        children = [] if op <= Op.ATOM or op == Op.VARIABLE else [left]
        children += [right] if Op.NOT <= op < Op.DIAMOND and right >= 0 else []
        found = frozenset[int]().union(*(inside[child] for child in children))
        if op in _LTL and found - {op}:
            return True
        inside.append(found | {op} if op in _LTL else found)
    return False


def spin_reading(formula: Formula) -> Formula:
    """What the formula means in SPIN, in our words. Needs: it looks like SPIN's LTL.

    >>> from pigro.logic import parse
    >>> spin_reading(parse("[] (p -> <> q)"))
    Formula("A [G (p -> F q)]")
    """
    arena = Arena()
    root = _copy(formula, arena, lambda op, body: arena.node(_LTL[op], body))
    return Formula.from_arena(arena, arena.node(int(Op.A), root))


def reading_in_ctl(formula: Formula) -> Formula | None:
    """The same in CTL, if the rules above say how.

    >>> from pigro.logic import parse
    >>> reading_in_ctl(parse("[] (p -> <> q)")), reading_in_ctl(parse("<> [] p"))
    (Formula("AG (p -> AF q)"), None)
    """
    plain: list[bool] = []
    sayable: list[bool] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        children = [] if op <= Op.ATOM else [left, right] if right >= 0 else [left]
        plain.append(op < Op.A and all(plain[child] for child in children))
        sayable.append(plain[-1] or _is_sayable(op, left, right, plain, sayable))
    if not sayable[-1]:
        return None
    arena = Arena()

    def quantified(op: int, body: int) -> int:
        return arena.node(int(Op.A), arena.node(_LTL[op], body))

    return Formula.from_arena(arena, _copy(formula, arena, quantified))


def _is_sayable(op: int, left: int, right: int, plain: list[bool], sayable: list[bool]) -> bool:
    """Whether A of a node can be said in CTL, by the known facts about its operands."""
    if op == Op.AND:
        return sayable[left] and sayable[right]
    if op == Op.OR:
        return (plain[left] and sayable[right]) or (plain[right] and sayable[left])
    if op == Op.IMPLIES:
        return plain[left] and sayable[right]
    return (op == Op.BOX and sayable[left]) or (op == Op.DIAMOND and plain[left])


def _copy(formula: Formula, arena: Arena, modal: Callable[[int, int], int]) -> int:
    """Copies a formula, with something else for each modality. Gives its root's number."""
    here: list[int] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        if op == Op.ATOM:
            here.append(arena.atom(formula.atoms[left]))
        elif op in _LTL:
            here.append(modal(op, here[left]))
        else:
            sides = [here[side] if side >= 0 else -1 for side in (left, right)]
            here.append(arena.node(op, *sides))
    return here[-1]


def spin_hint(formula: Formula, *, in_ctl: bool = False) -> str | None:
    """What to write if SPIN's LTL is meant. None if the formula does not look like it.

    With `in_ctl` formulas of LTL can't be checked.

    >>> from pigro.logic import parse
    >>> spin_hint(parse("[] p"))
    "for SPIN's always and eventually write `AG p`"
    """
    if not looks_like_spin(formula):
        return None
    lead = "for SPIN's always and eventually write"
    ltl, same = _shown(spin_reading(formula)), reading_in_ctl(formula)
    ctl = None if same is None else _shown(same)
    if len(ltl) > _LONGEST:
        return f"{lead} G for [] and F for <>"
    if in_ctl and ctl is None:
        return f"SPIN's formula is `{ltl}` here, which is not in CTL"
    if ctl is None or ctl == ltl:
        return f"{lead} `{ltl}`"
    return f"{lead} `{ctl}`" if in_ctl else f"{lead} `{ltl}`, or the same in CTL, `{ctl}`"


def _shown(formula: Formula) -> str:
    text = str(formula)
    return printable(text, len(text))
