"""What template must-release follows: the names and results that hold an object."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pigro.rules.patterns import EventPatterns
from pigro.scan.chains import first_of
from pigro.scan.exploring import Effect
from pigro.scan.knowledge import (
    FILE_METHODS,
    INNER,
    KEEPING_METHODS,
    LOOK_ONLY,
    MOVING,
    NOT_HELD,
    PATHS,
    RELEASING,
    TIME_LIMITS,
    TIME_OVER,
)
from pigro.sources.graph import (
    AWAIT,
    CALL,
    CATCH,
    DEFINE,
    DELEGATE,
    ENTER,
    FOR,
    RETURN,
    SET,
    THERE,
    YIELD,
)
from pigro.sources.operations import read

if TYPE_CHECKING:
    from collections.abc import Collection

    from pigro.rules.rule import Rule
    from pigro.scan.chains import FunctionChains
    from pigro.sources.graph import Function, Value
    from pigro.sources.link import Callee, LinkedProgram

Holders = frozenset[Any]
Turns = dict[str, dict[str, list[int]]]
"""By function and name: the numbers in chains where something happens to what the name holds."""
NONE: Holders = frozenset()
_DEL = ("d",)
_TYPES = re.compile(r"isinstance\('[^']*', (?:\('t', \()?('[^()]*'),?\)*")
"""A test for types, all of them names."""
_PART = -1
"""Stands for the element of the result of the site, before it has a name."""
_MADE = "/"
"""Before a name or the number of a call: a path that was made from the object, which is a path."""


class ObjectTracker:
    """Follows one object: from its site, or from parameters of a callee."""

    throws = False
    before = frozenset({None})

    def __init__(
        self, program: LinkedProgram, rule: Rule, patterns: dict[str, EventPatterns], turns: Turns
    ) -> None:
        self.program, self.turns = program, turns
        self.release = patterns["release"]
        self.borrow = patterns["borrow"]
        self.late = EventPatterns.of(rule.patterns("release_late")).limited
        """Methods that release if they return, and not if they raise because time is over.

        If there are some, the object counts as acquired where one of them raises.
        """
        self.paths = bool(rule.settings.get("paths", False))
        """Whether the object is a path. Who keeps a path that is made from it keeps the object."""
        self.words = RELEASING | MOVING if self.paths else RELEASING
        self.on = frozenset(rule.on)
        self.home: Function | None = None
        """The function of the site,"""
        self.site = -1
        """its node,"""
        self.element = ""
        """and which element of the result is followed. Empty for all of it."""
        self.start = -1
        """The node after which there is an object: that of the site, or the `await` of it."""
        self._inner: dict[str, list[tuple[str, Collection[str]]]] = {}
        """By function: the functions inside of it, and what they capture."""
        self.is_returned = False
        """Whether the object may be returned from there, at a node labelled `out`.

        The followed value before the site is None.
        """

    def effect(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        """See `Tracker`."""
        if followed is None:
            if node == self.start:
                start = _PART if self.element else self.site
                return Effect(frozenset({start}), () if self.late else ("acq",), late=True)
            return Effect(None)
        code = op[0]
        if code == CALL:
            return self._call(function, node, op, followed)
        if code == SET:
            return self._set(function, op, followed)
        if code == ENTER:
            if self._holds(op[1], followed):
                return Effect(followed, ("rel",), stop=True)
        elif code == RETURN:
            if self._holds(op[2], followed):
                self.is_returned = self.is_returned or function is self.home
                return Effect(followed, ("esc", "out"), stop=True, leave="object")
            if self._somewhere(op[2], followed) or self._is_made(("t", (*op[1], op[2])), followed):
                return Effect(followed, ("esc",), stop=True)
        elif code == FOR:
            if self._somewhere(op[1], followed) and not self._holds(op[1], followed):
                return Effect(followed, ("esc",), stop=True)
        elif code in {YIELD, DELEGATE}:
            if self._somewhere(op[1], followed) or self._is_made(op[1], followed):
                return Effect(followed, ("esc",), stop=True)
        elif code == DEFINE:
            if followed.intersection(op[2]):
                return Effect(followed, ("esc",), stop=True)
        elif code == CATCH:
            if op[2] in followed:
                return self._left(function, followed - {op[2]})
        elif code == AWAIT:
            return Effect(followed)
        return Effect(followed)

    def next_turn(self, chains: FunctionChains, followed: Any, first: int, end: int) -> int:
        """See `Tracker`. A result that has no name yet is followed node by node."""
        if followed is None:
            site = chains.number[self.start] if chains.function is self.home else -1
            return site if first <= site < end else end
        if any(type(each) is not str or _is_path(each) for each in followed):
            return first
        turns = self.turns.get(chains.function.name)
        if turns is None:
            turns = self.turns[chains.function.name] = self._turns(chains)
        return first_of((turns.get(each, ()) for each in followed), first, end)

    def _turns(self, chains: FunctionChains) -> dict[str, list[int]]:
        """Where each name matters: where `effect` on it alone is not that nothing happens."""
        found: dict[str, list[int]] = {}
        captured = frozenset(chains.function.captured)
        for number, node in enumerate(chains.nodes):
            op = chains.function.ops[node]
            if op is None:
                continue
            for name in _names(op) | (captured if op[0] == CALL else NONE):
                only = frozenset({name})
                if self.effect(chains.function, node, op, only) != Effect(only):
                    found.setdefault(name, []).append(number)
        return found

    def _left(self, function: Function, followed: Holders) -> Effect:
        """The names that still hold the object. One that a callee loses is still its caller's."""
        if followed or function is not self.home:
            return Effect(followed)
        return Effect(followed, ("lost",), stop=True)

    def _set(self, function: Function, op: tuple[Any, ...], followed: Holders) -> Effect:
        after = set(followed)
        for target, value in op[2]:
            if self._holds(value, followed):
                if "." in target or "[" in target or target in function.shared:
                    return Effect(followed, ("esc",), stop=True)
                after.add(target)
            elif self._somewhere(value, followed) or self._method(value, followed):
                return Effect(followed, ("esc",), stop=True)
            else:
                if value == _DEL and after == {target}:
                    return Effect(followed, ("esc",), stop=True)
                after -= {target, _MADE + target}
                if self._is_made(("t", (*op[1], value)), followed):
                    if "." in target or "[" in target or target in function.shared:
                        return Effect(followed, ("esc",), stop=True)
                    after.add(_MADE + target)
        made = {each for each in after if _is_path(each)}
        after = {each for each in after - made if type(each) is str} or (
            after & {_PART} if not op[2] else set()
        )
        if made and not after and function is self.home:
            return Effect(followed, ("esc",), stop=True)
        after |= {each for each in made if not each[1:].isdecimal()}
        return self._left(function, frozenset(after))

    def _call(
        self, function: Function, node: int, op: tuple[Any, ...], followed: Holders
    ) -> Effect:
        _, name, receiver, arguments, keywords = op
        home, _, last = name.rpartition(".")
        if home in followed or (receiver is not None and receiver in followed):
            if last in self.late:
                return self._released_late(function, node, op, followed)
            if self._releases(last):
                return Effect(followed, ("rel",), stop=True)
            if self.paths and "." + last in PATHS:
                return Effect(followed | {f"{_MADE}{node}" if "." + last in INNER else node})
            if not self.paths and (type(receiver) is int or last in KEEPING_METHODS):
                return Effect(followed, ("esc",), stop=True)
        if self._is_captured(function, op, followed):
            return Effect(followed, ("esc",), stop=True)
        given = [
            at
            for at, each in enumerate((*arguments, *(value for _, value in keywords)))
            if self._somewhere(each, followed) or self._method(each, followed)
        ]
        if not given:
            return self._made_again(function, node, op, followed)
        return self._given(function, node, op, followed, given)

    def _is_captured(self, function: Function, op: tuple[Any, ...], followed: Holders) -> bool:
        """Whether a call runs, or gets, a function inside of this one that captures the object."""
        if function.captured.isdisjoint(followed):
            return False
        inner = self._inner.get(function.name)
        if inner is None:
            inner = self._inner[function.name] = [
                (each[1], each[2])
                for each in function.ops
                if each is not None and each[0] == DEFINE
            ]
        names = {op[1], *op[3], *(value for _, value in op[4])}
        return any(name in names and not followed.isdisjoint(read) for name, read in inner)

    def _made_again(
        self, function: Function, node: int, op: tuple[Any, ...], followed: Holders
    ) -> Effect:
        """A call that may get a path that was made from the object. The result may keep it."""
        if not self._is_made(("t", (*op[3], *(value for _, value in op[4]))), followed):
            return Effect(followed)
        callee = self.program.callee(function, node)
        external = callee.external
        if callee.functions or (external is not None and self._looks(external)):
            return Effect(followed)
        if external is None and callee.made is None:
            return Effect(followed, ("esc",), stop=True)
        return Effect(followed | {f"{_MADE}{node}"})

    def _looks(self, external: str) -> bool:
        """Whether a function keeps none of its arguments, and gives none back."""
        if self.paths and external in PATHS:
            return False
        return external in LOOK_ONLY or self.borrow.has(external)

    def _released_late(
        self, function: Function, node: int, op: tuple[Any, ...], followed: Holders
    ) -> Effect:
        """A method that waits, by itself or in a call that limits the time."""
        limiting = next((at for at, each in enumerate(function.ops) if _limits(each, node)), None)
        if limiting is not None:
            external = self.program.callee(function, limiting).external
            raised = TIME_LIMITS.get(external or "", "")
        else:
            names = self.late[op[1].rpartition(".")[2]]
            raised = TIME_OVER if _is_limited(op, names) else ""
        return Effect(followed, ("rel",), stop=True, raised=raised)

    def _releases(self, method: str) -> bool:
        """Whether a method releases the object: `close`, and `close_all` too."""
        methods = self.release.methods
        return method in methods or method.partition("_")[0] in methods

    def _is_released_by_name(self, op: tuple[Any, ...], followed: Holders) -> bool:
        """Whether the name of a call says that it releases its first argument: `_safe_close(s)`."""
        words = op[1].rpartition(".")[2].lower().split("_")
        return bool(op[3]) and not self.words.isdisjoint(words) and self._holds(op[3][0], followed)

    def _given(
        self,
        function: Function,
        node: int,
        op: tuple[Any, ...],
        followed: Holders,
        given: list[int],
    ) -> Effect:
        """The object is an argument."""
        callee = self.program.callee(function, node)
        arguments, keywords = op[3], op[4]
        if self._is_released_by_name(op, followed):
            return Effect(followed, ("rel",), stop=True)
        external = callee.external
        if external is not None and not callee.functions:
            if external in self.release.given:
                return Effect(followed, ("rel",), stop=True)
            values = (*arguments, *(value for _, value in keywords))
            bound = any(self._method(values[at], followed) for at in given)
            if self.paths and external in PATHS:
                is_same = len(values) == 1 and external not in INNER
                return Effect(followed | {node if is_same else f"{_MADE}{node}"})
            if self._looks(external) and not bound:
                return Effect(followed)
            return Effect(followed, ("esc",), stop=True)
        if len(callee.functions) != 1 or callee.functions[0].is_generator:
            return Effect(followed, ("esc",), stop=True)
        target = callee.functions[0]
        names = parameters(target, callee, op, given)
        values = (*arguments, *(value for _, value in keywords))
        if names is None or any(not self._holds(values[at], followed) for at in given):
            return Effect(followed, ("esc",), stop=True)
        if target.captured.intersection(names):
            return Effect(followed, ("esc",), stop=True)
        if target.is_async:
            return Effect(followed, ("esc",), stop=True)
        return Effect(followed, call=(target, frozenset(names)))

    def back(self, function: Function, node: int, followed: Holders, exit_: str) -> Holders:
        """The result of a call may be the object itself."""
        return followed | {node} if exit_ == "object" else followed

    def leaves(self, followed: Any, exit_: str) -> tuple[str, ...]:
        """An object that is still held at an exit of its function."""
        if not followed:
            return ()
        kind = exit_.partition(":")[0]
        return ("end",) if kind in self.on else ()

    def excluded(self, followed: Any, guard: Any) -> bool:
        """An object is true, not None, no negative number and no text, and has its methods.

        Descriptors 0, 1 and 2 stay open on purpose: the standard streams.

        An object that is in some container has another owner: the run is not followed any further.
        """
        if not followed:
            return False
        test: str
        outcome: bool
        test, outcome, about = guard
        if test.startswith(THERE):
            return not outcome and test[len(THERE) :] in followed
        if len(about) == 2 and test == f"{about[0]} is {about[1]}":
            return outcome and len(followed.intersection(about)) == 1  # a new object is no other
        if not about:
            return False
        if about[0] not in followed:
            is_sibling = len(about) == 1 and about[0] in self.siblings
            return is_sibling and outcome and _is_missing(about[0], test)
        name = about[0]
        if test == name:
            return not outcome
        if self._is_denied(name, test, outcome):
            return True
        if len(about) == 1:
            return (outcome and _is_missing(name, test)) or _is_standard(name, test, outcome)
        if not outcome and test == f"isinstance('{name}', '{about[1]}')":
            return self._is_of_class(about[1])
        return outcome and test == f"{name} in {about[1]}"

    @cached_property
    def siblings(self) -> frozenset[str]:
        """Variables that get the other elements of the result, and otherwise constants."""
        if not self.element or self.home is None:
            return frozenset()
        return frozenset(
            name
            for name, values in self.home.assigned.items()
            if any(_is_element(each, self.site) for each in values)
            and all(_is_element(each, self.site) or _is_constant(each) for each in values)
        )

    def _is_of_class(self, written: str) -> bool:
        """Whether a name is that of the class whose constructor the site calls."""
        if self.home is None:
            return False
        thing = self.program.thing(self.home, written)
        made = self.program.callee(self.home, self.site).external
        return thing is not None and made is not None and thing.name == made

    def _is_denied(self, name: str, test: str, outcome: bool) -> bool:
        """Whether a test says that the object is a text or a container, or lacks a method."""
        if outcome:
            types = _TYPES.fullmatch(test)
            return types is not None and NOT_HELD.issuperset(types[1].replace("'", "").split(", "))
        methods = self.release.methods
        return bool(methods) and any(
            test == f"hasattr{(name, ('c', each))}" for each in (*methods, *FILE_METHODS)
        )

    def _holds(self, value: Value, followed: Holders) -> bool:
        """Whether a value is the object."""
        kind = type(value)
        if kind is str or kind is int:
            return value in followed
        if kind is not tuple:
            return False
        if value[0] == "or":
            return any(self._holds(each, followed) for each in value[1])
        if value[0] == "i" and value[1] == self.site and _PART in followed:
            return self.element == str(value[2])
        return False

    def _somewhere(self, value: Value, followed: Holders) -> bool:
        """Whether the object is in a value."""
        if self._holds(value, followed):
            return True
        if type(value) is not tuple:
            return type(value) is int and value == self.site and _PART in followed
        if value[0] == "l":
            return bool(followed.intersection(value[1]))
        if value[0] in {"t", "or"}:
            return any(self._somewhere(each, followed) for each in value[1])
        return value[0] == "*" and self._somewhere(value[1], followed)

    def _is_made(self, value: Value, followed: Holders) -> bool:
        """Whether a path that was made from the object is in a value, or in what it is made of."""
        if not self.paths:
            return False
        if type(value) is int:
            return f"{_MADE}{value}" in followed
        if type(value) is str:
            base = value.partition(".")[0]
            return _MADE + value in followed or base in followed or _MADE + base in followed
        if type(value) is not tuple:
            return False
        if value[0] in {"t", "or"}:
            return any(self._is_made(each, followed) for each in value[1])
        return value[0] in {"i", "*"} and self._is_made(value[1], followed)

    def _method(self, value: Value, followed: Holders) -> bool:
        """Whether a value is a method of the object, which keeps it."""
        if type(value) is tuple and value[0] in {"t", "or"}:
            return any(self._method(each, followed) for each in value[1])
        if type(value) is not str:
            return False
        home, _, last = value.rpartition(".")
        return home in followed and last in self.release.methods


def _names(op: tuple[Any, ...]) -> set[str]:
    """The variables that an operation reads or sets."""
    found = read(op)
    if op[0] == SET:
        found += [target for target, _ in op[2]]
    elif op[0] == CATCH and op[2]:
        found.append(op[2])
    return {each.partition(".")[0].partition("[")[0] for each in found}


def _is_path(held: Any) -> bool:
    """Whether what is followed is a path that was made from the object."""
    return type(held) is str and held[0] == _MADE


def _limits(op: tuple[Any, ...] | None, waiting: int) -> bool:
    """Whether an operation is a call that gets the result of another one first."""
    return op is not None and op[0] == CALL and op[3][:1] == (waiting,)


def _is_limited(op: tuple[Any, ...], names: tuple[str, ...]) -> bool:
    """Whether a call has a time limit, which is the last of the parameters."""
    given = [value for name, value in op[4] if name == names[-1]]
    given += op[3][len(names) - 1 : len(names)]
    return any(each != ("c", None) for each in given)


def _is_element(value: Value, site: int) -> bool:
    return type(value) is tuple and value[0] == "i" and value[1] == site


def _is_constant(value: Value) -> bool:
    return type(value) is tuple and value[0] == "c"


def _is_missing(name: str, test: str) -> bool:
    """Whether a test asks if there is no object."""
    return test in {f"{name} is None", f"{name}<0", f"{name}==-1"}


def _is_standard(name: str, test: str, outcome: bool) -> bool:
    """Whether the outcome of a test says that a descriptor is a standard stream."""
    if outcome:
        return test in {f"{name}==0", f"{name}==1", f"{name}==2", f"{name}<3"} or (
            test == f"{name} in range(3)"
        )
    return test == f"{name}>2"


def parameters(
    target: Function, callee: Callee, op: tuple[Any, ...], given: list[int]
) -> list[str] | None:
    """The parameters that get these arguments. None if that can't be told."""
    places = target.parameters[1:] if callee.bound else target.parameters
    arguments, keywords = op[3], op[4]
    found = []
    if any(type(each) is tuple and each[0] == "*" for each in arguments):
        return None
    for at in given:
        if at < len(arguments):
            limit = len(places) - target.keyword_only
            if at >= limit or places[at].startswith("*"):
                return None
            found.append(places[at])
        else:
            name = keywords[at - len(arguments)][0]
            if name is None or name not in places:
                return None
            found.append(name)
    return found
