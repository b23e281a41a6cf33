"""Machines written as a few lines of text, for tests made by hand.

    main  start:p  mid  x>
      box b = callee without y>
      start -> b.e mid
      b.x -> mid
    callee  >e:q  x>:p,q  y>
      e -> x y

A line that is not indented starts a component: its name, its nodes with their labels; >n is an
entry, n> an exit, >n> both. A box lists all entries and exits of its callee but the entries >n and
the exits n> after `without`. The other lines are edges: a node or return node, and its targets,
nodes or call nodes.

The first component is the initial one, and its first node the initial node, unless given.
"""

from __future__ import annotations

from dataclasses import replace

from oracle.machine import Box, Component, DeadEnds, Machine, Node, Ref, Semantics, problems


def machine_from(
    text: str,
    initial: tuple[str, ...] | None = None,
    dead_ends: DeadEnds = "stutter",
    semantics: Semantics = "standard",
) -> Machine:
    """Read the notation of the module's header. The machine is well-formed, or ValueError is
    raised.
    """
    components: list[Component] = []
    without: dict[tuple[str, str], list[str]] = {}
    for line in text.splitlines():
        words = line.split()
        if not words:
            continue
        if not line.startswith((" ", "\t")):
            components.append(Component(words[0], tuple(_node(word) for word in words[1:])))
        elif words[0] == "box":
            here = components[-1]
            without[here.name, words[1]] = words[5:]
            components[-1] = replace(here, boxes=(*here.boxes, Box(words[1], words[3])))
        else:
            here = components[-1]
            edges = tuple((_ref(words[0]), _ref(word)) for word in words[2:])
            components[-1] = replace(here, edges=(*here.edges, *edges))
    nodes = {c.name: c.nodes for c in components}
    for i, here in enumerate(components):
        boxes = tuple(
            _listing(box, nodes[box.component], without[here.name, box.name]) for box in here.boxes
        )
        components[i] = replace(here, boxes=boxes)
    first = components[0]
    machine = Machine(
        tuple(components), first.name, initial or (first.nodes[0].name,), dead_ends, semantics
    )
    if problems(machine):
        raise ValueError(problems(machine))
    return machine


def _node(word: str) -> Node:
    name, _, labels = word.partition(":")
    return Node(
        name.strip(">"),
        name.startswith(">"),
        name.endswith(">"),
        tuple(labels.split(",")) if labels else (),
    )


def _ref(word: str) -> Ref:
    box, dot, node = word.partition(".")
    return (box, node) if dot else box


def _listing(box: Box, nodes: tuple[Node, ...], without: list[str]) -> Box:
    calls = tuple(n.name for n in nodes if n.is_entry and f">{n.name}" not in without)
    returns = tuple(n.name for n in nodes if n.is_exit and f"{n.name}>" not in without)
    return replace(box, call_nodes=calls, return_nodes=returns)
