"""Template never-while-held: what may not happen between taking a lock and giving it back.

A lock is known by the class of the object: `self._lock = threading.Lock()`. It is taken by `with`
or by `acquire()`. Which lock it is, says the variable that its path begins with:

| variable | the same lock | calls that are followed |
|---|---|---|
| `self` | the same path in methods | `self.m()` |
| of a module | the same variable in all functions, also by way of imports | all with one target |
| of a function | the same variable in that function | none |
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.rules.templates import TEMPLATES
from pigro.scan.exploring import Effect, RuleContext
from pigro.scan.generators import is_manager
from pigro.scan.machine import ScanMachine
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.scan.templates.forbidding import ForbiddenCalls
from pigro.scan.templates.reaching import reaching, target
from pigro.sources.graph import AWAIT, CALL, DELEGATE, ENTER, EXIT, YIELD

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.rules.rule import Rule
    from pigro.scan.chains import FunctionChains
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function
    from pigro.sources.link import LinkedProgram


class LockTracker:
    """Follows one lock: None before it is taken, then `held`."""

    throws = False
    before = frozenset({None})

    def __init__(
        self, scan: Scan, rule: Rule, lock: LockIdentity, site: int, inside: set[str]
    ) -> None:
        self.scan, self.lock, self.start, self.inside = scan, lock, site, inside
        self.what = rule.settings.get("what", "call")
        self.forbidden = ForbiddenCalls(scan, rule)
        self.locks = set(rule.patterns("locks"))
        self.home = ""

    def effect(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        """See `Tracker`."""
        if followed is None:
            if node == self.start:
                return Effect("held", ("acq",), late=True)
            return Effect(None)
        if self._is_lock(function, taken(op)):
            bad = self.what == "again"
            return Effect(followed, ("bad",) if bad else (), stop=bad)
        if self._is_lock(function, given_back(op)):
            return Effect(followed, ("rel",), stop=True)
        if self._is_bad(function, node, op):
            return Effect(followed, ("bad",), stop=True)
        if self.what in {"call", "again"}:
            called = target(self.scan, function, node)
            follows = self.what == "call" or self.lock.is_kept_by(function, op)
            if called is not None and called.name in self.inside and follows:
                return Effect(followed, call=(called, followed))
        return Effect(followed)

    def next_turn(self, chains: FunctionChains, followed: Any, first: int, end: int) -> int:
        """See `Tracker`. Up to the site, nothing happens."""
        if followed is not None:
            return first
        site = chains.number[self.start] if chains.function.name == self.home else -1
        return site if first <= site < end else end

    def _is_lock(self, function: Function, path: str | None) -> bool:
        return path is not None and lock_of(self.scan.program, function, path) == self.lock

    def _is_bad(self, function: Function, node: int, op: tuple[Any, ...]) -> bool:
        if self.what == "yield":
            return op[0] in {YIELD, DELEGATE}
        if self.what == "await":
            return bool(op[0] == AWAIT)
        return self.what == "call" and op[0] == CALL and self.forbidden.has(function, node)

    def back(self, function: Function, node: int, followed: Any, exit_: str) -> Any:
        """Nothing changes."""
        return followed

    def leaves(self, followed: Any, exit_: str) -> tuple[str, ...]:
        """Exits have no labels."""
        return ()

    def excluded(self, followed: Any, guard: Any) -> bool:
        """The followed value says nothing about tests."""
        return False


class LockIdentity(NamedTuple):
    """Which lock it is."""

    home: str
    """The module or function of the variable. Empty for an attribute of `self`."""
    name: str
    is_global: bool = False

    def is_kept_by(self, function: Function, op: tuple[Any, ...]) -> bool:
        """Whether the lock is still the same one in what an operation calls or runs."""
        if self.home:
            return self.is_global
        call = function.ops[op[1]] if type(op[1]) is int else op
        if call is None or call[0] != CALL:
            return False
        home, _, last = call[1].partition(".")
        return "." not in last and home in function.parameters[:1]


def lock_of(program: LinkedProgram, function: Function, path: str) -> LockIdentity:
    """The lock that a path stands for in a function."""
    first, _, rest = path.partition(".")
    if function.owner and first in function.parameters[:1]:
        return LockIdentity("", rest)
    at: Function | None = function
    while at is not None and first not in at.imports:
        if (
            first in at.assigned
            and first not in at.shared
            and (at.kind != "class" or at is function)
        ):
            return LockIdentity(at.name, path, at.kind == "module")
        at = program.functions.get(at.outside or "")
    name = None if at is None else program.imported_name(at, path)
    return (
        LockIdentity(function.name, path) if name is None else LockIdentity(*name, is_global=True)
    )


def taken(op: tuple[Any, ...]) -> str | None:
    """The path of what an operation takes."""
    if op[0] == ENTER and type(op[1]) is str and not op[2]:
        return op[1]
    if op[0] == CALL and op[1].endswith(".acquire") and not op[3] and not op[4]:
        return str(op[1]).removesuffix(".acquire")
    return None


def given_back(op: tuple[Any, ...]) -> str | None:
    """The path of what an operation gives back."""
    if op[0] == EXIT and type(op[1]) is str:
        return op[1]
    if op[0] == CALL and op[1].endswith(".release"):
        return str(op[1]).removesuffix(".release")
    return None


def never_while_held(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    world = RuleContext(scan.program, scan.exceptions, ScanMachine(), scan.budget)
    sites = []
    all_sites = [(function, *place) for function, place in scan.places(rule, _sites)]
    what = rule.settings.get("what", "call")
    inside: set[str] = set()
    if what == "again":
        inside = reaching(scan, {function.name for function, _, _ in all_sites})
    elif what == "call":
        forbidden = ForbiddenCalls(scan, rule)
        places = scan.external_calls(forbidden.names())
        doing = {function.name for function, node, _ in places if forbidden.has(function, node)}
        inside = reaching(scan, doing)
    for function, node, path in all_sites:
        lock = lock_of(scan.program, function, path)
        role = LockTracker(scan, rule, lock, node, inside)
        role.home = function.name
        key = (rule.id, function.name, node, path)
        world.add(key, function, role, None, probe=True, prefix=(rule.id, lock.home, lock.name))
        message = rule.said(name=path.rpartition(".")[2], call=path)
        sites.append(Site(key, function, node, message))
    notes = {"acq": "taken here", "bad": rule.settings.get("note", "this happens while it is held")}
    return ask(
        scan,
        rule,
        world.machine,
        sites,
        RuleQuestion(TEMPLATES[rule.template].formula, None, notes),
    )


def can(function: Function, what: str) -> bool:
    """Whether a function can do what a rule forbids."""
    if what == "await":
        return function.is_async
    return what != "yield" or (function.is_generator and not is_manager(function))


def _sites(program: LinkedProgram, rule: Rule, function: Function) -> Iterator[tuple[int, str]]:
    """Where locks of the rule are taken: nodes and paths."""
    if can(function, rule.settings.get("what", "call")):
        yield from locks_in(program, rule, function)


def locks_in(program: LinkedProgram, rule: Rule, function: Function) -> Iterator[tuple[int, str]]:
    """The same, whether or not the function can do what the rule forbids."""
    locks = rule.patterns("locks")
    for node, op in enumerate(function.ops):
        path = taken(op) if op is not None and op[0] in {ENTER, CALL} else None
        if path is not None:
            thing = program.thing(function, path)
            if thing is not None and thing.kind == "object" and thing.name in locks:
                yield node, path
