"""From the claims of a certificate to a path that a person can follow.

A sure block says that something is reached; to see how, follow it: from each node to a successor
that the claim rests on, into calls by the block about the called entry, and out of them by the exit
that this block promises. Where the block of a component itself promises an exit, the path returns
to the caller, whose value at the return node is proved as well.

For EU the blocks are ordered, so the path ends. For EG they are not: the choice at a node depends
on the block alone, so the path closes as soon as it meets a node twice in the same call, or calls
an entry that is being called by the same block already (then it goes deeper for ever: a pump).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.evidence.states import Path, State, Steps
from pigro.limits import unwatched
from pigro.logic.normal import EG, EU
from pigro.model.plain import members

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.certificates.reading import Block
    from pigro.certificates.values import Stage
    from pigro.evidence.proved import Proved
    from pigro.limits import Poll
    from pigro.model.plain import Call


class NoPath(Exception):  # noqa: N818 - tells the caller
    """The certificate does not lead on; that would be a mistake of ours."""


@dataclass(slots=True)
class _Frame:
    """A call that the path is in: the block it follows, and how."""

    stage: Stage
    block: Block | None
    """None where any way will do: in a cold component."""
    rank: dict[int, int]
    began: int
    """The place in the path of the first state of the frame."""
    met: dict[int, int] = field(default_factory=dict)
    """For EG: nodes that the path has been at in this frame, and where in the path."""


class Follower:
    """Follows sure claims."""

    def __init__(self, proved: Proved, steps: Steps, poll: Poll = unwatched) -> None:
        self.proved, self.poll = proved, poll
        self.steps = steps
        self.parts = proved.model.parts

    def path(self, level: int, state: State) -> Path:
        """A path that shows that the operator of a level is true in a state."""
        return _Walk(self, level, state).run()

    def first_block(self, level: int, state: State) -> tuple[Stage, Block | None] | None:
        """The block to begin with: the one in which the node comes first. None at exits without."""
        component, node = self.proved.place(state)
        blocks = self.proved.blocks(level, state, sure=True)
        found = sorted(blocks, key=lambda each: (each[1].nodes.index(node), each[1].exits))
        stage = self.proved.stages[level]
        if found:
            return found[0]
        if stage.op == EG and stage.is_cold(component):
            return stage, None
        if node in self.parts[component].place:
            return None
        raise NoPath

    def is_shortest(self, level: int, state: State) -> bool:
        """Whether the path is (the rest of) one that a search took, nearest nodes first.

        With boxes on the stack, a shorter one might return from the component.
        """
        found = self.first_block(level, state)
        if found is None or found[0].op != EU or found[1] is None:
            return False
        return found[1].entry is not None and not state.stack

    def called(self, frame: _Frame, call: Call) -> Iterator[tuple[Stage, Block | None]]:
        """The blocks about a called entry."""
        if frame.block is None:
            yield frame.stage, None
            return
        stage, order = frame.stage, self.proved.order
        target = stage.links.get((frame.block.argument, call.box), -1)
        blocks = [
            (stage, each) for each in stage.blocks.get(target, ()) if each.entry == call.entry
        ]
        if stage.is_cold(call.callee):
            blocks += self.proved.lemmas.get((stage.op, True, call.callee, call.entry), [])
        for home, block in blocks:
            earlier = order[id(block)] < order[id(frame.block)]
            if block.sure and (earlier or stage.op == EG):
                yield home, block


class _Walk:
    """One path in the making."""

    def __init__(self, follower: Follower, level: int, state: State) -> None:
        self.follower = follower
        self.proved = follower.proved
        self.level = level
        self.op = self.proved.stages[level].op
        self.state = state
        self.states = [state]
        self.frames: list[_Frame] = []

    def run(self) -> Path:
        ended = self._begin()
        while ended is None:
            self.follower.poll()
            ended = self._step()
        return ended

    def _step(self) -> Path | None:
        component, node = self.proved.place(self.state)
        if self._is_goal(node):
            return Path(tuple(self.states))
        closed = self._closed(node)
        if closed is not None:
            return closed
        if node in self.follower.parts[component].place:
            return self._leave()
        return self._go_on(component, node)

    def _begin(self) -> Path | None:
        """A frame for where the path is, with nothing below it that was called on the way."""
        found = self.follower.first_block(self.level, self.state)
        if found is None:  # true by what waits for the exit
            return self._return_to_caller()
        self.frames = [self._frame(*found)]
        return None

    def _frame(self, stage: Stage, block: Block | None) -> _Frame:
        rank: dict[int, int] = {}
        for at, node in enumerate(() if block is None else block.nodes):
            rank.setdefault(node, at)
        return _Frame(stage, block, rank, len(self.states) - 1)

    def _is_goal(self, node: int) -> bool:
        frame = self.frames[-1]
        if self.op != EU or frame.block is None:
            return False
        argument = frame.stage.level.arguments[frame.block.argument]
        return frame.stage.phis(argument)[1][0] >> node & 1 == 1

    def _closed(self, node: int) -> Path | None:
        """Whether an EG path has come to a place where it has been in this call."""
        if self.op != EG:
            return None
        met = self.frames[-1].met
        if node in met:
            start = met[node]
            if self.states[start] == self.states[-1]:
                return Path(tuple(self.states[:-1]), "loop", start)
            # the same moment, once at the return node of an empty procedure, once at an exit
            return Path(tuple(self.states), "loop", start + 1)
        met[node] = len(self.states) - 1
        return None

    def _leave(self) -> Path | None:
        """Out of an exit: to the caller, or nowhere."""
        if len(self.frames) == 1:
            return self._return_to_caller()
        returned = self.follower.steps.after_return(self.state)
        if returned is None:
            return Path(tuple(self.states), "stays")
        self.frames.pop()
        self.state = returned
        return None

    def _return_to_caller(self) -> Path | None:
        returned = self.follower.steps.after_return(self.state)
        if returned is None:  # nobody waits: of EU, the goal is here
            return Path(tuple(self.states), "here" if self.op == EU else "stays")
        self.state = returned
        return self._begin()

    def _go_on(self, component: int, node: int) -> Path | None:
        """To a successor that the claim rests on."""
        part = self.follower.parts[component]
        frame = self.frames[-1]
        if not part.steps[node] and not part.called[node]:
            return Path(tuple(self.states), "stays")
        best: tuple[int, State, _Frame | None] | None = None
        for after in part.steps[node]:
            rank = frame.rank.get(after) if frame.block is not None else after
            if rank is not None and self._earlier(frame, rank, node):
                candidate = rank, State(self.state.stack, part.first + after), None
                best = candidate if best is None or rank < best[0] else best
        if best is None:
            best = self._best_call(component, node)
        if best is None:
            raise NoPath
        _, self.state, new = best
        self.states.append(self.state)
        if new is not None:
            new.began = len(self.states) - 1
            pump = self._pump(new)
            if pump is not None:
                return pump
            self.frames.append(new)
        return None

    def _earlier(self, frame: _Frame, rank: int, node: int) -> bool:
        return self.op != EU or frame.block is None or rank < frame.rank[node]

    def _best_call(self, component: int, node: int) -> tuple[int, State, _Frame | None] | None:
        part, frame = self.follower.parts[component], self.frames[-1]
        core = self.proved.model.model.core
        first_box = core.boxes_of(component)[0] if part.boxes else 0
        best = None
        for call in part.called[node]:
            for stage, block in self.follower.called(frame, call):
                rank = self._call_rank(frame, call, block, node)
                if rank is not None and (best is None or rank < best[0]):
                    first = self.follower.parts[call.callee].first
                    state = State((*self.state.stack, first_box + call.box), first + call.entry)
                    best = rank, state, self._frame(stage, block)
        return best

    def _call_rank(self, frame: _Frame, call: Call, block: Block | None, node: int) -> int | None:
        """How soon a call leads on; None if it does not."""
        if block is None:
            return 0
        ranks = []
        for each in members(block.exits):
            if each not in call.back:
                if self.op == EU:
                    return None
                continue
            rank = frame.rank.get(call.back[each])
            if rank is None or not self._earlier(frame, rank, node):
                return None
            ranks.append(rank)
        return max(ranks, default=-1)

    def _pump(self, new: _Frame) -> Path | None:
        """Whether the path calls what it is in already: then it goes deeper for ever."""
        if self.op != EG:
            return None
        entry = self.state.node
        for frame in self.frames:
            at = self.states[frame.began]
            same = frame.stage is new.stage and frame.block == new.block and at.node == entry
            if same and len(at.stack) < len(self.state.stack):
                return Path(tuple(self.states), "pump", frame.began)
        return None
