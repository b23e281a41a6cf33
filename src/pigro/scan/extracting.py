"""A program to one model: each function is a component, and a driver calls what users can call.

| in the program | in the model |
|---|---|
| a function | a component with entry `start` and exits `return`, `raise` |
| a generator | also an entry `resume` and an exit `yield`. `for` and `with` run it |
| a coroutine | a component that `await` calls |
| a call of known functions | a box for each of them |
| a class statement | a box for its body, which runs where the class is defined |
| an unknown call | a node. It may raise, through a node labelled `soft` |
| a statement in a `try` with handlers | may raise, through a node labelled `odd` |

Labels: `def_F.x` and `use_F.x` for the variable `x` of the function or module `F`, `call_NAME` for
a call of a function from outside, `unknown` for a call that could lead anywhere, `soft`, `odd`.
Uses and definitions are on separate nodes, so that a formula can tell their order.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pigro.scan.exceptions import ANY, STOPS, ProgramExceptions
from pigro.scan.machine import CallBox, ScanComponent, ScanMachine
from pigro.scan.variables import ProgramVariables
from pigro.sources.graph import (
    AWAIT,
    CALL,
    DEFINE,
    DELEGATE,
    ENTER,
    EXIT,
    FOR,
    RAISE,
    RAISE_NODE,
    RETURN_NODE,
    YIELD,
    Function,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.model import RSM
    from pigro.sources.link import LinkedProgram

DRIVER = "main"


@dataclass
class Extraction:
    """A model, and the parts that are not in it."""

    model: RSM
    calls: int = 0
    unknown: int = 0
    """Calls that could lead anywhere."""
    outside: int = 0
    """Calls of functions that are not among the sources."""
    machine: ScanMachine = field(default_factory=ScanMachine)


def extract(
    program: LinkedProgram, *, entries: Sequence[str] = (), unknown_raises: bool = True
) -> Extraction:
    """The model of a program. `entries` are the functions that the driver calls.

    Without any, these are the modules and all functions without an underscore. `unknown_raises`
    says whether calls of unknown code may raise.
    """
    return _ModelExtractor(program, unknown_raises=unknown_raises).all(entries)


class _ModelExtractor:
    def __init__(self, program: LinkedProgram, *, unknown_raises: bool) -> None:
        self.program = program
        self.exceptions = ProgramExceptions(program)
        self.variables = ProgramVariables(program)
        self.unknown_raises = unknown_raises
        self.machine = ScanMachine()
        self.counts = [0, 0, 0]
        self.bodies = {
            (each.outside, each.at[:2]): each
            for each in program.functions.values()
            if each.kind == "class"
        }
        """Bodies of classes, by the function around them and the place of the statement."""

    def all(self, entries: Sequence[str]) -> Extraction:
        called = [self.program.functions[each] for each in entries]
        if not called:
            called = [each for each in self.program.functions.values() if _is_public(each)]
        self._driver(called)
        for function in self.program.functions.values():
            self.machine.components[function.name] = _ComponentExtractor(self, function).component
        files = {name: module.file for name, module in self.program.home.items()}
        files[DRIVER] = min(files.values(), default="")
        model, _ = self.machine.model([("", 0)], files)
        calls, unknown, outside = self.counts
        return Extraction(model, calls, unknown, outside, self.machine)

    def _driver(self, called: Iterable[Function]) -> None:
        made = ScanComponent(DRIVER, Function(DRIVER, "module", (0, 0, 0, 0)))
        self.machine.components[""] = made
        start = made.node(-1)
        again = made.node(-1)
        made.edges.append((start, again))
        for function in called:
            box = CallBox(function.name, -1, [again])
            for each in exits(function):
                box.returns[each] = [again]
            made.boxes.append(box)
        made.edges.append((again, again))


def exits(function: Function) -> tuple[str, ...]:
    """The exits of the component of a function."""
    return ("return", "raise", "yield") if function.is_generator else ("return", "raise")


def _is_public(function: Function) -> bool:
    if function.kind in {"module", "class"}:
        return function.kind == "module"
    last = function.name.rpartition(".")[2]
    return not last.startswith("_") or last.endswith("__")


class _ComponentExtractor:
    """The component of one function."""

    def __init__(self, all_: _ModelExtractor, function: Function) -> None:
        self.all, self.function = all_, function
        made = self.component = ScanComponent(function.name, function)
        self.first: dict[int, int] = {}
        """The model node where each node of the function begins,"""
        self.last: dict[int, list[int]] = {}
        """and those where it ends."""
        self.odds: dict[int, int] = {}
        self.suspended: list[int] = []
        start = made.node(0, *self._parameters())
        self.first[0], self.last[0] = start, [start]
        for each in exits(function):
            made.exits[each] = made.node(-1)
        self.first[RETURN_NODE] = made.exits["return"]
        self.first[RAISE_NODE] = made.exits["raise"]
        for node in range(3, len(function.ops)):
            self._uses(node)
        for node in range(3, len(function.ops)):
            self._operation(node)
        self._edges()

    def _parameters(self) -> list[str]:
        function = self.function
        return [f"def_{function.name}.{each.lstrip('*')}" for each in function.parameters]

    def _uses(self, node: int) -> None:
        """The node that reads, or stands for the operation."""
        op = self.function.ops[node]
        labels = []
        if op is not None:
            labels = [f"use_{each}" for each in self.all.variables.read(self.function, op)]
        self.first[node] = self.component.node(node, *labels)

    def _operation(self, node: int) -> None:
        op, here = self.function.ops[node], self.first[node]
        self.last[node] = [here]
        if op is None:
            return
        made = self.component
        defined = [f"def_{each}" for each in self.all.variables.assigned(self.function, op)]
        body = self._class_body(node) if op[0] == DEFINE else None
        if body is not None:
            after = made.node(node, *defined)
            self._box(node, here, body, {"return": [after]})
            self.last[node] = [after]
        elif defined:
            if made.labels[here]:
                after = made.node(node, *defined)
                made.edges.append((here, after))
                self.last[node] = [after]
            else:
                made.labels[here] = tuple(defined)
        code = op[0]
        if code == CALL:
            self._call(node, here)
        elif code == RAISE:
            for each in self.all.exceptions.raised_types(self.function, op):
                self._lead([here], node, each)
            self.last[node] = []
        elif code in {AWAIT, FOR, ENTER, EXIT, DELEGATE}:
            self._run(node, op, here)
        elif code == YIELD:
            self._yield(node, here)
        self._odd(node, here)

    def _class_body(self, node: int) -> Function | None:
        """The body of the class that is defined at a node. None for a function."""
        at = self.function.at_nodes[node]
        return self.all.bodies.get((self.function.name, at[:2]))

    def _odd(self, node: int, here: int) -> None:
        """Any statement in a `try` with handlers may raise."""
        pad = self.function.node_pads[node]
        if pad <= 0 or not self._has_handlers(pad):
            return
        odd = self.odds.get(pad)
        if odd is None:
            odd = self.odds[pad] = self.component.node(-1, "odd")
            self._lead([odd], node, ANY)
        self.component.edges.append((here, odd))

    def _has_handlers(self, pad: int) -> bool:
        pads = self.function.pads
        while pad > 0:
            if pads[pad].clauses:
                return True
            pad = pads[pad].outer
        return False

    def _lead(self, sources: list[int], node: int, raised: str) -> None:
        """Edges to wherever an exception goes."""
        pad = self.function.node_pads[node]
        for land in self.all.exceptions.landings(self.function, pad, raised):
            for source in sources:
                self.component.edges.append((source, self.first[land]))

    def _soft(self, node: int, here: int) -> None:
        if self.all.unknown_raises:
            soft = self.component.node(node, "soft")
            self.component.edges.append((here, soft))
            self._lead([soft], node, ANY)

    def _call(self, node: int, here: int) -> None:
        counts, made = self.all.counts, self.component
        counts[0] += 1
        callee = self.all.program.callee(self.function, node)
        bodies = [each for each in callee.functions if not each.is_generator and not each.is_async]
        if callee.functions:
            after = made.node(node)
            for each in bodies:
                self._box(node, here, each, {"return": [after]})
            if len(bodies) < len(callee.functions):
                made.edges.append((here, after))
            self.last[node] = [after]
            return
        if callee.external is not None:
            counts[2] += 1
            made.labels[here] = (*made.labels[here], f"call_{callee.external}")
            raised = self.all.exceptions.of_call(self.function, node)
            if callee.external in STOPS:
                self.last[node] = []
                return
            if not raised.returns:
                self.last[node] = []
                for kind in raised.types:
                    self._lead([here], node, kind)
                return
        elif callee.made is None:
            counts[1] += 1
            made.labels[here] = (*made.labels[here], "unknown")
        self._soft(node, here)

    def _box(self, node: int, here: int, callee: Function, returns: dict[str, list[int]]) -> None:
        box = CallBox(callee.name, node, [here])
        box.returns = dict(returns)
        raised = self.component.node(-1)
        box.returns.setdefault("raise", [raised])
        self._lead([raised], node, ANY)
        self.component.boxes.append(box)

    def _run(self, node: int, op: tuple[Any, ...], here: int) -> None:
        """Operations that run code of the value: a generator, a coroutine, a context manager."""
        made = self.all.program.started(self.function, op[1])
        if made is None or made.is_async != (op[0] == AWAIT) or made.name == "":
            self._protocol(node, op, here)
            return
        after = self.component.node(node)
        returns = {"return": [after]}
        if made.is_generator:
            returns["yield"] = [after]
        self._box(node, here, made, returns)
        if op[0] == DELEGATE:
            self._yield(node, after)
        if op[0] in {FOR, EXIT, DELEGATE}:
            self._resume(node, here, made, after)
        self.last[node] = [after]

    def _resume(self, node: int, here: int, made: Function, after: int) -> None:
        box = CallBox(made.name, node, [here], {"return": [after], "yield": [after]}, "resume")
        raised = self.component.node(-1)
        box.returns["raise"] = [raised]
        self._lead([raised], node, ANY)
        self.component.boxes.append(box)

    def _protocol(self, node: int, op: tuple[Any, ...], here: int) -> None:
        """Special methods that a statement calls, as far as the class is known."""
        names = {
            ENTER: ("__aenter__" if op[2:3] == (True,) else "__enter__"),
            EXIT: ("__aexit__" if op[2:3] == (True,) else "__exit__"),
        }
        name = names.get(op[0])
        thing = None
        if name is not None:
            thing = self.all.program.value(self.function, op[1])
        if name is not None and thing is not None and thing.kind == "instance":
            functions = self.all.program.methods(thing.name, name).functions
            if functions:
                after = self.component.node(node)
                for each in functions:
                    self._box(node, here, each, {"return": [after]})
                self.last[node] = [after]
                return
        if op[0] == DELEGATE:
            self._yield(node, here)
        self._soft(node, here)

    def _yield(self, node: int, here: int) -> None:
        """Leaves, and is resumed, thrown into or given up."""
        made = self.component
        made.edges.append((here, made.exits["yield"]))
        back = made.node(node)
        self.suspended.append(back)
        thrown = made.node(node, "thrown")
        made.edges.append((back, thrown))
        self._lead([thrown], node, ANY)
        self.last[node] = [back]

    def _edges(self) -> None:
        made, function = self.component, self.function
        for node, ends in self.last.items():
            for target, _ in function.edges[node]:
                made.edges += ((end, self.first[target]) for end in ends)
        if function.is_generator:
            resume = made.node(-1)
            made.entries["resume"] = resume
            made.edges += ((resume, each) for each in self.suspended)
            made.edges.append((resume, made.exits["raise"]))
