"""The two steps: what each part knows alone, and what the composition is asked for then."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from pigro.engines.game.symbolic.evaluation import KnownValues, actions_of, evaluated
from pigro.engines.game.symbolic.models import all_parts, part_alone
from pigro.engines.game.symbolic.plan import operands
from pigro.logic.modal import BOX, DIAMOND, MU, NU, VAR

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.engines.game.diagrams import Bdd
    from pigro.engines.game.sets import BddSpace
    from pigro.engines.game.symbolic.plan import SymbolicProblem

Sets = tuple[list["Bdd"], list["Bdd"]]
"""Of all subformulas, where they are true, and where they are false."""


def ask_parts(
    check: SymbolicProblem, only: int | None = None
) -> tuple[tuple[bool | None, ...], list[Sets], int]:
    """First step: the answers of parts, up to the first that decides, their sets, and rounds.

    If one part is given, only that one is asked.
    """
    root = check.form.root
    false = check.space.diagrams.false
    answers: list[bool | None] = []
    known: list[Sets] = []
    rounds = 0
    for part in check.space.parts if only is None else [check.space.parts[only]]:
        model = part_alone(check, part)
        true_sets, true_rounds = evaluated(check, model, None, sense=True)
        false_sets, false_rounds = evaluated(check, model, None, sense=False)
        rounds += true_rounds + false_rounds
        known.append((true_sets, false_sets))
        space = check.space
        starts = [space.of_part(part, each) for each in (space.initial, space.initial & space.sure)]
        answers.append(_value(starts[0], starts[1], true_sets[root], false_sets[root], false))
        if answers[-1] is not None:
            break
    return tuple(answers), known, rounds


def _value(initial: Bdd, sure: Bdd, true: Bdd, false: Bdd, nothing: Bdd) -> bool | None:
    """True if true in all initial states. False if false in one that exists for sure."""
    if sure & false != nothing:
        return False
    return True if initial & ~true == nothing else None


def verdict_of(space: BddSpace, true: Bdd, false: Bdd) -> bool | None:
    return _value(space.initial, space.initial & space.sure, true, false, space.diagrams.false)


@dataclass(frozen=True, slots=True)
class PartKnowledge:
    """By nodes of the form, the composed states where the parts know a value, or none does."""

    true: list[Bdd]
    false: list[Bdd]
    unknown: list[Bdd]
    relevant: list[Bdd]


def combine(check: SymbolicProblem, alone: Sequence[Sets]) -> PartKnowledge:
    """TS, FS and US of all subformulas, from what each part knows."""
    space = check.space
    union, nothing = space.diagrams.union, space.diagrams.false
    true, false, unknown = [], [], []
    for node in range(len(check.form.ops)):
        true.append(space.states & union(sets[0][node] for sets in alone))
        false.append(space.states & union(sets[1][node] for sets in alone))
        assert true[-1] & false[-1] == nothing  # SY1
        unknown.append(space.states & ~(true[-1] | false[-1]))
        check.tick()
    return PartKnowledge(true, false, unknown, [nothing] * len(unknown))


def _forward(check: SymbolicProblem) -> Callable[[int, Bdd], Bdd]:
    """ForwardStep: what a modality asks about, from the states where it is asked."""
    space, form = check.space, check.form
    steps = [
        (action, space.relation([space.parts[at] for at in movers], action, must=False))
        for action, movers in space.moves
    ]

    def forward(node: int, sources: Bdd) -> Bdd:
        actions = actions_of(form, node)
        return space.diagrams.union(
            may.forward(sources) for by, may in steps if actions is None or by in actions
        )

    return forward


def find_relevant(check: SymbolicProblem, knowledge: PartKnowledge) -> None:
    """Fill in RS, from the initial states down the subformulas."""
    form, plan = check.form, check.plan
    nothing = check.space.diagrams.false
    found = [nothing] * len(form.ops)
    found[form.root] = check.space.initial
    space = check.space
    forward = _forward(check)

    def hand_on(node: int) -> None:
        new = found[node] & ~knowledge.relevant[node]
        found[node] = nothing
        if new == nothing:
            return
        check.tick()
        knowledge.relevant[node] |= new
        if form.ops[node] == VAR:
            found[plan.fixpoint[node]] |= new
            return
        asked = new & knowledge.unknown[node]
        if asked != nothing and form.ops[node] in {DIAMOND, BOX}:
            asked = forward(node, asked) & space.possible
        for child in operands(form, node):
            found[child] |= asked

    for node in reversed(plan.closed):
        hand_on(node)
        while form.ops[node] in {MU, NU}:
            for inner in reversed(plan.inside[node]):
                hand_on(inner)
            hand_on(form.left[node])
            if found[node] == nothing:
                break
            hand_on(node)
        check.space.diagrams.look()


def bounds_of(knowledge: PartKnowledge, *, sense: bool) -> KnownValues:
    """What is known in one sense, and where the composition is asked."""
    known = knowledge.true if sense else knowledge.false
    pairs = zip(known, knowledge.relevant, strict=True)
    asked = zip(knowledge.unknown, knowledge.relevant, strict=True)
    return KnownValues(
        [one & relevant for one, relevant in pairs],
        [unknown & relevant for unknown, relevant in asked],
    )


class ComposedAnswer(NamedTuple):
    """The second step: the composition's answer, and the rounds that it took."""

    value: bool | None
    rounds: int
    sets: Sets | None
    """None among Kripke structures, where everything that is not true is false."""


def ask_all(check: SymbolicProblem, knowledge: PartKnowledge) -> ComposedAnswer:
    """Asks the composition where the parts leave something unknown."""
    space, root = check.space, check.form.root
    model = all_parts(check)
    true, rounds = evaluated(check, model, bounds_of(knowledge, sense=True), sense=True)
    if space.concrete:
        return ComposedAnswer(
            verdict_of(space, true[root], space.states & ~true[root]), rounds, None
        )
    false, more = evaluated(check, model, bounds_of(knowledge, sense=False), sense=False)
    return ComposedAnswer(verdict_of(space, true[root], false[root]), rounds + more, (true, false))
