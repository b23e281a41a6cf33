"""Trees of runs and claims as data for a page: the same for paths of CTL and for runs."""

from __future__ import annotations

from contextlib import contextmanager
from itertools import pairwise
from typing import TYPE_CHECKING, Protocol

from msgspec.structs import replace

from pigro.diagnostics import printable
from pigro.evidence.lines import EvidenceWriter
from pigro.evidence.source_lines import source_columns
from pigro.evidence.states import RunEvidence, enters_call, run_evidence, step_position
from pigro.evidence.tree.following import CertificateFollower
from pigro.evidence.tree.joined import joined
from pigro.evidence.truths import RunTruths, SubformulaTruths

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from pigro.evidence import Evidence, Path, State
    from pigro.evidence.kinds import ShownEvidence
    from pigro.evidence.truths import Place
    from pigro.limits import Poll

LONGEST = 2000
"""Characters of a formula."""


class PageNumbers(Protocol):
    """Numbers the states of a page."""

    def of(self, states: Sequence[State]) -> list[Place]:
        """The numbers of the stacks, and the nodes, of states."""

    def shown(self, names: Iterable[str]) -> list[int]:
        """The numbers of labels."""


def story(shown: ShownEvidence, places: PageNumbers, poll: Poll) -> dict[str, object]:
    """A tree of evidence for the script: its items, the labels, and truths of subformulas."""
    with truths_of(shown, poll) as truths:
        found = _EvidenceItems(shown, places, truths, poll)
        told: dict[str, object] = {
            "atoms": places.shown(found.writer.words.atoms),
            "evidence": found.told(joined(shown.evidence)),
        }
    return {**told, "tree": truths.rows, "truths": list(truths.strings)}


def run_story(
    shown: ShownEvidence, path: Path, places: PageNumbers, poll: Poll
) -> dict[str, object]:
    """A run on the nodes of a model that shows a whole formula, for the script."""
    return story(replace(shown, evidence=run_evidence(shown, path), certificate=None), places, poll)


@contextmanager
def truths_of(shown: ShownEvidence, poll: Poll) -> Iterator[SubformulaTruths | RunTruths]:
    """What tells the truths of subformulas in the states of evidence."""
    model = shown.evidence.nodes_of(shown.subject)
    if isinstance(shown.evidence, RunEvidence):
        yield RunTruths(model, shown.formula)
    elif shown.certificate is None:
        yield SubformulaTruths(model, shown.formula, None)
    else:
        with CertificateFollower.of(shown.certificate, poll, model) as follower:
            yield SubformulaTruths(model, shown.formula, follower)


class _EvidenceItems:
    """A tree of evidence as a list, each item with its depth. Parents before their parts."""

    def __init__(
        self,
        shown: ShownEvidence,
        places: PageNumbers,
        truths: SubformulaTruths | RunTruths,
        poll: Poll,
    ) -> None:
        self.poll, self.places, self.truths = poll, places, truths
        self.writer = EvidenceWriter(shown, full=True, longest=LONGEST)
        self.model = self.writer.model

    def told(self, root: Evidence) -> list[dict[str, object]]:
        items, pending = [], [(0, root)]
        while pending:
            self.poll()
            depth, at = pending.pop()
            pending += [(depth + 1, each) for each in reversed(at.parts)]
            places = self.places.of((at.state,) if at.path is None else at.path.states)
            items.append((depth, at, places))
            self.truths.note(at, places)
        return [{"depth": depth, **self.item(at, places)} for depth, at, places in items]

    def item(self, at: Evidence, places: list[Place]) -> dict[str, object]:
        frame, node = places[0]
        self.poll()
        told: dict[str, object] = {
            "kind": at.kind,
            "formula": self.writer.words.text(at.part),
            "truth": at.truth,
            "state": (node, frame, self.truths.of(at.state, places[0])),
        }
        if at.kind == "claim":
            told["sentence"] = self.writer.words.claim(at)
        if at.path is not None:
            told["shows"] = self.writer.words.purpose(at)
            told["path"] = self.path(at, at.path, places)
        return told

    def inputs(self, path: Path) -> dict[int, dict[str, str]]:
        """The inputs of the steps to states, where there are any."""
        if self.writer.values is None:
            return {}
        steps = range(1, len(path.states))
        found = {number: dict(self.writer.values.inputs(path, number)) for number in steps}
        return {number: inputs for number, inputs in found.items() if inputs}

    def step_places(self, path: Path) -> dict[int, list[object]]:
        """Where the file says what the steps to states do, if it does."""
        if self.writer.values is None and self.model.configurations is None:
            return {}
        steps = enumerate(pairwise(path.states), start=1)
        found = {number: step_position(self.model, *pair) for number, pair in steps}
        return {number: source_columns(self.model, each) for number, each in found.items() if each}

    def configurations(self, path: Path) -> list[str]:
        """Those of the states of a pushdown system. Otherwise none."""
        told = self.model.configurations
        if told is None:
            return []
        return [printable(told.text(self.model, each)) for each in path.states]

    def path(self, at: Evidence, path: Path, places: list[Place]) -> dict[str, object]:
        """The columns of the states, the contexts by stacks, and which states begin a call."""
        calls = [
            number
            for number, (before, after) in enumerate(pairwise(path.states), start=1)
            if enters_call(self.model, before, after)
        ]
        return {
            "nodes": [node for _, node in places],
            "frames": [frame for frame, _ in places],
            "truths": self.truths.along(at, places),
            "contexts": {
                places[number][0]: text for number, text in self.writer.contexts(at).items()
            },
            "calls": calls,
            "inputs": self.inputs(path),
            "places": self.step_places(path),
            "configurations": self.configurations(path),
            "marks": {place: self.writer.words.text(part) for place, part in at.marks},
            "ends": path.ends,
            "start": path.start,
            "end": self.writer.end(path, is_run=at.kind == "run"),
            "shortest": path.shortest and len(places) > 1,
        }
