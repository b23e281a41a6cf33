"""A Python file to the graphs of its functions.

Each file is read alone, and nothing of it is executed. Files that can't be read raise `InputError`:
P150 for a syntax error, P151 for an unreadable encoding, P152 for nesting that is too deep.
"""

from __future__ import annotations

import ast
import sys
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import InputError
from pigro.diagnostics.errors import Position
from pigro.sources.graph import AGAIN, Class, Function, Module
from pigro.sources.operations import read
from pigro.sources.python.expressions import path
from pigro.sources.python.flow import place
from pigro.sources.python.statements import Statements, annotation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.sources.graph import At

_DEEPEST = 12_000
"""Frames of this interpreter while a file is read. Beyond them the file is refused."""


def read_module(data: bytes, file: str, name: str, *, is_package: bool) -> Module:
    """The graphs of a file with this content."""
    with _deep_stack(file):
        return _FileReader(name, file, is_package).module(_parsed(data, file))


def syntax_tree(data: bytes, file: str) -> ast.Module:
    """What is written in a file."""
    with _deep_stack(file):
        return _parsed(data, file)


@contextmanager
def _deep_stack(file: str) -> Iterator[None]:
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _DEEPEST))
    try:
        yield
    except (RecursionError, MemoryError):
        where = Position(source=file)
        raise InputError("P152", "the code is nested too deeply", position=where) from None
    finally:
        sys.setrecursionlimit(limit)


def _parsed(data: bytes, file: str) -> ast.Module:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(data, file)
    except SyntaxError as error:
        message = error.msg
        where = Position(source=file, line=error.lineno or None, column=error.offset or None)
        code = "P151" if "codec" in message or "encoding" in message else "P150"
        raise InputError(code, message, position=where) from None
    except ValueError as error:  # null bytes
        raise InputError("P150", str(error), position=Position(source=file)) from None


class _FileReader:
    """One file."""

    def __init__(self, name: str, file: str, is_package: bool) -> None:
        self.made = Module(name, file, is_package, 0, [], [])
        self.names: dict[str, int] = {}
        """How often each name was defined."""
        self.lowered: dict[int, tuple[str, set[str]]] = {}
        """Statements that were lowered, by identity: `finally` is lowered several times."""

    def module(self, tree: ast.Module) -> Module:
        """All functions of the file."""
        function = Function(self.made.name, "module", (1, 0, 1, 0))
        self._lower(function, tree.body)
        return self.made

    def _lower(self, function: Function, body: list[ast.stmt]) -> set[str]:
        """The graph of a function. Gives the names that it reads from outside."""
        self.made.functions.append(function)
        lowering = Statements(function, self._nested)
        lowering.whole(body)
        return _outside_names(function)

    def _nested(self, statement: Any, around: Statements) -> tuple[str, set[str]]:
        known = self.lowered.get(id(statement))
        if known is not None:
            return known
        function = around.function
        name = f"{function.name}.{statement.name}"
        self.names[name] = self.names.get(name, 0) + 1
        if self.names[name] > 1:  # defined again, such as for another platform
            name = f"{name}{AGAIN}{self.names[name]}"
        if type(statement) is ast.ClassDef:
            found = self._class(statement, name, function)
        else:
            found = self._function(statement, name, function)
        function.captured |= found
        self.lowered[id(statement)] = name, found
        return name, found

    def _class(self, statement: ast.ClassDef, name: str, outside: Function) -> set[str]:
        bases = [path(each) or "?" for each in statement.bases]
        made = Class(name, place(statement), bases, outside=outside.name)
        made.decorators = [_name(each) for each in statement.decorator_list]
        self.made.classes.append(made)
        body = Function(name, "class", place(statement), outside=outside.name)
        read = self._lower(body, statement.body)
        made.attributes = set(body.assigned)
        made.annotations = body.annotations
        for each, values in body.assigned.items():
            if len(values) == 1 and type(values[0]) is tuple and values[0][0] == "f":
                made.methods[each] = values[0][1]
        return read

    def _function(self, statement: Any, name: str, outside: Function) -> set[str]:
        made = Function(name, "function", _head(statement), outside=outside.name)
        if outside.kind == "class":
            made.owner = outside.name
        made.is_async = type(statement) is ast.AsyncFunctionDef
        made.decorators = [_name(each) for each in statement.decorator_list]
        _parameters(made, statement.args)
        if statement.returns is not None:
            text = annotation(statement.returns)
            if text is not None:
                made.annotations["return"] = text
        return self._lower(made, statement.body)


def _head(statement: Any) -> At:
    return statement.lineno, statement.col_offset, statement.end_lineno, statement.end_col_offset


def _name(decorator: Any) -> str:
    """A decorator by name. For a call, its callee."""
    return path(decorator.func if type(decorator) is ast.Call else decorator) or "?"


def _parameters(made: Function, given: ast.arguments) -> None:
    places = [*given.posonlyargs, *given.args]
    made.parameters = [each.arg for each in places]
    if given.vararg is not None:
        made.parameters.append(f"*{given.vararg.arg}")
    made.parameters += [each.arg for each in given.kwonlyargs]
    made.keyword_only = len(given.kwonlyargs) + (given.kwarg is not None)
    if given.kwarg is not None:
        made.parameters.append(f"**{given.kwarg.arg}")
    for each in (*places, *given.kwonlyargs):
        if each.annotation is not None:
            text = annotation(each.annotation)
            if text is not None:
                made.annotations[each.arg] = text


def _outside_names(function: Function) -> set[str]:
    """The names that a function reads and does not assign."""
    own = {each.lstrip("*") for each in function.parameters}
    if function.kind != "class":
        own |= function.assigned.keys() - function.shared
    own |= function.imports.keys()
    return _read(function) - own | (function.captured - own) | function.shared


def _read(function: Function) -> set[str]:
    paths: set[str] = set()
    for op in function.ops:
        if op is not None:
            paths.update(read(op))
    return {each.partition(".")[0] for each in paths}
