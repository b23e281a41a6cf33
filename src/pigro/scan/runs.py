"""From the evidence of a verdict to the steps of a finding."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from pigro.scan.findings import FindingStep
from pigro.sources.graph import EXIT, NOWHERE, RAISE

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pigro.evidence import Evidence, State
    from pigro.model import RSM
    from pigro.scan.machine import ScanComponent
    from pigro.sources.graph import Function

_MOST_PASSED = 40
"""Steps that a run shows of a part of a function where nothing happens that matters."""
RAISED = "raised here"


class FindingRun(NamedTuple):
    """A run for a reader."""

    steps: tuple[FindingStep, ...]
    ends: tuple[str, ...]
    """The labels of its last state,"""
    last: tuple[Function, int]
    """and what that stands for: a function, and its node. -1 for none."""

    @property
    def way(self) -> str:
        """How it leaves the function, for messages."""
        own = [each for each in self.steps if not each.depth]
        if "left" in self.ends or not own:
            return "on this return"
        return f"when line {own[-1].at[0]} raises"


def states_of(evidence: Evidence) -> list[State]:
    """The states of one run in a tree of evidence: a run of the model from its initial node.

    Where evidence needs several runs from one state, this is the last: the one that a formula ends
    with. For example, `undo` shows the run that does not undo the change, not the one that does.
    """
    found = [evidence.state]
    pending = [evidence]
    while pending:
        each = pending.pop()
        if each.path is not None:
            while found[-1] != each.path.states[0]:
                found.pop()
            found += each.path.states[1:]
        pending += reversed(each.parts)
    return found


class NodeOrigins:
    """Which function and node each node of a model stands for."""

    def __init__(
        self, model: RSM, components: Sequence[ScanComponent], files: Mapping[str, str]
    ) -> None:
        self.model, self.components, self.files = model, components, files
        self.firsts = list(accumulate((len(each.labels) for each in components), initial=0))

    def run(self, states: Sequence[State], notes: Mapping[str, str]) -> FindingRun:
        """A run with a step for each place, with a note for each label that has one."""
        found: list[FindingStep] = []
        before: State | None = None
        for state in states:
            for made in (*self._passed(before, state), self._step(state, notes)):
                last = found[-1] if found else None
                if made is None:
                    continue
                if last is None or _place(last) != _place(made):
                    found.append(made)
                elif (made.note and made.note != last.note) or last.is_leaving:
                    said = dict.fromkeys(filter(None, (last.note, made.note)))
                    found[-1] = replace(made, note=", ".join(said))
            before = state
        part, local = self._place(states[-1])
        labels, origin = (part.labels[local], part.origins[local]) if local >= 0 else ((), -1)
        return FindingRun(tuple(found), labels, (part.function, origin))

    def _passed(self, before: State | None, state: State) -> Iterator[FindingStep | None]:
        """The steps that a run passes between two states."""
        if before is None or before.stack != state.stack:
            return
        part, source = self._place(before)
        _, target = self._place(state)
        for number in part.passed.get((source, target), ())[:_MOST_PASSED]:
            yield self._made(part.function, part.numbered[number], len(state.stack))
        told = part.raised.get((source, target))
        way, why = ((), "") if told is None else told()
        for deeper, (function, node) in enumerate(way, 1):
            made = self._made(function, node, len(state.stack) + deeper)
            yield made if made is None or deeper < len(way) else replace(made, note=why or RAISED)

    def _place(self, state: State) -> tuple[ScanComponent, int]:
        """The component of a state, and the number of its node there. -1 if it is at a box."""
        core = self.model.core
        number = core.component(state.node)
        part = self.components[number]
        local = core.declared_of_node(state.node) - self.firsts[number]
        is_node = core.box(state.node) < 0 and 0 <= local < len(part.origins)
        return part, local if is_node else -1

    def _step(self, state: State, notes: Mapping[str, str]) -> FindingStep | None:
        part, local = self._place(state)
        origin = -1 if local < 0 else part.origins[local]
        made = self._made(part.function, origin, len(state.stack))
        if made is None:
            return None
        labels = part.labels[local]
        told = part.why.get(local)
        way, why = ((), "") if told is None else told()
        said = "" if way else why
        said = said or ", ".join(notes[each] for each in labels if each in notes)
        note = said or made.note
        return replace(made, note=note, is_uncertain="soft" in labels)

    def _made(self, function: Function, origin: int, depth: int) -> FindingStep | None:
        at = function.at_nodes[origin] if origin >= 0 else NOWHERE
        if at == NOWHERE:
            return None
        op = function.ops[origin]
        note = RAISED if depth and op is not None and op[0] == RAISE else ""
        is_leaving = op is not None and op[0] == EXIT
        return FindingStep(
            self.files[function.name], at, function.name, depth, note, is_leaving=is_leaving
        )


def _place(step: FindingStep) -> tuple[object, ...]:
    return step.at, step.depth, step.file
