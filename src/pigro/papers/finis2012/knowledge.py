"""The engine `knowledge`: the algorithm of [Finis2012], chapter 3, with a knowledge base.

Subformula by subformula, innermost first, the contexts in which components can be called are
collected, and the subformula is labelled in all of them.

    thesis                                  here
    kappa, knowledge base                   Knowledge.pairs: for each context pair its row
    call context <eta> tau                  an int: a bit per subformula, true after the return
    <m> tau                                 both pairs, with the topmost bit false and true
    ica, icc (section 3.3.3)                _after_exit
    cc (section 3.3.3)                      _context
    labelOneFormula (Alg. 3.1)              _label_one
    collectContexts (Alg. 3.2)              _collect
    computeLabels (Alg. 3.3)                _compute
    labelByFixpoint (Alg. 3.4 to 3.6)       fixpoint.label_by_fixpoint, shared with the others
    label, modelcheck (Alg. 3.7, 3.8)       decide

Contexts hold an assumption for every subformula, labels and connectives too. The engine
`incremental` leaves these out, as section 5.4 suggests, and so has fewer contexts.

Deviations (see also structure.py):
 - A call may have several successor locations. An assumption says that the subformula holds at one
   of them, which is what EX, EU and EG ask.
 - Shared subformulas are labelled once, and the recursion of Alg. 3.2 has a stack of its own.
 - A location without successors is a loop. Runs that stop there are left to the other engines.
 - The fixpoint uses back-pointers (section 5.4), in the rounds of Alg. 3.4.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.engines.python_engine import EngineAnswer, PythonEngine
from pigro.logic import existential_normal_form
from pigro.logic.normal import AND, ATOM, EG, EU, EX, NOT, OR, TRUE
from pigro.model import DeadEnds
from pigro.papers.finis2012.context import RmvRequest
from pigro.papers.finis2012.engine import by_component
from pigro.papers.finis2012.fixpoint import label_by_fixpoint
from pigro.papers.finis2012.local import NEGATED, ContextLabels, F, T, Tick
from pigro.papers.finis2012.structure import NONE, misfit, structures_of
from pigro.papers.finis2012.trace import StepWatcher

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.papers.finis2012.structure import Structure, Structures


class KnowledgeCheck:
    """One formula on one model."""

    def __init__(self, structures: Structures, question: RmvRequest, tick: Tick) -> None:
        self.structures = structures
        self.question = question
        self.normal = question.normal
        self.tick = tick
        self.watch: StepWatcher | None = None
        self.cone: list[int] = []
        """For each subformula, the bits of its context: its own, and those of all below it."""
        for at, op in enumerate(self.normal.ops):
            parts = (self.normal.left[at], self.normal.right[at]) if op > ATOM else ()
            below = [self.cone[part] for part in parts if part >= 0]
            self.cone.append(1 << at | (below[0] if below else 0) | (below[-1] if below else 0))
        self.pairs: dict[tuple[int, int, int], ContextLabels] = {}
        """By component, subformula and context."""
        self.checks = 0

    def decide(self, starts: dict[int, list[int]]) -> dict[int, bool]:
        """The truth at initial nodes, which are given by component (Alg. 3.7 and 3.8)."""
        for formula in range(len(self.normal.ops)):
            self._label_one(formula, starts)
        root = self.question.root
        truth = {}
        for component, nodes in starts.items():
            structure = self.structures[component]
            context = self._after_exit(structure)
            row = self._pair(structure, root, context).row
            truth.update({node: row[node - structure.first] == T for node in nodes})
        return truth

    def _label_one(self, formula: int, starts: dict[int, list[int]]) -> None:
        """Alg. 3.1."""
        collected: dict[ContextLabels, None] = {}
        for component in starts:
            structure = self.structures[component]
            context = self._after_exit(structure) & self.cone[formula]
            self._collect(structure, formula, context, collected)
        self._compute(formula, list(collected))

    def _collect(
        self, structure: Structure, formula: int, context: int, collected: dict[ContextLabels, None]
    ) -> None:
        """Alg. 3.2: all pairs that a call can lead to, with both topmost assumptions."""
        if self._visit(structure, formula, context, collected, "start"):
            stack = [self._calls(structure, formula, context)]
            while stack:
                self.tick()
                for callee, inner in stack[-1]:
                    if self._visit(callee, formula, inner, collected, "collect"):
                        stack.append(self._calls(callee, formula, inner))
                        break
                else:
                    stack.pop()

    def _visit(
        self,
        structure: Structure,
        formula: int,
        context: int,
        collected: dict[ContextLabels, None],
        how: str,
    ) -> bool:
        """Line 1, and line 4: whether the pair is new."""
        own = 1 << formula
        if self._pair(structure, formula, context | own) in collected:
            return False
        collected[self._pair(structure, formula, context | own)] = None
        if self.normal.ops[formula] != TRUE:
            collected[self._pair(structure, formula, context & ~own)] = None
        if self.watch is not None:
            known = self.cone[formula] & ~(0 if how == "start" else own)
            self.watch.visited(how, structure, formula, self._told(context, known))
        return True

    def _calls(
        self, structure: Structure, formula: int, context: int
    ) -> Iterator[tuple[Structure, int]]:
        """Lines 2 and 3. The topmost assumption of a call is m, and left false here."""
        for call, (callee, _) in structure.calls.items():
            yield (
                self.structures[callee],
                self._context(structure, call, context, self.cone[formula] & ~(1 << formula)),
            )

    def _pair(self, structure: Structure, formula: int, context: int) -> ContextLabels:
        context &= self.cone[formula] if structure.exit != NONE else 0
        if self.normal.ops[formula] == TRUE:
            context = self.cone[formula]  # the only context that it has
        key = (structure.component, formula, context)
        found = self.pairs.get(key)
        if found is None:
            eta = T if context >> formula & 1 else F
            found = self.pairs[key] = ContextLabels(structure, self.normal.ops[formula], eta)
            found.formula, found.context = formula, context
        return found

    def _context(self, structure: Structure, call: int, context: int, wanted: int) -> int:
        """`cc`: which of the wanted subformulas hold after the call returns."""
        callee, back = structure.calls[call]
        if self.structures[callee].exit == NONE:
            return 0
        if back == NONE:
            return self._after_exit(self.structures[callee]) & wanted
        found = 0
        following = structure.successors[back] or [back]  # a dead end stays where it is
        for formula in range(wanted.bit_length()):
            if wanted >> formula & 1:
                row = self._pair(structure, formula, context).row
                if any(row[node] == T for node in following):
                    found |= 1 << formula
        return found

    def _after_exit(self, structure: Structure) -> int:
        """`icc`: what holds after an exit with nothing to return to, which is the exit again."""
        if structure.exit == NONE:
            return 0
        subject = structure.subjects[structure.exit]
        truth: list[bool] = []
        context = 0
        for at, op in enumerate(self.normal.ops):
            left, right = self.normal.left[at], self.normal.right[at]
            if op == TRUE:
                truth.append(True)
            elif op == ATOM:
                truth.append(subject in self.question.bearers[left])
            elif op == NOT:
                truth.append(not truth[left])
            elif op in (EX, EG):
                truth.append(truth[left])
            elif op == AND:
                truth.append(truth[left] and truth[right])
            else:
                truth.append(truth[right] or (op == OR and truth[left]))
            context |= 1 << at if truth[at] else 0
        return context

    def _compute(self, formula: int, pairs: list[ContextLabels]) -> None:
        """Alg. 3.3."""
        op = self.normal.ops[formula]
        if op >= EX:
            for pair in pairs:
                self._aim(pair)
        if op in (EU, EG):
            watch = None if self.watch is None else self.watch.labelled
            every = {pair: range(pair.structure.width) for pair in pairs}
            self.checks += sum(label_by_fixpoint(every, self.tick, watch))
            return
        for pair in pairs:
            self.tick()
            self.checks += op >= EX
            self._label(pair)
        if op == EX:
            for pair in pairs:
                for call, (callee, _) in pair.targets.items():
                    pair.row[call] = callee.row[callee.structure.entry]  # an entry is no exit
        if self.watch is not None and op >= EX:
            for pair in pairs:
                self.watch.labelled(1, pair, bytes([1]) * len(pair.row))

    def _aim(self, pair: ContextLabels) -> None:
        """The operands' rows, and for each call the pairs with both topmost assumptions."""
        structure, formula = pair.structure, pair.formula
        left, right = self.normal.left[formula], self.normal.right[formula]
        pair.psi = self._pair(structure, left, pair.context).row
        pair.chi = self._pair(structure, right, pair.context).row if pair.op == EU else None
        own = 1 << formula
        for call, (callee, _) in structure.calls.items():
            context = self._context(structure, call, pair.context, self.cone[formula] & ~own)
            there = self.structures[callee]
            low = self._pair(there, formula, context)
            pair.aim(call, low, self._pair(there, formula, context | own))

    def _label(self, pair: ContextLabels) -> None:
        """Labels, connectives, and the locations of EX."""
        left, right = self.normal.left[pair.formula], self.normal.right[pair.formula]
        if pair.op == TRUE:
            pair.row[:] = bytes([T]) * len(pair.row)
        elif pair.op == ATOM:
            pair.row[:] = self.question.label_row(pair.structure, left)
        elif pair.op == NOT:
            first = self._pair(pair.structure, left, pair.context).row
            pair.row[:] = first.translate(NEGATED)
        elif pair.op in (AND, OR):
            first = self._pair(pair.structure, left, pair.context).row
            second = self._pair(pair.structure, right, pair.context).row
            pair.row[:] = bytes(map(min if pair.op == AND else max, first, second))
        else:
            self._label_next(pair, left)

    def _label_next(self, pair: ContextLabels, left: int) -> None:
        assert pair.psi is not None
        structure, psi = pair.structure, pair.psi
        for node in structure.locations:
            following = structure.successors[node]
            if node == structure.exit:
                pair.row[node] = T if pair.context >> left & 1 else F
            elif following:
                pair.row[node] = max(psi[to] for to in following)
            else:
                pair.row[node] = psi[node]

    def classes(self, starts: Iterable[int]) -> list[ContextLabels]:
        """The classes of equivalent call stacks (Definition 3.3.4), once all is labelled."""
        root = self.question.root
        found: dict[ContextLabels, None] = {}
        for component in starts:
            structure = self.structures[component]
            found[self._pair(structure, root, self._after_exit(structure))] = None
        todo = list(found)
        for pair in todo:  # grows
            for call, (callee, _) in pair.structure.calls.items():
                context = self._context(pair.structure, call, pair.context, self.cone[root])
                target = self._pair(self.structures[callee], root, context)
                if target not in found:
                    found[target] = None
                    todo.append(target)
        return todo

    def assumed(self, pair: ContextLabels) -> dict[int, bool]:
        """The context of a pair, by subformula."""
        return self._told(pair.context, self.cone[pair.formula])

    def _told(self, context: int, known: int) -> dict[int, bool]:
        """The assumptions of a context, without those that are m."""
        every = range(known.bit_length())
        return {at: bool(context >> at & 1) for at in every if known >> at & 1}

    @property
    def contexts(self) -> int:
        """Context pairs of temporal subformulas."""
        return sum(pair.op >= EX for pair in self.pairs.values())


@dataclass(frozen=True, slots=True)
class KnowledgeEngine(PythonEngine):
    """The algorithm with a knowledge base, without incremental refinement."""

    name: str = "knowledge"
    trace: bool = False
    """Whether verdicts tell the steps that were taken."""

    def fits(self, model: RSM) -> str | None:
        """See `Particular.fits`."""
        if model.dead_ends is DeadEnds.STOP:
            return "it needs dead ends that stutter"
        return misfit(model)

    def decider(self, model: RSM) -> Callable[[Formula, Budget], EngineAnswer]:
        """See `PythonEngine.decider`."""
        structures = structures_of(model)

        def decide(formula: Formula, budget: Budget) -> EngineAnswer:
            question = RmvRequest(model, existential_normal_form(formula))
            knowledge = KnowledgeCheck(structures, question, budget.poll)
            watch = StepWatcher(model, question, knowledge.assumed) if self.trace else None
            knowledge.watch = watch
            truth = knowledge.decide(by_component(model))
            truths = [truth[node] for node in model.initial]
            steps = None if watch is None else tuple(watch.steps)
            return EngineAnswer(truths, knowledge.contexts, knowledge.checks, steps)

        return decide


KNOWLEDGE = KnowledgeEngine()
