"""A component for each procedure: the translation of control-flow models.

Nodes are heads. What is connected without a call makes a component: by rules that replace one
symbol by one, and by what a call comes back to. A rule that pushes is a call of what comes on top;
its box is the rest of the word. A head that pops is an exit, and the step of the pop is that from
the return node: after the box `w`, an exit that pops into control state `q` leads to the
configuration `q <w>`. For a longer `w` that is a call again, with the rest of `w` as the box.

Component 0 holds the initial configuration, whose stack may have any number of symbols, and the
configurations with the empty stack. The empty word is its box for the bottom of the stack.

Needs: the rules of a head either all pop or none does, since an exit has no other successors
(`fits`). Labels stay exact: a node stands for one head. Cost: linear but for the return nodes, one
for each box and exit of its callee (`returns_of`).

With one working control state the components are the procedures. With more, a call is taken to come
back in any control state that any rule pops into: components may then be larger than needed, which
changes no answer.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING

from pigro.formats.pds.draft import EXIT, Draft
from pigro.formats.pds.words import Words

if TYPE_CHECKING:
    from pigro.formats.pds.system import PushdownSystem

ROOT = "initial configuration"
"""The name of component 0; names in files have no blanks."""


def fits(system: PushdownSystem) -> bool:
    """Does each head pop with all of its rules or with none?"""
    words = system.words
    popping, other = set[int](), set[int]()
    for source, target in zip(system.sources, system.targets, strict=True):
        if target >= 0 or words[~target][1]:
            other.add(source)
        else:
            popping.add(source)
    return popping.isdisjoint(other)


class Split:
    """The translation; `draft` is complete once it is made."""

    def __init__(self, system: PushdownSystem) -> None:
        self.system = system
        self.words = Words()
        self.draft = Draft()
        self.popped = tuple({state: None for state, word in system.words if not word})
        self._boxes: dict[tuple[int, int, int], int] = {}
        self._calls: dict[tuple[int, int], int] = {}
        self._extra: dict[tuple[int, str, str], int] = {}
        self._open: list[tuple[int, int, int, int]] = []
        """Boxes whose returns are still to come: box, owner, word, callee."""
        self._moves: list[tuple[str, tuple[str, ...]]] = []
        """The rules of the initial configuration."""
        self.initial = -1
        self._prepare()

    def _prepare(self) -> None:
        """Nodes and components, and the initial node."""
        system, draft = self.system, self.draft
        state, stack = system.initial
        first = system.number.get((state, stack[0])) if stack else None
        if first is not None:
            self._moves = system.rules_of(first)
        _add_heads(system, self.popped, self._moves)
        alone = first is not None and not _entered(system, state)
        roots = _procedures(system, self.popped, first if alone else None)
        component: dict[int, int] = {}
        draft.owner = [
            0 if alone and node == first else component.setdefault(root, len(component) + 1)
            for node, root in enumerate(roots)
        ]
        draft.heads = list(system.heads)
        draft.names = _names(system)
        draft.flags = bytearray(len(roots))
        draft.components = [ROOT, *(draft.names[root] for root in component)]
        if alone and first is not None:  # the node itself, which nothing leads to
            self.initial = first
        else:
            self.initial = self._node(0, state, stack[0] if stack else "", "start ")

    def returns(self) -> int:
        """About how many return nodes there will be."""
        system, owner = self.system, self.draft.owner
        exits = Counter[int]()
        called = Counter[int]()
        for source, target in zip(system.sources, system.targets, strict=True):
            if target < 0:
                state, word = system.words[~target]
                if word:
                    called[owner[system.number[state, word[0]]]] += len(word) - 1
                else:
                    exits[owner[source]] += 1
        return sum(count * exits[callee] for callee, count in called.items())

    def run(self) -> Draft:
        """Edges and boxes."""
        system, draft = self.system, self.draft
        state, stack = system.initial
        rest = self.words.put(stack[1:])
        for after, word in self._moves:
            draft.edge(self.initial, self._enter(0, after, self.words.put(word, rest)))
        pops = self._add_rules()
        exits = defaultdict[int, list[tuple[int, list[str]]]](list)
        for node, states in pops.items():
            draft.flags[node] |= EXIT
            exits[draft.owner[node]].append((node, states))
        while self._open:
            box, owner, word, callee = self._open.pop()
            after_pop: dict[str, int] = {}
            for node, states in exits.get(callee, ()):
                source = draft.returned(box, node)
                for state in states:
                    if state not in after_pop:
                        after_pop[state] = self._enter(owner, state, word)
                    draft.edge(source, after_pop[state])
        self._name_components()
        return draft

    def _add_rules(self) -> dict[int, list[str]]:
        """All edges but those of the initial node and of return nodes; what pops, and into what."""
        system, draft, initial = self.system, self.draft, self.initial
        owner, words, put = draft.owner, system.words, self.words.put
        pops = defaultdict[int, list[str]](list)
        for source, target in zip(system.sources, system.targets, strict=True):
            if source == initial:
                continue
            if target >= 0:
                draft.sources.append(source)
                draft.targets.append(target)
                continue
            state, word = words[~target]
            if word:
                draft.edge(source, self._enter(owner[source], state, put(word)))
            else:
                pops[source].append(state)
        return pops

    def _enter(self, owner: int, state: str, word: int) -> int:
        """Where a step into the configuration `state <word>` leads, seen from a component."""
        first, rest = self.words.first[word], self.words.rest[word]
        if word and (rest or owner == 0):
            return self._call(owner, self.system.number[state, first], rest)
        if owner:
            found = self.system.number.get((state, first))
            if found is not None:
                return found
        return self._node(owner, state, first)

    def _call(self, owner: int, entry: int, word: int) -> int:
        draft = self.draft
        callee = draft.owner[entry]
        key = (owner, word, callee)
        box = self._boxes.get(key)
        if box is None:
            name = f"{draft.names[entry]}, then {self.words.text(word)}"
            box = self._boxes[key] = draft.box(name, owner, callee)
            self._open.append((box, owner, word, callee))
        call = self._calls.get((box, entry))
        if call is None:
            call = self._calls[box, entry] = draft.call(box, entry)
        return call

    def _node(self, owner: int, state: str, symbol: str, prefix: str = "") -> int:
        """A node without rules of its own."""
        key = (owner, state, prefix + symbol)
        found = self._extra.get(key)
        if found is None:
            name = f"{prefix}{state} <{symbol}>"
            found = self._extra[key] = self.draft.node((state, symbol), name, owner)
        return found

    def _name_components(self) -> None:
        """After the first node that is called."""
        draft = self.draft
        for entry in reversed(draft.call_entry):
            draft.components[draft.owner[entry]] = draft.names[entry]


def _add_heads(
    system: PushdownSystem, popped: tuple[str, ...], moves: list[tuple[str, tuple[str, ...]]]
) -> None:
    """Heads for all that can be called, also what has no rules."""
    stack = system.initial[1]
    uncovered = set[str](stack[1:])  # what a pop can bring to light as the entry of a call
    for state, word in system.words:
        if word:
            system.head(state, word[0])
            uncovered.update(word[1:-1])
    for state, word in moves:
        uncovered.update(word[1:])
        if word or len(stack) > 1:
            system.head(state, (word + stack[1:])[0])
    for symbol in sorted(uncovered):
        for state in popped:
            system.head(state, symbol)


def _entered(system: PushdownSystem, state: str) -> bool:
    """Does any rule lead into this control state?"""
    heads = system.heads
    return any(each >= 0 and heads[each][0] == state for each in set(system.targets)) or any(
        each == state for each, _ in system.words
    )


def _procedures(system: PushdownSystem, popped: tuple[str, ...], without: int | None) -> list[int]:
    """For each head, the first head of its component; rules of the head `without` join nothing."""
    parent = list(range(len(system.heads)))
    number, words = system.number, system.words
    back: list[list[int]] = [
        [each for state in popped if (each := number.get((state, word[-1]))) is not None]
        if word
        else []
        for _, word in words
    ]
    for source, target in zip(system.sources, system.targets, strict=True):
        if source == without:
            continue
        for other in (target,) if target >= 0 else back[~target]:
            _join(parent, source, other)
    for node, up in enumerate(parent):
        parent[node] = parent[up]
    return parent


def _join(parent: list[int], one: int, two: int) -> None:
    """Makes one set of two, shortening the ways up; a parent is never greater than its child."""
    while (up := parent[one]) != (other := parent[two]):
        if up < other:
            one, two, up, other = two, one, other, up
        parent[one] = other
        if one == up:
            return
        one = up


def _names(system: PushdownSystem) -> list[str]:
    """Nodes of the most frequent control state are called by their symbol alone."""
    usual = Counter(state for state, _ in system.heads).most_common(1)
    main = usual[0][0] if usual else ""
    return [symbol if state == main else f"{state} <{symbol}>" for state, symbol in system.heads]
