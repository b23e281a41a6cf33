"""Template undo: what a function changes and changes back.

There are three kinds of changes.

| kind | done | undone |
|---|---|---|
| an attribute | `self.x = new` after `old = self.x` | `self.x = old` |
| a method | `lock.acquire()` | `lock.release()` |
| a state of the process | `os.chdir(new)` after `old = os.getcwd()` | `os.chdir(old)` |

The followed value is None before anything is saved, `saved`, then `done`. It is `kept` behind the
place that undoes the change, on a way around it: what raises there is no reason that the change
stays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

from pigro.rules.templates import TEMPLATES
from pigro.scan.chains import first_of
from pigro.scan.exploring import Effect, RuleContext
from pigro.scan.generators import is_manager
from pigro.scan.machine import ScanMachine
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.sources.graph import AWAIT, CALL, RETURN, RETURN_NODE, SET, TEST

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pigro.rules.rule import Rule
    from pigro.scan.chains import FunctionChains
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function
    from pigro.sources.link import LinkedProgram

_NOTES = {
    "do": "changed here",
    "soft": "if this call raises",
}
_TRUE_STATES = frozenset({"os.chdir"})
"""States whose values are true."""


@dataclass(frozen=True, slots=True)
class UndoneChange:
    """A change in a function, and what undoes it."""

    function: Function
    node: int
    shown: str
    path: str = ""
    """Of an attribute: its path. Of a method: the path of the object."""
    methods: frozenset[str] = frozenset()
    """The methods that undo it."""
    state: str = ""
    """The function that sets a state."""
    saved: frozenset[str] = frozenset()
    """Variables that keep the value from before."""

    def is_undone_at(self, program: LinkedProgram, function: Function, node: int) -> bool:
        """Whether the operation at a node undoes it."""
        op = function.ops[node]
        if op is None:
            return False
        if op[0] == CALL:
            if self.methods:
                home, _, last = op[1].rpartition(".")
                return home == self.path and last in self.methods
            if self.state and any(each in self.saved for each in op[3] if type(each) is str):
                done = function.ops[self.node]
                assert done is not None
                same = op[3][:-1] == done[3][:-1]  # of the same signal
                return same and program.callee(function, node).external == self.state
            return False
        if op[0] == SET and not self.methods and not self.state:
            return any(each == self.path and value in self.saved for each, value in op[2])
        return False


class ChangeTracker:
    """Follows one change."""

    throws = False
    before = frozenset({None, "saved"})

    def __init__(
        self, program: LinkedProgram, change: UndoneChange, on: frozenset[str], turns: _Turns
    ) -> None:
        self.program, self.change, self.on, self.turns = program, change, on, turns
        self.start = _done_at(change)
        """The node after which the change is there."""
        self.needs_saving = bool(change.saved) and not change.state
        self._chained: list[int] | None = None

    def effect(self, function: Function, node: int, op: tuple[Any, ...], followed: Any) -> Effect:
        """See `Tracker`."""
        change = self.change
        saves = op[0] == SET and bool(change.saved) and followed is None
        if saves and any(each in change.saved and value == change.path for each, value in op[2]):
            followed = "saved"
        if node == self.start:
            if followed == "done" or (self.needs_saving and followed is None):
                return Effect(followed)
            return Effect("done", ("do",), late=True)
        if followed == "done" and change.is_undone_at(self.program, function, node):
            return Effect(followed, ("undo",), stop=True)
        return Effect("kept" if followed == "done" and node in self.behind else followed)

    def next_turn(self, chains: FunctionChains, followed: Any, first: int, end: int) -> int:
        """See `Tracker`."""
        site = (chains.number[self.start],)
        behind = self._numbers(chains) if followed == "done" else ()
        return first_of((site, self.turns.of(chains, self.change), behind), first, end)

    @cached_property
    def behind(self) -> frozenset[int]:
        """The nodes behind those that undo the change, from which no way leads back to them.

        Those in a `finally` that passes an exception on don't count: it came from somewhere else.
        """
        function, change = self.change.function, self.change
        nodes = range(len(function.ops))
        undone = [each for each in nodes if change.is_undone_at(self.program, function, each)]
        ways = [[target for target, _ in edges] for edges in function.edges]
        back: list[list[int]] = [[] for _ in nodes]
        for node, targets in enumerate(ways):
            for target in targets:
                back[target].append(node)
        returning = reached([RETURN_NODE], back)
        return frozenset(reached(undone, ways) & returning - reached(undone, back) - set(undone))

    def _numbers(self, chains: FunctionChains) -> Sequence[int]:
        """The numbers of the nodes behind, in chains."""
        if self._chained is None:
            numbers = (chains.number[each] for each in self.behind)
            self._chained = sorted(each for each in numbers if each >= 0)
        return self._chained

    def back(self, function: Function, node: int, followed: Any, exit_: str) -> Any:
        """Calls are not followed."""
        return followed

    def leaves(self, followed: Any, exit_: str) -> tuple[str, ...]:
        """The change is there when the function is left."""
        kind = exit_.partition(":")[0]
        if followed != "done" and (followed != "kept" or kind == "raise"):
            return ()
        return (*(("end",) if kind in self.on else ()), *(("left",) if kind == "return" else ()))

    def excluded(self, followed: Any, guard: Any) -> bool:
        """A state that was saved is not None. A folder has a name, too."""
        if followed not in {"done", "kept"} or not self.change.state:
            return False
        test, outcome, about = guard
        if len(about) != 1 or about[0] not in self.change.saved:
            return False
        is_true = self.change.state in _TRUE_STATES and test == about[0] and not outcome
        return is_true or (test == f"{about[0]} is None" and outcome)


def reached(starts: Iterable[int], ways: Sequence[Sequence[int]]) -> set[int]:
    """The nodes that ways from some nodes come to."""
    seen: set[int] = set()
    pending = [each for start in starts for each in ways[start]]
    while pending:
        node = pending.pop()
        if node not in seen:
            seen.add(node)
            pending += ways[node]
    return seen


def _done_at(change: UndoneChange) -> int:
    """The node of a change, or that of the `await` of it: `await lock.acquire()`."""
    for node, op in enumerate(change.function.ops):
        if op is not None and op[0] == AWAIT and type(op[1]) is int and op[1] == change.node:
            return node
    return change.node


class _Turns:
    """Where in chains something may happen to changes."""

    def __init__(self) -> None:
        self._by_path: dict[str, dict[str, list[int]]] = {}
        self._found: dict[tuple[str, str, frozenset[str]], list[int]] = {}

    def of(self, chains: FunctionChains, change: UndoneChange) -> list[int]:
        """The numbers of operations on the path of a change, or on variables that keep a value."""
        name = chains.function.name
        key = (name, change.path, change.saved)
        found = self._found.get(key)
        if found is None:
            rows = self._by_path.get(name)
            if rows is None:
                rows = self._by_path[name] = _by_path(chains)
            paths = (change.path, *change.saved)
            found = self._found[key] = sorted({at for each in paths for at in rows.get(each, ())})
        return found


def _by_path(chains: FunctionChains) -> dict[str, list[int]]:
    """By path: where it is set, or an argument or the object of a call."""
    found: dict[str, list[int]] = {}
    for number, node in enumerate(chains.nodes):
        op = chains.function.ops[node]
        if op is None or op[0] not in {SET, CALL}:
            continue
        if op[0] == SET:
            paths = [target for target, _ in op[2]]
        else:
            paths = [op[1].rpartition(".")[0], *(each for each in op[3] if type(each) is str)]
        for each in paths:
            found.setdefault(each, []).append(number)
    return found


def undo(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    world = RuleContext(scan.program, scan.believed, ScanMachine(), scan.budget)
    sites = []
    turns = _Turns()
    for change in _changes(scan, rule):
        if is_manager(change.function):
            continue  # it may leave the change to the body of the `with`
        role = ChangeTracker(scan.program, change, frozenset(rule.on), turns)
        key = (change.function.name, change.node, change.shown)
        world.add(key, change.function, role, None, probe=True)
        message = partial(_said, rule, change.shown)
        sites.append(Site(key, change.function, change.node, message))
    template = TEMPLATES[rule.template]
    question = RuleQuestion(
        template.formula, template.certain, _NOTES, "then it is not undone", ("raise", "mayraise")
    )
    return ask(scan, rule, world.machine, sites, question)


def _said(rule: Rule, shown: str, way: str) -> str:
    """The message about a change that a run leaves in some way."""
    return rule.said(name=shown, call=shown, way=way)


def _changes(scan: Scan, rule: Rule) -> Iterator[UndoneChange]:
    if rule.settings.get("attributes", False) or paired_methods(rule):
        for function, (node, shown, path, methods, saved) in scan.places(rule, _local_changes):
            yield UndoneChange(
                function, node, shown, path, frozenset(methods), saved=frozenset(saved)
            )
    states = [each for each in rule.patterns("do") if not each.startswith(".")]
    if states:
        for function, node, name in scan.external_calls(states):
            saved = _kept(scan, function, {name, *rule.patterns("saved")})
            op = function.ops[node]
            assert op is not None
            if ("c", None) in op[3] or function.captured.intersection(saved):
                continue  # asks for the state, or a function inside may undo the change
            if saved and not any(each in saved for each in op[3] if type(each) is str):
                yield UndoneChange(function, node, op[1], state=name, saved=saved)


def _local_changes(
    _: LinkedProgram, rule: Rule, function: Function
) -> Iterator[tuple[int, str, str, list[str], list[str]]]:
    """Changes of attributes, and by methods: node, how it is shown, path, methods, variables."""
    methods = paired_methods(rule)
    found = [*_attributes(function)] if rule.settings.get("attributes", False) else []
    found += _called(function, methods) if methods else ()
    for each in found:
        yield each.node, each.shown, each.path, sorted(each.methods), sorted(each.saved)


def paired_methods(rule: Rule) -> dict[str, frozenset[str]]:
    """Methods that do, each with those that undo it: `.acquire` and `.release` in their order."""
    done = [each[1:] for each in rule.patterns("do") if each.startswith(".")]
    undone = [each[1:] for each in rule.patterns("undo")]
    pairs = zip(done, undone, strict=False)
    found: dict[str, frozenset[str]] = {}
    for one, other in pairs:
        found[one] = found.get(one, frozenset()) | {other}
    return found


def _attributes(function: Function) -> Iterator[UndoneChange]:
    """Attributes that are saved in a variable, changed, and set back."""
    saved: dict[str, set[str]] = {}
    for name, values in function.assigned.items():
        paths = {each for each in values if type(each) is str}
        if len(paths) == 1 and all(type(each) is str or _is_constant(each) for each in values):
            [path] = paths
            if "." in path and name not in function.captured:
                saved.setdefault(path, set()).add(name)
    if not saved:
        return
    sets = [
        (node, target, value)
        for node, op in enumerate(function.ops)
        if op is not None and op[0] == SET
        for target, value in op[2]
        if target in saved
    ]
    restored = {
        target for _, target, value in sets if type(value) is str and value in saved[target]
    }
    for node, target, value in sets:
        if target in restored and not (type(value) is str and value in saved[target]):
            yield UndoneChange(function, node, target, target, saved=frozenset(saved[target]))


def _is_constant(value: Any) -> bool:
    return type(value) is tuple and value[0] == "c"


def _called(function: Function, methods: dict[str, frozenset[str]]) -> Iterator[UndoneChange]:
    """Calls of a method whose counterpart is also called on the same path."""
    found: dict[str, list[tuple[int, str]]] = {}
    used = _used_results(function)
    for node, op in enumerate(function.ops):
        if op is not None and op[0] == CALL:
            home, _, last = op[1].rpartition(".")
            if home:
                found.setdefault(last, []).append((node, home))
    for done, undone in methods.items():
        for node, home in found.get(done, ()):
            op = function.ops[node]
            assert op is not None
            if node in used or op[3] or op[4]:
                continue
            if any(home == other for each in undone for _, other in found.get(each, ())):
                yield UndoneChange(function, node, op[1], home, methods=undone)


def _used_results(function: Function) -> set[int]:
    """Calls whose results are looked at: they may say that nothing was done."""
    found: set[int] = set()
    for node, op in enumerate(function.ops):
        if op is None:
            continue
        if op[0] in {TEST, RETURN}:
            found.update(_within(function, node))
        elif op[0] == SET:
            found.update(value for _, value in op[2] if type(value) is int)
    return found


def _within(function: Function, node: int) -> Iterator[int]:
    """The nodes whose source text is in that of a node. They come right before it."""
    first, last = function.at_nodes[node][:2], function.at_nodes[node][2:]
    for each in range(node - 1, -1, -1):
        at = function.at_nodes[each]
        if not first <= at[:2] <= at[2:] <= last:
            return
        yield each


def _kept(scan: Scan, function: Function, getters: set[str]) -> frozenset[str]:
    """Variables that keep a state: all that is assigned to them are results of getters."""
    found = set()
    for name, values in function.assigned.items():
        calls = [each for each in values if not _is_constant(each)]
        if calls and all(
            type(each) is int
            and (op := function.ops[each]) is not None
            and op[0] == CALL
            and scan.program.callee(function, each).external in getters
            for each in calls
        ):
            found.add(name)
    return frozenset(found)
