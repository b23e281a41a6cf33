r"""The property of a `.pdmu` file as a formula about the initial configuration.

PDSolver's modalities can name labels of the configuration that a step leaves:

    <@p q> f = (p | q) & <> f        [@p q] f = (p | q) -> [] f
    <\p q> f = !(p | q) & <> f       [\p q] f = (p | q) | [] f

A tilde makes them speak of steps backward. No rule leads into the control state that a file starts
in, so the initial configuration has no step backward: there `~[] f` is true and `~<> f` is false.
Where a backward modality can be asked of another configuration, there is no such formula.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from pigro.diagnostics import FormulaError
from pigro.logic import Formula, parse
from pigro.logic.arena import Arena
from pigro.logic.lexer import quote
from pigro.logic.operators import Op
from pigro.logic.syntax import limited

if TYPE_CHECKING:
    from collections.abc import Iterator

_WORD: Final = r"[A-Za-z_$#'\\][\w$#'\\]*"
_TOKEN = re.compile(
    rf"(?P<space>\s+|//[^\n]*)|(?P<back>~?)(?:\[(?P<box>[^\]\[<>]*)\]|<(?P<diamond>[^<>\[\]]*)>)"
    rf"|(?P<word>{_WORD})|(?P<sign>=>|&&?|\|\|?|[!().])"
)
_GUARD = re.compile(rf"\s*(?P<kind>[@\\]?)(?P<names>(?:\s*{_WORD})*)\s*")
_CONSTANTS: Final = {"tt": "true", "ff": "false"}
_BOOLEAN: Final = (Op.NOT, Op.AND, Op.OR, Op.IMPLIES)
_MODAL: Final = (Op.BOX, Op.DIAMOND)


def property_formula(text: str) -> Formula | None:
    r"""What a property says about the initial configuration. None if no formula says that.

    >>> property_formula("nu X. [@def]ff & [\\use usedef]X")
    Formula("nu X. (def -> [] false) & (use | usedef | [] X)")
    >>> property_formula("!(p & ~[]q)")
    Formula("!(p & true)")
    >>> property_formula("[] ~<> p") is None
    True
    """
    try:
        formula = parse(" ".join(_translated(text)))
        rebuilt = _Rebuilt(formula)
        return limited(Formula.from_arena(rebuilt.arena(), rebuilt.made[len(formula) - 1]))
    except (_NotForward, FormulaError):
        return None


class _NotForward(Exception):  # it does not leave this module
    """The property is not one of Pigro's formulas."""


def _translated(text: str) -> Iterator[str]:
    """The words of a property in Pigro's syntax. What a modality names becomes an action."""
    at, arrows = 0, 0
    while at < len(text):
        match = _TOKEN.match(text, at)
        if match is None:
            raise _NotForward
        at = match.end()
        if match["word"]:
            yield _word(match["word"])
        elif match["sign"]:
            arrows += match["sign"] == "=>"
            yield match["sign"]
        elif not match["space"]:
            inside = match["diamond"] if match["box"] is None else match["box"]
            opening, closing = "<>" if match["box"] is None else "[]"
            named = _guard(match["back"], inside)
            yield f"{opening}{quote(named) if named else ''}{closing}"
    if arrows > 1:  # PDSolver groups them to the left
        raise _NotForward


def _word(word: str) -> str:
    if word in ("mu", "nu"):
        return word
    if word in _CONSTANTS:
        return _CONSTANTS[word]
    return word if word[0].isupper() else f'"{word}"'.replace("\\", "\\\\")


def _guard(back: str, inside: str) -> str:
    match = _GUARD.fullmatch(inside)
    if match is None or bool(match["kind"]) != bool(match["names"].strip()):
        raise _NotForward
    names = " ".join(match["names"].split())
    return f"{back}{match['kind']} {names}" if back or names else ""


class _Rebuilt:
    """The formula with guards instead of actions."""

    def __init__(self, formula: Formula) -> None:
        self.formula = formula
        self.made: dict[int, int] = {}
        self.nodes = Arena()

    def arena(self) -> Arena:
        for at in self.needed():
            self.made[at] = self.rebuilt(at)
        return self.nodes

    def guard(self, at: int) -> str:
        named = self.formula.right[at]
        is_modal = self.formula.ops[at] in _MODAL
        return self.formula.actions[named][0] if is_modal and named >= 0 else ""

    def needed(self) -> list[int]:
        """The nodes to rebuild, in order. Those below a step backward are not."""
        ops, left, right = self.formula.ops, self.formula.left, self.formula.right
        root = (len(ops) - 1, False)
        seen, pending = {root}, [root]
        while pending:
            at, later = pending.pop()
            if self.guard(at).startswith("~"):
                if later:
                    raise _NotForward
                continue
            below = [left[at]] if ops[at] > Op.ATOM and ops[at] != Op.VARIABLE else []
            if ops[at] in (Op.AND, Op.OR, Op.IMPLIES):
                below.append(right[at])
            inside = later or ops[at] not in _BOOLEAN
            for each in below:
                if (each, inside) not in seen:
                    seen.add((each, inside))
                    pending.append((each, inside))
        return sorted({at for at, _ in seen})

    def rebuilt(self, at: int) -> int:
        nodes, formula = self.nodes, self.formula
        op, left, right = Op(formula.ops[at]), formula.left[at], formula.right[at]
        guard = self.guard(at)
        if guard.startswith("~"):
            return nodes.node(Op.TRUE if op == Op.BOX else Op.FALSE)
        if op == Op.ATOM:
            return nodes.atom(formula.atoms[left])
        if op == Op.VARIABLE:
            return nodes.variable(formula.variables[left])
        if op in (Op.MU, Op.NU):
            return nodes.modal(op, self.made[left], formula.variables[right])
        if op in _MODAL:
            return self.guarded(op, self.made[left], guard)
        if op <= Op.FALSE:
            return nodes.node(op)
        return nodes.node(op, self.made[left], self.made[right] if right >= 0 else -1)

    def guarded(self, op: Op, inside: int, guard: str) -> int:
        nodes = self.nodes
        names = guard[1:].split()
        which = -1
        for name in names:
            atom = nodes.atom(name)
            which = atom if which < 0 else nodes.node(Op.OR, which, atom)
        step = nodes.node(op, inside)
        if not names:
            return step
        if op == Op.BOX:
            return nodes.node(Op.IMPLIES if guard[0] == "@" else Op.OR, which, step)
        return nodes.node(Op.AND, which if guard[0] == "@" else nodes.node(Op.NOT, which), step)
