"""Why a formula is true or false in a state, as a tree of paths and claims.

At the root is the whole formula at an initial node. A path shows what some run does; at its last
state hangs the evidence for what is true there. What *no* run does can't be shown by a path: it is
a claim, proved by the certificate.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from pigro.certificates.reading import Malformed
from pigro.evidence.following import Follower
from pigro.evidence.stacks import EMPTY
from pigro.evidence.states import Path, State
from pigro.limits import unwatched
from pigro.logic.normal import ATOM, EU, EX, TRUE

if TYPE_CHECKING:
    from pigro.certificates.certificate import Certificate
    from pigro.limits import Poll
    from pigro.model import RSM


Facts = tuple[tuple[int, tuple[bool | None, ...]], ...]
"""For each of some A and E its truth in each state of a path; None where it does not matter."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a subformula is true or false in a state."""

    part: int
    """The subformula, as a number in the normal form; outside of CTL in the formula (runs.py)."""
    truth: bool
    state: State
    kind: str
    """`label`; `boolean`: by its parts; `path` and `run`: some run; `claim`: about all runs."""
    path: Path | None = None
    parts: tuple[Evidence, ...] = ()
    """Of a boolean, what decides it here; of a path, what is true in its last state."""
    explored: int = 0
    """Of a claim: at how many places the certificate proves it."""
    facts: Facts = ()
    """Of a run: what it relies on, A and E inside its path formula."""


def evidence_for(
    model: RSM, certificate: bytes, *, shortest: bool = False, poll: Poll = unwatched
) -> Evidence:
    """The evidence for the verdict of a certificate file: at an initial node that decides it.

    `shortest` says that the certificate was made with shortest paths. `poll` is called again and
    again, and raises to stop.
    """
    return _explained(Follower.of_file(model, certificate, poll), shortest=shortest, poll=poll)


def evidence_of(certificate: Certificate, poll: Poll = unwatched) -> Evidence:
    """The same for a certificate that was just made."""
    follower = Follower.of(certificate, poll)
    return _explained(follower, shortest=certificate.shortest, poll=poll)


def _explained(follower: Follower, *, shortest: bool, poll: Poll) -> Evidence:
    with follower:
        root = len(follower.form) - 1
        states = [State(EMPTY, node) for node in follower.initial]
        wanted = [state for state in states if follower.value(root, state) is follower.holds]
        if not wanted:
            raise Malformed("the certificate does not prove its verdict")
        return Explainer(follower, shortest=shortest, poll=poll).explain(root, wanted[0])


class Explainer:
    """Explains values that a certificate proves."""

    def __init__(
        self, follower: Follower, *, shortest: bool = False, poll: Poll = unwatched
    ) -> None:
        self.follower, self.shortest, self.poll = follower, shortest, poll

    def explain(self, part: int, state: State) -> Evidence:
        """Why a subformula has its value in a state. Needs: the certificate proves it."""
        made: list[Evidence] = []
        pending: list[tuple[int, State, bool]] = [(part, state, False)]
        open_parts: list[tuple[Evidence, int]] = []
        while pending:
            self.poll()
            at, where, ready = pending.pop()
            if ready:  # all below it is made
                evidence, count = open_parts.pop()
                parts = tuple(made[len(made) - count :])
                del made[len(made) - count :]
                made.append(replace(evidence, parts=parts))
                continue
            evidence, below = self._one(at, where)
            open_parts.append((evidence, len(below)))
            pending.append((at, where, True))
            pending += [(each, there, False) for each, there in reversed(below)]
        return made[0]

    def _one(self, part: int, state: State) -> tuple[Evidence, list[tuple[int, State]]]:
        """Evidence without its parts, and what these are."""
        values = self.follower.values(part, state)
        truth = values[part]
        if truth is None:
            raise Malformed("the certificate does not prove what it rests on")
        op = self.follower.form.ops[part]
        if op in {TRUE, ATOM}:
            return Evidence(part, truth, state, "label"), []
        if op < EX:
            below = [(leaf, state) for leaf in self.follower.booleans.deciding(part, values)]
            return Evidence(part, truth, state, "boolean"), below
        if not truth:
            explored = self.follower.explored(part)
            return Evidence(part, truth, state, "claim", explored=explored), []
        path, goal = self._path(part, state)
        below = [] if goal is None else [(goal, path.states[-1])]
        return Evidence(part, truth, state, "path", path), below

    def _path(self, part: int, state: State) -> tuple[Path, int | None]:
        """A path for an operator that is true, and what is true at its end."""
        form, value = self.follower.form, self.follower.value
        op, left, right = form.ops[part], form.left[part], form.right[part]
        if op == EX:
            after = [s for s in self.follower.steps.maximal_next(state) if value(left, s)]
            if not after:
                raise Malformed("the certificate does not prove what it rests on")
            return Path((state, after[0]), shortest=True), left
        path = self.follower.path(part, state, shortest=self.shortest)
        return path, right if op == EU else None
