"""Expressions to Python functions of a state.

A state is a tuple of values, one for each variable; the values of the next state follow where an
expression asks for them with `next`. A function gives a value, or a tuple of values for a set.

What EXIT does, which every variable may be: it equals only itself; a truth value that is EXIT
counts as false; `<` and the like are false where a side is EXIT; arithmetic with EXIT is EXIT.

A `case` is looked up in a table wherever consecutive conditions need certain values of one
variable, `x = c` or `x in {c, d}`, alone or joined with others by `&`: for each value of `x` only
the branches that fit it are tried, in order. A thousand branches on one variable thus cost no
more than one.

Needs: names looked up (`kinds.py`), which also limits how deeply these functions call each other.

Bounds: numbers have 64 bits and sets at most `_WIDEST` values. A definition that uses others
remembers its last value, so that `d1 := d0 + d0; d2 := d1 + d1; ...` costs one evaluation each.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import printable
from pigro.formats.smv.nodes import EXIT, Expression, N, Nodes
from pigro.formats.smv.text import Fault

if TYPE_CHECKING:
    from pigro.formats.smv.kinds import Names

State = tuple[Any, ...]
Function = Callable[[State], Any]


class Functions:
    """Makes functions, those of definitions once."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._defined: dict[tuple[str, str, int], Function] = {}

    def of(self, whole: Expression, *, shift: int = 0) -> Function:
        """The function of an expression; with `shift`, of the values from that place on."""
        nodes = whole.nodes
        start = nodes.first[whole.root]
        made: list[Function | None] = []
        shifted = self._shifted(whole)
        for node in whole.span:
            op = nodes.ops[node]
            by = shift or (shifted[node] if shifted else 0)
            if op >= N.NOT:
                args = nodes.children(node)
                inner: list[Any] = [made[each - start] for each in args]
                made.append(_operator(nodes, node, op, inner, by))
            elif op == N.CONSTANT:
                made.append(_constant(nodes.args[node]))
            elif op == N.VARIABLE:
                made.append(_variable(nodes.args[node][1] + by))
            elif op == N.DEFINED:
                owner, name = nodes.args[node]
                made.append(self._definition(owner, name, by))
            else:
                made.append(None)  # gone
        function = made[-1]
        assert function is not None, "labels of other modules stand in formulas only"
        return function

    def _definition(self, owner: str, name: str, shift: int) -> Function:
        """The function of a definition; those that it uses are made first, without recursion."""
        jobs = [(owner, name)]
        module = self._names.modules[owner]
        nodes = self._names.nodes
        while jobs:
            key = (*jobs[-1], shift)
            if key in self._defined:
                jobs.pop()
                continue
            whole = Expression(nodes, module.defines[key[1]])
            missing = [
                nodes.args[n]
                for n in whole.span
                if nodes.ops[n] == N.DEFINED and (*nodes.args[n], shift) not in self._defined
            ]
            if missing:
                jobs += missing
                continue
            function = self.of(whole, shift=shift)
            uses = any(nodes.ops[n] == N.DEFINED for n in whole.span)
            self._defined[key] = _remembering(function) if uses else function
            jobs.pop()
        return self._defined[owner, name, shift]

    def _shifted(self, whole: Expression) -> dict[int, int] | None:
        """How far each node looks ahead, where some do: those under `next`."""
        nodes = whole.nodes
        nexts = [n for n in whole.span if nodes.ops[n] == N.NEXT]
        if not nexts:
            return None
        by = dict.fromkeys(whole.span, 0)
        for each in nexts:
            for inner in range(nodes.first[each], each):
                if nodes.ops[inner] in (N.VARIABLE, N.DEFINED):
                    owner = nodes.args[inner][0]
                    by[inner] = len(self._names.domains[owner])
                elif nodes.ops[inner] == N.CASE:
                    by[inner] = 1  # any number but 0: no table
        return by


def _remembering(function: Function) -> Function:
    """The same function, which knows its value in the state that it was asked about last."""
    last: list[tuple[State | None, Any]] = [(None, None)]

    def remembered(state: State) -> Any:
        known, value = last[0]  # one look: other threads may ask too
        if known is not state:
            value = function(state)
            last[0] = (state, value)
        return value

    return remembered


def _constant(value: Any) -> Function:
    return lambda _: value


def _variable(number: int) -> Function:
    return lambda state: state[number]


def _operator(nodes: Nodes, node: int, op: int, inner: list[Function], shift: int) -> Function:
    if op == N.CASE:
        return _case(nodes, node, inner, shift)
    if op in _BINARY:
        return _BINARY[op](*inner)
    if op == N.MINUS:
        return _arithmetic(nodes, node, N.SUB, [_constant(0), *inner])
    if op in _ARITHMETIC:
        return _arithmetic(nodes, node, op, inner)
    if op in (N.SET, N.UNION):
        return _union(nodes, node, inner)
    return _MANY[op](inner)


def _not(f: Function) -> Function:
    return lambda state: f(state) is not True


def _and(inner: list[Function]) -> Function:
    def conjunction(state: State) -> bool:
        for f in inner:  # noqa: SIM110 - a generator would cost a frame of the stack
            if f(state) is not True:
                return False
        return True

    return conjunction


def _or(inner: list[Function]) -> Function:
    def disjunction(state: State) -> bool:
        for f in inner:  # noqa: SIM110 - same
            if f(state) is True:
                return True
        return False

    return disjunction


def _equal(f: Function, g: Function) -> Function:
    def equal(state: State) -> bool:
        left, right = f(state), g(state)
        return left == right and isinstance(left, bool) is isinstance(right, bool)

    return equal


def _unequal(f: Function, g: Function) -> Function:
    equal = _equal(f, g)
    return lambda state: not equal(state)


def _ordered(compare: Callable[[int, int], bool]) -> Callable[[Function, Function], Function]:
    def make(f: Function, g: Function) -> Function:
        def ordered(state: State) -> bool:
            left, right = f(state), g(state)
            return type(left) is int and type(right) is int and compare(left, right)

        return ordered

    return make


def _in(f: Function, g: Function) -> Function:
    def member(state: State) -> bool:
        value = f(state)
        choices = as_set(g(state))
        if type(choices) is range:
            return type(value) is int and value in choices
        return value in choices and (
            type(value) is str
            or any(each == value and type(each) is type(value) for each in choices)
        )

    return member


def as_set(value: Any) -> tuple[Any, ...] | range:
    """One value or several, as several."""
    return value if type(value) in (tuple, range) else (value,)


def _union(nodes: Nodes, node: int, inner: list[Function]) -> Function:
    values = constants(nodes, node)
    if values is not None:
        return _constant(values)

    def union(state: State) -> tuple[Any, ...]:
        found: dict[Any, Any] = {}
        for f in inner:
            for value in as_set(f(state)):
                found[type(value), value] = value
            if len(found) > _WIDEST:
                message = f"the set has more than {_WIDEST:,} values"
                raise Fault("P126", message, nodes.at[node], _FEWER)
        return tuple(found.values())

    return union


def _ite(condition: Function, yes: Function, no: Function) -> Function:
    return lambda state: yes(state) if condition(state) is True else no(state)


_BINARY: dict[int, Callable[..., Function]] = {
    N.NOT: _not,
    N.NEXT: lambda f: f,
    N.XOR: lambda f, g: lambda state: (f(state) is True) is not (g(state) is True),
    N.XNOR: lambda f, g: lambda state: (f(state) is True) is (g(state) is True),
    N.IFF: lambda f, g: lambda state: (f(state) is True) is (g(state) is True),
    N.IMPLIES: lambda f, g: lambda state: f(state) is not True or g(state) is True,
    N.EQ: _equal,
    N.NE: _unequal,
    N.LT: _ordered(lambda left, right: left < right),
    N.GT: _ordered(lambda left, right: left > right),
    N.LE: _ordered(lambda left, right: left <= right),
    N.GE: _ordered(lambda left, right: left >= right),
    N.IN: _in,
    N.ITE: _ite,
}
_MANY: dict[int, Callable[[list[Function]], Function]] = {
    N.AND: _and,
    N.OR: _or,
}
_ARITHMETIC = frozenset((N.ADD, N.SUB, N.MUL, N.DIV, N.MOD, N.RANGE))
_WIDEST = 100_000
"""Values of a range or set inside an expression."""
_FEWER = "a variable may have more values: give it a type such as 0..200000"
_LARGEST = (1 << 63) - 1


def _arithmetic(nodes: Nodes, node: int, op: int, inner: list[Function]) -> Function:
    apply = {
        N.ADD: lambda left, right: left + right,
        N.SUB: lambda left, right: left - right,
        N.MUL: lambda left, right: left * right,
        N.DIV: _quotient,
        N.MOD: lambda left, right: left - right * _quotient(left, right),
        N.RANGE: _range,
    }[op]
    first, rest = inner[0], inner[1:]

    def compute(state: State) -> Any:
        left = first(state)
        for f in rest:
            right = f(state)
            if type(left) is not int or type(right) is not int:
                if EXIT in (left, right):
                    left = EXIT
                    continue
                odd = show(left if type(left) is not int else right)
                raise Fault("P126", f"can't compute with {odd}", nodes.at[node])
            try:
                left = apply(left, right)
            except ArithmeticError as error:
                raise Fault("P126", str(error), nodes.at[node]) from None
            if type(left) is int and not -_LARGEST <= left <= _LARGEST:
                message = "the number does not fit into 64 bits"
                raise Fault("P126", message, nodes.at[node], "the largest is 2^63 - 1")
        return left

    return compute


def _quotient(left: int, right: int) -> int:
    """Rounded towards zero, as in C and NuSMV."""
    if right == 0:
        raise ZeroDivisionError("division by zero")
    quotient = abs(left) // abs(right)
    return quotient if (left < 0) is (right < 0) else -quotient


def _range(low: int, high: int) -> range:
    if low > high:
        raise ArithmeticError(f"the range {low}..{high} is empty")
    if high - low >= _WIDEST:
        raise ArithmeticError(f"the range {low}..{high} has more than {_WIDEST:,} values")
    return range(low, high + 1)


_Branch = tuple[Function | None, Function]


def _case(nodes: Nodes, node: int, inner: list[Function], shift: int) -> Function:
    """The function of a case: segments, each a table on one variable or a single condition."""
    segments = _segments(nodes, nodes.children(node), inner, shift)

    def choose(state: State) -> Any:
        for number, table, (condition, value) in segments:
            if table is None:
                if condition is not None and condition(state) is True:
                    return value(state)
                continue
            key = state[number]
            for also, each in table.get((type(key), key), ()):
                if also is None or also(state) is True:
                    return each(state)
        raise Fault("P126", "no condition of this case is true", nodes.at[node], _EXHAUSTIVE)

    return choose


def _segments(
    nodes: Nodes, args: list[int], inner: list[Function], shift: int
) -> list[tuple[int, dict[Any, list[_Branch]] | None, _Branch]]:
    """The variable of each segment with its table, or -1 without one, and a branch."""
    segments: list[tuple[int, dict[Any, list[_Branch]] | None, _Branch]] = []
    for i in range(0, len(inner), 2):
        branch: _Branch = (inner[i], inner[i + 1])
        needs = None if shift else needed(nodes, args[i])
        if needs is None:
            segments.append((-1, None, branch))
            continue
        number, values, exact = needs
        if not segments or segments[-1][0] != number:
            segments.append((number, {}, branch))
        table = segments[-1][1]
        assert table is not None, "segments of a variable have a table"
        for value in values:
            table.setdefault((type(value), value), []).append(
                (None if exact else inner[i], inner[i + 1])
            )

    return segments


_EXHAUSTIVE = "add a last branch `TRUE : ...;`"


def needed(nodes: Nodes, node: int) -> tuple[int, tuple[Any, ...], bool] | None:
    """A condition's need for a variable to be one of some values; is that all that it needs?"""
    if nodes.ops[node] != N.AND:
        return _needed_alone(nodes, node)
    for each in nodes.children(node):
        if (found := _needed_alone(nodes, each)) is not None:
            return found[0], found[1], False
        if any(nodes.ops[n] in _CAN_FAIL for n in range(nodes.first[each], each + 1)):
            return None  # what comes first must be evaluated first
    return None


def _needed_alone(nodes: Nodes, node: int) -> tuple[int, tuple[Any, ...], bool] | None:
    """The same for `x = c`, `c = x` and `x in {c, d}`."""
    op = nodes.ops[node]
    if op not in (N.EQ, N.IN):
        return None
    left, right = nodes.children(node)
    if op == N.EQ and nodes.ops[left] != N.VARIABLE:
        left, right = right, left
    values = constants(nodes, right)
    if nodes.ops[left] != N.VARIABLE or values is None:
        return None
    return nodes.args[left][1], values, True


_CAN_FAIL = _ARITHMETIC | {N.MINUS, N.CASE, N.DEFINED}


def constants(nodes: Nodes, node: int) -> tuple[Any, ...] | None:
    """The values of a constant or a set of constants, each once; else None."""
    op = nodes.ops[node]
    if op == N.CONSTANT:
        return (nodes.args[node],)
    if op != N.SET:
        return None
    args = nodes.children(node)
    if any(nodes.ops[each] != N.CONSTANT for each in args):
        return None
    return tuple(
        {(type(nodes.args[each]), nodes.args[each]): nodes.args[each] for each in args}.values()
    )


def show(value: Any) -> str:
    """A value as it is written."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    return printable(str(value))
