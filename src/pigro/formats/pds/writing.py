"""Recursive state machines as `.pds` files.

A node is a symbol on control state `run`, with its labels. To be at an exit is to have popped: each
exit has a control state of its own, with the exit's labels, and the box that comes to light, a
symbol too, says where to go on. So every step of the model is one rule, and every state one
configuration. Below all is the symbol of the empty stack, where exits loop.

Needs: one initial node, and labels without blanks, commas and angle brackets. Names that a `.pds`
file can't hold, or that occur twice, are replaced by numbers. Cost: linear.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError, UsageError, printable
from pigro.limits import no_poll, watched
from pigro.model.choices import unusual_reading
from pigro.model.statistics import why_lost

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.limits import Poll
    from pigro.model import RSM

_NAME = re.compile(r"[^\s<>(),;#/][^\s<>(),;]*")
_LABEL = re.compile(r"(?!//|/\*)[^\s<>,]+")


def write(model: RSM, poll: Poll = no_poll) -> bytes:
    """The model as a `.pds` file. Reading it again gives the same verdicts.

    Where runs stop at dead ends of the semantics `rsmcheck`, whoever reads it must say so again.
    """
    if len(model.initial) != 1:
        raise ModelError(
            "P215",
            f"a .pds file has one initial configuration, and the model {len(model.initial)} "
            "initial nodes",
            hint="choose one of them",
        )
    lost = why_lost(model) if "dead_ends" in unusual_reading(model) else None
    if lost is not None:
        raise ModelError(
            "P215",
            f"a .pds file can't say how it is read: {lost}",
            hint="write it as .rsm, or choose --dead-ends stutter here, and stop for the new file",
        )
    writer = _PdsNames(model, poll)
    try:
        return "\n".join(writer.lines()).encode() + b"\n"
    except UnicodeEncodeError as error:
        raise UsageError(
            "P003", f'the name "{printable(error.object)}" can\'t be written as UTF-8'
        ) from None


class _PdsNames:
    """The names of all symbols and control states."""

    def __init__(self, model: RSM, poll: Poll) -> None:
        self.model, self.poll = model, poll
        self.taken: set[str] = set()
        core = model.core
        self.run = self._fresh("run", "run")
        self.bottom = self._fresh("bottom", "bottom")
        self.node: dict[int, str] = {}
        """The symbol of a node, or the control state of an exit."""
        for node in watched(range(core.nodes), poll):
            if core.kind(node).name in ("PLAIN", "EXIT"):
                name = model.names.nodes[core.declared_of_node(node)]
                self.node[node] = self._fresh(name, f"n{node}")
        self.box = [
            self._fresh(name, f"b{number}") for number, name in enumerate(model.names.boxes)
        ]

    def lines(self) -> Iterator[str]:
        """Initial configuration, labels, rules."""
        model, core = self.model, self.model.core
        yield f"({self._configuration(model.initial[0], self.bottom)})"
        yield from self._labels()
        for node in watched(range(core.nodes), self.poll):
            kind = core.kind(node).name
            if kind == "EXIT":
                state = self.node[node]
                yield f"{state} <{self.bottom}> --> {state} <{self.bottom}>"
            elif targets := core.successors(node):
                source = self._configuration(node)
                for target in targets:
                    yield f"{source} --> {self._configuration(target)}"

    def _configuration(self, node: int, below: str = "") -> str:
        """What stands for a node, seen from its component. On top of `below` for the first one."""
        core = self.model.core
        tail = f" {below}" if below else ""
        kind = core.kind(node).name
        if kind == "EXIT":
            return f"{self.node[node]} <{below}>"
        if kind == "RETURN":
            return f"{self.node[core.subject(node)]} <{self.box[core.box(node)]}{tail}>"
        if kind == "CALL":
            return f"{self.run} <{self.node[core.subject(node)]} {self.box[core.box(node)]}{tail}>"
        return f"{self.run} <{self.node[node]}{tail}>"

    def _labels(self) -> Iterator[str]:
        labels: dict[int, list[str]] = {}
        core = self.model.core
        for label, number in self.model.label_ids.items():
            require_label(label)
            for node in watched(core.labelled(number), self.poll):
                labels.setdefault(node, []).append(label)
        for node, name in self.node.items():  # a dead call of the rsmcheck reading has a subject
            if found := labels.get(core.subject(node)):
                yield f"ATOMS {name} {', '.join(found)}"

    def _fresh(self, name: str, otherwise: str) -> str:
        if name == "ATOMS" or name in self.taken or not _NAME.fullmatch(name):
            name = otherwise
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        return name


def require_label(label: str) -> None:
    """`ModelError` P215 for a label that the format has no way to write."""
    if not _LABEL.fullmatch(label):
        raise ModelError(
            "P215",
            f'a .pds file can\'t hold the label "{printable(label)}"',
            hint="labels there have no blanks, commas or angle brackets",
        )
