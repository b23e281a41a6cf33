"""Why rules give up: at events that are no sites, and at calls that they do not follow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.diagnostics import printable
from pigro.rules.patterns import EventPatterns
from pigro.scan.generators import generator_at
from pigro.scan.knowledge import WRAPPING
from pigro.scan.project.escaping import why_unfollowed
from pigro.scan.project.sentences import ReasonSentence
from pigro.scan.project.unfollowed import is_followed, property_of
from pigro.scan.templates.locks import can, locks_in
from pigro.scan.templates.must_release import CallResults, is_borrowed, temporary_folder
from pigro.sources.graph import CALL, ENTER, RETURN, SET
from pigro.sources.operations import read

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.rules import Rule
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function, Value

_UNFOLLOWED = "not followed"
_REENTRANT = "RLock"
"""A lock that may be taken again."""


def given_up(scan: Scan, rule: Rule, function: Function, node: int) -> Iterator[str]:
    """Why a rule asks nothing at a node that has no site of it."""
    op = function.ops[node]
    find = _BY_TEMPLATE.get(rule.template)
    if op is not None and find is not None:
        yield from find(scan, rule, function, node)


def _acquired(scan: Scan, rule: Rule, function: Function, node: int) -> Iterator[str]:
    """A call of a function that acquires an object, which gets no variable of its own."""
    op = function.ops[node]
    assert op is not None
    name = scan.program.callee(function, node).external if op[0] == CALL else None
    acquire = EventPatterns.of(rule.patterns("acquire"))
    if name not in acquire.calls:
        return
    because: str = ""
    if is_borrowed(scan, function, node, acquire if name in WRAPPING else None):
        because = ReasonSentence.OTHER_OWNER
    elif rule.settings.get("paths") and (folder := temporary_folder(function, node)) is not None:
        because = ReasonSentence.IN_TEMPORARY.format(folder=printable(folder, 60))
    elif not any(any(CallResults().named(function, node, each)) for each in acquire.calls[name]):
        because = _fate(function, node)
    if because:
        yield ReasonSentence.NO_VARIABLE.format(call=printable(op[1], 60), because=because)


def _fate(function: Function, node: int) -> str:
    """What becomes of the result of a call that gets no variable of its own."""
    if function.kind == "class":
        return ReasonSentence.OF_A_CLASS
    for op in function.ops:
        if op is None:
            continue
        if op[0] == SET:
            for target, value in op[2]:
                if node in _results(value):
                    return _stored(target, value)
        elif op[0] == ENTER and op[1] == node:
            return ReasonSentence.WITH
        elif op[0] == RETURN and node in _results(op[2]):
            return ReasonSentence.MADE
        elif op[0] == CALL and node in _results(("t", _values(op))):
            return ReasonSentence.NO_NAME_GIVEN.format(call=printable(op[1] or "?", 60))
    return ReasonSentence.NO_NAME


def _stored(target: str, value: Value) -> str:
    said = ReasonSentence.ONLY_A_PART
    if "." in target or "[" in target:
        said = ReasonSentence.NOT_LOCAL
    elif type(value) is tuple and value[0] == "t":
        said = ReasonSentence.AMONG_OTHERS
    return said.format(place=printable(target, 60))


def _results(value: Value) -> Iterator[int]:
    """The calls whose results are in a value, by node."""
    if type(value) is int:
        yield value
    elif type(value) is tuple and value[0] in {"t", "or"}:
        for each in value[1]:
            yield from _results(each)
    elif type(value) is tuple and value[0] in {"i", "*"}:
        yield from _results(value[1])


def _locks(scan: Scan, rule: Rule, function: Function, node: int) -> Iterator[str]:
    """A manager that holds a lock, or something that is called a lock and may be another one."""
    op = function.ops[node]
    assert op is not None
    what = rule.settings.get("what", "call")
    manager = generator_at(scan.program, function, op) if op[0] == ENTER else None
    if manager is not None and can(function, what):
        call = function.ops[op[1]]
        if call is not None and any(True for _ in locks_in(scan.program, rule, manager)):
            code = f"with {printable(call[1] or '?', 60)}"
            yield ReasonSentence.UNFOLLOWED.format(code=code, because=ReasonSentence.TAKES_LOCK)
        return
    if what != "again" or op[0] != ENTER or type(op[1]) is not str:
        return
    thing = scan.program.thing(function, op[1])
    if thing is not None and thing.name in rule.patterns("locks") and not op[2]:
        return
    name = (op[1] if thing is None else thing.name).rpartition(".")[2]
    if "lock" not in name.lower() or name == _REENTRANT:
        return
    shown = f"{'async ' if op[2] else ''}with {printable(op[1], 60)}"
    because: str = ReasonSentence.UNKNOWN_LOCK
    if thing is not None:
        because = ReasonSentence.OTHER_LOCK.format(lock=printable(thing.name, 60))
    yield ReasonSentence.UNFOLLOWED.format(code=shown, because=because)


def unfollowed_at(scan: Scan, function: Function, node: int) -> Iterator[tuple[str, str]]:
    """Code that runs at a node and that no rule follows: the kind of the reason, and a sentence."""
    op = function.ops[node]
    if op is None:
        return
    for path in read(op):
        if property_of(scan.program, function, path) is not None:
            code = printable(path, 60)
            yield (
                _UNFOLLOWED,
                ReasonSentence.UNFOLLOWED.format(code=code, because=ReasonSentence.PROPERTY),
            )
    if any(map(_has_lambda, _values(op))):
        yield _UNFOLLOWED, ReasonSentence.LAMBDA
    if op[0] != CALL:
        return
    callee, name = scan.program.callee(function, node), printable(op[1] or "?", 100)
    if not callee.functions and callee.external is None and callee.made is None:
        yield "unknown call", ReasonSentence.UNKNOWN_CALL.format(call=name)
    elif callee.functions and not is_followed(scan, function, node):
        because = why_unfollowed(callee)
        yield _UNFOLLOWED, ReasonSentence.UNFOLLOWED.format(code=name, because=because)


def _values(op: tuple[Any, ...]) -> tuple[Value, ...]:
    """The values that an operation sets, gives or returns."""
    if op[0] == SET:
        return tuple(value for _, value in op[2])
    if op[0] == CALL:
        return (*op[3], *(value for _, value in op[4]))
    return (op[2],) if op[0] == RETURN else ()


def _has_lambda(value: Value) -> bool:
    if type(value) is not tuple:
        return False
    if value[0] in {"t", "or"}:
        return any(map(_has_lambda, value[1]))
    return bool(value[0] == "l")


_BY_TEMPLATE: dict[str, Callable[[Scan, Rule, Function, int], Iterator[str]]] = {
    "must-release": _acquired,
    "never-while-held": _locks,
}
