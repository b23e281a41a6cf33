"""States, steps and paths, by the definition (docs/semantics.md) and nothing else.

A state is a stack of boxes and a node, by their numbers in the model. A call and the entry, an exit
and the return node are one moment: a state is at the entry with the box on the stack, and at the
exit with the box still on it. Call nodes are never in a state. A return node is, where a box calls
an empty procedure.

Stacks are linked lists: a stack is a box on top of another stack, which others share. A push or a
pop costs the same however deep the stack is, and so does a comparison of stacks that were made from
each other by pushes and pops: it ends at the part that both share.

Evidence is a tree of paths and claims. At the root is the whole formula at an initial node. A path
shows what some run does. At its last state hangs the evidence for the facts there. What *no* run
does can't be shown by a path: it is a claim, proved by the certificate.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from pigro.model import DeadEnds
from pigro.model.positions import OWN, SourcePosition

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.evidence.kinds import ShownEvidence
    from pigro.evidence.tree.contexts import Contexts
    from pigro.model import RSM


class Stack:
    """The boxes that were entered and not left, outermost first. It never changes.

    >>> stack = Stack.of([3, 5])
    >>> stack.push(8), stack.below, stack.box, len(stack), tuple(stack)
    ((3, 5, 8), (3,), 5, 2, (3, 5))
    """

    __slots__ = ("__weakref__", "_hash", "below", "box", "depth")

    below: Stack
    """All but the box on top. Of the empty stack, itself."""
    box: int
    """The box on top. -1 if the stack is empty."""
    depth: int
    """How many boxes there are."""

    def __init__(self, below: Stack | None, box: int) -> None:
        self.below, self.box = self if below is None else below, box
        self.depth = 0 if below is None else below.depth + 1
        self._hash: int = hash((below, box))

    @staticmethod
    def of(boxes: Iterable[int]) -> Stack:
        """The stack of these boxes, outermost first."""
        made = EMPTY
        for box in boxes:
            made = Stack(made, box)
        return made

    def push(self, box: int) -> Stack:
        """The stack with a box on top."""
        return Stack(self, box)

    def above(self, depth: int) -> tuple[int, ...]:
        """The boxes above the lowest `depth` ones."""
        boxes, at = [], self
        while at.depth > depth:
            boxes.append(at.box)
            at = at.below
        return tuple(reversed(boxes))

    def __len__(self) -> int:
        return self.depth

    def __iter__(self) -> Iterator[int]:
        return iter(self.above(0))

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Stack):
            return NotImplemented
        one, two = self, other
        while one is not two:
            if one.depth != two.depth or hash(one) != hash(two) or one.box != two.box:
                return False
            one, two = one.below, two.below
        return True

    def __repr__(self) -> str:
        return repr(tuple(self))

    def __reduce__(self) -> tuple[object, tuple[tuple[int, ...]]]:
        """Copies and pickles of the empty stack are the empty stack."""
        return Stack.of, (tuple(self),)


EMPTY = Stack(None, -1)
"""The stack of a run that is in no call. There is only this one."""


class _State(NamedTuple):
    stack: Stack
    node: int


class State(_State):
    """Where a run is: the boxes that were entered and not left, outermost first, and a node.

    >>> State((3, 5), 7)
    State(stack=(3, 5), node=7)
    """

    __slots__ = ()

    def __new__(cls, stack: Stack | Iterable[int], node: int) -> Self:
        """The boxes may be given in any way."""
        made = stack if isinstance(stack, Stack) else Stack.of(stack)
        return tuple.__new__(cls, (made, node))


@dataclass(frozen=True, slots=True)
class Path:
    """A run, or its beginning.

    `ends` says how it goes on: `here` (it is finite), `loop` (after the last state comes state
    `start` again), `pump` (as from `start`, with all that is on the stack since then below: each
    round goes deeper), or `stays` (the last state is the last one: a dead end, or an exit that
    no caller waits for).
    """

    states: tuple[State, ...]
    ends: str = "here"
    start: int | None = None
    shortest: bool = False
    """Whether no run that shows the same has fewer states. (That others do not is not said.)"""

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Path):
            return NotImplemented
        return self is other or self._packed() == other._packed()

    def __hash__(self) -> int:
        return hash((self.states, self.ends, self.start, self.shortest))

    def __reduce__(self) -> tuple[Callable[..., Path], tuple[object, ...]]:
        return _unpacked, self._packed()

    def _packed(self) -> tuple[object, ...]:
        """With each stack once, on top of another: states of a deep run share most of theirs."""
        numbers: dict[Stack, int] = {EMPTY: 0}
        stacks: list[tuple[int, int]] = []
        for state in self.states:
            pending, at = [], state.stack
            while at not in numbers:
                pending.append(at)
                at = at.below
            for stack in reversed(pending):
                stacks.append((numbers[stack.below], stack.box))
                numbers[stack] = len(stacks)
        states = [(numbers[state.stack], state.node) for state in self.states]
        return stacks, states, self.ends, self.start, self.shortest

    def positions(self, model: RSM) -> list[SourcePosition | None]:
        """Where each state stands in the program. None where the model does not say.

        Of an `.smv` file, or of a pushdown system: where it says what the step to the state does.
        """
        return [
            first_position(model, self.states[0]),
            *(step_position(model, *pair) for pair in pairwise(self.states)),
        ]


Facts = tuple[tuple[int, tuple[bool | None, ...]], ...]
"""For each of some A and E its truth in each state of a path. None where it does not matter."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Why a subformula is true or false in a state: of CTL, read off a certificate."""

    KIND: ClassVar[str] = "tree"
    """See `pigro.evidence.kinds`."""

    part: int
    """The subformula, as a number in the normal form. Of runs, in the formula (run/runs.py)."""
    truth: bool
    state: State
    kind: str
    """`label`. `boolean`: by its parts. `path` and `run`: some run. `claim`: about all runs."""
    path: Path | None = None
    parts: tuple[Evidence, ...] = ()
    """Of a boolean, what decides it here. For a path, the facts in its last state."""
    explored: int = 0
    """Of a claim: at how many places the certificate proves it."""
    facts: Facts = ()
    """Of a run: what it relies on, A and E inside its path formula."""
    contexts: Contexts = ()
    """For a path: the facts at the exits of the procedures that it is in."""
    marks: tuple[tuple[int, int], ...] = ()
    """Of joined paths: the states where an inner one begins, with the subformula that it shows."""

    @property
    def first_path(self) -> Path | None:
        """The first path of the tree. None if it has claims only."""
        pending = [self]
        while pending:
            at = pending.pop()
            if at.path is not None:
                return at.path
            pending += reversed(at.parts)
        return None

    def nodes_of(self, model: RSM) -> RSM:
        """The model that the nodes are of."""
        return model


@dataclass(frozen=True, slots=True)
class RunEvidence(Evidence):
    """The same by runs, made without a certificate: for LTL and CTL*, and on demand for CTL."""

    KIND: ClassVar[str] = "run"

    depth: int | None = None
    """Of the root: the largest stack when runs are decided again. None means no limit."""
    excerpt: RSM | None = field(default=None, repr=False)
    """Of the root: the states that it speaks of, if the model's states are computed on demand."""

    def nodes_of(self, model: RSM) -> RSM:
        """The model that the nodes are of: the excerpt, or the model itself."""
        return model if self.excerpt is None else self.excerpt


def run_evidence(shown: ShownEvidence, path: Path, excerpt: RSM | None = None) -> RunEvidence:
    """A run that shows a whole formula."""
    root, holds = len(shown.formula) - 1, shown.holds is True
    return RunEvidence(root, holds, path.states[0], "run", path, excerpt=excerpt)


def _unpacked(
    rows: list[tuple[int, int]],
    states: list[tuple[int, int]],
    ends: str,
    start: int | None,
    shortest: bool,
) -> Path:
    """A path from its pickle."""
    stacks = [EMPTY]
    for below, box in rows:
        stacks.append(stacks[below].push(box))
    return Path(tuple(State(stacks[at], node) for at, node in states), ends, start, shortest)


def enters_call(model: RSM, before: State, after: State) -> bool:
    """Whether a step enters a call. Needs: it is a step of the model.

    Then the stack is deeper, or it is as deep as before and the step leaves an exit, so that
    another call has returned. The two may be of the same box.
    """
    deeper = after.stack.depth - before.stack.depth
    if deeper or before.node == after.node:
        return deeper > 0
    return model.core.is_exit(before.node)


def first_position(model: RSM, state: State) -> SourcePosition | None:
    """Where the first state of a path stands. Nowhere in a pushdown system, which has rules."""
    return model.position(state.node) if model.configurations is None else None


def step_position(model: RSM, before: State, after: State) -> SourcePosition | None:
    """Where the model's file says what a step does. Otherwise where the state after it stands."""
    if model.configurations is not None:
        line = model.configurations.line(model, before, after)
        return SourcePosition(model.source or OWN, line, 0, line, 0) if line else None
    if enters_call(model, before, after):
        return model.position(after.node)
    returns = after.stack.depth < before.stack.depth
    return model.step_position(before.node, after.node, before.stack.box if returns else -1)


class Steps:
    """The steps of a model."""

    def __init__(self, model: RSM) -> None:
        self.model = model
        self._carrying: dict[int, frozenset[int]] = {}

    def carrying(self, label: int | None) -> frozenset[int]:
        """The declared nodes that carry a label. None is one that there is not."""
        if label is None:
            return frozenset()
        if label not in self._carrying:
            self._carrying[label] = frozenset(self.model.core.labelled(label))
        return self._carrying[label]

    def is_exit(self, node: int) -> bool:
        """Whether a node is an exit."""
        return self.model.core.is_exit(node)

    def after_return(self, state: State) -> State | None:
        """The same moment seen by the caller. None for no exit, or if no caller waits for it."""
        if not state.stack or not self.is_exit(state.node):
            return None
        back = self.model.core.return_node(state.stack.box, state.node)
        return None if back is None else State(state.stack.below, back)

    def next(self, state: State) -> list[State]:
        """The states after a state. None where a run can't go on."""
        if self.is_exit(state.node):
            if not state.stack:
                return [state]
            returned = self.after_return(state)
            return [] if returned is None else self.next(returned)
        core = self.model.core
        found = []
        for node in core.successors(state.node):
            if core.kind(node).name == "CALL":
                found.append(State(state.stack.push(core.box(node)), core.subject(node)))
            else:
                found.append(State(state.stack, node))
        return found

    def edges(self, path: Path) -> set[tuple[int, int]]:
        """The edges of the model that a path goes along, calls and returns included."""
        core = self.model.core
        states = list(path.states)
        if path.ends == "loop" and path.start is not None:
            states.append(states[path.start])
        found = set()
        for before, after in pairwise(states):
            at = before
            while (returned := self.after_return(at)) is not None:
                found.add((at.node, returned.node))
                at = returned
            for node in core.successors(at.node):
                called = core.kind(node).name == "CALL"
                if called and at.stack.push(core.box(node)) == after.stack:
                    if core.subject(node) == after.node:
                        found |= {(at.node, node), (node, after.node)}
                elif node == after.node and at.stack == after.stack:
                    found.add((at.node, node))
        return found

    def maximal_next(self, state: State) -> list[State]:
        """The same, but a run stays in a dead end, unless it stops there."""
        found = self.next(state)
        if found or self.model.dead_ends is DeadEnds.STOP:
            return found
        return [state]
