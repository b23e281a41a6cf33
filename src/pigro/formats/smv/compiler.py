"""Expressions to those of the native core, each once for each instance.

Names are looked up, kinds checked, and constants folded on the way. An expression that a name or a
parameter stands for is compiled once and evaluated once a state. Arrays are no values of the core:
an element with a constant index is the element, others are chosen among all.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pigro import _core
from pigro.diagnostics import did_you_mean, printable
from pigro.formats.smv.instances import (
    BOOL,
    INT,
    SELF,
    SYMBOL,
    WORD,
    Elements,
    Flat,
    Instance,
    Running,
    Written,
    definitions,
    fold,
    kind_of,
)
from pigro.formats.smv.kinds import SET, SHIFTED, kinds_of
from pigro.formats.smv.native import FALSE, FORBIDDEN, ON_WORDS, PLAIN, TRUE, Op, Symbols
from pigro.formats.smv.syntax.grammar import WIDEST, too_wide
from pigro.formats.smv.syntax.nodes import EXIT, TEMPORAL, N, Nodes
from pigro.formats.smv.syntax.text import Fault

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from pigro.formats.smv.instances import Entity, Program
    from pigro.formats.smv.syntax.nodes import Value

DEPTH = 1000
"""Values may be nested this deep, definitions included, brackets and chains not counted."""
_CONSTANTS = {"true": "TRUE", "false": "FALSE", "tt": "TRUE", "ff": "FALSE"}
"""How other languages write them."""
_TURNED = frozenset((N.GT, N.GE, N.NE, N.CASE, N.TOINT, N.BOOL))
"""Operators that `_special` compiles."""
_FOLDED = frozenset((N.ADD, N.SUB, N.MUL, N.DIV, N.MOD, N.MAX, N.MIN))
_NOTHING: frozenset[int] = frozenset()
_NEVER, _FIRST, _ANY_FALSE = range(3)
"""Which constant arguments change what comes of an operator. As in native/bind/compiling.cpp."""
_FOLDABLE = _FOLDED | {N.MINUS, N.EQ, N.NE, N.NOT}


class Code(NamedTuple):
    """An expression of the core."""

    number: int
    kinds: int
    width: int = 0
    """Of words. Negative if they are signed."""
    constant: int | None = None
    depth: int = 0


class Array(NamedTuple):
    """Several, by index."""

    low: int
    items: tuple[Compiled, ...]


class Defined(NamedTuple):
    """An array with definitions among its elements. Only those that are used are compiled."""

    elements: Elements
    shift: int


Compiled = Code | Array | Defined | Instance
_Key = tuple[int, int, Instance, int]


class Compiler:
    """Compiles expressions of one program."""

    def __init__(
        self,
        program: Program,
        machine: _core.Machine,
        symbols: Symbols,
        slots: Mapping[Flat, int],
        variables: int,
    ) -> None:
        self.program = program
        self.machine = machine
        self.symbols = symbols
        self.slots = slots
        """The slot of the current value of each variable, and of each input."""
        self.variables = variables
        """How many are variables. The others are inputs."""
        self.selector: int | None = None
        """The slot that says which process makes the step."""
        self.reads: list[int] = []
        """The slots that each expression reads, as bits."""
        self.conjuncts: dict[int, tuple[int, ...]] = {}
        self._turned: dict[int, int] = {}
        """What `x != y` is the negation of."""
        self._known: dict[_Key, Compiled] = {}
        self._names: dict[tuple[Instance, int], dict[str, Compiled]] = {}
        """What names are in an instance, in this state or the next, once they were looked up."""
        self._kept: dict[int, Nodes] = {}
        """Keeps the numbers in `_known` from being those of other nodes later."""
        self._symbols = {
            name: symbols.symbol(name)
            for name in program.constants
            if "." not in name and name != SELF
        }
        """The constants. An instance may have something else of this name."""
        self._core = _core.Compiling(
            machine, self.reads, self.conjuncts, Code, DEPTH, self._symbols, SYMBOL
        )

    def code(self, written: Written, *, shift: bool = False) -> Code:
        """An expression that has a value. With `shift`, about the next state."""
        made = self.compiled(written, shift=shift)
        return self._value(written.nodes, written.root, made)

    def compiled(self, written: Written, *, shift: bool = False) -> Compiled:
        """The same for arrays and instances too. What it refers to comes first: no recursion."""
        wanted = self._key(written, int(shift))
        if wanted in self._known:
            return self._known[wanted]
        ahead = _ahead(*written[:2])
        if not self._missing(written, wanted[3], ahead):
            made = self._known[wanted] = self._compile(written, wanted[3], ahead)
            return made
        jobs = [wanted]
        waiting = {jobs[0]: written}
        opened: set[_Key] = set()
        while jobs:
            key = jobs[-1]
            if key in self._known:
                jobs.pop()
                continue
            now = waiting[key]
            ahead = _ahead(*now[:2])
            missing = self._missing(now, key[3], ahead)
            if missing and key not in opened:
                opened.add(key)
                for other, each in missing.items():
                    if other in opened:
                        raise _circle(each)
                    waiting[other] = each
                    jobs.append(other)
                continue
            if missing:
                raise _circle(now)
            opened.discard(key)
            self._known[key] = self._compile(now, key[3], ahead)
            jobs.pop()
        return self._known[wanted]

    def _key(self, written: Written, shift: int) -> _Key:
        nodes, root, instance = written
        self._kept[id(nodes)] = nodes
        return id(nodes), root, instance, shift

    def _missing(self, written: Written, shift: int, ahead: Container[int]) -> dict[_Key, Written]:
        """The expressions that names stand for and that are not compiled yet."""
        nodes, root, instance = written
        found: dict[_Key, Written] = {}
        if nodes.selected(root):
            return self._missing_parts(written, shift, ahead)
        symbols, own, given = self._symbols, instance.names, instance.parameters
        for moved, names in _names(nodes, root, ahead):
            moment = shift | moved
            known = self._names.get((instance, moment), ())
            for name in names:
                if name in known or (name in symbols and name not in own and name not in given):
                    continue
                meant = self.program.look_up(instance, name)
                if isinstance(meant, Elements) and any(definitions(meant)):
                    return self._missing_parts(written, shift, ahead)
                if isinstance(meant, Written):
                    key = self._key(meant, moment)
                    if key not in self._known:
                        found[key] = meant
        return found

    def _missing_parts(
        self, written: Written, shift: int, ahead: Container[int]
    ) -> dict[_Key, Written]:
        """The same where a name is part of a longer one, with dots or indices."""
        found: dict[_Key, Written] = {}
        for node, meant in self.program.meanings(written):
            for each in definitions(meant):
                found[self._key(each, shift | (node in ahead))] = each
        return {key: each for key, each in found.items() if key not in self._known}

    def _compile(self, written: Written, shift: int, ahead: Container[int]) -> Compiled:
        nodes, root, instance = written
        if ahead and shift:
            raise Fault("P122", "next inside of next is not supported", nodes.at[root])
        names = self._names.setdefault((instance, shift), {}) if not ahead else {}
        made: Compiled = self._core.compile(
            nodes.ops,
            nodes.args,
            nodes.at,
            nodes.first[root],
            root,
            names,
            [instance.names, instance.parameters],
            partial(self._leaf, written, shift, ahead, nodes.selected(root)),
            partial(_plain, nodes),
            partial(self._over, nodes, shift, ahead),
        )
        return self._whole(made, nodes.at[root])

    def _leaf(
        self,
        written: Written,
        shift: int,
        ahead: Container[int],
        selected: Container[int],
        node: int,
    ) -> Compiled:
        """A leaf that is no name known before."""
        nodes, _, instance = written
        if node in selected:
            return instance  # a name after a dot: the dot looks it up
        args = nodes.args[node]
        if nodes.ops[node] == N.NAME:
            return self._name(nodes, node, instance, shift | (node in ahead))
        if nodes.ops[node] == N.CONSTANT:
            return self.constant(args)
        return self._word_of(*args)

    def _over(
        self,
        nodes: Nodes,
        shift: int,
        ahead: Container[int],
        node: int,
        op: int,
        inner: list[Compiled],
    ) -> Compiled:
        """A node over others that has no plain rule."""
        if op == N.DOT:
            return self._dot(nodes, node, inner[0], shift | (node in ahead))
        if op == N.ARRAY:
            return Array(0, tuple(self._whole(each, nodes.at[node]) for each in inner))
        if op == N.INDEX:
            return self._index(nodes, node, inner)
        return self._operator(nodes, node, op, inner)

    def _value(self, nodes: Nodes, node: int, compiled: Compiled) -> Code:
        if isinstance(compiled, Code):
            return compiled
        if nodes.ops[node] == N.NAME and nodes.args[node] in self.program.constants:
            return self.constant(str(nodes.args[node]))  # an instance is named like a constant
        what = "an array" if isinstance(compiled, Array | Defined) else "an instance of a module"
        raise Fault("P125", f"expected a value, found {what}", nodes.at[node])

    def _values(self, nodes: Nodes, node: int, given: list[Compiled]) -> list[Code]:
        """The arguments of an operator, which have values."""
        found = [each for each in given if isinstance(each, Code)]
        if len(found) == len(given):
            return found
        arguments = zip(nodes.children(node), given, strict=True)
        return [self._value(nodes, arg, each) for arg, each in arguments]

    def constant(self, value: bool | int | str) -> Code:
        """A constant."""
        number = self.symbols.value(value)
        return Code(self._emit(Op.CONSTANT, (), number, -1), kind_of(value), 0, number)

    def _name(self, nodes: Nodes, node: int, instance: Instance, shift: int) -> Compiled:
        name = nodes.args[node]
        meant = self.program.look_up(instance, name)
        if meant is not None:
            made = self._entity(meant, shift, nodes.at[node])
        elif name in self.program.constants:
            made = self.constant(name)
        else:
            raise self.unknown(name, instance, nodes.at[node])
        if not isinstance(made, Defined):  # `_missing` looks at each use
            self._names.setdefault((instance, shift), {})[name] = made
        return made

    def _entity(self, meant: Entity, shift: int, at: int) -> Compiled:
        if isinstance(meant, Flat):
            return self._variable(meant, shift, at)
        if isinstance(meant, Elements):
            if any(definitions(meant)):
                return Defined(meant, shift)
            return Array(meant.low, tuple(self._entity(each, shift, at) for each in meant.items))
        if isinstance(meant, Running):
            return self._running(meant, shift, at)
        if isinstance(meant, Instance):
            return meant
        known = self._known.get(self._key(meant, shift))
        return self._remembered(self.compiled(meant, shift=bool(shift)) if known is None else known)

    def _whole(self, compiled: Compiled, at: int) -> Compiled:
        """The same with all elements, if it is an array."""
        if not isinstance(compiled, Defined):
            return compiled
        (low, items), shift = compiled
        return Array(low, tuple(self._whole(self._entity(each, shift, at), at) for each in items))

    def _variable(self, flat: Flat, shift: int, at: int) -> Code:
        slot = self.slots[flat]
        if shift and slot >= 2 * self.variables:
            message = f"`{printable(flat.name)}` is an input: it has no next value"
            raise Fault("P125", message, at)
        slot += self.variables if shift else 0
        return Code(self._emit(Op.SLOT, (), slot, -1), flat.domain.kinds, flat.domain.width)

    def _running(self, running: Running, shift: int, at: int) -> Code:
        processes = self.program.processes
        if self.selector is None:
            return self.constant(value=True)
        if shift and self.selector >= 2 * self.variables:
            raise Fault("P125", "`running` has no next value", at)
        slot = self._emit(Op.SLOT, (), self.selector + (self.variables if shift else 0), -1)
        number = self._emit(Op.CONSTANT, (), processes.index(running.process), -1)
        return Code(self._emit(Op.EQUAL, (slot, number), 0, -1), BOOL)

    def _remembered(self, compiled: Compiled) -> Compiled:
        if not isinstance(compiled, Code) or compiled.depth == 0:
            return compiled
        number = self._emit(Op.REMEMBER, (compiled.number,), 0, -1)
        if compiled.number in self.conjuncts:
            self.conjuncts[number] = self.conjuncts[compiled.number]
        return compiled._replace(number=number, depth=compiled.depth + 1)

    def _dot(self, nodes: Nodes, node: int, owner: Compiled, shift: int) -> Compiled:
        name = nodes.args[nodes.args[node][1]]
        if not isinstance(owner, Instance):
            message = f"`{printable(name)}`: what stands before the dot is not an instance"
            raise Fault("P125", message, nodes.at[node])
        meant = self.program.look_up(owner, name)
        if meant is None:
            raise self.unknown(name, owner, nodes.at[node])
        return self._entity(meant, shift, nodes.at[node])

    def _index(self, nodes: Nodes, node: int, inner: list[Compiled]) -> Compiled:
        right = nodes.args[node][1]
        array, index = inner[0], self._value(nodes, right, inner[1])
        if not isinstance(array, Array | Defined):
            message = "only arrays have elements"
            hint = "bits of a word are written w[3:0]" if _is_word(array) else None
            raise Fault("P125", message, nodes.at[node], hint)
        if index.kinds & SET or not index.kinds & (INT | WORD):
            raise Fault("P125", "expected a number as the index", nodes.at[right])
        low, items = array.elements if isinstance(array, Defined) else array
        high = low + len(items) - 1
        if index.constant is not None:
            if not low <= index.constant <= high:
                message = f"the index {index.constant} is not in {low}..{high}"
                raise Fault("P125", message, nodes.at[right])
            if isinstance(array, Defined):
                element = array.elements.items[index.constant - low]
                return self._entity(element, array.shift, nodes.at[node])
            return array.items[index.constant - low]
        whole = self._whole(array, nodes.at[node])
        assert isinstance(whole, Array), "an array has elements"
        return self._chosen(nodes, node, index, whole)

    def _chosen(self, nodes: Nodes, node: int, index: Code, array: Array) -> Compiled:
        """The element at an index that is not known yet."""
        if isinstance(array.items[0], Array):
            rows = [each for each in array.items if isinstance(each, Array)]
            if len({(row.low, len(row.items)) for row in rows}) != 1 or len(rows) < len(
                array.items
            ):
                raise Fault("P125", "the arrays in the array differ", nodes.at[node])
            columns = zip(*(row.items for row in rows), strict=True)
            return Array(
                rows[0].low,
                tuple(
                    self._chosen(nodes, node, index, Array(array.low, tuple(each)))
                    for each in columns
                ),
            )
        items = [self._value(nodes, node, each) for each in array.items]
        kinds, width = index.kinds & SHIFTED, items[0].width
        for each in items:
            kinds |= each.kinds
            if each.width != width:
                raise Fault("P125", "the elements are words of different widths", nodes.at[node])
        args = (index.number, *(each.number for each in items))
        number = self._emit(Op.ELEMENT, args, array.low, nodes.at[node])
        depth = 1 + max(index.depth, *(each.depth for each in items))
        return Code(number, kinds, width, None, depth)

    def _operator(self, nodes: Nodes, node: int, op: int, given: list[Compiled]) -> Code:
        at = nodes.at[node]
        inner = self._values(nodes, node, given)
        if op in TEMPORAL:
            raise Fault("P125", "a temporal operator can stand in a SPEC only", at)
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
        return Code(made, kinds, 0, None, depth)

    def _special(self, op: int, inner: list[Code], kinds: int, at: int) -> Code:
        """An operator that is another one of the core, or one over other arguments."""
        if op in (N.TOINT, N.BOOL):
            return self._converted(op, inner[0], kinds, at)
        numbers = tuple(each.number for each in inner)
        if op == N.NE:
            return Code(self._unequal(numbers, at), kinds)
        if op == N.CASE:
            return Code(self._emit(Op.CHOICE, _without_false(inner) or numbers, 0, at), kinds)
        turned = Op.LESS if op == N.GT else Op.LESS_EQUAL
        return Code(self._emit(turned, numbers[::-1], 0, at), kinds)

    def _unequal(self, args: tuple[int, ...], at: int) -> int:
        equal = self._emit(Op.EQUAL, args, 0, at)
        made = self._emit(Op.NEGATION, (equal,), 0, at)
        self._turned[made] = equal
        return made

    def _converted(self, op: int, inner: Code, kinds: int, at: int) -> Code:
        if op == N.TOINT:
            if inner.kinds & BOOL:
                return Code(self._emit(Op.NUMBER_OF, (inner.number,), 0, at), kinds)
            return inner._replace(kinds=kinds, width=0)
        if inner.kinds & BOOL:
            return inner
        return Code(self._emit(Op.TRUTH_OF, (inner.number,), 0, at), kinds)

    def _folded(self, op: int, inner: list[Code], kinds: int) -> Code | None:
        """The result where all arguments are constant numbers, or truth values."""
        if inner[0].constant is None:
            return None
        values = [each.constant for each in inner]
        if op in _FOLDED or op == N.MINUS:
            numbers = [each for each in values if each is not None and abs(each) < FORBIDDEN]
            if len(numbers) < len(values):
                return None
            first, *rest = numbers
            result: int | None = -first if op == N.MINUS else first
            for each in rest:
                if result is None or abs(result) >= FORBIDDEN:
                    return None
                result = fold(op, result, each)
            if result is None or abs(result) >= FORBIDDEN:
                return None
            return Code(self._emit(Op.CONSTANT, (), result, -1), kinds, 0, result)
        if op in (N.EQ, N.NE) and None not in values:
            return self.constant(value=(values[0] == values[1]) is (op == N.EQ))
        if op == N.NOT and values[0] in (TRUE, FALSE):
            return self.constant(value=values[0] == FALSE)
        return None

    def _words(  # noqa: C901 - a rule each
        self, nodes: Nodes, node: int, op: int, inner: list[Code], kinds: int
    ) -> Code:
        """An operator that takes or gives words."""
        at, first = nodes.at[node], inner[0]
        if op in (N.CASE, N.ITE):
            shown = inner[1::2] if op == N.CASE else inner[1:]
            width = self._same_width(shown, at)
            numbers = tuple(each.number for each in inner)
            return Code(self._emit(PLAIN[op], numbers, 0, at), kinds, width)
        if op in (N.SET, N.UNION, N.EQ, N.NE, N.IN) or N.LT <= op <= N.GE:
            width = self._same_width(inner, at)
            numbers = tuple(each.number for each in inner)
            if op in (N.GT, N.GE):
                op, numbers = (N.LT if op == N.GT else N.LE), numbers[::-1]
            if op == N.NE:
                return Code(self._unequal(numbers, at), kinds)
            result = width if op in (N.SET, N.UNION) else 0
            return Code(self._emit(PLAIN[op], numbers, 0, at), kinds, result)
        if op in (N.SWCONST, N.UWCONST):
            return self._word_constant(nodes, node, inner, signed=op == N.SWCONST)
        if op == N.WORD1:
            return Code(self._emit(Op.NUMBER_OF, (first.number,), 0, at), kinds, 1)
        if op in (N.TOINT, N.BOOL):
            if op == N.BOOL and abs(first.width) != 1:
                raise Fault("P125", "only a word of 1 bit is a truth value", at)
            return self._converted(op, first, kinds, at)
        if op == N.SIZEOF:
            return self.constant(abs(first.width))
        if op in (N.BITS, N.JOIN, N.EXTEND, N.RESIZE, N.SIGNED, N.UNSIGNED):
            return self._reshaped(nodes, node, op, inner, kinds)
        return self._word_operator(op, inner, kinds, at)

    def _word_operator(self, op: int, inner: list[Code], kinds: int, at: int) -> Code:
        """One whose arguments have one width, as its result has."""
        first = inner[0]
        if op in (N.SHL, N.SHR):
            if inner[1].kinds & SET or not inner[1].kinds & (INT | WORD):
                raise Fault("P125", "expected a number of bits", at)
            numbers = (first.number, inner[1].number)
            return Code(self._emit(ON_WORDS[op], numbers, first.width, at), kinds, first.width)
        width = self._same_width(inner, at)
        if op == N.MINUS:
            zero = self._emit(Op.CONSTANT, (), 0, -1)
            made = self._emit(Op.WORD_SUBTRACT, (zero, first.number), width, at)
            return Code(made, kinds, width)
        if op in (N.XNOR, N.IFF):
            made = self._emit(Op.WORD_XOR, (first.number, inner[1].number), width, at)
            return Code(self._emit(Op.WORD_NOT, (made,), width, at), kinds, width)
        if op == N.IMPLIES:
            turned = self._emit(Op.WORD_NOT, (first.number,), width, at)
            made = self._emit(Op.WORD_OR, (turned, inner[1].number), width, at)
            return Code(made, kinds, width)
        made = first.number
        if op == N.NOT:
            return Code(self._emit(Op.WORD_NOT, (made,), width, at), kinds, width)
        for each in inner[1:]:
            made = self._emit(ON_WORDS[op], (made, each.number), width, at)
        return Code(made, kinds, width)

    def _reshaped(self, nodes: Nodes, node: int, op: int, inner: list[Code], kinds: int) -> Code:
        at, first = nodes.at[node], inner[0]
        size = abs(first.width)
        if op == N.BITS:
            high, low = (self._fixed(nodes, node, each) for each in inner[1:])
            if not 0 <= low <= high < size:
                raise Fault("P125", f"bits {high}:{low} of a word of {size} bits", at)
            made = high - low + 1
            numbers = tuple(each.number for each in inner)
            return Code(self._emit(Op.WORD_BITS, numbers, made, at), kinds, made)
        if op == N.JOIN:
            made = size + abs(inner[1].width)
            if made > WIDEST:
                raise too_wide(at)
            low = self._emit(Op.CONSTANT, (), abs(inner[1].width), -1)
            numbers = (first.number, inner[1].number, low)
            return Code(self._emit(Op.WORD_JOIN, numbers, made, at), kinds, made)
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
        return Code(self._emit(Op.WORD_WRAP, (first.number,), width, at), kinds, width)

    def _narrowed(self, word: Code, made: int, kinds: int, at: int) -> Code:
        """A signed word with fewer bits: the sign, and the lowest ones of the others."""
        zero = self._emit(Op.CONSTANT, (), 0, -1)
        negative = self._emit(Op.LESS, (word.number, zero), 0, at)
        mask = self._emit(Op.CONSTANT, (), (1 << (made - 1)) - 1, -1)
        rest = self._emit(Op.WORD_AND, (word.number, mask), WIDEST, at)
        least = self._emit(Op.CONSTANT, (), -1 << (made - 1), -1)
        below = self._emit(Op.ADD, (rest, least), 0, at)
        return Code(self._emit(Op.CONDITION, (negative, below, rest), 0, at), kinds, -made)

    def _word_constant(self, nodes: Nodes, node: int, inner: list[Code], *, signed: bool) -> Code:
        value, width = (self._fixed(nodes, node, each) for each in inner)
        if not 1 <= width <= WIDEST:
            raise too_wide(nodes.at[node])
        least = -1 << (width - 1) if signed else 0
        if not least <= value < least + (1 << width):
            raise Fault("P125", f"{value} does not fit into {width} bits", nodes.at[node])
        return self._word_of(value, -width if signed else width)

    def _word_of(self, value: int, width: int) -> Code:
        """A constant word. A negative width is that of a signed one."""
        number = self._emit(Op.CONSTANT, (), self.symbols.value(value), -1)
        return Code(number, WORD, width, value)

    @staticmethod
    def _fixed(nodes: Nodes, node: int, code: Code) -> int:
        if code.constant is None or not code.kinds & (INT | WORD):
            raise Fault("P125", "expected a constant number", nodes.at[node])
        return code.constant

    @staticmethod
    def _same_width(inner: list[Code], at: int) -> int:
        widths = {each.width for each in inner if each.kinds & (WORD | BOOL | INT)}
        if len(widths) != 1:
            shown = " and ".join(sorted(_type_name(each) for each in widths))
            raise Fault("P125", f"{shown} can't be combined", at, "use extend, signed or unsigned")
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

    def current(self, flat: Flat) -> int:
        """The current value of a variable."""
        return self._emit(Op.SLOT, (), self.slots[flat], -1)

    def unknown(self, name: str, instance: Instance, at: int) -> Fault:
        """The fault for a name that is not there."""
        known = [*instance.names, *instance.parameters, *self.program.constants]
        hint = did_you_mean(name, known)
        before, dash, _ = name.partition("-")
        if hint is None and dash and self.program.look_up(instance, before) is not None:
            hint = "a name may hold `-`: for a difference write spaces around it"
        if name in _CONSTANTS:
            hint = f"write {_CONSTANTS[name]}"
        module = printable(instance.module.name)
        return Fault("P123", f"`{printable(name)}` is not defined in module `{module}`", at, hint)


def _plain(nodes: Nodes, node: int, op: int, kinds: list[int]) -> tuple[int, int, int, bool] | None:
    """What comes of an operator over arguments of these kinds, if it is one of the core.

    That is the operator of the core, its kinds, which constant arguments need `_operator`, and
    whether the arguments are conjuncts. None: `_operator` knows.
    """
    if op not in PLAIN or (op in _TURNED and op != N.CASE) or any(each & WORD for each in kinds):
        return None
    found = kinds_of(nodes, node, op, kinds)
    if found & WORD:
        return None
    fold = _ANY_FALSE if op == N.CASE else _FIRST if op in _FOLDABLE else _NEVER
    return PLAIN[op], found, fold, op == N.AND


def _ahead(nodes: Nodes, root: int) -> Container[int]:
    """The nodes under `next`."""
    if N.NEXT not in nodes.ops[nodes.first[root] : root + 1]:
        return _NOTHING
    found: set[int] = set()
    for node in range(nodes.first[root], root + 1):
        if nodes.ops[node] == N.NEXT:
            inside = range(nodes.first[node], node)
            if any(nodes.ops[each] == N.NEXT for each in inside):
                raise Fault("P122", "next inside of next is not supported", nodes.at[node])
            found.update(inside)
    return found


def _names(nodes: Nodes, root: int, ahead: Container[int]) -> Iterable[tuple[bool, Iterable[str]]]:
    """The names in an expression, in order, and whether they are under `next`."""
    first = nodes.first[root]
    ops, args = nodes.ops[first : root + 1], nodes.args[first : root + 1]
    if not ahead:
        named = [name for op, name in zip(ops, args, strict=True) if op == N.NAME]
        return [(False, dict.fromkeys(named))]
    named = [node for node, op in enumerate(ops, first) if op == N.NAME]
    return [(node in ahead, [nodes.args[node]]) for node in named]


def _without_false(inner: list[Code]) -> tuple[int, ...]:
    """The branches of a case whose conditions are not FALSE."""
    found: list[int] = []
    for i in range(0, len(inner), 2):
        if inner[i].constant != FALSE:
            found += [inner[i].number, inner[i + 1].number]
    return tuple(found)


def _is_word(compiled: Compiled) -> bool:
    return isinstance(compiled, Code) and bool(compiled.kinds & WORD)


def _type_name(width: int) -> str:
    if width == 0:
        return "a value that is not a word"
    return f"{'a signed' if width < 0 else 'an unsigned'} word[{abs(width)}]"


def too_deep(at: int) -> Fault:
    """The fault for a value that is nested too deeply."""
    message = f"the expression is nested more than {DEPTH} levels deep"
    return Fault("P129", message, at, "write it with fewer levels")


def _circle(written: Written) -> Fault:
    nodes, root, instance = written
    name = next(
        (
            name
            for name, each in (*instance.names.items(), *instance.parameters.items())
            if isinstance(each, Written) and each.root == root
        ),
        EXIT,
    )
    message = f"`{printable(name)}` is defined by way of itself"
    if name == EXIT:
        message = "the expression is defined by way of itself"
    return Fault("P124", message, nodes.at[root])
