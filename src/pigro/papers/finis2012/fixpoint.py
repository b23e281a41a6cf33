"""labelByFixpoint with back-pointers ([Finis2012], Alg. 3.4, section 5.4): EU, EG over many pairs.

Rounds are as in the thesis: in a round, callees are seen as they were at the end of the round
before. Every pair is checked in the first round. Later, only pairs that call one whose entry was
labelled in the round before, and only if that tells them something. When nothing is left to check,
labels that are still maybe are decided: false for EU, true for EG (Alg. 3.6).

Why the end is right: call a location *open* if it is maybe then. Open locations depend on open ones
only (`relevant` is closed), and `assumption` is maybe only if the callee's pair with the lower eta
is not true (so false or open) and that with the higher eta not false. All open ones false is thus a
solution of the expansion law of EU, and the least one, since no open location has a finite reason.
All true is the greatest solution for EG.

Cost: a pair is checked at most once for each of its calls whose assumption changes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.papers.finis2012.local import M, assumption, check_locally, ended, refresh

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping

    from pigro.papers.finis2012.local import ContextLabels, Tick

    Watch = Callable[[int, ContextLabels, bytes], None]


def label_by_fixpoint(
    relevant: Mapping[ContextLabels, Collection[int]], tick: Tick, watch: Watch | None = None
) -> list[int]:
    """Labels the given nodes of the given pairs. How many pairs were checked in each round.

    `watch` hears of every check: its round, the pair, and the row as it was. Round 0 comes last.
    Needs: psi and chi are known there, and the nodes are closed: where the formula depends on a
    call or its context, the callee's pairs are given or their entry is labelled.
    """
    checks = []
    todo = list(relevant)
    while todo:
        checks.append(len(todo))
        for pair in todo:
            before = bytes(pair.row) if watch else b""
            check_locally(pair, tick)
            if watch:
                watch(len(checks), pair, before)
        todo = _with_news([pair for pair in todo if pair.publish()], relevant)
    for pair in relevant:
        tick()
        for call in pair.targets:
            refresh(pair, call)  # of pairs that were labelled fully before their callees
    for pair, nodes in relevant.items():
        tick()
        before = bytes(pair.row) if watch else b""
        _decide_remaining_maybes(pair, nodes)
        if watch:
            watch(0, pair, before)
    return checks


def _with_news(
    labelled: list[ContextLabels], members: Mapping[ContextLabels, Collection[int]]
) -> list[ContextLabels]:
    """The pairs that learn something from the labels of these entries."""
    found: dict[ContextLabels, None] = {}
    for pair in labelled:
        for caller, call in pair.callers:
            if (
                caller.row[call] == M
                and caller in members
                and caller not in found
                and assumption(caller, call) != M
            ):
                found[caller] = None
    return [pair for pair in found if not pair.is_full()]


def _decide_remaining_maybes(pair: ContextLabels, nodes: Collection[int]) -> None:
    """Alg. 3.6. The calls among the nodes get their assumptions the same way."""
    row = pair.row
    if M in row:
        rest = ended(pair.op)
        for node in nodes:
            if row[node] == M:
                row[node] = rest
    pair.publish()
