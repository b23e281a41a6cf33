"""Where a formula holds: in any state, and in which of the states that runs reach.

Source: [Finis2012], sections 1.1 and 1.3 (global model checking). A state is a call stack and a
node. The stacks under which the formula holds at a node are accepted by a finite automaton that
reads the boxes of a stack, outermost first. Its states are contexts of the core
(native/core/check/labelling.hpp). A stack leads to one context, which has the truth at every node.

The mu-calculus has no such contexts: engines/game/truths.py asks the engine `game` instead.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Self

from pigro import _core
from pigro.diagnostics import UsageError, did_you_mean, printable
from pigro.engines.likely_mistakes import UnknownLabelWarning, unknown_labels
from pigro.engines.native import DEMAND
from pigro.evidence.states import EMPTY, Stack, State
from pigro.evidence.tables import box_name
from pigro.limits import Budget, Limits, Poll, no_poll
from pigro.limits.budget import tick_of
from pigro.logic import A, Formula
from pigro.logic.construct import part_of
from pigro.logic.files import reader, resolved
from pigro.logic.fragments import state_formulas
from pigro.logic.path_normal import path_normal_form
from pigro.logic.printer import as_written
from pigro.model import RSM, DeadEnds
from pigro.model.space import Model, StateSpace

if TYPE_CHECKING:
    from pigro.evidence import Path


class TruthAmongStates(StrEnum):
    """In which of the states that are asked about a formula is true."""

    HOLDS = "holds"
    """In all of them."""
    FAILS = "fails"
    """In none of them."""
    DEPENDS = "depends"
    """In some."""
    NOT_REACHABLE = "not reachable"
    """There are no such states."""
    UNKNOWN = "unknown"
    """It was not decided within the limits."""


@dataclass(frozen=True, slots=True)
class FormulaTruth:
    """Where a formula is true.

    Where that depends, there is a state in which it is true and one in which it is false, unless
    the limits left no room to find them. A state is written with the boxes of all calls on its
    stack and a declared node: where an empty procedure is called, with its box.
    """

    formula: Formula
    truth: TruthAmongStates
    true_in: State | None = None
    false_in: State | None = None
    node: int | None = None
    """The node whose states are asked about. None for the initial nodes with the empty stack."""


_REACHED = (
    TruthAmongStates.NOT_REACHABLE,
    TruthAmongStates.HOLDS,
    TruthAmongStates.FAILS,
    TruthAmongStates.DEPENDS,
)
"""By the byte of the core for a node."""


class FormulaLabelling:
    """The truth of a state formula of CTL* in states of a model, as the core finds it.

    `OutOfTime` or `OutOfMemory` beyond the limits that `poll` watches.
    """

    def __init__(self, model: RSM, formula: Formula, poll: Poll) -> None:
        self.model = model
        self._tick = tick_of(poll)
        form = path_normal_form(formula)
        stop = model.dead_ends is DeadEnds.STOP
        self.core = _core.Labelling(
            model.core,
            _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER,
            memoryview(form.ops),
            memoryview(form.left),
            memoryview(form.right),
            [model.label_ids.get(atom, -1) for atom in form.atoms],
        )
        self._reached: bytes | None = None

    def root(self, component: int) -> int:
        """The context of a component with the empty stack."""
        return self.core.root(component, self._tick)

    def callee(self, context: int, boxes: Iterable[int]) -> int:
        """The context that calls of boxes lead to, outermost first."""
        for box in boxes:
            context = self.core.callee(context, box, self._tick)
        return context

    def holds(self, context: int, node: int) -> bool:
        """The truth at a node of the context's component that is no call node."""
        return self.core.holds(context, node, self._tick)

    def under(self, stack: Stack, nodes: Sequence[int]) -> dict[int, bool]:
        """The truth at nodes of the component that a stack leads to, under the stack."""
        if not nodes:
            return {}
        context = self._contexts(State(stack, nodes[0])).of(stack)
        return {node: self.holds(context, node) for node in nodes}

    def close(self) -> None:
        """Makes all contexts that called boxes lead to from those that there are."""
        self.core.close(self._tick)

    def truths(self, nodes: Iterable[int]) -> dict[int, TruthAmongStates]:
        """At declared nodes, in all states there that runs from the initial nodes reach."""
        reached = self._reached or self.reach()
        return {node: _REACHED[reached[node]] for node in nodes}

    def reach(self) -> bytes:
        """Finds these states. The result is kept for `truths`."""
        self._reached = self.core.reach(list(self.model.initial), self._tick)
        return self._reached

    def watched_by(self, poll: Poll) -> Self:
        """Itself: its work has other limits from now on."""
        self._tick = tick_of(poll)
        return self

    def reached_state(self, node: int, *, truth: bool) -> State:
        """A reached state at a declared node where the formula has this truth.

        No other one has fewer calls on its stack. Needs: `truths` found that there is one.
        """
        return State(*self.core.reached_state(node, truth))

    def on_path(self, path: Path, where: Sequence[bool]) -> tuple[bool | None, ...]:
        """The truth in some states of a path. See `pigro.evidence.run.runs.Truths`."""
        contexts = self._contexts(path.states[0])
        start = len(path.states)
        rounds: dict[int, None] = {}
        low = 0
        if path.ends == "pump" and path.start is not None:
            start = path.start
            below, low = path.states[start].stack, path.states[start].stack.depth
            rounds = self._rounds(contexts.of(below), path.states[-1].stack.above(low))
        found: list[bool | None] = []
        for at, (state, wanted) in enumerate(zip(path.states, where, strict=True)):
            if not wanted:
                found.append(None)
            elif at < start:
                found.append(self.holds(contexts.of(state.stack), state.node))
            else:
                is_last = at == len(path.states) - 1  # the start of the next round
                stack, node = path.states[start] if is_last else state
                above = stack.above(low)
                truths = {self.holds(self.callee(each, above), node) for each in rounds}
                found.append(truths.pop() if len(truths) == 1 else None)
        return tuple(found)

    def _rounds(self, context: int, boxes: Sequence[int]) -> dict[int, None]:
        """The contexts at the starts of the rounds of a pump. They repeat after some rounds."""
        found: dict[int, None] = {}
        while context not in found:
            found[context] = None
            context = self.callee(context, boxes)
        return found

    def _contexts(self, state: State) -> _StackContexts:
        """The contexts of stacks that have the same start as that of a state."""
        core, boxes = self.model.core, tuple(state.stack)
        start = core.box_component(boxes[0]) if boxes else core.component(state.node)
        return _StackContexts(self, {EMPTY: self.root(start)})


@dataclass(frozen=True, slots=True)
class _StackContexts:
    """The contexts of stacks, each found once."""

    labelling: FormulaLabelling
    known: dict[Stack, int]

    def of(self, stack: Stack) -> int:
        missing = []
        while stack not in self.known:
            missing.append(stack)
            stack = stack.below
        context = self.known[stack]
        for each in reversed(missing):
            context = self.known[each] = self.labelling.callee(context, (each.box,))
        return context


@dataclass(frozen=True, slots=True)
class LabellingTruths:
    """The truth of the subformulas of a formula of CTL*, by their numbers in it."""

    model: RSM
    formula: Formula
    budget: Budget
    known: dict[int, FormulaLabelling] = field(default_factory=dict, init=False)

    def value(self, node: int, state: State) -> bool | None:
        """The truth in a state. Of the whole formula, if it is of paths, on all runs from there."""
        if state.stack:
            return self._labelling(node).under(state.stack, [state.node])[state.node]
        model = self.model.with_initial([state.node])  # a verdict takes less than a labelling
        [verdict] = DEMAND.check_all(model, [self.part(node)], budget=self.budget)
        return verdict.holds

    def on_path(self, node: int, path: Path, where: Sequence[bool]) -> tuple[bool | None, ...]:
        """The truth in some states of a path. See `pigro.evidence.run.runs.Truths`."""
        return self._labelling(node).on_path(path, where)

    def part(self, node: int) -> Formula:
        """A subformula, which is about states."""
        return about_states(part_of(self.formula, node))

    def _labelling(self, node: int) -> FormulaLabelling:
        if node not in self.known:
            self.known[node] = FormulaLabelling(self.model, self.part(node), self.budget.poll)
        return self.known[node]


def about_states(formula: Formula) -> Formula:
    """A formula of LTL is about all paths."""
    return formula if state_formulas(formula)[-1] else A(formula)


@dataclass(frozen=True)
class Satisfying:
    """The states that satisfy a formula, as `satisfying` finds them.

    Ask with `(stack, node) in found`. A stack is a list of boxes, outermost first. You can give a
    box by number, as BOX or as COMPONENT:BOX, and a node by number or as `RSM.find` takes it. A
    stack that no run can have is in no state. Raises `UsageError` for a box or a node that the
    model does not have.

    >>> import pigro
    >>> found = pigro.satisfying(pigro.load("examples/dataflow.rsm"), "EF use_i")
    >>> ([], "main:main_11_0") in found, (["call_b"], "b:b_23_4") in found
    (True, True)
    """

    model: RSM
    formula: Formula
    labelling: FormulaLabelling
    """Of the core, with all contexts that stacks of runs can lead to."""
    initial: Mapping[int, int]
    """From initial components to the state of the automaton for the empty stack."""

    @cached_property
    def components(self) -> Sequence[int]:
        """For each state of the automaton, its component."""
        core = self.labelling.core
        return [core.component(context) for context in range(len(core))]

    @cached_property
    def true(self) -> Sequence[frozenset[int]]:
        """For each state of the automaton, the declared nodes where the formula holds."""
        core, holds = self.model.core, self.labelling.holds
        return [
            frozenset(n for n in core.nodes_of(component) if core.box(n) < 0 and holds(at, n))
            for at, component in enumerate(self.components)
        ]

    @cached_property
    def steps(self) -> Sequence[Mapping[int, int]]:
        """For each state of the automaton, from boxes to states."""
        return [dict(self.labelling.core.callees(at)) for at in range(len(self.components))]

    def states(self, stack: Iterable[int | str]) -> set[int]:
        """The states of the automaton for a stack. There is none if no run can have this stack.

        There are several only if the model starts in several components. `UsageError` P006 for a
        box that the model does not have.
        """
        if isinstance(stack, str):
            hint = "a stack is a list of boxes, outermost first"
            raise UsageError("P006", "a stack can't be of type str", hint=hint)
        found, core = set(self.initial.values()), self.labelling.core
        for box in stack:
            meant = self._boxes(box)
            found = {to for at in found for each, to in core.callees(at) if each in meant}
        return found

    def _boxes(self, box: int | str) -> set[int]:
        """The boxes that a number, BOX or COMPONENT:BOX means."""
        found = self._named.get(box, set()) if isinstance(box, str) else {box}
        if found and all(type(each) is int and 0 <= each < self.model.core.boxes for each in found):
            return found
        hint = did_you_mean(box, self._named) if isinstance(box, str) else None
        raise UsageError("P006", f"the model has no box {printable(repr(box))}", hint=hint)

    @cached_property
    def _named(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for box, name in enumerate(self.model.names.boxes):
            found.setdefault(name, set()).add(box)
            found.setdefault(box_name(self.model, box), set()).add(box)
        return found

    def _node(self, node: int | str) -> int:
        if isinstance(node, str):
            return self.model.find(node)
        if type(node) is int and 0 <= node < self.model.core.nodes:
            return node
        raise UsageError("P006", f"the model has no node {printable(repr(node))}")

    def __contains__(self, state: tuple[Iterable[int | str], int | str]) -> bool:
        stack, node = state[0], self._node(state[1])
        core, labelling = self.model.core, self.labelling
        contexts = self.states(stack)
        if core.kind(node) is _core.NodeKind.CALL:  # one moment with the entry
            contexts = {
                to
                for at in contexts
                for box, to in labelling.core.callees(at)
                if box == core.box(node)
            }
            node = core.subject(node)
        component = core.component(node)
        found = {
            labelling.holds(at, node)
            for at in contexts
            if labelling.core.component(at) == component
        }
        if len(found) > 1:
            hint = "say which box is meant by COMPONENT:BOX"
            raise UsageError(
                "P006", "the stack is ambiguous: the model starts in several components", hint=hint
            )
        return True in found

    def truth(self, node: int | str) -> TruthAmongStates:
        """In which reachable states at a declared node the formula holds."""
        node = self._declared(node)
        return self.labelling.truths([node])[node]

    def _declared(self, node: int | str) -> int:
        number = self._node(node)
        if self.model.core.box(number) < 0:
            return number
        name = printable(self.model.node_name(number))
        raise UsageError(
            "P006", f"{name} is a call or return node", hint="ask for the entry or exit"
        )

    def reach(self, poll: Poll) -> None:
        """Finds out which states runs reach, for `truth` and `truths`. Calls `poll` often."""
        self.labelling.watched_by(poll).reach()
        self.labelling.watched_by(no_poll)

    def rows(self) -> Iterator[FormulaTruth]:
        """The truth at each declared node, with a state of each kind where it depends."""
        state = self.labelling.reached_state
        for node, truth in self.truths():
            true_in = state(node, truth=True) if truth is TruthAmongStates.DEPENDS else None
            false_in = state(node, truth=False) if truth is TruthAmongStates.DEPENDS else None
            yield FormulaTruth(self.formula, truth, true_in, false_in, node)

    def truths(self) -> Iterator[tuple[int, TruthAmongStates]]:
        """All declared nodes, by number, with the truth there."""
        core = self.model.core
        nodes = map(core.node_of_declared, range(core.declared_nodes))
        yield from self.labelling.truths(nodes).items()


def satisfying(
    model: Model,
    formula: Formula | str,
    *,
    timeout: float | None = None,
    memory: float | None = None,
    budget: Budget | None = None,
) -> Satisfying:
    """All states that satisfy a formula of CTL*. A path formula alone means A of it.

    A label that no node carries is false, and you get an `UnknownLabelWarning`. Raises
    `FormulaError` if the text is not a formula, `CheckError` if the formula is one of the
    mu-calculus, and `OutOfTime` or `OutOfMemory` when `timeout` seconds or `memory` bytes are used
    up.

    >>> import pigro
    >>> model = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> found = pigro.satisfying(model, "AX done & !done")
    >>> ([], "a") in found, ([], "b") in found, str(found.truth("b"))
    (True, False, 'fails')
    """
    _require("model", model, (RSM, StateSpace), "pigro.load reads a model from a file")
    if isinstance(formula, str):
        formula = reader(model.document, lenient=True)(formula)
    _require("formula", formula, Formula, "give text, or a Formula")
    written = require_labelled(resolved(formula, model.document))
    [meant] = meant_anywhere(model, [written])
    budget = budget or Budget(Limits(timeout, memory))
    listed = model.listed(budget.poll).about(meant.atoms)
    unknown = unknown_labels(listed, [written])
    if unknown:
        warnings.warn(unknown.message(), UnknownLabelWarning, stacklevel=2)
    labelling = FormulaLabelling(listed, about_states(meant), budget.poll)
    components = map(listed.core.component, listed.initial)
    initial = {each: labelling.root(each) for each in components}
    labelling.close()
    return Satisfying(listed, written, labelling.watched_by(no_poll), initial)


def require_labelled(formula: Formula) -> Formula:
    """The formula as it is written, if states can be labelled with it. Otherwise `CheckError`."""
    written = as_written(formula)
    written.refuse_mu(", and only formulas of CTL* are labelled", _INSTEAD)
    return written


_INSTEAD = "`pigro check` decides it at the initial nodes, and `pigro explain --at` at any node"


def meant_anywhere(model: Model, parts: list[Formula]) -> list[Formula]:
    """What subformulas mean in any state: the model's file may speak of fair paths only."""
    anywhere = getattr(model.document, "anywhere", None)
    return parts if anywhere is None else [anywhere(part) for part in parts]


def _require(name: str, value: object, kind: type | tuple[type, ...], hint: str) -> None:
    if not isinstance(value, kind):
        raise UsageError("P006", f"{name} can't be of type {type(value).__name__}", hint=hint)
