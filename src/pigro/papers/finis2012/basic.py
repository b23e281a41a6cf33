"""The basic approach ([Finis2012], appendix A, after [Fehnker2010]): summaries, split and merge.

Each subformula, in turn, is checked in the whole model: the result is a recursive Kripke structure
whose labels say where the subformula holds. Contexts are woven into it: a sub-structure that is
called in different contexts becomes several ones, each with its own labels.

    thesis                              here
    recursive Kripke structure R        LabelledRks
    local summary gamma, (alpha, omega) two `ContextLabels`s, for eta false and eta true: rows hold
                                        guarantees omega at locations, assumptions alpha at calls
    global summary pi                   TemporalSummary
    makeMaxCoherent                     local.check_locally
    makeConsistent                      local.assumption
    subcheck (Alg. A.1)                 subcheck, by fixpoint.label_by_fixpoint
    ca (equation A.1)                   _context
    split (Alg. A.2), merge (Alg. A.3)  split, merge
    label (Alg. A.4)                    BasicCheck.label_all

Deviations (see also structure.py and local.py):
 - Correction: for EX psi, the context assumption speaks about psi in Definition A.2.5 and Alg. A.4,
   but equation A.1 computes it from guarantees for EX psi, one step too far. Here it says whether
   EX psi holds at the exit, and is read off the return node.
 - Alg. A.4 labels shared subformulas once. Its recursion over the formula is a loop.
 - There may be several initial sub-structures, and their eta follows the loop of the exit.

Cost: for each temporal subformula two rows and at least two local checks for every sub-structure,
of which there can be 2^(temporal subformulas) times the components.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pigro.engines.python_engine import EngineAnswer, PythonEngine
from pigro.logic import existential_normal_form
from pigro.logic.normal import AND, ATOM, EU, EX, NOT, TRUE
from pigro.papers.finis2012.context import RmvRequest
from pigro.papers.finis2012.engine import by_component
from pigro.papers.finis2012.fixpoint import label_by_fixpoint
from pigro.papers.finis2012.local import (
    NEGATED,
    ContextLabels,
    F,
    M,
    Row,
    T,
    Tick,
    ended,
    step,
    waiting,
)
from pigro.papers.finis2012.structure import NONE, misfit, structures_of
from pigro.papers.finis2012.trace import StepWatcher

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.papers.finis2012.fixpoint import Watch
    from pigro.papers.finis2012.structure import Structure, Structures


@dataclass(frozen=True, slots=True, eq=False)
class UnlabelledStructures:
    """Sub-structures by number, without labels: what relabelling leaves as it is."""

    structures: list[Structure]
    targets: list[dict[int, int]]
    """For each sub-structure, the number of the one that a call leads to."""
    roots: list[int]
    """One for each component with initial nodes."""


@dataclass(frozen=True, slots=True, eq=False)
class LabelledRks:
    """A recursive Kripke structure, labelled with one formula: T or F at every node."""

    shape: UnlabelledStructures
    rows: list[Row]


class TemporalGoal(NamedTuple):
    """A temporal subformula, and who watches its labels."""

    formula: int
    op: int
    watch: Watch | None


@dataclass(frozen=True, slots=True, eq=False)
class TemporalSummary:
    """The findings about one temporal formula, in every sub-structure, for both etas."""

    shape: UnlabelledStructures
    op: int
    low: list[ContextLabels]
    high: list[ContextLabels]
    checks: list[int]
    """How many pairs were checked in each round."""


def merge(
    first: LabelledRks, second: LabelledRks
) -> tuple[UnlabelledStructures, list[Row], list[Row]]:
    """Both labellings on one shape (Alg. A.3)."""
    left, right = first.shape, second.shape
    if left is right:
        return left, first.rows, second.rows
    number: dict[tuple[int, int], int] = {}
    roots = [
        number.setdefault(pair, len(number)) for pair in zip(left.roots, right.roots, strict=True)
    ]
    todo = list(number)
    targets = []
    for one, two in todo:  # grows while we walk
        mine = {}
        for call, target in left.targets[one].items():
            pair = (target, right.targets[two][call])
            if pair not in number:
                number[pair] = len(number)
                todo.append(pair)
            mine[call] = number[pair]
        targets.append(mine)
    shape = UnlabelledStructures([left.structures[one] for one, _ in todo], targets, roots)
    return shape, [first.rows[one] for one, _ in todo], [second.rows[two] for _, two in todo]


def subcheck(
    shape: UnlabelledStructures,
    asked: TemporalGoal,
    psi: list[Row],
    chi: list[Row],
    tick: Tick,
    *,
    stops: bool,
) -> TemporalSummary:
    """A fully labelled summary (Alg. A.1). `chi` is used for EU alone."""
    op = asked.op
    low = [ContextLabels(structure, op, F) for structure in shape.structures]
    high = [ContextLabels(structure, op, T) for structure in shape.structures]
    for number, targets in enumerate(shape.targets):
        for pair in (low[number], high[number]):
            pair.formula = asked.formula
            pair.psi = psi[number]
            pair.chi = chi[number] if op == EU else None
            for call, target in targets.items():
                pair.aim(call, low[target], high[target])
    pairs = [pair for both in zip(low, high, strict=True) for pair in both]
    if op == EX:
        _step_all(pairs, asked, tick, stops=stops)
        return TemporalSummary(shape, op, low, high, [len(pairs)])
    every = {pair: range(pair.structure.width) for pair in pairs}
    return TemporalSummary(shape, op, low, high, label_by_fixpoint(every, tick, asked.watch))


def _step_all(pairs: list[ContextLabels], asked: TemporalGoal, tick: Tick, *, stops: bool) -> None:
    """Labels all pairs with EX psi."""
    for pair in pairs:
        tick()
        assert pair.psi is not None
        for node in pair.structure.locations:
            pair.row[node] = step(pair, node, pair.psi, stops=stops)
        if asked.watch is not None:
            asked.watch(1, pair, bytes([M]) * len(pair.row))
    for pair in pairs:
        for call, (callee, _) in pair.targets.items():
            pair.row[call] = callee.row[callee.structure.entry]  # an entry is no exit


def split(summary: TemporalSummary, *, stops: bool) -> LabelledRks:
    """The structure that is labelled with the summary's formula (Alg. A.2)."""
    shape = summary.shape
    number: dict[tuple[int, int], int] = {}
    roots = []
    for root in shape.roots:
        start = (root, _root_eta(summary.op, summary.low[root]))
        roots.append(number.setdefault(start, len(number)))
    todo = list(number)
    targets, rows = [], []
    for at, eta in todo:  # grows while we walk
        pair = (summary.high if eta == T else summary.low)[at]
        rows.append(pair.row)
        mine = {}
        for call, target in shape.targets[at].items():
            goal = (target, _context(pair, call, stops=stops))
            if goal not in number:
                number[goal] = len(number)
                todo.append(goal)
            mine[call] = number[goal]
        targets.append(mine)
    return LabelledRks(
        UnlabelledStructures([shape.structures[at] for at, _ in todo], targets, roots), rows
    )


def _root_eta(op: int, pair: ContextLabels) -> int:
    """With the empty stack the exit loops."""
    if op != EX or pair.structure.exit == NONE:
        return ended(op)
    assert pair.psi is not None
    return pair.psi[pair.structure.exit]


def _context(pair: ContextLabels, call: int, *, stops: bool) -> int:
    """The context assumption of a call in a labelled pair (equation A.1)."""
    callee, _ = pair.targets[call]
    back = pair.structure.calls[call].back
    if callee.structure.exit == NONE:
        return F
    if back != NONE:
        return waiting(pair.op, pair.row, pair.structure, back)
    if pair.op != EX:
        return ended(pair.op)
    assert callee.psi is not None
    return F if stops else callee.psi[callee.structure.exit]


class BasicCheck:
    """One formula on one model."""

    def __init__(
        self, structures: Structures, roots: list[int], question: RmvRequest, tick: Tick
    ) -> None:
        number = {component: at for at, component in enumerate(structures)}
        self.plain = UnlabelledStructures(
            list(structures.values()),
            [
                {node: number[call.callee] for node, call in structure.calls.items()}
                for structure in structures.values()
            ],
            [number[root] for root in roots],
        )
        self.question = question
        self.tick = tick
        self.watch: Watch | None = None
        self.summaries: dict[int, TemporalSummary] = {}
        """By subformula, the temporal ones."""

    def label_all(self) -> LabelledRks:
        """The structure labelled with the whole formula (Alg. A.4)."""
        normal = self.question.normal
        last_use = list(range(len(normal.ops)))
        for at, op in enumerate(normal.ops):
            if op > ATOM:
                for part in (normal.left[at], normal.right[at]):
                    last_use[part] = at  # -1, for no operand, is the root: overwritten below
        last_use[self.question.root] = len(normal.ops)
        done: dict[int, LabelledRks] = {}
        for at, op in enumerate(normal.ops):
            self.tick()
            parts = {normal.left[at], normal.right[at]} if op > ATOM else set()
            done[at] = self._label(at, done)
            for part in parts:
                if part >= 0 and last_use[part] == at:
                    del done[part]
        return done[self.question.root]

    def _label(self, formula: int, done: dict[int, LabelledRks]) -> LabelledRks:
        normal = self.question.normal
        op, left, right = normal.ops[formula], normal.left[formula], normal.right[formula]
        if op == TRUE:
            rows = [bytearray([T]) * each.width for each in self.plain.structures]
            return LabelledRks(self.plain, rows)
        if op == ATOM:
            label_row = self.question.label_row
            return LabelledRks(
                self.plain, [bytearray(label_row(each, left)) for each in self.plain.structures]
            )
        if op == NOT:
            return LabelledRks(
                done[left].shape, [row.translate(NEGATED) for row in done[left].rows]
            )
        shape, psi, chi = merge(done[left], done[right if right >= 0 else left])
        if op < EX:
            both = min if op == AND else max
            rows = [bytearray(map(both, one, two)) for one, two in zip(psi, chi, strict=True)]
            return LabelledRks(shape, rows)
        stops = self.question.stops
        asked = TemporalGoal(formula, op, self.watch)
        summary = subcheck(shape, asked, psi, chi, self.tick, stops=stops)
        self.summaries[formula] = summary
        return split(summary, stops=stops)

    @property
    def contexts(self) -> int:
        """Pairs of a sub-structure and a context assumption, in all summaries."""
        return sum(2 * len(summary.low) for summary in self.summaries.values())

    @property
    def checks(self) -> int:
        """How often a pair was checked locally."""
        return sum(sum(summary.checks) for summary in self.summaries.values())


def _assumed(pair: ContextLabels) -> dict[int, bool]:
    """The context of a pair: all other assumptions are woven into the sub-structure."""
    return {pair.formula: pair.eta == T}


@dataclass(frozen=True, slots=True)
class BasicEngine(PythonEngine):
    """The basic approach."""

    name: str = "basic"
    trace: bool = False
    """Whether verdicts tell the steps that were taken."""

    def fits(self, model: RSM) -> str | None:
        """See `Particular.fits`."""
        return misfit(model)

    def decider(self, model: RSM) -> Callable[[Formula, Budget], EngineAnswer]:
        """See `PythonEngine.decider`."""
        structures = structures_of(model)
        roots = list(by_component(model))

        def decide(formula: Formula, budget: Budget) -> EngineAnswer:
            question = RmvRequest(model, existential_normal_form(formula))
            basic = BasicCheck(structures, roots, question, budget.poll)
            watch = StepWatcher(model, question, _assumed) if self.trace else None
            basic.watch = None if watch is None else watch.labelled
            rks = basic.label_all()
            rows = {root: rks.rows[at] for root, at in zip(roots, rks.shape.roots, strict=True)}
            truths = []
            for node in model.initial:
                component = model.core.component(node)
                truths.append(rows[component][node - structures[component].first] == T)
            steps = None if watch is None else tuple(watch.steps)
            return EngineAnswer(truths, basic.contexts, basic.checks, steps)

        return decide


BASIC = BasicEngine()
