"""A recursive state machine under construction, as one component and then as several.

Parts are numbered as they come. Node 0 is the initial one, and no exit. As the target of an edge
`~i` is the i-th call, as a source `~j` the j-th return. Any box may call any entry, and return from
any exit.

`separate` finds the parts that are connected without a call: nodes by edges, a box with what leads
to it and with what it comes back to. Each such part is a component, with its own copies of the
exits that it can reach, and with a box for each component that it calls. Engines work component by
component, so that small ones save them contexts, while answers stay the same.
"""

from __future__ import annotations

from collections import defaultdict

from pigro.formats.pds.assembly import HeadAssembly
from pigro.model.assembly import ENTRY, EXIT


class ModelDraft(HeadAssembly):
    """The parts of the model so far, as one component, which all boxes call."""

    def __init__(self) -> None:
        super().__init__(1)

    def call(self, box: int, entry: int) -> int:
        """A new call node, as a target. Now `entry` is one."""
        self.flags[entry] |= ENTRY
        return super().call(box, entry)


def separate(draft: ModelDraft) -> HeadAssembly:
    """The draft as components, in the order of their first nodes. Node 0 stays node 0."""
    return _Separation(draft).run()


class _Separation:
    """Nodes and, numbered after them, boxes, each with its component."""

    def __init__(self, draft: ModelDraft) -> None:
        self.draft = draft
        self.nodes = len(draft.heads)
        roots = self._connected()
        numbers: dict[int, int] = {}
        self.part = [
            -1
            if thing < self.nodes and draft.flags[thing] & EXIT
            else numbers.setdefault(root, len(numbers))
            for thing, root in enumerate(roots)
        ]
        """The component of each node and box. Exits are copied, and have none."""
        self.made = HeadAssembly(len(numbers))
        self.exits: dict[tuple[int, int], int] = {}
        """By component and exit: the copy."""

    def run(self) -> HeadAssembly:
        """All parts."""
        draft, made = self.draft, self.made
        self.place = [-1] * self.nodes
        for node, part in enumerate(self.part[: self.nodes]):
            if part >= 0:
                self.place[node] = made.node(
                    part, draft.heads[node], draft.names[node], draft.flags[node]
                )
        calls = self._calls()
        returns = self._returns()
        for source, target in zip(draft.sources, draft.targets, strict=True):
            owner = self.part[self._place_of(source)]
            to = calls[~target] if target < 0 else self._copy(owner, target)
            for at in (self.place[source],) if source >= 0 else returns[~source]:
                made.edge(at, to)
        return made

    def _connected(self) -> list[int]:
        """For each node and box, the first thing that it is connected with."""
        draft = self.draft
        parent = list(range(self.nodes + len(draft.box_names)))
        for source, target in zip(draft.sources, draft.targets, strict=True):
            if target < 0:
                _join(parent, self._place_of(source), self.nodes + draft.call_box[~target])
            elif not draft.flags[target] & EXIT:
                _join(parent, self._place_of(source), target)
        for thing, up in enumerate(parent):
            parent[thing] = parent[up]
        return parent

    def _place_of(self, source: int) -> int:
        """A node, or the box that returns."""
        return source if source >= 0 else self.nodes + self.draft.return_box[~source]

    def _copy(self, owner: int, node: int) -> int:
        """The node, or the copy of an exit that the component has."""
        draft = self.draft
        if not draft.flags[node] & EXIT:
            return self.place[node]
        key = (owner, node)
        if key not in self.exits:
            self.exits[key] = self.made.node(owner, draft.heads[node], draft.names[node], EXIT)
        return self.exits[key]

    def _calls(self) -> list[int]:
        """The call nodes. Their boxes, one for each component that is called, are in `boxes`."""
        draft, made = self.draft, self.made
        self.boxes: dict[tuple[int, int], int] = {}
        calls = []
        for box, entry in zip(draft.call_box, draft.call_entry, strict=True):
            key = (box, self.part[entry])
            if key not in self.boxes:
                name = draft.box_names[box]
                owner, line = self.part[self.nodes + box], draft.box_lines[box]
                number = made.box(owner, key[1], f"{name} {key[1]}", line)
                self.boxes[key] = number
            calls.append(made.call(self.boxes[key], self.place[entry]))
        return calls

    def _returns(self) -> list[list[int]]:
        """The copies of each return node: one for each callee of the box that has the exit."""
        draft, made = self.draft, self.made
        for source, target in zip(draft.sources, draft.targets, strict=True):
            if target >= 0:
                self._copy(self.part[self._place_of(source)], target)
        exits = defaultdict[int, dict[int, int]](dict)
        for (part, node), copy in self.exits.items():
            exits[part][node] = copy
        listed = defaultdict[int, dict[int, int]](dict)
        for number, (box, leave) in enumerate(
            zip(draft.return_box, draft.return_exit, strict=True)
        ):
            listed[box][leave] = number
        found: list[list[int]] = [[] for _ in draft.return_box]
        for (box, callee), number in self.boxes.items():
            here, there = listed[box], exits[callee]
            for leave in here if len(here) < len(there) else there:
                if leave in here and leave in there:
                    found[here[leave]].append(made.returned(number, there[leave]))
        return found


def _join(parent: list[int], one: int, two: int) -> None:
    """Makes one set of two, shortening the ways up. A parent is never greater than its child."""
    while (up := parent[one]) != (other := parent[two]):
        if up < other:
            one, two, up, other = two, one, other, up
        parent[one] = other
        if one == up:
            return
        one = up
