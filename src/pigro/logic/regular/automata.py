"""Regular expressions over state formulas to automata without empty steps [Glushkov1961].

In a formula, the nodes SEQ, STAR and AUTOMATON, and OR over one of them, are parts of an
expression. All others in an expression are state formulas, its *letters*: each reads one state of a
run. The letters of an automaton stand on its edges.

A state of the automaton has edges: a letter that must be true, the state after it, and whether the
edge is *good*. Of `{r}` a good edge completes a match. Of `{r}^w` and of an automaton, a run is
accepted if good edges come again and again. A finite run, if the last edge is good. The first state
is 0. States with the same edges are merged, so that `p* ; q` has one state.

An automaton in an expression matches the words that lead it from a start to an accepting state. Its
edges are letters like others, and the edges from where one leads follow it.

Cost: as many states as the expression has letters, and one. Edges may be quadratic.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import FormulaError
from pigro.logic.operators import Op
from pigro.logic.regular.shapes import shape_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.logic.syntax import Formula

LARGEST = 256
"""Letters of an expression."""
_SEQ, _STAR, _OR, _FALSE = int(Op.SEQ), int(Op.STAR), int(Op.OR), int(Op.FALSE)
_AUTOMATON, _OMEGA, _ACCEPTS = int(Op.AUTOMATON), int(Op.OMEGA), int(Op.ACCEPTS)


class AutomatonEdge(NamedTuple):
    """What a state may read."""

    letter: int
    """A state formula, by its node."""
    to: int
    good: bool


Automaton = tuple[tuple[AutomatonEdge, ...], ...]
"""The edges of each state. State 0 is the first."""


class _AutomatonPiece(NamedTuple):
    """A part of an expression: letters are known by their places."""

    empty: bool
    """Whether the empty word matches."""
    first: tuple[int, ...]
    last: tuple[int, ...]


def letters(formula: Formula, expression: int) -> list[int]:
    """The letters of an expression, by node, each once."""
    seen, pending = {expression}, [expression]
    found = []
    is_part = _parts(formula)
    while pending:
        node = pending.pop()
        if not is_part[node]:
            found.append(node)
            continue
        for child in (formula.left[node], formula.right[node]):
            if child >= 0 and child not in seen:
                seen.add(child)
                pending.append(child)
    return found


def automaton_of(formula: Formula, operator: int) -> Automaton:
    """The automaton of an operator with an expression, or with an automaton.

    FormulaError P308 if the expression has too many letters.
    """
    op, expression = formula.ops[operator], formula.left[operator]
    if op == _ACCEPTS:
        return _accepting(formula, expression)
    return automaton(formula, expression, again=op == _OMEGA)


def _accepting(formula: Formula, node: int) -> Automaton:
    """An automaton as it is written. Edges to accepting states are good.

    The first state has the edges of all starts.
    """
    shape, its = shape_of(formula, node)
    rows: list[list[AutomatonEdge]] = [[] for _ in range(len(shape.states) + 1)]
    for (source, to), letter in zip(shape.edges, its, strict=True):
        if formula.ops[letter] != _FALSE:
            edge = AutomatonEdge(letter, to + 1, to in shape.accepting)
            rows[source + 1].append(edge)
            if source in shape.starts:
                rows[0].append(edge)
    return _merged(rows)


def automaton(formula: Formula, expression: int, *, again: bool = False) -> Automaton:
    """The automaton of an expression. With `again`, of its endless repetition.

    FormulaError P308 if the expression has too many letters.
    """
    places: list[int] = []
    follow: list[set[int]] = []
    whole = _read(formula, expression, places, follow)
    last = set(whole.last)
    rows = [whole.first, *(tuple(sorted(each)) for each in follow)]
    if not again:
        return _merged(
            [AutomatonEdge(places[at], at + 1, at in last) for at in row] for row in rows
        )
    edges = []
    for row in rows:
        made = [AutomatonEdge(places[at], at + 1, good=False) for at in row if follow[at]]
        made += [AutomatonEdge(places[at], 0, good=True) for at in row if at in last]
        edges.append(made)
    return _merged(edges)


def _read(
    formula: Formula, expression: int, places: list[int], follow: list[set[int]]
) -> _AutomatonPiece:
    """Finds which letters may come first, last, and after each other."""
    is_part = _parts(formula)
    done: list[_AutomatonPiece] = []
    pending = [(expression, False)]
    while pending:
        node, ready = pending.pop()
        op, left, right = formula.ops[node], formula.left[node], formula.right[node]
        if not is_part[node]:
            done.append(_letter(op, node, places, follow))
        elif op == _AUTOMATON:
            done.append(_states(formula, node, places, follow))
        elif not ready:
            pending.append((node, True))
            pending += [(each, False) for each in (right, left) if each >= 0]
        elif op == _STAR:
            inner = done.pop()
            _join(follow, inner.last, inner.first)
            done.append(inner._replace(empty=True))
        else:
            after, before = done.pop(), done.pop()
            if op == _SEQ:
                _join(follow, before.last, after.first)
            done.append(_both(op, before, after))
    return done.pop()


def _letter(op: int, node: int, places: list[int], follow: list[set[int]]) -> _AutomatonPiece:
    if op == _FALSE:
        return _AutomatonPiece(empty=False, first=(), last=())
    if len(places) == LARGEST:
        raise FormulaError(
            "P308", f"a regular expression has more than {LARGEST} letters", hint="make it shorter"
        )
    places.append(node)
    follow.append(set())
    return _AutomatonPiece(False, (len(places) - 1,), (len(places) - 1,))


def _states(
    formula: Formula, node: int, places: list[int], follow: list[set[int]]
) -> _AutomatonPiece:
    """The piece of an automaton."""
    shape, its = shape_of(formula, node)
    read = [_letter(formula.ops[at], at, places, follow).first for at in its]
    leaving: list[list[int]] = [[] for _ in shape.states]
    for (source, _), at in zip(shape.edges, read, strict=True):
        leaving[source] += at
    for (_, to), at in zip(shape.edges, read, strict=True):
        for each in at:
            follow[each].update(leaving[to])
    empty = not set(shape.starts).isdisjoint(shape.accepting)
    first = [each for start in shape.starts for each in leaving[start]]
    last = [
        each
        for (_, to), at in zip(shape.edges, read, strict=True)
        if to in shape.accepting
        for each in at
    ]
    return _AutomatonPiece(empty, tuple(first), tuple(last))


def _both(op: int, before: _AutomatonPiece, after: _AutomatonPiece) -> _AutomatonPiece:
    if op == _OR:
        either = before.empty or after.empty
        return _AutomatonPiece(either, before.first + after.first, before.last + after.last)
    first = before.first + (after.first if before.empty else ())
    last = after.last + (before.last if after.empty else ())
    return _AutomatonPiece(before.empty and after.empty, first, last)


def _join(follow: list[set[int]], ends: tuple[int, ...], starts: tuple[int, ...]) -> None:
    for each in ends:
        follow[each].update(starts)


def _parts(formula: Formula) -> list[bool]:
    """For each node whether it is a part of an expression that is no letter. Kept."""
    known = formula.kept.get("regular parts")
    if isinstance(known, list):
        return known
    found: list[bool] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        found.append(_SEQ <= op <= _AUTOMATON or (op == _OR and (found[left] or found[right])))
    formula.kept["regular parts"] = found
    return found


def _merged(rows: Iterable[list[AutomatonEdge]]) -> Automaton:
    """The same automaton, with states that have the same edges made one, and no useless ones."""
    edges = _useful([_each_once(row) for row in rows])
    while True:
        classes: dict[frozenset[AutomatonEdge], int] = {}
        number = [classes.setdefault(frozenset(row), len(classes)) for row in edges]
        if len(classes) == len(edges):
            return tuple(edges)
        chosen = {number[at]: row for at, row in reversed(list(enumerate(edges)))}
        edges = [
            _each_once(each._replace(to=number[each.to]) for each in chosen[at])
            for at in range(len(classes))
        ]


def _each_once(row: Iterable[AutomatonEdge]) -> tuple[AutomatonEdge, ...]:
    """The edges of a state. A good one includes one that is not."""
    found: dict[tuple[int, int], AutomatonEdge] = {}
    for edge in row:
        known = found.get(edge[:2])
        if known is None or edge.good:
            found[edge[:2]] = edge
    return tuple(found.values())


def _useful(edges: list[tuple[AutomatonEdge, ...]]) -> list[tuple[AutomatonEdge, ...]]:
    """States that the first one leads to, numbered anew, and edges that lead to a good one."""
    live = {at for at, row in enumerate(edges) if any(each.good for each in row)}
    size = -1
    while size != len(live):
        size = len(live)
        live |= {at for at, row in enumerate(edges) if any(e.to in live for e in row)}
    number, order = {0: 0}, [0]
    kept = []
    for at in order:  # grows while we walk
        row = [each for each in edges[at] if each.good or each.to in live]
        for each in row:
            if each.to not in number:
                number[each.to] = len(order)
                order.append(each.to)
        kept.append(tuple(each._replace(to=number[each.to]) for each in row))
    return kept
