"""SMV modules by definition: every assignment is looked at, every expression evaluated afresh.

Expressions are nested tuples: ("const", 3), ("var", "x"), (operator, operand, ...), ("set", e, ...),
("case", (condition, value), ...), ("ite", c, a, b), ("next", e). `values(e, now, then)` is the set of values that e can have.
A module's states are all assignments of values, EXIT included, that can be reached. There is a step
from s to t if each variable's value in t is among those of its right side in s.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from oracle.machine import Box, Component, Machine, Node

if TYPE_CHECKING:
    from random import Random

Expr = tuple[Any, ...]
State = tuple[Any, ...]
EXIT = "EXIT"


@dataclass
class Module:
    """Domains, right sides, labels and calls, by name."""

    name: str
    domains: dict[str, tuple[Any, ...]]
    init: dict[str, Expr] = field(default_factory=dict)
    next: dict[str, Expr] = field(default_factory=dict)
    defines: dict[str, Expr] = field(default_factory=dict)
    calls: dict[str, Expr] = field(default_factory=dict)


class NoValue(Exception):
    """Division by zero, no case, a value outside of the type."""


def same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and a == b


def values(  # noqa: PLR0911, PLR0912 - a line an operator
    e: Expr, now: dict[str, Any], then: dict[str, Any] | None = None
) -> list[Any]:
    """All values that an expression can have."""
    kind = e[0]
    if kind == "const":
        return [e[1]]
    if kind == "var":
        return [now[e[1]]]
    if kind == "next":
        return values(e[1], then)
    if kind in ("set", "union"):
        return [v for part in e[1:] for v in values(part, now, then)]
    if kind == "case":
        for condition, value in e[1:]:
            if truth(condition, now, then):
                return values(value, now, then)
        raise NoValue
    if kind == "ite":
        return values(e[2] if truth(e[1], now, then) else e[3], now, then)
    if kind == "in":
        (left,) = values(e[1], now, then)
        return [any(same(left, right) for right in values(e[2], now, then))]
    if kind in ("&", "|", "->"):  # what is not needed is not evaluated
        left = truth(e[1], now, then)
        if left is (kind == "|"):
            return [kind != "&"]
        return [truth(e[2], now, then)] if left or kind == "|" else [kind == "->"]
    if kind in BOOLEAN:
        return [BOOLEAN[kind](*(truth(part, now, then) for part in e[1:]))]
    (left, right) = (values(part, now, then)[0] for part in e[1:])
    if kind == "=":
        return [same(left, right)]
    if kind == "!=":
        return [not same(left, right)]
    if EXIT in (left, right):
        return [False if kind in ORDER else EXIT]
    if kind in ORDER:
        return [ORDER[kind](left, right)]
    if kind in ("/", "mod"):
        if right == 0:
            raise NoValue
        quotient = int(left / right)
        return [quotient if kind == "/" else left - right * quotient]
    return [{"+": left + right, "-": left - right, "*": left * right}[kind]]


BOOLEAN = {
    "!": lambda a: not a,
    "&": lambda a, b: a and b,
    "|": lambda a, b: a or b,
    "->": lambda a, b: not a or b,
    "<->": lambda a, b: a == b,
    "xor": lambda a, b: a != b,
    "xnor": lambda a, b: a == b,
}
ORDER = {
    "<": lambda a, b: a < b,
    ">": lambda a, b: a > b,
    "<=": lambda a, b: a <= b,
    ">=": lambda a, b: a >= b,
}


def truth(e: Expr, now: dict[str, Any], then: dict[str, Any] | None = None) -> bool:
    (value,) = values(e, now, then)
    return value is True


def text_of(e: Expr) -> str:
    """With all brackets."""
    kind = e[0]
    if kind == "const":
        return {True: "TRUE", False: "FALSE"}[e[1]] if isinstance(e[1], bool) else str(e[1])
    if kind == "var":
        return e[1]
    if kind == "case":
        return "case " + " ".join(f"{text_of(c)} : {text_of(v)};" for c, v in e[1:]) + " esac"
    inside = [text_of(part) for part in e[1:]]
    if kind == "set":
        return "{" + ", ".join(inside) + "}"
    if kind == "next":
        return f"next({inside[0]})"
    if kind == "!":
        return f"(!{inside[0]})"
    if kind == "ite":
        return "({} ? {} : {})".format(*inside)
    return f"({inside[0]} {kind} {inside[1]})"


def module_text(module: Module) -> str:
    lines = [f"MODULE {module.name}", "VAR"]
    for name, domain in module.domains.items():
        if domain == (False, True):
            kind = "boolean"
        elif all(type(v) is int for v in domain):
            kind = f"{domain[0]}..{domain[-1]}"
        else:
            kind = "{" + ", ".join(map(str, domain)) + "}"
        lines.append(f"  {name} : {kind};")
    lines.append("DEFINE")
    lines += [f"  {name} := {text_of(e)};" for name, e in module.defines.items()]
    lines.append("CALL")
    lines += [f"  {name} := {text_of(e)};" for name, e in module.calls.items()]
    lines.append("ASSIGN")
    lines += [f"  init({name}) := {text_of(e)};" for name, e in module.init.items()]
    lines += [f"  next({name}) := {text_of(e)};" for name, e in module.next.items()]
    return "\n".join(lines) + "\n"


def allowed(module: Module, name: str, found: list[Any]) -> list[Any]:
    for value in found:
        if value != EXIT and not any(same(value, each) for each in module.domains[name]):
            raise NoValue
    return found


def is_initial(module: Module, state: dict[str, Any]) -> bool:
    for name, domain in module.domains.items():
        choices = (
            allowed(module, name, values(module.init[name], state))
            if name in module.init
            else domain
        )
        if not any(same(state[name], each) for each in choices):
            return False
    return True


def is_step(module: Module, now: dict[str, Any], then: dict[str, Any]) -> bool:
    for name, domain in module.domains.items():
        if now[name] == EXIT:
            choices = [EXIT]
        elif name in module.next:
            choices = allowed(module, name, values(module.next[name], now, then))
        else:
            choices = domain
        if not any(same(then[name], each) for each in choices):
            return False
    return True


def graph(module: Module) -> tuple[list[State], list[State], set[tuple[State, State]]]:
    """Initial states, reachable states, steps. NoValue where a right side has no value."""
    names = list(module.domains)
    every = [
        dict(zip(names, each, strict=True))
        for each in product(*((*domain, EXIT) for domain in module.domains.values()))
    ]
    initial = [key(state) for state in every if is_initial(module, state)]
    found = list(dict.fromkeys(initial))
    steps: set[tuple[State, State]] = set()
    for state in found:
        if all(value == EXIT for _, value in state):
            continue
        now = dict(zip(names, (value for _, value in state), strict=True))
        for then in every:
            if is_step(module, now, then):
                steps.add((state, key(then)))
                if key(then) not in found:
                    found.append(key(then))
    return initial, found, steps


def key(state: dict[str, Any]) -> State:
    """Values with their types, for TRUE is 1 in Python."""
    return tuple((type(value).__name__, value) for value in state.values())


def name_of(state: State) -> str:
    if all(value == EXIT for _, value in state):
        return EXIT
    return ",".join({True: "TRUE", False: "FALSE"}[v] if t == "bool" else str(v) for t, v in state)


def machine(
    modules: list[Module], start: str, atoms: dict[str, tuple[str, Expr]] | None = None
) -> Machine:
    """The recursive state machine of all modules. `atoms` are further labels, each of one module."""
    graphs = {module.name: graph(module) for module in modules}
    return Machine(
        tuple(_component(module, graphs, atoms or {}) for module in modules),
        start,
        tuple(map(name_of, dict.fromkeys(graphs[start][0]))),
    )


def _component(
    module: Module, graphs: dict[str, Any], atoms: dict[str, tuple[str, Expr]]
) -> Component:
    initial, states, steps = graphs[module.name]
    labels, callee = {}, {}
    for state in states:
        now = _values(module, state)
        labels[state] = tuple(name for name, e in module.defines.items() if truth(e, now))
        called = {name for name, e in module.calls.items() if truth(e, now)}
        if len(called) > 1 or (called and name_of(state) == EXIT):
            raise NoValue
        if called:
            (callee[state],) = called
    located = [s for s in states if s not in callee or labels[s] or s in initial]
    for label, (owner, e) in atoms.items():
        held = [s for s in states if owner == module.name and truth(e, _values(module, s))]
        if held and not set(held) & set(located):
            raise NoValue  # it holds at calls only
        for s in held:
            labels[s] += (label,)
    nodes = tuple(Node(name_of(s), s in initial, name_of(s) == EXIT, labels[s]) for s in located)
    boxes, edges = [], []
    for state, name in callee.items():
        entries = tuple(map(name_of, dict.fromkeys(graphs[name][0])))
        exits = tuple(name_of(s) for s in graphs[name][1] if name_of(s) == EXIT)
        boxes.append(Box(name_of(state), name, entries, exits))
        if state in located:
            edges += [(name_of(state), (name_of(state), entry)) for entry in entries]
    boxed = {box.name: box for box in boxes}
    for source, target in steps:
        here: list[Any] = [name_of(source)]
        if source in callee:
            box = boxed[name_of(source)]
            here = [(box.name, each) for each in box.return_nodes]
        there: list[Any] = [name_of(target)]
        if target not in located:
            box = boxed[name_of(target)]
            there = [(box.name, entry) for entry in box.call_nodes]
        edges += [(a, b) for a in here for b in there]
    return Component(module.name, nodes, tuple(boxes), tuple(edges))


def _values(module: Module, state: State) -> dict[str, Any]:
    return dict(zip(module.domains, (value for _, value in state), strict=True))


class Drawing:
    """Random modules."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def modules(self) -> list[Module]:
        names = ["main", "callee", "other"][: self.rng.choice((1, 1, 2, 3))]
        return [self.module(name, names) for name in names]

    def module(self, name: str, names: list[str]) -> Module:
        rng = self.rng
        kinds = rng.sample(
            [("x", (0, 1, 2)), ("s", ("a", "b", "c")), ("r", (False, True)), ("m", ("a", 1, 2))],
            rng.choice((1, 1, 2, 2, 3)),
        )
        made = Module(name, dict(kinds))
        self.domains = made.domains
        for variable in made.domains:
            if rng.random() < 0.85:
                made.init[variable] = self.choice(variable, 1, exits=0.05, constant=True)
                self.depend(made.init, variable, now=True)
            if rng.random() < 0.9:
                made.next[variable] = self.choice(variable, 2, exits=0.25)
                self.depend(made.next, variable, now=False)
        for label in "pq":
            if rng.random() < 0.8 or name == names[0]:
                made.defines[label] = self.boolean(2)
        if len(names) > 1 or rng.random() < 0.2:
            for callee in rng.sample(names, rng.choice((0, 1, 1, min(2, len(names))))):
                v = rng.choice(list(made.domains))
                made.calls[callee] = ("=", ("var", v), ("const", rng.choice(made.domains[v])))
        return made

    def depend(self, right_sides: dict[str, Expr], variable: str, *, now: bool) -> None:
        """Sometimes, a case on an earlier variable's value of the same moment."""
        earlier = list(self.domains)[: list(self.domains).index(variable)]
        if not earlier or self.rng.random() < 0.7:
            return
        other = self.rng.choice(earlier)
        value: Expr = ("var", other) if now else ("next", ("var", other))
        test = ("=", value, ("const", self.rng.choice(self.domains[other])))
        yes = self.choice(variable, 0, exits=0.1, constant=True)
        right_sides[variable] = ("case", (test, yes), (("const", True), right_sides[variable]))

    def choice(self, variable: str, depth: int, exits: float, *, constant: bool = False) -> Expr:
        """A right side: mostly values of the type."""
        rng = self.rng
        domain = self.domains[variable]
        pick = rng.random()
        if depth and pick < 0.5 and not constant:
            if rng.random() < 0.3:
                return (
                    "ite",
                    self.boolean(1),
                    *(self.choice(variable, depth - 1, exits) for _ in "ab"),
                )
            v = rng.choice(list(self.domains))
            branches = []
            for value in rng.sample(self.domains[v], rng.randint(1, len(self.domains[v]))):
                test: Expr = ("=", ("var", v), ("const", value))
                if rng.random() < 0.3:
                    test = ("in", ("var", v), ("set", ("const", value), ("const", EXIT)))
                if rng.random() < 0.3:
                    test = ("&", test, self.boolean(1))
                if rng.random() < 0.15:
                    test = self.boolean(1)
                branches.append((test, self.choice(variable, depth - 1, exits)))
            branches.append((("const", True), self.choice(variable, 0, exits)))
            return ("case", *branches)
        if pick < 0.6 and domain == (0, 1, 2) and not constant and "x" in self.domains:
            return ("mod", ("+", ("var", "x"), ("const", rng.randint(0, 3))), ("const", 3))
        if pick < 0.7 and domain == (False, True) and not constant:
            return self.boolean(1)
        some = [
            ("const", EXIT if rng.random() < exits else rng.choice(domain))
            for _ in range(rng.choice((1, 1, 2, 3)))
        ]
        if len(some) == 1:
            return some[0] if rng.random() < 0.5 else ("set", *some)
        return ("set", *some) if rng.random() < 0.8 else ("union", some[0], ("set", *some[1:]))

    def boolean(self, depth: int) -> Expr:
        rng = self.rng
        if depth and rng.random() < 0.6:
            op = rng.choice(list(BOOLEAN))
            return (op, *(self.boolean(depth - 1) for _ in range(1 if op == "!" else 2)))
        v = rng.choice(list(self.domains))
        domain = self.domains[v]
        if domain == (False, True) and rng.random() < 0.6:
            return ("var", v)
        if domain == (0, 1, 2) and rng.random() < 0.6:
            return (rng.choice(list(ORDER)), self.number(2), self.number(1))
        some = [("const", each) for each in rng.sample((*domain, EXIT), rng.randint(1, 3))]
        if rng.random() < 0.5:
            return (rng.choice(("=", "!=")), ("var", v), some[0])
        return ("in", ("var", v), ("set", *some))

    def atom(self, module: Module) -> Expr:
        """A condition without connectives, so that a formula takes it as one label."""
        self.domains = module.domains
        while True:
            found = self.boolean(0)
            if found[0] != "!=" and "var" in repr(found):
                return found

    def number(self, depth: int) -> Expr:
        rng = self.rng
        if depth and rng.random() < 0.5:
            return (
                rng.choice(("+", "-", "*", "/", "mod")),
                self.number(depth - 1),
                self.number(depth - 1),
            )
        return ("var", "x") if rng.random() < 0.5 else ("const", rng.randint(0, 3))
