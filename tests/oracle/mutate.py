"""Machines and formulas with one small change."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from oracle.formula import operands
from oracle.generate import LABELS, RARE
from oracle.machine import Box, Component, Machine, Node, Ref, problems

if TYPE_CHECKING:
    from random import Random

    from oracle.formula import Formula

KINDS = [
    "edge added",
    "edge removed",
    "edge redirected",
    "label added",
    "label removed",
    "callee changed",
    "return added",
    "return removed",
    "dead ends changed",
    "semantics changed",
]


def mutate(rng: Random, machine: Machine, kind: str) -> Machine | None:
    """The machine with a change of this kind, or None: there was none, or it broke the machine."""
    if kind == "dead ends changed":
        return replace(machine, dead_ends="stop" if machine.dead_ends == "stutter" else "stutter")
    if kind == "semantics changed":
        other = "rsmcheck" if machine.semantics == "standard" else "standard"
        return replace(machine, semantics=other)
    at = rng.randrange(len(machine.components))
    change = {"edge": _edge, "label": _label, "callee": _callee, "return": _return}[
        kind.split(maxsplit=1)[0]
    ]
    component = change(rng, machine, machine.components[at], kind)
    if component is None or component == machine.components[at]:
        return None
    parts = machine.components
    changed = replace(machine, components=(*parts[:at], component, *parts[at + 1 :]))
    return None if problems(changed) else changed


def _edge(rng: Random, machine: Machine, here: Component, kind: str) -> Component | None:
    edges = list(here.edges)
    sources: list[Ref] = [node.name for node in here.nodes if not node.is_exit]
    sources += [(box.name, e) for box in here.boxes for e in box.return_nodes]
    targets: list[Ref] = [node.name for node in here.nodes]
    targets += [(box.name, e) for box in here.boxes for e in box.call_nodes]
    if kind == "edge added":
        if not sources:
            return None
        new = (rng.choice(sources), rng.choice(targets))
        return None if new in edges else replace(here, edges=(*edges, new))
    if not edges:
        return None
    at = rng.randrange(len(edges))
    source, _ = edges.pop(at)
    if kind == "edge redirected":
        edges.insert(at, (source, rng.choice(targets)))
    return replace(here, edges=tuple(dict.fromkeys(edges)))


def _label(rng: Random, machine: Machine, here: Component, kind: str) -> Component | None:
    at = rng.randrange(len(here.nodes))
    node = here.nodes[at]
    label = rng.choice((*LABELS, RARE))
    if (label in node.labels) != (kind == "label removed"):
        return None
    labels = tuple({*node.labels} ^ {label})
    new: Node = replace(node, labels=tuple(sorted(labels)))
    return replace(here, nodes=(*here.nodes[:at], new, *here.nodes[at + 1 :]))


def _put_box(here: Component, at: int, box: Box) -> Component:
    return replace(here, boxes=(*here.boxes[:at], box, *here.boxes[at + 1 :]))


def _callee(rng: Random, machine: Machine, here: Component, kind: str) -> Component | None:
    """Another component is called, which must have entries and exits of the same names."""
    if not here.boxes:
        return None
    at = rng.randrange(len(here.boxes))
    box = here.boxes[at]
    return _put_box(here, at, replace(box, component=rng.choice(machine.components).name))


def _return(rng: Random, machine: Machine, here: Component, kind: str) -> Component | None:
    """A return node more, without edges, or one less, with its edges."""
    if not here.boxes:
        return None
    at = rng.randrange(len(here.boxes))
    box = here.boxes[at]
    exits = [node.name for node in machine.component[box.component].nodes if node.is_exit]
    fitting = [e for e in exits if (e in box.return_nodes) == (kind == "return removed")]
    if not fitting:
        return None
    name = rng.choice(fitting)
    if kind == "return added":
        return _put_box(here, at, replace(box, return_nodes=(*box.return_nodes, name)))
    rest = tuple(each for each in box.return_nodes if each != name)
    left = tuple(edge for edge in here.edges if edge[0] != (box.name, name))
    return replace(_put_box(here, at, replace(box, return_nodes=rest)), edges=left)


def other_label(rng: Random, formula: Formula) -> Formula:
    """The formula with one atom's label replaced, or with none if there is no atom."""
    if formula[0] == "atom":
        return ("atom", rng.choice((*LABELS, RARE)))
    if not operands(formula):
        return formula
    at = rng.randrange(1, len(formula))
    return (*formula[:at], other_label(rng, formula[at]), *formula[at + 1 :])
