"""Template undo-over-yield: what a context manager cleans up behind its `yield`.

A site is a `yield` of a context manager that stands in no `try`. When the body of the `with`
raises, nothing behind such a `yield` runs. These operations behind it clean up:

| operation | example |
|---|---|
| a call with a word of `cleaning` in its name | `os.remove(path)`, `self._pop_state()` |
| an assignment to an attribute, element or global that is assigned before | `self.x = old` |
| a method of `undo` on an object whose method of `do` is called before | `gc.enable()` |
| a function of `do` that is called before, too | `os.chdir(old)` |

Assignments in a method of the same object count as those of the manager. Attributes of an object
that the manager itself makes don't count: they are its results.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pigro.rules.templates import TEMPLATES
from pigro.scan.exploring import EachNode, Effect, RuleContext
from pigro.scan.generators import is_manager
from pigro.scan.machine import ScanMachine
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.scan.templates.undo import paired_methods, reached
from pigro.sources.graph import CALL, EXIT, HANGUP, SET, SUPPRESS, YIELD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function
    from pigro.sources.link import LinkedProgram

_NOTES = {"thrown": "if the body of the `with` raises"}
_WORDS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
_DELETED = ("d",)


class ManagerTracker(EachNode):
    """Follows whether a manager was left at its `yield`."""

    throws = True

    def __init__(self, start: int, undone: frozenset[int]) -> None:
        self.start, self.undone = start, undone

    def effect(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        """See `Tracker`."""
        if node == self.start:
            return Effect("left", ("do",))
        if followed is not None and node in self.undone:
            return Effect(followed, ("undo",), stop=True)
        return Effect(followed)

    def leaves(self, followed: Any, exit_: str) -> tuple[str, ...]:
        """An exception leaves the manager."""
        return ("end",) if followed is not None and exit_.startswith("raise") else ()


def undo_over_yield(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    world = RuleContext(scan.program, scan.exceptions, ScanMachine(), scan.budget)
    sites = []
    for function, (node,) in scan.places(rule, _bare_yields):
        undone = _CleaningOps(scan.program, rule, function, node).found
        if undone:
            key = (function.name, node)
            world.add(key, function, ManagerTracker(node, frozenset(undone)), None, probe=True)
            first = min(undone, key=lambda each: function.at_nodes[each])
            shown, undo = undone[first]
            sites.append(Site(key, function, node, rule.said(name=shown, call=shown, undo=undo)))
    template = TEMPLATES[rule.template]
    question = RuleQuestion(template.formula, None, _NOTES, grades=("thrown", "thrown"))
    return ask(scan, rule, world.machine, sites, question)


def _bare_yields(_: LinkedProgram, __: Rule, function: Function) -> Iterator[tuple[int]]:
    """The `yield` of a context manager, if it stands in no `try`."""
    if is_manager(function):
        for node, op in enumerate(function.ops):
            if op is not None and op[0] == YIELD and not _is_tried(function, node):
                yield (node,)


def _is_tried(function: Function, node: int) -> bool:
    """Whether a node stands in a `try`. A clause of a `with` leads to the end of the `with`."""
    pad = function.node_pads[node]
    while pad > 0:
        for _, target in function.pads[pad].clauses:
            op = function.ops[target]
            if op is None or op[0] != EXIT:
                return True
        pad = function.pads[pad].outer
    return False


class _CleaningOps:
    """The operations behind a `yield` that clean up: by node, what they change, and how."""

    def __init__(self, program: LinkedProgram, rule: Rule, function: Function, start: int) -> None:
        self.program, self.rule, self.function = program, rule, function
        after = reached([start], [_ways(each) for each in function.edges])
        before = reached([start], _reversed(function)) - after
        self.words = frozenset(rule.settings.get("cleaning", ()))
        self.pairs = paired_methods(rule)
        self.states = frozenset(each for each in rule.patterns("do") if not each.startswith("."))
        self.assigned: set[str] = set()
        self.called: set[tuple[str, str]] = set()
        self.set_states: set[str | None] = set()
        for node in before:
            self._note(node)
        self.found: dict[int, tuple[str, str]] = {}
        for node in sorted(after):
            self._find(node)

    def _note(self, node: int) -> None:
        """What is done before `yield`."""
        op = self.function.ops[node]
        if op is None:
            return
        self.assigned.update(self._targets(op))
        if op[0] == CALL:
            self.assigned.update(self._assigned_by(node, op))
            home, _, last = op[1].rpartition(".")
            self.called.update((home, each) for each in self.pairs.get(last, ()) if home)
            self.set_states.add(self.program.callee(self.function, node).external)

    def _find(self, node: int) -> None:
        op = self.function.ops[node]
        if op is None:
            return
        if op[0] == CALL:
            if self._cleans(node, op):
                self.found[node] = (op[1], f"{op[1]}()")
            return
        again = [(each, value) for each, value in self._pairs(op) if each in self.assigned]
        for target, value in again[:1]:
            shown = f"del {target}" if value == _DELETED else f"{target} = ..."
            self.found[node] = (target, shown.replace("[]", "[...]"))

    def _cleans(self, node: int, op: tuple[Any, ...]) -> bool:
        home, _, last = op[1].rpartition(".")
        callee = self.program.callee(self.function, node)
        if callee.made is not None:
            return False  # `RemoveStep()` makes an object
        words = (each.lower() for each in _WORDS.findall(last))
        if not self.words.isdisjoint(words) or (home, last) in self.called:
            return True
        external = callee.external
        if external in self.states and external in self.set_states:
            return True
        return not self.assigned.isdisjoint(self._assigned_by(node, op))

    def _pairs(self, op: tuple[Any, ...]) -> Iterator[tuple[str, Any]]:
        """The targets and values of an assignment to something that outlives the manager."""
        if op[0] != SET or not self.rule.settings.get("attributes"):
            return
        for target, value in op[2]:
            root = target.partition(".")[0].partition("[")[0]
            if target in self.function.shared or (root != target and not self._is_made(root)):
                yield target, value

    def _targets(self, op: tuple[Any, ...]) -> Iterator[str]:
        return (target for target, _ in self._pairs(op))

    def _is_made(self, name: str) -> bool:
        """Whether the manager makes the object of a variable."""
        values = self.function.assigned.get(name, [])
        return bool(values) and all(map(self._is_new, values))

    def _is_new(self, value: Any) -> bool:
        if type(value) is not int:
            return type(value) is tuple and value[0] in {"t", "c"}
        op = self.function.ops[value]
        if op is None or op[0] != CALL:
            return False
        callee = self.program.callee(self.function, value)
        name = (callee.external or "").rpartition(".")[2]
        return callee.made is not None or name[:1].isupper() or name in {"dict", "list", "set"}

    def _assigned_by(self, node: int, op: tuple[Any, ...]) -> Iterator[str]:
        """Attributes that a method of the same object assigns."""
        home, _, last = op[1].rpartition(".")
        parameters = self.function.parameters
        if not last or not self.function.owner or home != (parameters or [""])[0]:
            return
        functions = self.program.callee(self.function, node).functions
        if len(functions) != 1 or functions[0].owner is None or not functions[0].parameters:
            return
        own = functions[0].parameters[0]
        for each in functions[0].ops:
            if each is not None and each[0] == SET and self.rule.settings.get("attributes"):
                for target, _ in each[2]:
                    if target.startswith(f"{own}."):
                        yield home + target[len(own) :]


def _ways(edges: list[tuple[int, Any]]) -> list[int]:
    """Where a node leads without an exception."""
    return [target for target, guard in edges if guard not in (SUPPRESS, HANGUP)]


def _reversed(function: Function) -> list[list[int]]:
    """The nodes that lead to each node."""
    found: list[list[int]] = [[] for _ in function.ops]
    for node, edges in enumerate(function.edges):
        for target in _ways(edges):
            found[target].append(node)
    return found
