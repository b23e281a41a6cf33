"""The notation of machines.

A machine is one text per component: its nodes by number (`>` entry, `!` exit, labels in brackets, one
letter each). Then the callees of its boxes b0, b1, ... (`-N`: exit N of the callee has no return
node). Then its edges, where `bI.N` is node N of the callee of box I. The first component's node 0 is
the initial node, unless others are given as component:node.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from oracle.machine import Box, Component, Machine, Node, problems

if TYPE_CHECKING:
    from collections.abc import Sequence

    from oracle.machine import Ref


class Trap(NamedTuple):
    """A formula on a machine, and whether it holds."""

    mistake: str
    formula: str
    holds: bool
    components: tuple[str, ...]
    options: str = ""

    @property
    def machine(self) -> Machine:
        """The machine, ready to be checked."""
        return machine_of(self.components, self.options)


def machine_of(components: Sequence[str], options: str = "") -> Machine:
    """Read the notation of the module's header."""
    nodes = [_nodes(text.split(";")[0]) for text in components]
    made = [_component(number, text, nodes) for number, text in enumerate(components)]
    starts = re.findall(r"(\d+):(\d+)", options) or [("0", "0")]
    machine = Machine(
        tuple(made),
        f"C{starts[0][0]}",
        tuple(f"n{node}" for _, node in starts),
        "stop" if "stop" in options else "stutter",
    )
    if problems(machine):
        raise ValueError(problems(machine))
    return machine


def _nodes(text: str) -> tuple[Node, ...]:
    found = re.findall(r"(\d+)(>?)(!?)(?:\[(\w+)\])?", text)
    return tuple(
        Node(f"n{number}", bool(entry), bool(leave), tuple(labels))
        for number, entry, leave, labels in found
    )


def _component(number: int, text: str, nodes: list[tuple[Node, ...]]) -> Component:
    _, callees, edges = text.split(";")
    boxes = tuple(_box(at, word, nodes) for at, word in enumerate(callees.split()))
    pairs = [word.split("->") for word in edges.split()]
    return Component(
        f"C{number}", nodes[number], boxes, tuple((_ref(one), _ref(two)) for one, two in pairs)
    )


def _box(number: int, word: str, nodes: list[tuple[Node, ...]]) -> Box:
    callee, *without = word.split("-")
    missing = {f"n{exit_}" for exit_ in without}
    there = nodes[int(callee)]
    return Box(
        f"b{number}",
        f"C{callee}",
        tuple(node.name for node in there if node.is_entry),
        tuple(node.name for node in there if node.is_exit and node.name not in missing),
    )


def _ref(word: str) -> Ref:
    box, dot, node = word.partition(".")
    return (box, f"n{node}") if dot else f"n{box}"
