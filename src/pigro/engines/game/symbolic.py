"""Does a composition satisfy an alternation-free formula? Sets of states as decision diagrams.

After [Shoham2010], section 6.2. First each part is checked alone, as a model of the whole whose
steps all may be and none must, and whose labels of other parts are unknown. A definite value there
is right in each composed state that the part's state is in. If that does not decide the formula,
the composition is checked, but only where no part has a definite value, and only as far as the
initial states need it.

    paper                   here
    [[psi]]tt, [[psi]]ff    `_Evaluation.values`, by `sense` True and False
    TS, FS, US              `_Knowledge.true`, `.false`, `.unknown`. For any number of parts
    RS                      `_Knowledge.relevant`
    ComputeRelevant         `_relevant`
    R+, R-                  `_Moves.must`, `_Moves.may`
    fp(Z)                   the fixpoint whose `left` is the node Z

A subformula with a free variable Z stands for the one where Z is its fixpoint: its sets in a part
are those of the last round, when Z had its final value. So theorem 2.3 holds for its sets as well.

Deviations:
 - Figure 10 calls itself. Here the relevant sets go down the subformulas in one pass, each fixpoint
   repeated until nothing is new. Line 9 hands on all of newRS. Here only unknown states
   are handed on, because a fixpoint and its body are unknown in the same states. Line 10 must hand
   on all of newRS, as it does.
 - Line 6 says R: with parts that are abstract (remark 6.2) it must be R-, the steps that may be.
 - Joint labels may be unknown. Then a composed state may exist or not: steps to it are none that
   must be, and a formula that is false there is not yet false at the start.
 - The paper joins what it computes with TS, within RS. Here known values are kept as they are, and
   only the rest of RS is computed: values at known states, whose successors are perhaps not
   relevant, are not right before TS is added, and need not be computed.
 - Among Kripke structures only [[psi]]tt is computed in the second step: all else is false.
 - Parts may have actions (section 6.1): there is a relation for each action. Alone, a part also
   has steps by actions of the others. They may be there, and lead to the same state.
 - There may be several initial states: parts can decide different ones, and no second step follows.

A label that no part sees is false, as everywhere in Pigro.

Invariants:
 SY1  no composed state is in TS and FS of a subformula.
 SY2  a relevant unknown state of a subformula has all states that its value depends on in the
      relevant sets of the operands.

Cost: a round of a fixpoint is one step back for each modality in its body. There are at most as
many rounds as relevant unknown states, and it is the longest path that counts, not the number of
states: counters that run for a million steps take a million rounds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError
from pigro.engines.game.diagrams import within_room
from pigro.engines.game.encoding import encode
from pigro.engines.game.formulas.values import NotEncodable
from pigro.logic.modal import (
    AND,
    ATOM,
    BOX,
    DIAMOND,
    FALSE,
    MU,
    NEGATED,
    NU,
    OR,
    TRUE,
    VAR,
)
from pigro.model.composition import Composition, cannot_start
from pigro.model.lazy.part import listed
from pigro.model.mistakes import quoted
from pigro.verdict.games import Sizes, SymbolicResult

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pigro.engines.game.diagrams import Diagram, Diagrams
    from pigro.engines.game.sets import PartSets, Relation, Space
    from pigro.logic.modal import ModalForm

_HINT = "use the default method"


def symbolic_check(
    composition: Composition,
    form: ModalForm,
    *,
    tick: Callable[[], None] | None = None,
    compare: bool = False,
    most: int | None = None,
) -> SymbolicResult:
    """Check a composition of parts against an alternation-free formula.

    `tick` is called again and again, and may raise. With `compare` the composition is evaluated a
    second time, in full and without what the parts know, to count the rounds which that takes.
    `CheckError` P409 if the question is none for this method, `UsageError` P011 if the package for
    decision diagrams is not there, `MemoryError` if diagrams take more than `most` bytes.
    """
    require_symbolic_formula(form)
    if form.actions and not composition.has_actions:
        name = quoted(form.actions[0][0])
        message = f"the formula names the action {name}, but the parts have none"
        raise CheckError("P409", message, hint=_HINT)
    tick = tick or _no_tick

    def work(room: int) -> SymbolicResult:
        return _answered(composition, form, tick, room, compare=compare)

    return within_room(work, most, tick)


def _answered(
    composition: Composition,
    form: ModalForm,
    tick: Callable[[], None],
    room: int,
    *,
    compare: bool,
) -> SymbolicResult:
    space = _encoded(composition, form.atoms, tick, room)
    if space.initial == space.diagrams.false:
        raise cannot_start(composition.parts)
    check = _Check(form, _plan(form), space, tick)
    alone, evaluated, rounds_alone = _ask_parts(check)
    value = alone[-1]
    decided_by = None if value is None else len(alone) - 1
    sizes: tuple[Sizes, ...] = ()
    second_step = False
    rounds = 0
    if value is None and len(space.parts) > 1:
        knowledge = _combine(check, evaluated)
        value = _verdict(space, knowledge.true[form.root], knowledge.false[form.root])
        second_step = value is None
        if second_step:
            _relevant(check, knowledge)
            value, rounds = _ask_all(check, knowledge)
        sizes = _sizes(check, knowledge)
    plain = _ask_all(check, None)[1] if compare else None
    space.diagrams.look()
    return SymbolicResult(
        value,
        alone,
        decided_by,
        second_step,
        sizes,
        rounds_alone,
        rounds,
        plain,
        len(space.current),
        space.diagrams.peak,
        space.diagrams.package,
        _is_narrowed(space, decided_by),
    )


def _encoded(
    composition: Composition, labels: Sequence[str], tick: Callable[[], None], room: int
) -> Space:
    """The parts as diagrams. Where formulas can't be, states are listed."""
    try:
        return encode(composition, labels, tick, room)
    except NotEncodable:
        whole = Composition([listed(part) for part in composition.parts])
    return encode(whole, labels, tick, room)


def _is_narrowed(space: Space, decided_by: int | None) -> bool:
    """Whether the others keep the part that decided from starting where it could."""
    if decided_by is None:
        return False
    part = space.parts[decided_by]
    return space.of_part(part, space.initial) != part.initial


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


@dataclass(frozen=True, slots=True)
class _Plan:
    """In which order to evaluate: operands first, fixpoints innermost first."""

    closed: tuple[int, ...]
    """Subformulas without free variables."""
    inside: Mapping[int, tuple[int, ...]]
    """For each fixpoint the subformulas where its variable is free, without the variable."""
    fixpoint: Mapping[int, int]
    """For each variable its fixpoint."""


def _plan(form: ModalForm) -> _Plan:
    """Nodes of a form come after their operands, and at most one variable is free in each."""
    free: list[int] = []
    inside: dict[int, list[int]] = {}
    closed = []
    for node, operator in enumerate(form.ops):
        if operator == VAR:
            free.append(node)
            continue
        is_fixpoint = operator in {MU, NU}
        variable = (
            -1 if is_fixpoint else max((free[child] for child in _sons(form, node)), default=-1)
        )
        free.append(variable)
        if variable < 0:
            closed.append(node)
        else:
            inside.setdefault(variable, []).append(node)
    fixpoint = {form.left[node]: node for node in closed if form.ops[node] in {MU, NU}}
    by_fixpoint = {node: tuple(inside.get(variable, ())) for variable, node in fixpoint.items()}
    return _Plan(tuple(closed), by_fixpoint, fixpoint)


def _sons(form: ModalForm, node: int) -> tuple[int, ...]:
    operator = form.ops[node]
    if operator in {AND, OR}:
        return (form.left[node], form.right[node])
    if operator in {DIAMOND, BOX}:
        return (form.left[node],)
    if operator in {MU, NU}:
        return (form.left[form.left[node]],)
    return ()


@dataclass(frozen=True, slots=True)
class _Check:
    """The question, the parts as diagrams, and how to go through the formula."""

    form: ModalForm
    plan: _Plan
    space: Space
    tick: Callable[[], None]


@dataclass(frozen=True, slots=True)
class _Moves:
    """Steps of one kind."""

    action: str
    may: Relation | None
    """None: they lead to the state itself."""
    must: Relation | None
    """None: there are none."""


@dataclass(frozen=True, slots=True)
class _Model:
    """What a formula is evaluated on: a part alone, or the composition."""

    diagrams: Diagrams
    states: Diagram
    possible: Diagram
    """Where no joint label is true in one part and false in another."""
    sure: Diagram
    """The states that exist for sure."""
    moves: Sequence[_Moves]
    labels: Sequence[tuple[Diagram, Diagram]]
    """By atoms of the form: where it is true, and where it is false."""

    def some(self, targets: Diagram, actions: Sequence[str] | None) -> Diagram:
        """The states with a step that must be to a target, by one of the actions."""
        return self.diagrams.union(
            each.must.backward(targets & self.sure)
            for each in self.moves
            if each.must is not None and (actions is None or each.action in actions)
        )

    def every(self, targets: Diagram, actions: Sequence[str] | None) -> Diagram:
        """The states all of whose steps by these actions, as far as they may be, go to targets."""
        others = self.possible & ~targets
        return self.states & ~self.diagrams.union(
            others if each.may is None else each.may.backward(others)
            for each in self.moves
            if actions is None or each.action in actions
        )


def _part_alone(check: _Check, part: PartSets) -> _Model:
    """A part as a model of the whole. As it is, if it is the whole."""
    space = check.space
    nowhere = space.diagrams.false
    here = next(at for at, each in enumerate(space.parts) if each is part)
    seen = {label for one in space.parts for label in one.labels}
    return _Model(
        space.diagrams,
        part.states,
        space.diagrams.true,
        space.diagrams.true,
        [_moves_alone(space, here, action, movers) for action, movers in space.moves],
        [
            part.labels.get(label, (nowhere, nowhere if label in seen else part.states))
            for label in check.form.atoms
        ],
    )


def _moves_alone(space: Space, here: int, action: str, movers: Sequence[int]) -> _Moves:
    """Steps of a part as of the whole: only those that no other part has a say in must be."""
    if here not in movers:
        return _Moves(action, None, None)
    part = [space.parts[here]]
    must = space.relation(part, action, must=True) if len(movers) == 1 else None
    return _Moves(action, space.relation(part, action, must=False), must)


def _moves_together(space: Space, action: str, movers: Sequence[int]) -> _Moves:
    moving = [space.parts[at] for at in movers]
    may = space.relation(moving, action, must=False)
    return _Moves(action, may, may if space.concrete else space.relation(moving, action, must=True))


def _composition(check: _Check) -> _Model:
    space = check.space
    union = space.diagrams.union
    labels = []
    for label in check.form.atoms:
        sets = [part.labels[label] for part in space.parts if label in part.labels]
        labels.append(
            (
                space.states & union(true for true, _ in sets),
                space.states & union(false for _, false in sets) if sets else space.states,
            )
        )
    moves = [_moves_together(space, action, movers) for action, movers in space.moves]
    return _Model(space.diagrams, space.states, space.possible, space.sure, moves, labels)


@dataclass(frozen=True, slots=True)
class _Bounds:
    """The known values of each subformula in one sense, and where others are asked for."""

    known: Sequence[Diagram]
    asked: Sequence[Diagram]


@dataclass(slots=True)
class _Evaluation:
    """The sets of states where the subformulas are true, or, by `sense`, where they are false."""

    check: _Check
    model: _Model
    sense: bool
    bounds: _Bounds | None
    values: list[Diagram]
    rounds: int = 0

    def run(self) -> None:
        """Leave the sets of all subformulas in `values`."""
        ops = self.check.form.ops
        for node in self.check.plan.closed:
            if ops[node] in {MU, NU}:
                self.fixpoint(node)
            else:
                self.evaluate(node)

    def fixpoint(self, node: int) -> None:
        """Repeat the body until its set stays."""
        form, bounds = self.check.form, self.bounds
        false = self.model.diagrams.false
        if bounds is not None and bounds.asked[node] == false:
            self.values[node] = bounds.known[node]
            return
        from_below = (form.ops[node] == MU) == self.sense
        reached = false if from_below else self.model.states
        if bounds is not None:
            reached = bounds.known[node] if from_below else bounds.known[node] | bounds.asked[node]
        variable = form.left[node]
        body = form.left[variable]
        while True:
            self.values[variable] = reached
            for inner in self.check.plan.inside[node]:
                self.evaluate(inner)
            self.rounds += 1
            if self.rounds.bit_count() == 1:  # looking takes as long as a round
                self.model.diagrams.look()
            before, reached = reached, self.within(node, self.values[body])
            if reached == before:
                break
        self.values[node] = reached

    def evaluate(self, node: int) -> None:
        """The set of a subformula that is no fixpoint, from those of its operands."""
        self.check.tick()
        bounds = self.bounds
        if bounds is not None and bounds.asked[node] == self.model.diagrams.false:
            self.values[node] = bounds.known[node]
        else:
            self.values[node] = self.within(node, self.operate(node))

    def within(self, node: int, found: Diagram) -> Diagram:
        """The new values where they were asked for, and the known ones."""
        if self.bounds is None:
            return found
        return found & self.bounds.asked[node] | self.bounds.known[node]

    def operate(self, node: int) -> Diagram:
        """The rules of [Shoham2010], section 6.2. Those for false are those for true, dually."""
        form, model, values = self.check.form, self.model, self.values
        operator, left = form.ops[node], form.left[node]
        if operator in {TRUE, FALSE}:
            return model.states if (operator == TRUE) == self.sense else model.diagrams.false
        if operator in {ATOM, NEGATED}:
            true, false = model.labels[left]
            return true if (operator == ATOM) == self.sense else false
        if operator in {AND, OR}:
            right = form.right[node]
            if (operator == AND) == self.sense:
                return values[left] & values[right]
            return values[left] | values[right]
        actions = _actions(form, node)
        if (operator == DIAMOND) == self.sense:
            return model.some(values[left], actions)
        return model.every(values[left], actions)


def _actions(form: ModalForm, node: int) -> tuple[str, ...] | None:
    """The actions that a modality speaks of. None: all steps."""
    return None if form.right[node] < 0 else form.actions[form.right[node]]


def _evaluate(
    check: _Check, model: _Model, bounds: _Bounds | None, *, sense: bool
) -> tuple[list[Diagram], int]:
    """The sets of all subformulas, and the rounds that it took."""
    nothing = [model.diagrams.false] * len(check.form.ops)
    evaluation = _Evaluation(check, model, sense, bounds, nothing)
    evaluation.run()
    return evaluation.values, evaluation.rounds


_Sets = tuple[list["Diagram"], list["Diagram"]]
"""Of all subformulas, where they are true, and where they are false."""


def _ask_parts(check: _Check) -> tuple[tuple[bool | None, ...], list[_Sets], int]:
    """First step: the answers of parts, up to the first that decides, their sets, and rounds."""
    root = check.form.root
    false = check.space.diagrams.false
    answers: list[bool | None] = []
    evaluated: list[_Sets] = []
    rounds = 0
    for part in check.space.parts:
        model = _part_alone(check, part)
        true_sets, true_rounds = _evaluate(check, model, None, sense=True)
        false_sets, false_rounds = _evaluate(check, model, None, sense=False)
        rounds += true_rounds + false_rounds
        evaluated.append((true_sets, false_sets))
        space = check.space
        starts = [space.of_part(part, each) for each in (space.initial, space.initial & space.sure)]
        answers.append(_value(starts[0], starts[1], true_sets[root], false_sets[root], false))
        if answers[-1] is not None:
            break
    return tuple(answers), evaluated, rounds


def _value(
    initial: Diagram, sure: Diagram, true: Diagram, false: Diagram, nothing: Diagram
) -> bool | None:
    """True if true in all initial states. False if false in one that exists for sure."""
    if sure & false != nothing:
        return False
    return True if initial & ~true == nothing else None


def _verdict(space: Space, true: Diagram, false: Diagram) -> bool | None:
    return _value(space.initial, space.initial & space.sure, true, false, space.diagrams.false)


@dataclass(frozen=True, slots=True)
class _Knowledge:
    """By nodes of the form, the composed states where the parts know a value, or none does."""

    true: list[Diagram]
    false: list[Diagram]
    unknown: list[Diagram]
    relevant: list[Diagram]


def _combine(check: _Check, evaluated: Sequence[_Sets]) -> _Knowledge:
    """TS, FS and US of all subformulas, from what each part knows."""
    space = check.space
    union, nothing = space.diagrams.union, space.diagrams.false
    true, false, unknown = [], [], []
    for node in range(len(check.form.ops)):
        true.append(space.states & union(sets[0][node] for sets in evaluated))
        false.append(space.states & union(sets[1][node] for sets in evaluated))
        assert true[-1] & false[-1] == nothing  # SY1
        unknown.append(space.states & ~(true[-1] | false[-1]))
        check.tick()
    return _Knowledge(true, false, unknown, [nothing] * len(unknown))


def _forward(check: _Check) -> Callable[[int, Diagram], Diagram]:
    """ForwardStep: what a modality asks about, from the states where it is asked."""
    space, form = check.space, check.form
    steps = [
        (action, space.relation([space.parts[at] for at in movers], action, must=False))
        for action, movers in space.moves
    ]

    def forward(node: int, sources: Diagram) -> Diagram:
        actions = _actions(form, node)
        return space.diagrams.union(
            may.forward(sources) for by, may in steps if actions is None or by in actions
        )

    return forward


def _relevant(check: _Check, knowledge: _Knowledge) -> None:
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
        for child in _sons(form, node):
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


def _ask_all(check: _Check, knowledge: _Knowledge | None) -> tuple[bool | None, int]:
    """The second step: the composition's answer, and rounds. All anew if nothing is known."""
    space, root = check.space, check.form.root
    model = _composition(check)
    asked: list[Diagram] = []
    if knowledge is not None:
        pairs = zip(knowledge.unknown, knowledge.relevant, strict=True)
        asked = [unknown & relevant for unknown, relevant in pairs]

    def bounds(known: Sequence[Diagram]) -> _Bounds | None:
        if knowledge is None:
            return None
        pairs = zip(known, knowledge.relevant, strict=True)
        return _Bounds([one & relevant for one, relevant in pairs], asked)

    known_true = bounds(knowledge.true if knowledge else ())
    true, rounds = _evaluate(check, model, known_true, sense=True)
    if space.concrete:
        return _verdict(space, true[root], space.states & ~true[root]), rounds
    known_false = bounds(knowledge.false if knowledge else ())
    false, more = _evaluate(check, model, known_false, sense=False)
    return _verdict(space, true[root], false[root]), rounds + more


def _sizes(check: _Check, knowledge: _Knowledge) -> tuple[Sizes, ...]:
    variables = len(check.space.current)
    sets = (knowledge.true, knowledge.false, knowledge.unknown, knowledge.relevant)
    return tuple(
        Sizes(*(check.space.diagrams.count(each, variables) for each in of_node))
        for of_node in zip(*sets, strict=True)
    )
