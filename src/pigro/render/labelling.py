"""Where a formula holds, as text and JSON; and its automaton over boxes as JSON and DOT."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.engines.explaining import Truth
from pigro.evidence.tables import box_name
from pigro.formats import dot
from pigro.render.json import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.engines.labelling import Satisfying

LABELS, AUTOMATON = "pigro.labels/1", "pigro.automaton/1"
WORDS = {
    Truth.YES: "always",
    Truth.NO: "never",
    Truth.DEPENDS: "depends on the caller",
    Truth.NOT_REACHABLE: "not reachable",
}
_WIDTH = max(map(len, WORDS.values())) + 2
_NODES = 12
"""Nodes of a state that a drawing names."""


def labels_text(found: Satisfying) -> str:
    """For people: a line per declared node, and how many there are of each kind."""
    lines, counted = [], Counter[Truth]()
    for node, truth in found.truths():
        counted[truth] += 1
        lines.append(f"{WORDS[truth]:<{_WIDTH}}{printable(found.model.node_name(node))}\n")
    told = ", ".join(f"{WORDS[each]}: {counted[each]:,}" for each in WORDS if counted[each])
    states = len(found.components)
    return f"{''.join(lines)}\n{told}; {states:,} context{'s' if states != 1 else ''}\n"


def labels_json(found: Satisfying) -> bytes:
    """For programs: one object."""
    nodes = [
        {"node": found.model.node_name(node), "holds": WORDS[truth]}
        for node, truth in found.truths()
    ]
    return _document(found, LABELS, {"nodes": nodes})


def automaton_json(found: Satisfying) -> bytes:
    """The automaton that reads stacks, outermost box first. A state lists the nodes it accepts."""
    model = found.model
    steps = [
        {"from": at, "box": box_name(model, box), "to": to}
        for at, row in enumerate(found.steps)
        for box, to in row.items()
    ]
    states = [
        {
            "component": model.names.components[component],
            "holds_at": [model.node_name(node) for node in accepted(found, at)],
        }
        for at, component in enumerate(found.components)
    ]
    rest = {"initial": list(found.initial.values()), "states": states, "steps": steps}
    return _document(found, AUTOMATON, rest)


def accepted(found: Satisfying, state: int) -> list[int]:
    """The declared nodes where the formula holds under the stacks of a state."""
    return sorted(node for node in found.true[state] if found.model.core.box(node) < 0)


def _document(found: Satisfying, schema: str, rest: dict[str, object]) -> bytes:
    model = found.model
    document = {
        "schema": schema,
        "model": {
            "file": model.source,
            "semantics": str(model.semantics),
            "dead_ends": str(model.dead_ends),
            "initial": [model.node_name(node) for node in model.initial],
        },
        "formula": str(found.formula),
        **rest,
    }
    return harmless(json.dumps(document, ensure_ascii=False, indent=2) + "\n").encode()


def automaton_dot(found: Satisfying) -> bytes:
    """The automaton as a drawing: states with the nodes that they accept, steps with boxes."""
    return dot.draw_graph([f"{line}\n" for line in _lines(found)])


def _lines(found: Satisfying) -> Iterator[str]:
    model = found.model
    for at, component in enumerate(found.components):
        nodes = accepted(found, at)
        names = [model.names.nodes[model.core.declared_of_node(node)] for node in nodes[:_NODES]]
        more = [f"and {len(nodes) - _NODES:,} more"] if len(nodes) > _NODES else []
        words = [model.names.components[component], *(names or ["nowhere"]), *more]
        label = "\\n".join(map(dot.escaped, words))
        border = ", peripheries=2" if at in found.initial.values() else ""
        yield f'  {at} [label="{label}", shape=box{border}];'
    for at, row in enumerate(found.steps):
        for box, to in row.items():
            yield f'  {at} -> {to} [label="{dot.escaped(model.names.boxes[box])}"];'
