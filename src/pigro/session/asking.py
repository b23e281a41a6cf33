"""From a question to its outcome: asks the engines, and ends honestly whatever happens."""

from __future__ import annotations

import warnings
from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.engines.labels import UnknownLabelWarning
from pigro.engines.single_steps import SingleStepWarning
from pigro.limits import CUT_SHORT, OVER
from pigro.logic.operators import Fragment
from pigro.model.composition import Composition
from pigro.session.request import Outcome
from pigro.session.room import Room

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.engines.proving import Proofs
    from pigro.limits import Budget
    from pigro.session.request import Question
    from pigro.verdict import Verdict

    Take = Callable[[Verdict], None]


def ask(
    question: Question,
    on_verdict: Callable[[int, Verdict], None] | None = None,
    *,
    room: Room | None = None,
    tick: Callable[[], None] | None = None,
) -> Outcome:
    """Checks all formulas.

    `on_verdict` gets the number of each verdict and the verdict with its evidence, in order, as
    they are found. What ends the run before its time is told by the outcome; all that was decided
    is in it. `tick` runs every few milliseconds and may raise to stop.
    """
    budget = question.budget if tick is None else question.budget.watched_by(tick)
    room = room or Room(question.budget.poll)
    proofs = _proofs(question, budget) if question.proves else None
    found: list[Verdict] = []
    mine: list[BaseException] = []

    def take(verdict: Verdict) -> None:
        verdict = _shown(question, len(found), verdict, room, budget)
        found.append(verdict)
        try:
            if on_verdict is not None:
                on_verdict(len(found) - 1, verdict)
        except Exception as error:  # not the engine's fault: writing failed
            mine.append(error)
            raise
        room.let_through()

    stopped_by: BaseException | None = None
    try:
        _work(question, take if proofs is None else _proving(proofs, take), budget)
    except KeyboardInterrupt as interrupt:
        stopped_by = interrupt
        room.close()
    except Exception as error:  # noqa: BLE001 - told as an internal error, or as the limits
        if mine:
            raise mine[0] from None
        stopped_by = error
    certificates = proofs.to_bytes() if proofs is not None else None
    outcome = Outcome(question, tuple(found), stopped_by, certificates)
    told = (*_unproved(outcome, proofs), room.warning, _cut_short(outcome))
    return replace(outcome, missing=tuple(each for each in told if each is not None))


def _work(question: Question, take: Take, budget: Budget) -> None:
    if question.is_model:
        _ask_engine(question, take, budget)
    elif isinstance(question.subject, Composition):
        _ask_composition(question, take, budget)
    else:
        from pigro.engines.onthefly.implicit import check_system  # noqa: PLC0415 - few need it

        for formula in question.formulas:
            take(check_system(question.subject, formula, budget=budget))


def _ask_engine(question: Question, take: Take, budget: Budget) -> None:
    engine, jobs = question.engine, question.request.jobs
    assert engine is not None, "it was chosen for the model"
    if question.proves or question.shows:
        from pigro.engines.proving import check_and_prove  # noqa: PLC0415 - few need it

        shortest = question.shows
        check_and_prove(
            engine, question.parts(), shortest=shortest, jobs=jobs, budget=budget, on_verdict=take
        )
        return
    for model, formulas in question.parts():
        engine.check_all(model, formulas, jobs=jobs, budget=budget, on_verdict=take)


def _ask_composition(question: Question, take: Take, budget: Budget) -> None:
    """Where limits are given, everything is decided before the first strategy is looked for."""
    if not question.shows or not budget.is_limited:
        _compose(question, budget, take, witness=question.shows)
        return
    from pigro.engines.proving import decide_first  # noqa: PLC0415 - few need it

    def show(decided: list[Verdict], give: Take) -> None:
        for verdict in decided:
            evidence = None
            if verdict.holds is not None:
                shown: list[Verdict] = []
                one = replace(question, formulas=(verdict.formula,))
                _compose(one, budget, shown.append, witness=True)
                evidence = shown[0].evidence
            give(replace(verdict, evidence=evidence))

    decide_first(lambda each: _compose(question, budget, each, witness=False), show, take)


def _compose(question: Question, budget: Budget, take: Take, *, witness: bool) -> None:
    from pigro.engines.game import checking  # noqa: PLC0415 - few need it

    for formula in question.formulas:
        with warnings.catch_warnings():
            for told_for_all_at_once in (UnknownLabelWarning, SingleStepWarning):
                warnings.simplefilter("ignore", told_for_all_at_once)
            verdict = checking.compose_check(
                question.composition,
                formula,
                method=question.request.method,
                dead_ends=question.dead_ends,
                budget=budget,
                witness=witness,
            )
        take(verdict)


def _shown(
    question: Question, number: int, verdict: Verdict, room: Room, budget: Budget
) -> Verdict:
    """The verdict with its evidence, as far as there is room for it. It is made here only."""
    if not (question.shows or question.request.witness == "proved") or verdict.holds is None:
        return verdict
    if question.is_model and verdict.formula.fragment is Fragment.MU:
        return verdict
    if verdict.evidence is None and verdict.certificate is not None:
        from pigro.engines.proving import showing  # noqa: PLC0415 - few need it

        shown = room.make(number, lambda: showing(verdict, budget.poll))
        verdict = verdict if shown is None else shown
    if verdict.evidence is None and verdict.run is None:
        room.without.add(number)
    return verdict


def _proofs(question: Question, budget: Budget) -> Proofs:
    from pigro.engines.proving import Proofs  # noqa: PLC0415 - few need it

    verify = question.request.verify
    return Proofs(question.model, verify=verify, shortest=question.shows, budget=budget)


def _proving(proofs: Proofs, take: Take) -> Take:
    def prove_and_take(verdict: Verdict) -> None:
        try:
            proved = proofs.take(verdict)
        except KeyboardInterrupt:  # what is decided is kept
            take(replace(verdict, certificate=None))
            raise
        take(proved)

    return prove_and_take


def _cut_short(outcome: Outcome) -> str | None:
    """What a reader of the results must know: that some are missing."""
    if outcome.stopped_by is None:
        return None
    why = "stopped by an internal error"
    if outcome.is_interrupted:
        why = "interrupted"
    elif isinstance(outcome.stopped_by, OVER):
        why = "stopped at the limits"
    return f"{why}: {len(outcome.verdicts)} of {len(outcome.question.formulas)} {CUT_SHORT}"


def _unproved(outcome: Outcome, proofs: Proofs | None) -> list[str]:
    """That some verdicts have no certificate, or one that was not checked, if so."""
    if proofs is None:
        return []
    told = []
    why = "was interrupted" if outcome.is_interrupted else "took more than the limits"
    if missing := proofs.missing:
        verdicts = "1 verdict has" if missing == 1 else f"{missing:,} verdicts have"
        told.append(f"{verdicts} no certificate: the proof {why}")
    if unverified := proofs.unverified:
        certificates = "1 certificate" if unverified == 1 else f"{unverified:,} certificates"
        told.append(f"not verified: {certificates}, because that {why}")
    return told
