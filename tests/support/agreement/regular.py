"""One random structure and formula of ECTL*, asked of all engines and of lassos.

If a formula `E f` holds, the run that is shown must satisfy f by its definition. If it fails, no lasso
of the structure may satisfy f. `A f` is asked as well, which is decided by other formulas inside.
"""

from __future__ import annotations

import random

import pigro
from pigro.engines import ENGINES
from pigro.limits import Budget, Limits

from oracle.regular_lasso import Lasso, satisfied, to_text
from support.agreement.star import STAR_ENGINES
from support.agreement.systems import check_system, run_of

_LABELS = ("p", "q", "r")
_LASSOS = 40
_SECONDS = 2
"""For the search in Python, which has no answer to a few of the negated repetitions by then. With
automata, for all engines."""


class Structure:
    """States are numbers. State 0 is initial."""

    initial = 0

    def __init__(self, rows, carried, dead_ends):
        self.rows, self.carried, self.dead_ends = rows, carried, dead_ends

    def successors(self, state):
        """A row of states."""
        return self.rows[state]

    def labels(self, state):
        """A set of labels."""
        return sorted(self.carried[state])

    def model(self):
        """The same as a model."""
        names = [f"s{at}" for at in range(len(self.rows))]
        return pigro.kripke(
            {names[at]: [names[to] for to in row] for at, row in enumerate(self.rows)},
            labels={names[at]: sorted(its) for at, its in enumerate(self.carried)},
            initial="s0",
            dead_ends=self.dead_ends,
        )

    def lasso(self, states, start):
        """The run through some states as the oracle reads it."""
        return Lasso(tuple(self.carried[each] for each in states), start)

    def lassos(self, draw):
        """Some runs, short ones and long ones."""
        for _ in range(_LASSOS):
            states, length = [0], draw.choice((3, 5, 8, 12))
            while self.rows[states[-1]] and len(states) < length:
                states.append(draw.choice(self.rows[states[-1]]))
            if not self.rows[states[-1]]:
                stays = None if self.dead_ends == "stop" else len(states) - 1
                yield self.lasso(states, stays)
            for start, state in enumerate(states):
                if state in self.rows[states[-1]]:
                    yield self.lasso(states, start)


def structure(draw):
    """A random one."""
    size = draw.randint(1, 4)
    least = draw.choice((0, 1))
    rows = [
        sorted({draw.randrange(size) for _ in range(draw.randint(least, 2))}) for _ in range(size)
    ]
    carried = [frozenset(each for each in _LABELS if draw.random() < 0.5) for _ in range(size)]
    return Structure(rows, carried, draw.choice(("stop", "stutter")))


def letter(draw):
    """A formula about one state."""
    kind = draw.randrange(6)
    one = ("p", draw.choice(_LABELS))
    if kind < 3:
        return one
    if kind == 3:
        return ("not", one)
    return ("or" if kind == 4 else "and", one, ("not", ("p", draw.choice(_LABELS))))


def expression(draw, size):
    """A random regular expression."""
    if size <= 1:
        return ("letter", letter(draw))
    kind = draw.choice(("seq", "seq", "alt", "star", "star"))
    if kind == "star":
        return ("star", expression(draw, size - 1))
    left = draw.randint(1, size - 1)
    return (kind, expression(draw, left), expression(draw, size - left))


def automaton(draw, states):
    """A random automaton whose states are all of use."""
    while True:
        edges = [
            (draw.randrange(states), letter(draw), draw.randrange(states))
            for _ in range(draw.randint(1, 2 * states))
        ]
        starts = sorted({draw.randrange(states) for _ in range(draw.randint(1, 2))})
        accepting = sorted({draw.randrange(states) for _ in range(draw.randint(1, 2))})
        sources, targets = ({edge[end] for edge in edges} for end in (0, 2))
        if (
            sources.issuperset(starts)
            and sources <= targets | set(starts)
            and targets <= sources | set(accepting)
            and targets | set(starts) >= set(accepting)
        ):
            return tuple(starts), tuple(accepting), tuple(edges)


def formula(draw, size, automata=()):
    """A random path formula. `automata` are the kinds of operators over some, given by states."""
    if size <= 1:
        return ("p", draw.choice(_LABELS))
    kind = draw.choice(
        ("not", "and", "or", "X", "F", "G", "U", "match", "match", "trigger", "omega", *automata)
    )
    if kind in ("not", "X", "F", "G"):
        return (kind, formula(draw, size - 1, automata))
    if kind == "accepts":
        return (kind, automaton(draw, draw.randint(1, 3)))
    if kind == "omega":
        return (kind, _expression(draw, min(size, 4), automata))
    left = draw.randint(1, size - 1)
    is_regular = kind in ("match", "trigger")
    first = (_expression if is_regular else formula)(draw, left, automata)
    return (kind, first, formula(draw, size - left, automata))


def _expression(draw, size, automata):
    """One with automata among its parts, if there are some."""
    if not automata or draw.random() < 0.3:
        return expression(draw, size)
    made = ("automaton", automaton(draw, draw.randint(1, 2)))
    kind = draw.choice(("alone", "seq", "alt", "star"))
    if kind == "alone" or size < 2:
        return made
    return ("star", made) if kind == "star" else (kind, made, expression(draw, size - 1))


AUTOMATA = ("accepts",) * 8


def regular_disagreements(seed, automata=()):
    """Case `seed`: a line for each thing that is not as it should be."""
    draw = random.Random(seed)
    system, body = structure(draw), formula(draw, draw.randint(2, 7), automata)
    text, model, wrong = to_text(body), system.model(), []
    for quantifier, positive in (("E", True), ("A", False)):
        asked = pigro.Formula(f"{quantifier} [{text}]")
        told = check_system(system, asked, limits=Limits(seconds=_SECONDS))
        answers = {} if told.holds is None else {"search": told.holds}
        for name, engine in {**STAR_ENGINES, "onthefly": ENGINES["onthefly"]}.items():
            budget = Budget(Limits(seconds=_SECONDS)) if automata else None
            answers[name] = engine.check_all(model, [asked], budget=budget)[0].holds
        if automata:
            answers = {name: holds for name, holds in answers.items() if holds is not None}
        if len(set(answers.values())) > 1:
            wrong.append(f"case {seed}: {asked}: {answers}")
        (holds,) = set(answers.values()) if len(set(answers.values())) == 1 else (None,)
        if holds is None:
            continue
        if holds == positive:
            run = run_of(told)
            if run is not None and not _is_shown(system, run, body, positive):
                wrong.append(f"case {seed}: {asked}: the run does not show it")
        elif any(satisfied(run, body, positive) for run in system.lassos(draw)):
            wrong.append(f"case {seed}: {asked}: a lasso shows the contrary")
    return wrong


def _is_shown(system, run, body, positive):
    """Whether a run that is shown satisfies the formula, or its negation."""
    states = list(run.states)
    if run.ends == "here":  # it may go on in any way, so take one
        while states[-1] not in states[:-1] and system.rows[states[-1]]:
            states.append(system.rows[states[-1]][0])
    if run.start is not None:
        return satisfied(system.lasso(states, run.start), body, positive)
    if not system.rows[states[-1]]:
        stays = None if system.dead_ends == "stop" else len(states) - 1
        return satisfied(system.lasso(states, stays), body, positive)
    return satisfied(system.lasso(states[:-1], states.index(states[-1])), body, positive)
