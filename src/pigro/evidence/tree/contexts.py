"""The contexts of a path: which operators are true at the exits of the procedures that it is in.

A witness of [Dubslaff2024], 8.1, has nodes, call stacks and contexts. The context of a state gives
values to operators at the exits of its component: those that they have after the return, with the
stack of the state. So all states with one stack have one context. Without a call there is none.
Values that the certificate does not prove are left out, for nothing depends on them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.evidence.states import EMPTY, State
from pigro.logic.normal import ATOM, EX

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.states import Path, Stack
    from pigro.evidence.tree.following import CertificateFollower
    from pigro.evidence.tree.proved import CertificateView
    from pigro.logic import NormalForm
    from pigro.model import RSM

Context = tuple[int, int, bool]
"""The first state of a path with some stack, by its place. An exit of its component. A truth."""
Contexts = tuple[tuple[int, tuple[Context, ...]], ...]
"""For each operator, by its number in the normal form, what the contexts of a path say of it."""
_MOST = 1 << 16
"""Pairs of a stack and an exit that are looked at. Those beyond are left out."""


def contexts_of(follower: CertificateFollower, part: int, path: Path) -> Contexts:
    """The contexts of a path that shows a part of the normal form."""
    places = list(_exits(follower.model, path))
    if not places:
        return ()
    states = [State(path.states[at].stack, node) for at, node in places]
    parts = _operators(follower.form, part)
    rows = follower.along([follower.level_of[each] for each in parts], states)
    found = []
    for each, truths in zip(parts, rows, strict=True):
        pairs = zip(places, truths, strict=True)
        told = tuple([(*place, truth) for place, truth in pairs if truth is not None])
        if told:
            found.append((each, told))
    return tuple(found)


def need_contexts(proved: CertificateView, part: int, path: Path, contexts: Contexts) -> None:
    """`WrongEvidence` unless a certificate proves all that the contexts of a path say."""
    from pigro.evidence.data import require

    model = proved.model.model
    operators = set(_operators(proved.form, part))
    first = {at for at, _ in _firsts(path)}
    for each, told in contexts:
        require(each in operators, "a context is about no operator of its path")
        operators.discard(each)
        seen: set[tuple[int, int]] = set()
        for at, node, truth in told:
            require(at in first, "a context is of no stack of its path")
            stack = path.states[at].stack
            exits = _exits_of(model, model.core.callee(stack.box))
            require(node in exits, "a context is not at an exit")
            require((at, node) not in seen, "a context is given twice")
            seen.add((at, node))
            proof = proved.value(each, State(stack, node))
            require(proof is truth, "the certificate does not prove a context")


def _operators(form: NormalForm, part: int) -> list[int]:
    """The temporal operators in a part of a normal form, ascending."""
    found, pending = set(), [part]
    while pending:
        at = pending.pop()
        if at < 0 or at in found:
            continue
        found.add(at)
        if form.ops[at] != ATOM:
            pending += form.left[at], form.right[at]
    return sorted(each for each in found if form.ops[each] >= EX)


def _firsts(path: Path) -> Iterator[tuple[int, Stack]]:
    """The stacks of a path that are not empty, each with its first state."""
    seen: set[Stack] = set()
    last = None
    for at, (stack, _) in enumerate(path.states):
        if stack is not last and stack is not EMPTY and stack not in seen:
            seen.add(stack)
            yield at, stack
        last = stack


def _exits(model: RSM, path: Path) -> Iterator[tuple[int, int]]:
    """The exits of the procedures that a path is in, each with the first state of the stack."""
    left = _MOST
    for at, stack in _firsts(path):
        own = _exits_of(model, model.core.callee(stack.box))
        left -= len(own)
        if left < 0:
            return
        yield from ((at, node) for node in own)


def _exits_of(model: RSM, component: int) -> tuple[int, ...]:
    known: dict[int, tuple[int, ...]] = model.memo.setdefault("exits of components", {})
    if component not in known:
        nodes = model.core.nodes_of(component)
        known[component] = tuple([node for node in nodes if model.core.is_exit(node)])
    return known[component]
