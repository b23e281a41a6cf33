"""What the authors' tool RSMCheck computes. NOT SOUND: for comparison with published counts only.

Where the tool (checker.py, before its last change to the search) departs from [Dubslaff2024]:
- a box is contextualizable if it knows more about the *operands of the outermost connective*
  (`InstanceStore.watched`). If there is no such box, all unknown `EU` become false and all unknown
  `EG` true, innermost first, though other boxes may know better (`_resolve_blindly`).
- the search for a box is that of [Dubslaff2021], Alg. 4: it keeps the stack of calls that led to a
  node, and returns from an exit to the caller on top of it only. Yet a node is visited once,
  whatever the stack (`_ToolBoxSearch`).
- its cycles are the pairs from which a step leads to any pair that was visited before.

The first and third can make verdicts wrong. A run that decides a cycle without grounds says so in
`InstanceStore.caveat`. Where the tool stops with an error, there is no verdict (`ToolError`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.logic.simplify import ATOM, EU, EX
from pigro.papers.dubslaff2024.cycles import resolve_all
from pigro.papers.dubslaff2024.expansion import ExpandableBox
from pigro.papers.dubslaff2024.heuristics import HeuristicView
from pigro.papers.dubslaff2024.initialize import give_root_context
from pigro.papers.dubslaff2024.refine import refine
from pigro.papers.dubslaff2024.variant.printed import determined_below, expand, expand_all

if TYPE_CHECKING:
    from pigro.papers.dubslaff2024.heuristics import Choose
    from pigro.papers.dubslaff2024.instances import InstanceStore
    from pigro.papers.dubslaff2024.interpretation import ContextInstance
    from pigro.papers.dubslaff2024.shape import LocalBox

Pair = tuple["ContextInstance", int, int]
"""An instance, a node of it, a formula."""

CAVEAT = "the variant `tool` decided a cycle without grounds, as RSMCheck does"


class ToolError(Exception):
    """The tool stops with an error here, or runs forever."""


def tool_check(instances: InstanceStore, choose: Choose, *, guided: bool) -> None:
    """Decides the formula at the initial nodes as the tool does."""
    give_root_context(instances, instances.question.existential)
    refine(instances)
    situation = HeuristicView(instances)
    while not instances.decided():
        if guided:
            _step(instances)
        elif not expand_all(instances, choose(situation)):
            _resolve_blindly(instances)
        instances.drop_unreachable()
        refine(instances)


def _step(instances: InstanceStore) -> None:
    search = _ToolBoxSearch(instances)
    box = search.find()
    if box is not None:
        expand(instances, box)
        return
    if not search.doubled:
        raise ToolError("RSMCheck stops here: it finds neither a box nor a cycle")
    instances.caveat = CAVEAT
    for pair in search.doubled:
        _set(instances, *pair)


def _set(instances: InstanceStore, instance: ContextInstance, node: int, formula: int) -> None:
    """Decides a formula at one node: what a cycle gives."""
    if instances.question.form.ops[formula] == EU:
        instance.may[formula] &= ~(1 << node)
    else:
        instance.sure[formula] |= 1 << node
    instances.note_values(formula, instance)
    instances.note_returns(formula, instance, 1 << node)
    for each in (formula, *instances.question.parents[formula]):
        instances.note_input(each, instance)
    for caller, _ in instance.callers:
        instances.note_input(formula, caller)


def _resolve_blindly(instances: InstanceStore) -> None:
    """Decides the unknown EU and EG of the smallest height."""
    form = instances.question.form
    height: list[int] = []
    lowest: list[int] = []
    for number, (op, left, right) in enumerate(zip(form.ops, form.left, form.right, strict=True)):
        below = (height[left], height[right] if right >= 0 else 0) if op > ATOM else (-1,)
        height.append(1 + max(below))
        unknown = op > EX and any(each.unknown(number) for each in instances.live)
        if unknown and (not lowest or height[number] < height[lowest[0]]):
            lowest = [number]
        elif unknown and height[number] == height[lowest[0]]:
            lowest.append(number)
    if not lowest:
        raise ToolError("RSMCheck runs forever here: it has no box and no cycle to decide")
    if not set(lowest) <= set(determined_below(instances)) or _some_box_knows_more(instances):
        instances.caveat = CAVEAT
    for formula in lowest:
        resolve_all(instances, formula)


def _some_box_knows_more(instances: InstanceStore) -> bool:
    return any(
        instances.induces_more(caller, site, formula)
        for caller in instances.live
        for site in caller.body.sites
        for formula in instances.question.existential
    )


class _WaitingPair(NamedTuple):
    """A pair that is waited for, and the calls that led to it."""

    pair: Pair
    calls: tuple[LocalBox, ContextInstance, object] | None
    """The site and instance of the last call, and the calls before it."""
    origin: Pair | None
    """Where a step of EU or EG leads here from."""
    again: bool = False
    """Whether it is visited even if it was before: an entry or a return node."""


class _ToolBoxSearch:
    """Alg. 4 of [Dubslaff2021], with the tool's memory of visits."""

    def __init__(self, instances: InstanceStore) -> None:
        self._instances = instances
        self._visited: set[Pair] = set()
        self.doubled: dict[Pair, None] = {}
        """Pairs with a step to a visited pair."""

    def find(self) -> ExpandableBox | None:
        """The box to contextualize, if it comes to one."""
        instances = self._instances
        shape = instances.question.shape
        core, last = shape.model.core, len(instances.question.form) - 1
        roots = {each.body.component: each for each in instances.roots}
        starts = [
            (roots[core.component(node)], shape.place[node], last) for node in shape.model.initial
        ]
        waiting = [
            _WaitingPair(pair, None, None)
            for pair in reversed(starts)
            if pair[0].unknown(last) >> pair[1] & 1
        ]
        while waiting:
            instances.budget.poll()
            frame = waiting.pop()
            if frame.pair in self._visited and not frame.again:
                if frame.origin is not None:
                    self.doubled[frame.origin] = None
                continue
            self._visited.add(frame.pair)
            box, after = self._visit(frame)
            if box is not None:
                return box
            waiting += after[::-1]
        return None

    def _visit(self, frame: _WaitingPair) -> tuple[ExpandableBox | None, list[_WaitingPair]]:
        (instance, node, formula), calls = frame.pair, frame.calls
        form, body = self._instances.question.form, instance.body
        op, left, right = form.ops[formula], form.left[formula], form.right[formula]
        if op < EX:
            operands = [left] if right < 0 else [left, right]
            return None, self._open(frame, [(node, each) for each in operands])
        if body.exits >> node & 1:
            return self._leave(frame)
        after: list[_WaitingPair] = []
        if body.calls >> node & 1:
            slot, entry = body.called[node]
            pair = (instance.callee[slot], entry, formula)
            after.append(_WaitingPair(pair, (body.sites[slot], instance, calls), None, again=True))
        if op == EX:
            steps = [node] if body.dead >> node & 1 else body.successors[node]
            return None, after + self._open(frame, [(each, left) for each in steps])
        operands = [right, left] if op == EU else [left]
        after += self._open(frame, [(node, each) for each in operands])
        ahead = [(each, formula) for each in body.successors[node]]
        return None, after + self._open(frame, ahead, origin=frame.pair)

    def _open(
        self, frame: _WaitingPair, pairs: list[tuple[int, int]], origin: Pair | None = None
    ) -> list[_WaitingPair]:
        instance = frame.pair[0]
        return [
            _WaitingPair((instance, node, formula), frame.calls, origin)
            for node, formula in pairs
            if instance.unknown(formula) >> node & 1
        ]

    def _leave(self, frame: _WaitingPair) -> tuple[ExpandableBox | None, list[_WaitingPair]]:
        """At an exit: the caller on top of the stack, and no other."""
        _, exit_, formula = frame.pair
        if frame.calls is None:
            raise ToolError("RSMCheck stops here: it leaves a component without a caller")
        site, caller, before = frame.calls
        if not site.listed >> exit_ & 1:
            raise ToolError("RSMCheck stops here: a box has no return node for an exit")
        node = site.start + (exit_ if site.dense else site.exits.index(exit_))
        if not caller.unknown(formula) >> node & 1:
            return ExpandableBox(caller, site, formula, 1 << exit_), []
        return None, [_WaitingPair((caller, node, formula), before, None, again=True)]  # type: ignore[arg-type]
