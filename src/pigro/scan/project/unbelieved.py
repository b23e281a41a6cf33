"""Which calls of a model of a site are not believed to raise, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.scan.project.sentences import ReasonSentence, some
from pigro.scan.project.unfollowed import nodes_after
from pigro.sources.graph import CALL

if TYPE_CHECKING:
    from pigro.scan.asking import SiteModel
    from pigro.scan.scanning import Scan
    from pigro.sources.graph import Function

_FIRST = (("acq",), ("do",))


def not_believed(scan: Scan, asked: SiteModel, number: int) -> str:
    """The end of a sentence about a site. Empty if all calls after it may raise."""
    key, _ = asked.starts[number]
    part = asked.machine.components[key]
    function = part.function
    found: dict[str, None] = {}
    sites = {at for at, labels in zip(part.origins, part.labels, strict=True) if labels in _FIRST}
    nodes = set(nodes_after(part)) - sites
    for node in sorted(nodes, key=lambda each: function.at_nodes[each]):
        why = _why(scan, function, node)
        op = function.ops[node]
        if why and op is not None:
            name = printable(op[1].rpartition(".")[2] or "?", 60)
            found[f"`{name}` (line {function.at_nodes[node][0]}): {why}"] = None
    return ReasonSentence.NOT_BELIEVED.format(calls=some(list(found))) if found else ""


def _why(scan: Scan, function: Function, node: int) -> str:
    """Why a call does not raise out of its function. Empty if it may."""
    op = function.ops[node]
    if op is None or op[0] != CALL:
        return ""
    callee = scan.program.callee(function, node)
    raised = scan.believed.of_call(function, node, callee)
    if callee.functions or callee.made is not None or raised.types or raised.likely:
        return ""
    belief = scan.believed.belief(op, callee.external)
    return ReasonSentence.NOT_KNOWN if belief is None else belief.why
