"""Where exceptions go: types, handlers, and what functions may raise.

A type is a name: of a builtin exception, of a class of the program, or from outside. The type `ANY`
is unknown.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from pigro.scan.knowledge import EXCEPTION_ALIASES as _ALIASES
from pigro.scan.knowledge import NEVER_RAISE as _SAFE
from pigro.scan.knowledge import NEVER_RAISE_METHODS as _SAFE_METHODS
from pigro.sources.graph import AGAIN, CALL, NOWHERE, RAISE, RAISE_NODE, RETURN_NODE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.sources.graph import Function
    from pigro.sources.link import Callee, Program

Way = tuple[tuple["Function", int], ...]
"""Calls, each in the function that the one before calls, and the `raise` that they come to."""
ANY = "*"
_EXITS = {"sys.exit": "SystemExit", "exit": "SystemExit", "quit": "SystemExit"}
STOPS = frozenset({"os._exit", "os.abort", "os.execv", "os.execve", "os.execvp", "os.execvpe",
                   "os.execl", "os.execle", "os.execlp", "os.kill_self"})  # fmt: skip
"""Calls that never return and raise nothing."""
_DEEPEST = 40


class Raised(NamedTuple):
    """What a call may raise."""

    types: frozenset[str]
    """For certain: a `raise` leads out of the code that is called."""
    is_soft: bool
    """Whether code that is not known is called."""
    returns: bool = True


NOTHING = Raised(frozenset(), False)
SOFT = Raised(frozenset(), True)


@dataclass
class Exceptions:
    """The exceptions of a program."""

    program: Program
    _raised: dict[str, Raised] = field(default_factory=dict)
    _open: set[str] = field(default_factory=set)
    _endless: dict[str, bool] = field(default_factory=dict)
    _ways: dict[tuple[str, str], Way] = field(default_factory=dict)

    def type_of(self, function: Function, written: str | None) -> str:
        """The type that a name stands for."""
        if written is None or written == "?":
            return ANY
        thing = self.program.thing(function, written)
        if thing is None:
            return ANY
        name = _ALIASES.get(thing.name, thing.name)
        if thing.kind in {"class", "instance", "external", "object"}:
            return name
        return ANY

    def matches(self, raised: str, caught: str) -> bool | None:
        """Whether a handler catches a type. None if that is not known."""
        if caught == "BaseException":
            return True
        if raised == ANY:
            return True if caught == "Exception" else None
        if raised == caught:
            return True
        raised_line = self._line(raised)
        if caught in raised_line:
            return True
        if caught == ANY:
            return None
        complete = raised_line[-1] in {"Exception", "BaseException"}
        if caught == "Exception":
            return raised_line[-1] != "BaseException" or "Exception" in raised_line
        return False if complete else None

    def _line(self, name: str) -> list[str]:
        """A type and what it is derived from. Ends with Exception or BaseException if known."""
        found: list[str] = []
        for written in self.program.order(name):
            each = _ALIASES.get(written, written)
            builtin = getattr(builtins, each, None)
            if isinstance(builtin, type) and issubclass(builtin, BaseException):
                found += [part.__name__ for part in builtin.__mro__[:-1]]
            else:
                found.append(each)
        return found

    def landings(
        self, function: Function, pad: int, raised: str, *, foreign: bool = False
    ) -> list[int]:
        """The nodes that an exception gets to. `RAISE_NODE` for the caller.

        `foreign` is for code from outside, which raises no exceptions of the program.
        """
        found: list[int] = []
        while pad > 0:
            for types, node in function.pads[pad].clauses:
                if types is None:
                    return [*found, node]
                caught = [self.type_of(function, each) for each in types]
                if foreign:
                    caught = [each for each in caught if each not in self.program.classes]
                answers = [self.matches(raised, each) for each in caught]
                if True in answers:
                    return [*found, node]
                if None in answers:
                    found.append(node)
            pad = function.pads[pad].outer
        return [*found, RAISE_NODE]

    def of_call(self, function: Function, node: int, callee: Callee | None = None) -> Raised:
        """What the call at a node may raise."""
        callee = callee or self.program.callee(function, node)
        if callee.functions:
            rows = [self.of(each) for each in callee.functions]
            types = frozenset().union(*(row.types for row in rows))
            returns = any(row.returns for row in rows)
            return Raised(types, any(row.is_soft for row in rows), returns)
        name = callee.external
        if name is not None:
            if name in _EXITS:
                return Raised(frozenset({_EXITS[name]}), False, False)
            if name in STOPS:
                return Raised(frozenset(), False, False)
            if name in _SAFE or _is_exception(name):
                return NOTHING
        if callee.made is not None:
            return NOTHING
        op = function.ops[node]
        assert op is not None
        home, _, last = op[1].rpartition(".")
        is_constant = type(op[2]) is tuple and op[2][0] == "c"
        if last in _SAFE_METHODS or is_constant:
            return NOTHING
        if (home or op[2] is not None) and name is None and self._never_returns(last):
            return Raised(frozenset({ANY}), False, False)
        return SOFT

    def _never_returns(self, method: str) -> bool:
        """Whether all methods of this name in the program leave by an exception or end it."""
        known = self._endless.get(method)
        if known is None:
            known = self._endless[method] = self._all_leave(method)
        return known

    def _all_leave(self, method: str) -> bool:
        """Looks into classes one by one, because each may have to be read from a cache first."""
        found = False
        for each in self._owners.get(method, ()):
            full = self.program.classes[each].methods.get(method, "")
            made = self.program.functions.get(full)
            if made is not None and not self.program.is_stub(made):
                if not _leaves(made):
                    return False
                found = True
        return found

    @cached_property
    def _owners(self) -> dict[str, dict[str, None]]:
        """By the name of a method: the classes that have it, maybe."""
        found: dict[str, dict[str, None]] = {}
        for full in self.program.functions:
            home, _, last = full.rpartition(".")
            if home in self.program.classes:
                found.setdefault(last.partition(AGAIN)[0], {})[home] = None
        return found

    def of(self, function: Function) -> Raised:
        """What a function may raise."""
        known = self._raised.get(function.name)
        if known is not None:
            return known
        if function.name in self._open:
            return NOTHING
        if len(self._open) > _DEEPEST:
            return SOFT
        if is_no_return(function):
            found = Raised(frozenset({ANY}), False, False)
        elif function.is_generator or function.is_async:
            found = SOFT
        else:
            self._open.add(function.name)
            found = self._found(function)
            self._open.discard(function.name)
        self._raised[function.name] = found
        return found

    def _found(self, function: Function) -> Raised:
        """By a search of the graph from the entry."""
        types: set[str] = set()
        soft = False
        seen = {0}
        pending = [0]
        while pending:
            node = pending.pop()
            op = function.ops[node]
            after = [target for target, _ in function.edges[node]]
            if op is not None and op[0] in {CALL, RAISE}:
                if op[0] == RAISE:
                    raised = Raised(frozenset(self.raised_types(function, op)), False)
                else:
                    raised = self.of_call(function, node)
                if not raised.returns:
                    after = []
                pad = function.node_pads[node]
                for each in raised.types:
                    lands = self.landings(function, pad, each)
                    if RAISE_NODE in lands:
                        types.add(each)
                    after += lands
                if raised.is_soft:
                    lands = self.landings(function, pad, ANY)
                    soft = soft or RAISE_NODE in lands
                    after += lands
            for target in after:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        return Raised(frozenset(types), soft, RETURN_NODE in seen)

    def way(self, function: Function, node: int, raised: str) -> Way:
        """The shortest way from a call to what raises a type, without the call. It may be empty."""
        for each in self.program.callee(function, node).functions:
            if raised in self.of(each).types:
                key = (each.name, raised)
                if key not in self._ways:
                    self._ways[key] = self._find_way(each, raised)
                return self._ways[key]
        return ()

    def _find_way(self, function: Function, raised: str) -> Way:
        ways: dict[str, Way] = {function.name: ()}
        pending = [function]
        for at in pending:
            for node in self._raising(at, raised):
                op, way = at.ops[node], (*ways[at.name], (at, node))
                callee = self.program.callee(at, node) if op is not None and op[0] == CALL else None
                if callee is None or not callee.functions:
                    return way
                for each in callee.functions:
                    if each.name not in ways and raised in self.of(each).types:
                        ways[each.name] = way
                        pending.append(each)
        return ()

    def _raising(self, function: Function, raised: str) -> Iterator[int]:
        """The nodes of a function that raise a type out of it, or call what does."""
        for node, op in enumerate(function.ops):
            if op is None or op[0] not in {CALL, RAISE} or function.at_nodes[node] == NOWHERE:
                continue
            is_call = op[0] == CALL
            types = (
                self.of_call(function, node).types if is_call else self.raised_types(function, op)
            )
            pad = function.node_pads[node]
            if raised in types and RAISE_NODE in self.landings(function, pad, raised):
                yield node

    def raised_types(self, function: Function, op: tuple[object, ...]) -> list[str]:
        """The types of a `raise`."""
        written, types = op[1], op[2]
        if isinstance(written, str):
            return [self.type_of(function, written)]
        if not types:
            return [ANY]
        assert isinstance(types, tuple)
        return [self.type_of(function, each) for each in types]


def _leaves(function: Function) -> bool:
    """Whether a function has no way to its end, as far as it can be seen in it alone."""
    if is_no_return(function):
        return True
    if function.is_generator or function.is_async:
        return False
    seen, pending = {0}, [0]
    while pending:
        node = pending.pop()
        op = function.ops[node]
        if op is not None and op[0] == CALL and (op[1] in _EXITS or op[1] in STOPS):
            continue
        for target, _ in function.edges[node]:
            if target not in seen:
                seen.add(target)
                pending.append(target)
    return RETURN_NODE not in seen


def is_no_return(function: Function) -> bool:
    """Whether the annotation of a function says that it never returns."""
    return function.annotations.get("return", "").rpartition(".")[2] in {"NoReturn", "Never"}


def _is_exception(name: str) -> bool:
    builtin = getattr(builtins, name, None)
    return isinstance(builtin, type) and issubclass(builtin, BaseException)
