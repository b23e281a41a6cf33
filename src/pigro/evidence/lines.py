"""Evidence as text: paths with their calls indented, the facts at their end, and claims.

Labels are told where they change, and only those of the formula, and so are the facts that a run
relies on. A state has its source position, with the text of the line, where that changes. The first
state of each call has its context (contexts.py). In the short form there are no contexts, calls
that begin and return on a path are folded, and so is the middle of a long path.
"""

from __future__ import annotations

from itertools import chain, pairwise
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence.run.runs import body_of, is_some
from pigro.evidence.source_lines import shown_position
from pigro.evidence.states import Evidence, enters_call, first_position, step_position
from pigro.evidence.tables import stops
from pigro.evidence.variables import LOOP, RunValues
from pigro.limits import no_poll
from pigro.logic import existential_normal_form
from pigro.logic.normal import EG, EX, TRUE
from pigro.logic.printer import NO_PATH, text_for_people, written_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from pigro.evidence import Path, State
    from pigro.evidence.kinds import ShownEvidence
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM, SourcePosition

NOT_PROVED = "(decided by the search, not proved)"
CERTIFIED = "(decided by the search; the certificate proves the verdict)"
_SHOWN = 12
"""Lines of a path in the short form."""
_LONGEST = 60
"""Characters of a formula inside a sentence."""
Fact = tuple[str, tuple[bool | None, ...]]
"""A formula, and its truth in each state of a path."""
Unit = tuple[int, int]
"""A state of a path, its place twice, or a folded call: its first state, and the one after it."""
_EXITS = 4
"""Exits of a context that are shown."""
_BARS = 30
"""Calls that are shown by a bar each. A number stands for those above."""


def words_for(shown: ShownEvidence, longest: int) -> CtlWords:
    """The words for evidence."""
    if shown.evidence.KIND == Evidence.KIND:
        return CtlWords(shown.formula, longest)
    return _OfRuns(shown.formula, longest, certified=shown.certificate is not None)


class EvidenceWriter:
    """Says what evidence says: a tree in lines, or one thing in a sentence."""

    def __init__(
        self, shown: ShownEvidence, *, full: bool, longest: int = _LONGEST, poll: Poll = no_poll
    ) -> None:
        model = shown.evidence.nodes_of(shown.subject)
        self.model, self.full, self.poll = model, full, poll
        self.holds = shown.holds
        is_plain = model.conditions is None
        self.words = words_for(shown, longest)
        self.carrying = {
            label: frozenset(model.core.labelled(model.label_ids[label]))
            for label in self.words.atoms
            if label in model.label_ids
        }
        self.names: dict[int, str] = model.memo.setdefault("names in text", {})
        """Of nodes, harmless. For all evidence on the model."""
        has_values = not is_plain and model.valuation is not None
        self.values = RunValues(model, full=full) if has_values else None
        """If states are told by their variables."""
        self._labels: dict[int, tuple[str, ...]] = {}
        self._places: dict[SourcePosition | None, str] = {}

    def lines(self, root: Evidence) -> Iterator[str]:
        """A tree whose paths are joined where one begins at the end of another."""
        pending = [(root, "")]
        while pending:
            self.poll()
            at, lead = pending.pop()
            if at.kind == "boolean":
                told = [each for each in at.parts if each.kind == "label"]
                rest = [each for each in at.parts if each.kind != "label"]
                if told:
                    yield f"{lead}{', '.join(self.said(each) for each in told)}"
                pending += [(each, lead) for each in reversed(rest)]
            elif at.path is not None:
                yield from self.path_lines(at, lead)
                pending += [
                    (each, f"{lead}{self._where(at.path, each)}: ")
                    for each in reversed(at.parts)
                    if each.kind != "label"
                ]
            elif at.kind == "claim":
                yield f"{lead}{self.words.claim(at)}"
            else:
                yield f"{lead}{self.said(at)}"

    def _where(self, path: Path, at: Evidence) -> str:
        """Where on a path something is that hangs off it."""
        if at.state == path.states[-1]:
            return "there"
        return f"at state {path.states.index(at.state)}"

    def said(self, at: Evidence) -> str:
        return f"{self.words.text(at.part)} {'holds' if at.truth else 'fails'}"

    def path_lines(self, at: Evidence, lead: str) -> Iterator[str]:
        path = at.path
        assert path is not None, "it has one"
        count = len(path.states)
        run = "a shortest run" if path.shortest and count > 1 else "a run"
        states = f"{count:,} state{'s' if count != 1 else ''}"
        yield f"{lead}{run} of {states}{''.join(self.words.purpose(at))}:"
        facts = [(self.words.text(node), truths) for node, truths in at.facts]
        notes: dict[int, str] = {}
        for number, text in (self.contexts(at) if self.full else {}).items():
            notes[number] = f"   ({text})"
        for number, part in at.marks:
            notes[number] = f"{notes.get(number, '')}   from here: {self.words.text(part)}"
        yield from self._states(path, facts, notes)
        end = self.end(path, is_run=at.kind == "run")
        if end:
            yield f"  {end}"

    def run_lines(self, path: Path) -> Iterator[str]:
        """A run that shows a whole formula."""
        yield f"it {'holds' if self.holds else 'fails'}, as this run shows:"
        yield from self._states(path, (), {})
        yield f"  {self.end(path, is_run=True)}"

    def _states(self, path: Path, facts: Sequence[Fact], notes: Mapping[int, str]) -> Iterator[str]:
        """The lines of a path, each with its note. In short, without the middle of a long one."""
        units = self.units(path, notes)
        hidden = 0 if self.full or len(units) <= _SHOWN else len(units) - _SHOWN
        half = _SHOWN // 2 if hidden else len(units)
        for which in (range(half), range(half + hidden, len(units))):
            if which.start and hidden:
                yield f"  ... {hidden:,} more lines; --witness shows all"
            for unit, row in zip(which, self.rows(path, facts, units, which), strict=True):
                yield row + notes.get(units[unit][0], "")

    def contexts(self, at: Evidence) -> dict[int, str]:
        """What contexts say, by the first state of the path that has them."""
        found: dict[int, dict[int, list[str]]] = {}
        for part, told in at.contexts:
            text = self.words.text(part)
            for place, node, truth in told:
                exits = found.setdefault(place, {})
                exits.setdefault(node, []).append(text if truth else f"!{text}")
        return {place: self._context(exits) for place, exits in found.items()}

    def _context(self, exits: dict[int, list[str]]) -> str:
        rows = []
        for node in sorted(exits)[:_EXITS]:
            name = self.model.names.nodes[self.model.core.declared_of_node(node)]
            rows.append(f"{printable(name)}: {', '.join(exits[node])}")
        more = len(exits) - len(rows)
        also = f"; and {more:,} more" if more else ""
        return f"at exit {'; '.join(rows)}{also}"

    def units(self, path: Path, notes: Mapping[int, str]) -> list[Unit]:
        """What the lines of a path are about. Calls with notes are not folded."""
        if self.full:
            return [(at, at) for at in range(len(path.states))]
        folded = {
            first: after
            for first, after in returned_calls(self.model, path)
            if not any(first <= place < after for place in notes)
        }
        found, at = [], 0
        while at < len(path.states):
            end = folded.get(at, at)
            found.append((at, end))
            at = max(end, at + 1)
        return found

    def rows(
        self, path: Path, facts: Sequence[Fact], units: Sequence[Unit], which: range
    ) -> Iterator[str]:
        """Some of the lines of a path. Labels are told if they differ from the line before."""
        states = path.states
        first = which.start
        while first > 0 and units[first - 1][0] < units[first - 1][1]:  # lines that tell no labels
            first -= 1
        before: tuple[str, ...] | None = ()
        if first > 0:
            before = self.told(path, facts, units[first - 1][0])
        place = ""
        for number in range(first, which.stop):
            self.poll()
            at, end = units[number]
            if at < end:
                inside = [self.told(path, facts, each) for each in range(at, end)]
                row = _fold(states[at].stack.depth - 1, inside)
                before = before if all(each == before for each in inside) else None
                place = ""
            else:
                labels = self.told(path, facts, at)
                told = ""
                if labels != before:
                    none = "" if self.values is not None and not before else "none of the labels"
                    told = f"   [{', '.join(labels) or none}]" if labels or none else ""
                before = labels
                here = self.place(path, at)
                if here and (here != place or number == which.start):
                    told += f"   {here}"
                place = here if self.model.configurations is None else ""
                last = units[number - 1][1] if number > which.start else None
                bars = _bars(states[at].stack.depth)
                said = self.state(path, at, last if last is not None and last < at else None)
                row = f"{at:>6}  {bars}{said}{told}"
                if self.values is not None and path.ends == "loop" and path.start == at:
                    row = f"{LOOP}\n{row}"
            if number in which:
                yield row

    def told(self, path: Path, facts: Sequence[Fact], at: int) -> tuple[str, ...]:
        """The facts in a state of a path: labels, and values by their texts."""
        labels = self.labels(path.states[at].node)
        if not facts:
            return labels
        known = [(f, truths[at]) for f, truths in facts if truths[at] is not None]
        return *labels, *(f if truth else f"!{f}" for f, truth in known)

    def state(self, path: Path, at: int, before: int | None) -> str:
        """A state of a path: its name, or the values that it does not share with another one."""
        if self.model.configurations is not None:
            return printable(self.model.configurations.text(self.model, path.states[at]))
        if self.values is None:
            return self.name(path.states, at)
        row = self.values.row(path, at, before)
        called = self.called(path.states, at)
        return f"{row}   ({called})" if called else row

    def name(self, states: tuple[State, ...], at: int) -> str:
        state, called = states[at], self.called(states, at)
        name = self.names.get(state.node)
        if name is None:
            name = self.names[state.node] = printable(self.model.node_name(state.node))
        return f"{name}   ({called})" if called else name

    def called(self, states: tuple[State, ...], at: int) -> str:
        """The box that a state is called by. Empty if the step to it is no call."""
        state = states[at]
        if at == 0 or not enters_call(self.model, states[at - 1], state):
            return ""
        box = printable(self.model.names.boxes[state.stack.box])
        if self.model.positions is None:
            return f"called by {box}"
        position = self.model.box_position(state.stack.box)
        return f"called by {box}{f' at {position}' if position else ''}"

    def position(self, path: Path, at: int) -> SourcePosition | None:
        """Where a state of a path stands in a source, by the step to it."""
        if self.model.positions is None and self.values is None:
            return None
        if at == 0:
            return first_position(self.model, path.states[0])
        return step_position(self.model, path.states[at - 1], path.states[at])

    def place(self, path: Path, at: int) -> str:
        """The source position of a state of a path, with the text of its line. Perhaps empty."""
        position = self.position(path, at)
        if position not in self._places:
            self._places[position] = shown_position(self.model, position)
        return self._places[position]

    def labels(self, node: int) -> tuple[str, ...]:
        found = self._labels.get(node)
        if found is None:
            subject = self.model.core.subject(node)
            own = [printable(label) for label, on in self.carrying.items() if subject in on]
            if self.values is not None:
                own = [label for label in own if self.values.tells(node, label)]
            found = self._labels[node] = tuple(own)
        return found

    def end(self, path: Path, *, is_run: bool) -> str | None:
        """How a path goes on."""
        if path.ends == "loop":
            return f"and on from state {path.start} again, forever"
        if path.ends == "pump":
            assert path.start is not None, "a pump starts somewhere"
            more = path.states[-1].stack.above(len(path.states[path.start].stack))
            boxes = ", ".join(printable(self.model.names.boxes[box]) for box in more)
            return f"and so on from state {path.start}, ever deeper: each round calls {boxes}"
        if path.ends == "stays":
            return f"and there it {'ends' if stops(self.model, path.states[-1]) else 'stays'}"
        return "however it goes on" if is_run else None


class CtlWords:
    """What a run or a claim says, for formulas of CTL: evidence speaks of the normal form.

    Formulas are cut where they get too long.
    """

    def __init__(self, formula: Formula, longest: int) -> None:
        self.formula, self.longest = formula, longest
        self.form = existential_normal_form(formula)
        self.atoms = formula.atoms
        """All labels of the formula, also those that its normal form does not have."""

    def text(self, part: int) -> str:
        """A part of the evidence."""
        return printable(self.form.text(part), self.longest)

    def claim(self, at: Evidence) -> str:
        """A fact about all runs, in a sentence."""
        what = self._no_run(at.part)
        level = sum(op >= EX for op in self.form.ops[: at.part + 1])
        count = f"{at.explored:,} place{'s' if at.explored != 1 else ''}"
        where = f" at {count}" if at.explored else ""  # else by labels alone
        return f"{what} (proved{where}: level {level} of the certificate)"

    def _no_run(self, part: int) -> str:
        """That an operator is false."""
        op, left, right = self.form.ops[part], self.form.left[part], self.form.right[part]
        first = self.text(left)
        if op == EX:
            return f"no next state satisfies {first}"
        if op == EG:
            return f"no run from here satisfies {first} in all its states"
        reached = f"no run from here reaches {self.text(right)}"
        anyhow = self.form.ops[left] == TRUE
        return reached if anyhow else f"{reached} with {first} in all states before"

    def purpose(self, at: Evidence) -> tuple[str, str, str]:
        """What a run shows, after the words "a run of 7 states": a formula with words around it."""
        return " for ", self.text(at.part), ""


class _OfRuns(CtlWords):
    """For formulas outside of CTL: evidence speaks of the formula as it is written."""

    def __init__(self, formula: Formula, longest: int, *, certified: bool) -> None:
        self.formula, self.longest = formula, longest
        self.atoms = formula.atoms
        self.decided = CERTIFIED if certified else NOT_PROVED

    def text(self, part: int) -> str:
        return printable(text_for_people(self.formula, part, self.longest), self.longest)

    def _is_about_paths(self, at: Evidence) -> str | None:
        """The word for paths, if evidence is about whether there is one that counts."""
        written = written_of(self.formula)
        return written.paths if written and written.parts.get(at.part) == NO_PATH else None

    def claim(self, at: Evidence) -> str:
        paths = self._is_about_paths(at)
        if paths is not None:
            return f"no run from here is {paths} {self.decided}"
        runs = "no run" if is_some(self.formula, at.part) else "every run"
        said = f"{runs} from here satisfies {self.text(body_of(self.formula, at.part))}"
        return f"{said} {self.decided}"

    def purpose(self, at: Evidence) -> tuple[str, str, str]:
        paths = self._is_about_paths(at)
        if paths is not None:
            return f" that is {paths}", "", ""
        body = self.text(body_of(self.formula, at.part))
        return (" with ", body, "") if at.truth else (" on which ", body, " fails")


def returned_calls(model: RSM, path: Path) -> list[tuple[int, int]]:
    """The calls that begin and return on a path, but for those inside others: the place of the
    first state of each, and of the first one after it. Nothing of a loop is among them.
    """
    began: list[int | None] = [None] * len(path.states[0].stack)
    """Of each call on the stack its first state. None if the path begins inside it."""
    found: list[tuple[int, int]] = []
    for at, (before, after) in enumerate(pairwise(path.states), start=1):
        if before.stack is after.stack and not model.core.is_exit(before.node):
            continue  # most steps: no call begins or returns
        enters = enters_call(model, before, after)
        while len(began) > len(after.stack) - enters:
            first = began.pop()
            if first is not None:
                while found and found[-1][0] > first:
                    found.pop()
                found.append((first, at))
        if enters:
            began.append(at)
    last = len(path.states) if path.start is None else path.start
    return [(first, min(end, last)) for first, end in found if first < last]


def _bars(depth: int) -> str:
    """A bar for each call that a state is in.

    >>> _bars(3), _bars(1002)[-11:]
    ('| | | ', '| | | +972 ')
    """
    return "| " * depth if depth <= _BARS else f"{'| ' * _BARS}+{depth - _BARS:,} "


def _fold(depth: int, inside: Sequence[Sequence[str]]) -> str:
    """The line for a call that is not shown, from the facts in its states."""
    states = f"{len(inside):,} state{'s' if len(inside) != 1 else ''}"
    labels = ", ".join(dict.fromkeys(chain.from_iterable(inside)))
    some = f", some with {labels}" if labels else ""
    return f"{'':>6}  {_bars(depth)}... {states} inside a call{some}"
