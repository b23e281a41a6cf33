"""From the evidence of a verdict to the steps of a finding."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import TYPE_CHECKING

from pigro.scan.findings import Step
from pigro.sources.graph import NOWHERE

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.evidence import Evidence, State
    from pigro.model import RSM
    from pigro.scan.machine import Component


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


class Origins:
    """Which function and node each node of a model stands for."""

    def __init__(
        self, model: RSM, components: Sequence[Component], files: Mapping[str, str]
    ) -> None:
        self.model, self.components, self.files = model, components, files
        self.firsts = list(accumulate((len(each.labels) for each in components), initial=0))

    def steps(self, states: Sequence[State], notes: Mapping[str, str]) -> list[Step]:
        """The steps of a run: one for each place, with a note for each label that has one."""
        found: list[Step] = []
        for state in states:
            made = self._step(state, notes)
            if made is None:
                continue
            last = found[-1] if found else None
            if last is not None and (last.at, last.depth, last.file) == (
                made.at,
                made.depth,
                made.file,
            ):
                if not made.note or made.note == last.note:
                    continue
                found[-1] = replace(made, note=", ".join(filter(None, (last.note, made.note))))
            else:
                found.append(made)
        return found

    def _step(self, state: State, notes: Mapping[str, str]) -> Step | None:
        core = self.model.core
        number = core.component(state.node)
        part = self.components[number]
        local = core.declared_of_node(state.node) - self.firsts[number]
        if core.box(state.node) >= 0 or not 0 <= local < len(part.origins):
            return None
        origin = part.origins[local]
        at = part.function.at_nodes[origin] if origin >= 0 else NOWHERE
        if at == NOWHERE:
            return None
        labels = part.labels[local]
        name = part.function.name
        note = ", ".join(notes[each] for each in labels if each in notes)
        return Step(
            self.files[name], at, name, len(state.stack), note, is_uncertain="soft" in labels
        )
