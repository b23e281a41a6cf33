"""Which variable a name means, and which variables an operation reads and assigns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.sources.graph import CATCH, SET
from pigro.sources.operations import read

if TYPE_CHECKING:
    from pigro.sources.graph import Function
    from pigro.sources.link import LinkedProgram


class ProgramVariables:
    """The variables of a program, as FUNCTION.NAME."""

    def __init__(self, program: LinkedProgram) -> None:
        self.program = program
        self._known: dict[tuple[str, str], str | None] = {}

    def of(self, function: Function, name: str) -> str | None:
        """The variable that a name means. None for imports, functions, classes and builtins."""
        key = (function.name, name)
        if key not in self._known:
            self._known[key] = self._found(function, name)
        return self._known[key]

    def _found(self, function: Function, name: str) -> str | None:
        at: Function | None = function
        while at is not None:
            if at.kind != "class" or at is function:
                own = name in at.assigned or name in {each.lstrip("*") for each in at.parameters}
                if own and name not in at.shared:
                    values = at.assigned.get(name, ())
                    is_fixed = bool(values) and all(
                        type(each) is tuple and each[0] == "f" for each in values
                    )
                    return None if is_fixed else f"{at.name}.{name}"
                if name in at.imports:
                    return None
            at = self.program.functions.get(at.outside or "")
        return None

    def read(self, function: Function, op: tuple[Any, ...]) -> list[str]:
        """The variables that an operation reads, each once."""
        paths = read(op)
        if op[0] == SET:
            paths += [target for target, _ in op[2] if "." in target or "[" in target]
        names = dict.fromkeys(each.partition(".")[0].removesuffix("[]") for each in paths)
        return [each for each in (self.of(function, name) for name in names) if each]

    def assigned(self, function: Function, op: tuple[Any, ...]) -> list[str]:
        """The variables that an operation assigns, each once."""
        names: list[str] = []
        if op[0] == SET:
            names = [target for target, _ in op[2] if "." not in target and "[" not in target]
        elif op[0] == CATCH and op[2]:
            names = [op[2]]
        found = (self.of(function, each) for each in dict.fromkeys(names))
        return [each for each in found if each]
