"""Formulas about fair paths, said in CTL*.

Where a file has JUSTICE or COMPASSION, `A` and `E` of its formulas are about fair paths: those on
which each JUSTICE holds again and again, and each COMPASSION (p, q) that has p again and again has
q again and again. `E f` becomes `E (f & fair)`, and `A f` becomes `A (f | !fair)`. Where states may
have no successor, only endless paths count: `fair` then says so too, with `G X TRUE`. An initial
state without any fair path does not count either: `f` becomes `f | A !fair` unless `f` is about all
paths. This is how NuSMV reads formulas.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic import Formula, Fragment, Op
from pigro.logic.arena import Arena
from pigro.logic.printer import NO_PATH, SourceFormula, remember
from pigro.logic.syntax import limited

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.formats.smv.listing import StateListing
    from pigro.formats.smv.modules import SmvComponents

    Fairness = Sequence[tuple[str, ...]]
    """Labels of JUSTICE, and pairs of labels of COMPASSION."""

_QUANTIFIERS = (Op.A, Op.E)
_ANY = ""
"""Stands for any formula. No label is empty."""
_PATHS = frozenset(range(Op.X, Op.DIAMOND))


class FairPaths:
    """The paths that formulas about the components of a file are about."""

    def __init__(
        self,
        components: SmvComponents,
        fairness: Mapping[str, Fairness],
        listing: StateListing | None,
    ) -> None:
        """Without a listing, states are not known, and a component that may stop does."""
        self._components, self._fairness, self._listing = components, fairness, listing

    def about(self, formula: Formula, component: str, *, anywhere: bool = False) -> Formula:
        """What a formula about a component means."""
        fairness, endless = self._fairness[component], self.may_stop(component)
        justice = [each for each in fairness if len(each) == 1]
        if len(justice) < len(fairness):  # as in NuSMV, COMPASSION does not count in CTL
            weaker = over_fair_paths(formula, justice, endless=endless, anywhere=anywhere)
            was_said = (justice or endless) and weaker == formula
            if formula.is_ctl or was_said:
                return weaker
        return over_fair_paths(formula, fairness, endless=endless, anywhere=anywhere)

    def are_some(self, component: str) -> bool:
        """Whether formulas about a component are about fair or endless paths only."""
        return bool(self._fairness[component]) or self.may_stop(component)

    def may_stop(self, component: str) -> bool:
        """Whether runs may end where no EXIT is, in the module or in one that it calls."""
        reached = [component]
        for name in reached:  # grows
            reached += {callee for callee, _, _ in self._components.calls[name]}.difference(reached)
        return any(map(self._has_dead_ends, reached))

    def _has_dead_ends(self, component: str) -> bool:
        if not self._components.named[component].may_stop:
            return False
        if self._listing is None:
            return True  # for all that is known
        return self._listing.parts()[component].space.core.dead_ends > 0


def over_fair_paths(
    formula: Formula,
    fairness: Sequence[tuple[str, ...]],
    *,
    endless: bool,
    anywhere: bool = False,
) -> Formula:
    """The formula about fair paths. Conditions are labels.

    With `anywhere` it is about any state, and not about initial states only.

    >>> print(over_fair_paths(Formula("AG EF p"), [("q",)], endless=False))
    A [G E [F p & G F q] | F G !q]
    >>> print(over_fair_paths(Formula("EF p"), [("q",)], endless=False))
    E [F p & G F q] | A [F G !q]

    What says so already stays as it is, so that a formula can be printed and read again. The
    mu-calculus speaks of no paths.
    """
    if (not fairness and not endless) or formula.fragment is Fragment.MU:
        return formula
    said = _StatedFairness(formula, fairness, endless=endless)
    arena = Arena()
    made: list[int] = []
    joined: dict[int, int] = {}
    paths: list[bool] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        if op == Op.ATOM:
            made.append(arena.atom(formula.atoms[left]))
            paths.append(False)
            continue
        inner = made[left] if left >= 0 else -1
        if op in _QUANTIFIERS and not said.at(left, holds=op == Op.E):
            inner = _joined(arena, inner, fairness, holds=op == Op.E, endless=endless)
            joined[inner] = left
        if op == Op.AUTOMATON:
            made.append(arena.automaton(formula.automata[-2 - right], inner))
        else:
            made.append(arena.node(op, inner, made[right] if right >= 0 else -1))
        below = [paths[each] for each in (left, right) if each >= 0]
        paths.append(op in _PATHS or (op not in _QUANTIFIERS and any(below)))
    root = made[-1]
    if paths[-1]:  # LTL: about all paths
        if not said.at(len(formula) - 1, holds=False):
            root = _joined(arena, root, fairness, holds=False, endless=endless)
            joined[root] = len(made) - 1
    elif not anywhere and not said.at_top():
        nothing = _joined(arena, -1, fairness, holds=False, endless=endless)
        never = arena.node(int(Op.A), nothing)
        root = arena.node(int(Op.OR), root, never)
        joined |= {root: len(made) - 1, nothing: NO_PATH, never: NO_PATH}
    about = limited(Formula.from_arena(arena, root))
    if about == formula:
        return formula
    stands_for = joined | {node: at for at, node in enumerate(made)}
    order = enumerate(arena.order(root))
    parts = {number: stands_for[node] for number, node in order if node in stands_for}
    return remember(about, SourceFormula(formula, "fair" if fairness else "endless", parts))


class _StatedFairness:
    """Where a formula says already that paths are fair."""

    def __init__(
        self, formula: Formula, fairness: Sequence[tuple[str, ...]], *, endless: bool
    ) -> None:
        self._formula = formula
        self._patterns: dict[bool, list[Formula]] = {}
        for holds in (False, True):
            self._patterns[holds] = []
            for alone in (True, False):
                arena = Arena()
                path = -1 if alone else arena.atom(_ANY)
                _joined(arena, path, fairness, holds=holds, endless=endless)
                self._patterns[holds].append(Formula.from_arena(arena))

    def at(self, node: int, *, holds: bool) -> bool:
        """Whether the node is what `_joined` makes."""
        return any(self._fits(node, each) for each in self._patterns[holds])

    def at_top(self) -> bool:
        """Whether initial states without a fair path do not count."""
        formula = self._formula
        if formula.ops[-1] != Op.OR:
            return formula.ops[-1] == Op.A
        right = formula.right[-1]
        alone = self._patterns[False][0]
        return formula.ops[right] == Op.A and self._fits(formula.left[right], alone)

    def _fits(self, node: int, pattern: Formula) -> bool:
        formula, waiting = self._formula, [(node, len(pattern) - 1)]
        while waiting:
            node, at = waiting.pop()
            op = pattern.ops[at]
            if op == Op.ATOM and pattern.atoms[pattern.left[at]] == _ANY:
                continue
            if formula.ops[node] != op:
                return False
            if op == Op.ATOM:
                if formula.atoms[formula.left[node]] != pattern.atoms[pattern.left[at]]:
                    return False
                continue
            if pattern.left[at] >= 0:
                waiting.append((formula.left[node], pattern.left[at]))
            if pattern.right[at] >= 0:
                waiting.append((formula.right[node], pattern.right[at]))
        return True


def _joined(
    arena: Arena, path: int, fairness: Sequence[tuple[str, ...]], *, holds: bool, endless: bool
) -> int:
    """`path & fair` if it holds, else `path | !fair`. Without a path, `fair` or `!fair`."""
    join = int(Op.AND if holds else Op.OR)
    for conditions in fairness:
        is_strong = len(conditions) > 1  # GF p -> GF q
        first = _again(arena, conditions[0], holds=holds != is_strong)
        if is_strong:
            second = _again(arena, conditions[1], holds=holds)
            first = arena.node(int(Op.OR if holds else Op.AND), first, second)
        path = first if path < 0 else arena.node(join, path, first)
    if endless:
        next_ = arena.node(int(Op.X), arena.node(int(Op.TRUE if holds else Op.FALSE)))
        always = arena.node(int(Op.G if holds else Op.F), next_)
        path = always if path < 0 else arena.node(join, path, always)
    return path


def _again(arena: Arena, label: str, *, holds: bool) -> int:
    """`G F label`, or its negation."""
    atom = arena.atom(label)
    if holds:
        return arena.node(int(Op.G), arena.node(int(Op.F), atom))
    never = arena.node(int(Op.G), arena.node(int(Op.NOT), atom))
    return arena.node(int(Op.F), never)
