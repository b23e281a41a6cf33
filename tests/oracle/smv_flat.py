"""Programs of SMV by definition: every assignment is tried, every expression evaluated afresh.

A program is drawn at random with variables of all types, inputs, frozen variables, arrays, words,
modules with parameters, assignments, constraints and definitions. It is written as a file, and it
is flat here: expressions are nested tuples over variables with their full names. Values are
Python's; a word is ("w", value, width), with a negative width if it is signed.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from random import Random

Expr = tuple[Any, ...]


class NoValue(Exception):
    """Division by zero, no case, a value outside of the type."""


def wrap(value: int, width: int) -> tuple[str, int, int]:
    """The word with these lowest bits."""
    size = abs(width)
    value %= 1 << size
    if width < 0 and value >= 1 << (size - 1):
        value -= 1 << size
    return ("w", value, width)


def values(e: Expr, now: dict[str, Any], then: dict[str, Any]) -> list[Any]:  # noqa: PLR0911, PLR0912 - a line an operator
    """All values that an expression can have, at least one."""
    kind = e[0]
    if kind == "const":
        return [e[1]]
    if kind == "var":
        return [now[e[1]]]
    if kind == "alias":  # a name for an expression: a definition, by way of parameters
        return values(e[2], now, then)
    if kind == "next":
        return values(e[1], then, {})
    if kind in ("set", "union"):
        return [v for part in e[1:] for v in values(part, now, then)]
    if kind == "case":
        for condition, value in e[1:]:
            if one(condition, now, then):
                return values(value, now, then)
        raise NoValue
    if kind == "ite":
        return values(e[2] if one(e[1], now, then) else e[3], now, then)
    if kind == "in":
        left = one(e[1], now, then)
        return [any(left == right for right in values(e[2], now, then))]
    if kind == "&":
        return [all(one(part, now, then) for part in e[1:])]
    if kind == "|":
        return [any(one(part, now, then) for part in e[1:])]
    if kind == "->":
        return [not one(e[1], now, then) or one(e[2], now, then)]
    if kind == "index":
        at = one(e[1], now, then)
        if not e[2] <= at < e[2] + len(e[3]):
            raise NoValue
        return [one(e[3][at - e[2]], now, then)]
    inner = [one(part, now, then) for part in e[1:]]
    return [OPERATORS[kind](*inner)]


def one(e: Expr, now: dict[str, Any], then: dict[str, Any]) -> Any:
    """The only value of an expression."""
    (value,) = values(e, now, then)
    return value


def _divided(a: int, b: int) -> int:
    if b == 0:
        raise NoValue
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


def _remainder(a: int, b: int) -> int:
    return a - b * _divided(a, b)


OPERATORS = {
    "!": lambda a: not a,
    "xor": lambda a, b: a != b,
    "<->": lambda a, b: a == b,
    "=": lambda a, b: a == b,
    "!=": lambda a, b: a != b,
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": _divided,
    "mod": _remainder,
    "max": max,
    "min": min,
    "count": lambda *inner: sum(inner),
    "toint": int,
    "w+": lambda a, b: wrap(a[1] + b[1], a[2]),
    "w-": lambda a, b: wrap(a[1] - b[1], a[2]),
    "w&": lambda a, b: wrap(a[1] & b[1], a[2]),
    "wxor": lambda a, b: wrap(a[1] ^ b[1], a[2]),
    "w!": lambda a: wrap(~a[1], a[2]),
    "w<": lambda a, b: a[1] < b[1],
    "w<<1": lambda a: wrap(a[1] << 1, a[2]),
    "w>>1": lambda a: wrap(a[1] >> 1, a[2]),
    "wtoint": lambda a: a[1],
}


@dataclass
class Program:
    """Variables with their values, and all that constrains them."""

    domains: dict[str, list[Any]] = field(default_factory=dict)
    inputs: dict[str, list[Any]] = field(default_factory=dict)
    frozen: set[str] = field(default_factory=set)
    init: dict[str, Expr] = field(default_factory=dict)
    next: dict[str, Expr] = field(default_factory=dict)
    now: dict[str, Expr] = field(default_factory=dict)
    inits: list[Expr] = field(default_factory=list)
    trans: list[Expr] = field(default_factory=list)
    invars: list[Expr] = field(default_factory=list)
    fair: list[Expr] = field(default_factory=list)
    strong: list[tuple[Expr, Expr]] = field(default_factory=list)
    processes: list[dict[str, Expr]] = field(default_factory=list)
    """What each process but the outermost one assigns."""


State = tuple[Any, ...]


def graph(program: Program) -> tuple[list[State], dict[State, set[State]]]:
    """The initial states, and the steps between all that can be reached."""
    names = list(program.domains)
    every = [dict(zip(names, row, strict=True)) for row in product(*program.domains.values())]
    every = [s for s in every if _settled(program, s)]
    initial = [s for s in every if _is_initial(program, s)]
    steps: dict[State, set[State]] = {}
    waiting = list(initial)
    for state in waiting:  # grows
        key = tuple(state.values())
        if key in steps:
            continue
        after = [t for t in every if _is_step(program, state, t)]
        steps[key] = {tuple(t.values()) for t in after}
        waiting += after
    return [tuple(s.values()) for s in initial], steps


def _settled(program: Program, state: dict[str, Any]) -> bool:
    assigned = all(
        state[name] in _typed(program, name, values(e, state, {}))
        for name, e in program.now.items()
    )
    return assigned and all(one(e, state, {}) for e in program.invars)


def _is_initial(program: Program, state: dict[str, Any]) -> bool:
    fits = all(
        state[name] in _typed(program, name, values(e, state, {}))
        for name, e in program.init.items()
    )
    return fits and all(one(e, state, {}) for e in program.inits)


def _is_step(program: Program, state: dict[str, Any], after: dict[str, Any]) -> bool:
    if any(state[name] != after[name] for name in program.frozen):
        return False
    for row in product(*program.inputs.values()):
        now = {**state, **dict(zip(program.inputs, row, strict=True))}
        if not all(one(e, now, after) for e in program.trans):
            continue
        if any(_fits(program, made, now, after) for made in (program.next, *program.processes)):
            return True
    return False


def _fits(
    program: Program, made: dict[str, Expr], now: dict[str, Any], after: dict[str, Any]
) -> bool:
    """Whether the process with these assignments leads there. Others keep their variables."""
    kept = {name for each in (program.next, *program.processes) for name in each} - made.keys()
    return all(now[name] == after[name] for name in kept) and all(
        after[name] in _typed(program, name, values(e, now, after)) for name, e in made.items()
    )


def _typed(program: Program, name: str, found: list[Any]) -> list[Any]:
    if any(value not in program.domains[name] for value in found):
        raise NoValue
    return found


# Drawing and writing.

WIDTHS = (2, -2)
SYMBOLS = ("a", "b", "c")


def kind_of(domain: list[Any]) -> str:
    first = domain[0]
    if isinstance(first, bool):
        return "bool"
    if isinstance(first, int):
        return "int"
    return "sym" if isinstance(first, str) else f"w{first[2]}"


class Drawing:
    """Random expressions over variables, by kind."""

    def __init__(
        self, rng: Random, names: dict[str, str], more: list[tuple[str, Expr]] | None = None
    ) -> None:
        self.rng, self.names = rng, names
        self.more = more or []
        """Other leaves: definitions in instances, and elements of arrays, with their kinds."""

    def leaf(self, kind: str) -> Expr:
        rng = self.rng
        others = [e for each, e in self.more if each == kind]
        if others and rng.random() < 0.4:
            return rng.choice(others)
        known = [name for name, each in self.names.items() if each == kind]
        if known and rng.random() < 0.75:
            return ("var", rng.choice(known))
        if kind == "bool":
            return ("const", rng.random() < 0.5)
        if kind == "int":
            return ("const", rng.randint(0, 2))
        if kind == "sym":
            return ("const", rng.choice(SYMBOLS))
        return ("const", wrap(rng.randint(0, 3), int(kind[1:])))

    def expr(self, kind: str, depth: int) -> Expr:  # noqa: PLR0911 - a line a kind
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            return self.leaf(kind)
        sub = depth - 1
        if rng.random() < 0.15:
            return ("ite", self.expr("bool", sub), self.expr(kind, sub), self.expr(kind, sub))
        if rng.random() < 0.1:
            branch = (self.expr("bool", sub), self.expr(kind, sub))
            return ("case", branch, (("const", True), self.expr(kind, sub)))
        if kind == "bool":
            return self._condition(sub)
        if kind == "int":
            op = rng.choice(("+", "-", "*", "/", "mod", "max", "min", "count", "toint", "wtoint"))
            if op == "count":
                return ("count", self.expr("bool", sub), self.expr("bool", sub))
            if op == "toint":
                return ("toint", self.expr("bool", sub))
            if op == "wtoint":
                return ("wtoint", self.expr(f"w{rng.choice(WIDTHS)}", sub))
            if op in ("/", "mod"):
                return (op, self.expr("int", sub), ("const", rng.randint(1, 3)))
            return (op, self.expr("int", sub), self.expr("int", sub))
        if kind == "sym":
            return self.leaf("sym")
        op = rng.choice(("w+", "w-", "w&", "wxor", "w!", "w<<1", "w>>1"))
        if op in ("w!", "w<<1", "w>>1"):
            return (op, self.expr(kind, sub))
        return (op, self.expr(kind, sub), self.expr(kind, sub))

    def _condition(self, sub: int) -> Expr:
        rng = self.rng
        op = rng.choice(("!", "&", "|", "->", "xor", "<->", "=", "!=", "<", "<=", "in", "w<"))
        if op == "!":
            return ("!", self.expr("bool", sub))
        if op in ("=", "!="):
            kind = rng.choice(("bool", "int", "sym", "w2", "w-2"))
            return (op, self.expr(kind, sub), self.expr(kind, sub))
        if op in ("<", "<="):
            return (op, self.expr("int", sub), self.expr("int", sub))
        if op == "w<":
            kind = f"w{rng.choice(WIDTHS)}"
            return (op, self.expr(kind, sub), self.expr(kind, sub))
        if op == "in":
            kind = rng.choice(("int", "sym", "bool"))
            return ("in", self.expr(kind, sub), ("set", *(self.leaf(kind) for _ in range(2))))
        return (op, self.expr("bool", sub), self.expr("bool", sub))


def fitted(rng: Random, e: Expr, domain: list[Any]) -> Expr:
    """A number brought into its type, most of the time."""
    if kind_of(domain) == "int" and rng.random() < 0.95:
        return ("max", ("const", domain[0]), ("min", ("const", domain[-1]), e))
    if kind_of(domain) == "sym":
        return ("ite", ("in", e, ("set", *(("const", v) for v in domain))), e, ("const", domain[0]))
    return e


def text_of(e: Expr) -> str:  # noqa: PLR0911 - a line an operator
    """An expression as it is written, with all brackets."""
    kind = e[0]
    if kind == "const":
        return constant(e[1])
    if kind == "var":
        return e[1]
    if kind == "alias":
        return e[1]
    if kind == "index":
        return f"{e[4]}[{text_of(e[1])}]"
    if kind == "next":
        return f"next({text_of(e[1])})"
    if kind == "set":
        return "{" + ", ".join(map(text_of, e[1:])) + "}"
    if kind == "case":
        return "case " + " ".join(f"{text_of(c)} : {text_of(v)};" for c, v in e[1:]) + " esac"
    if kind == "ite":
        return f"({text_of(e[1])} ? {text_of(e[2])} : {text_of(e[3])})"
    inner = [text_of(part) for part in e[1:]]
    if kind in ("max", "min", "count", "toint", "wtoint"):
        return f"{kind.removeprefix('w')}({', '.join(inner)})"
    sign = {"w<<1": "<< 1", "w>>1": ">> 1"}.get(kind)
    if sign:
        return f"({inner[0]} {sign})"
    sign = kind.removeprefix("w") if len(kind) > 1 and kind[0] == "w" else kind
    if len(inner) == 1:
        return f"{sign}({inner[0]})"
    return "(" + f" {sign} ".join(inner) + ")"


def constant(value: Any) -> str:
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, tuple):
        _, number, width = value
        bits = number % (1 << abs(width))
        return f"0{'s' if width < 0 else 'u'}b{abs(width)}_{bits:0{abs(width)}b}"
    return str(value)


def type_text(domain: list[Any]) -> str:
    kind = kind_of(domain)
    if kind == "bool":
        return "boolean"
    if kind == "int":
        return f"{domain[0]}..{domain[-1]}"
    if kind == "sym":
        return "{" + ", ".join(domain) + "}"
    width = int(kind[1:])
    return f"{'signed' if width < 0 else 'unsigned'} word[{abs(width)}]"
