"""Which calls a model of a site does not follow, though what they call could matter."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.scan.templates.reaching import reaching
from pigro.sources.graph import CALL

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.scan.asking import Asked
    from pigro.scan.machine import Component
    from pigro.scan.scanning import Scan
    from pigro.scan.sites import Site
    from pigro.sources.graph import Function

TEMPLATES = frozenset({"never-while-held", "never-in", "formula", "init-before-use", "can-return"})
"""Templates whose answers depend on what happens in calls."""
_FIRST = frozenset({"acq", "do"})
"""Labels that the question is about: calls before them do not matter."""


class Unfollowed:
    """Finds calls that are not followed. `sites` are those of a rule."""

    def __init__(self, scan: Scan, sites: Sequence[Site]) -> None:
        self.scan = scan
        unknown = (
            function.name
            for function in scan.program.functions.values()
            for node, op in enumerate(function.ops)
            if op is not None and op[0] == CALL and self._is_unknown(function, node)
        )
        self.matter = reaching(scan, {*unknown, *(each.function.name for each in sites)})
        """Functions that call unknown code, or have a site, also through calls."""

    def calls(self, asked: Asked, number: int) -> list[tuple[str, str, int]]:
        """Of a site: each call as it is written, with its file and line."""
        found: dict[tuple[str, str, int], None] = {}
        alone = asked.alone(number)
        for part in alone.machine.components.values():
            followed = {each.origin for each in part.boxes}
            for node in dict.fromkeys(nodes_after(part)):
                op = part.function.ops[node]
                if op is None or op[0] != CALL or node in followed:
                    continue
                if self._is_left_out(part.function, node):
                    file, line = asked.files[part.function.name], part.function.at_nodes[node][0]
                    found[op[1] or "?", file, line] = None
        return list(found)

    def _is_unknown(self, function: Function, node: int) -> bool:
        callee = self.scan.program.callee(function, node)
        return not callee.functions and callee.external is None and callee.made is None

    def _is_left_out(self, function: Function, node: int) -> bool:
        callee = self.scan.program.callee(function, node)
        return self._is_unknown(function, node) or any(
            each.is_generator or each.is_async or each.name in self.matter
            for each in callee.functions
        )


def nodes_after(part: Component) -> Iterator[int]:
    """The nodes of the function that runs come to after the first label of the question."""
    after: dict[int, list[int]] = {}
    for source, target in part.edges:
        after.setdefault(source, []).append(target)
    for box in part.boxes:
        for caller in (*box.callers, *box.resumed):
            after.setdefault(caller, []).extend(at for row in box.returns.values() for at in row)
    firsts = [node for node, labels in enumerate(part.labels) if _FIRST.intersection(labels)]
    pending = firsts or [0]
    seen = set(pending)
    while pending:
        node = pending.pop()
        if node not in firsts and part.origins[node] >= 0:
            yield part.origins[node]
        for target in after.get(node, ()):
            yield from (part.numbered[at] for at in part.passed.get((node, target), ()))
            if target not in seen:
                seen.add(target)
                pending.append(target)
