"""Calls that a rule forbids, and what excuses them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.rules.patterns import EventPatterns
from pigro.sources.graph import CALL

if TYPE_CHECKING:
    from pigro.rules.rule import Rule
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function


class ForbiddenCalls:
    """The calls that a rule forbids."""

    def __init__(self, scan: Scan, rule: Rule) -> None:
        self.scan = scan
        self.bad = EventPatterns.of(rule.patterns("bad"))
        self.unless = EventPatterns.of(rule.patterns("unless"))

    def names(self) -> dict[str, None]:
        """The forbidden functions that are called, and others."""
        found = (each for each in self.scan.externals() if self.bad.has(each))
        return dict.fromkeys((*self.bad.calls, *found))

    def has(self, function: Function, node: int) -> bool:
        """Whether the call at a node is a forbidden one. With a time limit of 0 nothing blocks."""
        callee = self.scan.program.callee(function, node)
        if callee.functions or not self.bad.has(callee.external):
            return False
        op = function.ops[node]
        assert op is not None
        zero = any(_is_zero(each) for each in (*op[3], *(value for _, value in op[4])))
        if zero or any(each == ("c", False) for each in op[3]):
            return False
        return not self._is_excused(function, node, op)

    def _is_excused(self, function: Function, node: int, op: tuple[Any, ...]) -> bool:
        """Whether the call, or the one that made its object, has arguments that are allowed."""
        home = op[1].rpartition(".")[0]
        made = [each for each in function.assigned.get(home, ()) if type(each) is int]
        for each in (node, *made):
            call = function.ops[each]
            if call is not None and call[0] == CALL:
                external = self.scan.program.callee(function, each).external
                arguments = [self._texts(function, value) for value in call[3]]
                keywords = {key: self._texts(function, value) for key, value in call[4] if key}
                if self.unless.matches(external, arguments, keywords):
                    return True
        return False

    def _texts(self, function: Function, value: Any) -> set[str]:
        """How an argument may be written: a constant, a path, or the name that the path means."""
        if type(value) is str:
            thing = self.scan.program.thing(function, value)
            return {value} if thing is None else {value, thing.name}
        return {repr(value[1])} if type(value) is tuple and value[0] == "c" else set()


def _is_zero(value: Any) -> bool:
    return type(value) is tuple and value[0] == "c" and value[1] == 0 and value[1] is not False
