"""Expressions: each call, `await` and `yield` becomes a node, all else only the names it reads.

Conditions become short-circuit branches, whose edges have guards.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from pigro.sources.graph import AWAIT, CALL, DELEGATE, FOR, LONG, SET, TEST, THERE, YIELD
from pigro.sources.operations import paths
from pigro.sources.python.flow import GraphBuilder, place

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.sources.graph import Guard, Value
    from pigro.sources.python.flow import Ends

_COMPARED: dict[type, tuple[str, bool]] = {
    ast.Eq: ("==", True), ast.NotEq: ("==", False), ast.Is: (" is ", True),
    ast.IsNot: (" is ", False), ast.Lt: ("<", True), ast.GtE: ("<", False), ast.Gt: (">", True),
    ast.LtE: (">", False), ast.In: (" in ", True), ast.NotIn: (" in ", False),
}  # fmt: skip
_EXISTING = frozenset({"exists", "lexists", "isfile", "isdir"})
_PURE = frozenset({"isinstance", "hasattr", "callable", "issubclass", "len", "bool"})
_LONGEST = 40
_WIDEST = 63
"""Bits of a number that graphs keep."""


def path(node: Any) -> str | None:
    """`a.b.c` as text. None for anything else."""
    if type(node) is ast.Name:
        return str(node.id)
    parts = []
    while type(node) is ast.Attribute:
        parts.append(node.attr)
        node = node.value
    if type(node) is not ast.Name or not parts:
        return None
    parts.append(node.id)
    parts.reverse()
    return ".".join(parts)


class Expressions(GraphBuilder):
    """Lowers expressions. `value` gives what they are worth."""

    def value(self, expression: Any) -> Value:
        """Lowers an expression, and gives its value. See graph.py."""
        kind = type(expression)
        if kind is ast.Name:
            name = expression.id
            return None if name in self.hidden else name
        if kind is ast.Constant:
            return ("c", _kept(expression.value))
        lower = _LOWER.get(kind)
        if lower is not None:
            return lower(self, expression)
        if kind is ast.UnaryOp and (number := _negative(expression)) is not None:
            return ("c", _kept(number))
        for child in ast.iter_child_nodes(expression):
            self.read(child)
        return None

    hidden: frozenset[str] = frozenset()
    """Names that a comprehension binds."""

    def read(self, expression: Any) -> None:
        """Lowers an expression that is only looked at."""
        self.reads(self.value(expression))

    def reads(self, value: Value) -> None:
        """Notes the paths of a value as read."""
        kind = type(value)
        if kind is str:
            self.uses.append(value)
        elif kind is tuple:
            self.uses.extend(paths(value))

    def attribute(self, expression: ast.Attribute) -> Value:
        """A path, or an attribute of some value."""
        text = path(expression)
        if text is not None:
            return None if self.hidden and text.partition(".")[0] in self.hidden else text
        self.read(expression.value)
        return None

    def call(self, expression: ast.Call) -> Value:
        """A call: the callee, its arguments, and the node."""
        function = expression.func
        receiver = None
        name = path(function)
        if name is None:
            name = ""
            if type(function) is ast.Attribute:
                receiver = self.value(function.value)
                name = f".{function.attr}"
                if type(receiver) is not int:
                    self.reads(receiver)
            else:
                self.read(function)
        value = self.value
        arguments = tuple([value(each) for each in expression.args])
        keywords = tuple([(each.arg, value(each.value)) for each in expression.keywords])
        op = (CALL, name, receiver, arguments, keywords)
        return self.node(op, place(expression))

    def binary(self, expression: ast.BinOp) -> Value:
        """An operator. Long chains are common."""
        left: Any = expression
        rights = []
        while type(left) is ast.BinOp:
            rights.append(left.right)
            left = left.left
        self.read(left)
        for each in reversed(rights):
            self.read(each)

    def container(self, expression: Any) -> Value:
        """A new tuple, list or set."""
        return ("t", tuple([self.value(each) for each in expression.elts]))

    def dictionary(self, expression: ast.Dict) -> Value:
        """A new dict."""
        for key in expression.keys:
            if key is not None:
                self.read(key)
        return ("t", tuple([self.value(each) for each in expression.values]))

    def starred(self, expression: ast.Starred) -> Value:
        """`*x`."""
        return ("*", self.value(expression.value))

    def subscript(self, expression: ast.Subscript) -> Value:
        """`x[i]`: of a call's result, an element that may be told."""
        base = self.value(expression.value)
        index = expression.slice
        if type(base) is int and type(index) is ast.Constant and type(index.value) is int:
            return ("i", base, index.value)
        self.reads(base)
        self.read(index)
        return None

    def either(self, expression: ast.BoolOp) -> Value:
        """`a or b` and `a and b` as values: the later operands only run on some ways."""
        found = [self.value(expression.values[0])]
        wanted = isinstance(expression.op, ast.And)
        for each in expression.values[1:]:
            self._maybe(found, each, wanted, expression)
        return ("or", tuple(found)) if wanted else ("or", tuple(found), True)

    def _maybe(self, found: list[Value], operand: Any, wanted: bool, at: Any) -> None:
        """An operand that runs if the one before it had the truth `wanted`."""
        test, count, ends = found[-1], len(self.ops), self.ends
        if not _has_nodes(operand):
            found.append(self.value(operand))
            return
        self.plain(place(at))
        ends = self.ends
        self.ends = [(node, _truth(test, wanted)) for node, _ in ends]
        found.append(self.value(operand))
        if len(self.ops) > count:
            self.ends = self.ends + [(node, _truth(test, not wanted)) for node, _ in ends]

    def choice(self, expression: ast.IfExp) -> Value:
        """`a if test else b`."""
        if not _has_nodes(expression):
            self.read(expression.test)
            return ("or", (self.value(expression.body), self.value(expression.orelse)))
        yes, no = self.condition(expression.test)
        self.ends = yes
        first = self.value(expression.body)
        self.plain(place(expression))
        yes = self.ends
        self.ends = no
        second = self.value(expression.orelse)
        self.plain(place(expression))
        self.ends = yes + self.ends
        return ("or", (first, second))

    def comparison(self, expression: ast.Compare) -> Value:
        """A comparison. Of a chain, the later parts only run on some ways."""
        self.read(expression.left)
        self.read(expression.comparators[0])
        for each in expression.comparators[1:]:
            found: list[Value] = [None]
            self._maybe(found, each, True, expression)
            self.reads(found[-1])

    def awaited(self, expression: ast.Await) -> Value:
        """`await x`, worth what the call is worth."""
        value = self.value(expression.value)
        self.node((AWAIT, value), place(expression))
        return value

    def yielded(self, expression: ast.Yield) -> Value:
        """`yield x`."""
        self.function.is_generator = True
        value = None if expression.value is None else self.value(expression.value)
        return self.node((YIELD, value), place(expression))

    def delegated(self, expression: ast.YieldFrom) -> Value:
        """`yield from x`."""
        self.function.is_generator = True
        value = self.value(expression.value)
        return self.node((DELEGATE, value), place(expression))

    def walrus(self, expression: ast.NamedExpr) -> Value:
        """`(x := value)`."""
        value = self.value(expression.value)
        name = expression.target.id
        self.assigns(name, value)
        self.node((SET, self.taken_uses(), ((name, value),)), place(expression))
        return name

    def assigns(self, name: str, value: Value) -> None:
        """Notes that a name is assigned."""
        known = self.function.assigned.get(name)
        if known is None:
            self.function.assigned[name] = [value]
        else:
            known.append(value)

    def comprehension(self, expression: Any) -> Value:
        """A comprehension, as loops. The names that it binds are its own."""
        hidden = self.hidden
        again: list[int] = []
        for each in expression.generators:
            source = self.value(each.iter)
            bound = {x.id for x in ast.walk(each.target) if type(x) is ast.Name}
            self.hidden = self.hidden | bound
            top = self.node((FOR, source, bool(each.is_async)), place(each.iter))
            again.append(top)
            for test in each.ifs:
                yes, no = self.condition(test)
                self.lead(no, top)
                self.ends = yes
        if type(expression) is ast.DictComp:
            self.read(expression.key)
            self.read(expression.value)
        else:
            self.reads(self.value(expression.elt))
        self.lead(self.ends, again[-1])
        for inner, top in zip(again[1:], again, strict=False):
            self.lead([(inner, None)], top)
        self.ends = [(again[0], None)]
        self.hidden = hidden
        return None

    def lambda_(self, expression: ast.Lambda) -> Value:
        """A lambda: the names that it may read."""
        own = {each.arg for each in ast.walk(expression.args) if type(each) is ast.arg}
        for default in (*expression.args.defaults, *expression.args.kw_defaults):
            if default is not None:
                self.read(default)
        read = [x.id for x in ast.walk(expression.body) if type(x) is ast.Name]
        captured = tuple(dict.fromkeys(each for each in read if each not in own))
        self.function.captured.update(captured)
        return ("l", captured)

    def condition(self, test: Any) -> tuple[Ends, Ends]:
        """Lowers a condition: the ends where it is true, and where it is false."""
        kind = type(test)
        if kind is ast.BoolOp:
            return self._junction(test)
        if kind is ast.UnaryOp and type(test.op) is ast.Not:
            yes, no = self.condition(test.operand)
            return no, yes
        if kind is ast.Constant:
            self.plain(place(test))
            return (self.ends, []) if test.value else ([], self.ends)
        value = self.value(test)
        self.reads(value)
        node = self.node((TEST, self.taken_uses()), place(test))
        key = self._test(test, value)
        if key is None:
            return [(node, None)], [(node, None)]
        text, outcome, about = key
        return [(node, (text, outcome, about))], [(node, (text, not outcome, about))]

    def _junction(self, test: ast.BoolOp) -> tuple[Ends, Ends]:
        stop: Ends = []
        is_and = type(test.op) is ast.And
        for each in test.values:
            yes, no = self.condition(each)
            stop += no if is_and else yes
            self.ends = yes if is_and else no
        return (self.ends, stop) if is_and else (stop, self.ends)

    def _test(self, test: Any, value: Value) -> Guard:
        """The guard for the outcome true."""
        if type(value) is str:
            return (value, True, (value,))
        kind = type(test)
        if kind is ast.Compare and len(test.ops) == 1:
            sign = _COMPARED[type(test.ops[0])]
            left, right = _side(test.left), _side(test.comparators[0])
            if left is not None and right is not None:
                about = tuple(each for each in (left[1], right[1]) if each)
                return (f"{left[0]}{sign[0]}{right[0]}", sign[1], about)
        if kind is ast.Call and type(value) is int:
            op = self.ops[value]
            if op is not None and (op[1] in _PURE or _is_predicate(op)):
                about = tuple(each for each in op[3] if type(each) is str)
                return (f"{op[1]}{op[3]}", True, about)
            if op is not None and _asks_for_file(op):
                return (f"{THERE}{op[3][0]}", True, ())
        if kind is ast.NamedExpr:
            return (str(value), True, (str(value),))
        return None


def _side(node: Any) -> tuple[str, str | None] | None:
    """One side of a comparison: its text, and the path in it."""
    if type(node) is ast.Constant:
        return _written(node.value), None
    if type(node) is ast.UnaryOp and (number := _negative(node)) is not None:
        return _written(number), None
    if type(node) is ast.Call and path(node.func) == "range" and not node.keywords:
        is_fixed = all(type(each) is ast.Constant for each in node.args)
        return (ast.unparse(node), None) if is_fixed else None
    text = path(node)
    return None if text is None else (text, text)


def _negative(node: ast.UnaryOp) -> float | None:
    """The number that is written with a minus."""
    number = node.operand
    if type(node.op) is not ast.USub or type(number) is not ast.Constant:
        return None
    value: Any = number.value
    return -value if type(value) in {int, float} else None


def _is_predicate(op: tuple[Any, ...]) -> bool:
    """Whether a call asks about its arguments, and gets the same answer again: `is_file(x)`."""
    name, arguments, keywords = op[1], op[3], op[4]
    if "." in name or not name.lower().startswith(("is", "has")) or not arguments or keywords:
        return False
    return all(type(each) is str or (type(each) is tuple and each[0] == "c") for each in arguments)


def _asks_for_file(op: tuple[Any, ...]) -> bool:
    """Whether a call asks for a file under a name: `os.path.exists(x)`."""
    name, arguments = op[1], op[3]
    return (
        name.rpartition(".")[2] in _EXISTING and len(arguments) == 1 and type(arguments[0]) is str
    )


def _written(constant: Any) -> str:
    """A constant as a test writes it. No two constants are written alike."""
    is_wide = type(constant) is int and constant.bit_length() > _WIDEST
    return hex(constant) if is_wide else repr(constant)  # `repr` refuses thousands of digits


def _kept(constant: object) -> object:
    """A constant as graphs keep it: `LONG` in place of one that takes much room."""
    if isinstance(constant, str):
        return constant if len(constant) <= _LONGEST and _is_text(constant) else LONG
    if isinstance(constant, bytes):
        return constant if len(constant) <= _LONGEST else LONG
    if isinstance(constant, int):
        return constant if constant.bit_length() <= _WIDEST else LONG
    return constant if constant is None or isinstance(constant, float) else LONG


def _is_text(value: str) -> bool:
    """Whether UTF-8 has all characters of a text. It has no halves of surrogate pairs."""
    return value.isascii() or not any("\ud800" <= each <= "\udfff" for each in value)


def _truth(value: Value, outcome: bool) -> Guard:
    return (value, outcome, (value,)) if type(value) is str else None


def _has_nodes(expression: Any) -> bool:
    """Whether lowering an expression makes nodes."""
    return any(type(each) in _MAKES_NODES for each in ast.walk(expression))


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_MAKES_NODES = {
    ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, *_COMPREHENSIONS,
}  # fmt: skip
_LOWER: dict[type, Callable[[Any, Any], Any]] = {
    ast.Attribute: Expressions.attribute,
    ast.Call: Expressions.call,
    ast.BinOp: Expressions.binary,
    ast.Tuple: Expressions.container,
    ast.List: Expressions.container,
    ast.Set: Expressions.container,
    ast.Dict: Expressions.dictionary,
    ast.Starred: Expressions.starred,
    ast.Subscript: Expressions.subscript,
    ast.BoolOp: Expressions.either,
    ast.IfExp: Expressions.choice,
    ast.Compare: Expressions.comparison,
    ast.Await: Expressions.awaited,
    ast.Yield: Expressions.yielded,
    ast.YieldFrom: Expressions.delegated,
    ast.NamedExpr: Expressions.walrus,
    ast.Lambda: Expressions.lambda_,
    **dict.fromkeys(_COMPREHENSIONS, Expressions.comprehension),
}
