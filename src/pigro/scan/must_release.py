"""Template must-release: sites are calls whose result, or an element of it, gets a name.

A function that returns an object that it acquired is an acquisition itself, wherever it is called.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from pigro.rules.patterns import Patterns
from pigro.rules.templates import TEMPLATES
from pigro.scan.asking import Asked
from pigro.scan.exploring import World
from pigro.scan.findings import Finding, Step
from pigro.scan.holding import Holding
from pigro.scan.machine import Machine
from pigro.sources.graph import AGAIN, ENTER, SET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.rules.rule import Rule
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function, Value


class Site(NamedTuple):
    """A place where an object is acquired."""

    function: Function
    node: int
    element: str
    name: str
    """The variable."""


_NOTES = {
    "acq": "acquired here",
    "lost": "the last name of it is overwritten",
    "soft": "if this call raises",
    "end": "not released",
}


def must_release(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    patterns = {each: Patterns.of(rule.patterns(each)) for each in ("acquire", "release", "borrow")}
    world = World(scan.program, scan.exceptions, Machine())
    sites: dict[tuple[str, int, str], Site] = {}
    makers: dict[str, str] = {}
    pending = list(_sites(scan, patterns["acquire"]))
    while pending:
        returning = set()
        for site in pending:
            key = (site.function.name, site.node, site.element)
            if key in sites:
                continue
            sites[key] = site
            role = Holding(scan.program, rule, patterns)
            role.home, role.site, role.element = site.function, site.node, site.element
            world.add(key, site.function, role, None, probe=True)
            if role.is_returned and not site.function.is_generator:
                returning.add(site.function.name)
        fresh = returning - makers.keys()
        makers.update(dict.fromkeys(fresh, ""))
        pending = list(_calls(scan, fresh)) if fresh else []
    scan.statistics.sites[rule.id] = len(sites)
    if not sites:
        return []
    return _found(scan, rule, world.machine, sites)


def _found(
    scan: Scan, rule: Rule, machine: Machine, sites: dict[tuple[str, int, str], Site]
) -> list[Finding]:
    template = TEMPLATES["must-release"]
    assert template.certain is not None
    asked = Asked(machine, list(sites), scan.files, scan.budget)
    scan.statistics.model_nodes += asked.model.core.nodes
    failing = asked.failing(template.formula)
    certain = set(asked.failing(template.certain)) if failing else set()
    found = []
    for key in failing:
        assert isinstance(key, tuple)
        site = sites[key]
        formula = template.certain if key in certain else template.formula
        steps = asked.run(key, formula, _NOTES)
        found.append(_finding(scan, rule, site, formula, _marked(steps), key in certain))
    return found


def _finding(  # noqa: PLR0913
    scan: Scan,
    rule: Rule,
    site: Site,
    formula: str,
    steps: tuple[Step, ...],
    is_certain: bool,  # noqa: FBT001
) -> Finding:
    op = site.function.ops[site.node]
    assert op is not None
    message = rule.message.format(name=site.name, call=op[1])
    return Finding(
        rule.id,
        rule.severity,
        scan.files[site.function.name],
        site.function.at_nodes[site.node],
        site.function.name.partition(AGAIN)[0],
        message,
        "return" if is_certain else "handled",
        formula,
        steps,
    )


def _marked(steps: list[Step]) -> tuple[Step, ...]:
    """The last step is the decisive one."""
    return (*steps[:-1], replace(steps[-1], is_decisive=True)) if steps else ()


def _sites(scan: Scan, acquire: Patterns) -> Iterator[Site]:
    for function, node, name in scan.external_calls(acquire.calls):
        for element in acquire.calls[name]:
            yield from _named(function, node, element)


def _calls(scan: Scan, names: set[str]) -> Iterator[Site]:
    """Calls of functions that return a fresh object."""
    for function, node in scan.calls_of(names):
        yield from _named(function, node, "")


def _named(function: Function, node: int, element: str) -> Iterator[Site]:
    """The sites of a call: one for each variable that gets the object."""
    if element == "" and _is_entered(function, node):
        return
    for name, value in _targets(function):
        at = _element(value, node)
        if at is None:
            continue
        if element in {"", "*"} and at and not element:
            continue
        if element == at or (element == "*" and at):
            yield Site(function, node, at, name)


def _targets(function: Function) -> Iterator[tuple[str, Value]]:
    for op in function.ops:
        if op is not None and op[0] == SET:
            for target, value in op[2]:
                if "." not in target and "[" not in target and value is not None:
                    yield target, value


def _element(value: Value, node: int) -> str | None:
    """Which element of a call's result a value is; empty for all of it, None for none."""
    if value == node and type(value) is int:
        return ""
    if type(value) is tuple:
        if value[0] == "i" and value[1] == node:
            return str(value[2])
        if value[0] == "or":
            return "" if node in value[1] else None
    return None


def _is_entered(function: Function, node: int) -> bool:
    return any(op is not None and op[0] == ENTER and op[1] == node for op in function.ops)
