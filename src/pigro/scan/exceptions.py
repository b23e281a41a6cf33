"""Where exceptions go: types, handlers, and what functions may raise.

A type is a name: of a builtin exception, of a class of the program, or from outside. The type `ANY`
is unknown.

`ProgramExceptions.believes` says how code from outside is seen. Without it, every unknown call may
raise anything. With it, the table of `pigro.rules.raising` decides:

| call | may raise |
|---|---|
| in the table, with types | these types, out of the function too |
| in the table, without types | nothing |
| unknown | anything, but into handlers of the same function only |
| of a function of the program | what calls in it raise by the table, at most `_LIKELY_DEPTH` deep |
| `for` or `with` of a generator of the program | the same, for the part of it that runs there |

A `raise` in a function that is called only gets to handlers of the caller: most are for wrong
arguments.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.rules.raising import ANY as _ANY
from pigro.rules.raising import RaisingEntry, RaisingTable, built_in_beliefs
from pigro.scan.generators import RUNS, generator_at, yields_of
from pigro.scan.knowledge import EXCEPTION_ALIASES as _ALIASES
from pigro.scan.knowledge import EXCEPTION_LINES, HARMLESS_ARGUMENTS, IN_MEMORY, LOGGING
from pigro.sources.graph import (
    AGAIN,
    CALL,
    CATCH,
    DELEGATE,
    ENTER,
    EXIT,
    FOR,
    NOWHERE,
    RAISE,
    RAISE_NODE,
    RETURN_NODE,
    SUPPRESS,
    YIELD,
)
from pigro.sources.operations import paths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from pigro.sources.graph import Function, Value
    from pigro.sources.link import Callee, LinkedProgram

Way = tuple[tuple["Function", int], ...]
"""Calls, each in the function that the one before calls, and the `raise` that they come to."""
ANY = _ANY
_EXITS = {"sys.exit": "SystemExit", "exit": "SystemExit", "quit": "SystemExit"}
STOPS = frozenset({"os._exit", "os.abort", "os.execv", "os.execve", "os.execvp", "os.execvpe",
                   "os.execl", "os.execle", "os.execlp", "os.kill_self"})  # fmt: skip
"""Calls that never return and raise nothing."""
_DEEPEST = 40
_LIKELY_DEPTH = 2
_SUPPRESSING = frozenset({"contextlib.suppress", "pytest.raises", "unittest.TestCase.assertRaises"})
_PARTS = {FOR: "all", DELEGATE: "all", ENTER: "before", EXIT: "after"}
"""The part of a generator that operations run: all of it, or before or after it yields."""
Body = tuple["Function", str]
"""A function, and the part of it. Empty for functions that are called."""
MEANT = frozenset({"AssertionError", "NotImplementedError"})
"""Types that no run is believed to leave a function with."""


_NO_TYPES: Mapping[str, int] = {}


class RaisedTypes(NamedTuple):
    """What a call may raise."""

    types: frozenset[str]
    """For certain: a `raise` leads out of the code that is called."""
    is_soft: bool
    """Whether code that is not known is called."""
    returns: bool = True
    likely: Mapping[str, int] = _NO_TYPES
    """Types that the table has, each with the number of calls down to the call that raises it."""
    inside: frozenset[str] = frozenset()
    """Types that only get to handlers of the function that calls."""


_OF_CONSTANT = RaisingEntry((), "a method of a constant")
_IN_MEMORY = RaisingEntry((), "the file is in memory")
_BY_ARGUMENT = RaisingEntry((), "it works with these arguments")
NOTHING = RaisedTypes(frozenset(), False)
SOFT = RaisedTypes(frozenset(), True)


@dataclass
class ProgramExceptions:
    """The exceptions of a program."""

    program: LinkedProgram
    beliefs: RaisingTable = field(default_factory=built_in_beliefs)
    believes: bool = False
    """Whether only calls that fail by the table raise out of a function."""
    endless: EndlessMethods | None = None
    """Depends on the program alone, so others can share it."""
    _raised: dict[tuple[str, str], RaisedTypes] = field(default_factory=dict)
    _open: set[tuple[str, str]] = field(default_factory=set)
    _passed: dict[tuple[str, str], set[int]] = field(default_factory=dict)
    """The nodes of parts of generators."""
    _suppressed: dict[tuple[str, int, str, bool], bool | None] = field(default_factory=dict)
    _landings: dict[tuple[str, int, str, bool, bool], list[int]] = field(default_factory=dict)
    _calls: dict[tuple[str, int], RaisedTypes] = field(default_factory=dict)
    """What calls raise, as far as it was asked outside of all questions about functions."""
    _ways: dict[tuple[str, str, str], Way] = field(default_factory=dict)

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
                found += (each, *EXCEPTION_LINES.get(each, ()))
        return found

    def landings(
        self,
        function: Function,
        pad: int,
        raised: str,
        *,
        foreign: bool = False,
        inside: bool = False,
    ) -> list[int]:
        """The nodes that an exception gets to. `RAISE_NODE` for the caller.

        `foreign` is for code from outside, which raises no exceptions of the program. `inside` is
        for exceptions that matter only if the function has a handler for them.
        """
        key = (function.name, pad, raised, foreign, inside)
        known = self._landings.get(key)
        if known is None:
            known = self._landings[key] = self._landed(
                function, pad, raised, foreign=foreign, inside=inside
            )
        return known

    def _landed(
        self, function: Function, pad: int, raised: str, *, foreign: bool, inside: bool
    ) -> list[int]:
        found: list[int] = []
        while pad > 0:
            for types, node in function.pads[pad].clauses:
                if types is None:
                    if inside and not self._is_expected(function, pad, raised, foreign=foreign):
                        return found
                    return [*found, node]
                caught = self._catches(function, types, raised, foreign=foreign)
                if caught:
                    return [*found, node]
                if caught is None:
                    found.append(node)
            pad = function.pads[pad].outer
        return found if inside else [*found, RAISE_NODE]

    def _is_expected(self, function: Function, pad: int, raised: str, *, foreign: bool) -> bool:
        """Whether a handler outside of a `finally` or `with` may catch a type."""
        return any(
            node != RAISE_NODE for node in self._handlers(function, pad, raised, foreign=foreign)
        )

    def leaves(self, function: Function, pad: int, raised: str) -> bool:
        """Whether a type can leave a function, through each `finally` and `with` on its way."""
        return RAISE_NODE in self._handlers(function, pad, raised, foreign=False)

    def _handlers(
        self, function: Function, pad: int, raised: str, *, foreign: bool
    ) -> Iterator[int]:
        """As `landings`, but passes `finally`, and `with` that does not suppress a type."""
        while pad > 0:
            for types, node in function.pads[pad].clauses:
                if types is None:
                    caught = self.suppressed(function, node, raised, foreign=foreign)
                else:
                    caught = self._catches(function, types, raised, foreign=foreign)
                if caught is not False:
                    yield node
                if caught:
                    return
            pad = function.pads[pad].outer
        yield RAISE_NODE

    def _catches(
        self, function: Function, types: Iterable[str], raised: str, *, foreign: bool
    ) -> bool | None:
        """Whether a handler for some types catches one. None if that is not known."""
        caught = [self.type_of(function, each) for each in types]
        if foreign:
            caught = [each for each in caught if each not in self.program.classes]
        answers = [self.matches(raised, each) for each in caught]
        return True if True in answers else None if None in answers else False

    def suppressed(
        self, function: Function, node: int, raised: str, *, foreign: bool = False
    ) -> bool | None:
        """Whether the end of a `with` suppresses a type. None if that is not known."""
        op = function.ops[node]
        if op is None or op[0] != EXIT or type(op[1]) is not int:
            return False
        key = (function.name, node, raised, foreign)
        if key not in self._suppressed:
            self._suppressed[key] = False  # for managers that use themselves
            self._suppressed[key] = self._suppresses(function, op, raised, foreign=foreign)
        return self._suppressed[key]

    def _suppresses(
        self, function: Function, op: tuple[Any, ...], raised: str, *, foreign: bool
    ) -> bool | None:
        manager = generator_at(self.program, function, op)
        if manager is not None:
            return self._swallows(manager, raised, foreign=foreign)
        call = function.ops[op[1]]
        if call is None or call[0] != CALL:
            return False
        if self.program.callee(function, op[1]).external not in _SUPPRESSING:
            return False
        types = [each for value in call[3] for each in paths(value) or ["?"]]
        return self._catches(function, types, raised, foreign=foreign)

    def _swallows(self, manager: Function, raised: str, *, foreign: bool) -> bool | None:
        """Whether a generator returns when a type is thrown into it where it yields."""
        pending = [
            land
            for node in yields_of(manager)
            for land in self.landings(manager, manager.node_pads[node], raised, foreign=foreign)
        ]
        seen = set(pending)
        raises = False
        while pending:
            node = pending.pop()
            op = manager.ops[node]
            raises = raises or node == RAISE_NODE or (op is not None and op[0] == RAISE)
            swallows = self.suppressed(manager, node, raised, foreign=foreign)
            for target, guard in manager.edges[node]:
                is_way = swallows is None or swallows is (guard == SUPPRESS)
                if is_way and target not in seen:
                    seen.add(target)
                    pending.append(target)
        returns = RETURN_NODE in seen
        return None if returns and raises else returns

    def of_call(self, function: Function, node: int, callee: Callee | None = None) -> RaisedTypes:
        """What the call at a node may raise."""
        if self._open:
            return self._of_call(function, node, callee)
        key = (function.name, node)
        known = self._calls.get(key)
        if known is None:
            known = self._calls[key] = self._of_call(function, node, callee)
        return known

    def _of_call(self, function: Function, node: int, callee: Callee | None) -> RaisedTypes:
        callee = callee or self.program.callee(function, node)
        if callee.functions:
            if self.believes and all(each.is_async for each in callee.functions):
                return NOTHING  # its body runs where it is awaited
            found = self.of_functions(callee.functions)
            op = function.ops[node]
            if found.likely and op is not None and op[1].rpartition(".")[2] in LOGGING:
                return found._replace(likely=_NO_TYPES)
            return found
        name = callee.external
        if name is not None:
            if name in _EXITS:
                return RaisedTypes(frozenset({_EXITS[name]}), False, False)
            if name in STOPS:
                return RaisedTypes(frozenset(), False, False)
            if _is_exception(name):
                return NOTHING
        if callee.made is not None and (name is None or not self.believes):
            return NOTHING
        op = function.ops[node]
        assert op is not None
        belief = self.belief(op, name)
        if belief is not None and not belief.types:
            return NOTHING
        home, _, last = op[1].rpartition(".")
        if (home or op[2] is not None) and name is None and self._is_endless(last):
            return RaisedTypes(frozenset({ANY}), False, False)
        if belief is None:
            return SOFT
        types = self._told_apart(function, node, belief.types) if self.believes else belief.types
        return RaisedTypes(frozenset(), not self.believes, likely=dict.fromkeys(types, 0))

    def _is_endless(self, method: str) -> bool:
        if self.endless is None:
            self.endless = EndlessMethods(self.program)
        return self.endless.has(method)

    def of_run(self, function: Function, op: tuple[Any, ...]) -> RaisedTypes | None:
        """What an operation raises that runs a generator of the program. None for others."""
        made = generator_at(self.program, function, op) if op[0] in RUNS else None
        if made is None or not self.believes:
            return None
        return NOTHING if op[0] == EXIT and op[3] else self.of_functions((made,), _PARTS[op[0]])

    def _of_step(self, function: Function, node: int, op: tuple[Any, ...]) -> RaisedTypes | None:
        """What an operation raises that calls something or runs a generator."""
        return self.of_call(function, node) if op[0] == CALL else self.of_run(function, op)

    def of_await(self, function: Function, value: Value) -> RaisedTypes:
        """What `await` of a value may raise."""
        if not self.believes or type(value) is not int:
            return SOFT
        op = function.ops[value]
        if op is None or op[0] != CALL:
            return SOFT
        callee = self.program.callee(function, value)
        if callee.functions:
            is_async = all(each.is_async for each in callee.functions)
            return self.of_functions(callee.functions) if is_async else SOFT
        return SOFT if self.belief(op, callee.external) is None else NOTHING

    def belief(self, op: tuple[Any, ...], name: str | None) -> RaisingEntry | None:
        """What is believed about a call of code from outside. `name` is its qualified name."""
        _, dot, last = op[1].rpartition(".")
        if type(op[2]) is tuple and op[2][0] == "c":
            return _OF_CONSTANT
        if name is not None and name.rpartition(".")[0] in IN_MEMORY:
            return _IN_MEMORY
        found = self.beliefs.of(name, last if dot or name is None else "")
        if found is not None and found.types and self.believes and _is_harmless(last, op):
            return _BY_ARGUMENT
        return found

    def _told_apart(self, function: Function, node: int, types: tuple[str, ...]) -> list[str]:
        """The first type, and those of the others that get elsewhere."""
        pad = function.node_pads[node]
        if not pad:
            return [types[0]]
        lands = self.landings(function, pad, types[0])
        others = (each for each in types[1:] if self.landings(function, pad, each) != lands)
        return [types[0], *others]

    def of_functions(self, functions: Iterable[Function], part: str = "") -> RaisedTypes:
        """What a call of one of some functions of the program may raise, or a part of them."""
        rows = [self.of(each, part) for each in functions]
        types = frozenset().union(*(row.types for row in rows))
        returns = any(row.returns for row in rows)
        soft = any(row.is_soft for row in rows)
        if not self.believes:
            return RaisedTypes(types, soft, returns)
        likely = {
            each: depth + 1
            for row in rows
            for each, depth in row.likely.items()
            if depth < _LIKELY_DEPTH
        }
        ends = types & {"SystemExit"}
        return RaisedTypes(ends, soft, returns, likely, types - ends)

    def of(self, function: Function, part: str = "") -> RaisedTypes:
        """What a function may raise when it is called, or what a part of a generator may raise."""
        key = (function.name, part)
        known = self._raised.get(key)
        if known is not None:
            return known
        if key in self._open:
            return NOTHING
        if len(self._open) > _DEEPEST:
            return SOFT
        if is_no_return(function):
            found = RaisedTypes(frozenset({ANY}), False, False)
        elif (function.is_generator and not part) or (function.is_async and not self.believes):
            found = SOFT
        else:
            self._open.add(key)
            found = self._found(function, part)
            self._open.discard(key)
        self._raised[key] = found
        return found

    def _found(self, function: Function, part: str) -> RaisedTypes:
        """By a search of the graph from the entry, or from where a generator yields."""
        types: set[str] = set()
        likely: dict[str, int] = {}
        caught: dict[tuple[str, ...], dict[str, int]] = {}
        again: list[int] = []
        soft = False
        pending = _starts(function, part)
        seen = set(pending)
        returns = False
        while pending:
            node = pending.pop()
            op = function.ops[node]
            after = [target for target, _ in function.edges[node]]
            if part and op is not None and op[0] in {YIELD, DELEGATE}:
                returns = True
                if part == "before":
                    continue
            raised = None if op is None or op[0] == RAISE else self._of_step(function, node, op)
            if op is not None and (op[0] == RAISE or raised is not None):
                if raised is None:
                    raised = RaisedTypes(frozenset(self.raised_types(function, op)), False)
                    if self.believes and op[1] is None:
                        again.append(node)
                        if function.at_nodes[node] == NOWHERE:
                            continue  # `leaves` has passed this `finally` or `with`
                if not raised.returns:
                    after = []
                pad = function.node_pads[node]
                for each in (*raised.types, *raised.inside):
                    lands = self.landings(function, pad, each)
                    if self.leaves(function, pad, each) if self.believes else RAISE_NODE in lands:
                        types.add(each)
                    after += lands
                if self.believes:
                    for each, depth in raised.likely.items():
                        after += self._note_likely(function, pad, each, depth, likely, caught)
                if raised.is_soft:
                    lands = self.landings(function, pad, ANY, inside=self.believes)
                    soft = soft or self.leaves(function, pad, ANY)
                    after += lands
            for target in after:
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
        for node in again:
            op = function.ops[node]
            assert op is not None
            for each, depth in caught.get(op[2], {}).items():
                if self.leaves(function, function.node_pads[node], each):
                    likely.setdefault(each, depth)
        if part:
            self._passed[function.name, part] = seen
        return RaisedTypes(frozenset(types), soft, returns or RETURN_NODE in seen, likely)

    def _note_likely(
        self,
        function: Function,
        pad: int,
        raised: str,
        depth: int,
        likely: dict[str, int],
        caught: dict[tuple[str, ...], dict[str, int]],
    ) -> list[int]:
        """Notes a type of the table that leaves a function, or is caught and maybe raised again."""
        if self.leaves(function, pad, raised):
            likely[raised] = min(depth, likely.get(raised, depth))
        lands = self.landings(function, pad, raised)
        for node in lands:
            op = function.ops[node]
            if op is not None and op[0] == CATCH:
                caught.setdefault(op[1], {})[raised] = depth
        return lands

    def told(self, function: Function, node: int, raised: str, *, likely: bool) -> tuple[Way, str]:
        """The way from a node to what raises a type. And why, if the table has it."""
        way = self.way(function, node, raised)
        return way, self._why(function, node, raised, way) if likely else ""

    def _why(self, function: Function, node: int, raised: str, way: Way) -> str:
        """When the call at the end of a way, or at a node, raises a type of the table."""
        at, last = way[-1] if way else (function, node)
        op = at.ops[last]
        if op is None or op[0] != CALL:
            return ""
        belief = self.belief(op, self.program.callee(at, last).external)
        said = "if it raises" if raised == ANY else f"if it raises {raised}"
        return f"{said}: {belief.why}" if belief is not None and belief.why else said

    def way(self, function: Function, node: int, raised: str) -> Way:
        """The shortest way from a call to what raises a type, without the call. It may be empty."""
        for body in self._bodies(function, node):
            if self._can_raise(body, raised):
                key = (body[0].name, body[1], raised)
                if key not in self._ways:
                    self._ways[key] = self._find_way(body, raised)
                return self._ways[key]
        return ()

    def _bodies(self, function: Function, node: int) -> list[Body]:
        """What runs at a node: functions that it calls, or a part of a generator."""
        op = function.ops[node]
        if op is None:
            return []
        if op[0] == CALL:
            return [(each, "") for each in self.program.callee(function, node).functions]
        made = generator_at(self.program, function, op)
        return [] if made is None else [(made, _PARTS[op[0]])]

    def _find_way(self, body: Body, raised: str) -> Way:
        ways: dict[tuple[str, str], Way] = {(body[0].name, body[1]): ()}
        pending = [body]
        for at, part in pending:
            for node in self._raising(at, part, raised):
                way = (*ways[at.name, part], (at, node))
                inner = self._bodies(at, node)
                if not inner:
                    return way
                for each in inner:
                    key = (each[0].name, each[1])
                    if key not in ways and self._can_raise(each, raised):
                        ways[key] = way
                        pending.append(each)
        return ()

    def _can_raise(self, body: Body, raised: str) -> bool:
        found = self.of(*body)
        return raised in found.types or raised in found.likely

    def _raising(self, function: Function, part: str, raised: str) -> Iterator[int]:
        """The nodes of a function that raise a type out of it, or call what does."""
        passed = self._passed.get((function.name, part))
        for node, op in enumerate(function.ops):
            if op is None or function.at_nodes[node] == NOWHERE:
                continue
            if passed is not None and node not in passed:
                continue
            if op[0] == RAISE:
                types = {*self.raised_types(function, op)}
            else:
                found = self._of_step(function, node, op)
                if found is None:
                    continue
                types = {*found.types, *found.inside, *(found.likely if self.believes else ())}
            if raised in types and self.leaves(function, function.node_pads[node], raised):
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


class EndlessMethods:
    """Names of methods that never return, in whatever class of the program."""

    def __init__(self, program: LinkedProgram) -> None:
        self.program = program
        self._known: dict[str, bool] = {}

    def has(self, method: str) -> bool:
        """Whether all methods of this name in the program leave by an exception or end it."""
        known = self._known.get(method)
        if known is None:
            known = self._known[method] = self._all_leave(method)
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


def _is_harmless(method: str, op: tuple[Any, ...]) -> bool:
    """Whether the arguments of a call make it work."""
    given = (*op[3], *(value for _, value in op[4]))
    if method == "bind":
        first = given[0] if given else None
        if type(first) is not tuple or first[0] != "t" or len(first[1]) < 2:
            return False
        return bool(first[1][1] == ("c", 0))
    known = HARMLESS_ARGUMENTS.get(method, ())
    return any(type(each) is tuple and each[0] == "c" and each[1] in known for each in given)


def _starts(function: Function, part: str) -> list[int]:
    """The nodes where a part of a function begins."""
    if part != "after":
        return [0]
    return [target for node in yields_of(function) for target, _ in function.edges[node]]


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
