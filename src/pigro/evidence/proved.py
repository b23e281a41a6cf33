"""What a certificate says about single states.

An instance speaks of all stacks that it describes (docs/certificate-theory.md); so the value of an
operator in a state is that of any instance that describes its stack.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.certificates.reading import LEMMAS, Reader, asked_model, frames
from pigro.certificates.values import Known, Stage
from pigro.evidence.booleans import NORMAL, Booleans
from pigro.evidence.states import Steps
from pigro.logic.normal import EX, TRUE

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.certificates.reading import Block
    from pigro.evidence.states import State
    from pigro.logic import NormalForm
    from pigro.model import RSM


Above = tuple[int, dict[int, tuple[int, ...]]]
"""A height of the stack, and instances of each level that speak of the stack up to there."""


class Proved:
    """A certificate, opened. It is not checked here."""

    def __init__(self, model: RSM, data: bytes) -> None:
        model = asked_model(model, data)
        self.model = model.plain
        self.steps = Steps(model)
        self.order: dict[int, int] = {}
        """The place of each block among all of the file, by its identity."""
        self.lemmas: dict[tuple[int, bool, int, int], list[tuple[Stage, Block]]] = {}
        for kind, body in frames(data):
            section = Reader(body, self.model).section(kind)
            stages: list[Stage] = []
            for shape, level in zip(section.shape, section.levels, strict=False):
                stages.append(Stage(self.model, shape, level, stages, Known()))
                for block in level.blocks:
                    self.order[id(block)] = len(self.order)
            for stage in stages:
                stage.settle()
            if kind == LEMMAS:
                self._add_lemmas(stages)
            else:
                self.section, self.stages = section, stages
        self.form: NormalForm = self.section.shape[-1].form
        self.booleans = Booleans(self.form, NORMAL)
        self.level_of = {
            at: level
            for level, at in enumerate(at for at, op in enumerate(self.form.ops) if op >= EX)
        }
        self._describing: dict[tuple[int, tuple[int, ...], int], tuple[int | None, ...]] = {}
        self._labels = {name: self.model.label(name) for name in self.form.atoms}

    def _add_lemmas(self, stages: list[Stage]) -> None:
        for stage in stages:
            for block in stage.level.blocks:
                if block.entry is not None:
                    component = stage.level.arguments[block.argument].component
                    key = stage.op, block.sure, component, block.entry
                    self.lemmas.setdefault(key, []).append((stage, block))

    def describing(
        self, level: int, stack: tuple[int, ...], component: int, above: Above | None = None
    ) -> tuple[int | None, ...]:
        """The instances of a level that speak of a stack, which ends in the component; and none."""
        if above is not None:
            return self._from_above(level, stack, above)
        lowest = component if not stack else self.model.model.core.box_component(stack[0])
        key = level, stack, lowest
        if key not in self._describing:
            before = self._describing.get((level, stack[:-1], lowest)) if stack else None
            if before is None:  # from the bottom
                height, known = 0, self._roots(level, lowest)
            else:
                height, known = len(stack) - 1, before
            self._describing[key] = self._climb(level, stack[height:], known)
        return self._describing[key]

    def _roots(self, level: int, component: int) -> tuple[int | None, ...]:
        data = self.stages[level].level
        rows = enumerate(data.instances)
        here = [(at, each) for at, each in rows if each.root]
        return tuple(
            [at for at, each in here if data.arguments[each.argument].component == component]
        )

    def _from_above(
        self, level: int, stack: tuple[int, ...], above: Above
    ) -> tuple[int | None, ...]:
        height, instances = above
        return self._climb(level, stack[height:], instances[level])

    def _climb(
        self, level: int, boxes: tuple[int, ...], known: tuple[int | None, ...]
    ) -> tuple[int | None, ...]:
        """What instances become when these boxes are entered; and none, which speaks of all."""
        core, joins = self.model.model.core, self.stages[level].joins
        found: set[int | None] = set(known)
        for box in boxes:
            number = box - core.boxes_of(core.box_component(box))[0]
            found = {joins.get((each, number)) for each in found if each is not None}
        return (*sorted(each for each in found if each is not None), None)

    def place(self, state: State) -> tuple[int, int]:
        """The component of a state, and its node in there."""
        component = self.model.component[state.node]
        return component, state.node - self.model.parts[component].first

    def lasting(self, stack: tuple[int, ...], word: tuple[int, ...]) -> dict[int, tuple[int, ...]]:
        """Of each level, the instances that speak of a stack, and still do when these boxes are
        entered on top of it: and so for ever, if they are entered again and again.
        """
        core = self.model.model.core
        component = core.box_component(word[0])
        found = {}
        for level in range(len(self.stages)):
            stay = []
            for instance in self.describing(level, stack, component):
                at = instance
                for box in word:
                    first = core.boxes_of(core.box_component(box))[0]
                    at = None if at is None else self.stages[level].joins.get((at, box - first))
                if at is not None and at == instance:
                    stay.append(at)
            found[level] = tuple(stay)
        return found

    def value(self, at: int, state: State, above: Above | None = None) -> bool | None:
        """The truth of a subformula of the normal form in a state; None if nothing proves it.

        With `above`, only by instances that come from these, at that height of the stack.
        """
        return self.values(at, state, above)[at]

    def values(self, at: int, state: State, above: Above | None = None) -> dict[int, bool | None]:
        """The same for all parts of a subformula, down to labels and temporal operators."""

        def leaf(node: int) -> bool | None:
            op = self.form.ops[node]
            if op >= EX:
                return self.operator(self.level_of[node], state, above)
            if op == TRUE:
                return True
            return self._labels[self.form.atoms[self.form.left[node]]] >> state.node & 1 == 1

        return self.booleans.values(at, leaf)

    def operator(self, level: int, state: State, above: Above | None = None) -> bool | None:
        """The value of a level's operator in a state, be it proved at the exit or at the return."""
        lowest = 0 if above is None else above[0]
        moment: State | None = state
        while moment is not None and len(moment.stack) >= lowest:
            component, node = self.place(moment)
            for instance in self.describing(level, moment.stack, component, above):
                yes, no = self.stages[level].value(component, instance)
                if (yes | no) >> node & 1:
                    return yes >> node & 1 == 1
            moment = self.steps.after_return(moment)
        return None

    def blocks(self, level: int, state: State, *, sure: bool) -> Iterator[tuple[Stage, Block]]:
        """The blocks that prove the value of a level's operator in a state, if blocks do."""
        component, node = self.place(state)
        stage = self.stages[level]
        for number in self.describing(level, state.stack, component):
            instance = None if number is None else stage.level.instances[number]
            argument = (
                stage.free_arguments.get(component, -1) if instance is None else instance.argument
            )
            mask = 0 if instance is None else instance.true if sure else instance.false
            for block in stage.blocks.get(argument, ()):
                if block.sure == sure and node in block.nodes and not block.exits & ~mask:
                    yield stage, block

    def explored(self, part: int) -> int:
        """At how many places the certificate proves what an operator does not do."""
        blocks = self.stages[self.level_of[part]].level.blocks
        return sum(len(block.nodes) for block in blocks if not block.sure)
