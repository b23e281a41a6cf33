"""Template can-return: functions that call themselves on every way, forever."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.rules.templates import TEMPLATES
from pigro.scan.exploring import EachNode, Effect, RuleContext
from pigro.scan.machine import ScanMachine
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.sources.graph import AGAIN, CALL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import At, Function
    from pigro.sources.link import LinkedProgram


class SelfCallTracker(EachNode):
    """Follows the calls of a function to itself."""

    def __init__(self, function: Function, calls: set[int]) -> None:
        self.function, self.calls = function, calls

    def effect(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        """See `Tracker`."""
        if node in self.calls:
            return Effect(followed, call=(function, followed))
        return Effect(followed)

    def leaves(self, followed: Any, exit_: str) -> tuple[str, ...]:
        """Where the function is left."""
        return ("end",)


def can_return(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    world = RuleContext(scan.program, scan.exceptions, ScanMachine(), scan.budget)
    sites = []
    for function, nodes in scan.places(rule, _own_calls):
        calls = set(nodes)
        key = ("probe", function.name)
        role = SelfCallTracker(function, calls)
        world.add(key, function, role, None, probe=True, prefix=("recursion", function.name))
        short = function.name.rpartition(".")[2]
        sites.append(Site(key, function, min(calls), rule.said(name=short), at=_head(function)))
    template = TEMPLATES[rule.template]
    return ask(scan, rule, world.machine, sites, RuleQuestion(template.formula))


def _own_calls(program: LinkedProgram, _: Rule, function: Function) -> Iterator[list[int]]:
    """The calls of a function to itself."""
    if function.kind != "function" or function.is_async or function.is_generator:
        return
    short = function.name.rpartition(".")[2].partition(AGAIN)[0]
    calls = [
        node
        for node, op in enumerate(function.ops)
        if op is not None
        and op[0] == CALL
        and op[1].rpartition(".")[2] == short
        and _is_itself(program, function, node)
    ]
    if calls:
        yield calls


def _head(function: Function) -> At:
    """The line of `def`."""
    line, column, _, _ = function.at
    return line, column, line, column + len("def")


def _is_itself(program: LinkedProgram, function: Function, node: int) -> bool:
    """Whether a call is of the function itself. Of a method, by way of `self`."""
    callee = program.callee(function, node)
    if not callee.functions or callee.functions[0] is not function:
        return False
    op = function.ops[node]
    assert op is not None
    if function.owner is None:
        return len(callee.functions) == 1
    return op[1].count(".") == 1 and op[1].partition(".")[0] in function.parameters[:1]
