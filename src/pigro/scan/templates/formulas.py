"""Template formula: any formula over labels that a rule gives to calls.

Each function with an event, or that calls one with an event, is asked. Events are patterns of
calls of functions from outside, by qualified name, or `.m` for a method of any object.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from pigro.rules.patterns import EventPatterns
from pigro.scan.exploring import EachNode, Effect, RuleContext
from pigro.scan.machine import ScanMachine
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.scan.templates.reaching import reaching, target
from pigro.sources.graph import CALL

if TYPE_CHECKING:
    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function


class CallLabelTracker(EachNode):
    """Labels calls, and follows those of functions with labels."""

    def __init__(self, scan: Scan, events: dict[str, EventPatterns], inside: set[str]) -> None:
        self.scan, self.events, self.inside = scan, events, inside

    def labels(self, function: Function, node: int, op: tuple[Any, ...]) -> tuple[str, ...]:
        """The labels of a call."""
        if op[0] != CALL:
            return ()
        external = self.scan.program.callee(function, node).external
        last = op[1].rpartition(".")[2] if "." in op[1] else ""
        return tuple(
            label
            for label, patterns in self.events.items()
            if patterns.has(external) or last in patterns.methods
        )

    def effect(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        """See `Tracker`."""
        labels = self.labels(function, node, op)
        if labels:
            return Effect(followed, labels)
        called = target(self.scan, function, node)
        if called is not None and called.name in self.inside:
            return Effect(followed, call=(called, followed))
        return Effect(followed)

    def leaves(self, followed: Any, exit_: str) -> tuple[str, ...]:
        """`return` and `raise` are labels too."""
        return (exit_.partition(":")[0],)


def formula(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule: functions where its formula fails."""
    events = {label: EventPatterns.of(each) for label, each in rule.settings["events"].items()}
    role = CallLabelTracker(scan, events, set())
    doing = {
        function.name
        for function in scan.program.functions.values()
        if any(
            op is not None and role.labels(function, node, op)
            for node, op in enumerate(function.ops)
        )
    }
    role.inside = reaching(scan, doing)
    world = RuleContext(scan.program, scan.exceptions, ScanMachine(), scan.budget)
    sites = []
    for name in sorted(doing):
        function = scan.program.functions[name]
        key = ("probe", name)
        world.add(key, function, role, None, probe=True)
        at = function.at if function.kind != "module" else None
        sites.append(Site(key, function, 0, rule.said(name=name), at=at))
    notes = {each: each for each in events}
    question = RuleQuestion(rule.settings["formula"], None, notes)
    return [_placed(each) for each in ask(scan, rule, world.machine, sites, question)]


def _placed(finding: Finding) -> Finding:
    """The finding at the last event of its run, or at the call in the function that leads to it."""
    at, events = finding.at, False
    here = at
    for step in finding.steps:
        if step.depth == 0:
            here = step.at
        if step.note or not events:
            at, events = here, events or bool(step.note)
    return replace(finding, at=at)
