"""Runs of recursive machines, judged by the oracle alone: steps, facts, and what the run shows.

A pump is judged in all of its rounds: quantifiers depend on the stack by a finite automaton, so the
rounds repeat after some time, and the run is a lasso of states and truths.
"""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from pigro.evidence.run.runs import body_of, is_some
from pigro.logic import Op

from oracle.machine import labels, steps
from oracle.star_formula import closed, no
from oracle.star_lasso import holds_on
from oracle.star_pushdown import valuations
from support.agreement.ctl import as_model
from support.judges.star_decider import as_oracle

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.evidence import Evidence, Path, State
    from pigro.logic import Formula

    from oracle.machine import Machine

FURTHER = 3
"""States that are added where a run may go on in any way."""


class RecursionJudge:
    """Decides for a replay, and judges evidence. Shares nothing with the engines."""

    def __init__(self, machine: Machine, formula: Formula) -> None:
        self.machine, self.formula, self.model = machine, formula, as_model(machine)
        self.rsmcheck = machine.semantics == "rsmcheck"
        self.parts = as_oracle(formula)
        self.valuations = valuations(machine, self.parts[-1])

    def state(self, state: State) -> tuple:
        """As the oracle writes it: with names, and at the exit for a return node."""
        model, core = self.model, self.model.core
        boxes, node, names = list(state.stack), core.subject(state.node), model.names
        name = names.nodes[core.declared_of_node(node)]
        box = core.box(state.node)
        if box >= 0 and core.kind(state.node).name != "RETURN" and self.rsmcheck:
            name = (names.boxes[box], name)  # a call that is a dead end of the caller
        elif box >= 0:
            boxes.append(box)
        stack = [(names.components[core.box_component(box)], names.boxes[box]) for box in boxes]
        return tuple(stack), name

    def true_at(self, meant: tuple, state: tuple) -> bool:
        """The truth of a state formula, as the oracle writes both."""
        stack, node = state
        return self.valuations.true(meant, self.valuations.symbols(stack)[-1], node)

    def value(self, node: int, state: State) -> bool:
        """See `replay_run`."""
        return self.true_at(closed(self.parts[node]), self.state(state))

    def on_path(self, node: int, path: Path, where: Sequence[bool]) -> tuple[bool | None, ...]:
        """See `pigro.evidence.runs.Truths`."""
        meant = closed(self.parts[node])
        told = []
        for at, asked in enumerate(where):
            values = {self.true_at(meant, each) for each in self.rounds_of(path, at)}
            told.append(values.pop() if asked and len(values) == 1 else None)
        return tuple(told)

    def rounds_of(self, path: Path, at: int) -> list[tuple]:
        """A state of a path; of a pump, in each round until rounds repeat."""
        state = self.state(path.states[at])
        if path.ends != "pump" or path.start is None or at < path.start:
            return [state]
        base = self.state(path.states[path.start])[0]
        more = self.state(path.states[-1])[0][len(base) :]
        above = state[0][len(base) :]
        return [
            ((*base, *more * count, *above), state[1]) for count in range(self.period(base, more))
        ]

    def period(self, base: tuple, more: tuple) -> int:
        """How many rounds there are before one begins like an earlier one."""
        count, seen = 0, set()
        while (top := self.valuations.symbols((*base, *more * count))[-1]) not in seen:
            seen.add(top)
            count += 1
        return count

    def judge(self, evidence: Evidence) -> None:
        """All of it is right."""
        for at in (evidence, *evidence.parts):
            assert self.value(at.part, at.state) is at.truth
            if at.kind == "run":
                self._judge_run(at)

    def _judge_run(self, at: Evidence) -> None:
        path = at.path
        assert path is not None
        assert path.states[0] == at.state
        for node, truths in at.facts:
            found = self.on_path(node, path, [truth is not None for truth in truths])
            assert all(told in (None, value) for told, value in zip(truths, found, strict=True))
        some = is_some(self.formula, at.part)
        body = self.parts[body_of(self.formula, at.part)]
        meant = body if some else no(body)
        for states, loop in self._wholes(path):
            for before, after in pairwise(states):
                assert after in steps(self.machine, before), (before, after)
            assert holds_on(meant, [self._letter(state) for state in states], loop)

    def _letter(self, state: tuple) -> set[object]:
        inner = [self.parts[at] for at, op in enumerate(self.formula.ops) if op in (Op.A, Op.E)]
        true = {each for each in inner if self.true_at(each, state)}
        return {*labels(self.machine, state), *true}

    def _wholes(self, path: Path) -> Iterator[tuple[list[tuple], int | None]]:
        """The run with all its rounds that differ, or some of the ways in which it may go on."""
        states = [self.state(state) for state in path.states]
        last = states[-1]
        if path.ends == "loop":
            assert states[path.start] in steps(self.machine, last)
            yield states, path.start
        elif path.ends == "stays":
            after = steps(self.machine, last)
            assert after in ([], [last])
            yield states, len(states) - 1 if after else None
        elif path.ends == "pump":
            yield self._pumped(path, states)
        else:
            assert path.ends == "here"
            yield from self._ways_on(states)

    def _pumped(self, path: Path, states: list[tuple]) -> tuple[list[tuple], int]:
        start = path.start
        base, more = states[start][0], states[-1][0][len(states[start][0]) :]
        assert more
        assert states[-1][1] == states[start][1]
        assert all(stack[: len(base)] == base for stack, _ in states[start:])
        symbols = [self.valuations.symbols((*base, *more * i))[-1] for i in range(99)]
        count = self.period(base, more)
        back = symbols.index(symbols[count])
        whole = states[:start]
        for i in range(count):
            whole += [
                ((*base, *more * i, *stack[len(base) :]), node) for stack, node in states[start:-1]
            ]
        return whole, start + back * (len(states) - 1 - start)

    def _ways_on(self, states: list[tuple]) -> Iterator[tuple[list[tuple], int | None]]:
        paths = [states]
        for _ in range(FURTHER):
            longer = []
            for path in paths:
                after = steps(self.machine, path[-1])
                if not after:
                    yield path, None
                for target in after:
                    first = len(states) - 1
                    yield from ((path, at) for at in range(first, len(path)) if path[at] == target)
                    longer.append([*path, target])
            paths = longer
