"""Which box to contextualize next: GetNextExpansion and FindReason ([Dubslaff2024], Alg. 6 and 7).

The search asks *why* the formula is unknown at an initial node, and goes from pairs (node, formula)
with value ?? to the pairs they hang on, until it comes to an exit whose value some caller knows:
that box is worth a context. It keeps an explicit stack and visits a pair once.

    unknown pair            hangs on, in this order
    !, &, |                 unknown operands at the same node (lines 2 to 6)
    exit                    the unknown return nodes of ALL its callers in the graph (line 11)
    call node               the entry it calls (line 7)
    EX f                    f at the successors (line 14)
    EG f                    f here, if unknown. Otherwise EG f at the unknown successors (line 18)
    E [f U g]               g here, if unknown. Else f here, if unknown. Else the successors (26)

An exit whose callers know nothing but what a cycle would give (EU: false, EG: true) is no reason
for a context: if the rest is a cycle, it has that value in all of them (cycles.py). Callers that no
run comes to are left out (reach.py).

If there is no such box, the pairs visited are closed under "hangs on", so that the innermost
formulas among them can be decided (cycles.py). The paper decides only pairs on cycles, D. Deciding
every pair is as sound and needs fewer rounds.

The variant `printed` has no cycle filter, counts all callers, begins anew after each context, and
decides D. In the paper R holds the pairs that led to the current one, so that a pair can be visited
once for each way to it. One visit finds the same first box, for a second finds nothing that the
first did not, and D, the pairs that lie on a cycle of visits, is the union of the nontrivial
SCCs of "hangs on".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.dubslaff2024.hints import CYCLE, Hints
from pigro.logic.simplify import EG, EU, EX
from pigro.model.calls import has_cycle, strong_components

if TYPE_CHECKING:
    import random

    from pigro.engines.dubslaff2024.cycles import Pairs
    from pigro.engines.dubslaff2024.instances import Instances
    from pigro.engines.dubslaff2024.interpretation import Instance
    from pigro.engines.dubslaff2024.shape import Site

Pair = tuple["Instance", int, int]
"""An instance, a node of it, a formula."""


@dataclass(frozen=True, slots=True)
class Box:
    """A box in an instance that knows the formula at an exit where its callee does not."""

    caller: Instance
    site: Site
    formula: int
    exits: int
    """Where in the callee. A set."""


class ExpansionSearch:
    """GetNextExpansion, which goes on after a box was contextualized where it had stopped.

    After that, values have changed, and the pairs visited no longer tell all. So it starts anew
    when it comes to its end, and only a search without a break gives `pairs` to decide.
    """

    def __init__(self, instances: Instances, choice: random.Random | None = None) -> None:
        self._instances = instances
        self._choice = choice
        """Where the paper leaves a choice: leftmost first, or as this says."""
        self._stack: list[Pair] = []
        self._printed = instances.printed
        self._in_order = choice is None and not self._printed
        """Whether pairs that lead nowhere new can be left out: others come in the same order."""
        self._runs: dict[Pair, tuple[int, int, int, list[Pair]]] = {}
        """Runs of earlier searches, with the nodes that they depend on: most stay the same."""
        self.pairs: Pairs = {}
        self.hangs_on: dict[Pair, list[Pair]] = {}
        """What each visited pair hangs on. For the variant `printed`."""

    def next_box(self) -> Box | None:
        """A box to contextualize. If there is none, `pairs` is closed under "hangs on"."""
        instances = self._instances
        if not self._printed and instances.hints is None:
            instances.hints = Hints(instances)
        box = self._find_reason() if self._stack and not self._printed else None
        if box is None:
            self.pairs, self.hangs_on = {}, {}
            self._stack = self._starts()
            box = self._find_reason()
        return box

    def cycles(self) -> Pairs:
        """D of Alg. 7, for the innermost formulas: the visited pairs that hang on themselves."""
        visited = list(self.hangs_on)
        number = {pair: at for at, pair in enumerate(visited)}
        after = [[number[each] for each in row] for row in self.hangs_on.values()]
        found: Pairs = {}
        for group in strong_components(after):
            if has_cycle(group, after):
                for at in group:
                    instance, node, formula = visited[at]
                    nodes = found.setdefault(formula, {})
                    nodes[instance] = nodes.get(instance, 0) | 1 << node
        return found

    def _starts(self) -> list[Pair]:
        """The initial nodes where the whole formula is unknown (Alg. 6, line 2)."""
        question = self._instances.question
        core, place = question.shape.model.core, question.shape.place
        root = {each.body.component: each for each in self._instances.roots}
        last = len(question.form) - 1
        starts = [
            (root[core.component(node)], place[node], last)
            for node in reversed(question.shape.model.initial)
        ]
        return [pair for pair in starts if _open(*pair)]

    def _find_reason(self) -> Box | None:
        instances, stack = self._instances, self._stack
        ops = instances.question.form.ops
        while stack:
            instance, node, formula = pair = stack.pop()
            seen = self.pairs.setdefault(formula, {})
            known, body = seen.get(instance, 0), instance.body
            if not (instance.may[formula] & ~instance.sure[formula] & ~known) >> node & 1:
                continue
            temporal = ops[formula] >= EX
            if temporal and body.calls >> node & 1:
                seen[instance] = known | 1 << node  # line 1
                slot, entry = body.called[node]
                callee = instance.callee[slot]
                if self._in_order and seen.get(callee, 0) >> entry & 1:
                    continue
                after = [(callee, entry, formula)]
            elif temporal and body.exits >> node & 1:
                box = _known_outside(instances, instance, node, formula)
                if box is not None:
                    stack.append(pair)  # other callers may have something to say as well
                    return box
                seen[instance] = known | 1 << node  # line 1
                after = self._outside(pair)
            else:
                visited, after = self._inside(pair, known)
                seen[instance] = known | visited  # line 1
            instances.budget.poll()
            if self._printed:
                self.hangs_on[pair] = after.copy()
            if self._choice is not None:
                self._choice.shuffle(after)
            stack += after[::-1]
        return None

    def _inside(self, pair: Pair, known: int) -> tuple[int, list[Pair]]:
        """The nodes visited, with the same formula, and the unknown pairs that they hang on.

        `known` are nodes that were visited before.
        """
        instance, node, formula = pair
        after = _operands(self._instances, pair)
        if after is not None:
            return 1 << node, after
        new = instance.unknown(formula) & ~known
        if self._printed:  # lines 20 and 29
            steps = instance.body.successors[node]
            unknown = instance.unknown(formula)
            return 1 << node, [(instance, each, formula) for each in steps if unknown >> each & 1]
        if not instance.body.after[node] & new:
            return 1 << node, []
        form = self._instances.question.form
        through = new & instance.body.plain & ~instance.unknown(form.left[formula])
        if form.ops[formula] == EU:
            through &= ~instance.unknown(form.right[formula])
        if self._choice is not None:
            return _run(pair, new, through)
        kept = self._runs.get(pair)
        if kept is None or kept[:2] != (new, through):
            kept = self._runs[pair] = (new, through, *_run(pair, new, through))
        return kept[2:]

    def _outside(self, pair: Pair) -> list[Pair]:
        """The unknown return nodes for an exit (line 11)."""
        instance, exit_, formula = pair
        seen = self.pairs[formula]
        prune = self._in_order and self._instances.question.form.ops[formula] > EX
        found: list[Pair] = []
        for caller, site in instance.callers:
            if (self._printed or site.reached) and site.listed >> exit_ & 1:
                node = site.start + (exit_ if site.dense else site.exits.index(exit_))
                new = caller.may[formula] & ~caller.sure[formula]
                if prune:
                    new &= ~seen.get(caller, 0)
                if not new >> node & 1:
                    continue
                if prune and not site.alike[exit_][1] & new:
                    vain = self._vain(caller, formula, new & site.alike[exit_][0])
                    seen[caller] = seen.get(caller, 0) | vain
                    if vain >> node & 1:
                        continue
                found.append((caller, node, formula))
        return found

    def _vain(self, caller: Instance, formula: int, returns: int) -> int:
        """Of return nodes whose successors are all known or visited: those whose operands are.

        They lead nowhere new, now or later in this search, and no other node leads to them.
        """
        form = self._instances.question.form
        for operand in {form.left[formula], form.right[formula]} - {-1}:
            returns &= ~caller.unknown(operand)
        return returns


def _known_outside(
    instances: Instances, instance: Instance, exit_: int, formula: int
) -> Box | None:
    """The first box that knows at its return node what a cycle would not (lines 8 and 9)."""
    printed, hints = instances.printed, instances.hints
    if hints is not None and not hints.has(instance, formula, exit_):
        return None
    cycle = None if printed else CYCLE.get(instances.question.form.ops[formula])
    for caller, site in instance.callers:
        if printed or site.reached:
            sure, may = instances.returned(caller, site, formula)
            truth = True if sure >> exit_ & 1 else None if may >> exit_ & 1 else False
            if truth is not None and truth is not cycle:
                return Box(caller, site, formula, 1 << exit_)
    if hints is not None:
        hints.clear(instance, formula, exit_)
    return None


def _operands(instances: Instances, pair: Pair) -> list[Pair] | None:
    """The unknown pairs that must be known before the runs from here matter.

    None if there are no such pairs.
    """
    instance, node, formula = pair
    form, body = instances.question.form, instance.body
    op, left, right = form.ops[formula], form.left[formula], form.right[formula]
    if op < EX:
        operands = [left] if right < 0 else [left, right]
        return [(instance, node, each) for each in operands if _open(instance, node, each)]
    if op == EX:
        unknown = instance.unknown(left)
        after = [node] if body.dead >> node & 1 else body.successors[node]
        return [(instance, each, left) for each in after if unknown >> each & 1]
    assert op in (EU, EG)
    for operand in (right, left) if op == EU else (left,):
        if _open(instance, node, operand):
            return [(instance, node, operand)]
    return None


def _run(pair: Pair, new: int, through: int) -> tuple[int, list[Pair]]:
    """From a node whose operands are known through others like it, to where the run must stop.

    One step for many pairs: between calls and exits there is nothing to choose. `new` are nodes to
    visit, and `through` those of them that do not stop it. Returns the nodes visited, and where it
    stops.
    """
    instance, start, formula = pair
    successors = instance.body.successors
    visited, waiting = 1 << start, [start]
    ends: dict[int, None] = {}
    while waiting:
        for node in reversed(successors[waiting.pop()]):
            if through >> node & 1:
                if not visited >> node & 1:
                    visited |= 1 << node
                    waiting.append(node)
            elif new >> node & 1:
                ends[node] = None
    return visited, [(instance, node, formula) for node in ends]


def _open(instance: Instance, node: int, formula: int) -> bool:
    return bool((instance.may[formula] & ~instance.sure[formula]) >> node & 1)


def worth(instances: Instances, caller: Instance, site: Site) -> Box | None:
    """The box with the first formula that it knows more about than its callee, if any."""
    for formula in instances.question.existential:
        exits = instances.new_values(caller, site, formula)
        if exits:
            return Box(caller, site, formula, exits)
    return None
