"""From a question to its outcome: asks the engines, and ends honestly whatever happens.

Evidence that is beyond the limits of a run is left out of its results, and the outcome tells.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from pigro.diagnostics import CheckError, InputError, ModelError, printable
from pigro.engines.engine import as_taken
from pigro.limits import (
    LIMIT_ERRORS,
    KilledBySystem,
    OutOfMemory,
    OutOfTime,
    interrupt_in,
    no_poll,
)
from pigro.logic.operators import Fragment, Op
from pigro.model.kinds import SubjectKind
from pigro.model.rsm import ENOUGH
from pigro.session.notices import shared_labels
from pigro.session.request import CheckOutcome

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.proving import CertificateCollector
    from pigro.engines.vacuity import VacuityFinder
    from pigro.limits import Budget, Poll
    from pigro.session.request import CheckQuestion
    from pigro.verdict import Verdict

    Take = Callable[[Verdict], None]

T = TypeVar("T")


class EvidenceRoom(Struct):
    """Whether there is room for the evidence of verdicts, which are known by their numbers."""

    poll: Poll = no_poll
    without: set[int] = field(default_factory=set)
    """Verdicts that some evidence of is left out."""
    recursive: set[int] = field(default_factory=set)
    """Those of them on formulas beyond CTL and recursive models."""
    _interrupt: KeyboardInterrupt | None = None
    _is_closed: bool = False

    def make(self, number: int, evidence: Callable[[], T]) -> T | None:
        """What `evidence` makes for a verdict. None beyond the limits, or if it is interrupted."""
        try:
            if not self._is_closed:
                self.poll()
                return evidence()
        except LIMIT_ERRORS:
            pass
        except KeyboardInterrupt as interrupt:
            self._is_closed, self._interrupt = True, interrupt
        self.without.add(number)
        return None

    def let_through(self) -> None:
        """Raises the interrupt that came while evidence was made: now, when the verdict is told."""
        interrupt, self._interrupt = self._interrupt, None
        if interrupt is not None:
            raise interrupt

    def close(self) -> None:
        """The run is interrupted: there is room for nothing more."""
        self._is_closed = True

    @property
    def warning(self) -> str | None:
        """What a reader of the results must know, if anything is left out."""
        limits = "to find it took more than the limits"
        why = "the run was interrupted" if self._is_closed else limits
        others = len(self.without - self.recursive)
        notes = [_none(others, why), _none(len(self.recursive), _RECURSIVE)]
        return "; ".join(filter(None, notes)) or None


_RECURSIVE = "to find it took more than the limits, or the run has more than 1,000,000 states"


def _none(count: int, why: str) -> str:
    verdicts = "1 verdict has" if count == 1 else f"{count:,} verdicts have"
    return f"{verdicts} no evidence: {why}" if count else ""


def ask(
    question: CheckQuestion,
    on_verdict: Callable[[int, Verdict], None] | None = None,
    *,
    room: EvidenceRoom | None = None,
) -> CheckOutcome:
    """Checks all formulas.

    `on_verdict` gets the number of each verdict and the verdict with its evidence, in order, as
    they are found. What ends the run before its time is told by the outcome. All that was decided
    is in it.
    """
    budget = question.budget
    room = room or EvidenceRoom(budget.poll)
    request = question.request
    question, proofs = _to_prove(question)
    found: list[Verdict] = []
    callback_errors: list[BaseException] = []

    marked = _marking(question)

    def take(verdict: Verdict) -> None:
        if verdict.holds is not None:
            shared = shared_labels(verdict.subject, verdict.formula)
            verdict = _remarked(verdict, activations=shared) if shared else verdict
        verdict, interrupt = marked(verdict)
        if request.witness != "none":
            verdict = _shown(question, len(found), verdict, room)
        found.append(verdict)
        try:
            if on_verdict is not None:
                on_verdict(len(found) - 1, verdict)
        except Exception as error:  # not the engine's fault: writing failed
            callback_errors.append(error)
            raise
        room.let_through()
        if interrupt is not None:
            raise interrupt

    stopped_by: BaseException | None = None
    try:
        question = as_asked(question)
        _ask_engine(question, take if proofs is None else _proving(proofs, take), budget)
    except KeyboardInterrupt as interrupt:
        stopped_by = interrupt
        room.close()
    except Exception as error:  # noqa: BLE001 - told as an internal error, or as the limits
        if callback_errors:
            raise callback_errors[0] from None
        stopped_by = interrupt_in(error)
    certificates = proofs.to_bytes() if proofs is not None else None
    outcome = CheckOutcome(question, tuple(found), stopped_by, certificates)
    doubts = _vacuous(found), *_unproved(outcome, proofs), room.warning, _cut_short(outcome)
    missing = (*outcome.notes, *(each for each in doubts if each is not None))
    return replace(outcome, missing=missing)


def _marking(
    question: CheckQuestion,
) -> Callable[[Verdict], tuple[Verdict, KeyboardInterrupt | None]]:
    """What marks vacuous verdicts, and gives the interrupt that came meanwhile."""
    if question.subject.kind is not SubjectKind.MODEL or not question.request.vacuity:
        return lambda verdict: (verdict, None)
    vacuity: VacuityFinder | None = None

    def mark(verdict: Verdict) -> tuple[Verdict, KeyboardInterrupt | None]:
        nonlocal vacuity
        if not verdict.holds or verdict.formula.ops[-3:] != _AG_OF_IMPLIES:
            return verdict, None
        try:
            if vacuity is None:
                from pigro.engines.vacuity import VacuityFinder

                vacuity = VacuityFinder(question.budget)
            is_vacuous = vacuity.has(verdict)
        except KeyboardInterrupt as interrupt:  # the verdict is told all the same
            return verdict, interrupt
        return _remarked(verdict, vacuous=True) if is_vacuous else verdict, None

    return mark


def _remarked(verdict: Verdict, **remarks: Any) -> Verdict:
    return replace(verdict, remarks=replace(verdict.remarks, **remarks))


def _vacuous(verdicts: Sequence[Verdict]) -> str | None:
    """What a reader must know about formulas whose premises are never true."""
    found = [str(each.formula) for each in verdicts if each.remarks.vacuous]
    if not found:
        return None
    lead = "1 formula holds only because no reachable state satisfies its premise"
    if len(found) > 1:
        lead = f"{len(found):,} formulas hold only because no reachable state satisfies the premise"
    more = f" and {len(found) - _SHOWN:,} more" if len(found) > _SHOWN else ""
    return f"{lead}: {', '.join(map(printable, found[:_SHOWN]))}{more}"


_SHOWN = 3
_AG_OF_IMPLIES = (Op.IMPLIES, Op.G, Op.A)
"""The last nodes of `AG (p -> q)`."""


def _ask_engine(question: CheckQuestion, take: Take, budget: Budget) -> None:
    engine, request = question.engine, question.request
    jobs, shortest = request.jobs, request.witness == "full"
    parts = question.parts() if question.starts else [(question.subject, question.formulas)]
    if shortest or request.certify or request.verify:
        from pigro.engines.proving import ProofOptions, check_and_prove

        proves = request.certify or request.verify
        wanted = ProofOptions(shortest, paths=proves, runs=shortest)
        check_and_prove(engine, parts, wanted=wanted, jobs=jobs, budget=budget, on_verdict=take)
        return
    for subject, formulas in parts:
        engine.check_all(subject, formulas, jobs=jobs, budget=budget, on_verdict=take)


def _shown(question: CheckQuestion, number: int, verdict: Verdict, room: EvidenceRoom) -> Verdict:
    """The verdict with its evidence, as far as there is room for it. It is made here only."""
    if verdict.holds is None:
        return verdict
    if question.request.witness == "proved" and not verdict.formula.is_ctl:
        return verdict  # the certificate of a path formula has no run
    proof = verdict.certificate
    if verdict.evidence is None and proof is not None and verdict.formula.is_ctl:
        from pigro.evidence import evidence_of

        evidence = room.make(number, lambda: evidence_of(proof, room.poll))
        verdict = replace(verdict, evidence=evidence)
    if verdict.evidence is None:
        room.without.add(number)
        if _is_shown_by_runs(verdict):
            room.recursive.add(number)
    return verdict


def _is_shown_by_runs(verdict: Verdict) -> bool:
    """Whether it is about a formula of LTL or CTL*, on a recursive model."""
    if verdict.formula.is_ctl or verdict.formula.fragment is Fragment.MU:
        return False
    if verdict.subject.kind is not SubjectKind.MODEL:
        return False
    from pigro.engines import ENGINES
    from pigro.engines.engine import misfit_reason

    return misfit_reason(ENGINES["onthefly"], verdict.subject) is not None


_NO_PROOFS = "there are no certificates for the mu-calculus"
_STRATEGIES = (
    "its evidence is a strategy (`--witness --format json`), which `pigro validate-witness` checks"
)


def as_asked(question: CheckQuestion) -> CheckQuestion:
    """The question about a list of all states, if its formulas or its proofs need one.

    This is the one place that decides it, for all formulas together.
    """
    subject, poll = question.subject, question.budget.poll
    if getattr(subject, "is_listed", True):
        return question  # so are all subjects but state spaces
    if not (question.request.certify or question.request.verify):
        subject = as_taken(question.engine, subject, question.formulas, poll)
    elif not question.model.is_listed:
        listed = question.model.few(ENOUGH, poll)
        if listed is None:
            raise _too_many_to_prove()
        subject = listed.about(atom for each in question.formulas for atom in each.atoms)
    return question if subject is question.subject else replace(question, subject=subject)


def _to_prove(question: CheckQuestion) -> tuple[CheckQuestion, CertificateCollector | None]:
    """If proofs are wanted: the question about a list of states, and what takes the proofs."""
    request = question.request
    if not (request.certify or request.verify):
        return question, None
    from pigro.engines.proving import CertificateCollector, is_provable

    if not any(is_provable(each) for each in question.formulas):
        question.formulas[0].refuse_mu(f", and {_NO_PROOFS}", _STRATEGIES)
    question = as_asked(question)
    shortest = request.witness == "full"
    made = CertificateCollector(
        question.model.listed(), verify=request.verify, shortest=shortest, budget=question.budget
    )
    return question, made


def _too_many_to_prove() -> CheckError:
    return CheckError(
        "P128",
        f"a certificate needs all states, and there are more than {ENOUGH:,}",
        hint="leave the certificate out: --witness shows runs without a list of all states, "
        "and `pigro validate-witness` checks them by the file",
    )


def _proving(proofs: CertificateCollector, take: Take) -> Take:
    def prove_and_take(verdict: Verdict) -> None:
        try:
            proved = proofs.take(verdict)
        except KeyboardInterrupt:  # finished verdicts are kept
            take(replace(verdict, certificate=None))
            raise
        take(proved)

    return prove_and_take


def _cut_short(outcome: CheckOutcome) -> str | None:
    """What a reader of the results must know: that some are missing."""
    if outcome.stopped_by is None:
        return None
    why = "stopped by an internal error"
    if isinstance(
        outcome.stopped_by, (CheckError, InputError, ModelError)
    ):  # of a heuristic or file
        why = "stopped by an error"
    elif outcome.is_interrupted:
        why = "interrupted"
    elif isinstance(outcome.stopped_by, LIMIT_ERRORS):
        why = _limit_of(outcome.stopped_by)
    return (
        f"{why}: {len(outcome.verdicts)} of {len(outcome.question.formulas)} formulas were checked"
    )


def _limit_of(end: BaseException) -> str:
    """Which limit ended the check."""
    if isinstance(end, OutOfTime | OutOfMemory):
        return f"stopped at the {end}"
    if isinstance(end, KilledBySystem):
        return f"stopped because {end}"
    return "stopped because the check needs more memory than there is"


def _unproved(outcome: CheckOutcome, proofs: CertificateCollector | None) -> list[str]:
    """That some verdicts have no certificate, or one that was not checked, if so."""
    if proofs is None:
        return []
    notes = []
    why = "was interrupted" if outcome.is_interrupted else "took more than the limits"
    if proofs.doubtful:
        verdicts = "1 verdict has" if proofs.doubtful == 1 else f"{proofs.doubtful:,} verdicts have"
        notes.append(f"{verdicts} no certificate: the engine did not prove it")
    if proofs.impossible:
        count = proofs.impossible
        verdicts = "1 verdict has" if count == 1 else f"{count:,} verdicts have"
        notes.append(f"{verdicts} no certificate: {_NO_PROOFS}")
    if missing := proofs.missing:
        verdicts = "1 verdict has" if missing == 1 else f"{missing:,} verdicts have"
        notes.append(f"{verdicts} no certificate: the proof {why}")
    if unverified := proofs.unverified:
        certificates = "1 certificate" if unverified == 1 else f"{unverified:,} certificates"
        notes.append(f"not verified: {certificates}, because that {why}")
    return notes
