"""Evidence about models, judged: paths are walked, claims checked, and all else is compared."""

from __future__ import annotations

import json
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, cast

from msgspec import UNSET

from pigro.certificates import Mismatch, check_certificates
from pigro.certificates.reading import FORMULA, Reader, frames, read_header
from pigro.diagnostics import CheckError, ModelError, printable
from pigro.engines import unknown_labels
from pigro.evidence import read, read_run, replay, replay_run
from pigro.evidence.bundle import read_file, read_head
from pigro.evidence.data import (
    GAME,
    RUN,
    Document,
    GameDocument,
    NotEvidence,
    NotJudged,
    RunDocument,
    WrongEvidence,
    need,
)
from pigro.evidence.kinds import Shared
from pigro.evidence.replaying import need_claim, replay_proved
from pigro.evidence.run.documents import run_head
from pigro.evidence.tree.documents import certificate_of, formula_of, head_of, read_piece
from pigro.evidence.tree.proved import Proved
from pigro.logic import parse
from pigro.model.lazy.excerpt import seen_of
from pigro.session.certificate_evidence import certified_model
from pigro.session.findings import Finding, not_judged, rejected, result_finding, unjudged_finding
from pigro.session.result_file import (
    check_model,
    check_result,
    check_row,
    is_formula,
    read_results,
)
from pigro.session.results import MODEL as RESULTS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.certificates import Checked
    from pigro.model import RSM
    from pigro.model.lazy import LazyRSM
    from pigro.session.results import ModelResult, ModelResults
    from pigro.session.subject import Readable

    Warn = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class _Shown:
    """The subject of a piece of evidence, and its fault."""

    formula: str
    verdict: str
    model: RSM
    """Read as the evidence says, with its initial nodes."""
    problem: str | None


def judge_models(subject: Readable, whole: dict[str, Any], warn: Warn) -> Iterator[Finding]:
    """The judgement on a document: the model, then each result."""
    if whole["schema"] == RESULTS:
        yield from _judge(subject, read_results(whole), warn)
        return
    shown = _replayed(subject, whole)
    _warn_of_labels(shown.model, [shown.formula], warn)
    yield result_finding(shown.formula, shown.verdict, shown.problem)


def _judge(subject: Readable, told: ModelResults, warn: Warn) -> Iterator[Finding]:
    """Everything that results say."""
    readable = [row.formula for row in told.results if is_formula(row.formula)]
    said = told.model
    about = f"model  {printable(said.file or '')}".rstrip()
    try:
        model = subject.model(readable, said.semantics, said.dead_ends)
    except ModelError as error:
        if said.dead_ends != "error":
            raise
        yield rejected(about, f"the model can't be read so: {error.message}")
        model = subject.model(readable, said.semantics, "stutter")
    shared = _Shared(told, _as_told(model, told))
    judged = [_judged_result(shared, row) for row in told.results]
    try:
        check_model(told, shared.shown)
    except WrongEvidence as error:
        yield rejected(about, str(error))
    yield from judged
    _warn_of_labels(model, readable, warn)
    yield from not_judged("steps", sum(row.steps is not UNSET for row in told.results))


def _judged_result(shared: _Shared, row: ModelResult) -> Finding:
    problem = None
    try:
        if row.evidence is not UNSET:
            head = read_head(row.evidence)
            started = shared.replayed(head)
            same = (head.formula, head.verdict) == (row.formula, row.verdict)
            need(same, "the evidence is for another formula or verdict than the result")
            check_result(shared.told, row, started)
        if row.evidence is not UNSET or row.verdict == "unknown":
            check_row(row, shared.shown)
    except NotJudged as error:
        written = row.formula if row.written is UNSET else row.written
        return unjudged_finding(written, row.verdict, str(error))
    except WrongEvidence as error:
        problem = str(error)
    has_evidence = row.evidence is not UNSET
    shown = row.formula if row.written is UNSET else f"{row.written} (on {row.paths} paths)"
    return result_finding(shown, row.verdict, problem, has_evidence=has_evidence)


def _as_told(model: RSM, told: ModelResults) -> RSM:
    """The list of the model's states, if evidence is about the list."""
    heads = (read_head(row.evidence) for row in told.results if row.evidence is not UNSET)
    return model if all(_is_computed(model, head) for head in heads) else _list_of(model)


def _list_of(model: RSM) -> RSM:
    """The model with all states. Programs have no list."""
    with suppress(CheckError):
        return model.listed()
    return model


def _is_computed(model: RSM, head: Any) -> bool:
    """Whether evidence is about states that are computed on demand, and not about their list."""
    return isinstance(head, RunDocument) and head.digest == model.digest.hex()


@dataclass(frozen=True)
class _Shared:
    """What all results share: the model, the states of their evidence, and certificates."""

    told: ModelResults
    model: RSM

    @cached_property
    def _tables(self) -> Shared:
        """The states of the tables."""
        assert self.told.tables is not UNSET, "it was looked at"
        return Shared(self.shown, self.told.tables, digest=self.model.digest)

    @cached_property
    def shown(self) -> RSM:
        """The model that the states of the tables are of."""
        if self.model.on_demand is None:
            return self.model
        from pigro.session.computed_evidence import opened

        assert self.told.tables is not UNSET, "it was looked at"
        heads = [read_head(row.evidence) for row in self.told.results if row.evidence is not UNSET]
        runs = [each for each in heads if isinstance(each, RunDocument)]
        atoms = [atom for row in self.told.results for atom in parse(row.formula).atoms]
        return opened(cast("LazyRSM", self.model), self.told.tables, runs, atoms)

    @cached_property
    def _proofs(self) -> list[tuple[Checked, bytes]]:
        """What becomes of each certificate, and its section."""
        data = read_file(str(self.told.certificates))
        header = read_header(data)
        self._need_reading(header.semantics, stop=header.stop)
        bodies = [body for kind, body in frames(data) if kind == FORMULA]
        return list(zip(check_certificates(self.model, data), bodies, strict=True))

    def replayed(self, head: Any) -> RSM:
        """The model as evidence starts. `WrongEvidence` unless the evidence is right."""
        if isinstance(head, Document):
            return self._replayed(head)
        self._need_reading(head.semantics, stop=head.dead_ends == "stop")
        if head.digest != self.model.digest.hex():
            raise Mismatch("the evidence is about another model")
        if isinstance(head, GameDocument):
            return _replay_game(self.model, head, self._tables)
        try:
            if self.model.on_demand is not None:
                model = cast("LazyRSM", self.model)
                return _replay_computed(model, self.shown, head, self._tables)
            return _replay_run(self.model, head, self._tables)
        except CheckError as error:  # the engine can't check such a model
            raise WrongEvidence(str(error)) from None

    def _need_reading(self, semantics: str, *, stop: bool) -> None:
        fine = semantics == self.told.model.semantics
        need(fine, f"the evidence reads the model in {semantics} semantics, the results do not")
        dead_ends = "stop" if stop else "stutter"
        fine = stop is (self.told.model.dead_ends == "stop")
        need(fine, f"the evidence reads dead ends as {dead_ends}, the results do not")

    def _replayed(self, head: Document) -> RSM:
        number = int(head.certificate)
        need(0 <= number < len(self._proofs), "its certificate is not there")
        checked, body = self._proofs[number]
        need_claim(checked, head)
        formula = formula_of(head)  # refuses formulas beyond CTL
        numbered = self._tables.numbered(self.model, UNSET, formula)
        piece = read_piece(numbered, head)
        replay_proved(self.model, Proved(self.model, body), piece)
        return self.model.with_initial(checked.initial)


def _replay_run(model: RSM, head: RunDocument, shared: Shared | None = None) -> RSM:
    """The model as the evidence starts."""
    from pigro.engines.recursion.recheck import deciders

    model, formula, evidence = read_run(model, head, shared)
    decide, truths = deciders(model, formula, head.depth)
    replay_run(model, formula, head.verdict == "holds", evidence, decide, truths)
    return model


def _replay_game(model: RSM, head: GameDocument, shared: Shared | None = None) -> RSM:
    """The model as the evidence starts."""
    from pigro.evidence import read_game, replay_game

    model, strategy = read_game(model, head, shared)
    replay_game(model, strategy)
    return model


def _replay_computed(
    model: LazyRSM, shown: RSM, head: RunDocument, shared: Shared | None = None
) -> RSM:
    """The states of the evidence as a model, which starts as the evidence does."""
    from pigro.session.computed_evidence import decider, need_all_starts

    shared = shared or Shared(digest=model.digest)
    started, formula, evidence = read_run(shown, head, shared)
    states = seen_of(shown).states

    def state(node: int) -> tuple[int, ...]:
        fine = 0 <= node < len(states) and states[node] != ()
        need(fine, f"node {node} is no state in the tables")
        return states[node]

    starts = [state(node) for node in head.initial]
    fine = all(model.computed.inputs((), each) is not None for each in starts)
    need(fine, "the evidence does not start at an initial state")
    decide = decider(model, shown, formula, state)
    holds = head.verdict == "holds"
    replay_run(started, formula, holds, evidence, decide)
    if holds:
        need_all_starts(model, formula, starts, shown)
    return started


def _warn_of_labels(model: RSM, formulas: list[str], warn: Warn) -> None:
    """As `pigro check` does, for labels that no node carries."""
    unknown = unknown_labels(model, [parse(each) for each in formulas if is_formula(each)])
    if unknown:
        warn(unknown.message())


def _replayed(subject: Readable, decoded: dict[str, Any]) -> _Shown:
    try:
        data = json.dumps(decoded).encode()
    except RecursionError:
        raise NotEvidence("it is nested too deeply") from None
    if decoded.get("schema") == RUN:
        return _replayed_run(subject, data)
    if decoded.get("schema") == GAME:
        return _replayed_game(subject, data)
    return _replayed_tree(subject, data)


def _replayed_tree(subject: Readable, data: bytes) -> _Shown:
    """Evidence of CTL, which has a certificate."""
    head = head_of(data)
    model = certified_model(subject, certificate_of(head))
    problem = None
    try:
        document, certificate, evidence = read(model, data)
        replay(model, certificate, evidence, document)
        model = model.with_initial(_starts(certificate))
    except WrongEvidence as error:
        problem = str(error)
    return _Shown(head.formula, head.verdict, model, problem)


def _starts(certificate: bytes) -> tuple[int, ...]:
    """Where the formula of a certificate that was accepted starts."""
    [body] = [body for kind, body in frames(certificate) if kind == FORMULA]
    return Reader(body).statement()[2]


def _replayed_run(subject: Readable, data: bytes) -> _Shown:
    """Evidence of LTL and CTL*, whose facts and claims are decided again."""
    head = run_head(data)
    model = subject.model([head.formula], head.semantics, head.dead_ends)
    problem = None
    try:
        computed = model.on_demand is not None and _is_computed(model, head)
        if computed and head.tables is not UNSET:
            from pigro.session.computed_evidence import opened

            lazy = cast("LazyRSM", model)
            shown = opened(lazy, head.tables, [head], parse(head.formula).atoms)
            model = _replay_computed(lazy, shown, head)
        else:
            model = _replay_run(_list_of(model), head)
    except (WrongEvidence, CheckError) as error:  # the engine can't check such a model
        problem = str(error)
    return _Shown(head.formula, head.verdict, model, problem)


def _replayed_game(subject: Readable, data: bytes) -> _Shown:
    """Evidence of the mu-calculus."""
    from pigro.evidence.game.documents import game_head

    head = game_head(data)
    model = _list_of(subject.model([head.formula], head.semantics, head.dead_ends))
    problem = None
    try:
        model = _replay_game(model, head)
    except WrongEvidence as error:
        problem = str(error)
    return _Shown(head.formula, head.verdict, model, problem)
