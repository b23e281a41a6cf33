"""Where a file says what a step does: the branch of an assignment, or a constraint.

A step is told by the first variable that it changes and whose `next` is assigned. If there is none,
by the first constraint on the next value of one that it changes, then by `x := ...`, then by a
declaration. A step that changes no variable is told by the first one that is assigned.
Branches of `case` and `?:` are followed, also by way of definitions, as far as their conditions
depend on the state before the step alone.
"""

from __future__ import annotations

from contextlib import suppress
from functools import cached_property
from itertools import chain
from typing import TYPE_CHECKING

from pigro import _core
from pigro.formats.smv.instances import ScalarVariable, ScopedExpression
from pigro.formats.smv.kinds import SHIFTED
from pigro.formats.smv.native import EXIT_VALUE
from pigro.formats.smv.planning import bits
from pigro.formats.smv.syntax.nodes import N
from pigro.model.positions import OWN, SourcePosition

if TYPE_CHECKING:
    from collections.abc import Sequence
    from threading import RLock

    from pigro.formats.smv.instances import ModuleInstance
    from pigro.formats.smv.machine import SmvComponent
    from pigro.formats.smv.syntax.nodes import ExpressionNodes
    from pigro.formats.smv.syntax.text import TokenText


class StepBranches:
    """The places of the steps of a component."""

    def __init__(self, component: SmvComponent, text: TokenText, lock: RLock) -> None:
        """Conditions are compiled under the lock of the document."""
        self._component, self._text, self._lock = component, text, lock
        self._places: dict[int, SourcePosition] = {}

    def of(self, before: Sequence[int], after: Sequence[int]) -> SourcePosition | None:
        """The place of a step between two lists of values. None if there is none."""
        if all(value == EXIT_VALUE for value in before):
            return None
        with self._lock:
            token = self._token(before, after)
        if token is None:
            return None
        if token not in self._places:
            self._places[token] = SourcePosition(OWN, *self._text.spans({token})[token])
        return self._places[token]

    def _token(self, before: Sequence[int], after: Sequence[int]) -> int | None:
        process = self._process(before, after)
        flats = [each for each in self._component.variables if not each.hidden]
        pairs = zip(self._component.variables, before, after, strict=True)
        changed = {flat for flat, old, new in pairs if old != new}
        moved = [each for each in flats if each in changed and each.section != "IVAR"]
        ways = chain(
            (self._stepping(each, process, before) for each in moved or flats),
            (self._constraints.get(each) for each in moved),
            (each.now and self._branch(each.now, after) for each in moved or flats),
            (each.at for each in moved),
        )
        return next((each for each in ways if each is not None), None)

    def _process(self, before: Sequence[int], after: Sequence[int]) -> ModuleInstance | None:
        """The process that makes a step. None if there are no processes, or it is not known."""
        component = self._component
        if component.selector not in component.inputs:
            return None
        with suppress(_core.MachineFault):
            given = component.machine.inputs(list(before), list(after))
            if given is not None:
                number = given[component.inputs.index(component.selector)]
                if 0 <= number < len(component.program.processes):
                    return component.program.processes[number]
        return None

    def _stepping(
        self, flat: ScalarVariable, process: ModuleInstance | None, before: Sequence[int]
    ) -> int | None:
        """The token of the branch that gives a variable its next value. None without one."""
        for owner, right in flat.next:
            if process in (owner, None):
                return self._branch(right, before)
        return None

    def _branch(self, written: ScopedExpression, values: Sequence[int]) -> int:
        nodes, root, instance = written
        at = _first(nodes, root)
        while True:
            if nodes.ops[root] in (N.CASE, N.ITE):
                chosen = self._chosen(nodes, root, instance, values)
                if chosen is None:
                    return at
                root, begin = chosen
                at = _first(nodes, begin)
                continue
            here = ScopedExpression(nodes, root, instance)
            meant = self._component.program.entity(here)
            if meant is here or not isinstance(meant, ScopedExpression):
                return at
            nodes, root, instance = meant
            at = _first(nodes, root)

    def _chosen(
        self, nodes: ExpressionNodes, root: int, instance: ModuleInstance, values: Sequence[int]
    ) -> tuple[int, int] | None:
        """The value of the branch that is taken, and where the branch begins. None: not known."""
        args = nodes.children(root)
        if nodes.ops[root] == N.ITE:
            holds = self._holds(ScopedExpression(nodes, args[0], instance), values)
            return None if holds is None else (args[1 if holds else 2],) * 2
        for condition, value in zip(args[::2], args[1::2], strict=True):
            holds = self._holds(ScopedExpression(nodes, condition, instance), values)
            if holds is None:
                return None
            if holds:
                return value, condition
        return None

    def _holds(self, condition: ScopedExpression, values: Sequence[int]) -> bool | None:
        """Whether a condition on a state holds. None if it is about more than the state."""
        compiler = self._component.compiler
        code = compiler.code(condition)
        if code.kinds & SHIFTED or compiler.reads[code.number] >> compiler.variables:
            return None
        with suppress(_core.MachineFault):
            return self._component.machine.holds(code.number, list(values))
        return None

    @cached_property
    def _constraints(self) -> dict[ScalarVariable, int]:
        """The first constraint on the next value of each variable, as a token."""
        component, found = self._component, dict[ScalarVariable, int]()
        count = len(component.variables)
        for instance, module in component.program.sections:
            for section, root, _, at in module.constraints:
                if section not in ("TRANS", "INVAR"):
                    continue
                written = ScopedExpression(component.nodes, root, instance)
                code = component.compiler.code(written, shift=section == "INVAR")
                reads = component.compiler.reads[code.number] >> count
                for slot in bits(reads & ((1 << count) - 1)):
                    found.setdefault(component.variables[slot], at)
        return found


def _first(nodes: ExpressionNodes, root: int) -> int:
    """The token where an expression begins, but for signs and brackets."""
    return nodes.at[nodes.first[root]]
