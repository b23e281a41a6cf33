"""Statements: the flow of control between nodes.

`finally` is copied for each way out of its `try`, as the compiler of CPython does.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pigro.sources.graph import (
    CATCH,
    DEFINE,
    ENTER,
    EXIT,
    FOR,
    NOWHERE,
    RAISE,
    RETURN,
    RETURN_NODE,
    SET,
    TEST,
)
from pigro.sources.python.expressions import Expressions, path
from pigro.sources.python.flow import FinallyBlock, LoopTargets, place
from pigro.sources.python.patterns import binds, is_certain

if TYPE_CHECKING:
    from pigro.sources.graph import Function, Value
    from pigro.sources.python.flow import Ends

Nested = Callable[[Any, "Statements"], tuple[str, set[str]]]
DELETED = ("d",)
"""The value of a name after `del`."""


class Statements(Expressions):
    """Lowers statements."""

    def __init__(self, function: Function, nested: Nested) -> None:
        super().__init__(function)
        self.nested = nested
        """Lowers a function or class inside. Gives its name, and what it reads from outside."""

    def whole(self, statements: list[ast.stmt]) -> None:
        """Lowers the body of the function."""
        self.body(statements)
        self.lead(self.ends, RETURN_NODE)
        self.ends = []

    def body(self, statements: list[ast.stmt]) -> None:
        """Lowers statements, one after another. Those after a jump are left out."""
        for each in statements:
            if not self.ends:
                return
            _LOWER[type(each)](self, each)

    def expression(self, statement: ast.Expr) -> None:
        """An expression for its effects."""
        if type(statement.value) is ast.Constant:
            self.node(None, place(statement))
            return
        before = len(self.ops)
        self.reads(self.value(statement.value))
        if self.uses or len(self.ops) == before:
            self.node((SET, self.taken_uses(), ()), place(statement))

    def assign(self, statement: ast.Assign) -> None:
        """`a = b = value`."""
        value = self.value(statement.value)
        pairs: list[tuple[str, Value]] = []
        for target in statement.targets:
            self.target(target, value, pairs)
        self.node((SET, self.taken_uses(), tuple(pairs)), place(statement))

    def annotated(self, statement: ast.AnnAssign) -> None:
        """`a: T = value`."""
        name = path(statement.target)
        text = annotation(statement.annotation)
        if name is not None and text is not None:
            self.function.annotations[name] = text
        if statement.value is None:
            return
        value = self.value(statement.value)
        pairs: list[tuple[str, Value]] = []
        self.target(statement.target, value, pairs)
        self.node((SET, self.taken_uses(), tuple(pairs)), place(statement))

    def augmented(self, statement: ast.AugAssign) -> None:
        """`a += value`: reads the target, and then assigns."""
        name = path(statement.target)
        pairs: list[tuple[str, Value]] = []
        if name is None:
            self.read(statement.target)
            self.read(statement.value)
        else:
            self.uses.append(name)
            self.read(statement.value)
            self.target(statement.target, name, pairs)
        self.node((SET, self.taken_uses(), tuple(pairs)), place(statement))

    def target(self, target: Any, value: Value, pairs: list[tuple[str, Value]]) -> None:
        """Targets of assignments: names, attributes, elements, and several at once."""
        kind = type(target)
        if kind is ast.Name:
            self.assigns(target.id, value)
            pairs.append((target.id, value))
        elif kind is ast.Attribute:
            text = path(target)
            if text is None:
                self.read(target.value)
                text = f"?.{target.attr}"
            pairs.append((text, value))
        elif kind is ast.Subscript:
            text = path(target.value)
            if text is None:
                self.read(target.value)
            else:
                self.uses.append(text)
            self.read(target.slice)
            pairs.append((f"{text or '?'}[]", value))
        elif kind is ast.Starred:
            self.target(target.value, None, pairs)
        else:
            self._unpack(target.elts, value, pairs)

    def _unpack(self, targets: list[Any], value: Value, pairs: list[tuple[str, Value]]) -> None:
        known = type(value) is tuple and value[0] == "t" and len(value[1]) == len(targets)
        starred = any(type(each) is ast.Starred for each in targets)
        for index, each in enumerate(targets):
            if starred or value is None:
                part = None
            elif known:
                part = value[1][index]
            else:
                part = ("i", value, index)
            self.target(each, part, pairs)

    def delete(self, statement: ast.Delete) -> None:
        """`del a, b.c, d[e]`."""
        pairs: list[tuple[str, Value]] = []
        for each in statement.targets:
            text = path(each)
            if text is not None:
                pairs.append((text, DELETED))
            else:
                self.read(each)
        self.node((SET, self.taken_uses(), tuple(pairs)), place(statement))

    def if_(self, statement: ast.If) -> None:
        """`if`, with all its `elif`."""
        after: Ends = []
        rest: list[ast.stmt] = [statement]
        while len(rest) == 1 and type(rest[0]) is ast.If:
            each = rest[0]
            yes, no = self.condition(each.test)
            self.ends = yes
            self.body(each.body)
            after += self.ends
            self.ends, rest = no, each.orelse
        self.body(rest)
        self.ends = after + self.ends

    def while_(self, statement: ast.While) -> None:
        """`while ... else`."""
        loop = LoopTargets(self.node(None, NOWHERE))
        yes, no = self.condition(statement.test)
        self._loop(loop, yes, no, statement)

    def _loop(self, loop: LoopTargets, into: Ends, out: Ends, statement: Any) -> None:
        self.frames.append(loop)
        self.ends = into
        self.body(statement.body)
        self.lead(self.ends, loop.again)
        self.frames.pop()
        self.ends = out
        self.body(statement.orelse)
        self.ends = self.ends + loop.left

    def for_(self, statement: Any) -> None:
        """`for ... else`, and `async for`."""
        value = self.value(statement.iter)
        self.reads(value)
        uses = self.taken_uses()
        if uses:
            self.node((SET, uses, ()), place(statement.iter))
        wait = type(statement) is ast.AsyncFor
        top = self.node((FOR, value, wait), place(statement.iter))
        pairs: list[tuple[str, Value]] = []
        self.target(statement.target, None, pairs)
        self.node((SET, self.taken_uses(), tuple(pairs)), place(statement.target))
        self._loop(LoopTargets(top), self.ends, [(top, None)], statement)

    def break_(self, statement: ast.Break) -> None:
        """`break`."""
        self._jump(statement, again=False)

    def continue_(self, statement: ast.Continue) -> None:
        """`continue`."""
        self._jump(statement, again=True)

    def _jump(self, statement: Any, *, again: bool) -> None:
        loop = next(each for each in reversed(self.frames) if isinstance(each, LoopTargets))
        self.node(None, place(statement))
        self.unwind(loop)
        if again:
            self.lead(self.ends, loop.again)
        else:
            loop.left += self.ends
        self.ends = []

    def return_(self, statement: ast.Return) -> None:
        """`return`, after all `finally` around it."""
        value = ("c", None) if statement.value is None else self.value(statement.value)
        made = self.node((RETURN, self.taken_uses(), value), place(statement))
        self.unwind(None)
        self.lead(self.ends, RETURN_NODE)
        self.ends = []
        assert self.ops[made] is not None

    def raise_(self, statement: ast.Raise) -> None:
        """`raise`: of a type, or again the exception that was caught."""
        name: str | None = None
        types: tuple[str, ...] = ()
        if statement.exc is None:
            types = self.caught[-1][0] if self.caught else ()
        else:
            raised = statement.exc
            name = path(raised.func if type(raised) is ast.Call else raised)
            self.reads(self.value(raised))
            for caught, bound in reversed(self.caught):
                if bound is not None and bound == name:
                    name, types = None, caught
                    break
            if statement.cause is not None:
                self.read(statement.cause)
        uses = self.taken_uses()
        if uses:
            self.node((SET, uses, ()), place(statement))
        self.node((RAISE, name, types), place(statement))
        self.ends = []

    def assert_(self, statement: ast.Assert) -> None:
        """`assert`."""
        yes, no = self.condition(statement.test)
        self.ends = no
        if no:
            if statement.msg is not None:
                self.read(statement.msg)
            self.node((RAISE, "AssertionError", ()), place(statement))
        self.uses.clear()
        self.ends = yes

    def with_(self, statement: Any) -> None:
        """`with` and `async with`: items from the first to the last."""
        self._items(statement, 0)

    def _items(self, statement: Any, number: int) -> None:
        if number == len(statement.items):
            self.body(statement.body)
            return
        item, wait = statement.items[number], type(statement) is ast.AsyncWith
        at = place(item.context_expr)
        value = self.value(item.context_expr)
        self.node((ENTER, value, wait), at)
        outer = self.pad
        catcher = self.open_pad()
        if item.optional_vars is not None:
            pairs: list[tuple[str, Value]] = []
            self.target(item.optional_vars, value, pairs)
            self.node((SET, self.taken_uses(), tuple(pairs)), at)
        frame = FinallyBlock([], outer, value, at, wait)
        self.frames.append(frame)
        self._items(statement, number + 1)
        self.frames.pop()
        self.pad = outer
        suppressed = self.throwing(frame, catcher)
        if self.ends:
            self.node((EXIT, value, wait, False), at)
        self.ends = self.ends + suppressed

    def try_(self, statement: Any) -> None:
        """`try`, with handlers, `else` and `finally`. `except*` too."""
        outer = self.pad
        frame = None
        if statement.finalbody:
            at = place(statement.finalbody[0])
            frame = FinallyBlock(statement.finalbody, outer, None, at, False)
            self.frames.append(frame)
            final = self.open_pad()
        inner = self.pad
        if statement.handlers:
            self.open_pad()
        handling = self.pad
        self.body(statement.body)
        self.pad = inner
        self.body(statement.orelse)
        after = self.ends
        for each in statement.handlers:
            after = after + self._handler(each, handling)
        self.ends = after
        if frame is not None:
            self.frames.pop()
            self.pad = outer
            self.throwing(frame, final)
            self.body(statement.finalbody)

    def _handler(self, handler: ast.ExceptHandler, pad: int) -> Ends:
        types = caught_types(handler.type)
        self.ends = []
        entry = self.node((CATCH, types, handler.name), place(handler))
        self.pads[pad].clauses.append((types, entry))
        if handler.name is not None:
            self.assigns(handler.name, None)
        self.caught.append((types, handler.name))
        self.body(handler.body)
        self.caught.pop()
        return self.ends

    def match(self, statement: Any) -> None:
        """`match`: cases are tried in order."""
        self.read(statement.subject)
        at = place(statement.subject)
        self.node((SET, self.taken_uses(), ()), at)
        after: Ends = []
        for case in statement.cases:
            if not self.ends:
                break
            test = self.node((TEST, ()), place(case.pattern))
            no: Ends = [] if is_certain(case.pattern) else [(test, None)]
            bound = tuple((each, None) for each in binds(case.pattern))
            if bound:
                for each, _ in bound:
                    self.assigns(each, None)
                self.node((SET, (), bound), place(case.pattern))
            if case.guard is not None:
                self.ends, unmatched = self.condition(case.guard)
                no = no + unmatched
            self.body(case.body)
            after += self.ends
            self.ends = no
        self.ends = after + self.ends

    def import_(self, statement: ast.Import) -> None:
        """`import a.b as c`."""
        for each in statement.names:
            if each.asname is None:
                first = each.name.partition(".")[0]
                self.function.imports[first] = first
            else:
                self.function.imports[each.asname] = each.name
        self.node(None, place(statement))

    def import_from(self, statement: ast.ImportFrom) -> None:
        """`from a import b`. Relative names keep their dots."""
        home = "." * statement.level + (statement.module or "")
        for each in statement.names:
            name = each.asname or each.name
            joined = home + each.name if home.endswith(".") else f"{home}.{each.name}"
            self.function.imports["*" + home if name == "*" else name] = joined
        self.node(None, place(statement))

    def shares(self, statement: Any) -> None:
        """`global` and `nonlocal`."""
        self.function.shared.update(statement.names)

    def define(self, statement: Any) -> None:
        """A function or a class inside."""
        for each in statement.decorator_list:
            self.read(each)
        if type(statement) is ast.ClassDef:
            for each in (*statement.bases, *(x.value for x in statement.keywords)):
                self.read(each)
        else:
            for default in (*statement.args.defaults, *statement.args.kw_defaults):
                if default is not None:
                    self.read(default)
        name, captured = self.nested(statement, self)
        value = ("f", name)
        if value not in self.function.assigned.get(statement.name, ()):  # `finally` is copied
            self.assigns(statement.name, value)
        op = (DEFINE, statement.name, tuple(sorted({*captured, *self.taken_uses()})))
        at = statement.lineno, statement.col_offset, statement.lineno, statement.col_offset
        self.node(op, at)

    def pass_(self, statement: ast.Pass) -> None:
        """`pass`."""
        self.node(None, place(statement))


def caught_types(node: Any) -> tuple[str, ...]:
    """What a handler catches, as written. `?` for a value that is not a name."""
    if node is None:
        return ("BaseException",)
    if type(node) is ast.Tuple:
        return tuple(path(each) or "?" for each in node.elts)
    return (path(node) or "?",)


def annotation(node: Any) -> str | None:
    """The class that an annotation names, if it names one (or one and None)."""
    if type(node) is ast.Constant and isinstance(node.value, str):
        text = node.value.strip().strip("'\"").removesuffix(" | None")
        return text if text.replace(".", "").isidentifier() else None
    if type(node) is ast.Subscript and path(node.value) in {"Optional", "typing.Optional"}:
        return annotation(node.slice)
    if type(node) is ast.BinOp and type(node.right) is ast.Constant and node.right.value is None:
        return annotation(node.left)
    return path(node)


_LOWER: dict[type, Callable[[Any, Any], None]] = {
    ast.Expr: Statements.expression,
    ast.Assign: Statements.assign,
    ast.AnnAssign: Statements.annotated,
    ast.AugAssign: Statements.augmented,
    ast.Delete: Statements.delete,
    ast.If: Statements.if_,
    ast.While: Statements.while_,
    ast.For: Statements.for_,
    ast.AsyncFor: Statements.for_,
    ast.Break: Statements.break_,
    ast.Continue: Statements.continue_,
    ast.Return: Statements.return_,
    ast.Raise: Statements.raise_,
    ast.Assert: Statements.assert_,
    ast.With: Statements.with_,
    ast.AsyncWith: Statements.with_,
    ast.Try: Statements.try_,
    ast.TryStar: Statements.try_,
    ast.Match: Statements.match,
    ast.Import: Statements.import_,
    ast.ImportFrom: Statements.import_from,
    ast.Global: Statements.shares,
    ast.Nonlocal: Statements.shares,
    ast.FunctionDef: Statements.define,
    ast.AsyncFunctionDef: Statements.define,
    ast.ClassDef: Statements.define,
    ast.Pass: Statements.pass_,
}
