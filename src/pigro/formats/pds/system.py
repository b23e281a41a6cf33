"""What a pushdown system is, and what its configurations mean.

A *head* is a control state with a symbol on top of the stack; heads are numbered. A rule leads from
a head to a control state and a word that replaces the symbol. Most rules of control-flow models
replace one symbol by one, so a rule is a pair of numbers: its head, and the head it leads to, or
`~k` for the k-th of `words`, a control state with a word of zero, two or more symbols.

The steps are those of pushdown systems: one rule, one step. A configuration to which no rule
applies is a dead end, and so is one with the empty stack. It carries the labels of its control
state, of the symbol on top, and of the two together.
"""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

Head = tuple[str, str]
"""A control state and a symbol; the symbol is empty for the empty stack."""
Word = tuple[str, ...]


@dataclass(slots=True)
class PushdownSystem:
    """Rules by number, labels by name, and the configuration to start from."""

    heads: list[Head] = field(default_factory=list)
    number: dict[Head, int] = field(default_factory=dict)
    """The inverse of `heads`."""
    sources: list[int] = field(default_factory=list)
    targets: list[int] = field(default_factory=list)
    words: list[tuple[str, Word]] = field(default_factory=list)
    labels: dict[str, list[str]] = field(default_factory=dict)
    """Of a control state or a symbol, or of both if they share the name."""
    head_labels: dict[Head, list[str]] = field(default_factory=dict)
    initial: tuple[str, Word] = ("", ())

    def head(self, state: str, symbol: str) -> int:
        """The number of a head, a new one if needed."""
        found = self.number.setdefault((state, symbol), len(self.heads))
        if found == len(self.heads):
            self.heads.append((state, symbol))
        return found

    def add(self, state: str, symbol: str, after: str, word: Word) -> None:
        """Takes in a rule."""
        self.sources.append(self.head(state, symbol))
        if len(word) == 1:
            self.targets.append(self.head(after, word[0]))
        else:
            self.words.append((after, word))
            self.targets.append(-len(self.words))

    def rules(self) -> dict[int, list[tuple[str, Word]]]:
        """For each head with rules, what they lead to."""
        found: dict[int, list[tuple[str, Word]]] = defaultdict(list)
        for source, target in zip(self.sources, self.targets, strict=True):
            found[source].append(self._after(target))
        return found

    def rules_of(self, head: int) -> list[tuple[str, Word]]:
        """What the rules of one head lead to."""
        return [
            self._after(target)
            for source, target in zip(self.sources, self.targets, strict=True)
            if source == head
        ]

    def _after(self, target: int) -> tuple[str, Word]:
        if target < 0:
            return self.words[~target]
        state, symbol = self.heads[target]
        return state, (symbol,)
