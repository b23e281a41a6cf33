"""All states that satisfy a formula, not only the initial ones.

Source: [Finis2012], sections 1.1 and 1.3 (global model checking). Lemma 3.3.3: call stacks with one
context agree on the formula. A state is a call stack and a node. The stacks under which the formula
holds at a node are accepted by a finite automaton that reads the boxes of a stack, outermost first.
Its states are instances: components under a context, as EagerCheck finds them ([Dubslaff2024],
Alg. 4). A stack leads to one instance, which knows where the formula holds.

Cost: that of the engine `eager`, and for reachability a visit of each node per entry.
"""

from __future__ import annotations

import warnings
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import cast

from pigro import _core
from pigro.diagnostics import CheckError, UsageError, did_you_mean, printable
from pigro.engines.explaining import Truth
from pigro.engines.labels import UnknownLabelWarning, unknown_labels
from pigro.engines.native import DEMAND
from pigro.evidence.tables import box_name
from pigro.limits import Budget, Limits, OutOfTime, Poll
from pigro.logic import Formula
from pigro.logic.files import reader, resolved
from pigro.logic.printer import as_written
from pigro.model import RSM
from pigro.papers.dubslaff2024.eager import eager_check
from pigro.papers.dubslaff2024.initialize import initialize
from pigro.papers.dubslaff2024.interpretation import CheckRequest
from pigro.papers.dubslaff2024.shape import bits, shape_of
from pigro.papers.dubslaff2024.trace import Trace


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
    components: Sequence[int]
    """For each state of the automaton, the component that it is an instance of."""
    true: Sequence[frozenset[int]]
    """For each state of the automaton, the nodes where the formula holds."""
    initial: Mapping[int, int]
    """From initial components to the state for the empty stack."""
    steps: Sequence[Mapping[int, int]]
    """For each state of the automaton, from boxes to states."""

    def states(self, stack: Iterable[int | str]) -> set[int]:
        """The states of the automaton for a stack. There is none if no run can have this stack.

        There are several only if the model starts in several components. `UsageError` P006 for a
        box that the model does not have.
        """
        if isinstance(stack, str):
            hint = "a stack is a list of boxes, outermost first"
            raise UsageError("P006", "a stack can't be of type str", hint=hint)
        found = set(self.initial.values())
        for box in stack:
            meant = self._boxes(box)
            found = {
                row[each]
                for row in map(self.steps.__getitem__, found)
                for each in meant & row.keys()
            }
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
        stack, node = state
        node = self._node(node)
        component = self.model.core.component(node)
        found = {
            node in self.true[at] for at in self.states(stack) if self.components[at] == component
        }
        if len(found) > 1:
            hint = "say which box is meant by COMPONENT:BOX"
            raise UsageError(
                "P006", "the stack is ambiguous: the model starts in several components", hint=hint
            )
        return True in found

    def truth(self, node: int | str) -> Truth:
        """In which reachable states at a declared node the formula holds."""
        found = self._reached.get(self._declared(node))
        if not found:
            return Truth.NOT_REACHABLE
        if len(found) == 2:
            return Truth.DEPENDS
        return Truth.HOLDS if True in found else Truth.FAILS

    def _declared(self, node: int | str) -> int:
        number = self._node(node)
        if self.model.core.box(number) < 0:
            return number
        name = printable(self.model.node_name(number))
        raise UsageError(
            "P006", f"{name} is a call or return node", hint="ask for the entry or exit"
        )

    def truths(self) -> Iterator[tuple[int, Truth]]:
        """All declared nodes, by number, with the truth there."""
        core = self.model.core
        for declared in range(core.declared_nodes):
            node = core.node_of_declared(declared)
            yield node, self.truth(node)

    @cached_property
    def _reached(self) -> dict[int, set[bool]]:
        return self.reach(lambda: None)

    def reach(self, poll: Poll) -> dict[int, set[bool]]:
        """For each declared node, the truths in the states there that runs reach.

        Calls `poll` often. The result is kept for `truth` and `truths`.
        """
        core = self.model.core
        nodes = Tabulation(self.model, poll).run()
        found: dict[int, set[bool]] = {}
        waiting: dict[tuple[int, int | None], None] = dict.fromkeys(
            (at, None) for at in self.initial.values()
        )
        order = list(waiting)
        for at, entry in order:  # grows
            poll()
            for node in nodes.get((self.components[at], entry), ()):
                kind, subject = core.kind(node), core.subject(node)
                if kind is _core.NodeKind.CALL:
                    key = self.steps[at][core.box(node)], subject
                    if key not in waiting:
                        waiting[key] = None
                        order.append(key)
                elif kind is _core.NodeKind.RETURN:  # one moment with the exit
                    callee = self.steps[at][core.box(node)]
                    found.setdefault(subject, set()).add(subject in self.true[callee])
                else:
                    found.setdefault(subject, set()).add(node in self.true[at])
        self.__dict__["_reached"] = found
        return found


@dataclass
class Tabulation:
    """Which nodes a run reaches from each entry of a component before it returns.

    Source: tabulation of [Reps1995]. The entry None stands for the initial nodes.
    """

    model: RSM
    poll: Poll
    found: dict[tuple[int, int | None], dict[int, None]] = field(default_factory=dict)
    callers: dict[tuple[int, int | None], list[tuple[tuple[int, int | None], int]]] = field(
        default_factory=dict
    )
    """Who waits for the exits reached from an entry: another such pair, and the box."""

    def run(self) -> dict[tuple[int, int | None], dict[int, None]]:
        core = self.model.core
        waiting = deque(((core.component(node), None), node) for node in self.model.initial)
        call, leave = _core.NodeKind.CALL, _core.NodeKind.EXIT
        while waiting:
            self.poll()
            where, node = waiting.popleft()
            nodes = self.found.setdefault(where, {})
            if node in nodes:
                continue
            nodes[node] = None
            waiting.extend((where, each) for each in core.successors(node))
            kind = core.kind(node)
            if kind is call:
                waiting.extend(self._call(where, node))
            elif kind is leave:
                for caller, box in self.callers.get(where, ()):
                    waiting.extend(self._returned(caller, box, node))
        return self.found

    def _call(self, where: tuple[int, int | None], node: int) -> Iterator[tuple]:  # type: ignore[type-arg]
        core = self.model.core
        box, entry = core.box(node), core.subject(node)
        there = core.callee(box), entry
        self.callers.setdefault(there, []).append((where, box))
        yield there, entry
        for each in list(self.found.get(there, ())):
            if core.is_exit(each):
                yield from self._returned(where, box, each)

    def _returned(self, where: tuple[int, int | None], box: int, leave: int) -> Iterator[tuple]:  # type: ignore[type-arg]
        node = self.model.core.return_node(box, leave)
        if node is not None:
            yield where, node


def satisfying(
    model: RSM,
    formula: Formula | str,
    *,
    timeout: float | None = None,
    memory: float | None = None,
    budget: Budget | None = None,
) -> Satisfying:
    """All states that satisfy a formula of CTL.

    A label that no node carries is false, and you get an `UnknownLabelWarning`. Raises
    `FormulaError` if the text is not a formula, `CheckError` if the formula is not in CTL, and
    `OutOfTime` or `OutOfMemory` when `timeout` seconds or `memory` bytes are used up.

    >>> import pigro
    >>> model = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> found = pigro.satisfying(model, "AX done & !done")
    >>> ([], "a") in found, ([], "b") in found, str(found.truth("b"))
    (True, False, 'fails')
    """
    _require("model", model, RSM, "pigro.load reads a model from a file")
    if isinstance(formula, str):
        formula = reader(model.document, lenient=True)(formula)
    _require("formula", formula, Formula, "give text, or a Formula")
    formula = require_labelled(resolved(formula, model.document))
    meant = _meant(model, formula)
    budget = budget or Budget(Limits(timeout, memory))
    model = model.listed(budget.poll).about(meant.atoms)
    unknown = unknown_labels(model, [formula])
    if unknown:
        warnings.warn(unknown.message(), UnknownLabelWarning, stacklevel=2)
    if not meant.is_ctl:
        return _on_some_paths(model, formula, meant, budget)
    shape = shape_of(model)
    question = CheckRequest.of(shape, formula)
    instances = initialize(question, budget, Trace(False))
    eager_check(instances)
    instances.drop_unreachable()
    last = len(question.form) - 1
    states = {each: number for number, each in enumerate(instances.live)}
    true = []
    for each in states:
        assert not each.unknown(last), "EagerCheck decides the formula everywhere"
        true.append(frozenset(each.body.nodes[at] for at in bits(each.sure[last])))
    return Satisfying(
        model,
        formula,
        [each.body.component for each in states],
        true,
        {each.body.component: states[each] for each in instances.roots},
        [{site.box: states[each.callee[site.slot]] for site in each.body.sites} for each in states],
    )


def require_labelled(formula: Formula) -> Formula:
    """The formula as it is written, if states can be labelled with it. Otherwise `CheckError`."""
    written = as_written(formula)
    written.refuse_mu(", and only formulas of CTL are labelled", _INSTEAD)
    return written.require_ctl()


_INSTEAD = "`pigro check` decides it at the initial nodes, and `pigro explain --at` at any node"


def _meant(model: RSM, formula: Formula) -> Formula:
    """What a formula means in any state: the model's file may speak of fair paths only."""
    anywhere = getattr(model.document, "anywhere", None)
    return formula if anywhere is None else cast("Formula", anywhere(formula))


def _on_some_paths(model: RSM, formula: Formula, meant: Formula, budget: Budget) -> Satisfying:
    """A formula about fair paths is one of CTL*. Without calls, it is asked about every node."""
    if not model.is_kripke:
        message = "states can't be labelled under fairness where modules call each other"
        raise CheckError("P401", message, hint="leave out FAIRNESS, or ask `pigro check` instead")
    nodes = list(model.core.nodes_of(0))
    [verdict] = DEMAND.check_all(model.with_initial(nodes), [meant], budget=budget)
    if verdict.holds is None:
        budget.poll()
        raise OutOfTime(verdict.reason)
    true = frozenset(node for node, truth in verdict.holds_at if truth)
    return Satisfying(model, formula, [0], [true], {0: 0}, [{}])


def _require(name: str, value: object, kind: type, hint: str) -> None:
    if not isinstance(value, kind):
        raise UsageError("P006", f"{name} can't be of type {type(value).__name__}", hint=hint)
