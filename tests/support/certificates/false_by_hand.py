"""False certificates of path formulas written by hand, for conditions that a random search seldom hits.

Each has the condition, a machine as in star_traps/notation.py, a formula, the wrong verdict, and the levels.
"""

from __future__ import annotations

from typing import NamedTuple

from pigro.certificates.path_reading import (
    LIVE,
    BoundBlock,
    MarkedVertices,
    PathClaims,
    SureBlock,
    Vertex,
)
from pigro.certificates.reading import ClaimLevel, Instance, Link, OperandContext

ROOT = Instance(0, root=True, true=0, false=0)


class ByHand(NamedTuple):
    """A certificate of a wrong verdict."""

    condition: str
    components: tuple[str, ...]
    options: str
    formula: str
    holds: bool
    levels: tuple[ClaimLevel, ...]


def _alone(paths: PathClaims) -> ClaimLevel:
    """A level about one component."""
    return ClaimLevel((OperandContext(0, ()),), instances=(ROOT,), paths=paths)


def _false(states: tuple[int, ...], vertices: list[Vertex], *parts: MarkedVertices) -> PathClaims:
    block = BoundBlock(0, None, dict.fromkeys(vertices, 0))
    return PathClaims(states, (), (block,), parts)


def _called(mask: int) -> tuple[ClaimLevel, ...]:
    """E [X (E [G (F p)])], where an exit without a return node is said to be false."""
    both, link = (OperandContext(0, ()), OperandContext(1, ())), (Link(0, 0, 1),)
    called = Instance(1, root=False, true=0, false=mask)
    entry, leave = Vertex(1, 0, 0), Vertex(1, 0, 1)
    paths = PathClaims(
        (FIRST,),
        (),
        (BoundBlock(1, None, {entry: 0, leave: 0}),),
        (MarkedVertices(None, (entry,)),),
    )
    below = ClaimLevel(both, link, (ROOT, called), link, paths=paths)
    above = (OperandContext(0, (0,)), OperandContext(1, (1,)))
    return below, ClaimLevel(above, link, (ROOT,))


FIRST = 1 << 4
"""Of G F p: the leaves true, p and false, F p, and the formula."""
A, B, OUT = Vertex(0, 0, 0), Vertex(0, 0, 1), Vertex(0, 0, 1)
GO_ON = 1 << 5
"""Of G X F p: the leaves true, p and false, F p, X F p, and the formula."""
TO_EXIT = ("0>; 1-1; 0->b0.0", "0> 1![p];; 0->1")
BY_HAND = (
    ByHand(
        "K4: no exit is live",
        ("0> 1!;; 0->1",),
        "",
        "E [G (F p)]",
        True,
        (_alone(PathClaims((FIRST,), (SureBlock(LIVE, None, 0, (OUT, A)),), (), ())),),
    ),
    ByHand(
        "K7: rank does not grow",
        ("0>[p] 1;; 0->1 1->0",),
        "",
        "E [G (F p)]",
        False,
        (_alone(_false((FIRST,), [A, B], MarkedVertices(None, (A,)), MarkedVertices(None, (B,)))),),
    ),
    ByHand("K9: staying", TO_EXIT, "", "E [X (E [G (F p)])]", False, _called(1)),
    ByHand("K9: ends", TO_EXIT, "stop", "E [X (E [G (F p)])]", False, _called(1)),
    ByHand(
        "K0: what is seen has its mark",
        ("0>[p];; 0->0",),
        "",
        "E [G (X (F p))]",
        False,
        (
            _alone(
                _false(
                    (GO_ON, GO_ON | 1 << 3),
                    [A, Vertex(0, 1, 0)],
                    MarkedVertices(0, (Vertex(0, 1, 0), A)),
                )
            ),
        ),
    ),
    ByHand(
        "K0: implied branches have the marks",
        ("0>[p];; 0->0",),
        "",
        "E [G (X (F (E [X p])))]",
        False,
        (
            ClaimLevel(()),
            ClaimLevel(
                (OperandContext(0, (None,)),),
                instances=(ROOT,),
                paths=_false(
                    (GO_ON, GO_ON | 1 << 3),
                    [A, Vertex(0, 1, 0)],
                    MarkedVertices(0, (Vertex(0, 1, 0), A)),
                ),
            ),
        ),
    ),
    ByHand(
        "K0: implied branches may end",
        ("0>[qr];;",),
        "stop",
        "E [(X (G q)) or ((G q) & (G r))]",
        False,
        (_alone(_false((1 << 7,), [A], MarkedVertices(None, (A,)))),),
    ),
    ByHand(
        "K7: ends where there is no return",
        ("0>; 1-1; 0->b0.0", "0> 1!;; 0->1"),
        "stop",
        "E [G (F (!p))]",
        False,
        (
            ClaimLevel(
                (OperandContext(0, ()), OperandContext(1, ())),
                (Link(0, 0, 1),),
                (ROOT,),
                paths=PathClaims(
                    (FIRST,),
                    (),
                    (
                        BoundBlock(0, None, {A: 0}),
                        BoundBlock(1, Vertex(1, 0, 0), {Vertex(1, 0, 0): 0, Vertex(1, 0, 1): 1}),
                    ),
                    (MarkedVertices(None, (Vertex(1, 0, 0), A)),),
                ),
            ),
        ),
    ),
)
