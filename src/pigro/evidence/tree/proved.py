"""What a certificate says about single states. For the replay, which trusts no other code.

An instance speaks of all stacks that it describes (docs/certificate-rules.md). So the value of an
operator in a state is that of any instance that describes its stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.certificates.reading import FORMULA, Malformed, SectionReader, asked_model, frames
from pigro.certificates.values import ClaimedValues, Known
from pigro.evidence.booleans import NORMAL, BooleanOperators
from pigro.evidence.states import EMPTY, Steps
from pigro.logic.normal import EX, TRUE

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.evidence.states import Stack, State
    from pigro.logic import NormalForm
    from pigro.model import RSM

Instances = tuple[int | None, ...]
"""Instances of a level, by number. None, the last one, speaks of all stacks."""


def open_certificate(model: RSM, data: bytes) -> CertificateView:
    """A file with one certificate, opened. It is not checked here."""
    bodies = [body for kind, body in frames(data) if kind == FORMULA]
    if len(bodies) != 1:
        raise Malformed("evidence needs a certificate of one verdict")
    return CertificateView(asked_model(model, data), bodies[0])


class CertificateView:
    """The section of a certificate about a formula, opened. It is not checked here.

    Needs: the model has the labels of the formula that there are.
    """

    def __init__(self, model: RSM, body: bytes) -> None:
        self.model = model.plain
        self.steps = Steps(model)
        self.section = SectionReader(body, self.model).section(FORMULA)
        if any(level.paths is not None for level in self.section.levels):
            raise Malformed("evidence needs a certificate of CTL")
        self.stages: list[ClaimedValues] = []
        for shape, level in zip(self.section.shape, self.section.levels, strict=False):
            self.stages.append(ClaimedValues(self.model, shape, level, self.stages, Known()))
        for stage in self.stages:
            stage.settle()
        self.form: NormalForm = self.section.shape[-1].form
        self.booleans = BooleanOperators(self.form, NORMAL)
        self.level_of = {
            at: level
            for level, at in enumerate(at for at, op in enumerate(self.form.ops) if op >= EX)
        }
        self.described = StackInstances(self)
        self._labels = {name: self.model.label(name) for name in self.form.atoms}

    def place(self, state: State) -> tuple[int, int]:
        """The component of a state, and its node in there."""
        component = self.model.component[state.node]
        return component, state.node - self.model.parts[component].first

    def lasting(self, base: Stack, word: tuple[int, ...]) -> StackInstances:
        """The instances that speak of a stack, and still do when these boxes are entered on top of
        it, and so forever if they are entered again and again.
        """
        component = self.model.model.core.box_component(word[0])
        found: dict[int, Instances] = {}
        for level in range(len(self.stages)):
            stay = []
            for instance in self.described.at(level, base, component):
                at = instance
                for box in word:
                    at = self.entered(level, at, box)
                if at is not None and at == instance:
                    stay.append(at)
            found[level] = (*stay, None)
        return StackInstances(self, base, found)

    def entered(self, level: int, instance: int | None, box: int) -> int | None:
        """What an instance becomes when a box is entered."""
        core = self.model.model.core
        first = core.boxes_of(core.box_component(box))[0]
        return None if instance is None else self.stages[level].joins.get((instance, box - first))

    def value(self, at: int, state: State, described: StackInstances | None = None) -> bool | None:
        """The truth of a subformula of the normal form in a state. None if nothing proves it.

        With `described`, only by those instances.
        """
        return self.values(at, state, described)[at]

    def values(
        self, at: int, state: State, described: StackInstances | None = None
    ) -> dict[int, bool | None]:
        """The truth of all parts of a subformula, down to labels and temporal operators."""

        def leaf(node: int) -> bool | None:
            op = self.form.ops[node]
            if op >= EX:
                return self.operator(self.level_of[node], state, described or self.described)
            if op == TRUE:
                return True
            return self._labels[self.form.atoms[self.form.left[node]]] >> state.node & 1 == 1

        return self.booleans.values(at, leaf)

    def operator(self, level: int, state: State, described: StackInstances) -> bool | None:
        """The value of a level's operator in a state, be it proved at the exit or at the return."""
        moment: State | None = state
        while moment is not None and len(moment.stack) >= len(described.base):
            component, node = self.place(moment)
            for instance in described.at(level, moment.stack, component):
                yes, no = self.stages[level].value(component, instance)
                if (yes | no) >> node & 1:
                    return yes >> node & 1 == 1
            moment = self.steps.after_return(moment)
        return None

    def explored(self, part: int) -> int:
        """At how many places the certificate proves what an operator does not do."""
        blocks = self.stages[self.level_of[part]].level.blocks
        return sum(len(block.nodes) for block in blocks if not block.sure)


class StackInstances:
    """Which instances speak of a stack: those that come from the roots of its lowest component.

    With a `base`, those that come from these instances there. Only stacks on top of it are asked.
    """

    def __init__(
        self,
        proved: CertificateView,
        base: Stack = EMPTY,
        there: Mapping[int, Instances] | None = None,
    ) -> None:
        self.proved, self.base = proved, base
        self._bases: dict[tuple[int, int], Instances] = {}
        self._there = there
        self._known: dict[tuple[int, Stack], Instances] = {}

    def at(self, level: int, stack: Stack, component: int) -> Instances:
        """The instances of a level for a stack, which ends in the component."""
        pending, at = [], stack
        while len(at) > len(self.base) and (level, at) not in self._known:
            pending.append(at)
            at = at.below
        if len(at) > len(self.base):
            found = self._known[level, at]
        elif not pending:
            return self._at_base(level, component)
        else:
            core = self.proved.model.model.core
            found = self._at_base(level, core.box_component(pending[-1].box))
        for above in reversed(pending):
            entered = {self.proved.entered(level, each, above.box) for each in found}
            found = (*sorted(each for each in entered if each is not None), None)
            self._known[level, above] = found
        return found

    def _at_base(self, level: int, component: int) -> Instances:
        if self._there is not None:
            return self._there[level]
        if (level, component) not in self._bases:
            data = self.proved.stages[level].level
            operand_contexts = data.operand_contexts
            roots = [
                at
                for at, each in enumerate(data.instances)
                if each.root and operand_contexts[each.operands].component == component
            ]
            self._bases[level, component] = (*roots, None)
        return self._bases[level, component]
