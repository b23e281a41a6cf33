"""What a pushdown system is, and what its configurations mean.

A *head* is a control state with a symbol on top of the stack. A rule leads from a head to a control
state and a word that replaces the symbol, the top of the stack first.

The steps are those of pushdown systems: one rule, one step. A configuration to which no rule
applies is a dead end, and so is one with the empty stack. It carries the labels of its control
state, of the symbol on top, and of the two together.

The rules themselves are numbers in the native core (native/core/pushdown/pushdown.hpp).
`NamedSystem` has them by name, for callers that are not in a hurry.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from pigro import _core
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Sequence

Head = tuple[str, str]
"""A control state and a symbol. The symbol is empty for the empty stack."""
Word = tuple[str, ...]


class PushdownSystem:
    """Rules, labels, and the configuration to start from, taken in one by one."""

    def __init__(self) -> None:
        self.core = _core.Pushdown()

    def add(self, state: str, symbol: str, after: str, word: Sequence[str], line: int = 0) -> None:
        """Takes in a rule, and the line that it stands in. 0 if that is not known."""
        self.core.add_rule(state, symbol, after, word, line)

    def label(self, name: str, labels: Sequence[str]) -> None:
        """Labels of a control state or a symbol, or of both if they share the name."""
        self.core.add_labels(name, labels)

    def label_head(self, state: str, symbol: str, labels: Sequence[str]) -> None:
        """Labels of a control state and a symbol together."""
        self.core.add_head_labels(state, symbol, labels)

    def start(self, state: str, stack: Sequence[str]) -> None:
        """Sets the initial configuration."""
        self.core.start_at(state, stack)


class NamedSystem(Record, frozen=True):
    """A pushdown system by names."""

    after: dict[Head, list[tuple[str, Word]]]
    """For each head that has rules, what they lead to."""
    labels: dict[str, list[str]]
    head_labels: dict[Head, list[str]]
    initial: tuple[str, Word]
    lines: dict[Head, list[int]]
    """For each head that has rules, the lines of the file that they stand in, or zeros."""

    @classmethod
    def of(cls, system: PushdownSystem) -> NamedSystem:
        """All that the system has taken in."""
        core = system.core
        names = core.names
        heads = [(names[state], names[symbol]) for state, symbol in core.heads]
        words = [(names[state], tuple(names[each] for each in word)) for state, word in core.words]
        after = defaultdict[Head, list[tuple[str, Word]]](list)
        lines = defaultdict[Head, list[int]](list)
        for source, target, line in zip(core.sources, core.targets, core.rule_lines, strict=True):
            lines[heads[source]].append(line)
            state, symbol = heads[target] if target >= 0 else ("", "")
            after[heads[source]].append(words[~target] if target < 0 else (state, (symbol,)))
        labels = defaultdict[str, list[str]](list)
        for owner, label in zip(core.label_owner, core.label, strict=True):
            labels[names[owner]].append(names[label])
        head_labels = defaultdict[Head, list[str]](list)
        for state_number, symbol_number, label in zip(
            core.head_label_state, core.head_label_symbol, core.head_label, strict=True
        ):
            head_labels[names[state_number], names[symbol_number]].append(names[label])
        initial = (names[core.initial_state], tuple(names[each] for each in core.initial_stack))
        return cls(dict(after), dict(labels), dict(head_labels), initial, dict(lines))
