"""Formulas with regular expressions and automata on lassos, by relations between positions.

Formulas are nested tuples:

    ("p", name) ("not", f) ("and", f, g) ("or", f, g) ("X", f) ("F", f) ("G", f) ("U", f, g)
    ("match", r, f) ("trigger", r, f) ("omega", r) ("accepts", automaton)

and expressions are `("letter", f)`, `("seq", r, s)`, `("alt", r, s)`, `("star", r)` and
`("automaton", automaton)`, over formulas without path operators. An automaton is a tuple of the numbers
of its starts, of its accepting states, and of its edges (from, letter, to). Expressions need no other
automata. An expression is the set of pairs of the first and the last position that it
matches, and whether it matches the empty word. `satisfied` pushes negation inwards, as the semantics
does where runs end.
"""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Lasso:
    """The labels at each position, and the position after the last. None if the run ends."""

    labels: tuple[frozenset, ...]
    after: int | None
    known: dict = field(default_factory=dict, compare=False, repr=False)

    def next(self, at):
        """The position after one, or None."""
        return at + 1 if at + 1 < len(self.labels) else self.after

    def ahead(self, at):
        """All positions from one on, in order, each once."""
        seen = []
        while at is not None and at not in seen:
            seen.append(at)
            at = self.next(at)
        return seen


def satisfied(run, formula, positive=True, at=0):  # noqa: FBT002 - as in the definition
    """Whether a formula, or else its negation, is satisfied at a position."""
    key = (formula, positive, at)
    if key not in run.known:
        run.known[key] = _satisfied(run, formula, positive, at)
    return run.known[key]


def _satisfied(run, formula, positive, at):
    kind = formula[0]
    if kind == "p":
        return (formula[1] in run.labels[at]) == positive
    if kind == "not":
        return satisfied(run, formula[1], not positive, at)
    if kind in ("and", "or"):
        sides = [satisfied(run, each, positive, at) for each in formula[1:]]
        return all(sides) if (kind == "and") == positive else any(sides)
    if kind == "X":
        to = run.next(at)
        return to is not None and satisfied(run, formula[1], positive, to)
    if kind in ("F", "G", "U"):
        return _until(run, formula, positive, at)
    if kind == "accepts":
        return accepts(run, formula[1], at) == positive
    pairs, _ = matches(run, formula[1])
    if kind == "omega":
        return _again(run, pairs, at) == positive
    lasts = [last for first, last in pairs if first == at]
    told = [satisfied(run, formula[2], positive, last) for last in lasts]
    return any(told) if (kind == "match") == positive else all(told)


def _until(run, formula, positive, at):
    """F f is true U f, and G f is not F not f."""
    kind, goal = formula[0], formula[-1]
    if kind == "G":
        told = [satisfied(run, goal, positive, each) for each in run.ahead(at)]
        return all(told) if positive else any(told)
    for each in run.ahead(at):
        if satisfied(run, goal, positive, each) == positive:
            return positive
        if kind == "U" and satisfied(run, formula[1], positive, each) != positive:
            return not positive
    return not positive


def matches(run, expression):
    """The pairs of first and last positions of matches, and whether the empty word matches."""
    if expression not in run.known:
        run.known[expression] = _matches(run, expression)
    return run.known[expression]


def steps(run, automaton, at, state):
    """The states after one reads a position."""
    return {
        to
        for source, letter, to in automaton[2]
        if source == state and satisfied(run, letter, True, at)
    }


def accepts(run, automaton, at):
    """Whether some way comes to accepting states again and again, or ends in one."""
    starts, accepting, _ = automaton

    def reached(pairs):
        found, pending = set(), list(pairs)
        while pending:
            position, state = pending.pop()
            if position is not None:
                new = {(run.next(position), to) for to in steps(run, automaton, position, state)}
                pending += new - found
                found |= new
        return found

    every = reached((at, start) for start in starts)
    goals = [(position, state) for position, state in every if state in accepting]
    return any(goal[0] is None or goal in reached([goal]) for goal in goals)


def _words(run, automaton):
    """The pairs of positions that the automaton reads from a start to an accepting state."""
    starts, accepting, _ = automaton
    found = set()
    for first in range(len(run.labels)):
        seen, pending = set(), [(first, start) for start in starts]
        while pending:
            at, state = pending.pop()
            if at is None or (at, state) in seen:
                continue
            seen.add((at, state))
            after = steps(run, automaton, at, state)
            found |= {(first, at) for to in after if to in accepting}
            pending += [(run.next(at), to) for to in after]
    return found, not set(starts).isdisjoint(accepting)


def _matches(run, expression):
    kind = expression[0]
    if kind == "automaton":
        return _words(run, expression[1])
    if kind == "letter":
        every = range(len(run.labels))
        return {(at, at) for at in every if satisfied(run, expression[1], True, at)}, False
    if kind == "alt":
        (one, empty), (two, too) = (matches(run, each) for each in expression[1:])
        return one | two, empty or too
    if kind == "seq":
        (one, empty), (two, too) = (matches(run, each) for each in expression[1:])
        found = {(a, d) for a, b in one for c, d in two if run.next(b) == c}
        return found | (two if empty else set()) | (one if too else set()), empty and too
    found = new = matches(run, expression[1])[0]
    once = found
    while new:
        new = {(a, d) for a, b in new for c, d in once if run.next(b) == c} - found
        found = found | new
    return found, True


def _again(run, pairs, at):
    """Whether matches follow each other forever, or up to the end."""
    after = {}
    for first, last in pairs:
        after.setdefault(first, set()).add(run.next(last))
    reached, pending = set(), [at]
    while pending:
        for each in after.get(pending.pop(), ()):
            if each not in reached:
                reached.add(each)
                if each is not None:
                    pending.append(each)
    if None in reached:
        return True
    alive = reached | {at}
    while True:
        rest = {each for each in alive if after.get(each, set()) & alive}
        if rest == alive:
            return at in alive
        alive = rest


def to_text(formula):
    """The formula as Pigro reads it."""
    kind = formula[0]
    if kind == "p":
        return formula[1]
    if kind == "not":
        return f"!({to_text(formula[1])})"
    if kind in ("and", "or"):
        sign = " & " if kind == "and" else " | "
        return f"({sign.join(to_text(each) for each in formula[1:])})"
    if kind in ("X", "F", "G"):
        return f"{kind} ({to_text(formula[1])})"
    if kind == "U":
        return f"(({to_text(formula[1])}) U ({to_text(formula[2])}))"
    if kind == "accepts":
        return automaton_text(formula[1])
    expression = "{" + expression_text(formula[1]) + "}"
    if kind == "omega":
        return f"{expression}^w"
    return f"({expression} {'<>->' if kind == 'match' else '|->'} {to_text(formula[2])})"


def expression_text(expression):
    """The expression as Pigro reads it."""
    kind = expression[0]
    if kind == "automaton":
        return automaton_text(expression[1])
    if kind == "letter":
        return f"({to_text(expression[1])})"
    if kind == "star":
        return f"({expression_text(expression[1])})*"
    sign = " ; " if kind == "seq" else " | "
    return f"({sign.join(expression_text(each) for each in expression[1:])})"


def automaton_text(automaton):
    """The automaton as Pigro reads it."""
    starts, accepting, edges = automaton
    clauses = [f"q{source} -> q{to} : {to_text(letter)}" for source, letter, to in edges]
    listed = [", ".join(f"q{each}" for each in states) for states in (starts, accepting)]
    return (
        "automaton { " + "; ".join([f"start {listed[0]}", *clauses, f"accept {listed[1]}"]) + " }"
    )
