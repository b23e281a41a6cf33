"""Local checking: labels of one context pair from the known values of its calls.

A context pair (S, theta) ([Finis2012], Definition 3.3.4) asks for one formula, phi = EX psi, EG psi
or E[psi U chi], in one sub-structure S, given what waits after its exit. Its *row* says for each
node whether phi is true, false or still maybe. At a call the row holds the assumption about the
call: the label of the callee's entry in the context that the call makes. So one row is both the
knowledge base kappa of section 3.3.2 for this pair and, in the words of appendix A, a summary:
guarantees at locations, assumptions at calls.

    thesis                          here
    t, m, f                         T, M, F (as numbers: and is min, or is max)
    eta, topmost of theta           Pair.eta
    psi, chi                        Pair.psi, Pair.chi: rows of the subformulas
    kappa(l, theta)                 Pair.row[l]
    mu(c) of K(kappa, S, theta)     Pair.row[c], from `assumption`
    cc, topmost. Ca (eq. A.1)       waiting
    deduceLabels (Alg. 3.5, 4.5)    check_locally

The associated Kripke structure (Definitions 3.5.1, 4.4.1) is not built: its states are the nodes of
S, and its state omega is read off eta.

Deviations:
 - eta speaks about all successors of the return node at once: phi holds in one of them (as equation
   A.1 has it). For EX psi it says whether EX psi holds at the exit. Equation A.1 then takes the
   return node's own label, not that of its successors.
 - A run that is over (dead ends, the exit with the empty stack, the missing return node) has an eta
   that depends on the operator alone: E[psi U chi] has f, EG psi has t. Then the label at the exit
   is chi or psi there, which is right for runs that stay as well as for runs that stop.
 - Where eta of a call is m, equation 3.2 joins the labels for t and f. EX, EU and EG are monotone
   in eta, so t for f, or f for t, decides already.
 - A label that follows at once from a new one is set at once (`spread`, linear in all edges
   together) instead of in another check of the whole sub-structure.

Invariants:
 LO1  labels only change from M to T or F.
 LO2  `told` is the entry's label, or M for as long as callers must not see it yet.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from pigro.logic.normal import EG, EU, EX
from pigro.papers.finis2012.structure import NONE, Structure

F: Final = 0
M: Final = 1
T: Final = 2
NEGATED: Final = bytes([T, M, F]).ljust(256)
"""For `bytes.translate`."""

Row = bytearray
Tick = Callable[[], None]


class ContextLabels:
    """A sub-structure under a call context, with the labels known there for one formula."""

    __slots__ = (
        "callers", "chi", "context", "eta", "formula", "op", "psi", "row", "structure", "targets",
        "told", "watched",
    )  # fmt: skip

    def __init__(self, structure: Structure, op: int, eta: int) -> None:
        self.structure = structure
        self.op = op
        self.eta = eta
        self.psi: Row | None = None
        """None while nothing is known."""
        self.chi: Row | None = None
        self.row = bytearray([M]) * structure.width
        self.targets: dict[int, tuple[ContextLabels, ContextLabels]] = {}
        """For a call, the callee's pairs in its context: with eta false, with eta true."""
        self.callers: list[tuple[ContextLabels, int]] = []
        """Back-pointers (section 5.4): pairs and calls whose assumption is this entry's label."""
        self.told = M
        self.watched: dict[int, int] = {}
        """How many leading successors of a node are known to be false."""
        self.formula = NONE
        self.context = 0

    def aim(self, call: int, low: ContextLabels, high: ContextLabels) -> None:
        """Says which pairs a call leads to, with eta false and with eta true."""
        self.targets[call] = (low, high)
        low.callers.append((self, call))
        high.callers.append((self, call))

    def publish(self) -> bool:
        """Lets callers see the entry's label. Whether that is news."""
        entry = self.structure.entry
        if entry == NONE or self.told == self.row[entry]:
            return False
        self.told = self.row[entry]
        return True

    def is_full(self) -> bool:
        """All locations are labelled (Definition 4.3.1)."""
        row, calls = self.row, self.structure.calls
        return M not in row or row.count(M) == sum([row[call] == M for call in calls])


def ended(op: int) -> int:
    """The eta of EU and EG where a run is over."""
    return T if op == EG else F


def waiting(op: int, row: Row, structure: Structure, back: int) -> int:
    """The eta that waits after return node `back` of a structure labelled by `row`."""
    if op == EX:
        return row[back]
    following = structure.successors[back]
    return max([row[node] for node in following]) if following else ended(op)


def assumption(pair: ContextLabels, call: int) -> int:
    """The known value of the formula at the entry that a call leads to."""
    if call not in pair.targets:
        return M
    low, high = pair.targets[call]
    eta = call_eta(pair, call)
    if eta != M:
        return high.told if eta == T else low.told
    if low.told == T:
        return T
    return F if high.told == F else M


def call_eta(pair: ContextLabels, call: int) -> int:
    """The topmost context assumption of a call, for EU and EG."""
    low, _ = pair.targets[call]
    if low.structure.exit == NONE:
        return F
    back = pair.structure.calls[call].back
    return ended(pair.op) if back == NONE else waiting(pair.op, pair.row, pair.structure, back)


def check_locally(pair: ContextLabels, tick: Tick) -> None:
    """Labels all that follows from psi, chi, eta and the callees' published labels (Alg. 4.5)."""
    row = pair.row
    news = []
    for call in pair.targets:
        if row[call] == M:
            row[call] = assumption(pair, call)
            if row[call] != M:
                news.append(call)
    deduce = _deduce_always if pair.op == EG else _deduce_until
    again = True
    while again:
        tick()
        again = spread(pair, news + deduce(pair)) and pair.op == EU
        news = []


def refresh(pair: ContextLabels, call: int) -> None:
    """Looks at a call's target again and draws the conclusions."""
    if pair.row[call] == M:
        pair.row[call] = assumption(pair, call)
        if pair.row[call] != M:
            spread(pair, [call])


def spread(pair: ContextLabels, news: list[int]) -> bool:
    """Draws the direct conclusions from newly labelled nodes. Whether a call became false.

    A false call may let `_deduce_until` label a cycle. All else that follows is labelled here.
    """
    row, after = pair.row, pair.structure.after
    false_call = False
    while news:
        node = news.pop()
        news += _before_true(pair, node) if row[node] == T else _before_false(pair, node)
        for call in after.get(node, ()):
            if row[call] == M:
                row[call] = assumption(pair, call)
                if row[call] != M:
                    news.append(call)
                    false_call = false_call or row[call] == F
    return false_call


def _before_true(pair: ContextLabels, node: int) -> list[int]:
    """Labels what leads to a true node along psi."""
    row, psi = pair.row, pair.psi
    if psi is None:
        return []
    before = pair.structure.predecessors[node]
    found = [each for each in before if row[each] == M and psi[each] == T]
    for each in found:
        row[each] = T
    return found


def _before_false(pair: ContextLabels, node: int) -> list[int]:
    """Labels what leads to false nodes only, of which `node` is one."""
    row, chi = pair.row, pair.chi
    found = []
    for each in pair.structure.predecessors[node]:
        if row[each] != M or (pair.op == EU and (chi is None or chi[each] != F)):
            continue
        if _all_false(pair, each):
            row[each] = F
            found.append(each)
    return found


def _all_false(pair: ContextLabels, node: int) -> bool:
    """Whether all successors are false. Each is looked at once in the life of the pair."""
    row, successors = pair.row, pair.structure.successors[node]
    at = pair.watched.get(node, 0)
    while at < len(successors) and row[successors[at]] == F:
        at += 1
    pair.watched[node] = at
    return at == len(successors)


def _label_exit(pair: ContextLabels, psi: Row, chi: Row | None) -> list[int]:
    """The exit, from eta: its successor is omega."""
    at = pair.structure.exit
    if at == NONE or pair.row[at] != M:
        return []
    now = min(psi[at], pair.eta)
    pair.row[at] = now if chi is None else max(chi[at], now)
    return [at] if pair.row[at] != M else []


def _label_where(row: Row, marks: bytearray, mark: int, label: int) -> list[int]:
    """Labels the maybe nodes that have the mark."""
    found = [node for node, known in enumerate(row) if known == M and marks[node] == mark]
    for node in found:
        row[node] = label
    return found


def _deduce_until(pair: ContextLabels) -> list[int]:
    """E[psi U chi]: the newly labelled nodes."""
    row, calls, at_exit = pair.row, pair.structure.calls, pair.structure.exit
    unknown = bytearray([M]) * pair.structure.width
    psi = unknown if pair.psi is None else pair.psi
    chi = unknown if pair.chi is None else pair.chi
    news = _label_exit(pair, psi, chi)
    goals = [
        node
        for node, label in enumerate(row)
        if label == M and chi[node] == T and node not in calls
    ]
    for node in goals:
        row[node] = T
    news += goals
    sure = [node for node, label in enumerate(row) if label == T]
    news += _label_where(row, _leading_to(pair, psi, T, sure), 1, T)
    possible = [node for node, label in enumerate(row) if label == T]
    for node, label in enumerate(row):
        if label == M and (chi[node] == M or node in calls or node == at_exit):
            possible.append(node)
    return news + _label_where(row, _leading_to(pair, psi, M, possible), 0, F)


def _leading_to(pair: ContextLabels, psi: Row, least: int, goals: list[int]) -> bytearray:
    """Marks the goals, and the maybe nodes that lead to them along psi >= least."""
    row, predecessors = pair.row, pair.structure.predecessors
    marks = bytearray(pair.structure.width)
    for node in goals:
        marks[node] = 1
    while goals:
        for before in predecessors[goals.pop()]:
            if not marks[before] and row[before] == M and psi[before] >= least:
                marks[before] = 1
                goals.append(before)
    return marks


def _deduce_always(pair: ContextLabels) -> list[int]:
    """EG psi: the newly labelled nodes."""
    if pair.psi is None:
        return []
    news = _label_exit(pair, pair.psi, None)
    news += _label_where(pair.row, _survivors(pair, pair.psi, T), 1, T)
    return news + _label_where(pair.row, _survivors(pair, pair.psi, M), 0, F)


def _survivors(pair: ContextLabels, psi: Row, least: int) -> bytearray:
    """Marks nodes with a path along psi >= least that is endless, dead at its end, or meets phi."""
    row, successors = pair.row, pair.structure.successors
    calls, at_exit = pair.structure.calls, pair.structure.exit
    alive = bytearray(pair.structure.width)
    inner = []
    for node, label in enumerate(row):
        open_ = label == M and node not in calls and node != at_exit
        if (psi[node] if open_ else label) >= least:
            alive[node] = 1
            if open_ and successors[node]:
                inner.append(node)
    left = {node: sum([alive[to] for to in successors[node]]) for node in inner}
    _remove_dying(alive, left, pair.structure.predecessors)
    return alive


def _remove_dying(alive: bytearray, left: dict[int, int], predecessors: list[list[int]]) -> None:
    """Unmarks nodes that have no marked successor left, one after the other."""
    dying = [node for node, count in left.items() if not count]
    while dying:
        node = dying.pop()
        alive[node] = 0
        for before in predecessors[node]:
            if before in left:
                left[before] -= 1
                if not left[before]:
                    dying.append(before)


def step(pair: ContextLabels, node: int, psi: Row, *, stops: bool) -> int:
    """EX psi at a location, from psi at its successors (section 3.4, beta)."""
    if node == pair.structure.exit:
        return pair.eta
    following = pair.structure.successors[node]
    if following:
        return max([psi[to] for to in following])
    return F if stops else psi[node]
