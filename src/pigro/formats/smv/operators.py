"""The code of an operator over the code of its arguments: kinds, widths of words, and constants.

What names mean is known here no more (`compiler.py`). Most operators are one of the core, as their
row in the table says. The others are made of several.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro import _core
from pigro.formats.smv.instances import kind_of
from pigro.formats.smv.kinds import BOOL, INT, SET, WORD, kinds_of
from pigro.formats.smv.native import FALSE, FORBIDDEN, ON_WORDS, PLAIN, TRUE, Op, SymbolNumbers
from pigro.formats.smv.syntax.grammar import WIDEST, too_wide
from pigro.formats.smv.syntax.nodes import OPERATORS, TEMPORAL, ExpressionNodes, N
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.formats.smv.syntax.nodes import Value

DEPTH = 1000
"""Values may be nested this deep, definitions included, brackets and chains not counted."""
_TURNED = frozenset((N.GT, N.GE, N.NE, N.CASE, N.TOINT, N.BOOL))
"""Operators that `_special` compiles."""
_COMPARED = (N.EQ, N.NE, N.NOT)
"""Operators that are computed at once where their arguments are constants of any kind."""
_NEVER, _FIRST, _ANY_FALSE = range(3)
"""Which constant arguments change what comes of an operator. As in native/bind/compiling.cpp."""


class CoreExpression(NamedTuple):
    """An expression of the core."""

    number: int
    kinds: int
    width: int = 0
    """Of words. Negative if they are signed."""
    constant: int | None = None
    depth: int = 0


class OperatorCompiler:
    """Makes expressions of a machine, each once."""

    def __init__(
        self, machine: _core.Machine, symbols: SymbolNumbers, constants: dict[str, int]
    ) -> None:
        """`constants` are names with the values that they have where nothing else has the name."""
        self.symbols = symbols
        self.reads: list[int] = []
        """The slots that each expression reads, as bits."""
        self.conjuncts: dict[int, tuple[int, ...]] = {}
        self._turned: dict[int, int] = {}
        """What `x != y` is the negation of."""
        self._core = _core.Compiling(
            machine, self.reads, self.conjuncts, CoreExpression, DEPTH, constants
        )

    def constant(self, value: bool | int | str) -> CoreExpression:
        """A constant."""
        number = self.symbols.value(value)
        return CoreExpression(self._emit(Op.CONSTANT, (), number, -1), kind_of(value), 0, number)

    def operator(
        self, nodes: ExpressionNodes, node: int, op: int, inner: list[CoreExpression]
    ) -> CoreExpression:
        """An operator over arguments. `node` says where it stands."""
        at = nodes.at[node]
        if op in TEMPORAL:
            raise TokenFault("P125", "a temporal operator can stand in a SPEC only", at)
        kinds = kinds_of(nodes, node, op, [each.kinds for each in inner])
        joined, depth = kinds, 0
        for each in inner:
            joined |= each.kinds
            depth = max(depth, each.depth)
        depth += 1
        if depth > DEPTH:
            raise too_deep(at)
        if op == N.NEXT:
            return inner[0]._replace(kinds=kinds)
        if joined & WORD:
            return self._words(nodes, node, op, inner, kinds)._replace(depth=depth)
        folded = self._folded(op, inner, kinds)
        if folded is not None:
            return folded
        if op in _TURNED:
            return self._special(op, inner, kinds, at)._replace(depth=depth)
        numbers = tuple([each.number for each in inner])
        made = self._emit(PLAIN[op], numbers, 0, at)
        if op == N.AND:
            self.conjuncts[made] = numbers
        return CoreExpression(made, kinds, 0, None, depth)

    def _special(self, op: int, inner: list[CoreExpression], kinds: int, at: int) -> CoreExpression:
        """An operator that is another one of the core, or one over other arguments."""
        if op in (N.TOINT, N.BOOL):
            return self._converted(op, inner[0], kinds, at)
        numbers = tuple(each.number for each in inner)
        if op == N.NE:
            return CoreExpression(self._unequal(numbers, at), kinds)
        if op == N.CASE:
            return CoreExpression(
                self._emit(Op.CHOICE, _without_false(inner) or numbers, 0, at), kinds
            )
        turned = Op.LESS if op == N.GT else Op.LESS_EQUAL
        return CoreExpression(self._emit(turned, numbers[::-1], 0, at), kinds)

    def _unequal(self, args: tuple[int, ...], at: int) -> int:
        equal = self._emit(Op.EQUAL, args, 0, at)
        made = self._emit(Op.NEGATION, (equal,), 0, at)
        self._turned[made] = equal
        return made

    def _converted(self, op: int, inner: CoreExpression, kinds: int, at: int) -> CoreExpression:
        if op == N.TOINT:
            if inner.kinds & BOOL:
                return CoreExpression(self._emit(Op.NUMBER_OF, (inner.number,), 0, at), kinds)
            return inner._replace(kinds=kinds, width=0)
        if inner.kinds & BOOL:
            return inner
        return CoreExpression(self._emit(Op.TRUTH_OF, (inner.number,), 0, at), kinds)

    def _folded(self, op: int, inner: list[CoreExpression], kinds: int) -> CoreExpression | None:
        """The result where all arguments are constant numbers, or truth values."""
        if inner[0].constant is None:
            return None
        values = [each.constant for each in inner]
        if OPERATORS[op].is_folded:
            known = [each for each in values if each is not None]
            result = _core.smv_folded(op, known, FORBIDDEN) if len(known) == len(values) else None
            if result is None:
                return None
            return CoreExpression(self._emit(Op.CONSTANT, (), result, -1), kinds, 0, result)
        if op in (N.EQ, N.NE) and None not in values:
            return self.constant(value=(values[0] == values[1]) is (op == N.EQ))
        if op == N.NOT and values[0] in (TRUE, FALSE):
            return self.constant(value=values[0] == FALSE)
        return None

    def _words(  # noqa: C901 - a rule each
        self, nodes: ExpressionNodes, node: int, op: int, inner: list[CoreExpression], kinds: int
    ) -> CoreExpression:
        """An operator that takes or gives words."""
        at, first = nodes.at[node], inner[0]
        if op in (N.CASE, N.ITE):
            shown = inner[1::2] if op == N.CASE else inner[1:]
            width = self._same_width(shown, at)
            numbers = tuple(each.number for each in inner)
            return CoreExpression(self._emit(PLAIN[op], numbers, 0, at), kinds, width)
        if op in (N.SET, N.UNION, N.EQ, N.NE, N.IN) or N.LT <= op <= N.GE:
            width = self._same_width(inner, at)
            numbers = tuple(each.number for each in inner)
            if op in (N.GT, N.GE):
                op, numbers = (N.LT if op == N.GT else N.LE), numbers[::-1]
            if op == N.NE:
                return CoreExpression(self._unequal(numbers, at), kinds)
            result = width if op in (N.SET, N.UNION) else 0
            return CoreExpression(self._emit(PLAIN[op], numbers, 0, at), kinds, result)
        if op in (N.SWCONST, N.UWCONST):
            return self._word_constant(nodes, node, inner, signed=op == N.SWCONST)
        if op == N.WORD1:
            return CoreExpression(self._emit(Op.NUMBER_OF, (first.number,), 0, at), kinds, 1)
        if op in (N.TOINT, N.BOOL):
            if op == N.BOOL and abs(first.width) != 1:
                raise TokenFault("P125", "only a word of 1 bit is a truth value", at)
            return self._converted(op, first, kinds, at)
        if op == N.SIZEOF:
            return self.constant(abs(first.width))
        if op in (N.BITS, N.JOIN, N.EXTEND, N.RESIZE, N.SIGNED, N.UNSIGNED):
            return self._reshaped(nodes, node, op, inner, kinds)
        return self._word_operator(op, inner, kinds, at)

    def _word_operator(
        self, op: int, inner: list[CoreExpression], kinds: int, at: int
    ) -> CoreExpression:
        """One whose arguments have one width, as its result has."""
        first = inner[0]
        if OPERATORS[op].is_first_only:
            if inner[1].kinds & SET or not inner[1].kinds & (INT | WORD):
                raise TokenFault("P125", "expected a number of bits", at)
            numbers = (first.number, inner[1].number)
            return CoreExpression(
                self._emit(ON_WORDS[op], numbers, first.width, at), kinds, first.width
            )
        width = self._same_width(inner, at)
        if op == N.MINUS:
            zero = self._emit(Op.CONSTANT, (), 0, -1)
            made = self._emit(Op.WORD_SUBTRACT, (zero, first.number), width, at)
            return CoreExpression(made, kinds, width)
        if op in (N.XNOR, N.IFF):
            made = self._emit(Op.WORD_XOR, (first.number, inner[1].number), width, at)
            return CoreExpression(self._emit(Op.WORD_NOT, (made,), width, at), kinds, width)
        if op == N.IMPLIES:
            turned = self._emit(Op.WORD_NOT, (first.number,), width, at)
            made = self._emit(Op.WORD_OR, (turned, inner[1].number), width, at)
            return CoreExpression(made, kinds, width)
        made = first.number
        if op == N.NOT:
            return CoreExpression(self._emit(Op.WORD_NOT, (made,), width, at), kinds, width)
        for each in inner[1:]:
            made = self._emit(ON_WORDS[op], (made, each.number), width, at)
        return CoreExpression(made, kinds, width)

    def _reshaped(
        self, nodes: ExpressionNodes, node: int, op: int, inner: list[CoreExpression], kinds: int
    ) -> CoreExpression:
        at, first = nodes.at[node], inner[0]
        size = abs(first.width)
        if op == N.BITS:
            high, low = (self._fixed(nodes, node, each) for each in inner[1:])
            if not 0 <= low <= high < size:
                raise TokenFault("P125", f"bits {high}:{low} of a word of {size} bits", at)
            made = high - low + 1
            numbers = tuple(each.number for each in inner)
            return CoreExpression(self._emit(Op.WORD_BITS, numbers, made, at), kinds, made)
        if op == N.JOIN:
            made = size + abs(inner[1].width)
            if made > WIDEST:
                raise too_wide(at)
            low = self._emit(Op.CONSTANT, (), abs(inner[1].width), -1)
            numbers = (first.number, inner[1].number, low)
            return CoreExpression(self._emit(Op.WORD_JOIN, numbers, made, at), kinds, made)
        made = size
        if op in (N.EXTEND, N.RESIZE):
            by = self._fixed(nodes, node, inner[1])
            made = size + by if op == N.EXTEND else by
        if not 1 <= made <= WIDEST:
            raise too_wide(at)
        signed = first.width < 0
        if op in (N.SIGNED, N.UNSIGNED):
            signed = op == N.SIGNED
        elif op == N.RESIZE and signed and made < size:  # keeps the sign
            return self._narrowed(first, made, kinds, at)
        width = -made if signed else made
        return CoreExpression(self._emit(Op.WORD_WRAP, (first.number,), width, at), kinds, width)

    def _narrowed(self, word: CoreExpression, made: int, kinds: int, at: int) -> CoreExpression:
        """A signed word with fewer bits: the sign, and the lowest ones of the others."""
        zero = self._emit(Op.CONSTANT, (), 0, -1)
        negative = self._emit(Op.LESS, (word.number, zero), 0, at)
        mask = self._emit(Op.CONSTANT, (), (1 << (made - 1)) - 1, -1)
        rest = self._emit(Op.WORD_AND, (word.number, mask), WIDEST, at)
        least = self._emit(Op.CONSTANT, (), -1 << (made - 1), -1)
        below = self._emit(Op.ADD, (rest, least), 0, at)
        return CoreExpression(
            self._emit(Op.CONDITION, (negative, below, rest), 0, at), kinds, -made
        )

    def _word_constant(
        self, nodes: ExpressionNodes, node: int, inner: list[CoreExpression], *, signed: bool
    ) -> CoreExpression:
        value, width = (self._fixed(nodes, node, each) for each in inner)
        if not 1 <= width <= WIDEST:
            raise too_wide(nodes.at[node])
        least = -1 << (width - 1) if signed else 0
        if not least <= value < least + (1 << width):
            raise TokenFault("P125", f"{value} does not fit into {width} bits", nodes.at[node])
        return self._word_of(value, -width if signed else width)

    def _word_of(self, value: int, width: int) -> CoreExpression:
        """A constant word. A negative width is that of a signed one."""
        number = self._emit(Op.CONSTANT, (), self.symbols.value(value), -1)
        return CoreExpression(number, WORD, width, value)

    @staticmethod
    def _fixed(nodes: ExpressionNodes, node: int, code: CoreExpression) -> int:
        if code.constant is None or not code.kinds & (INT | WORD):
            raise TokenFault("P125", "expected a constant number", nodes.at[node])
        return code.constant

    @staticmethod
    def _same_width(inner: list[CoreExpression], at: int) -> int:
        widths = {each.width for each in inner if each.kinds & (WORD | BOOL | INT)}
        if len(widths) != 1:
            shown = " and ".join(sorted(_type_name(each) for each in widths))
            raise TokenFault(
                "P125", f"{shown} can't be combined", at, "use extend, signed or unsigned"
            )
        return widths.pop()

    def _emit(self, op: int, args: tuple[int, ...], value: int, at: int) -> int:
        try:
            return self._core.emit(op, args, value, at)
        except ValueError:
            raise too_deep(at) from None

    def case(self, branches: list[tuple[int, int]], otherwise: int, at: int) -> int:
        """`case` over conditions and values that are compiled, and one for all else."""
        true = self.constant(value=True).number
        args = [number for pair in branches for number in pair]
        return self._emit(Op.CHOICE, (*args, true, otherwise), 0, at)

    def negated(self, number: int) -> int:
        """The negation of a condition."""
        return self._turned.get(number) or self._emit(Op.NEGATION, (number,), 0, -1)

    def equal(self, number: int, value: Value) -> int:
        """Whether an expression has a value."""
        constant = self._emit(Op.CONSTANT, (), self.symbols.value(value), -1)
        return self._emit(Op.EQUAL, (number, constant), 0, -1)

    def any_of(self, values: Iterable[Value]) -> int:
        """A choice among values."""
        return self._emit(Op.SET, tuple(self.constant(each).number for each in values), 0, -1)


def plain_rule(
    nodes: ExpressionNodes, node: int, op: int, kinds: list[int]
) -> tuple[int, int, int, bool] | None:
    """What comes of an operator over arguments of these kinds, if it is one of the core.

    That is the operator of the core, its kinds, which constant arguments need `operator`, and
    whether the arguments are conjuncts. None: `operator` knows.
    """
    if op not in PLAIN or (op in _TURNED and op != N.CASE) or any(each & WORD for each in kinds):
        return None
    found = kinds_of(nodes, node, op, kinds)
    if found & WORD:
        return None
    fold = (
        _ANY_FALSE
        if op == N.CASE
        else _FIRST
        if OPERATORS[op].is_folded or op in _COMPARED
        else _NEVER
    )
    return PLAIN[op], found, fold, op == N.AND


def _without_false(inner: list[CoreExpression]) -> tuple[int, ...]:
    """The branches of a case whose conditions are not FALSE."""
    found: list[int] = []
    for i in range(0, len(inner), 2):
        if inner[i].constant != FALSE:
            found += [inner[i].number, inner[i + 1].number]
    return tuple(found)


def _type_name(width: int) -> str:
    if width == 0:
        return "a value that is not a word"
    return f"{'a signed' if width < 0 else 'an unsigned'} word[{abs(width)}]"


def too_deep(at: int) -> TokenFault:
    """The fault for a value that is nested too deeply."""
    message = f"the expression is nested more than {DEPTH} levels deep"
    return TokenFault("P129", message, at, "write it with fewer levels")
