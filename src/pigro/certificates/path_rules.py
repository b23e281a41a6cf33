"""The rules about path formulas, K2 to K9 of docs/certificate-rules.md, each with its text.

K0, the branches, is in `tableau.py`. K1 and K10 are R1 and R8. Nothing is searched: each claim is
looked at once, and counts for those after it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.certificates.path_reading import LIVE, LOOP, WAY, Vertex
from pigro.model import DeadEnds
from pigro.model.plain import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.certificates.path_reading import BoundBlock, SureBlock
    from pigro.certificates.path_values import PathClaimedValues

K = 100
"""Added to the numbers of these rules."""
Fault = tuple[int, str, int, int | None]
"""A rule, and where it is broken."""
_RULE = (5, 2, 4, 3)
"""Of each kind of sure block."""


def fault_of_paths(stage: PathClaimedValues) -> Fault | None:
    """The first rule that is broken, and where."""
    for at, block in enumerate(stage.paths.sure):
        wrong = k2_to_k5_sure(stage, block)
        if wrong is not None:
            return K + _RULE[block.kind], "block", at, wrong
    for at, bound in enumerate(stage.paths.bound):
        for vertex in bound.marks:
            if not k6_bound(stage, bound, vertex):
                return K + 6, "bound block", at, vertex.node
    for at, part in enumerate(stage.paths.parts):
        for vertex in part.vertices:
            if not k7_rank(stage, at, part.mark, vertex):
                return K + 7, "part", at, vertex.node
    return next(k9_masks(stage), None)


def k2_to_k5_sure(stage: PathClaimedValues, block: SureBlock) -> int | None:  # noqa: C901 - four rules
    """In order, a vertex is an exit in Z (K2, K5); or it has a sure move that is accepted at once,
    or leads to a live vertex, or to an earlier one of the block; of K2 and K5 inside the
    invocation.

    K2: Z is one pair, and the last vertex is the entry. K3: the first vertex needs nothing, and in
    the end all marks were seen on ways from it back to it. K4: all vertices are live. K5: any Z.

    The node of the first vertex that is wrong; None if all are right.
    """
    seen: dict[Vertex, int] = {}
    closed = block.kind != LOOP
    for place, at in enumerate(block.vertices):
        if block.kind == LOOP and place == 0:
            seen[at] = 0
            continue
        if stage.is_exit(at):
            if block.operands is None or not block.exits >> stage.exit_pair(at) & 1:
                return at.node
            seen.setdefault(at, 0)
            continue
        fine, marks = False, seen.get(at, 0)
        for move in stage.moves(at, sure=True):
            inside = move.inside or block.operands is None
            fine = fine or move.to is None or move.to in stage.live
            if move.to in seen and inside:
                fine, marks = True, marks | move.marks | seen[move.to]
        if not fine:
            return at.node
        seen[at] = marks
        closed = closed or at == block.vertices[0]
        if block.kind == LIVE:
            stage.live.add(at)
    if block.kind == LOOP:
        if not closed or seen[block.vertices[0]] != stage.all_marks:
            return block.vertices[0].node
        stage.live.update(block.vertices)
    if block.kind == WAY and block.exits:
        ways = stage.ways.setdefault(block.vertices[-1], {})
        pair = block.exits.bit_length() - 1
        ways[pair] = ways.get(pair, 0) | seen[block.vertices[-1]]
    return None


def k6_bound(stage: PathClaimedValues, block: BoundBlock, at: Vertex) -> bool:
    """All possible moves from a vertex that is no exit are known, none is accepted at once, and
    those inside the invocation lead to vertices of the block (K8); with an entry, these have the
    marks of the vertex and of the move.
    """
    if stage.is_exit(at):
        return True
    for move in stage.moves(at, sure=False):
        if move.to is None:
            return False
        if move.inside:
            if move.to not in block.marks:
                return False
            missing = (block.marks[at] | move.marks) & ~block.marks[move.to]
            if block.entry is not None and missing:
                return False
    return True


def k7_rank(stage: PathClaimedValues, part: int, mark: int | None, at: Vertex) -> bool:
    """All possible moves from a vertex that is no exit are known, and none is accepted at once.
    Each leads to an exit; or to an earlier part; or to the same part, and has not its mark; if the
    part has no mark, to an earlier vertex of it.
    """
    if stage.is_exit(at):
        return True
    for move in stage.moves(at, sure=False):
        if move.to is None:
            return False
        if stage.is_exit(move.to):
            continue
        to = stage.rank.get(move.to)
        if to is None or to[0] > part:
            return False
        if to[0] == part:
            fine = to < stage.rank[at] if mark is None else not move.marks >> mark & 1
            if not fine:
                return False
    return True


def k9_masks(stage: PathClaimedValues) -> Iterator[Fault]:  # noqa: C901 - roots and links, both sides
    """At a root, for (q, e) in T: staying at e is live; in F: it is in a part. If link(I, b) = C,
    and the return node exists: for (q, e) in T(C) its value at I is true, for F(C) false. If not:
    as at a root; under `stop`, for T(C) the run can surely end at e, for F(C) it can't possibly.
    """
    level, stop = stage.level, stage.model.model.dead_ends is DeadEnds.STOP

    def stays(at: int, pair: int, side: int) -> bool:
        operands = level.instances[at].operands
        part = stage.part(Vertex(operands, 0, 0))
        state, exit_ = divmod(pair, len(part.exits))
        vertex = Vertex(operands, state, part.width + exit_)
        return vertex in stage.live if side == 0 else vertex in stage.rank

    for at, instance in enumerate(level.instances):
        for side, mask in enumerate((instance.true, instance.false) if instance.root else ()):
            for pair in members(mask):
                if not stays(at, pair, side):
                    yield K + 9, "instance", at, pair
    for at, (source, box, target) in enumerate(level.instance_links):
        above, to = level.instances[source], level.instances[target]
        call = stage.part(Vertex(above.operands, 0, 0)).boxes[box]
        exits = len(stage.part(Vertex(to.operands, 0, 0)).exits)
        for side, mask in enumerate((to.true, to.false)):
            for pair in members(mask):
                state, exit_ = divmod(pair, exits)
                if exit_ in call.back:
                    back = Vertex(above.operands, state, call.back[exit_])
                    fine = stage.has_value(above, back, value=side == 0)
                elif stop:
                    fine = stage.may_end(to.operands, state, exit_, sure=side == 0) == (side == 0)
                else:
                    fine = stays(target, pair, side)
                if not fine:
                    yield K + 9, "instance link", at, pair
