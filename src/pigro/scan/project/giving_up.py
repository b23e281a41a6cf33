"""Places that have an event of a rule, but no site: why the rule gives up there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.diagnostics import printable
from pigro.sources.graph import ENTER

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.rules import Rule
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function

_REENTRANT = "RLock"
"""A lock that may be taken again."""


def given_up(scan: Scan, rule: Rule, function: Function, node: int) -> Iterator[str]:
    """Why a rule asks nothing at a node that has no site of it."""
    op = function.ops[node]
    find = _BY_TEMPLATE.get(rule.template)
    if op is not None and find is not None:
        yield from find(scan, rule, function, op)


def _locks(scan: Scan, rule: Rule, function: Function, op: tuple[Any, ...]) -> Iterator[str]:
    """Something that is called a lock, but is not known to be one that the rule follows."""
    if rule.settings.get("what") != "again" or op[0] != ENTER or type(op[1]) is not str:
        return
    thing = scan.program.thing(function, op[1])
    if thing is not None and thing.name in rule.patterns("locks") and not op[2]:
        return
    name = (op[1] if thing is None else thing.name).rpartition(".")[2]
    if "lock" not in name.lower() or name == _REENTRANT:
        return
    shown = f"`{'async ' if op[2] else ''}with {printable(op[1], 60)}`"
    known = "it is not known which object that is"
    if thing is not None:
        known = f"the rule is not about `{printable(thing.name, 60)}`"
    yield f"{shown} is not followed, because {known}"


_BY_TEMPLATE: dict[str, Callable[[Scan, Rule, Function, tuple[Any, ...]], Iterator[str]]] = {
    "never-while-held": _locks,
}
