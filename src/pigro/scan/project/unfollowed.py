"""What a model of a site does not follow, though it could matter.

These are calls, properties that are read, and the methods of objects in a `with`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pigro.scan.generators import generator_at, is_manager, is_run
from pigro.scan.templates.reaching import reaching, target
from pigro.sources.graph import CALL, ENTER, YIELD
from pigro.sources.operations import read

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.scan.asking import SiteModel
    from pigro.scan.machine import ScanComponent
    from pigro.scan.scanning import Scan
    from pigro.scan.sites import Site
    from pigro.sources.graph import Function
    from pigro.sources.link import LinkedProgram

_PROPERTIES = frozenset({"property", "cached_property"})
_FIRST = frozenset({"acq", "do"})
"""Labels that the question is about: calls before them do not matter."""


class UnfollowedCalls:
    """Finds calls that are not followed. `sites` are those of a rule."""

    def __init__(self, scan: Scan, sites: Sequence[Site]) -> None:
        self.scan = scan
        unknown = (
            function.name
            for function in scan.program.functions.values()
            for node, op in enumerate(function.ops)
            if op is not None and self._runs_unknown(function, node, op)
        )
        self.matter = reaching(scan, {*unknown, *(each.function.name for each in sites)})
        """Functions that call unknown code, or have a site, also through calls."""

    def calls(self, asked: SiteModel, number: int) -> list[tuple[str, str, int]]:
        """Of a site: each call as it is written, with its file and line."""
        found: dict[tuple[str, str, int], None] = {}
        alone = asked.alone(number)
        for part in alone.machine.components.values():
            followed = {each.origin for each in part.boxes}
            for node in dict.fromkeys(nodes_after(part)):
                op = part.function.ops[node]
                if op is None or node in followed:
                    continue
                file, line = asked.files[part.function.name], part.function.at_nodes[node][0]
                for each in self._left_out(part.function, node, op):
                    found[each, file, line] = None
        return list(found)

    def _left_out(self, function: Function, node: int, op: tuple[Any, ...]) -> Iterator[str]:
        """What an operation runs besides the model, as it is written."""
        if op[0] == CALL and self._is_left_out(function, node):
            yield op[1] or "?"
        if op[0] == YIELD and is_manager(function):
            yield "yield"  # the body of a `with` runs there
        made = generator_at(self.scan.program, function, op)
        if made is not None and made.name in self.matter:
            call = function.ops[op[1]]
            yield "?" if call is None else call[1]
        if op[0] == ENTER and self._enters(function, op):
            yield f"with {op[1]}" if type(op[1]) is str else "with"
        for path in read(op):
            if self._is_property(function, path):
                yield path

    def _runs_unknown(self, function: Function, node: int, op: tuple[Any, ...]) -> bool:
        if op[0] == CALL:
            return self._is_unknown(function, node)
        is_path = op[0] == ENTER and type(op[1]) is str
        return is_path and self.scan.program.thing(function, op[1]) is None

    def _enters(self, function: Function, op: tuple[Any, ...]) -> bool:
        """Whether a `with` runs methods that matter, or unknown ones."""
        program = self.scan.program
        thing = program.value(function, op[1])
        if thing is None:
            return type(op[1]) is str
        names = ("__aenter__", "__aexit__") if op[2] else ("__enter__", "__exit__")
        methods = [program.method(thing.name, each) for each in names]
        return thing.kind == "instance" and any(
            each is not None and each.name in self.matter for each in methods
        )

    def _is_property(self, function: Function, path: str) -> bool:
        """Whether a path is a property whose code matters."""
        method = property_of(self.scan.program, function, path)
        return method is not None and method.name in self.matter

    def _is_unknown(self, function: Function, node: int) -> bool:
        callee = self.scan.program.callee(function, node)
        return not callee.functions and callee.external is None and callee.made is None

    def _is_left_out(self, function: Function, node: int) -> bool:
        if is_run(self.scan.program, function, node):
            return False  # there it is followed, or not
        callee = self.scan.program.callee(function, node)
        return self._is_unknown(function, node) or any(
            each.is_generator or each.is_async or each.name in self.matter
            for each in callee.functions
        )


def is_followed(scan: Scan, function: Function, call: int) -> bool:
    """Whether rules can follow what a call calls, or the generator that it makes."""
    return target(scan, function, call) is not None or is_run(scan.program, function, call)


def nodes_after(part: ScanComponent) -> Iterator[int]:
    """The nodes of the function that runs come to after the first label of the question."""
    after: dict[int, list[int]] = {}
    for source, end in part.edges:
        after.setdefault(source, []).append(end)
    for box in part.boxes:
        for caller in box.callers:
            after.setdefault(caller, []).extend(at for row in box.returns.values() for at in row)
    firsts = [node for node, labels in enumerate(part.labels) if _FIRST.intersection(labels)]
    pending = firsts or [0]
    seen = set(pending)
    while pending:
        node = pending.pop()
        if node not in firsts and part.origins[node] >= 0:
            yield part.origins[node]
        for end in after.get(node, ()):
            yield from (part.numbered[at] for at in part.passed.get((node, end), ()))
            if end not in seen:
                seen.add(end)
                pending.append(end)


def property_of(program: LinkedProgram, function: Function, path: str) -> Function | None:
    """The method that runs where a path is read."""
    home, _, last = path.rpartition(".")
    thing = program.thing(function, home) if home else None
    if thing is None or thing.kind != "instance":
        return None
    method = program.method(thing.name, last)
    decorators = () if method is None else method.decorators
    named = {each.rpartition(".")[2] for each in decorators}
    return method if named & _PROPERTIES else None
