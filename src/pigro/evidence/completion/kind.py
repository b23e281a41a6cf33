"""Runs of compositions, as a kind of evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from msgspec import UNSET
from msgspec.structs import replace

from pigro.diagnostics import FormulaError
from pigro.diagnostics.printable import in_full
from pigro.evidence.completion.data import CompletionData
from pigro.evidence.completion.ways import Completions
from pigro.evidence.data import WrongEvidence
from pigro.evidence.kinds import EvidenceKind, ShownEvidence
from pigro.evidence.trace import ENDS, Trace, with_changes
from pigro.limits import no_poll
from pigro.logic import parse, quote

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence.bundle import EvidenceBundle
    from pigro.evidence.completion.data import FinishedData
    from pigro.evidence.completion.ways import Completion, ComposedRun, OpenChoice
    from pigro.evidence.kinds import SharedEvidence
    from pigro.limits import Poll
    from pigro.model.composition import Composition

_MOST = 40
"""Lines of points."""


class _CompletionKind(EvidenceKind):
    name, field, data = "completion", "finished", CompletionData

    def in_row(self, row: Any) -> CompletionData | None:
        ways = getattr(row, self.field, UNSET)
        return None if ways is UNSET else CompletionData(row.formula, row.verdict, ways)

    def document(
        self, shown: ShownEvidence, _bundle: EvidenceBundle, _poll: Poll = no_poll
    ) -> list[FinishedData]:
        from pigro.evidence.completion.documents import way_document

        return [way_document(shown.subject, each) for each in shown.evidence.ways]

    def read(
        self, subject: Composition, head: CompletionData, _shared: SharedEvidence
    ) -> ShownEvidence:
        from pigro.evidence.completion.documents import read_way
        from pigro.evidence.completion.replay import need_runs

        try:
            formula = parse(head.formula)
        except FormulaError:
            raise WrongEvidence("its formula can't be read") from None
        need_runs(formula)
        ways = Completions(tuple([read_way(subject, each) for each in head.ways]))
        holds = {"holds": True, "fails": False}.get(head.verdict)
        return ShownEvidence(subject, formula, holds, ways)

    def parts(self, shown: ShownEvidence) -> Sequence[int]:
        """All of them: their runs are looked at together."""
        return () if shown.holds is None else range(len(shown.subject.parts))

    def replay(self, shown: ShownEvidence, shared: SharedEvidence) -> None:
        from pigro.evidence.completion.replay import replay_completions

        deciding = shared.completing(shown.subject, shown.formula)
        replay_completions(shown.subject, shown.formula, shown.holds, shown.evidence, deciding)

    def lines(self, shown: ShownEvidence, *, full: bool, poll: Poll = no_poll) -> Iterator[str]:
        """Each way, with what it decides and with its run."""
        for way in shown.evidence.ways:
            poll()
            word = "holds" if way.holds else "fails"
            if way.points:
                yield f"it {word} if the parts are finished like this:"
                yield from _points(shown.subject, way)
            if way.run is not None:
                yield f"{'  ' if way.points else ''}it {word}, as this run shows:"
                yield from _trace(shown, way.run).lines(full=full)

    def trace(self, shown: ShownEvidence) -> Trace | None:
        from pigro.evidence.chains import RunChains
        from pigro.evidence.model_trace import run_truths

        run = shown.evidence.run
        if run is None:
            return None
        trace = _trace(shown, run)
        truths = run_truths(RunChains(shown.subject).along(shown, trace))
        states = zip(trace, truths, strict=True)
        return replace(trace, states=tuple([replace(each, truths=told) for each, told in states]))


def _trace(shown: ShownEvidence, run: ComposedRun[Any]) -> Trace:
    """The states of a run, as the composition names them."""
    from pigro.evidence.strategy.run import composed_state
    from pigro.model.product import Product

    product = Product(shown.subject)
    states = [composed_state(product, states, shown.formula) for states in run.states]
    return Trace(with_changes(states), ENDS[run.ends], run.start)


def _points(composition: Composition, way: Completion) -> Iterator[str]:
    for point, value in way.points[:_MOST]:
        yield _point(composition, point, value=value)
    if len(way.points) > _MOST:
        yield f"  and {len(way.points) - _MOST:,} more; all of them with --format json"


def _point(composition: Composition, point: OpenChoice, *, value: bool) -> str:
    part = composition.numbered_parts[point.part]
    name, state = in_full(part.name), in_full(part.states[point.state])
    if point.label is not None:
        return f"  {name}: {quote(point.label)} is {'true' if value else 'false'} in {state}"
    by = f" by {quote(point.action)}" if point.action else ""
    there = "a step" if value else "no step"
    return f"  {name}: there is {there}{by} from {state} to {in_full(part.states[point.target])}"


KIND = _CompletionKind()
