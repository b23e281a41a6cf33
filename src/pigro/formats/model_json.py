"""`.json` files: an `.rsm` file with facts about the model (docs/formats/others.md).

For programs that want statistics, the call graph or the size of components without reading the
model themselves. Every such file is an `.rsm` file too, for that format ignores keys that it does
not know. So it is read the same way. model.schema.json describes it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from pigro.formats.rsm_json import declarations, read, requirements, statable, stated
from pigro.formats.text import unencodable
from pigro.limits import no_poll
from pigro.model.calls import call_graph
from pigro.model.choices import reading_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.formats.registry import Requirement
    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.model.calls import CallGraph
    from pigro.model.declarations import ComponentDecl, ModelDecl

__all__ = ["SCHEMA", "read", "requirements", "statable", "write"]

SCHEMA = "pigro.model/1"


def write(model: RSM, formulas: Sequence[Requirement] = (), *, poll: Poll = no_poll) -> bytes:
    """The model as a `.json` file. Reading it again gives the same verdicts and statistics.

    The formulas are some of those that `statable` gives.
    """
    declared, graph = declarations(model, poll), call_graph(model)
    document = {
        "schema": SCHEMA,
        **reading_of(model),
        "statistics": model.statistics.as_dict(),
        "initial_component": declared.initial_component,
        "initial_node": declared.initial_node,
        **_place(declared),
        **stated(model, formulas),
        "components": [
            _component(model, graph, number, each)
            for number, each in enumerate(declared.components)
        ],
    }
    try:
        return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"
    except UnicodeEncodeError as error:
        raise unencodable(error) from None


def _component(
    model: RSM, graph: CallGraph, number: int, declared: ComponentDecl
) -> dict[str, object]:
    return {
        "name": declared.name,
        **_place(declared),
        "calls": [model.names.components[callee] for callee in graph.callees[number]],
        "recursive": graph.recursive[number],
        "reachable": graph.reachable[number],
        "edges": sum(len(each.targets) for each in declared.transitions),
        "nodes": declared.nodes,
        "boxes": declared.boxes,
        "transitions": declared.transitions,
    }


def _place(declared: ModelDecl | ComponentDecl) -> dict[str, object]:
    """The file of source positions, and of a component its own position, as far as they are set."""
    names = ("file", "at")
    found = {name: getattr(declared, name, msgspec.UNSET) for name in names}
    return {name: each for name, each in found.items() if each is not msgspec.UNSET}
