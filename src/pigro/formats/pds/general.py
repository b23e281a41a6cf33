"""The translation of any pushdown system.

An exit can have no successor of its own, but a head may both pop and go on. So here the exit is
the moment *after* the pop: its return nodes, one for each box, have the successors of the
configuration that comes to light. An exit carries its own labels whatever the box, hence it must
know those of the symbol below, and so must every node that can pop. A node is therefore (control
state, word, kind):

- the word is the top of the stack, of at most `m` symbols,
- the kind stands for all symbols that carry the same labels as the one below the word, or for none
  when the word is the whole stack.

A box stands for a word below. The step of a rule replaces the first symbol. If the word gets
longer than `m`, the lower `m` symbols become a box. With `m` one less than the longest right side
(at least one) the upper part is never empty, and one step makes at most one box: a word in the node
is what lets a rule push more than one box would hold. The initial configuration is a node too, of
any length. The words that arise from it are ends of it with at most one other symbol on top.

Only what can be reached is made. A call is taken to come back in any control state that is popped
into. Cost: linear for right sides of at most two symbols and a fixed number of different label sets
on symbols. Times their number otherwise. That is the nature of the matter: what a popping head and
each of the symbols below it carry are labels of neighbouring states, and recursive state machines
have no other way to tell them than an edge for each pair.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError
from pigro.formats.pds.draft import ModelDraft
from pigro.formats.pds.words import WordTable
from pigro.limits import no_poll
from pigro.model.assembly import EXIT

if TYPE_CHECKING:
    from pigro.formats.pds.system import NamedSystem, Word
    from pigro.limits import Poll

BOTTOM = ""
"""The kind of nothing below."""
LARGEST = 4_000_000
"""Nodes, edges and symbols of words together. Beyond, a model is refused."""


class GeneralTranslation:
    """The translation into one component, which `separate` takes apart."""

    def __init__(self, rules: NamedSystem) -> None:
        self.rules = rules
        self.words = WordTable()
        self.draft = ModelDraft()
        sizes = (len(word) for found in rules.after.values() for _, word in found)
        self.longest = max(1, max(sizes, default=1) - 1)
        self._back = _returning(rules)
        self._kinds = _kinds(rules)
        self._nodes: dict[tuple[str, int, str], int] = {}
        self._boxes: dict[tuple[int, str], int] = {}
        self._calls: dict[tuple[int, int], int] = {}
        self._line = 0
        """Of the rule that makes the next boxes."""
        self._open: list[tuple[int, str, int, str]] = []
        """Sources whose edges are still to come, with the configurations they stand for."""
        state, stack = rules.initial
        self._node(state, self.words.put(stack), BOTTOM)  # node 0, where to start

    def run(self, poll: Poll = no_poll) -> ModelDraft:
        """All that can be reached."""
        while self._open:
            poll()
            source, state, word, kind = self._open.pop()
            rest = self.words.rest[word]
            head = (state, self.words.first[word])
            lines = self.rules.lines.get(head, ())
            for (after, pushed), line in zip(self.rules.after.get(head, ()), lines, strict=True):
                self._line = line
                self.draft.edge(source, self._enter(after, pushed, rest, kind))
            self._refuse_giants()
        return self.draft

    def _enter(self, state: str, pushed: Word, rest: int, kind: str) -> int:
        """Where a step into the configuration `state <pushed rest>` leads."""
        most = self.longest
        word = self.words.put(pushed, rest)
        length = self.words.length[word]
        if length <= most:
            return self._node(state, word, kind)
        keep = length - most if length <= 2 * most else max(1, min(len(pushed), most))
        top, below = self.words.cut(word, keep)
        entry = self._node(state, self.words.put(top), self._kinds[self.words.first[below]])
        box = self._box(below, kind)
        call = self._calls.get((box, entry))
        if call is None:
            call = self._calls[box, entry] = self.draft.call(box, entry)
        return call

    def _node(self, state: str, word: int, kind: str) -> int:
        key = (state, word, kind)
        found = self._nodes.get(key)
        if found is None:
            leaves = not word and kind != BOTTOM
            head = (state, kind if leaves else self.words.first[word])
            name = f"{state} <{self.words.text(word)}>" + (f" on {kind}" if kind else "")
            found = self._nodes[key] = self.draft.node(0, head, name, EXIT if leaves else 0)
            if word:
                self._open.append((found, state, word, kind))
        return found

    def _box(self, word: int, kind: str) -> int:
        """The box, with a return node where the configuration that comes to light has rules."""
        found = self._boxes.get((word, kind))
        if found is None:
            name = f"<{self.words.text(word)}>" + (f" on {kind}" if kind else "")
            found = self._boxes[word, kind] = self.draft.box(0, 0, name, self._line)
            symbol = self.words.first[word]
            for state in self._back.get(symbol, ()):
                leave = self._node(state, 0, self._kinds[symbol])
                self._open.append((self.draft.returned(found, leave), state, word, kind))
        return found

    def _refuse_giants(self) -> None:
        draft = self.draft
        if len(draft.heads) + len(draft.sources) + len(self.words.first) > LARGEST:
            raise ModelError(
                "P213",
                f"the pushdown system makes more than {LARGEST:,} nodes and edges",
                hint="label fewer of the symbols that are pushed below others, or shorten the "
                "right sides of rules",
            )


def _returning(rules: NamedSystem) -> dict[str, list[str]]:
    """For each symbol, the control states that are popped into and have rules for it."""
    popped = {state for found in rules.after.values() for state, word in found if not word}
    back = defaultdict[str, list[str]](list)
    for state, symbol in rules.after:
        if state in popped:
            back[symbol].append(state)
    return back


def _kinds(rules: NamedSystem) -> dict[str, str]:
    """For each symbol, the first symbol that carries the same labels."""
    of_head = defaultdict[str, list[tuple[str, tuple[str, ...]]]](list)
    for (state, symbol), labels in sorted(rules.head_labels.items()):
        of_head[symbol].append((state, tuple(sorted(set(labels)))))
    symbols = dict.fromkeys(rules.initial[1])
    for found in rules.after.values():
        for _, word in found:
            symbols |= dict.fromkeys(word)
    first: dict[object, str] = {}
    kinds = {}
    for symbol in symbols:
        own = tuple(sorted(set(rules.labels.get(symbol, ()))))
        kinds[symbol] = first.setdefault((own, tuple(of_head.get(symbol, ()))), symbol)
    return kinds
