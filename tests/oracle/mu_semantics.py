"""In which states is a formula of the mu-calculus true, false or unknown? By the definition.

`values` computes one function from states to ff < unknown < tt for each subformula, fixpoints by
iteration from the bottom or the top, inner ones anew each time. `value_sets` computes the set of
states where the formula is true and the set where it is false, without looking at the unknown.

Operators of CTL are read on maximal paths. They need a structure where nothing is unknown. At a dead
end time goes on in the same state (`stutter`) or ends (`stop`): only EX and AX tell the difference.
"""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING

from oracle.formula import TEMPORAL
from oracle.mu_formula import Formula, operands, pnf
from oracle.mu_structures import are_composable, composed, finishings, reached, value_at_start

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from oracle.machine import DeadEnds
    from oracle.mu_structures import Structure, Value

FF, UNKNOWN, TT = 0, 1, 2
Row = tuple[int, ...]
MEANING: dict[int, Value] = {FF: False, UNKNOWN: None, TT: True}


def verdict(parts: Sequence[Structure], f: Formula, dead_ends: DeadEnds = "stutter") -> Value:
    """The value of `f` in the composition: in all its initial states."""
    whole = reached(composed(parts)).whole
    return value_at_start(whole, values(whole, f, dead_ends))


def finished_verdicts(
    parts: Sequence[Structure], f: Formula, dead_ends: DeadEnds = "stutter"
) -> Iterator[bool]:
    """Whether `f` holds, for each way to finish the parts. It does where they can't start together."""
    for finished in product(*map(finishings, parts)):
        found = not are_composable(finished) or verdict(finished, f, dead_ends)
        assert found is not None
        yield found


def values(structure: Structure, f: Formula, dead_ends: DeadEnds = "stutter") -> list[Value]:
    """The value of `f` in each state."""
    return [MEANING[value] for value in _row(structure, f, {}, dead_ends)]


def _row(structure: Structure, f: Formula, environment: dict[str, Row], ends: DeadEnds) -> Row:
    kind, states = f[0], structure.states
    if kind in ("true", "false"):
        return tuple(TT if kind == "true" else FF for _ in states)
    if kind == "atom":
        known = {True: TT, False: FF, None: UNKNOWN}
        return tuple(known[structure.labels[state][f[1]]] for state in states)
    if kind == "var":
        return environment[f[1]]
    if kind in ("mu", "nu"):
        row = tuple(FF if kind == "mu" else TT for _ in states)
        while True:
            better = _row(structure, f[2], environment | {f[1]: row}, ends)
            if better == row:
                return row
            row = better
    inside = [_row(structure, operand, environment, ends) for operand in operands(f)]
    if kind in TEMPORAL:
        assert structure.is_concrete
        found = temporal(
            structure, kind, *({s for s in states if r[s] == TT} for r in inside), ends
        )
        return tuple(TT if state in found else FF for state in states)
    return tuple(_value(structure, f, inside, state) for state in states)


def _value(structure: Structure, f: Formula, inside: Sequence[Row], state: int) -> int:
    match f[0]:
        case "not":
            return TT - inside[0][state]
        case "and":
            return min(inside[0][state], inside[1][state])
        case "or":
            return max(inside[0][state], inside[1][state])
        case "implies":
            return max(TT - inside[0][state], inside[1][state])
        case "box" | "dia" as kind:
            all_of, one_of = (TT, FF) if kind == "box" else (FF, TT)
            if all(inside[0][target] == all_of for target in structure.after(state, f[1])):
                return all_of
            if any(
                all(inside[0][t] == one_of for t in targets)
                for targets in structure.must_sets(state, f[1])
            ):
                return one_of
            return UNKNOWN
    raise ValueError(f)


def value_sets(structure: Structure, f: Formula) -> tuple[set[int], set[int]]:
    """Where `f` is true, and where it is false."""
    return _sure(structure, pnf(f), {}), _sure(structure, pnf(f, wanted=False), {})


def _sure(structure: Structure, f: Formula, environment: dict[str, set[int]]) -> set[int]:  # noqa: PLR0911
    """Where `f` in positive normal form is true for sure."""
    states = set(structure.states)
    match f:
        case ("true",):
            return states
        case ("false",):
            return set()
        case ("atom", name):
            return {state for state in states if structure.labels[state][name] is True}
        case ("not", ("atom", name)):
            return {state for state in states if structure.labels[state][name] is False}
        case ("var", name):
            return environment[name]
        case ("mu" | "nu" as kind, name, body):
            found = set() if kind == "mu" else states
            while (more := _sure(structure, body, environment | {name: found})) != found:
                found = more
            return found
        case ("and", g, h):
            return _sure(structure, g, environment) & _sure(structure, h, environment)
        case ("or", g, h):
            return _sure(structure, g, environment) | _sure(structure, h, environment)
        case ("box", actions, g):
            inside = _sure(structure, g, environment)
            return {s for s in states if inside.issuperset(structure.after(s, actions))}
        case ("dia", actions, g):
            inside = _sure(structure, g, environment)
            return {s for s in states if any(t <= inside for t in structure.must_sets(s, actions))}
    raise ValueError(f)


def temporal(structure: Structure, kind: str, *rest: set[int] | DeadEnds) -> set[int]:
    """Where an operator of CTL holds, from where its operands hold. Last, how to read dead ends."""
    *given, dead_ends = rest
    states = set(structure.states)
    f, g = given if len(given) == 2 else (states, given[0])
    if kind[1] == "X":
        stay = dead_ends == "stutter"
        rows = {s: structure.after(s) or ([s] if stay else []) for s in states}
        quantifier = any if kind[0] == "E" else all
        return {s for s in states if quantifier(t in g for t in rows[s])}
    if kind[0] == "A":
        negated = "E" + {"F": "G", "G": "F", "U": "R", "R": "U", "W": "M"}[kind[1]]
        inside = [states - each for each in given]
        return states - temporal(structure, negated, *inside, dead_ends)
    match kind[1]:
        case "F" | "U":
            return _until(structure, f, g)
        case "G":
            return _forever(structure, g)
        case "W":
            return _until(structure, f, g) | _forever(structure, f)
        case "R":
            return _until(structure, g, f & g) | _forever(structure, g)
        case "M":  # g until f and g: the negation of W with both sides negated
            return _until(structure, g, f & g)
    raise ValueError(kind)


def _until(structure: Structure, f: set[int], g: set[int]) -> set[int]:
    """From where does a path go through states of `f` to one of `g`?"""
    return {state for state in structure.states if g & _through(structure, state, f)}


def _forever(structure: Structure, f: set[int]) -> set[int]:
    """From where does a maximal path stay in `f`? Its end is a dead end or a loop."""
    loops = {
        state
        for state in f
        if not structure.after(state)
        or any(t in f and state in _through(structure, t, f) for t in structure.after(state))
    }
    return {state for state in f if loops & _through(structure, state, f)}


def _through(structure: Structure, state: int, f: set[int]) -> set[int]:
    """What is reached from the state by steps that start in `f`, including itself."""
    seen = [state]
    for each in seen:
        if each in f:
            seen += [target for target in structure.after(each) if target not in seen]
    return set(seen)
