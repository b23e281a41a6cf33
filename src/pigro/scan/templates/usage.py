"""Templates no-use-after and call-order: the order of operations on one object."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.rules.patterns import EventPatterns
from pigro.rules.templates import TEMPLATES
from pigro.scan.exploring import Effect, RuleContext
from pigro.scan.machine import ScanMachine
from pigro.scan.sites import RuleQuestion, ask
from pigro.scan.templates.holding import ObjectTracker, Turns
from pigro.scan.templates.must_release import acquired_at, site_of

if TYPE_CHECKING:
    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function

_NOTES = {"rel": "released here", "use": "used here", "acq": "made here", "late": "too early"}


class UseTracker(ObjectTracker):
    """Follows an object also after it was released. Labels its methods."""

    def __init__(
        self,
        scan: Scan,
        rule: Rule,
        patterns: dict[str, EventPatterns],
        labels: list[str],
        turns: Turns,
    ) -> None:
        super().__init__(scan.program, rule, patterns, turns)
        self.methods = {each: EventPatterns.of(rule.patterns(each)) for each in labels}

    def _call(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        home, _, last = op[1].rpartition(".")
        if home in followed:
            if last in self.release.methods:
                return Effect(followed, ("rel",))
            for label, patterns in self.methods.items():
                if last in patterns.methods:
                    return Effect(followed, (label,))
        return super()._call(function, node, op, followed)


def usage(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    patterns = {
        each: EventPatterns.of(rule.patterns(each)) for each in ("acquire", "release", "borrow")
    }
    labels = ["use"] if rule.template == "no-use-after" else ["early", "late"]
    world = RuleContext(scan.program, scan.exceptions, ScanMachine(), scan.budget)
    sites = []
    turns: Turns = {}
    for acquired in acquired_at(scan, patterns["acquire"]):
        key = (acquired.function.name, acquired.node, acquired.element)
        role = UseTracker(scan, rule, patterns, labels, turns)
        role.home, role.site, role.element = acquired.function, acquired.node, acquired.element
        role.start = acquired.node
        world.add(key, acquired.function, role, None, probe=True)
        sites.append(site_of(rule, key, acquired))
    formula = TEMPLATES[rule.template].formula
    return ask(scan, rule, world.machine, sites, RuleQuestion(formula, None, _NOTES))
