"""The configurations of a pushdown system that the states of its model stand for, and its steps.

The names of nodes and boxes say the words that they stand for (general.py, and name_node in
native/core/pushdown/split.cpp). A configuration is the word of the node on top of those of the
boxes on the stack. Where a procedure is called that is left at once, a state is at a return node.
It stands for the node that is left, on top of the box.
"""

from __future__ import annotations

import re
from collections import Counter
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING

from pigro.formats.pds.system import NamedSystem

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.states import Stack, State
    from pigro.formats.pds.system import PushdownSystem
    from pigro.model import RSM

_SHOWN = 30
"""Symbols of a stack that are shown."""
_REST = "..."
"""In names of long words, before the number of their rest."""
_WORD = re.compile(r"(?:(\S+) )?<([^<>]*)>")


class PdsConfigurations:
    """Those of the states of a model. `initial` is its initial node."""

    def __init__(self, system: PushdownSystem, model: RSM) -> None:
        self._system = system
        self._initial = model.core.declared_of_node(model.initial[0])
        self._names = model.names
        self._nodes: dict[int, tuple[str, list[str]]] = {}
        self._boxes: dict[int, list[str]] = {}

    @cached_property
    def _rules(self) -> NamedSystem:
        return NamedSystem.of(self._system)

    @cached_property
    def _main(self) -> str:
        """The control state that names of split models leave out: that of the most heads."""
        core = self._system.core
        counts = Counter(state for state, _ in core.heads)
        most = max(counts.values(), default=0)
        return core.names[min((each for each, n in counts.items() if n == most), default=0)]

    def text(self, model: RSM, state: State) -> str:
        """A configuration as `<q, f g n>`, the top of the stack first."""
        control, word = self._top(model, state.node)
        symbols = [*word, *islice(self._below(state.stack), _SHOWN + 1)]
        more = len(symbols) > _SHOWN
        shown = " ".join(symbols[:_SHOWN]) + (" ..." if more else "")
        return f"<{control}, {shown}>" if shown else f"<{control}>"

    def line(self, model: RSM, before: State, after: State) -> int:
        """The line of the rule of a step. 0 if it is not known."""
        depth = _shared(before.stack, after.stack)
        control, old = self._top(model, before.node)
        if not old and 0 < depth == before.stack.depth:
            depth -= 1  # the symbol on top is that of the box
        old = old + self._above(before.stack, depth)
        target, new = self._top(model, after.node)
        new = new + self._above(after.stack, depth)
        if not old:
            return 0
        head = (control, old[0])
        rules = zip(self._rules.after.get(head, ()), self._rules.lines.get(head, ()), strict=True)
        mine = [(list(word), line) for (state, word), line in rules if state == target]
        exact = [line for word, line in mine if word + old[1:] == new]
        if exact:
            return exact[0]
        like = [line for word, line in mine if _may_be(word + old[1:], new)]
        return like[0] if len(like) == 1 else 0

    def _below(self, stack: Stack) -> Iterator[str]:
        while stack.depth:
            yield from self._box(stack.box)
            stack = stack.below

    def _above(self, stack: Stack, depth: int) -> list[str]:
        return [each for box in reversed(stack.above(depth)) for each in self._box(box)]

    def _top(self, model: RSM, node: int) -> tuple[str, list[str]]:
        """The control state, and the word of a node."""
        found = self._nodes.get(node)
        if found is None:
            core = model.core
            control, word = self._head(core.declared_of_node(core.subject(node)))
            box = core.box(node)
            if box >= 0:
                word = word + self._box(box)
            found = self._nodes[node] = control, word
        return found

    def _head(self, declared: int) -> tuple[str, list[str]]:
        if declared == self._initial:
            state, word = self._rules.initial
            return state, list(word)
        name = self._names.nodes[declared]
        match = _WORD.search(name)
        if match is None:
            return self._main, [name]
        return match[1], match[2].split()

    def _box(self, box: int) -> list[str]:
        found = self._boxes.get(box)
        if found is None:
            name = self._names.boxes[box]
            _, then, word = name.partition(", then ")
            match = None if then else _WORD.match(name)
            found = self._boxes[box] = (match[2] if match else word).split()
        return found


def _shared(one: Stack, two: Stack) -> int:
    """How many boxes, from the bottom on, two stacks share."""
    while one.depth > two.depth:
        one = one.below
    while two.depth > one.depth:
        two = two.below
    while one != two:
        one, two = one.below, two.below
    return one.depth


def _may_be(one: list[str], two: list[str]) -> bool:
    """Whether two words can be equal, where the rest of a long one is not written out."""
    if _REST not in one and _REST not in two:
        return False
    for left, right in zip(one, two, strict=False):
        if _REST in (left, right):
            return True
        if left != right:
            return False
    return len(one) == len(two)
