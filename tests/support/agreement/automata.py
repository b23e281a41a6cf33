"""One random recursive machine and formulas of ECTL*, asked of the oracle and of the native engines."""

from __future__ import annotations

from random import Random

from pigro.limits import Budget, Limits
from pigro.logic import parse

from oracle.automata_pushdown import matching, repeating, with_automaton
from oracle.generate import random_machine
from oracle.machine import initial_states
from oracle.star_cases import LABELS, SMALL, random_ring
from oracle.star_formula import A, E, F, G, U, X, atom, both, either, no, to_text
from oracle.star_pushdown import TooLarge, _holds, _inside_out, _with_quantifier, from_machine
from support.agreement.ctl import as_model
from support.agreement.star import STAR_ENGINES

FORMULAS = 4
"""Questions for each random machine."""
_INNER = "inner"
"""The atom that stands for the quantifier with an automaton."""
_SYMBOLS = 200
_SECONDS = 2
"""For an engine: few negated automata have too many states for more."""


def automata_disagreements(seed):
    """Case `seed`: how many questions were left out, and a line for each disagreement."""
    rng = Random(seed)
    ring = rng.random() < 0.5
    machine = random_ring(rng) if ring else random_machine(rng, SMALL[rng.choice(list(SMALL))])
    questions = [_question(rng) for _ in range(FORMULAS)]
    kept = []
    for question in questions:
        try:
            kept.append((question[0], _decide(machine, *question[1:])))
        except TooLarge:
            continue
    asked = [parse(text) for text, _ in kept]
    model, wrong, undecided = as_model(machine), [], set()
    for name, engine in STAR_ENGINES.items():
        for at, (text, truth) in enumerate(kept):
            budget = Budget(Limits(seconds=_SECONDS))
            holds = engine.check_all(model, asked[at : at + 1], budget=budget)[0].holds
            if holds is None:
                undecided.add(text)
            elif holds is not truth:
                wrong.append(f"machine {seed}: oracle {truth}, {name} {holds}, {text}")
    return FORMULAS - len(kept) + len(undecided), wrong


def _decide(machine, quantifier, automaton, positive, whole):
    """Whether a formula holds in all initial states, in which an atom stands for a quantifier."""
    system = from_machine(machine)
    for letter in dict.fromkeys(each for _, each, _ in automaton[2]):
        for inner in _inside_out(letter):
            if inner not in system.truth:
                system = _with_quantifier(system, inner, _SYMBOLS)
    some = positive == (quantifier == "E")
    system = with_automaton(system, _INNER, automaton, some, _SYMBOLS)
    if quantifier == "A":
        heads = {(node, symbol) for symbol, row in system.rules.items() for node in row.nodes}
        system.truth[atom(_INNER)] = heads - system.truth[atom(_INNER)]
    for outer in _inside_out(whole):
        system = _with_quantifier(system, outer, _SYMBOLS)
    return all(_holds(system, whole, (node, system.bottom)) for _, node in initial_states(machine))


def _letter(rng):
    one = atom(rng.choice(LABELS))
    return rng.choice(
        (
            *(one, no(one)) * 3,
            ("true",),
            both(one, no(atom("q"))),
            either(one, atom("q")),
            *((E(X(one)), A(F(one)), E(G(F(one)))) if rng.random() < 0.3 else (one,)),
        )
    )


def _automaton(rng):
    """One whose states are all of use. Half of them have one way at most for each state."""
    states, alone = rng.randint(1, 3), rng.random() < 0.5
    while True:
        edges = []
        for source in range(states):
            if alone:
                letter = _letter(rng)
                edges.append((source, letter, rng.randrange(states)))
                if rng.random() < 0.8:
                    edges.append((source, no(letter), rng.randrange(states)))
            else:
                edges += [
                    (source, _letter(rng), rng.randrange(states)) for _ in range(rng.randint(0, 2))
                ]
        starts = {rng.randrange(states) for _ in range(1 if alone else rng.randint(1, 2))}
        accepting = {rng.randrange(states) for _ in range(rng.randint(1, 2))}
        sources, targets = ({edge[end] for edge in edges} for end in (0, 2))
        fits = starts <= sources <= targets | starts and targets <= sources | accepting
        if edges and fits and accepting <= targets | starts:
            return tuple(starts), tuple(accepting), tuple(edges)


def _expression(rng, size):
    if size <= 1:
        return ("letter", _letter(rng))
    kind = rng.choice(("seq", "seq", "alt", "star", "star"))
    if kind == "star":
        return ("star", _expression(rng, size - 1))
    left = rng.randint(1, size - 1)
    return (kind, _expression(rng, left), _expression(rng, size - left))


def _question(rng):
    """A text, and what the oracle needs: quantifier, automaton, its sense, and the whole formula."""
    kind = rng.choice(("accepts", "accepts", "accepts", "match", "trigger", "omega"))
    positive, quantifier = rng.random() < 0.6, rng.choice("AE")
    if kind == "accepts":
        automaton = _automaton(rng)
        text = _automaton_text(automaton)
    else:
        expression = _expression(rng, rng.randint(1, 4))
        follows = _letter(rng)
        text = "{" + _expression_text(expression) + "}"
        if kind == "omega":
            automaton, text = repeating(expression), f"{text}^w"
        elif kind == "match":
            automaton, text = matching(expression, follows), f"({text} <>-> {to_text(follows)})"
        else:
            automaton = matching(expression, no(follows))
            text = f"({text} |-> {to_text(follows)})"
    path = text if positive else f"!{text}"
    positive = positive != (kind == "trigger")
    p, q, inner = atom("p"), atom("q"), atom(_INNER)
    wholes = (
        *(inner, no(inner)) * 3,
        E(F(both(p, inner))),
        A(G(either(no(q), inner))),
        E(X(inner)),
        E(G(F(inner))),
        A(U(inner, q)),
        E(both(F(inner), G(F(q)))),
    )
    whole = rng.choice(wholes)
    shown = to_text(whole).replace(_INNER, f"({quantifier} [{path}])")
    return shown, quantifier, automaton, positive, whole


def _automaton_text(automaton):
    starts, accepting, edges = automaton
    clauses = [f"q{source} -> q{to} : {to_text(letter)}" for source, letter, to in edges]
    first, last = (", ".join(f"q{each}" for each in states) for states in (starts, accepting))
    return "automaton { " + "; ".join([f"start {first}", *clauses, f"accept {last}"]) + " }"


def _expression_text(expression):
    kind = expression[0]
    if kind == "letter":
        return f"({to_text(expression[1])})"
    if kind == "star":
        return f"({_expression_text(expression[1])})*"
    sign = " ; " if kind == "seq" else " | "
    return f"({sign.join(_expression_text(each) for each in expression[1:])})"
