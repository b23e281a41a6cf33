"""Does a composition satisfy an alternation-free formula? From the question to its answer."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import CheckError
from pigro.engines.game.doubt import DoubtText
from pigro.engines.game.encoding import encode
from pigro.engines.game.formulas.values import NotEncodable
from pigro.engines.game.room import within_room
from pigro.engines.game.symbolic.doubts import lost_start, open_causes
from pigro.engines.game.symbolic.knowledge import (
    PartKnowledge,
    ask_all,
    ask_parts,
    combine,
    find_relevant,
    verdict_of,
)
from pigro.engines.game.symbolic.plan import SymbolicProblem, plan_of
from pigro.model.composition import Composition, cannot_start
from pigro.model.lazy.seen import seen
from pigro.model.mistakes import quoted
from pigro.verdict.composition_details import SubformulaSizes, SymbolicResult

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from pigro.engines.game.sets import BddSpace
    from pigro.engines.game.symbolic.knowledge import Sets
    from pigro.evidence import Strategy
    from pigro.evidence.data import StrategyDocument
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.logic.modal import ModalForm
    from pigro.verdict.composition_details import Cause

_HINT = "use the default method"


def symbolic_check(
    composition: Composition,
    form: ModalForm,
    *,
    tick: Callable[[], None] | None = None,
    most: int | None = None,
) -> SymbolicResult:
    """Check a composition of parts against an alternation-free formula.

    `tick` is called again and again, and may raise.
    `CheckError` P409 if the question is none for this method, `UsageError` P011 if the package for
    decision diagrams is not there, `MemoryError` if diagrams take more than `most` bytes.
    """
    require_symbolic_formula(form)
    if form.actions and not composition.has_actions:
        name = quoted(form.actions[0][0])
        message = f"the formula names the action {name}, but the parts have none"
        raise CheckError("P409", message, hint=_HINT)
    tick = tick or _no_tick

    system = Composition([seen(part) for part in composition.parts])

    def work(room: int) -> SymbolicResult:
        asked = _asked(system, form, tick, room)
        if asked.sets is None:
            return asked.result
        return replace(asked.result, doubt=_doubt(asked.check, asked.system, asked.sets))

    return within_room(work, most, tick)


def symbolic_strategy(
    composition: Composition,
    formula: Formula,
    form: ModalForm,
    dead_ends: str,
    *,
    by: int | None,
    tick: Poll,
    most: int | None = None,
) -> Strategy | None:
    """How to win, if somebody does. The question is answered again, and its sets are kept.

    `by` is the part that decided alone, if one did. Parts can't leave a copy of the process, and
    number their states as they see them. So a strategy comes back with the names of states.
    """
    from pigro.engines.game.symbolic.strategy import StrategyQuestion, strategy_of
    from pigro.evidence.strategy.documents import strategy_piece, take_strategy

    system = Composition([seen(part) for part in composition.parts])

    def work(room: int) -> StrategyDocument | None:
        asked = _asked(system, form, tick, room, by=by)
        if asked.result.value is None:
            return None
        question = StrategyQuestion(
            asked.check, formula, dead_ends, asked.system, asked.result.value
        )
        made = strategy_of(question, asked.knowledge, asked.result)
        return strategy_piece(composition, made)

    named = within_room(work, most, tick)
    return None if named is None else take_strategy(composition, named)


class SymbolicRound(NamedTuple):
    """The answer on abstract parts, and why there is none."""

    result: SymbolicResult
    causes: list[Cause]
    lost: tuple[int, ...] | None
    """If there is no cause: initial states that may not exist, where the formula is false."""


def symbolic_round(
    composition: Composition,
    form: ModalForm,
    tick: Poll,
    room: int,
    pick: Callable[[Iterator[Cause]], list[Cause]],
) -> SymbolicRound:
    """Asks abstract parts. `pick` chooses among the causes of an open answer, the nearest first."""
    asked = _asked(composition, form, tick, room)
    if asked.sets is None:
        return SymbolicRound(asked.result, [], None)
    causes = pick(open_causes(asked.check, asked.sets))
    lost = None if causes else lost_start(asked.check, asked.sets)
    doubt = _doubt(asked.check, asked.system, asked.sets)
    return SymbolicRound(replace(asked.result, doubt=doubt), causes, lost)


@dataclass(frozen=True, slots=True)
class _SymbolicRun:
    """A question with its answer."""

    check: SymbolicProblem
    system: Composition
    """The parts that the diagrams are of."""
    result: SymbolicResult
    knowledge: PartKnowledge | None
    """None if one part decided alone."""
    sets: Sets | None
    """Where subformulas are true, and where false, if there is no value."""


def _asked(
    composition: Composition,
    form: ModalForm,
    tick: Callable[[], None],
    room: int,
    *,
    by: int | None = None,
) -> _SymbolicRun:
    system, space = _encoded(composition, form.atoms, tick, room)
    if space.initial == space.diagrams.false:
        raise cannot_start(composition.parts)
    check = SymbolicProblem(form, plan_of(form), space, tick)
    alone, known, rounds_alone = ask_parts(check, by)
    value = alone[-1]
    decided_by = None if value is None else len(alone) - 1 if by is None else by
    knowledge = None
    sizes: tuple[SubformulaSizes, ...] = ()
    second_step = False
    rounds = 0
    sets = known[0] if value is None else None
    if value is None and len(space.parts) > 1:
        knowledge = combine(check, known)
        value = verdict_of(space, knowledge.true[form.root], knowledge.false[form.root])
        second_step = value is None
        if second_step:
            find_relevant(check, knowledge)
            value, rounds, sets = ask_all(check, knowledge)
        sizes = _sizes(check, knowledge)
    space.diagrams.look()
    result = SymbolicResult(
        value,
        alone,
        decided_by,
        second_step,
        sizes,
        rounds_alone,
        rounds,
        len(space.current),
        space.diagrams.peak,
        space.diagrams.package,
        _is_narrowed(space, decided_by),
    )
    return _SymbolicRun(check, system, result, knowledge, sets if value is None else None)


def _encoded(
    composition: Composition, labels: Sequence[str], tick: Callable[[], None], room: int
) -> tuple[Composition, BddSpace]:
    """The parts as diagrams, and which parts. Where formulas can't be, states are listed."""
    try:
        return composition, encode(composition, labels, tick, room)
    except NotEncodable:
        whole = Composition(composition.listed_parts)
    return whole, encode(whole, labels, tick, room)


def _is_narrowed(space: BddSpace, decided_by: int | None) -> bool:
    """Whether the others keep the part that decided from starting where it could."""
    if decided_by is None:
        return False
    part = space.parts[decided_by]
    return space.of_part(part, space.initial) != part.initial


def _doubt(check: SymbolicProblem, system: Composition, sets: Sets) -> str:
    """The nearest label or step that would have to be known."""
    telling = DoubtText(system.numbered_parts)
    cause = next(open_causes(check, sets), None)
    if cause is None:
        return telling.joint(lost_start(check, sets))
    if cause.target is None:
        assert cause.atom is not None, "a label or a step"
        return telling.label(cause.atom, cause.states)
    assert cause.action is not None, "a step has one"
    return telling.step(cause.states, check.space.moves[cause.action][0], cause.target)


def _no_tick() -> None:
    pass


def require_symbolic_parts(composition: Composition) -> None:
    """`CheckError` P409 for parts with hyper-steps."""
    for part in composition.parts:
        if part.hyper:
            message = f"part {quoted(part.name)} has hyper-steps"
            raise CheckError("P409", message, hint=_HINT)


def require_symbolic_formula(form: ModalForm) -> None:
    """`CheckError` P409 if the formula is none for this method, whatever the parts are."""
    if not form.alternation_free:
        raise CheckError("P409", "the formula is not alternation-free", hint=_HINT)


def _sizes(check: SymbolicProblem, knowledge: PartKnowledge) -> tuple[SubformulaSizes, ...]:
    variables = len(check.space.current)
    sets = (knowledge.true, knowledge.false, knowledge.unknown, knowledge.relevant)
    return tuple(
        SubformulaSizes(*(check.space.diagrams.count(each, variables) for each in of_node))
        for of_node in zip(*sets, strict=True)
    )
