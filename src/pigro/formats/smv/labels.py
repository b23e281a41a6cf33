"""Which states of a module satisfy a condition.

Source: [Finis2012], section 5.2, which asks for an index of states by value. A condition on one
variable, made of `x = c`, `x in {c, d}` and connectives, is a set of values of `x`; the index gives
the states. So a thousand labels for a thousand states cost a thousand look-ups. Every other
condition is evaluated, once for each combination of values of the variables that it mentions.
"""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.formats.smv.evaluate import Functions, needed
from pigro.formats.smv.explore import Space, mentioned
from pigro.formats.smv.nodes import Expression, N, Nodes

if TYPE_CHECKING:
    from pigro.formats.smv.kinds import Names


class _Values(NamedTuple):
    """The condition holds if and only if variable `number` has one of these values."""

    number: int
    values: frozenset[Any]


class Conditions:
    """Conditions over the states of one module."""

    def __init__(self, space: Space, names: Names, functions: Functions) -> None:
        self._space = space
        self._names = names
        self._functions = functions
        self._index: dict[int, dict[Any, list[int]]] = {}
        self._groups: dict[tuple[int, ...], dict[tuple[Any, ...], list[int]]] = {}
        self._defined: dict[str, _Values | None] = {}

    def states(self, whole: Expression) -> list[int]:
        """The states where the condition is true, ascending."""
        found = self._values(whole)
        if found is not None:
            index = self.by_value(found.number)
            rows = [index[value] for value in found.values if value in index]
            return rows[0] if len(rows) == 1 else sorted(chain.from_iterable(rows))
        return self._evaluated(whole)

    def _evaluated(self, whole: Expression) -> list[int]:
        function = self._functions.of(whole)
        states = self._space.states
        numbers = tuple(sorted(mentioned(whole.nodes, whole.span, self._names)))
        rows = [
            row for row in self._by_values(numbers).values() if function(states[row[0]]) is True
        ]
        return sorted(chain.from_iterable(rows))

    def by_value(self, number: int) -> dict[Any, list[int]]:
        """The states by the value of a variable, and the type of that value."""
        if number not in self._index:
            index: dict[Any, list[int]] = {}
            for i, state in enumerate(self._space.states):
                value = state[number]
                index.setdefault((type(value), value), []).append(i)
            self._index[number] = index
        return self._index[number]

    def _by_values(self, numbers: tuple[int, ...]) -> dict[tuple[Any, ...], list[int]]:
        """The states by the values of several variables."""
        if numbers not in self._groups:
            groups: dict[tuple[Any, ...], list[int]] = {}
            for i, state in enumerate(self._space.states):
                key = tuple([(type(state[n]), state[n]) for n in numbers])
                groups.setdefault(key, []).append(i)
            self._groups[numbers] = groups
        return self._groups[numbers]

    def _values(self, whole: Expression) -> _Values | None:
        """The condition as a set of values of one variable, if it is made so."""
        nodes = whole.nodes
        start = nodes.first[whole.root]
        made: list[_Values | None] = []
        for node in whole.span:
            op = nodes.ops[node]
            if op in (N.NOT, N.AND, N.OR, N.NE):
                made.append(self._joined(nodes, node, op, made, start))
            elif op == N.DEFINED:
                made.append(self._definition(nodes.args[node][1]))
            elif op == N.VARIABLE:
                number = nodes.args[node][1]
                made.append(_Values(number, frozenset(((bool, True),))))
            elif op in (N.EQ, N.IN) and (found := needed(nodes, node)) is not None:
                number, values, _ = found
                made.append(_Values(number, frozenset((type(v), v) for v in values)))
            else:
                made.append(None)
        return made[-1]

    def _joined(
        self, nodes: Nodes, node: int, op: int, made: list[_Values | None], start: int
    ) -> _Values | None:
        args = nodes.children(node)
        if op == N.NE:
            both = [nodes.ops[each] for each in args]
            if sorted(both) != [N.CONSTANT, N.VARIABLE]:
                return None
            variable, constant = args if both[0] == N.VARIABLE else reversed(args)
            value = nodes.args[constant]
            here = _Values(nodes.args[variable][1], frozenset(((type(value), value),)))
            return self._complement(here)
        parts = [made[each - start] for each in args]
        first = parts[0]
        if first is None or any(each is None or each.number != first.number for each in parts):
            return None
        if op == N.NOT:
            return self._complement(first)
        sets = [each.values for each in parts if each is not None]
        joined = frozenset.intersection(*sets) if op == N.AND else frozenset().union(*sets)
        return _Values(first.number, joined)

    def _complement(self, found: _Values) -> _Values:
        return _Values(found.number, frozenset(self.by_value(found.number)) - found.values)

    def _definition(self, name: str) -> _Values | None:
        """The same for a definition, and first for those that it uses, without recursion."""
        nodes = self._names.nodes
        defines = self._space.module.defines
        jobs = [name]
        while jobs:
            whole = Expression(nodes, defines[jobs[-1]])
            missing = [
                nodes.args[n][1]
                for n in whole.span
                if nodes.ops[n] == N.DEFINED and nodes.args[n][1] not in self._defined
            ]
            if missing and jobs[-1] not in self._defined:
                jobs += missing
                continue
            last = jobs.pop()
            if last not in self._defined:
                self._defined[last] = self._values(whole)
        return self._defined[name]
