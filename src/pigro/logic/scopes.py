"""What the parser knows of fixpoints and modalities, and the rule that variables stand positively.

While it is read, a fixpoint or a modality waits on the parser's stack as a number. `BinderScope`
holds what the number can't say, the name of the variable or the actions, last one last. Formulas
without them pay nothing.

A name is a variable in the body of its fixpoint and a label elsewhere. There, it may even be a word
that is an operator before a formula, such as X.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.logic.lexer import (
    CLOSING_MODALITY,
    PREFIX,
    VARIABLE_NAMES,
    bare_length,
    label_of,
)
from pigro.logic.operators import Op

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.logic.arena import Arena

_MU, _VARIABLE, _DIAMOND = int(Op.MU), int(Op.VARIABLE), int(Op.DIAMOND)
_NOT, _XOR, _IMPLIES, _IFF = int(Op.NOT), int(Op.XOR), int(Op.IMPLIES), int(Op.IFF)
_Found = dict[int, int]
_NOTHING: _Found = {}


class BinderScope:
    """The fixpoints and modalities that are still being read."""

    __slots__ = ("bound", "prefix", "tracked", "waiting")

    def __init__(self, *, tracked: bool = False) -> None:
        self.waiting: list[str | tuple[str, ...]] = []
        self.bound: set[str] = set()
        """The names that are variables here."""
        self.prefix = PREFIX
        """What tokens mean where an operand may start: without words that are variables here."""
        self.tracked = tracked
        """Whether each occurrence of a variable is a node of its own, with its place as `right`."""

    def enter(self, name: str) -> bool:
        """Start the fixpoint of a variable. False if the name can't be taken."""
        if name in self.bound or not is_variable_name(name):
            return False
        self.waiting.append(name)
        self.bound.add(name)
        self._shadow(name)
        return True

    def leave(self, op: int) -> str | tuple[str, ...]:
        """End the innermost fixpoint or modality: its variable or actions."""
        of = self.waiting.pop()
        if op >= _MU and isinstance(of, str):
            self.bound.remove(of)
            self._shadow(of)
        return of

    def forget(self, leaves: dict[str, int]) -> None:
        """Take the innermost variable out of the labels that the parser knows."""
        of = self.waiting[-1]
        if isinstance(of, str):
            leaves.pop(of, None)

    def _shadow(self, name: str) -> None:
        if name in PREFIX:
            rest = PREFIX.keys() - self.bound
            self.prefix = {word: PREFIX[word] for word in rest}

    def occurrence(self, name: str, place: int, arena: Arena) -> int:
        """The node for a variable, which is token number `place`."""
        return arena.occurrence(name, place if self.tracked else -1)


def is_variable_name(name: str) -> bool:
    """Whether a word can be a variable: a label that needs no quotes, or one such as X.

    >>> [is_variable_name(name) for name in ("Z", "X", "AX", "true", "x.y")]
    [True, True, False, False, False]
    """
    if name in VARIABLE_NAMES:
        return True
    if not name or "." in name:
        return False
    return bare_length(name) == len(name) and label_of(name) == name


def actions_from(tokens: Sequence[str], place: int) -> tuple[int, tuple[str, ...]] | None:
    """The actions of the modality that starts at token `place`, and the place of its last token.

    None if there is no modality.

    >>> actions_from(["<", "b", ",", "a", ">", "p"], 0), actions_from(["[", "]"], 0)
    ((4, ('a', 'b')), (1, ()))
    """
    close = CLOSING_MODALITY[tokens[place]]
    if tokens[place + 1 : place + 2] == [close]:
        return place + 1, ()
    names: set[str] = set()
    for at in range(place + 1, len(tokens) - 1, 2):
        name = label_of(tokens[at])
        if name is None:
            return None
        names.add(name)
        if tokens[at + 1] == close:
            return at + 1, tuple(sorted(names))
        if tokens[at + 1] != ",":
            return None
    return None


def negated_variable(  # noqa: C901 - a case for each kind of operator
    arena: Arena,
) -> int | None:
    """A node of a variable under an odd number of negations in its fixpoint. None if there is none.

    For each node, the variables that occur free in it under an even and under an odd number of
    negations, each with one of its nodes. Never more than the fixpoints that are nested. Most nodes
    have none.
    """
    ops, left, right = arena.columns()
    last_use = _last_uses(ops, left, right)
    even: list[_Found] = []
    odd: list[_Found] = []
    for node, op in enumerate(ops):
        if op <= Op.ATOM:
            plus = minus = _NOTHING
        elif op == _VARIABLE:
            plus, minus = {left[node]: node}, _NOTHING
        else:
            plus, minus = even[left[node]], odd[left[node]]
            if op in (_NOT, _IMPLIES):
                plus, minus = minus, plus
            if op < _DIAMOND and right[node] >= 0:
                plus, minus = _merged(plus, even[right[node]]), _merged(minus, odd[right[node]])
                if op in (_XOR, _IFF):
                    plus = minus = _merged(plus, minus)
            elif op >= _MU:
                of = right[node]
                if of in minus:
                    return minus[of]
                if of in plus:
                    plus = {name: found for name, found in plus.items() if name != of}
            for child in (left[node], right[node]):
                if last_use.get(child) == node:
                    even[child] = odd[child] = _NOTHING
        even.append(plus)
        odd.append(minus)
    return None


def _last_uses(ops: Sequence[int], left: Sequence[int], right: Sequence[int]) -> dict[int, int]:
    """For each node of a formula, the last one that it is an operand of."""
    found: dict[int, int] = {}
    for node, op in enumerate(ops):
        if op <= Op.ATOM or op == _VARIABLE:
            continue
        found[left[node]] = node
        if op < _DIAMOND and right[node] >= 0:
            found[right[node]] = node
    return found


def _merged(one: _Found, other: _Found) -> _Found:
    """All of both. Nodes of the first come first."""
    if not other or one is other or one.keys() >= other.keys():
        return one
    return {**other, **one} if one else other


def joined(one: frozenset[int], other: frozenset[int]) -> frozenset[int]:
    """The union. One of the two itself where it can be."""
    if one is other or one >= other:
        return one
    return other if one <= other else one | other
