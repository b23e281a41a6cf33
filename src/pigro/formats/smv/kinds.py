"""Looks up names and says of what kind every expression is.

In a module, a name is a variable, a definition or a constant of an enumeration. In a formula it
may also be a label that only other modules define, for labels are shared, or have the name of a
module in front: `foo.state = f1`. Variables and constants are local.

Kinds are bits, since an enumeration may hold numbers and symbols. Every value may also be EXIT,
which is no kind. A mistake here has a place; nothing is evaluated.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import did_you_mean, printable
from pigro.formats.smv.nodes import CONNECTIVES, TEMPORAL, Expression, N, Nodes
from pigro.formats.smv.parser import BOOL, INT, SYMBOL, kind_of
from pigro.formats.smv.text import Fault

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pigro.formats.smv.parser import Module

SET, FORMULA, SHIFTED = 8, 16, 32
"""Several values at once; a temporal operator; a value of the next state."""
_VALUES = BOOL | INT | SYMBOL
_WORDS = {BOOL: "a truth value", INT: "a number", SYMBOL: "a symbol"}

_ELEMENT = "to ask for an element, write `x in {a, b}`"
DEPTH = 150
"""Values may be nested this deep, brackets and chains of one operator not counted."""


_CONSTANTS = {"true": "TRUE", "false": "FALSE", "tt": "TRUE", "ff": "FALSE"}
"""How other languages write them."""


class Checked(NamedTuple):
    """For each node of an expression."""

    kinds: list[int]
    depths: list[int]


class Names:
    """What names mean, in all modules."""

    def __init__(self, modules: Mapping[str, Module], nodes: Nodes) -> None:
        self.modules = modules
        self.nodes = nodes
        self.numbers = {
            module.name: {name: i for i, name in enumerate(module.variables)}
            for module in modules.values()
        }
        self.variables = {module.name: list(module.variables) for module in modules.values()}
        self.domains = {
            module.name: [variable.domain for variable in module.variables.values()]
            for module in modules.values()
        }
        self.kinds: dict[tuple[str, str], int] = {}
        """Of each definition, by module and name."""
        self.depth_at: dict[int, int] = {}
        """How deeply values are nested, by root."""
        self.labels: set[str] = set()
        """Definitions that are true or false: the labels, shared by all modules."""

    def define(self) -> None:
        """Looks through all definitions; they may refer to each other, but not in circles."""
        for module in self.modules.values():
            for name in self._ordered(module):
                root = module.defines[name]
                kinds = self.value(Expression(self.nodes, root), module.name)
                if kinds & SHIFTED:
                    raise Fault("P122", "a definition can't use next", self.nodes.at[root])
                self.kinds[module.name, name] = kinds
                if is_condition(kinds):
                    self.labels.add(name)

    def _ordered(self, module: Module) -> list[str]:
        """The definitions, each after those that it uses."""
        nodes = self.nodes
        uses: dict[str, set[str]] = {}
        users: dict[str, list[str]] = {}
        for name, root in module.defines.items():
            span = range(nodes.first[root], root + 1)
            used = {str(nodes.args[n]) for n in span if nodes.ops[n] == N.NAME}
            uses[name] = used & module.defines.keys()
            for each in uses[name]:
                users.setdefault(each, []).append(name)
        waiting = {name: len(used) for name, used in uses.items()}
        ready = [name for name in module.defines if not waiting[name]]
        for name in ready:  # grows
            for user in users.get(name, ()):
                waiting[user] -= 1
                if not waiting[user]:
                    ready.append(user)
        if len(ready) < len(module.defines):
            stuck = next(name for name in module.defines if waiting[name])
            message = f"`{printable(stuck)}` is defined by way of itself"
            raise Fault("P124", message, nodes.at[module.defines[stuck]])
        return ready

    def value(self, whole: Expression, module: str) -> int:
        """Looks up the names of an expression that is no formula; its kinds."""
        checked = self.check(whole, module, formula=False)
        nodes = whole.nodes
        for node, depth in zip(whole.span, checked.depths, strict=True):
            if nodes.ops[node] in TEMPORAL:
                raise Fault("P125", "a temporal operator can stand in a SPEC only", nodes.at[node])
            if depth > DEPTH:
                raise too_deep(nodes, node)
        if nodes is self.nodes:
            self.depth_at[whole.root] = checked.depths[-1]
        return checked.kinds[-1]

    def check(self, whole: Expression, module: str, *, formula: bool) -> Checked:
        """Looks up the names of an expression in a module; kinds and depths of its nodes."""
        nodes = whole.nodes
        start = nodes.first[whole.root]
        kinds: list[int] = []
        depths: list[int] = []
        mentioned = [module]
        for node in whole.span:
            op = nodes.ops[node]
            if op == N.NAME:
                self._look_up(nodes, node, mentioned, formula=formula)
                op = nodes.ops[node]
            depth = 0
            if op >= N.NOT:
                args = nodes.children(node)
                depth = 1 + max([depths[each - start] for each in args])
                kind = _kinds_of(nodes, node, op, [kinds[each - start] for each in args])
            elif op == N.CONSTANT:
                kind = kind_of(nodes.args[node])
            elif op == N.VARIABLE:
                owner, number = nodes.args[node]
                kind = self.domains[owner][number].kinds
            elif op == N.DEFINED:
                owner, name = nodes.args[node]
                kind = self.kinds[owner, name]
                depth = 1 + self.depth_at[self.modules[owner].defines[name]]
            else:
                kind = BOOL
            kinds.append(kind)
            depths.append(depth)
        return Checked(kinds, depths)

    def _look_up(self, nodes: Nodes, node: int, mentioned: list[str], *, formula: bool) -> None:
        """Turns a NAME into what it stands for. `mentioned` are the modules whose names count."""
        name = str(nodes.args[node])
        owner, _, local = name.rpartition(".")
        if owner and not formula:
            message = f"`{printable(name)}`: a value can't look into modules"
            raise Fault("P122", message, nodes.at[node])
        if owner:
            if owner not in self.modules:
                hint = did_you_mean(owner, self.modules)
                raise Fault(
                    "P123", f"there is no module `{printable(owner)}`", nodes.at[node], hint
                )
            mentioned.append(owner)
        module = owner or mentioned[0]
        number = self.numbers[module].get(local)
        if number is not None:
            nodes.ops[node], nodes.args[node] = N.VARIABLE, (module, number)
        elif local in self.modules[module].defines and (module, local) in self.kinds:
            nodes.ops[node], nodes.args[node] = N.DEFINED, (module, local)
        elif not owner and any(local in self.modules[each].constants for each in mentioned):
            nodes.ops[node], nodes.args[node] = N.CONSTANT, local
        elif not owner and formula and local in self.labels:
            nodes.ops[node], nodes.args[node] = N.LABEL, local
        else:
            raise self._unknown(name, module, local, nodes.at[node])

    def _unknown(self, name: str, module: str, local: str, at: int) -> Fault:
        known = self.modules[module]
        hint = did_you_mean(local, [*known.variables, *known.defines, *known.constants])
        before, dash, _ = local.partition("-")
        if hint is None and dash and self.numbers[module].get(before) is not None:
            hint = "a name may hold `-`: for a difference write spaces around it"
        if local in _CONSTANTS:
            hint = f"write {_CONSTANTS[local]}"
        message = f"`{printable(name)}` is not defined in module `{printable(module)}`"
        return Fault("P123", message, at, hint)


def too_deep(nodes: Nodes, node: int) -> Fault:
    """The fault for a value that is nested too deeply."""
    message = f"the expression is nested more than {DEPTH} levels deep"
    return Fault("P129", message, nodes.at[node], "write it with fewer levels")


def is_condition(kinds: int) -> bool:
    """True or false in every state."""
    return kinds & (_VALUES | SET | FORMULA) == BOOL


def _kinds_of(nodes: Nodes, node: int, op: int, inner: list[int]) -> int:  # noqa: C901, PLR0911 - a table of rules
    """The kinds of an operator over arguments of these kinds."""
    shifted = 0
    for each in inner:
        shifted |= each & SHIFTED
    if op in CONNECTIVES or op in TEMPORAL:
        _need(nodes, node, inner, BOOL)
        formula = FORMULA if op in TEMPORAL else 0
        for each in inner:
            formula |= each & FORMULA
        return BOOL | shifted | formula
    if any(each & FORMULA for each in inner):
        message = "a temporal operator can stand only under `!`, `&`, `|`, `->` and the like"
        raise Fault("P125", message, nodes.at[node])
    if N.LT <= op <= N.GE:
        _need(nodes, node, inner, INT)
        return BOOL | shifted
    if N.ADD <= op <= N.MOD or op == N.MINUS:
        _need(nodes, node, inner, INT)
        return INT | shifted
    if op in (N.EQ, N.NE, N.IN):
        _comparable(nodes, node, op, inner)
        return BOOL | shifted
    if op == N.NEXT:
        if shifted:
            raise Fault("P122", "next inside of next is not supported", nodes.at[node])
        return inner[0] | SHIFTED
    if op == N.RANGE:
        _need(nodes, node, inner, INT)
        return INT | SET | shifted
    return _choice(nodes, node, op, inner) | shifted


def _choice(nodes: Nodes, node: int, op: int, inner: list[int]) -> int:
    """Sets, unions, case and `?:`: the kinds of all that may come out."""
    joined = 0
    if op in (N.CASE, N.ITE):
        args = nodes.children(node)
        step = 2 if op == N.CASE else 3
        for i in range(0, len(inner), step):
            _need_one(nodes, args[i], inner[i], BOOL)
            for each in inner[i + 1 : i + step]:
                joined |= each & (_VALUES | SET)
        return joined
    for each in inner:
        joined |= each & _VALUES
    return joined | SET


def _need(nodes: Nodes, node: int, inner: Iterable[int], kind: int) -> None:
    for arg, each in zip(nodes.children(node), inner, strict=True):
        _need_one(nodes, arg, each, kind)


def _need_one(nodes: Nodes, arg: int, kinds: int, kind: int) -> None:
    if kinds & SET:
        message = f"expected {_WORDS[kind]}, found a set"
        raise Fault("P125", message, nodes.at[arg], _ELEMENT)
    if not kinds & kind:
        raise Fault("P125", f"expected {_WORDS[kind]}, found {words(kinds)}", nodes.at[arg])


def _comparable(nodes: Nodes, node: int, op: int, inner: list[int]) -> None:
    left, right = inner
    sets = (left if op == N.IN else left | right) & SET
    if sets:
        side = nodes.children(node)[0 if left & SET else 1]
        raise Fault("P125", "a set can't be compared", nodes.at[side], _ELEMENT)
    if left & _VALUES and right & _VALUES and not left & right & _VALUES:
        message = f"{words(left)} is compared with {words(right)}"
        hint = "truth values are written TRUE and FALSE" if (left | right) & BOOL else None
        raise Fault("P125", message, nodes.at[node], hint)


def words(kinds: int) -> str:
    """Kinds for a message."""
    named = [word for kind, word in _WORDS.items() if kinds & kind]
    return " or ".join(named) if named else "EXIT"
