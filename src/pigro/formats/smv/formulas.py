"""Expressions with temporal operators to formulas over labels.

Connectives and temporal operators become those of the formula. What is below them, such as
`x + 1 < y`, becomes a label, whose text is the expression in one canonical way of writing: names
have the module in front if there are several modules, blanks and brackets are where they must be.
`x != y` is written `!(x = y)`. A definition, however, is a label by its own name, shared by all
modules. Without variables, an expression is TRUE or FALSE.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import FormulaError, printable
from pigro.formats.smv.evaluate import show
from pigro.formats.smv.kinds import DEPTH, SET, SHIFTED, too_deep, words
from pigro.formats.smv.nodes import CONNECTIVES, CTL, PATHS, TEMPORAL, Expression, N, Nodes
from pigro.formats.smv.parser import BOOL
from pigro.formats.smv.text import Fault
from pigro.formats.smv.words import INFIX, TERNARY, UNARY
from pigro.logic import Formula, Op
from pigro.logic.arena import Arena
from pigro.logic.syntax import limited

if TYPE_CHECKING:
    from pigro.formats.smv.evaluate import Functions
    from pigro.formats.smv.kinds import Names
    from pigro.formats.smv.nodes import Value
    from pigro.formats.smv.text import Text

_OPERATORS = {
    N.NOT: Op.NOT,
    N.AND: Op.AND,
    N.OR: Op.OR,
    N.XOR: Op.XOR,
    N.XNOR: Op.IFF,
    N.IFF: Op.IFF,
    N.IMPLIES: Op.IMPLIES,
    N.A: Op.A,
    N.E: Op.E,
    N.X: Op.X,
    N.F: Op.F,
    N.G: Op.G,
    N.U: Op.U,
    N.W: Op.W,
    N.R: Op.R,
}
_QUANTIFIED = {
    N.EX: (Op.E, Op.X),
    N.EF: (Op.E, Op.F),
    N.EG: (Op.E, Op.G),
    N.AX: (Op.A, Op.X),
    N.AF: (Op.A, Op.F),
    N.AG: (Op.A, Op.G),
    N.EU: (Op.E, Op.U),
    N.AU: (Op.A, Op.U),
}
_INNER = CONNECTIVES | TEMPORAL


class Atom(NamedTuple):
    """A condition that a formula speaks of: in which module, and where it is written."""

    module: str
    whole: Expression
    text: Text


class Labels:
    """The conditions that formulas speak of, by label."""

    def __init__(self, names: Names, functions: Functions) -> None:
        self._names = names
        self._functions = functions
        self.atoms: dict[str, Atom] = {}

    def formula(
        self, text: Text, whole: Expression, module: str, section: str | None = None
    ) -> Formula:
        """The formula of an expression in a module, and in a section if it stands in a file."""
        nodes = whole.nodes
        start = nodes.first[whole.root]
        kinds, depths = self._names.check(whole, module, formula=True)
        if kinds[-1] & SHIFTED:
            found = next(node for node in whole.span if nodes.ops[node] == N.NEXT)
            raise Fault("P122", "a formula can't use next", nodes.at[found])
        if not kinds[-1] & BOOL or kinds[-1] & SET:
            what = "a set" if kinds[-1] & SET else words(kinds[-1])
            raise Fault("P125", f"expected a formula, found {what}", nodes.at[whole.root])
        outer = _outer(nodes, whole)
        if section is not None:
            _fit(text, whole, section)
        else:
            self._refuse_ambiguous(text, nodes, outer)
        arena = Arena()
        made: dict[int, int] = {}
        for node in whole.span:
            if node not in outer:
                continue
            op = nodes.ops[node]
            if op in _INNER:
                made[node] = _inner(arena, op, [made[each] for each in nodes.children(node)])
                continue
            if depths[node - start] > DEPTH:
                raise too_deep(nodes, node)
            made[node] = self._atom(text, Expression(nodes, node), module, arena)
        if section == "INVARSPEC":
            arena.node(int(Op.A), arena.node(int(Op.G), made[whole.root]))
        try:
            return limited(Formula.from_arena(arena))
        except FormulaError as error:
            raise Fault(error.code, error.message, nodes.at[whole.root]) from None

    def _refuse_ambiguous(self, text: Text, nodes: Nodes, outer: set[int]) -> None:
        """A label is printed by its bare name, which must not be read as a variable again."""
        for node in sorted(outer):
            name = text.tokens[nodes.at[node]]
            if nodes.ops[node] == N.VARIABLE and name in self._names.labels:
                name, owner = printable(name), printable(nodes.args[node][0])
                message = f"`{name}` is a variable, and a label of another module"
                hint = f'write {owner}.{name}, or "{name}" in quotes for the label'
                raise Fault("P122", message, nodes.at[node], hint)

    def _atom(self, text: Text, whole: Expression, module: str, arena: Arena) -> int:
        nodes, root = whole
        op = nodes.ops[root]
        if op == N.LABEL:
            return arena.atom(str(nodes.args[root]))
        if op == N.DEFINED and nodes.args[root][1] in self._names.labels:
            return arena.atom(nodes.args[root][1])
        owners = {nodes.args[n][0] for n in whole.span if nodes.ops[n] in (N.VARIABLE, N.DEFINED)}
        if any(nodes.ops[n] == N.LABEL for n in whole.span) or len(owners) > 1:
            message = "an expression can't join values of different modules: they never meet"
            raise Fault("P125", message, nodes.at[root])
        if not owners:
            holds = self._functions.of(whole)(()) is True
            return arena.node(int(Op.TRUE if holds else Op.FALSE))
        label = self._label(whole, "=" if op == N.NE else None)
        (owner,) = owners
        if label not in self.atoms:
            if op == N.NE:
                whole = Expression(nodes, _turned(nodes, root))
            self.atoms[label] = Atom(owner or module, whole, text)
        made = arena.atom(label)
        return arena.node(int(Op.NOT), made) if op == N.NE else made

    def _label(self, whole: Expression, sign: str | None) -> str:
        """The canonical text; with `sign` in place of the outermost operator."""
        nodes = whole.nodes
        several = len(self._names.modules) > 1
        start = nodes.first[whole.root]
        texts: list[tuple[str, int]] = []
        for node in whole.span:
            op, args = nodes.ops[node], nodes.args[node]
            if op == N.CONSTANT:
                texts.append((_constant(args), _TIGHTEST))
            elif op in (N.VARIABLE, N.DEFINED):
                owner, key = args
                name = self._names.variables[owner][key] if op == N.VARIABLE else key
                texts.append((f"{owner}.{name}" if several else name, _TIGHTEST))
            elif op == N.GONE:
                texts.append(("", 0))
            else:
                inner = [texts[each - start] for each in nodes.children(node)]
                texts.append(_written(op, inner, sign if node == whole.root else None))
        return texts[-1][0]


def _constant(value: Value) -> str:
    """A constant as it is written, however long it is."""
    return show(value) if isinstance(value, bool) else str(value)


_SIGNS = {op: (sign, level) for sign, (level, op) in INFIX.items()}
_TIGHTEST = 20


def _written(op: int, inner: list[tuple[str, int]], sign: str | None) -> tuple[str, int]:
    """The text of an operator over others, and how tightly it binds."""
    texts = [text for text, _ in inner]
    if op == N.SET:
        return "{" + ", ".join(texts) + "}", _TIGHTEST
    if op == N.NEXT:
        return f"next({texts[0]})", _TIGHTEST
    if op == N.CASE:
        pairs = zip(texts[::2], texts[1::2], strict=True)
        return f"case {' '.join(f'{left} : {right};' for left, right in pairs)} esac", _TIGHTEST
    if op == N.ITE:
        return " ".join((f"({texts[0]})", "?", f"({texts[1]})", ":", f"({texts[2]})")), TERNARY
    if op in (N.NOT, N.MINUS):
        (text, level) = inner[0]
        bare = level >= UNARY and not (op == N.MINUS and text[0] == "-")  # `--` begins a comment
        return ("!" if op == N.NOT else "-") + (text if bare else f"({text})"), UNARY
    own, level = _SIGNS[op]
    written = [text if tight > level else f"({text})" for text, tight in inner[1:]]
    text, tight = inner[0]
    first = text if tight > level or (tight == level and op != N.IMPLIES) else f"({text})"
    blank = "" if op == N.RANGE else " "
    return f"{blank}{sign or own}{blank}".join((first, *written)), level


def _fit(text: Text, whole: Expression, section: str) -> None:
    """Refuses the operators that NuSMV does not have in the section."""
    nodes = whole.nodes
    for node in whole.span:
        op, at = nodes.ops[node], nodes.at[node]
        if op not in TEMPORAL:
            continue
        sign = text.tokens[at]
        if sign in _NOT_THERE:
            message = f"NuSMV has no operator `{sign}`"
            raise Fault("P122", message, at, _NOT_THERE[sign])
        if section == "LTLSPEC" and op not in PATHS:
            message = f"`{sign}` can't stand in an LTLSPEC, which speaks of all paths"
            raise Fault("P125", message, at, "formulas with A and E stand in a SPEC")
        if section != "LTLSPEC" and op in PATHS:
            message = f"`{sign}` alone is about a path, but {section} is in CTL"
            raise Fault("P125", message, at, _IN_CTL.get(sign, _IN_BRACKETS))
        if op in (N.A, N.E):
            message = f"in {section}, `{sign}` stands before X, F, G or [p U q] only"
            raise Fault("P125", message, at)


_NOT_THERE = {"W": "write `(p U q) | G p` for `p W q`", "R": "write `p V q` for `p R q`"}
_IN_CTL = {
    sign: f"write A{sign} or E{sign}, or LTLSPEC for what holds on all paths" for sign in "XFG"
}
_IN_BRACKETS = "write A [p U q] or E [p U q], or LTLSPEC for what holds on all paths"


def _outer(nodes: Nodes, whole: Expression) -> set[int]:
    """The nodes that belong to the formula itself, down to its atoms."""
    outer = {whole.root}
    jobs = [whole.root]
    while jobs:
        node = jobs.pop()
        if nodes.ops[node] in _INNER:
            jobs += nodes.children(node)
            outer.update(nodes.children(node))
    return outer


def _inner(arena: Arena, op: int, inner: list[int]) -> int:
    if op in CTL:
        quantifier, path = _QUANTIFIED[op]
        return arena.node(int(quantifier), arena.node(int(path), *inner))
    return arena.node(int(_OPERATORS[op]), *inner)


def _turned(nodes: Nodes, root: int) -> int:
    """The node `x = y` in place of `x != y`; the negation is in the formula."""
    nodes.ops[root] = N.EQ
    return root
