"""Template never-in: what functions of a kind may not do, not even through calls.

A site is a call in such a function. Sites that lead to the same forbidden call are one finding, at
the site with the shortest run. `shallowest` and `deepest` limit the calls between the function and
the forbidden call: 0 if the function itself calls it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import printable
from pigro.rules.templates import TEMPLATES
from pigro.scan.exploring import EachNode, Effect, RuleContext, boxes_alone
from pigro.scan.machine import ScanComponent, ScanMachine
from pigro.scan.project.sentences import some
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.scan.templates.forbidding import ForbiddenCalls
from pigro.scan.templates.reaching import CALLS, reaching, target
from pigro.sources.graph import AWAIT, CALL

if TYPE_CHECKING:
    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function
    from pigro.sources.link import LinkedProgram

_NOTES = {"bad": "this blocks"}


class ForbiddenCallTracker(EachNode):
    """Labels forbidden calls, and follows calls of functions that can do them."""

    def __init__(self, forbidden: ForbiddenCalls, inside: set[str]) -> None:
        self.forbidden, self.scan, self.inside = forbidden, forbidden.scan, inside

    def effect(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        """See `Tracker`."""
        if op[0] == CALL and self.forbidden.has(function, node):
            return Effect(followed, ("bad",), stop=True)
        called = target(self.scan, function, node)
        if called is not None and called.name in self.inside:
            return Effect(followed, call=(called, followed))
        return Effect(followed)


def never_in(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    forbidden = ForbiddenCalls(scan, rule)
    program = scan.program
    places = scan.external_calls(forbidden.names())
    doing = {function.name for function, node, _ in places if forbidden.has(function, node)}
    if not doing:
        return []  # and modules that a cache keeps stay as they are
    plain = [each for each in doing if not program.functions[each].is_async]
    deepest = rule.settings.get("deepest")
    inside = set[str]() if deepest == 0 else reaching(scan, plain, deepest)
    role = ForbiddenCallTracker(forbidden, inside)
    world = RuleContext(program, scan.exceptions, ScanMachine(), scan.budget)
    sites = []
    for function in program.functions.values():
        if not _is_context(function, rule.settings["context"]):
            continue
        awaited = _awaited(program, function)
        for node, op in enumerate(function.ops):
            if (
                op is None
                or op[0] not in CALLS
                or node in awaited  # it gave something to wait for, so it did not wait itself
                or not _is_reached(scan, function, node)
            ):
                continue
            site = _site(rule, world, role, function, node)
            if site is not None:
                sites.append(site)
    question = RuleQuestion(TEMPLATES[rule.template].formula, None, _NOTES)
    return _grouped(ask(scan, rule, world.machine, sites, question))


def _awaited(program: LinkedProgram, function: Function) -> set[int]:
    """Calls of plain functions whose results are awaited. A constructor runs before the `await`."""
    return {
        op[1]
        for op in function.ops
        if op is not None
        and op[0] == AWAIT
        and type(op[1]) is int
        and (call := function.ops[op[1]]) is not None
        and call[0] == CALL
        and program.callee(function, op[1]).made is None
    }


def _is_reached(scan: Scan, function: Function, node: int) -> bool:
    """Whether constants of the program leave a way to a node."""
    return node in scan.reached(function)


def _is_context(function: Function, context: str) -> bool:
    last = function.name.rpartition(".")[2]
    return {"async": function.is_async, "del": last == "__del__", "init": last == "__init__"}.get(
        context, False
    )


def _site(
    rule: Rule, world: RuleContext, role: ForbiddenCallTracker, function: Function, node: int
) -> Site | None:
    op = function.ops[node]
    assert op is not None
    key = ("site", function.name, node)
    short = function.name.rpartition(".")[2]
    if op[0] == CALL and role.forbidden.has(function, node):
        if rule.settings.get("shallowest"):
            return None
        made = ScanComponent(function.name, function)
        made.node(node, "bad")
        world.machine.components[key] = made
        return Site(key, function, node, rule.said(name=short, call=op[1]))
    called = target(role.scan, function, node)
    if called is None or called.name not in role.inside:
        return None
    inner = ("callee", called.name, None)
    world.add(inner, called, role, None, probe=False)
    made = ScanComponent(function.name, function)
    boxes_alone(made, inner, node, called)
    world.machine.components[key] = made
    name = op[1] if op[0] == CALL else called.name
    return Site(key, function, node, rule.said(name=short, call=name))


def _grouped(found: list[Finding]) -> list[Finding]:
    groups: dict[object, list[Finding]] = {}
    for each in found:
        last = each.steps[-1] if each.steps else None
        groups.setdefault((last.file, last.at) if last else each, []).append(each)
    kept = []
    for group in groups.values():
        first = min(group, key=lambda each: (len(each.steps), each.file, each.at))
        also = tuple(sorted({(each.file, each.at) for each in group} - {(first.file, first.at)}))
        message = first.message
        if also:
            places = some([f"{printable(file, len(file))}:{at[0]}" for file, at in also])
            message = f"{message}; the same place is reached from {places}"
        grade = "direct" if len(first.steps) == 1 else "through calls"
        kept.append(replace(first, message=message, grade=grade, also=also))
    return kept
