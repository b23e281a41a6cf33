"""Template must-release: sites are calls whose result, or an element of it, gets a name.

A function that returns an object that it acquired is an acquisition itself, wherever it is called:
`fd = os.open(path, 0)` and `return fd`, or `return os.open(path, 0)`.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.rules.patterns import EventPatterns
from pigro.rules.templates import TEMPLATES
from pigro.scan.exploring import RuleContext
from pigro.scan.knowledge import IN_MEMORY, TEMPORARY, WRAPPING
from pigro.scan.machine import ScanMachine
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.scan.templates.holding import ObjectTracker, Turns
from pigro.sources.graph import AWAIT, ENTER, RETURN, SET

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function, Value


class AcquiredObject(NamedTuple):
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
_OVER = "if the time is over"


def must_release(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    patterns = {
        each: EventPatterns.of(rule.patterns(each)) for each in ("acquire", "release", "borrow")
    }
    world = RuleContext(scan.program, scan.believed, ScanMachine(), scan.budget)
    sites: dict[tuple[str, int, str], AcquiredObject] = {}
    turns: Turns = {}
    results = CallResults()
    makers: set[tuple[str, str]] = set()
    calls = [*_acquiring(scan, patterns["acquire"])]
    if rule.settings.get("paths"):
        calls = [each for each in calls if temporary_folder(*each[:2]) is None]
    while calls:
        maybe: list[tuple[str, int, str]] = []
        for site in (each for call in calls for each in results.named(*call)):
            key = (site.function.name, site.node, site.element)
            if key in sites:
                continue
            sites[key] = site
            role = ObjectTracker(scan.program, rule, patterns, turns)
            role.home, role.site, role.element = site.function, site.node, site.element
            role.start = results.start(site.function, site.node)
            world.add(key, site.function, role, None, probe=True)
            if role.is_returned and not site.function.is_generator:
                maybe.append(key)
        returning = {
            (f.name, element) for f, node, element in calls if results.is_passed_on(f, node)
        }
        returning |= {(name, "") for name, *_ in _returned(scan, world.machine, maybe)}
        fresh = returning - makers
        makers |= fresh
        calls = [*_calls(scan, fresh)]
    template = TEMPLATES[rule.template]
    late = bool(rule.patterns("release_late"))
    notes = {**_NOTES, "acq": _OVER} if late else _NOTES
    question = RuleQuestion(
        template.formula, template.certain, notes, "then it is not released", ("return", "handled")
    )
    found = ask(
        scan, rule, world.machine, [site_of(rule, *each) for each in sites.items()], question
    )
    return [_at_late_release(each) for each in found] if late else found


def _at_late_release(finding: Finding) -> Finding:
    """The finding where the time is over, if that is in the function of the site."""
    for step in finding.steps:
        if _OVER in step.note and not step.depth:
            return replace(finding, at=step.at)
    return finding


def _returned(
    scan: Scan, machine: ScanMachine, keys: list[tuple[str, int, str]]
) -> list[tuple[str, int, str]]:
    """The sites whose object is returned on some way, also by a function that it is given to."""
    if not keys:
        return []
    asked = scan.asking(machine.part(keys), [(each, 0) for each in keys])
    found = [keys[number] for number in asked.failing("!EF out")]
    scan.statistics.verified += asked.verified
    return found


def site_of(rule: Rule, key: tuple[str, int, str], acquired: AcquiredObject) -> Site:
    """The site of an acquisition."""
    op = acquired.function.ops[acquired.node]
    assert op is not None
    message = rule.said(name=acquired.name, call=op[1])
    return Site(key, acquired.function, acquired.node, message)


def acquired_at(scan: Scan, acquire: EventPatterns) -> Iterator[AcquiredObject]:
    """Calls of the patterns whose result gets a name."""
    results = CallResults()
    for call in _acquiring(scan, acquire):
        yield from results.named(*call)


def _acquiring(scan: Scan, acquire: EventPatterns) -> Iterator[tuple[Function, int, str]]:
    """Calls of the patterns: function, node, and the element of the result."""
    for function, node, name in scan.external_calls(acquire.calls):
        if not is_borrowed(scan, function, node, acquire if name in WRAPPING else None):
            for element in acquire.calls[name]:
                yield function, node, element


def is_borrowed(scan: Scan, function: Function, node: int, acquire: EventPatterns | None) -> bool:
    """Whether a call opens memory, or reads from a file of the rule, which has another owner."""
    op = function.ops[node]
    assert op is not None
    given = (*op[3], *(value for _, value in op[4]))
    if any(type(each) is tuple and each[0] == "c" and _writes(each[1]) for each in given):
        acquire = None
    elif acquire is not None and _reads_another(op):
        return True
    for value in given:
        thing = scan.program.value(function, value) if type(value) in {int, str} else None
        if thing is None:
            continue
        if thing.name in IN_MEMORY:
            return True
        if acquire is not None and thing.kind == "object" and acquire.has(thing.name):
            return True
    return False


def _reads_another(op: tuple[Any, ...]) -> bool:
    """Whether an archive reads from a file that it is given, and surely does not write to it."""
    modes = [*op[3][1:2], *(value for key, value in op[4] if key == "mode")]
    if not all(type(each) is tuple and each[0] == "c" for each in modes):
        return False
    return any(key == "fileobj" and value != ("c", None) for key, value in op[4])


def temporary_folder(function: Function, node: int) -> str | None:
    """The temporary folder of another object that a call makes a path in: it owns the path, too."""
    op = function.ops[node]
    assert op is not None
    for key, value in op[4]:
        if key == "dir" and type(value) is str:
            home, _, name = value.rpartition(".")
            if home not in {"", *function.parameters[: bool(function.owner)]}:
                return value if TEMPORARY.search(name) else None
    return None


def _writes(mode: object) -> bool:
    """Whether a mode is for writing: written data may only get to the file with `close`."""
    return isinstance(mode, str) and mode[:1] in {"w", "a", "x"}


def _calls(scan: Scan, makers: set[tuple[str, str]]) -> Iterator[tuple[Function, int, str]]:
    """Calls of functions that return a fresh object, or a result with one as an element."""
    for name, element in sorted(makers):
        for function, node in scan.calls_of([name]):
            yield function, node, element


class CallResults:
    """What becomes of the results of calls, by function."""

    def __init__(self) -> None:
        self._known: dict[str, _ResultFates] = {}

    def is_passed_on(self, function: Function, node: int) -> bool:
        """Whether a function returns the result of a call as it is."""
        return not function.is_generator and node in self._of(function).returned

    def start(self, function: Function, node: int) -> int:
        """The node after which there is a result: that of a call, or the `await` of it."""
        return self._of(function).awaited.get(node, node)

    def named(self, function: Function, node: int, element: str) -> Iterator[AcquiredObject]:
        """The sites of a call: one for each variable that gets the object."""
        fates = self._of(function)
        if function.kind == "class" or (element == "" and node in fates.entered):
            return  # an attribute of a class, or released by `with`
        for name, at in fates.named.get(node, ()):
            if element == at or (element == "*" and at):
                yield AcquiredObject(function, node, at, name)

    def _of(self, function: Function) -> _ResultFates:
        found = self._known.get(function.name)
        if found is None:
            found = self._known[function.name] = _ResultFates()
            for node, op in enumerate(function.ops):
                if op is not None:
                    found.add(node, op)
        return found


class _ResultFates:
    """What becomes of the results of calls of one function, by node."""

    def __init__(self) -> None:
        self.named: dict[int, list[tuple[str, str]]] = {}
        """Variables that get them, and which elements."""
        self.entered: set[int] = set()
        self.returned: set[int] = set()
        self.awaited: dict[int, int] = {}
        """By call: the `await` of its result."""

    def add(self, node: int, op: tuple[Any, ...]) -> None:
        """Notes what an operation does with results."""
        if op[0] == SET:
            for target, value in op[2]:
                if "." not in target and "[" not in target:
                    for call, element in _elements(value):
                        self.named.setdefault(call, []).append((target, element))
        elif op[0] == AWAIT and type(op[1]) is int:
            self.awaited[op[1]] = node
        elif op[0] == ENTER and type(op[1]) is int:
            self.entered.add(op[1])
        elif op[0] == RETURN:
            self.returned.update(call for call, element in _elements(op[2]) if not element)


def _elements(value: Value) -> list[tuple[int, str]]:
    """The calls whose results a value is, or may be: nodes, and elements. Empty for all of it."""
    if type(value) is int:
        return [(value, "")]
    if type(value) is tuple:
        if value[0] == "i" and type(value[1]) is int:
            return [(value[1], str(value[2]))]
        if value[0] == "or":
            nodes = {each for each in value[1] if type(each) is int}
            return [(each, "") for each in sorted(nodes)]
    return []
