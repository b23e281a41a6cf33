"""Paths that begin where another one ends, joined into one run.

`AG (p -> AF q)` fails by a path to p, and by one without q that begins there. A reader wants one
run: it goes to p, and from there on it has no q.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from pigro.evidence.states import Path

if TYPE_CHECKING:
    from pigro.evidence.states import Evidence


def joined(root: Evidence) -> Evidence:
    """The same tree with paths as long as can be. `marks` say where an inner path begins.

    What else is known where two paths meet, stands among the parts of the whole.
    """
    order: list[Evidence] = []
    whole: dict[int, Evidence] = {}
    pending = [root]
    while pending:
        at = pending.pop()
        order.append(at)
        whole[id(at)] = at if at.path is None else _chain(at, at.path)
        pending += whole[id(at)].parts
    made: dict[int, Evidence] = {}
    for at in reversed(order):
        found = whole[id(at)]
        made[id(at)] = replace(found, parts=tuple([made[id(each)] for each in found.parts]))
    return made[id(root)]


def _chain(at: Evidence, path: Path) -> Evidence:
    """A path with all paths that begin at its end, one after the other."""
    states, rest, marks, contexts = list(path.states), [], [], list(at.contexts)
    inner, others = _next(at)
    while inner is not None and inner.path is not None:
        joint = len(states) - 1
        rest += others
        marks.append((joint, inner.part))
        states += inner.path.states[1:]
        contexts += [
            (part, tuple([(place + joint, node, truth) for place, node, truth in told]))
            for part, told in inner.contexts
        ]
        start = None if inner.path.start is None else inner.path.start + joint
        path = Path(tuple(states), inner.path.ends, start)
        inner, others = _next(inner)
    if not marks:
        return at
    return replace(
        at, path=path, parts=(*rest, *others), contexts=tuple(contexts), marks=tuple(marks)
    )


def _next(at: Evidence) -> tuple[Evidence | None, list[Evidence]]:
    """The one path that begins at the end of another one, if there is one. And what else is there.

    Labels need no mention: the last state has them.
    """
    ends = list(at.parts)
    if len(ends) == 1 and ends[0].kind == "boolean":
        ends = [each for each in ends[0].parts if each.kind != "label"]
    paths = [each for each in ends if each.path is not None]
    if len(paths) != 1:
        return None, list(at.parts)
    return paths[0], [each for each in ends if each is not paths[0]]
