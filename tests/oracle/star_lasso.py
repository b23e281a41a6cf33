"""One path at a time: does a path formula hold on it, and which paths are there?

A path is given as a word: position by position the set of what is true there, names of atoms and
formulas A f and E f. After its last letter an infinite path goes on at position `loop` (a lasso); a
finite path ends there, and `loop` is None.

Everything is written as in the definition of the operators. `not f` on a finite path is the
negation pushed down to the letters, so that neither X p nor not X p holds where the path ends. That
is why `_where` asks for f and for its negation apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from oracle.star_formula import both, either, no

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracle.star_formula import Formula
    from oracle.star_structures import Structure

Word = list[set[object]]
_NEGATION = {"X": "X", "F": "G", "G": "F", "U": "R", "R": "U", "and": "or", "or": "and"}


def holds_on(formula: Formula, word: Word, loop: int | None = None) -> bool:
    """Does the path formula hold on the path, at its first position?"""
    return _where(formula, True, word, loop)[0]


def _where(formula: Formula, wanted: bool, word: Word, loop: int | None) -> list[bool]:
    """For each position: does `formula` hold there, or its negation when not `wanted`?"""
    kind = formula[0]
    if kind in ("true", "false"):
        return [(kind == "true") is wanted] * len(word)
    if kind in ("atom", "A", "E"):
        name = formula[1] if kind == "atom" else formula
        return [(name in letter) is wanted for letter in word]
    if kind == "not":
        return _where(formula[1], not wanted, word, loop)
    if kind in ("implies", "xor", "iff"):
        return _where(_unfolded(formula), wanted, word, loop)
    if kind == "W" and not wanted:  # until neither holds, the second does not
        left, right = no(formula[1]), no(formula[2])
        return _where(("U", right, both(left, right)), True, word, loop)
    if not wanted:
        kind = _NEGATION[kind]
    sides = [_where(operand, wanted, word, loop) for operand in formula[1:]]
    return [_at(kind, sides[0], sides[-1], walk) for walk in _walks(len(word), loop)]


def _unfolded(formula: Formula) -> Formula:
    kind, f, g = formula
    if kind == "implies":
        return either(no(f), g)
    if kind == "xor":
        return either(both(f, no(g)), both(no(f), g))
    return either(both(f, g), both(no(f), no(g)))


def _walks(length: int, loop: int | None) -> Iterator[list[int]]:
    """For each position: where the path goes from there, to its end or through the loop once more."""
    again = () if loop is None else range(loop, length)
    for start in range(length):
        yield [*range(start, length), *again]


def _at(kind: str, f: list[bool], g: list[bool], walk: list[int]) -> bool:
    """One operator at the first position of a walk; f and g hold at the positions marked."""
    match kind:
        case "and":
            return f[walk[0]] and g[walk[0]]
        case "or":
            return f[walk[0]] or g[walk[0]]
        case "X":
            return len(walk) > 1 and f[walk[1]]
        case "F":
            return any(f[i] for i in walk)
        case "G":
            return all(f[i] for i in walk)
        case "U":
            return _until(f, g, walk)
        case "W":
            return _until(f, g, walk) or all(f[i] for i in walk)
        case "R":
            return all(g[i] or any(f[j] for j in walk[:at]) for at, i in enumerate(walk))
    raise ValueError(kind)


def _until(f: list[bool], g: list[bool], walk: list[int]) -> bool:
    return any(g[i] and all(f[j] for j in walk[:at]) for at, i in enumerate(walk))


Path = tuple[tuple[int, ...], "int | None"]  # states, and where the loop starts


def lassos(structure: Structure, state: int, length: int) -> Iterator[Path]:
    """All maximal paths from `state` that can be told by at most `length` states, short ones first."""
    paths: list[tuple[int, ...]] = [(state,)]
    for _ in range(length):
        longer = []
        for path in paths:
            after = structure.after(path[-1])
            if not after:
                yield path, None
            for target in after:
                yield from ((path, at) for at, there in enumerate(path) if there == target)
                longer.append((*path, target))
        paths = longer
