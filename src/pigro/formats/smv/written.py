"""Expressions to text: one way of writing each, for labels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.formats.smv.instances import (
    ArrayElements,
    ModuleInstance,
    ProcessRunning,
    ScalarVariable,
    ScopedExpression,
)
from pigro.formats.smv.syntax.nodes import OPERATORS, N, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from pigro.formats.smv.instances import Entity
    from pigro.formats.smv.machine import SmvComponent
    from pigro.formats.smv.syntax.nodes import ExpressionNodes

_TIGHTEST = 20
_DEEPEST = 100

_Text = tuple[str, int]
"""A text, and how tightly it binds."""


class TextOf:
    """Writes expressions with the names that the outermost instance has for them."""

    def __init__(self, components: Mapping[str, SmvComponent]) -> None:
        self._components = components
        self._defined: dict[ModuleInstance, dict[ScopedExpression, str]] = {}
        """The names of definitions, by instance."""

    def label(self, written: ScopedExpression, component: str, sign: str | None = None) -> str:
        """The canonical text. With `sign` in place of the outermost operator."""
        return self._text(written, component, sign, 0)[0]

    def _text(
        self, written: ScopedExpression, component: str, sign: str | None, depth: int
    ) -> _Text:
        nodes, root, _ = written
        selected = nodes.selected(root)

        def name(node: int) -> _Text:
            if node in selected:
                return nodes.args[node], _TIGHTEST
            return self._name(written, node, component, depth)

        return _text(nodes, root, sign, name)

    def _name(self, written: ScopedExpression, node: int, component: str, depth: int) -> _Text:
        nodes, _, instance = written
        name = str(nodes.args[node])
        program = self._components[component].program
        meant = program.look_up(instance, name)
        prefix = f"{component}." if len(self._components) > 1 else ""
        if isinstance(meant, ScopedExpression) and depth < _DEEPEST:
            known = self._definition(meant)
            if known is None:
                return self._text(meant, component, None, depth + 1)
            return prefix + known, _TIGHTEST
        if meant is None or isinstance(meant, ScopedExpression):
            return name, _TIGHTEST
        return prefix + _full(meant, name), _TIGHTEST

    def _definition(self, meant: ScopedExpression) -> str | None:
        """The full name of a definition. None for the expression of a parameter."""
        instance = meant.instance
        if instance not in self._defined:
            names = reversed(instance.names.items())  # of two for the same, the first counts
            self._defined[instance] = {
                each: instance.full(name)
                for name, each in names
                if isinstance(each, ScopedExpression)
            }
        return self._defined[instance].get(meant)


def plain_text(nodes: ExpressionNodes, root: int, sign: str | None = None) -> str:
    """The canonical text of an expression with names as they are written."""
    return _text(nodes, root, sign, lambda node: (str(nodes.args[node]), _TIGHTEST))[0]


def _text(
    nodes: ExpressionNodes, root: int, sign: str | None, name: Callable[[int], _Text]
) -> _Text:
    texts: dict[int, _Text] = {}
    for node in range(nodes.first[root], root + 1):
        op, args = nodes.ops[node], nodes.args[node]
        if op == N.GONE:
            continue
        if op == N.CONSTANT:
            texts[node] = (show_constant(args), _TIGHTEST)
        elif op == N.WORD:
            texts[node] = (show_word(*args), _TIGHTEST)
        elif op == N.NAME:
            texts[node] = name(node)
        else:
            inside = [texts[each] for each in nodes.children(node)]
            texts[node] = _joined(op, inside, sign if node == root else None)
    return texts[root]


def _full(meant: Entity, name: str) -> str:
    if isinstance(meant, ScalarVariable):
        return meant.name
    if isinstance(meant, ModuleInstance):
        return meant.path or "self"
    if isinstance(meant, ProcessRunning):
        return meant.process.full("running")
    if isinstance(meant, ArrayElements):
        first: Entity = meant
        while isinstance(first, ArrayElements):
            first = first.items[0]
        if isinstance(first, ScalarVariable):
            return first.name.partition("[")[0]
    return name


def show_constant(value: Value) -> str:
    """A constant as it is written, however long it is."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return str(value)


def show_word(value: int, width: int) -> str:
    """A word as it is written. A negative width is that of a signed one."""
    if width > 0:
        return f"0ud{width}_{value}"
    bits = value & ((1 << -width) - 1)
    return f"0sb{-width}_{bits:0{-width}b}"


def _joined(op: int, inner: list[_Text], sign: str | None) -> _Text:  # noqa: PLR0911 - a line each
    """The text of an operator over others, and how tightly it binds."""
    texts = [text for text, _ in inner]
    if op == N.SET:
        return "{" + ", ".join(texts) + "}", _TIGHTEST
    if op == N.ARRAY:
        return "[" + ", ".join(texts) + "]", _TIGHTEST
    if op == N.NEXT:
        return f"next({texts[0]})", _TIGHTEST
    row = OPERATORS[op]
    if row.form == "function":
        return f"{row.sign}({', '.join(texts)})", _TIGHTEST
    if op in (N.INDEX, N.BITS):
        text, level = inner[0]
        array = text if level == _TIGHTEST else f"({text})"
        return f"{array}[{':'.join(texts[1:])}]", _TIGHTEST
    if op == N.DOT:
        return ".".join(texts), _TIGHTEST
    if op == N.CASE:
        pairs = zip(texts[::2], texts[1::2], strict=True)
        return f"case {' '.join(f'{left} : {right};' for left, right in pairs)} esac", _TIGHTEST
    if op == N.ITE:
        return " ".join(
            (f"({texts[0]})", "?", f"({texts[1]})", ":", f"({texts[2]})")
        ), _core.SmvNumbers.TERNARY
    if op in (N.NOT, N.MINUS):
        (text, level) = inner[0]
        bare = level >= row.level and not (
            op == N.MINUS and text[0] == "-"
        )  # `--` begins a comment
        return ("!" if op == N.NOT else "-") + (text if bare else f"({text})"), row.level
    level = row.level
    written = [text if tight > level else f"({text})" for text, tight in inner[1:]]
    text, tight = inner[0]
    first = text if tight > level or (tight == level and op != N.IMPLIES) else f"({text})"
    blank = "" if op == N.RANGE else " "
    return f"{blank}{sign or row.sign}{blank}".join((first, *written)), level
