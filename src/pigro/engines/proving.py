"""Makes certificates for verdicts and, if requested, checks each one at once."""

from __future__ import annotations

import dataclasses
import time
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, cast

from msgspec.structs import replace

from pigro.certificates.certificate import CertificateFile
from pigro.diagnostics import InternalError
from pigro.engines.auto import AutoEngine
from pigro.engines.engine import CheckJob, Engine, misfit_reason
from pigro.engines.native import DEMAND
from pigro.engines.table import ENGINES, capabilities
from pigro.limits import LIMIT_ERRORS, Budget
from pigro.logic.operators import Fragment
from pigro.model.kinds import SubjectKind

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.verdict import Verdict


V = TypeVar("V")


class RejectedCertificate(InternalError):
    """Pigro does not believe its own verdict: the checker rejects the certificate."""

    def __init__(self, verdict: Verdict, problem: str) -> None:
        super().__init__(
            "P902",
            f"the certificate of a verdict was rejected, so the verdict may be wrong: {problem}",
            hint="this is a fault of Pigro; please report it",
        )
        self.verdict = verdict
        self.problem = problem


@dataclass(frozen=True, slots=True)
class ProofOptions:
    """What verdicts come with: certificates for CTL in any case."""

    shortest: bool = False
    """Certificates with paths as short as can be."""
    paths: bool = False
    """Certificates of formulas beyond CTL too."""
    runs: bool = True
    """Runs that show verdicts on formulas beyond CTL."""


def with_evidence(engine: Engine, wanted: ProofOptions) -> Engine:
    """The same engine, which makes certificates or shows verdicts itself, if it can."""
    if isinstance(engine, AutoEngine):
        return replace(engine, prepare=partial(with_evidence, wanted=wanted))
    able, found = capabilities(engine), cast("Any", engine)
    if able.proves:
        proving: Engine = replace(
            found, certify=True, shortest=wanted.shortest, certify_paths=wanted.paths
        )
        return proving
    return _showing_itself(engine) if wanted.runs else engine


def _check_with_proofs(engine: Engine, wanted: ProofOptions, model: RSM, job: CheckJob) -> None:
    """Delivers verdicts about a model, each with its proof, and evidence if that is wanted.

    What the engine does not prove or show itself, another one does: `demand` makes certificates for
    engines of packages and for `onthefly`. A verdict whose proof is beyond the limits has none.
    """

    def take(verdict: Verdict) -> None:
        if _can_have_a_proof(verdict):
            picked, is_ctl = _picked(engine, verdict), verdict.formula.is_ctl
            if not capabilities(picked).proves and (
                (wanted.paths and is_provable(verdict.formula)) or (is_ctl and not verdict.evidence)
            ):
                verdict = _proved_by(with_evidence(DEMAND, wanted), verdict, job.budget)
            if not is_ctl and wanted.runs and verdict.evidence is None:
                verdict = _proved_by(_showing(picked, model), verdict, job.budget)
        job.deliver(verdict)

    _run(with_evidence(engine, wanted), model, CheckJob(job.formulas, job.jobs, job.budget, take))


def _run(engine: Engine, subject: Any, job: CheckJob) -> None:
    """Lets an engine do a job. That of another package may only have `check_all`."""
    engine.check_all(
        subject, job.formulas, jobs=job.jobs, budget=job.budget, on_verdict=job.deliver
    )


def _picked(engine: Engine, verdict: Verdict) -> Engine:
    """The engine that decided a verdict."""
    return engine.pick(verdict.formula) if isinstance(engine, AutoEngine) else engine


def _proved_by(prover: Engine | None, verdict: Verdict, budget: Budget) -> Verdict:
    if prover is None:
        return verdict
    [proved] = prover.check_all(verdict.subject, [verdict.formula], budget=budget)
    return _with_proof(verdict, proved)


def check_and_prove(
    engine: Engine,
    parts: Iterable[tuple[Any, Sequence[Formula]]],
    *,
    wanted: ProofOptions,
    jobs: int,
    budget: Budget,
    on_verdict: Callable[[Verdict], None],
) -> None:
    """Checks formulas on subjects, and proves or shows the verdicts as far as the budget allows.

    A proof needs the list of a model's states. Otherwise verdicts come without proofs, but with
    what the engine itself shows: runs, or strategies.

    `on_verdict` gets each verdict with its proof, in order. Where limits are given, everything is
    decided before the first proof: to ask for proofs loses no verdict. The price is that verdicts
    come later, and that searches whose traces are needed are done twice.
    """
    if not budget.is_limited:
        for subject, formulas in parts:
            job = CheckJob(formulas, jobs, budget, on_verdict)
            if _has_certificates(subject):
                _check_with_proofs(engine, wanted, subject, job)
            else:
                _run(_showing_itself(engine), subject, job)
        return

    def decide(take: Callable[[Verdict], None]) -> None:
        for subject, formulas in parts:
            engine.check_all(subject, formulas, jobs=jobs, budget=budget, on_verdict=take)

    def prove(decided: list[Verdict], give: Callable[[Verdict], None]) -> None:
        for (_, prover), together in groupby(decided, key=partial(_prover, engine, wanted)):
            _prove(prover, list(together), jobs, budget, give)

    decide_first(decide, prove, on_verdict)


def _has_certificates(subject: Any) -> bool:
    """Whether verdicts about a subject have certificates: it is a model with a list of states."""
    return subject.kind is SubjectKind.MODEL and bool(subject.is_listed)


def _showing_itself(engine: Engine) -> Engine:
    """The same engine, which shows its verdicts itself, if it can."""
    if isinstance(engine, AutoEngine):
        return replace(engine, prepare=_showing_itself)
    return (
        dataclasses.replace(cast("Any", engine), show=True)
        if capabilities(engine).shows
        else engine
    )


def decide_first(
    decide: Callable[[Callable[[V], None]], None],
    prove: Callable[[list[V], Callable[[V], None]], None],
    on_verdict: Callable[[V], None],
) -> None:
    """Lets `decide` find all verdicts, and then `prove` give each in order, with its proof.

    Whatever stops them, all that is decided is given out.
    """
    decided: list[V] = []
    given = 0

    def give(verdict: V) -> None:
        nonlocal given
        given += 1
        on_verdict(verdict)

    try:
        decide(decided.append)
        prove(decided, give)
    except BaseException:
        for verdict in decided[given:]:
            on_verdict(verdict)
        raise


class _Prover(NamedTuple):
    """What proves verdicts, or shows why."""

    engine: Engine
    helped: ProofOptions | None = None
    """For an engine that other engines help: what verdicts come with."""

    def run(self, subject: Any, job: CheckJob) -> None:
        if self.helped is None:
            _run(self.engine, subject, job)
        else:
            _check_with_proofs(self.engine, self.helped, subject, job)


def _prover(engine: Engine, wanted: ProofOptions, verdict: Verdict) -> tuple[int, _Prover | None]:
    """The subject by its identity, and what proves the verdict or shows why. None: nothing does."""
    subject = id(verdict.subject)
    if not _has_certificates(verdict.subject):
        shower = _showing_itself(engine)
        return subject, None if shower == engine else _Prover(shower)
    picked = _picked(engine, verdict)
    if verdict.formula.is_ctl:
        proving = picked if capabilities(picked).proves else DEMAND
        return subject, _Prover(with_evidence(proving, wanted))
    if wanted.paths and is_provable(verdict.formula):
        return subject, _Prover(picked, wanted)
    found = _showing(picked, verdict.subject.listed()) if wanted.runs else None
    return subject, None if found is None else _Prover(found)


def _showing(engine: Engine, model: RSM) -> Engine | None:
    """What shows why a formula beyond CTL holds or fails. None: nothing does.

    `onthefly` shows it for engines that do not, and on recursive models `demand`. For the
    mu-calculus, `game` does.
    """
    able = capabilities(engine)
    if Fragment.CTL_STAR not in able.logics:
        return (
            cast("Engine", dataclasses.replace(cast("Any", engine), show=True))
            if able.shows
            else None
        )
    shower = cast("Any", engine if able.shows else ENGINES["onthefly"])
    if misfit_reason(shower, model) is None:
        return cast("Engine", dataclasses.replace(shower, show=True))
    from pigro.engines.recursion.evidence import RunEvidenceEngine

    return RunEvidenceEngine()


def _prove(
    prover: _Prover | None,
    verdicts: list[Verdict],
    jobs: int,
    budget: Budget,
    give: Callable[[Verdict], None],
) -> None:
    """Gives verdicts on one subject with their proofs, in order."""
    waiting = iter(verdicts)

    def take(proved: Verdict) -> None:  # after a stop, some are left out
        for each in waiting:
            is_it = _can_have_a_proof(each) and each.formula is proved.formula
            give(_with_proof(each, proved) if is_it else each)
            if is_it:
                return

    formulas = [each.formula for each in verdicts if _can_have_a_proof(each)]
    if prover is not None and formulas:
        prover.run(verdicts[0].subject, CheckJob(formulas, jobs, budget, take))
    for each in waiting:
        give(each)


def is_provable(formula: Formula) -> bool:
    """Whether there are certificates for such formulas: for all but those of the mu-calculus."""
    return formula.fragment is not Fragment.MU


def _can_have_a_proof(verdict: Verdict) -> bool:
    return verdict.holds is not None and verdict.remarks.caveat is None


def _with_proof(verdict: Verdict, proved: Verdict) -> Verdict:
    if proved.holds is None:
        return verdict
    if proved.holds != verdict.holds:
        raise InternalError(
            "P903",
            f"engine {verdict.engine} says that the formula {verdict.outcome}, "
            f"engine {proved.engine} that it {proved.outcome}: {verdict.formula}",
            hint="this is a fault of Pigro; please report it, with the command and its files",
        )
    if proved.evidence is not None:
        verdict = replace(verdict, evidence=proved.evidence)
    if proved.certificate is None:
        return verdict
    spent = proved.stats.seconds + (proved.stats.certify_seconds or 0.0)
    stats = replace(verdict.stats, certify_seconds=spent)
    return replace(verdict, certificate=proved.certificate, stats=stats)


class CertificateCollector:
    """The certificates of a run: takes verdicts as they come, checks them, makes the file.

    When the budget ends while a certificate is added or checked, no later one is.
    """

    def __init__(
        self, model: RSM, *, verify: bool, shortest: bool = False, budget: Budget | None = None
    ) -> None:
        self._file = CertificateFile(model, shortest=shortest)
        self._budget = budget or Budget()
        self._is_full = False
        self._checker = None
        self.missing = 0
        """Verdicts without a certificate that could have one."""
        self.impossible = 0
        """Verdicts that can have none, because there are no certificates for such formulas."""
        self.doubtful = 0
        """Verdicts that can have none, because the engine has doubts."""
        self.unverified = 0
        """Certificates that should have been checked and were not."""
        self._verify = verify
        if verify:
            from pigro.certificates.native_checker import NativeChecker

            self._checker = NativeChecker(model, self._budget.poll)

    def take(self, verdict: Verdict) -> Verdict:
        """Adds the certificate of a verdict. `RejectedCertificate` if it is checked in vain."""
        if verdict.certificate is None or self._is_full:
            provable = is_provable(verdict.formula)
            self.missing += provable and _can_have_a_proof(verdict)
            self.impossible += not provable
            self.doubtful += verdict.remarks.caveat is not None
            return verdict
        began = time.perf_counter()
        try:
            lemmas, body = self._file.add(verdict.certificate, self._budget.poll)
        except LIMIT_ERRORS:
            self._is_full = True
            self.missing += 1
            return verdict
        added = time.perf_counter()
        stats = replace(
            verdict.stats,
            certify_seconds=(verdict.stats.certify_seconds or 0.0) + added - began,
            certificate_bytes=len(lemmas) + len(body),
        )
        if self._verified(verdict, lemmas, body):
            stats = replace(stats, verify_seconds=time.perf_counter() - added)
        return replace(verdict, stats=stats)

    def _verified(self, verdict: Verdict, lemmas: bytes, body: bytes) -> bool:
        """Whether the certificate was checked, and accepted."""
        try:
            if self._checker is not None:
                problem = self._checker.lemmas(lemmas) if lemmas else None
                problem = problem or self._checker.formula(body, verdict.formula)
                if problem is not None:
                    raise RejectedCertificate(verdict, str(problem))
                return True
        except LIMIT_ERRORS:
            self._checker = None  # it may lack lemmas
        self.unverified += self._verify
        return False

    def to_bytes(self) -> bytes:
        """The file with the certificates so far."""
        return self._file.to_bytes()
