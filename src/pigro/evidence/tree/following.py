"""Evidence for what a certificate proves: values in single states and paths, found by the core.

The core gives numbers to stacks and keeps them from one certificate to the next, so that the
evidence of many verdicts on one model shares its states. Nothing here checks the certificate: the
replay does (replaying.py), which reads it by itself.
"""

from __future__ import annotations

from dataclasses import KW_ONLY, dataclass, replace
from typing import TYPE_CHECKING, Self
from weakref import ref

from pigro import _core
from pigro.certificates.reading import (
    FORMULA,
    LEMMAS,
    Malformed,
    SectionReader,
    asked_model,
    frames,
    read_formula,
)
from pigro.evidence.booleans import NORMAL, BooleanOperators
from pigro.evidence.states import EMPTY, Evidence, Path, State, Steps
from pigro.evidence.tree.contexts import contexts_of
from pigro.limits import no_poll
from pigro.logic import existential_normal_form
from pigro.logic.normal import ATOM, EU, EX, TRUE
from pigro.model import DeadEnds

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from pigro.certificates.certificate import Certificate
    from pigro.evidence.states import Stack
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM

_VALUES = (None, True, False)
_NO_TEXT = b"\0"
"""In place of the text of the formula."""
_MOST = 1 << 20
"""Stacks that are kept for later certificates."""


def evidence_for(
    model: RSM, certificate: bytes, *, shortest: bool = False, poll: Poll = no_poll
) -> Evidence:
    """The evidence for the verdict of a certificate file: at an initial node that decides it.

    `shortest` says that the certificate was made with shortest paths. `poll` is called again and
    again, and raises to stop.
    """
    return _explained(
        CertificateFollower.of_file(model, certificate, poll), shortest=shortest, poll=poll
    )


def evidence_of(certificate: Certificate, poll: Poll = no_poll) -> Evidence:
    """The same for a certificate that was just made."""
    follower = CertificateFollower.of(certificate, poll)
    return _explained(follower, shortest=certificate.shortest, poll=poll)


def _explained(follower: CertificateFollower, *, shortest: bool, poll: Poll) -> Evidence:
    with follower:
        root = len(follower.form.ops) - 1
        states = [State(EMPTY, node) for node in follower.initial]
        wanted = [each for each in states if follower.decided(root, each)[0] is follower.holds]
        if not wanted:
            raise Malformed("the certificate does not prove its verdict")
        return Explainer(follower, shortest=shortest, poll=poll).explain(root, wanted[0])


class SharedFollower:
    """The native follower of a model, and the states that it has found so far."""

    def __init__(self, model: RSM) -> None:
        stop = model.dead_ends is DeadEnds.STOP
        self.core = _core.Follower(
            model.core, _core.DeadEnds.STOP if stop else _core.DeadEnds.STUTTER
        )
        self._stacks: list[Stack] = [EMPTY]
        self._numbers: dict[Stack, int] = {EMPTY: 0}
        self._states: dict[tuple[int, int], State] = {}
        self.opened: tuple[ref[_core.Certificate], list[int]] | None = None
        """The proof that is open, and the labels that it was opened with."""
        self.has_lemmas = False

    def number(self, stack: Stack) -> int:
        """The number of a stack."""
        known = self._numbers.get(stack)
        if known is not None:
            return known
        pending = []
        while stack not in self._numbers:
            pending.append(stack)
            stack = stack.below
        number = self._numbers[stack]
        for above in reversed(pending):
            number = self.core.push(number, above.box)
            self._take_new()
        return number

    def states(self, stacks: Sequence[int], nodes: Sequence[int]) -> Iterator[State]:
        """States by the numbers of their stacks."""
        self._take_new()
        known = self._states
        for key in zip(stacks, nodes, strict=True):
            state = known.get(key)
            if state is None:
                state = known[key] = State(self._stacks[key[0]], key[1])
            yield state

    def _take_new(self) -> None:
        for below, box in self.core.stacks_from(len(self._stacks)):
            stack = self._stacks[below].push(box)
            self._numbers[stack] = len(self._stacks)
            self._stacks.append(stack)


class CertificateFollower:
    """A certificate, opened. Used in a `with` statement: what it found is kept for the next one."""

    def __init__(
        self,
        model: RSM,
        formula: Formula,
        proof: _core.Certificate | bytes,
        lemmas: Callable[[], bytes],
        poll: Poll = no_poll,
    ) -> None:
        """A proof is opened once for all followers of it in a row. It may be its section of a file.

        `lemmas` makes the body of the section of lemmas, empty if there are none.
        """
        self.model, self.form = model, existential_normal_form(formula)
        self._idle: list[SharedFollower] = model.memo.setdefault("idle followers", [])
        """Where the shared follower is while it is not in use."""
        self.booleans = BooleanOperators(self.form, NORMAL)
        self.level_of = {
            at: level
            for level, at in enumerate(at for at, op in enumerate(self.form.ops) if op >= EX)
        }
        self._proof, self._lemmas = proof, lemmas
        self._tick = None if poll is no_poll else lambda _bytes: poll()

    @classmethod
    def of(
        cls, certificate: Certificate, poll: Poll = no_poll, model: RSM | None = None
    ) -> CertificateFollower:
        """Of a certificate that was just made. Only the lemmas that a path goes by are made.

        A certificate that was pickled needs a `model`.
        """
        proof = certificate.proof
        if isinstance(proof, bytes):
            return cls.of_file(model or certificate.model, proof, poll)

        def lemmas() -> bytes:
            book = _core.LemmaBook(certificate.model.core, certificate.shortest)
            return book.section(proof, lambda _bytes: poll(), only_sure=True)

        return cls(certificate.model, certificate.formula, proof, lemmas, poll)

    @classmethod
    def of_file(cls, model: RSM, data: bytes, poll: Poll = no_poll) -> CertificateFollower:
        """Of a file with one certificate."""
        sections = list(frames(data))
        if [kind for kind, _ in sections] not in ([FORMULA], [LEMMAS, FORMULA]):
            raise Malformed("evidence needs a certificate of one verdict")
        body = sections[-1][1]
        formula = read_formula(SectionReader(body).statement()[0])
        lemmas = sections[0][1] if len(sections) > 1 else b""
        return cls(asked_model(model, data), formula, body, lambda: lemmas, poll)

    def __enter__(self) -> Self:
        try:  # taken out, so that another thread makes its own
            self.shared = self._idle.pop()
        except IndexError:
            self.shared = SharedFollower(self.model)
        form, proof, opened = self.form, self._proof, self.shared.opened
        labels = [self.model.label_ids.get(atom, -1) for atom in form.atoms]
        if opened is None or opened[0]() is not proof or opened[1] != labels:
            arrays = (memoryview(form.ops), memoryview(form.left), memoryview(form.right))
            self.shared.opened, self.shared.has_lemmas = None, False
            # the formula is known, and its text may be long
            body = proof if isinstance(proof, bytes) else _NO_TEXT + proof.body
            try:
                self.shared.core.open(body, *arrays, labels, self._tick)
            except _core.Malformed as error:
                raise Malformed(str(error)) from None
            if not isinstance(proof, bytes):
                self.shared.opened = (ref(proof), labels)
        self.holds, self.initial = self.shared.core.holds, tuple(self.shared.core.initial)
        self.steps, number = Steps(self.model), self.model.label_ids.get
        self._carrying = {each: self.steps.carrying(number(each)) for each in form.atoms}
        return self

    def __exit__(self, kind: object, *_: object) -> None:
        if kind is None and not self._idle and self.shared.core.stacks <= _MOST:
            self._idle.append(self.shared)

    def values(self, at: int, state: State) -> dict[int, bool | None]:
        """The truth of all parts of a subformula in a state, down to labels and operators.

        None: the certificate does not say.
        """

        def leaf(node: int) -> bool | None:
            op = self.form.ops[node]
            if op >= EX:
                return self.along([self.level_of[node]], (state,))[0][0]
            if op == TRUE:
                return True
            subject = self.model.core.subject(state.node)
            return subject in self._carrying[self.form.atoms[self.form.left[node]]]

        return self.booleans.values(at, leaf)

    def value(self, at: int, state: State) -> bool | None:
        """The truth of a subformula in a state."""
        return self.values(at, state)[at]

    def decided(self, at: int, state: State) -> tuple[bool | None, list[int]]:
        """The truth of a subformula in a state, and the labels and operators that decide it."""
        values = self.values(at, state)
        truth = values[at]
        return truth, [] if truth is None else self.booleans.deciding(at, values)

    def along(self, levels: Iterable[int], states: Sequence[State]) -> list[list[bool | None]]:
        """The values of some levels' operators, each in some states."""
        number, core = self.shared.number, self.shared.core
        stacks, nodes = [number(each.stack) for each in states], [each.node for each in states]
        rows = [core.values(level, stacks, nodes, self._tick) for level in levels]
        return [[_VALUES[value] for value in row] for row in rows]

    def explored(self, part: int) -> int:
        """At how many places the certificate proves what an operator does not do."""
        return self.shared.core.explored(self.level_of[part])

    def path(self, part: int, state: State, *, shortest: bool) -> Path:
        """A path that shows that EU or EG is true in a state.

        `shortest` says that the certificate was made with shortest paths.
        """
        core = self.shared.core
        number = self.shared.number(state.stack)
        try:
            if not self.shared.has_lemmas:
                self.shared.has_lemmas = True
                if lemmas := self._lemmas():
                    core.open_lemmas(lemmas, self._tick)
            found = core.path(self.level_of[part], number, state.node, self._tick)
        except _core.Malformed as error:
            raise Malformed(str(error)) from None
        stacks, nodes, ends, start, is_shortest = found
        states = tuple(self.shared.states(stacks, nodes))
        return Path(states, ends, start, shortest and is_shortest)


@dataclass(frozen=True, slots=True)
class Explainer:
    """Explains values that a certificate proves."""

    follower: CertificateFollower
    _: KW_ONLY
    shortest: bool = False
    poll: Poll = no_poll

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
        truth, leaves = self.follower.decided(part, state)
        if truth is None:
            raise Malformed("the certificate does not prove what it rests on")
        op = self.follower.form.ops[part]
        if op in {TRUE, ATOM}:
            return Evidence(part, truth, state, "label"), []
        if op < EX:
            below = [(leaf, state) for leaf in leaves]
            return Evidence(part, truth, state, "boolean"), below
        if not truth:
            explored = self.follower.explored(part)
            return Evidence(part, truth, state, "claim", explored=explored), []
        path, goal = self._path(part, state)
        below = [] if goal is None else [(goal, path.states[-1])]
        contexts = contexts_of(self.follower, part, path)
        return Evidence(part, truth, state, "path", path, contexts=contexts), below

    def _path(self, part: int, state: State) -> tuple[Path, int | None]:
        """A path for a true operator, and the subformula that is true at its end, if any."""
        form, value = self.follower.form, self.follower.value
        op, left, right = form.ops[part], form.left[part], form.right[part]
        if op == EX:
            after = [s for s in self.follower.steps.maximal_next(state) if value(left, s)]
            if not after:
                raise Malformed("the certificate does not prove what it rests on")
            return Path((state, after[0]), shortest=True), left
        path = self.follower.path(part, state, shortest=self.shortest)
        return path, right if op == EU else None
