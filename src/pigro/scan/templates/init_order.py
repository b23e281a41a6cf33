"""Template init-before-use: methods that `__init__` calls before it has assigned what they read.

One small model a class: the question starts at each call in `__init__`, for each attribute that no
way to the call has assigned, that the called method may read, and that `__init__` assigns later.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pigro.scan.exploring import EachNode, Effect, RuleContext, boxes_alone
from pigro.scan.machine import ScanComponent, ScanMachine
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.sources.graph import CALL, SET
from pigro.sources.operations import read

if TYPE_CHECKING:
    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Class, Function

_FORMULA = "A [!use W (def & !use | wild)]"
_MOST = 200
"""Methods that are followed from one `__init__`. Classes with more are left out."""


@dataclass
class AttributeTracker(EachNode):
    """Follows one attribute of one class, in whatever method of it."""

    scan: Scan
    cls: str
    attribute: str

    def effect(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        """See `Tracker`."""
        if not function.parameters:
            return Effect(followed)
        path = f"{function.parameters[0]}.{self.attribute}"
        if any(each == path or each.startswith(f"{path}.") for each in read(op)):
            caught = self.scan.exceptions.landings(
                function, function.node_pads[node], "AttributeError"
            )
            return Effect(followed, ("use",) if caught == [2] else ("wild",), stop=True)
        if op[0] == SET and any(each == path for each, _ in op[2]):
            return Effect(followed, ("def",), stop=True)
        called = own_method(self.scan, self.cls, function, node)
        if called is not None:
            return Effect(followed, call=(called, followed))
        if op[0] == CALL and op[1] in {"setattr", f"{function.parameters[0]}.__dict__.update"}:
            return Effect(followed, ("wild",), stop=True)
        return Effect(followed)


def own_method(scan: Scan, cls: str, function: Function, node: int) -> Function | None:
    """The method of exactly this class that `self.m()` or `super().m()` at a node calls."""
    op = function.ops[node]
    if op is None or op[0] != CALL or not function.parameters:
        return None
    home, _, last = op[1].rpartition(".")
    found = None
    if home == function.parameters[0]:
        found = scan.program.method(cls, last)
    elif op[1].startswith(".") and type(op[2]) is int:
        made = function.ops[op[2]]
        if made is not None and made[0] == CALL and made[1] == "super" and function.owner:
            found = scan.program.method(cls, last, after=function.owner)
    return None if found is None or found.is_async or found.is_generator else found


def init_before_use(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    found: list[Finding] = []
    for cls in scan.program.classes.values():
        init = scan.program.functions.get(cls.methods.get("__init__", ""))
        if init is not None and init.parameters:
            found += _in_class(scan, rule, cls, init)
    return found


def _in_class(scan: Scan, rule: Rule, cls: Class, init: Function) -> list[Finding]:
    summary = _MethodSummary(scan, cls.name)
    sites, world = [], RuleContext(scan.program, scan.exceptions, ScanMachine(), scan.budget)
    known = set().union(
        *(
            scan.program.classes[each].attributes | scan.program.classes[each].methods.keys()
            for each in scan.program.order(cls.name)
            if each in scan.program.classes
        )
    )
    later = _assigned_after(summary, init)
    for node, (callee, before) in later.items():
        reads = summary.reads(callee)
        if reads is None:
            continue
        unassigned = sorted((reads & summary.all_writes(init)) - before - known)
        for attribute in unassigned:
            role = AttributeTracker(scan, cls.name, attribute)
            prefix = (cls.name, attribute)
            inner = (*prefix, "callee", callee.name, None)
            world.add(inner, callee, role, None, probe=False, prefix=prefix)
            made = ScanComponent(init.name, init)
            boxes_alone(made, inner, node, callee)
            key = ("site", node, attribute)
            world.machine.components[key] = made
            sites.append(Site(key, init, node, rule.said(name=f"self.{attribute}", cls=cls.name)))
    kept: dict[int, Finding] = {}
    for each in ask(
        scan, rule, world.machine, sites, RuleQuestion(_FORMULA, None, {"use": "read here"})
    ):
        kept.setdefault(each.line, each)
    return list(kept.values())


def _assigned_after(
    summary: _MethodSummary, init: Function
) -> dict[int, tuple[Function, set[str]]]:
    """Calls of own methods in `__init__`, with all attributes that some way there assigns."""
    found = {}
    before: dict[int, set[str]] = {0: set()}
    pending = [0]
    while pending:
        node = pending.pop()
        after = before[node] | summary.writes_at(init, node)
        for target, _ in init.edges[node]:
            known = before.get(target)
            if known is None or not after <= known:
                before[target] = after | (known or set())
                pending.append(target)
    for node, known in sorted(before.items()):
        callee = own_method(summary.scan, summary.cls, init, node)
        if callee is not None:
            found[node] = (callee, known)
    return found


class _MethodSummary:
    """What methods of one class read and assign, with all that they call."""

    def __init__(self, scan: Scan, cls: str) -> None:
        self.scan, self.cls = scan, cls
        self._reach: dict[str, list[Function] | None] = {}

    def reach(self, function: Function) -> list[Function] | None:
        """A method, and all that it calls of the same object. None if these are too many."""
        if function.name not in self._reach:
            found = {function.name: function}
            pending = [function]
            while pending and len(found) <= _MOST:
                each = pending.pop()
                for node in range(len(each.ops)):
                    called = own_method(self.scan, self.cls, each, node)
                    if called is not None and called.name not in found:
                        found[called.name] = called
                        pending.append(called)
            self._reach[function.name] = list(found.values()) if len(found) <= _MOST else None
        return self._reach[function.name]

    def reads(self, function: Function) -> set[str] | None:
        """Attributes of `self` that a method may read."""
        reach = self.reach(function)
        if reach is None:
            return None
        found: set[str] = set()
        for each in reach:
            prefix = f"{each.parameters[0]}." if each.parameters else "?"
            for op in each.ops:
                if op is not None:
                    paths = (path for path in read(op) if path.startswith(prefix))
                    found.update(path[len(prefix) :].partition(".")[0] for path in paths)
        return found

    def all_writes(self, function: Function) -> set[str]:
        """Attributes of `self` that a method, or what it calls, may assign."""
        reach = self.reach(function) or []
        return {name for each in reach for name in self._own_writes(each)}

    def _own_writes(self, function: Function) -> set[str]:
        return {name for node in range(len(function.ops)) for name in self._sets(function, node)}

    def _sets(self, function: Function, node: int) -> list[str]:
        op = function.ops[node]
        if op is None or op[0] != SET or not function.parameters:
            return []
        prefix = f"{function.parameters[0]}."
        return [
            each[len(prefix) :]
            for each, _ in op[2]
            if each.startswith(prefix) and each.count(".") == 1
        ]

    def writes_at(self, function: Function, node: int) -> set[str]:
        """Attributes that a node may assign, calls included."""
        called = own_method(self.scan, self.cls, function, node)
        if called is not None:
            return self.all_writes(called)
        return set(self._sets(function, node))
