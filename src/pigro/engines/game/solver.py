"""Parity games with three outcomes, as flat arrays. The native core solves them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core

if TYPE_CHECKING:
    from array import array

    from pigro.logic.modal import ModalForm

NO, YES, MAYBE, ABSENT = 0, 1, 2, 3
"""Colours of positions: Player 1 wins, Player 0 wins, neither does for sure. No position."""
OPEN = 4
"""Of a position whose colour is not known. Plus `1 << colour` for those that it can't get."""
TIE = 2
"""The owner of a node where the play ends without a winner."""


def core_formula(form: ModalForm) -> _core.ModalFormula:
    """A formula as the native core takes it."""
    return _core.ModalFormula(
        memoryview(form.ops),
        memoryview(form.left),
        memoryview(form.right),
        memoryview(form.priority),
        form.root,
    )


def solve(
    owner: bytes, priority: array[int], offsets: array[int], targets: array[int], must: bytes
) -> bytes:
    """The colour of each node.

    Node n belongs to player `owner[n]`, 0 or 1, or is a tie, 2. Its edges are those from
    `offsets[n]` to `offsets[n + 1]`. `must` is 1 for edges that are there for sure. The largest
    priority that a play meets infinitely often decides it, if even for Player 0. A player who can't
    move loses.

    >>> from array import array
    >>> priority, offsets = array("i", [1, 0]), array("i", [0, 2, 2])
    >>> targets = array("i", [0, 1])
    >>> list(solve(bytes([0, 1]), priority, offsets, targets, bytes([1, 1])))
    [1, 1]
    >>> list(solve(bytes([0, 1]), priority, offsets, targets, bytes([1, 0])))
    [2, 1]
    """
    colours, _ = _core.solve_parity(
        memoryview(owner),
        memoryview(priority),
        memoryview(offsets),
        memoryview(targets),
        memoryview(must),
    )
    return colours
