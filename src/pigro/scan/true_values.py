"""Values that are true wherever a program gets them: new objects, and names that were opened."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from pigro.scan.knowledge import EMPTY_MODULES, OPENING, TRUE_PARTS, TRUE_RESULTS
from pigro.sources.graph import CALL

if TYPE_CHECKING:
    from pigro.sources.graph import Function, Value
    from pigro.sources.link import LinkedProgram


@dataclass
class TrueValues:
    """The values of a program that are surely true."""

    program: LinkedProgram
    _classes: dict[str, bool] = field(default_factory=dict)

    def sure(self, function: Function, value: Value) -> bool:
        """Whether a value is true: a new object of a class without a truth of its own.

        `name or "root"` is true, too. `name and "root"` and a choice may be false.
        """
        if type(value) is tuple and value[0] == "or":
            last = value[1][-1] if len(value) > 2 else None
            return type(last) is tuple and last[0] == "c" and bool(last[1])
        is_part = type(value) is tuple and value[0] == "i" and type(value[1]) is int
        node = value[1] if is_part else value
        if type(node) is not int:
            return False
        op = function.ops[node]
        if op is None or op[0] != CALL:
            return False
        callee = self.program.callee(function, node)
        if is_part:
            return callee.external in TRUE_PARTS
        if callee.made is not None:
            return self._is_plain(callee.made)
        if callee.external is None:
            return False
        return callee.external in TRUE_RESULTS or _is_class(callee.external)

    def opened(self, function: Function, node: int, op: tuple[Any, ...]) -> str | None:
        """The path that a call opens. It is neither empty nor None if the call succeeds."""
        if not op[3] or type(op[3][0]) is not str:
            return None
        return op[3][0] if self.program.callee(function, node).external in OPENING else None

    def _is_plain(self, name: str) -> bool:
        """Whether all objects of a class are true."""
        known = self._classes.get(name)
        if known is None:
            order = self.program.order(name)
            known = self._classes[name] = all(map(self._has_no_truth, order))
        return known

    def _has_no_truth(self, name: str) -> bool:
        made = self.program.classes.get(name)
        if made is None:
            return name == "object" or _is_class(name)
        return not {"__bool__", "__len__"} & (made.methods.keys() | made.attributes)


def _is_class(name: str) -> bool:
    """Whether a name from outside is that of a class whose objects are true."""
    home, _, last = name.rpartition(".")
    return last[:1].isupper() and home.partition(".")[0] not in EMPTY_MODULES
