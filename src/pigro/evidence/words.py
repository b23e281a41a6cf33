"""Words for the positions of games: subformulas, labels, and lines that may be cut."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Literal

from pigro.diagnostics import printable
from pigro.logic.modal import (
    AND,
    ATOM,
    BOX,
    DIAMOND,
    FALSE,
    MU,
    NEGATED,
    OR,
    TRUE,
    VAR,
    modal_form,
    modal_origins,
)
from pigro.logic.modal_text import modal_texts
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pigro.logic import Formula
    from pigro.logic.modal import ModalForm

LONGEST = 60
"""Characters of a formula inside a line."""
LONGEST_NAME = 40


class FormWords:
    """Says subformulas of a formula that holds or fails."""

    def __init__(
        self, formula: Formula, *, holds: bool, dead_ends: Literal["stutter", "stop"]
    ) -> None:
        self.form = modal_form(formula, dead_ends=dead_ends)
        self.holds = holds
        self.verb = "holds" if holds else "fails"
        self.texts = [
            printable(text, LONGEST)
            for text in modal_texts(formula, dead_ends=dead_ends, limit=LONGEST)
        ]
        origins = modal_origins(formula, dead_ends=dead_ends)
        self.origins = {
            node: Op(formula.ops[at]) if plain else Op.NOT for node, (at, plain) in origins.items()
        }
        bodies = [self.form.left[node] for node, op in enumerate(self.form.ops) if op == VAR]
        self._alone = {self.form.root, *bodies}

    def is_told(self, node: int) -> bool:
        """Labels are told with what rests on them, and fixpoints only stand for their bodies."""
        op = self.form.ops[node]
        return NEGATED < op < MU or (op <= NEGATED and node in self._alone)

    def is_literal(self, node: int) -> bool:
        """Whether it is a label or a constant."""
        return self.form.ops[node] <= NEGATED

    def operand(self, node: int, verb: str) -> str:
        """An operand that decides."""
        return self.label(node) if self.is_literal(node) else f"{self.texts[node]} {verb}"

    def labels(self, nodes: Iterable[int], lead: str) -> str:
        """The values of labels among the nodes, after `lead`. Constants need no mention."""
        labels = [self.label(node) for node in nodes if self.form.ops[node] in {ATOM, NEGATED}]
        return f"{lead}{', '.join(dict.fromkeys(labels))}" if labels else ""

    def both(self, node: int, labels: str) -> str:
        """Says that both operands have the value of the whole. `labels` are those among them."""
        if self.origins.get(node) in {None, Op.AND, Op.OR}:
            return f"because both sides do{labels}"
        sides = (self.form.left[node], self.form.right[node])
        return "because " + ", and ".join(self.operand(each, self.verb) for each in sides)

    def label(self, node: int) -> str:
        """The value of a label, which the winner wins with."""
        if self.form.ops[node] not in {ATOM, NEGATED}:
            return self.texts[node]
        value = (self.form.ops[node] == ATOM) is self.holds
        atom = printable(self.form.atoms[self.form.left[node]], LONGEST_NAME)
        return f"{atom} is {'true' if value else 'false'}"


def is_local(form: ModalForm, node: int) -> bool:
    """Whether a state alone shows a subformula: it has no modality."""
    pending = [node]
    while pending:
        at = pending.pop()
        if form.ops[at] in {AND, OR}:
            pending += (form.left[at], form.right[at])
        elif form.ops[at] > NEGATED:
            return False
    return True


def on_the_way(form: ModalForm, nodes: Sequence[int]) -> list[int]:
    """Of subformulas that all have to be shown, the places of those that a run has to go on for.

    `<> true` says that there is a step, which the step of another one shows.
    """
    far = [at for at, node in enumerate(nodes) if not is_local(form, node)]
    free = [at for at in far if not _is_about_steps(form, nodes[at])]
    return far if len(far) == 1 else free or far


def _is_about_steps(form: ModalForm, node: int) -> bool:
    return form.ops[node] in {DIAMOND, BOX} and form.ops[form.left[node]] in {TRUE, FALSE}


def cut(
    headline: str,
    lines: Iterator[str],
    count: int,
    most: int | None,
    branches: Callable[[], bool],
) -> list[str]:
    """At most so many lines, or all, and how many of `count` positions are left out.

    Where nothing branches, there is one run to tell, and the end is its point: then the cut is
    before the last lines.
    """
    shown = [headline]
    last = deque[str](maxlen=0 if most is None else most // 2)
    for line in lines:
        if most is None or len(shown) <= most:
            shown.append(line)
        elif branches():
            last.clear()
            break
        else:
            last.append(line)
    left = count - (len(shown) - 1) - len(last)
    if left > 0:
        more = f"{left:,} more position{'s' if left != 1 else ''}"
        shown.append(f"... {more}, and then:" if last else f"... and {more}")
    return [*shown, *last]
