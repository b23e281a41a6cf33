"""What does `U` join in `A [ ... ]`?

In NuSMV, `A [p & q U r]` is one operator of CTL: `p & q` up to the `U`, and `r` after it. In a path
formula, however, `U` binds tighter than `&`. So brackets with a single `U` and no other operator on
paths, apart from those under an A or E of their own, are read as in NuSMV, and all others as path
formulas. Where the two readings of a path formula differ, it is refused.

All brackets inside of one are looked at together, so that no token is looked at twice.
"""

from __future__ import annotations

from pigro.formats.smv.syntax.text import END, Fault
from pigro.formats.smv.syntax.words import (
    BETWEEN,
    BOUNDS,
    FUNCTIONS,
    INFIX,
    OPENING,
    PREFIX,
    QUANTIFIERS,
    SECTIONS,
    STEPS,
    UNTIL,
)

_CONNECTIVES = frozenset(("&", "|", "xor", "xnor", "<->", "->", "?"))
_CLOSING = frozenset(OPENING.values())
_BEFORE_BRACKET = frozenset((*FUNCTIONS, "next"))
"""Words that a round bracket follows."""


class _Frame:
    """A bracket. `owner` is the `A [` that it belongs to: itself, or the next one outside."""

    __slots__ = ("at", "joined", "others", "owner", "untils")

    def __init__(self, at: int, owner: _Frame | None) -> None:
        self.at = at
        self.owner = owner or self
        self.untils: list[int] = []  # directly inside
        self.joined = False  # by a connective directly inside
        self.others = 0  # operators on paths but U directly inside


def splits(tokens: list[str], place: int, known: dict[int, bool]) -> bool:
    """Whether the `A [` at token `place` is that of CTL. `known` has those found before."""
    if place not in known:
        _scan(tokens, place, known)
    return known[place]


def _scan(tokens: list[str], place: int, known: dict[int, bool]) -> None:
    frames: list[_Frame] = []
    wanted = True
    while (token := tokens[place]) != END and token not in SECTIONS:
        if token in _CLOSING and (not wanted or token == "esac"):
            done = frames.pop()
            wanted = False
            if done.owner is done:
                known[done.at] = _is_split(tokens, done)
            if not frames:
                return
        elif wanted:
            if token in QUANTIFIERS and tokens[place + 1] == "[":
                known[place] = False
                frames.append(_Frame(place, None))
                place += 1
            elif token in OPENING and token not in QUANTIFIERS and token not in _BEFORE_BRACKET:
                frames.append(_Frame(place, frames[-1].owner))
            elif token in STEPS or token in QUANTIFIERS:
                frames[-1].owner.others += 1
                place += _width_of_bounds(tokens, place)
            else:
                wanted = token in PREFIX or token in _BEFORE_BRACKET or token == "+"
                place += _width_of_bounds(tokens, place)
        elif token == "[":  # an index
            frames.append(_Frame(place, frames[-1].owner))
            wanted = True
        else:
            wanted = token in INFIX or token in BETWEEN
            _note(frames[-1], token, place)
            place += _width_of_bounds(tokens, place) if token == "BU" else 0
        place += 1


def _width_of_bounds(tokens: list[str], place: int) -> int:
    """The number of tokens of the bounds after the operator at `place`; 0 if it has none."""
    token = tokens[place]
    if token not in BOUNDS:
        return 0
    before, between, after = BOUNDS[token]
    if before:
        return 5 if tokens[place + 5 : place + 6] == [after] and tokens[place + 1] == before else 0
    return 3 if tokens[place + 2 : place + 3] == [between] and tokens[place + 3] != END else 0


def _note(frame: _Frame, token: str, place: int) -> None:
    """Takes down an operator between two operands."""
    if token in _CONNECTIVES:
        frame.joined = True
    elif INFIX.get(token, (0, 0))[0] == UNTIL:
        if frame.owner is frame:
            frame.untils.append(place)
        if frame.owner is not frame or token not in ("U", "BU"):
            frame.owner.others += 1


def _is_split(tokens: list[str], frame: _Frame) -> bool:
    if not frame.untils:
        return False
    if len(frame.untils) == 1 and not frame.others:
        return True
    if frame.joined:
        first = frame.untils[0]
        raise Fault(
            "P122",
            f"what `{tokens[first]}` joins could be read in two ways",
            first,
            f"put round brackets around `p {tokens[first]} q`, or around p and q",
        )
    return False
