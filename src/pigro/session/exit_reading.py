"""Whether a verdict depends on what runs do that leave the module that they start in.

In the semantics `standard` such a run stays at the exit, in `rmv` it goes on to a state without
labels. Each part of a formula is evaluated at the exit in both readings. Where a part differs at
the exit, operators on paths above it may differ in states before, and so may the part itself if
it looks further than one step.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.run.lasso import RunPositions, evaluate
from pigro.logic import Fragment, Op
from pigro.logic.printer import text_for_people

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence.run.lasso import Sets
    from pigro.logic import Formula
    from pigro.model import RSM

_LONGEST = 60
_STAYS, _LEAVES = RunPositions(1, 0), RunPositions(2, 1)
"""The exit forever. The exit, then a state without labels forever."""


def exit_note(model: RSM, asked: Sequence[tuple[Formula, Sequence[int]]]) -> str | None:
    """The note for formulas, each with the nodes where runs start. None if no verdict depends."""
    found = [formula for formula, starts in asked if _depends(model, formula, starts)]
    if not found:
        return None
    text = text_for_people(found[0], len(found[0]) - 1, _LONGEST)
    more = f" (and {len(found) - 1:,} more)" if len(found) > 1 else ""
    return (
        f"the verdict of {printable(text, _LONGEST)}{more} may depend on the semantics: a run that "
        "leaves the module where it starts stays at the exit; with --semantics rmv it goes on to a "
        "state without labels"
    )


def _depends(model: RSM, formula: Formula, starts: Sequence[int]) -> bool:
    components = {model.core.component(node) for node in starts}
    exits = [
        node
        for each in sorted(components)
        for node in model.core.nodes_of(each)
        if model.core.kind(node).name == "EXIT"
    ]
    model = model.about(formula.atoms) if exits else model
    for node in exits:
        own = set(model.labels_of(model.core.subject(node)))
        if _differs(formula, frozenset(own.intersection(formula.atoms)), at_once=node in starts):
            return True
    return False


def _differs(formula: Formula, labels: frozenset[str], *, at_once: bool) -> bool:
    """Whether a formula may differ if an exit has these labels. `at_once`: if runs start there."""
    if not labels or formula.fragment in (Fragment.MU, Fragment.ECTL_STAR):
        return bool(labels)
    stays, leaves = (_parts(formula, labels, line) for line in (_STAYS, _LEAVES))
    here, before = [], list[bool]()
    for node, op in enumerate(formula.ops):
        here.append(stays[node][0] != leaves[node][0] >> 1)
        inner = (
            []
            if op == Op.ATOM
            else [e for e in (formula.left[node], formula.right[node]) if e >= 0]
        )
        differs = any(before[each] for each in inner)
        if op >= Op.X:
            differs |= any(here[each] for each in inner) or (here[node] and op != Op.X)
        before.append(differs)
    return before[-1] or (at_once and here[-1])


def _parts(formula: Formula, labels: frozenset[str], line: RunPositions) -> dict[int, Sets]:
    """Where each part of a formula is true on a run that begins with the exit, and where not."""
    kept: dict[int, Sets] = {}

    def leaf(node: int) -> Sets:
        if formula.ops[node] != Op.ATOM:  # A and E: there is one run
            return kept[formula.left[node]]
        true = line.at(0) if formula.atoms[formula.left[node]] in labels else 0
        return true, line.all ^ true

    evaluate(formula, range(len(formula)), line, leaf, kept)
    return kept
