"""Template must-release: sites are calls whose result, or an element of it, gets a name.

A function that returns an object that it acquired is an acquisition itself, wherever it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.rules.patterns import Patterns
from pigro.rules.templates import TEMPLATES
from pigro.scan.exploring import World
from pigro.scan.machine import Machine
from pigro.scan.sites import Question, Site, ask
from pigro.scan.templates.holding import Holding
from pigro.sources.graph import ENTER, SET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function, Value


class Acquired(NamedTuple):
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
    sites: dict[tuple[str, int, str], Acquired] = {}
    makers: dict[str, str] = {}
    pending = list(acquired_at(scan, patterns["acquire"]))
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
    template = TEMPLATES[rule.template]
    question = Question(
        template.formula, template.certain, _NOTES, "then it is not released", ("return", "handled")
    )
    return ask(
        scan, rule, world.machine, [site_of(rule, *each) for each in sites.items()], question
    )


def site_of(rule: Rule, key: tuple[str, int, str], acquired: Acquired) -> Site:
    """The site of an acquisition."""
    op = acquired.function.ops[acquired.node]
    assert op is not None
    message = rule.message.format(name=acquired.name, call=op[1])
    return Site(key, acquired.function, acquired.node, message)


def acquired_at(scan: Scan, acquire: Patterns) -> Iterator[Acquired]:
    """Calls of the patterns whose result gets a name."""
    for function, node, name in scan.external_calls(acquire.calls):
        for element in acquire.calls[name]:
            yield from _named(function, node, element)


def _calls(scan: Scan, names: set[str]) -> Iterator[Acquired]:
    """Calls of functions that return a fresh object."""
    for function, node in scan.calls_of(names):
        yield from _named(function, node, "")


def _named(function: Function, node: int, element: str) -> Iterator[Acquired]:
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
            yield Acquired(function, node, at, name)


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
