"""Template use-def: values that are stored and never read.

Sites are assignments of the result of a call to a local variable that is read elsewhere in its
function. A variable that is never read at all is left to linters, which find it without a model.
Calls that seem to be made for something else than their result are left out. See `_CallPurpose`.

A short search finds a use after most assignments, and those need no model. The others are nodes of
one component a variable, with the labels `def` and `use`. Of an assignment in `finally`, which is
copied for each way out, all copies must be dead.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from pigro.rules.templates import TEMPLATES
from pigro.scan.knowledge import CONSUMING, EMPTY, EMPTY_CONTAINERS, FOR_EFFECT
from pigro.scan.machine import ScanComponent, ScanMachine
from pigro.scan.sites import RuleQuestion, Site, ask
from pigro.scan.templates.holding import parameters
from pigro.sources.graph import CALL, CATCH, ENTER, EXIT, RAISE, RETURN, SET
from pigro.sources.operations import paths, read

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.rules.rule import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function
    from pigro.sources.link import Callee, LinkedProgram

_DYNAMIC = frozenset({"locals", "vars", "eval", "exec", "globals"})
_NOTES = {"def": "stored here"}


def dead_stores(scan: Scan, rule: Rule) -> list[Finding]:
    """The findings of a rule."""
    machine = ScanMachine()
    sites: list[Site] = []
    for function, (name, nodes) in scan.places(rule, _stores):
        purpose = _CallPurpose(scan.program, function)
        dead = [node for node in nodes if not purpose.is_another(node)]
        if not dead:
            continue
        key = (function.name, name)
        machine.components[key] = _VariableFlow(function, name).component()
        message = rule.said(name=name)
        sites += [Site(key, function, node, message, start=node) for node in dead]
    template = TEMPLATES[rule.template]
    question = RuleQuestion(template.formula, None, _NOTES)
    return ask(scan, rule, machine, sites, question)


def _stores(_: LinkedProgram, __: Rule, function: Function) -> Iterator[tuple[str, list[int]]]:
    """Variables that are read somewhere, with assignments that no use follows soon."""
    if function.kind != "function":
        return
    for name, nodes in _candidates(function):
        flow = _VariableFlow(function, name)
        used = {function.at_nodes[node] for node in nodes if flow.is_used_soon(node)}
        dead = [node for node in nodes if function.at_nodes[node] not in used]
        if dead and flow.uses:
            yield name, dead


def _candidates(function: Function) -> Iterator[tuple[str, list[int]]]:
    """Variables, each with the nodes where it gets the result of a call."""
    named: dict[str, list[int]] = {}
    for node, op in enumerate(function.ops):
        if op is None:
            continue
        if op[0] == SET and len(op[2]) == 1:
            target, value = op[2][0]
            if type(value) is tuple and value[0] == "i":
                value = value[1]
            if type(value) is int and "." not in target and "[" not in target:
                named.setdefault(target, []).append(node)
        elif op[0] == CALL and op[1] in _DYNAMIC:
            return
    for name, nodes in named.items():
        hidden = name in function.captured or name in function.shared or name.startswith("_")
        if not hidden:
            yield name, nodes


class _CallPurpose:
    """Why a call is made whose result is not read."""

    def __init__(self, program: LinkedProgram, function: Function) -> None:
        self.program, self.function = program, function

    def is_another(self, node: int) -> bool:
        """Whether an assignment is there for something else than its value."""
        function = self.function
        [(_, value)] = function.ops[node][2]  # type: ignore[index]
        call = value[1] if type(value) is tuple else value
        op = function.ops[call] if type(call) is int else None
        if op is None or op[0] != CALL:
            return True
        is_entered = any(each is not None and each[:2] == (ENTER, value) for each in function.ops)
        return (
            is_entered
            or self._is_empty(call, op)
            or self._is_decorated(node, op)
            or self._is_in_place(node, call, op)
            or self._moves_on(node)
            or self._is_attempt(node)
        )

    def _is_empty(self, call: int, op: tuple[Any, ...]) -> bool:
        """Whether a call makes an empty value: a start value, written for the reader."""
        if op[4] or len(op[3]) > 1:
            return False
        if not op[3] and op[1] in EMPTY:
            return True
        name = self.program.callee(self.function, call).external
        is_default = name == "collections.defaultdict"
        return name in EMPTY_CONTAINERS and (is_default or not op[3])

    def _is_decorated(self, node: int, op: tuple[Any, ...]) -> bool:
        """Whether a function that is defined here is given to a decorator by hand."""
        [(target, _)] = self.function.ops[node][2]  # type: ignore[index]
        values = self.function.assigned.get(target, ())
        is_defined = any(type(each) is tuple and each[0] == "f" for each in values)
        return is_defined and target in op[3]

    def _is_in_place(self, node: int, call: int, op: tuple[Any, ...]) -> bool:
        """Whether a function changes an argument and returns it: `x = filled(x)`."""
        [(target, _)] = self.function.ops[node][2]  # type: ignore[index]
        callee = self.program.callee(self.function, call)
        if target not in op[3] or len(callee.functions) != 1:
            return False
        [called] = callee.functions
        return self._gives_back(called, callee, op, op[3].index(target))

    def _gives_back(
        self, called: Function, callee: Callee, op: tuple[Any, ...], at: int, deep: int = 4
    ) -> bool:
        """Whether a function returns the argument at a place, also through other functions."""
        names = parameters(called, callee, op, [at])
        if names is None or not deep:
            return False
        for each in called.ops:
            if each is None or each[0] != RETURN:
                continue
            if each[2] == names[0]:
                return True
            inner = called.ops[each[2]] if type(each[2]) is int else None
            if inner is not None and inner[0] == CALL and names[0] in inner[3]:
                next_ = self.program.callee(called, each[2])
                place = inner[3].index(names[0])
                if len(next_.functions) == 1 and self._gives_back(
                    next_.functions[0], next_, inner, place, deep - 1
                ):
                    return True
        return False

    def _moves_on(self, node: int) -> bool:
        """Whether the statement takes something from a queue, or calls for some other effect."""
        function = self.function
        line, column, *end = function.at_nodes[node]
        for each, op in enumerate(function.ops):
            at = function.at_nodes[each]
            inside = (line, column) <= at[:2] and list(at[2:]) <= end
            if op is not None and op[0] == CALL and inside:
                last = op[1].rpartition(".")[2]
                words = {last, _first_word(last)}
                if words & CONSUMING or words & FOR_EFFECT or ("parse" in words and not op[3]):
                    return True
                if any(map(_consumes, self.program.callee(function, each).functions)):
                    return True
        return False

    def _is_attempt(self, node: int) -> bool:
        """Whether the assignment ends a `try` whose handlers go another way.

        Then the call may be there for its exception.
        """
        function = self.function
        pad = function.node_pads[node]
        handlers = [entry for types, entry in function.pads[pad].clauses if types is not None]
        if not handlers:
            return False
        at = node
        while True:
            after = [target for target, _ in function.edges[at]]
            if len(after) != 1 or function.node_pads[after[0]] != pad:
                onward = {self._onward(each) for each in (node, *handlers)}
                return at == node and len(onward) > 1
            [at] = after
            op = function.ops[at]
            if op is None or op[0] != CALL:
                return op is not None and op[0] == RAISE

    def _onward(self, node: int) -> int:
        """The next node that does something."""
        function = self.function
        while len(function.edges[node]) == 1:
            [(node, _)] = function.edges[node]
            if function.ops[node] is not None:
                break
        return node


def _first_word(name: str) -> str:
    """`read` of `read_line`, `_read` and `readLine`."""
    found = re.match("_*([a-z]+)", name)
    return "" if found is None else found[1]


def _consumes(function: Function) -> bool:
    """Whether a function takes something from one of its parameters."""
    return any(
        op is not None
        and op[0] == CALL
        and (home := op[1].rpartition("."))[0] in function.parameters
        and home[2] in CONSUMING
        for op in function.ops
    )


class _VariableFlow:
    """Where a variable is read and assigned, and where runs can go."""

    def __init__(self, function: Function, name: str) -> None:
        self.function, self.name = function, name
        self.uses: set[int] = set()
        self.defs: set[int] = set()
        inside = f"{name}."
        for node, op in enumerate(function.ops):
            if op is None:
                continue
            found = read(op)
            if op[0] == EXIT:
                found = paths(op[1])
            elif op[0] == SET:
                found += [
                    each.removesuffix("[]")
                    for each, value in op[2]
                    if each != name or value == ("d",)
                ]
                if any(each == name for each, _ in op[2]):
                    self.defs.add(node)
            elif op[0] == CATCH and op[2] == name:
                self.defs.add(node)
            if any(each == name or each.startswith(inside) for each in found):
                self.uses.add(node)

    def after(self, node: int) -> list[int]:
        """The nodes that a run can get to next. Exceptions may come anywhere in a `try`."""
        function = self.function
        found = [target for target, _ in function.edges[node]]
        pad = function.node_pads[node]
        while pad > 0:
            found += [target for _, target in function.pads[pad].clauses]
            pad = function.pads[pad].outer
        return found

    def is_used_soon(self, start: int) -> bool:
        """Whether a search finds a use before the next definition."""
        pending, seen = self.after(start), {start}
        while pending:
            node = pending.pop()
            if node in self.uses:
                return True
            if node in seen or node in self.defs:
                continue
            seen.add(node)
            pending += self.after(node)
        return start in self.uses and start in seen and self._loops(start, seen)

    def _loops(self, start: int, seen: set[int]) -> bool:
        """Whether the assignment itself reads the value in the next round of a loop."""
        return any(start in self.after(node) for node in seen)

    def component(self) -> ScanComponent:
        """The function, with the labels of this variable."""
        made = ScanComponent(f"{self.function.name} ({self.name})", self.function)
        for node in range(len(self.function.ops)):
            labels = []
            if node in self.uses:
                labels.append("use")
            if node in self.defs:
                labels.append("def")
            made.node(node, *labels)
        made.exits = {"return": 1, "raise": 2}
        made.edges = [
            (node, target)
            for node in range(len(self.function.ops))
            if node not in {1, 2}
            for target in dict.fromkeys(self.after(node))
        ]
        return made
