"""Does a formula hold in a composition of parts? `decide` says, once `require_formula` agrees."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError, did_you_mean
from pigro.engines.game.abstraction import as_written
from pigro.engines.game.doubt import doubt
from pigro.engines.game.layers import LayerGames, play, play_all
from pigro.engines.game.refinement import RefinementRounds
from pigro.engines.game.setting import GameSetup
from pigro.engines.likely_mistakes import UnknownLabels
from pigro.engines.python_engine import within
from pigro.limits import LIMIT_ERRORS
from pigro.logic import Fragment, Op, parse, quote
from pigro.logic.fragments import is_about_runs, state_formulas
from pigro.logic.modal import modal_form
from pigro.model.composition import Composition
from pigro.model.lazy.part import AbstractedPart
from pigro.model.mistakes import quoted
from pigro.model.part import TAU
from pigro.verdict import CheckStats, Remarks, Verdict
from pigro.verdict.composition_details import CompositionDetails

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.logic.modal import ModalForm
    from pigro.verdict.composition_details import Round, SymbolicResult

WITHOUT_STATES = ("predicates", "symbolic")
"""The methods that take parts given by formulas as they are, without their states."""
STRATEGIES = ("many", "one")
"""How refinement takes causes of doubt: more and more in each round, or one in each."""
_ON_RUNS = ("concrete", "full")
"""The methods for formulas of LTL and CTL*: composed states are made when they are needed."""
_LIKE_A_VARIABLE = re.compile("[A-Z][0-9]*")
_BEYOND_CTL = {
    (Op.A, Op.G, Op.F): ("A [G F p]", "AG AF p"),
    (Op.E, Op.F, Op.G): ("E [F G p]", "EF EG p"),
    (Op.E, Op.G, Op.F): ("E [G F p]", "nu X. mu Y. EX (p & X | Y)"),
    (Op.A, Op.F, Op.G): ("A [F G p]", "mu X. nu Y. AX ((p | X) & Y)"),
}
"""Questions often asked in LTL or CTL*, and how to ask them of compositions."""


def decide(  # noqa: PLR0913 - a question, and how to answer it
    composition: Composition,
    formula: Formula,
    *,
    method: str,
    refine: str | None = None,
    hyper: bool = True,
    dead_ends: str,
    budget: Budget,
    witness: bool = False,
    assumption: bool = False,
) -> Verdict:
    """The verdict on a formula in a composition. `pigro.compose_check` says what the options mean.

    Needs: `require_method` and `require_formula` accept them.
    """
    budget = budget.each()
    names = tuple(part.name for part in composition.parts)
    details = CompositionDetails(method, names, dead_ends=dead_ends)
    if is_about_runs(formula):
        return _on_runs(composition, formula, details, budget)
    form = require_modal(formula, dead_ends=dead_ends)
    if method == "symbolic":
        shown_for = dead_ends if witness else None
        return _symbolic(composition, formula, form, details, budget, refine, shown_for)
    if method == "predicates":
        return _by_predicates(composition, formula, form, details, budget, refine or "many")
    refinement = _refinement(composition, form, method, refine or "many", hyper=hyper)

    def played() -> tuple[LayerGames, GameSetup]:
        if refinement is not None:
            return refinement.run(budget.look), refinement.setting
        setting = GameSetup(composition.listed_parts, composition.initial, form)
        play_it = play_all if method == "full" else play
        return play_it(setting, budget.look), setting

    answer, seconds, gave_up = within(budget, played)
    if answer is None:
        return _verdict(composition, formula, None, details, seconds, gave_up)
    game, setting = answer
    details = replace(
        details,
        layers=tuple(game.reports),
        rounds=() if refinement is None else tuple(refinement.rounds),
        doubt=doubt(game, setting) if game.value is None else None,
    )
    verdict = _verdict(composition, formula, game.value, details, seconds)
    if assumption and refinement is not None and verdict.holds is not None:
        verdict = _assuming(verdict, refinement, budget)
    if not witness or verdict.holds is None:
        return verdict
    return _showing(verdict, game, setting, refinement, dead_ends, budget)


def _on_runs(
    composition: Composition, formula: Formula, details: CompositionDetails, budget: Budget
) -> Verdict:
    from pigro.engines.completions import CompletionCheck
    from pigro.evidence.completion.ways import Completions

    question = CompletionCheck(composition, formula, details.dead_ends, budget.poll)
    answers, seconds, gave_up = within(budget, question.answers)
    answers = answers or ()
    details = replace(
        details,
        ways=question.ways if answers else 0,
        is_open=any(each.points for each in answers),
        depends=len(answers) > 1,
    )
    holds = answers[0].holds if len(answers) == 1 else None
    stats = CheckStats(seconds, visited=question.assertions, states=question.states)
    evidence = Completions(answers, details.dead_ends) if answers else None
    return Verdict(
        composition,
        formula,
        holds,
        "onthefly",
        stats,
        evidence=evidence,
        details=details,
        remarks=Remarks(gave_up=gave_up),
    )


def _verdict(
    composition: Composition,
    formula: Formula,
    holds: bool | None,
    details: CompositionDetails,
    seconds: float,
    gave_up: str | None = None,
) -> Verdict:
    if holds is not None and details.symbolic is not None:
        details = replace(details, narrowed=details.symbolic.narrowed)
    elif holds is not None and details.method != "predicates":
        details = replace(details, narrowed=_is_narrowed(composition, details.decided_by))
    stats = CheckStats(seconds)
    remarks = Remarks(gave_up=gave_up)
    return Verdict(composition, formula, holds, "game", stats, details=details, remarks=remarks)


def _is_narrowed(composition: Composition, names: tuple[str, ...]) -> bool:
    """Whether the others keep these parts from starting where they could."""
    parts = composition.parts
    if len(names) == len(parts):
        return False
    inside = [at for at, part in enumerate(parts) if part.name in names]
    starts = {tuple([states[at] for at in inside]) for states in composition.initial}
    return len(starts) < len(Composition([parts[at] for at in inside]).initial)


def _assuming(verdict: Verdict, refinement: RefinementRounds, budget: Budget) -> Verdict:
    """The same with the abstract parts that decide it, if the limits leave room for them."""
    try:
        refinement.run_again(budget.look)
    except LIMIT_ERRORS:
        return verdict
    parts = Composition(tuple(map(as_written, refinement.setting.parts)))
    return replace(verdict, details=replace(verdict.details, assumption=parts))


def _showing(
    verdict: Verdict,
    game: LayerGames,
    setting: GameSetup,
    refinement: RefinementRounds | None,
    dead_ends: str,
    budget: Budget,
) -> Verdict:
    """The same with evidence, if the limits leave room for it."""
    from pigro.engines.game.strategy import strategy_of

    try:
        if refinement is not None:
            game = refinement.run_again(budget.look)
            setting = refinement.setting
        shown = strategy_of(
            verdict.subject,
            verdict.formula,
            game,
            setting,
            dead_ends="stop" if dead_ends == "stop" else "stutter",
            refinement=refinement,
            tick=budget.look,
        )
    except LIMIT_ERRORS:
        return verdict
    return replace(verdict, evidence=shown)


def require_method(composition: Composition, *, method: str) -> None:
    """An error if the method can't check anything on the composition."""
    if method.startswith("refine"):
        _require_concrete(composition)
    if method in WITHOUT_STATES:
        from pigro.engines.game.diagrams import package

        package()
    if method == "symbolic":
        from pigro.engines.game.symbolic.checking import require_symbolic_parts

        require_symbolic_parts(composition)


def require_formula(
    composition: Composition, formula: Formula, *, method: str, dead_ends: str
) -> None:
    """An error if the method, which fits the composition, can't check the formula."""
    if is_about_runs(formula) and method in _ON_RUNS:
        _require_finished(composition)
        return
    form = require_modal(formula, dead_ends=dead_ends)
    known = composition.actions
    for name in dict.fromkeys(name for names in form.actions for name in names):
        if not composition.has_actions:
            message = f"the formula names the action {quoted(name)}, but the parts have none"
            raise CheckError("P410", message, hint="they move in step: write <> or []")
        if name not in known and name != TAU:
            hint = did_you_mean(name, known) or "parts list their actions"
            raise CheckError("P410", f"no part has the action {quoted(name)}", hint=hint)
    if method == "symbolic":
        from pigro.engines.game.symbolic.checking import require_symbolic_formula

        require_symbolic_formula(form)


def _require_finished(composition: Composition) -> None:
    """Ways to finish a part say nothing of an abstraction: its labels may change in time."""
    for part in composition.parts:
        if isinstance(part, AbstractedPart):
            message = (
                f"part {quoted(part.name)} is abstracted: it can't be checked for LTL and CTL*"
            )
            raise CheckError("P410", message, hint="leave out its predicates, or ask in CTL")


def require_modal(formula: Formula, *, dead_ends: str) -> ModalForm:
    """The formula as games need it. `CheckError` P401 if it is of LTL or CTL*."""
    try:
        return modal_form(formula, dead_ends="stop" if dead_ends == "stop" else "stutter")
    except CheckError as error:
        error.hint = f"{error.hint}; only the methods {' and '.join(_ON_RUNS)} check LTL and CTL*"
        otherwise = _otherwise(formula)
        if otherwise:
            error.hint += f"; for the others, `{otherwise[0]}` is `{otherwise[1]}`"
            if dead_ends == "stop" and Fragment.MU is parse(otherwise[1]).fragment:
                error.hint += ", of infinite runs"
        raise


def _otherwise(formula: Formula) -> tuple[str, str] | None:
    """How to ask what it says of all or some runs, if that is only G F or F G of a state."""
    ops, left = formula.ops, formula.left
    state = state_formulas(formula)
    quantified = [(op, left[at]) for at, op in enumerate(ops) if op in (Op.A, Op.E)]
    for quantifier, outer in [*quantified, (Op.A, len(ops) - 1)]:  # LTL is about all runs
        if ops[outer] in (Op.F, Op.G) and state[left[left[outer]]]:
            found = _BEYOND_CTL.get((Op(quantifier), Op(ops[outer]), Op(ops[left[outer]])))
            if found:
                return found
    return None


def named_labels(formula: Formula, *, dead_ends: str) -> tuple[str, ...]:
    """The labels that a formula speaks of."""
    if is_about_runs(formula):
        return tuple(formula.atoms)
    return tuple(require_modal(formula, dead_ends=dead_ends).atoms)


def unknown_names(composition: Composition, labels: Iterable[Sequence[str]]) -> UnknownLabels:
    """The labels of formulas that no part sees."""
    seen = dict.fromkeys(composition.atoms)
    names = dict.fromkeys(atom for each in labels for atom in each if atom not in seen)
    actions = composition.actions
    instead: dict[str, str] = {}
    for name in names:
        if name in actions:
            instead[name] = f"an action: `<{quote(name)}> true` says that there is a step by it"
        elif _LIKE_A_VARIABLE.fullmatch(name):
            instead[name] = "or a variable that nothing binds?"
    return UnknownLabels(tuple(names), seen, "seen by no part", instead)


def _require_concrete(composition: Composition) -> None:
    for part in composition.parts:
        if not part.is_concrete:
            message = f"part {quoted(part.name)} has unknown labels or steps that only may be there"
            hint = "use the default method: there is nothing to refine in such parts"
            raise CheckError("P410", message, hint=hint)


def _refinement(
    composition: Composition, form: ModalForm, method: str, strategy: str, *, hyper: bool
) -> RefinementRounds | None:
    if not method.startswith("refine"):
        return None
    concrete = (0,) if method == "refine-one" else ()
    return RefinementRounds(composition, form, concrete=concrete, strategy=strategy, hyper=hyper)


def _by_predicates(
    composition: Composition,
    formula: Formula,
    form: ModalForm,
    details: CompositionDetails,
    budget: Budget,
    strategy: str,
) -> Verdict:
    from pigro.engines.game.formulas.refining import BlockRefinement
    from pigro.engines.game.room import within_room
    from pigro.engines.game.rounds import GamePlayer

    def work(room: int) -> tuple[bool | None, CompositionDetails]:
        refinement = BlockRefinement(composition, form, budget.poll, room, strategy=strategy)
        player = GamePlayer(budget.look)
        value = refinement.run(player)
        game = player.played
        return value, replace(
            details,
            layers=tuple(game.reports),
            rounds=tuple(refinement.rounds),
            doubt=doubt(game, refinement.setting) if value is None else None,
            narrowed=value is not None and refinement.is_narrowed(game.reports[-1].parts),
        )

    answer, seconds, gave_up = within(budget, lambda: within_room(work, budget.room, budget.poll))
    if answer is None:
        return _verdict(composition, formula, None, details, seconds, gave_up)
    return _verdict(composition, formula, *answer, seconds)


def _symbolic(
    composition: Composition,
    formula: Formula,
    form: ModalForm,
    details: CompositionDetails,
    budget: Budget,
    strategy: str | None,
    shown_for: str | None,
) -> Verdict:
    """With a strategy, on abstract parts. `shown_for` says how dead ends are read, for evidence."""
    from pigro.engines.game.symbolic.checking import (
        symbolic_strategy,
    )

    answer, seconds, gave_up = within(
        budget, lambda: _asked_symbolically(composition, form, budget, strategy)
    )
    if answer is None:
        return _verdict(composition, formula, None, details, seconds, gave_up)
    result, rounds = answer
    details = replace(details, symbolic=result, rounds=rounds, doubt=result.doubt)
    verdict = _verdict(composition, formula, result.value, details, seconds)
    if shown_for is None or result.value is None:
        return verdict
    try:
        shown = symbolic_strategy(
            composition,
            formula,
            form,
            shown_for,
            by=result.decided_by,
            tick=budget.poll,
            most=budget.room,
        )
    except LIMIT_ERRORS:
        return verdict
    return replace(verdict, evidence=shown)


def _asked_symbolically(
    composition: Composition, form: ModalForm, budget: Budget, strategy: str | None
) -> tuple[SymbolicResult, tuple[Round, ...]]:
    """The answer, and the rounds of refinement, if that is wanted."""
    from pigro.engines.game.room import within_room
    from pigro.engines.game.symbolic.checking import symbolic_check

    if strategy is None:
        return symbolic_check(composition, form, tick=budget.poll, most=budget.room), ()
    from pigro.engines.game.symbolic.refining import refined

    def work(room: int) -> tuple[SymbolicResult, tuple[Round, ...]]:
        return refined(composition, form, strategy, budget.poll, room)

    return within_room(work, budget.room, budget.poll)
