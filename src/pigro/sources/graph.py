"""The product of a front-end, and the seam to everything behind it: a graph for each function.

A front-end looks at one file and names things as they are written there. So graphs can be made in
parallel and kept in a cache. `pigro.sources.link` finds what the names mean, over all files.

A `Function` has nodes 0, 1, 2, ... Node 0 is its entry, node 1 its normal exit and node 2 the exit
for exceptions. A node does at most one operation (`ops`), a tuple that begins with one of the codes
below:

| operation | meaning |
|---|---|
| `None` | nothing: a join |
| `(CALL, name, receiver, arguments, keywords)` | a call. See below |
| `(SET, uses, pairs)` | reads `uses`, then assigns: pairs of a target and a value |
| `(TEST, uses)` | a condition. Its edges have guards |
| `(FOR, value, is_async)` | asks an iterator for its next element |
| `(ENTER, value, is_async)`, `(EXIT, value, is_async, thrown)` | the two ends of a `with` |
| `(RETURN, uses, value)` | leaves with a value. The edge leads to node 1 |
| `(RAISE, type, types)` | raises. `type` as written, or None for one of the caught `types` |
| `(CATCH, types, name)` | a handler begins |
| `(AWAIT, value)`, `(YIELD, value)`, `(DELEGATE, value)` | `await`, `yield`, `yield from` |
| `(DEFINE, name, read)` | a function or class statement. What it captures or evaluates is `read` |

A **value** is a text (a variable `x`, or a path `self.x`), a number (the result of the call or
`yield` at that node), None (some other value), or a tuple: `("c", constant)`, `("i", value, index)`
(an element of a value that is unpacked), `("t", values)` (a new container), `("or", values)` (one
of them, depending on the way here), `("or", values, True)` (the first true one, else the last, as
of `a or b`), `("l", names)` (a closure over these names), `("*", value)`,
`("f", name)` (a function or class of the program), `("d",)` (nothing any more, after `del`).

The **name** of a call is a path as written (`os.open`), `.m` for a method of something that is no
path (then `receiver` is its value), or empty.

An **edge** is a pair of a node and a guard. A guard is None, or `(test, outcome, names)`: the text
of a pure test, its outcome, and the paths that it depends on. The test `x` is the truth of `x`. The
test `x is None` is about None. `SUPPRESS` guards the edges that only a suppressing context manager
takes, `HANGUP` those that a generator takes when its caller gives it up.

A **pad** says where exceptions of a node go: clauses of (types or None, node) in order, and the pad
outside. Pad 0 is the caller. Clauses for None are `finally` and the end of a `with`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

CALL, SET, TEST, FOR, ENTER, EXIT, RETURN, RAISE, CATCH, AWAIT, YIELD, DELEGATE, DEFINE = range(13)
ENTRY_NODE, RETURN_NODE, RAISE_NODE = 0, 1, 2
SUPPRESS = ("suppress", True, ())
HANGUP = ("hang up", True, ())
THERE = "there is "
"""Before a path, as a test: whether a file has this name.

The answer can change, so the guard names no paths that it depends on.
"""

AGAIN = "@"
"""Before a number, in the name of a function that is defined again under the same name.

Definitions are counted, so that a change above them does not change their names.
"""

Value = Any
"""See above."""
Op = tuple[Any, ...] | None
Guard = tuple[str, bool, tuple[str, ...]] | None
Edge = tuple[int, Guard]
At = tuple[int, int, int, int]
"""Line, column, end line, end column as `ast` counts: lines from 1, columns in bytes from 0."""
NOWHERE: At = (0, 0, 0, 0)
LONG = "..."
"""In place of a constant that graphs do not keep: a long text, a wide number, `...` itself.

It is as true as the constant, and nothing else is known of it.
"""


@dataclass(slots=True)
class ExceptionPad:
    """Where exceptions go."""

    outer: int
    clauses: list[tuple[tuple[str, ...] | None, int]] = field(default_factory=list)


@dataclass(slots=True)
class Function:
    """A function, a class body or the statements of a module, as a graph."""

    name: str
    """Qualified: module, classes and functions around it, joined by dots."""
    kind: str
    """`function`, `class`, `module` or `lambda`."""
    at: At
    owner: str | None = None
    """The qualified name of the class of a method."""
    outside: str | None = None
    """The qualified name of the function or module around it."""
    is_async: bool = False
    is_generator: bool = False
    parameters: list[str] = field(default_factory=list)
    """Positional ones first. `*args` and `**more` are written with their stars."""
    keyword_only: int = 0
    """How many of the parameters, the last ones, can't be given by position."""
    decorators: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    """Of variables. `return` for the result."""
    imports: dict[str, str] = field(default_factory=dict)
    """Names that are imported here, and what they stand for."""
    shared: set[str] = field(default_factory=set)
    """Names declared `global` or `nonlocal`."""
    assigned: dict[str, list[Value]] = field(default_factory=dict)
    """The local names, with the values that are assigned to them."""
    captured: set[str] = field(default_factory=set)
    """Names of this function that functions in it read."""
    ops: list[Op] = field(default_factory=list)
    at_nodes: list[At] = field(default_factory=list)
    edges: list[list[Edge]] = field(default_factory=list)
    node_pads: list[int] = field(default_factory=list)
    pads: list[ExceptionPad] = field(default_factory=list)


@dataclass(slots=True)
class Class:
    """A class: what it is derived from, and the assignments in its body."""

    name: str
    at: At
    bases: list[str]
    methods: dict[str, str] = field(default_factory=dict)
    """Names of methods, and of their functions."""
    attributes: set[str] = field(default_factory=set)
    decorators: list[str] = field(default_factory=list)
    annotations: dict[str, str] = field(default_factory=dict)
    outside: str = ""


@dataclass(slots=True)
class Module:
    """All that a front-end found in one file."""

    name: str
    file: str
    is_package: bool
    lines: int
    functions: list[Function]
    """The module's own statements first."""
    classes: list[Class]

    @property
    def function_names(self) -> list[str]:
        """The names of all functions."""
        return [each.name for each in self.functions]

    @property
    def class_names(self) -> list[str]:
        """The names of all classes."""
        return [each.name for each in self.classes]
