"""Expressions to those of the native core, each once for each instance.

Names are looked up here. What operators become is in `operators.py`. An expression that a name or a
parameter stands for is compiled once and evaluated once a state. Arrays are no values of the core:
an element with a constant index is the element, others are chosen among all.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import did_you_mean, printable
from pigro.formats.smv.instances import (
    SELF,
    ArrayElements,
    ModuleInstance,
    ProcessRunning,
    ScalarVariable,
    ScopedExpression,
    definitions,
)
from pigro.formats.smv.kinds import BOOL, INT, SET, SHIFTED, WORD
from pigro.formats.smv.native import Op
from pigro.formats.smv.operators import CoreExpression, OperatorCompiler, plain_rule
from pigro.formats.smv.syntax.nodes import EXIT, ExpressionNodes, N
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Container, Iterable, Mapping

    from pigro import _core
    from pigro.formats.smv.instances import Entity, ModuleTree
    from pigro.formats.smv.native import SymbolNumbers

_CONSTANTS = {"true": "TRUE", "false": "FALSE", "tt": "TRUE", "ff": "FALSE"}
"""How other languages write them."""
_NOTHING: frozenset[int] = frozenset()


class ArrayValue(NamedTuple):
    """Several, by index."""

    low: int
    items: tuple[Compiled, ...]


class DefinedArray(NamedTuple):
    """An array with definitions among its elements. Only those that are used are compiled."""

    elements: ArrayElements
    shift: int


Compiled = CoreExpression | ArrayValue | DefinedArray | ModuleInstance
_Key = tuple[int, int, ModuleInstance, int]


class ExpressionCompiler(OperatorCompiler):
    """Compiles expressions of one program."""

    def __init__(
        self,
        program: ModuleTree,
        machine: _core.Machine,
        symbols: SymbolNumbers,
        slots: Mapping[ScalarVariable, int],
        variables: int,
    ) -> None:
        self._symbols = {
            name: symbols.symbol(name)
            for name in program.constants
            if "." not in name and name != SELF
        }
        """The constants. An instance may have something else of this name."""
        super().__init__(machine, symbols, self._symbols)
        self.program = program
        self.slots = slots
        """The slot of the current value of each variable, and of each input."""
        self.variables = variables
        """How many are variables. The others are inputs."""
        self.selector: int | None = None
        """The slot that says which process makes the step."""
        self._known: dict[_Key, Compiled] = {}
        self._names: dict[tuple[ModuleInstance, int], dict[str, Compiled]] = {}
        """What names are in an instance, in this state or the next, once they were looked up."""
        self._kept: dict[int, ExpressionNodes] = {}
        """Keeps the numbers in `_known` from being those of other nodes later."""

    def code(self, written: ScopedExpression, *, shift: bool = False) -> CoreExpression:
        """An expression that has a value. With `shift`, about the next state."""
        made = self.compiled(written, shift=shift)
        return self._value(written.nodes, written.root, made)

    def compiled(self, written: ScopedExpression, *, shift: bool = False) -> Compiled:
        """The same for arrays and instances too. What it refers to comes first: no recursion."""
        wanted = self._key(written, int(shift))
        if wanted in self._known:
            return self._known[wanted]
        ahead = _ahead(*written[:2])
        if not self._missing(written, wanted[3], ahead):
            made = self._known[wanted] = self._compile(written, wanted[3], ahead)
            return made
        jobs = [wanted]
        waiting = {jobs[0]: written}
        opened: set[_Key] = set()
        while jobs:
            key = jobs[-1]
            if key in self._known:
                jobs.pop()
                continue
            now = waiting[key]
            ahead = _ahead(*now[:2])
            missing = self._missing(now, key[3], ahead)
            if missing and key not in opened:
                opened.add(key)
                for other, each in missing.items():
                    if other in opened:
                        raise _circle(each)
                    waiting[other] = each
                    jobs.append(other)
                continue
            if missing:
                raise _circle(now)
            opened.discard(key)
            self._known[key] = self._compile(now, key[3], ahead)
            jobs.pop()
        return self._known[wanted]

    def _key(self, written: ScopedExpression, shift: int) -> _Key:
        nodes, root, instance = written
        self._kept[id(nodes)] = nodes
        return id(nodes), root, instance, shift

    def _missing(
        self, written: ScopedExpression, shift: int, ahead: Container[int]
    ) -> dict[_Key, ScopedExpression]:
        """The expressions that names stand for and that are not compiled yet."""
        nodes, root, instance = written
        found: dict[_Key, ScopedExpression] = {}
        if nodes.selected(root):
            return self._missing_parts(written, shift, ahead)
        symbols, own, given = self._symbols, instance.names, instance.parameters
        for moved, names in _names(nodes, root, ahead):
            moment = shift | moved
            known = self._names.get((instance, moment), ())
            for name in names:
                if name in known or (name in symbols and name not in own and name not in given):
                    continue
                meant = self.program.look_up(instance, name)
                if isinstance(meant, ArrayElements) and any(definitions(meant)):
                    return self._missing_parts(written, shift, ahead)
                if isinstance(meant, ScopedExpression):
                    key = self._key(meant, moment)
                    if key not in self._known:
                        found[key] = meant
        return found

    def _missing_parts(
        self, written: ScopedExpression, shift: int, ahead: Container[int]
    ) -> dict[_Key, ScopedExpression]:
        """The same where a name is part of a longer one, with dots or indices."""
        found: dict[_Key, ScopedExpression] = {}
        for node, meant in self.program.meanings(written):
            for each in definitions(meant):
                found[self._key(each, shift | (node in ahead))] = each
        return {key: each for key, each in found.items() if key not in self._known}

    def _compile(self, written: ScopedExpression, shift: int, ahead: Container[int]) -> Compiled:
        nodes, root, instance = written
        if ahead and shift:
            raise TokenFault("P122", "next inside of next is not supported", nodes.at[root])
        names = self._names.setdefault((instance, shift), {}) if not ahead else {}
        made: Compiled = self._core.compile(
            nodes.ops,
            nodes.args,
            nodes.at,
            nodes.first[root],
            root,
            names,
            [instance.names, instance.parameters],
            partial(self._leaf, written, shift, ahead, nodes.selected(root)),
            partial(plain_rule, nodes),
            partial(self._over, nodes, shift, ahead),
        )
        return self._whole(made, nodes.at[root])

    def _leaf(
        self,
        written: ScopedExpression,
        shift: int,
        ahead: Container[int],
        selected: Container[int],
        node: int,
    ) -> Compiled:
        """A leaf that is no name known before."""
        nodes, _, instance = written
        if node in selected:
            return instance  # a name after a dot: the dot looks it up
        args = nodes.args[node]
        if nodes.ops[node] == N.NAME:
            return self._name(nodes, node, instance, shift | (node in ahead))
        if nodes.ops[node] == N.CONSTANT:
            return self.constant(args)
        return self._word_of(*args)

    def _over(
        self,
        nodes: ExpressionNodes,
        shift: int,
        ahead: Container[int],
        node: int,
        op: int,
        inner: list[Compiled],
    ) -> Compiled:
        """A node over others that has no plain rule."""
        if op == N.DOT:
            return self._dot(nodes, node, inner[0], shift | (node in ahead))
        if op == N.ARRAY:
            return ArrayValue(0, tuple(self._whole(each, nodes.at[node]) for each in inner))
        if op == N.INDEX:
            return self._index(nodes, node, inner)
        return self.operator(nodes, node, op, self._values(nodes, node, inner))

    def _value(self, nodes: ExpressionNodes, node: int, compiled: Compiled) -> CoreExpression:
        if isinstance(compiled, CoreExpression):
            return compiled
        if nodes.ops[node] == N.NAME and nodes.args[node] in self.program.constants:
            return self.constant(str(nodes.args[node]))  # an instance is named like a constant
        what = (
            "an array"
            if isinstance(compiled, ArrayValue | DefinedArray)
            else "an instance of a module"
        )
        raise TokenFault("P125", f"expected a value, found {what}", nodes.at[node])

    def _values(
        self, nodes: ExpressionNodes, node: int, given: list[Compiled]
    ) -> list[CoreExpression]:
        """The arguments of an operator, which have values."""
        found = [each for each in given if isinstance(each, CoreExpression)]
        if len(found) == len(given):
            return found
        arguments = zip(nodes.children(node), given, strict=True)
        return [self._value(nodes, arg, each) for arg, each in arguments]

    def _name(
        self, nodes: ExpressionNodes, node: int, instance: ModuleInstance, shift: int
    ) -> Compiled:
        name = nodes.args[node]
        meant = self.program.look_up(instance, name)
        if meant is not None:
            made = self._entity(meant, shift, nodes.at[node])
        elif name in self.program.constants:
            made = self.constant(name)
        else:
            raise self.unknown(name, instance, nodes.at[node])
        if not isinstance(made, DefinedArray):  # `_missing` looks at each use
            self._names.setdefault((instance, shift), {})[name] = made
        return made

    def _entity(self, meant: Entity, shift: int, at: int) -> Compiled:
        if isinstance(meant, ScalarVariable):
            return self._variable(meant, shift, at)
        if isinstance(meant, ArrayElements):
            if any(definitions(meant)):
                return DefinedArray(meant, shift)
            return ArrayValue(
                meant.low, tuple(self._entity(each, shift, at) for each in meant.items)
            )
        if isinstance(meant, ProcessRunning):
            return self._running(meant, shift, at)
        if isinstance(meant, ModuleInstance):
            return meant
        known = self._known.get(self._key(meant, shift))
        return self._remembered(self.compiled(meant, shift=bool(shift)) if known is None else known)

    def _whole(self, compiled: Compiled, at: int) -> Compiled:
        """The same with all elements, if it is an array."""
        if not isinstance(compiled, DefinedArray):
            return compiled
        (low, items), shift = compiled
        return ArrayValue(
            low, tuple(self._whole(self._entity(each, shift, at), at) for each in items)
        )

    def _variable(self, flat: ScalarVariable, shift: int, at: int) -> CoreExpression:
        slot = self.slots[flat]
        if shift and slot >= 2 * self.variables:
            message = f"`{printable(flat.name)}` is an input: it has no next value"
            raise TokenFault("P125", message, at)
        slot += self.variables if shift else 0
        return CoreExpression(
            self._emit(Op.SLOT, (), slot, -1), flat.domain.kinds, flat.domain.width
        )

    def _running(self, running: ProcessRunning, shift: int, at: int) -> CoreExpression:
        processes = self.program.processes
        if self.selector is None:
            return self.constant(value=True)
        if shift and self.selector >= 2 * self.variables:
            raise TokenFault("P125", "`running` has no next value", at)
        slot = self._emit(Op.SLOT, (), self.selector + (self.variables if shift else 0), -1)
        number = self._emit(Op.CONSTANT, (), processes.index(running.process), -1)
        return CoreExpression(self._emit(Op.EQUAL, (slot, number), 0, -1), BOOL)

    def _remembered(self, compiled: Compiled) -> Compiled:
        if not isinstance(compiled, CoreExpression) or compiled.depth == 0:
            return compiled
        number = self._emit(Op.REMEMBER, (compiled.number,), 0, -1)
        if compiled.number in self.conjuncts:
            self.conjuncts[number] = self.conjuncts[compiled.number]
        return compiled._replace(number=number, depth=compiled.depth + 1)

    def _dot(self, nodes: ExpressionNodes, node: int, owner: Compiled, shift: int) -> Compiled:
        name = nodes.args[nodes.args[node][1]]
        if not isinstance(owner, ModuleInstance):
            message = f"`{printable(name)}`: what stands before the dot is not an instance"
            raise TokenFault("P125", message, nodes.at[node])
        meant = self.program.look_up(owner, name)
        if meant is None:
            raise self.unknown(name, owner, nodes.at[node])
        return self._entity(meant, shift, nodes.at[node])

    def _index(self, nodes: ExpressionNodes, node: int, inner: list[Compiled]) -> Compiled:
        right = nodes.args[node][1]
        array, index = inner[0], self._value(nodes, right, inner[1])
        if not isinstance(array, ArrayValue | DefinedArray):
            message = "only arrays have elements"
            hint = "bits of a word are written w[3:0]" if _is_word(array) else None
            raise TokenFault("P125", message, nodes.at[node], hint)
        if index.kinds & SET or not index.kinds & (INT | WORD):
            raise TokenFault("P125", "expected a number as the index", nodes.at[right])
        low, items = array.elements if isinstance(array, DefinedArray) else array
        high = low + len(items) - 1
        if index.constant is not None:
            if not low <= index.constant <= high:
                message = f"the index {index.constant} is not in {low}..{high}"
                raise TokenFault("P125", message, nodes.at[right])
            if isinstance(array, DefinedArray):
                element = array.elements.items[index.constant - low]
                return self._entity(element, array.shift, nodes.at[node])
            return array.items[index.constant - low]
        whole = self._whole(array, nodes.at[node])
        assert isinstance(whole, ArrayValue), "an array has elements"
        return self._chosen(nodes, node, index, whole)

    def _chosen(
        self, nodes: ExpressionNodes, node: int, index: CoreExpression, array: ArrayValue
    ) -> Compiled:
        """The element at an index that is not known yet."""
        if isinstance(array.items[0], ArrayValue):
            rows = [each for each in array.items if isinstance(each, ArrayValue)]
            if len({(row.low, len(row.items)) for row in rows}) != 1 or len(rows) < len(
                array.items
            ):
                raise TokenFault("P125", "the arrays in the array differ", nodes.at[node])
            columns = zip(*(row.items for row in rows), strict=True)
            return ArrayValue(
                rows[0].low,
                tuple(
                    self._chosen(nodes, node, index, ArrayValue(array.low, tuple(each)))
                    for each in columns
                ),
            )
        items = [self._value(nodes, node, each) for each in array.items]
        kinds, width = index.kinds & SHIFTED, items[0].width
        for each in items:
            kinds |= each.kinds
            if each.width != width:
                raise TokenFault(
                    "P125", "the elements are words of different widths", nodes.at[node]
                )
        args = (index.number, *(each.number for each in items))
        number = self._emit(Op.ELEMENT, args, array.low, nodes.at[node])
        depth = 1 + max(index.depth, *(each.depth for each in items))
        return CoreExpression(number, kinds, width, None, depth)

    def current(self, flat: ScalarVariable) -> int:
        """The current value of a variable."""
        return self._emit(Op.SLOT, (), self.slots[flat], -1)

    def unknown(self, name: str, instance: ModuleInstance, at: int) -> TokenFault:
        """The fault for a name that is not there."""
        known = [*instance.names, *instance.parameters, *self.program.constants]
        hint = did_you_mean(name, known)
        before, dash, _ = name.partition("-")
        if hint is None and dash and self.program.look_up(instance, before) is not None:
            hint = "a name may hold `-`: for a difference write spaces around it"
        if name in _CONSTANTS:
            hint = f"write {_CONSTANTS[name]}"
        module = printable(instance.module.name)
        return TokenFault(
            "P123", f"`{printable(name)}` is not defined in module `{module}`", at, hint
        )


def _ahead(nodes: ExpressionNodes, root: int) -> Container[int]:
    """The nodes under `next`."""
    if N.NEXT not in nodes.ops[nodes.first[root] : root + 1]:
        return _NOTHING
    found: set[int] = set()
    for node in range(nodes.first[root], root + 1):
        if nodes.ops[node] == N.NEXT:
            inside = range(nodes.first[node], node)
            if any(nodes.ops[each] == N.NEXT for each in inside):
                raise TokenFault("P122", "next inside of next is not supported", nodes.at[node])
            found.update(inside)
    return found


def _names(
    nodes: ExpressionNodes, root: int, ahead: Container[int]
) -> Iterable[tuple[bool, Iterable[str]]]:
    """The names in an expression, in order, and whether they are under `next`."""
    first = nodes.first[root]
    ops, args = nodes.ops[first : root + 1], nodes.args[first : root + 1]
    if not ahead:
        named = [name for op, name in zip(ops, args, strict=True) if op == N.NAME]
        return [(False, dict.fromkeys(named))]
    named = [node for node, op in enumerate(ops, first) if op == N.NAME]
    return [(node in ahead, [nodes.args[node]]) for node in named]


def _is_word(compiled: Compiled) -> bool:
    return isinstance(compiled, CoreExpression) and bool(compiled.kinds & WORD)


def _circle(written: ScopedExpression) -> TokenFault:
    nodes, root, instance = written
    name = next(
        (
            name
            for name, each in (*instance.names.items(), *instance.parameters.items())
            if isinstance(each, ScopedExpression) and each.root == root
        ),
        EXIT,
    )
    message = f"`{printable(name)}` is defined by way of itself"
    if name == EXIT:
        message = "the expression is defined by way of itself"
    return TokenFault("P124", message, nodes.at[root])
