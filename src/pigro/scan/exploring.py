"""A function under a binding, explored state by state into a component.

A state is a node of the function, what a rule follows (`Followed`, any hashable value) and facts. A
`Tracker` says for each operation how the followed value changes, which labels the node gets, and
which calls are followed into the functions that they call.

A call that may raise gets an edge to the handler. Where the code that is called is from outside, by
way of a node labelled `soft`. A state in a `finally` also has a fact with the exception that goes
on after it.

A generator that is followed has an exit and an entry for each of its `yield`. So has its caller a
fact: the `yield` where it is suspended. In a component of its own, a function that yields just goes
on.

The cap: a component has at most `GROWTH` times the nodes of its function. If there are
more, it is explored again with fewer facts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from pigro.scan.chains import INSIDE, MAYBE, SOFT, FunctionChains, kinds_of, raised_by
from pigro.scan.exceptions import ANY, ProgramExceptions
from pigro.scan.facts import MOST, FunctionTests
from pigro.scan.generators import generator_at, yields_of
from pigro.scan.machine import CallBox, ScanComponent
from pigro.scan.true_values import TrueValues
from pigro.sources.graph import (
    CATCH,
    DELEGATE,
    ENTER,
    EXIT,
    FOR,
    HANGUP,
    NOWHERE,
    RAISE,
    RAISE_NODE,
    RETURN_NODE,
    SUPPRESS,
    YIELD,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Hashable, Iterable, Mapping, Sequence

    from pigro.limits import Budget
    from pigro.scan.exceptions import RaisedTypes
    from pigro.scan.facts import Facts
    from pigro.scan.machine import ScanMachine, Told
    from pigro.sources.graph import Edge, Function, Guard
    from pigro.sources.link import LinkedProgram

GROWTH = 12
_LEAST = 300
_SEARCHES = 30
"""Searches through a whole function."""
_TYPES = 8
_PASSING = "!"
"""Before the kind of an exception that a `finally` passes on, as a fact."""
_RUNNING = "~"
"""Before the node of a call of a generator, and that of the `yield` where it is suspended."""
_LEFT, _RESUMED, _THROWN = "yield ", "resume ", "throw "
"""Before the node of a `yield`: an exit of a generator, and its entries."""
Followed = Any
State = tuple[int, Followed, "Facts"]


class Effect(NamedTuple):
    """The effect of an operation on the followed value."""

    followed: Followed
    labels: tuple[str, ...] = ()
    stop: bool = False
    """Whether runs need not be followed any further."""
    late: bool = False
    """Whether the labels only hold if the operation does not raise."""
    call: tuple[Function, Followed] | None = None
    """The function to follow into, and the value followed there."""
    leave: str = ""
    """The exit that a called function leaves through instead."""
    raised: str = ""
    """A type of exceptions that the operation may raise: by way of a node labelled `acq`."""


class Tracker(Protocol):
    """What a template follows."""

    throws: bool
    """Whether exceptions that are thrown into a generator where it yields are followed."""
    start: int
    """The node of the event that the question is about. -1 if there is none."""
    before: frozenset[Followed]
    """The values that are followed before this event."""

    def effect(
        self, function: Function, node: int, op: tuple[Any, ...], followed: Followed
    ) -> Effect:
        """What the operation at a node does."""

    def back(self, function: Function, node: int, followed: Followed, exit_: str) -> Followed:
        """The value followed after a call that was followed has returned."""

    def leaves(self, followed: Followed, exit_: str) -> tuple[str, ...]:
        """The labels of an exit of the function that the question starts in."""

    def excluded(self, followed: Followed, guard: Any) -> bool:
        """Whether a guard contradicts the followed value."""

    def next_turn(self, chains: FunctionChains, followed: Followed, first: int, end: int) -> int:
        """The first number of a chain, from `first` on, where `effect` has an effect."""


class TooLarge(Exception):
    """A component grew beyond the cap."""


class EachNode:
    """For trackers that look at each node, and whose value calls, exits and tests don't touch."""

    throws = False
    start = -1
    before: frozenset[Followed] = frozenset()

    def back(self, function: Function, node: int, followed: Followed, exit_: str) -> Followed:
        """Nothing changes."""
        return followed

    def leaves(self, followed: Followed, exit_: str) -> tuple[str, ...]:
        """Exits have no labels."""
        return ()

    def excluded(self, followed: Followed, guard: Any) -> bool:
        """The followed value says nothing about tests."""
        return False

    def next_turn(self, chains: FunctionChains, followed: Followed, first: int, end: int) -> int:
        """See `Tracker`."""
        return first


@dataclass
class RuleContext:
    """What all components of a rule share."""

    program: LinkedProgram
    exceptions: ProgramExceptions
    machine: ScanMachine
    budget: Budget

    def __post_init__(self) -> None:
        self.true_values = TrueValues(self.program)
        self._tests: dict[tuple[str, int], FunctionTests] = {}
        self._chains: dict[tuple[str, bool], FunctionChains] = {}
        self._before: dict[str, dict[int, list[int]]] = {}
        self._searched: dict[str, int] = {}
        """By function: how many nodes searches for ways to events have passed."""

    def tests(self, function: Function, most: int) -> FunctionTests:
        """The tests of a function that are worth keeping."""
        key = (function.name, most)
        if key not in self._tests:
            self._tests[key] = FunctionTests(function, most, self.true_values)
        return self._tests[key]

    def chains(self, function: Function, *, throws: bool) -> FunctionChains:
        """The chains of a function."""
        key = (function.name, throws)
        if key not in self._chains:
            tests = self.tests(function, MOST)
            self._chains[key] = FunctionChains(function, self.exceptions, tests, throws=throws)
        return self._chains[key]

    def leading(self, function: Function, start: int) -> set[int] | None:
        """The nodes with a way to a node. None for all, where many searches cost too much."""
        spent = self._searched.get(function.name, 0)
        if spent > _SEARCHES * len(function.ops):
            return None
        found = _leading(self.before(function), [start])
        self._searched[function.name] = spent + len(found)
        return found

    def before(self, function: Function) -> dict[int, list[int]]:
        """By node of a function: the nodes before it."""
        found = self._before.get(function.name)
        if found is None:
            found = self._before[function.name] = _predecessors(function)
        return found

    def add(
        self,
        key: Hashable,
        function: Function,
        role: Tracker,
        start: Followed,
        *,
        probe: bool,
        prefix: tuple[str, ...] = (),
    ) -> None:
        """Makes a component, and those that it calls, unless they are there.

        `prefix` is for the keys of those that it calls, where they depend on the role.
        """
        pending = [(key, function, start, probe)]
        while pending:
            key, function, start, probe = pending.pop()
            if key in self.machine.components:
                continue
            made = self._explored(function, role, start, probe=probe, prefix=prefix)
            self.machine.components[key] = made.component
            pending += made.called

    def _explored(
        self,
        function: Function,
        role: Tracker,
        start: Followed,
        *,
        probe: bool,
        prefix: tuple[str, ...],
    ) -> ComponentExplorer:
        for most in (MOST, MOST // 2):
            try:
                return ComponentExplorer(
                    self, function, role, start, probe=probe, most=most, prefix=prefix
                )
            except TooLarge:
                if not probe:
                    break
        return ComponentExplorer(self, function, role, start, probe=probe, most=0, prefix=prefix)


class ComponentExplorer:
    """One component."""

    def __init__(
        self,
        world: RuleContext,
        function: Function,
        role: Tracker,
        start: Followed,
        *,
        probe: bool,
        most: int,
        prefix: tuple[str, ...] = (),
    ) -> None:
        self.world, self.function, self.role, self.probe = world, function, role, probe
        self.tests = world.tests(function, most if probe else 0)
        self.chains = world.chains(function, throws=role.throws)
        self.most = max(_LEAST, GROWTH * len(function.ops)) if most else 1 << 30
        self.prefix = prefix
        self.component = ScanComponent(function.name, function, numbered=self.chains.nodes)
        self.nodes: dict[State, int] = {}
        self.pending: list[State] = []
        self.called: list[tuple[Hashable, Function, Followed, bool]] = []
        self.exit_of: dict[tuple[str, tuple[str, ...]], int] = {}
        self.running: dict[str, set[int]] = {}
        """By fact that a generator is suspended: the nodes where it matters."""
        types = _exit_types(world.exceptions, function)
        self.exits = {"return", "object", "raise", *(f"raise:{each}" for each in types)}
        self.leading: set[int] | None = None
        """The nodes that matter before the event."""
        self.aside = -1
        """The node for all others."""
        if probe and role.start >= 0:
            self.leading = world.leading(function, role.start)
        self._at((0, start, ()))
        if function.is_generator and not probe:
            for each in yields_of(function):
                self._suspend(each, start)
        while self.pending:
            if len(self.component.labels) > self.most:
                raise TooLarge
            world.budget.poll()
            self._expand(self.pending.pop())
        if not probe:
            for name in self.exits:
                self._exit(name, None)

    def _at(self, state: State) -> int:
        """The model node of a state."""
        found = self.nodes.get(state)
        if found is None:
            if state[0] == RETURN_NODE:
                return self._exit("return", state[1])
            leading = self.leading
            if leading is not None and state[0] not in leading and state[1] in self.role.before:
                return self._aside()
            if self.running:
                kept = tuple(each for each in state[2] if self._matters(each[0], state[0]))
                if kept != state[2]:
                    return self._at((state[0], state[1], kept))
            found = self.nodes[state] = self.component.node(state[0])
            self.pending.append(state)
        return found

    def _aside(self) -> int:
        """The node where runs end that the question is not about."""
        if self.aside < 0:
            self.aside = self.component.node(-1)
        return self.aside

    def _exit(self, name: str, followed: Followed) -> int:
        if name not in self.exits:
            name = "raise"
        labels = self.role.leaves(followed, name) if self.probe else ()
        found = self.exit_of.get((name, labels))
        if found is None:
            found = self.exit_of[name, labels] = self.component.node(-1, *labels)
            shown = name if name not in self.component.exits else f"{name} {' '.join(labels)}"
            self.component.exits[shown] = found
        return found

    def _expand(self, state: State) -> None:
        node, followed, facts = state
        function, made = self.function, self.component
        here = self.nodes[state]
        first = self.chains.number[node]
        if first >= 0:
            end = self.role.next_turn(self.chains, followed, first, self.chains.ends[first])
            if end > first:
                self._pass(here, first, end, state)
                return
        op = function.ops[node]
        if op is None:
            self._go_on(here, node, followed, facts)
            return
        effect = self.role.effect(function, node, op, followed)
        raised = raised_by(self.world.exceptions, function, node, op)
        at = here
        if effect.leave and not self.probe:
            made.edges.append((here, self._exit(effect.leave, effect.followed)))
            return
        if effect.labels:
            if effect.late:
                at = made.node(node, *effect.labels)
                made.edges.append((here, at))
            else:
                made.labels[here] = effect.labels
        if effect.raised:
            thrown = made.node(node, "acq")
            made.edges.append((here, thrown))
            self._raise(thrown, node, effect.followed, facts, effect.raised)
        if effect.stop:
            return
        if effect.call is not None:
            self._call(here, node, effect, facts)
            return
        if op[0] in {YIELD, DELEGATE} and function.is_generator and not self.probe:
            made.edges.append((here, self.component.exits[f"{_LEFT}{node}"]))
            return
        if op[0] == YIELD and self.role.throws:
            thrown = made.node(node, "thrown")
            made.edges.append((here, thrown))
            for land in self.world.exceptions.landings(function, function.node_pads[node], ANY):
                made.edges.append((thrown, self._land(land, effect.followed, facts, ANY)))
        if raised is not None:
            if op[0] == RAISE and function.at_nodes[node] == NOWHERE:
                self._go_on_raising(here, node, effect.followed, facts)
                return
            self._throw(here, node, followed if effect.late else effect.followed, facts, raised)
            if not raised.returns:
                return
        if op[0] == RAISE:
            return
        if op[0] == EXIT and op[3]:
            self._leave(at, node, effect.followed, facts)
            return
        self._go_on(at, node, effect.followed, self.tests.after(facts, node, op))

    def _leave(self, at: int, node: int, followed: Followed, facts: Facts) -> None:
        """The end of a `with` that an exception comes to."""
        known = _passing(facts)
        answer = self.world.exceptions.suppressed(
            self.function, node, known.lstrip(MAYBE + INSIDE), foreign=known == INSIDE + ANY
        )
        if answer is not True:
            self._go_on(at, node, followed, facts)
        if answer is not False:
            self._suppress(at, node, followed, facts)

    def _suppress(self, at: int, node: int, followed: Followed, facts: Facts) -> None:
        """An exception ends at a node."""
        ends = [(target, None) for target, guard in self.function.edges[node] if guard == SUPPRESS]
        self._go_on(at, node, followed, _not_passing(facts), ends)

    def _go_on(
        self,
        at: int,
        node: int,
        followed: Followed,
        facts: Facts,
        ways: Iterable[Edge] | None = None,
    ) -> None:
        """The edges of a node, or those of them that are `ways`."""
        edges = self.component.edges
        for target, guard in self.function.edges[node] if ways is None else ways:
            if guard is not None:
                if guard == SUPPRESS:
                    continue
                if guard == HANGUP or self._is_excluded(followed, guard):
                    continue
            known = self.tests.passing(facts, guard)
            if known is not None:
                edges.append((at, self._at((target, followed, known))))

    def _is_excluded(self, followed: Followed, guard: Guard) -> bool:
        if self.role.excluded(followed, guard):
            return True
        return self.world.program.contradicts(self.function, guard)

    def _pass(self, here: int, first: int, end: int, state: State) -> None:
        """Passes the numbers of a chain from `first` on, where nothing happens to what is followed.

        One node stands for all of them, and one more for each that may raise.
        """
        chains, made = self.chains, self.component
        _, followed, facts = state
        likely: set[int] = set()
        for kind, at in chains.raising(first, end):
            node, label = chains.nodes[at], ("soft",) if kind[0] == MAYBE else ()
            raising = here
            if at > first or label:
                raising = made.node(node, *label)
                self._edge(here, raising, range(first + 1, at))
            landed = self._raise(raising, node, followed, facts, kind, but=likely)
            if kind[0] == MAYBE:
                likely.update(landed)
        last = chains.nodes[end - 1]
        target = self._at((self.function.edges[last][0][0], followed, facts))
        self._edge(here, target, range(first + 1, end))

    def _edge(self, source: int, target: int, passed: range) -> None:
        self.component.edges.append((source, target))
        if passed:
            self.component.passed[source, target] = passed

    def _throw(
        self, here: int, node: int, followed: Followed, facts: Facts, raised: RaisedTypes
    ) -> None:
        for kind in kinds_of(raised, self.world.exceptions):
            at = here
            if kind[0] == MAYBE:
                at = self.component.node(node, "soft")
                self.component.edges.append((here, at))
            self._raise(at, node, followed, facts, kind)

    def _raise(
        self,
        here: int,
        node: int,
        followed: Followed,
        facts: Facts,
        kind: str,
        but: Collection[int] = (),
    ) -> list[int]:
        """The edges to where an exception of a kind goes, but not to `but`, and these nodes."""
        exceptions, op = self.world.exceptions, self.function.ops[node]
        is_soft = kind == SOFT
        raised = ANY if is_soft else kind.lstrip(MAYBE + INSIDE)
        inside = exceptions.believes and (is_soft or kind[0] == INSIDE)
        told: Told | None = None
        if not is_soft and op is not None and op[0] != RAISE:
            likely = kind[0] == MAYBE
            told = partial(exceptions.told, self.function, node, raised, likely=likely)
            if likely:
                self.component.why[here] = told
        lands = exceptions.landings(
            self.function,
            self.function.node_pads[node],
            raised,
            foreign=is_soft or (kind[0] == MAYBE and raised == ANY),
            inside=inside,
        )
        if is_soft:
            lands = [each for each in lands if each not in but]
        for land in lands:
            edge = (here, self._land(land, followed, facts, INSIDE + raised if inside else raised))
            self.component.edges.append(edge)
            if told is not None:
                self.component.raised[edge] = told
        return lands

    def _go_on_raising(self, here: int, node: int, followed: Followed, facts: Facts) -> None:
        """The end of a `finally` or `with` that an exception passes."""
        self._raise(here, node, followed, _not_passing(facts), _passing(facts))

    def _land(self, land: int, followed: Followed, facts: Facts, kind: str) -> int:
        if land == RAISE_NODE:
            return self._exit("raise" if kind == ANY else f"raise:{kind}", followed)
        op = self.function.ops[land]
        if self.world.exceptions.believes and (op is None or op[0] != CATCH):
            facts = (*_not_passing(facts), (_PASSING + kind, True))
        return self._at((land, followed, facts))

    def _call(self, here: int, node: int, effect: Effect, facts: Facts) -> None:
        """A call that is followed, or a generator that is run."""
        assert effect.call is not None
        callee, start = effect.call
        key = (*self.prefix, "callee", callee.name, start)
        self.called.append((key, callee, start, False))
        op = self.function.ops[node]
        assert op is not None
        if generator_at(self.world.program, self.function, op) is callee:
            self._run(here, node, key, effect, facts)
            return
        box = CallBox(key, node, [here])
        after = self.component.node(node)
        self._go_on(after, node, effect.followed, self.tests.after(facts, node, op))
        box.returns["return"] = [after]
        given = self.role.back(self.function, node, effect.followed, "object")
        other = self.component.node(node)
        self._go_on(other, node, given, self.tests.after(facts, node, op))
        box.returns["object"] = [other]
        self._box(box, callee, effect.followed, facts)

    def _box(self, box: CallBox, callee: Function, followed: Followed, facts: Facts) -> None:
        """Adds a box, with ways for all exceptions that have none yet."""
        self.component.boxes.append(box)
        pad, exceptions = self.function.node_pads[box.origin], self.world.exceptions
        likely = exceptions.of_functions((callee,), _part(callee)).likely
        for each in (ANY, *_exit_types(exceptions, callee)):
            inside = exceptions.believes and each not in likely and each != "SystemExit"
            lands = exceptions.landings(self.function, pad, each, inside=inside)
            kind = INSIDE + each if inside else each
            nodes = [self._land(land, followed, facts, kind) for land in lands]
            box.returns.setdefault("raise" if each == ANY else f"raise:{each}", nodes)

    # --- generators

    def _suspend(self, node: int, start: Followed) -> None:
        """The exit of a generator where it yields, and the entries where it goes on."""
        made, function, exceptions = self.component, self.function, self.world.exceptions
        left = made.exits[f"{_LEFT}{node}"] = made.node(node)
        resumed = made.entries[f"{_RESUMED}{node}"] = made.node(node)
        thrown = made.entries[f"{_THROWN}{node}"] = made.node(node)
        for land in exceptions.landings(function, function.node_pads[node], ANY):
            made.edges.append((thrown, self._land(land, start, (), ANY)))
        op = function.ops[node]
        assert op is not None
        if op[0] == DELEGATE:
            effect = self.role.effect(function, node, op, start)
            if effect.call is not None:
                self._delegate(resumed, left, node, effect)
                return
            made.edges.append((resumed, left))
        self._go_on(resumed, node, start, ())

    def _run(self, here: int, node: int, key: Hashable, effect: Effect, facts: Facts) -> None:
        """Starts a generator, resumes it, or throws an exception into it."""
        op = self.function.ops[node]
        assert op is not None
        assert effect.call is not None
        if op[0] == EXIT:
            self._end(here, node, key, effect, facts)
            return
        callee, followed, made = effect.call[0], effect.followed, self.component
        prefix = f"{_RUNNING}{op[1]} "
        known = [test.removeprefix(prefix) for test, _ in facts if test.startswith(prefix)]
        facts = tuple(each for each in facts if not each[0].startswith(prefix))
        box = CallBox(key, node, [here], entry=f"{_RESUMED}{known[0]}" if known else "")
        edges = self.function.edges[node]
        if op[0] == DELEGATE:
            left = made.node(node) if self.probe else made.exits[f"{_LEFT}{node}"]
            if self.probe:
                self._delegate(left, left, node, effect)
            box.returns = {f"{_LEFT}{each}": [left] for each in yields_of(callee)}
        else:
            for each in yields_of(callee):
                after = made.node(node)
                more = (*facts, (self._keep(f"{prefix}{each}", op[1]), True))
                self._go_on(after, node, followed, more, edges[:1])
                box.returns[f"{_LEFT}{each}"] = [after]
        if op[0] != ENTER:
            after = made.node(node)
            self._go_on(after, node, followed, facts, edges[1:] if op[0] == FOR else None)
            box.returns["return"] = [after]
        self._box(box, callee, followed, facts)

    def _delegate(self, resumed: int, left: int, node: int, effect: Effect) -> None:
        """`yield from` goes on with any `yield` of the other generator."""
        assert effect.call is not None
        callee, start = effect.call
        key = (*self.prefix, "callee", callee.name, start)
        self.called.append((key, callee, start, False))
        after = self.component.node(node)
        self._go_on(after, node, effect.followed, ())
        yields = yields_of(callee)
        for each in yields:
            box = CallBox(key, node, [resumed], {"return": [after]}, f"{_RESUMED}{each}")
            box.returns.update({f"{_LEFT}{other}": [left] for other in yields})
            self._box(box, callee, effect.followed, ())

    def _end(self, here: int, node: int, key: Hashable, effect: Effect, facts: Facts) -> None:
        """The end of a `with`. An exception ends there if the generator returns."""
        op = self.function.ops[node]
        assert op is not None
        assert effect.call is not None
        callee, followed, made = effect.call[0], effect.followed, self.component
        after = made.node(node)
        passed = made.node(node)
        if op[3]:
            self._suppress(after, node, followed, facts)
            self._go_on(passed, node, followed, facts)
        else:
            self._go_on(after, node, followed, facts)
        prefix = f"{_RUNNING}{op[1]} "
        known = [test.removeprefix(prefix) for test, _ in facts if test.startswith(prefix)]
        for each in known or yields_of(callee):
            entry = f"{_THROWN if op[3] else _RESUMED}{each}"
            box = CallBox(key, node, [here], {"return": [after]}, entry)
            if op[3]:
                types = _exit_types(self.world.exceptions, callee)
                box.returns["raise"] = [passed]
                box.returns.update({f"raise:{x}": [passed] for x in types})
            self._box(box, callee, followed, facts)

    def _keep(self, fact: str, call: int) -> str:
        """Notes where a fact matters: on ways to operations that run what a call made."""
        if fact not in self.running:
            ends = [
                node
                for node, op in enumerate(self.function.ops)
                if op is not None and op[0] in {FOR, EXIT} and op[1] == call
            ]
            self.running[fact] = _leading(self.world.before(self.function), ends, but=call)
        return fact

    def _matters(self, fact: str, node: int) -> bool:
        return fact not in self.running or node in self.running[fact]


def _predecessors(function: Function) -> dict[int, list[int]]:
    """By node: the nodes before it, also by way of exceptions."""
    found: dict[int, list[int]] = {}
    for node, edges in enumerate(function.edges):
        for target, _ in edges:
            found.setdefault(target, []).append(node)
        pad = function.node_pads[node]
        while pad > 0:
            for _, target in function.pads[pad].clauses:
                found.setdefault(target, []).append(node)
            pad = function.pads[pad].outer
    return found


def _leading(before: Mapping[int, Sequence[int]], ends: Sequence[int], but: int = -1) -> set[int]:
    """The nodes with a way to some nodes that does not pass one."""
    found, pending = set(ends), list(ends)
    while pending:
        for each in before.get(pending.pop(), ()):
            if each not in found and each != but:
                found.add(each)
                pending.append(each)
    return found


def boxes_alone(made: ScanComponent, key: Hashable, node: int, callee: Function) -> None:
    """Makes a component of a node alone that runs a function: its call, or a generator."""
    op = made.function.ops[node]
    assert op is not None
    start, after = made.node(node), made.node(node)
    ends = {"return": [after], "raise": [after]}
    runs = callee.is_generator
    suspended = {each: made.node(node) for each in (yields_of(callee) if runs else ())}
    lefts = {f"{_LEFT}{each}": [at] for each, at in suspended.items()}
    if op[0] != EXIT or not runs:
        made.boxes.append(CallBox(key, node, [start], {**ends, **lefts}))
    for each, at in suspended.items():
        if op[0] != ENTER:
            entry = f"{_THROWN if op[0] == EXIT and op[3] else _RESUMED}{each}"
            made.boxes.append(
                CallBox(key, node, [start if op[0] == EXIT else at], {**ends, **lefts}, entry)
            )


def _part(function: Function) -> str:
    """The part of a function that boxes run."""
    return "all" if function.is_generator else ""


def _passing(facts: Facts) -> str:
    """The kind of the exception that a `finally` or `with` passes on."""
    known = [test[len(_PASSING) :] for test, _ in facts if test.startswith(_PASSING)]
    return known[0] if known else ANY


def _not_passing(facts: Facts) -> Facts:
    """Facts without the exception that a `finally` passes on."""
    return tuple(each for each in facts if not each[0].startswith(_PASSING))


def _exit_types(exceptions: ProgramExceptions, function: Function) -> list[str]:
    """The types of exceptions that have an exit of their own."""
    raised = exceptions.of(function, _part(function))
    types = {*raised.types, *raised.likely} - {ANY}
    return sorted(types, key=lambda each: (each not in raised.likely, each))[:_TYPES]
