"""A part of a file while its lines come in.

States get a number when they are first named, by a step or by their own line. `finish` puts them in
the order of their own lines. Labels are kept by the text between the braces, and kinds of steps by
the text of the arrow, since most lines have ones that were there before.
"""

from __future__ import annotations

from array import array
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, did_you_mean, printable
from pigro.model.part import LOCAL, TAU, Part, check_size

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.formats.parts.line import LinePlace, NameList, PlacedName, StateLine, StepLine


class PartDraft:
    """A part under construction."""

    def __init__(self, name: PlacedName, place: LinePlace) -> None:
        self.name = name
        self.place = place
        self.columns: dict[str, int] = {}
        self.actions: dict[str, int] | None = None
        self.ids: dict[str, int] = {}
        """Numbers of states, as they are first named."""
        self.lines = array("q")
        """Where each of these is first named."""
        self.declared = array("i")
        self.is_declared = bytearray()
        """By number."""
        self.rows: list[bytes] = []
        self.initial: list[int] = []
        self.sources = array("i")
        self.targets = array("i")
        self.kinds = array("i")
        """Of steps: twice the number of the action, and 1 more for those that must be there."""
        self.hyper: list[tuple[int, int, list[int]]] = []
        """Hyper-steps: source, action and targets."""
        self.known_rows: dict[str, bytes] = {}
        self.known_arrows: dict[str, int] = {}

    def number(self, state: str, line: int) -> int:
        """The number of a state that is named in a line."""
        found = self.ids.get(state)
        if found is None:
            found = self.ids[state] = len(self.ids)
            self.lines.append(line)
            self.is_declared.append(0)
        return found

    def declare(self, state: str, row: bytes, line: int, *, is_initial: bool) -> bool:
        """Takes a state in. False if there is one of that name."""
        number = self.number(state, line)
        if self.is_declared[number]:
            return False
        self.is_declared[number] = 1
        if is_initial:
            self.initial.append(len(self.declared))
        self.declared.append(number)
        self.rows.append(row)
        return True

    def listed(self, statement: NameList, place: LinePlace) -> None:
        """`labels` or `actions`."""
        if self.ids:
            message = f"{statement.keyword} stand before the states and steps of a part"
            at = place.text.find(statement.keyword)
            raise place.error("P131", message, at, width=len(statement.keyword))
        what = statement.keyword[:-1]
        if what == "action" and self.actions is None:
            self.actions = {}
        table = self.columns if what == "label" else self.actions
        assert table is not None
        for name in statement.names:
            shown = printable(name.text)
            if name.text in table:
                raise place.error_at("P132", f'{what} "{shown}" is listed twice', name)
            if what == "action" and name.text == TAU:
                message = f"{TAU} needs no listing: every part has it"
                raise place.error_at("P132", message, name)
            table[name.text] = len(table)

    def state(self, statement: StateLine, place: LinePlace) -> None:
        """A state with labels that were listed."""
        row = bytearray(len(self.columns))
        for name, is_unknown in statement.labels:
            label = name.text
            column = self.columns.get(label)
            shown = printable(label)
            if column is None:
                message = f'part "{printable(self.name.text)}" lists no label "{shown}"'
                hint = did_you_mean(label, self.columns) or f"add a line before: labels {shown}"
                raise place.error_at("P133", message, name, hint)
            value = 2 if is_unknown else 1
            if row[column] not in (0, value):
                message = f'label "{shown}" is both true and unknown here'
                raise place.error_at("P132", message, name)
            row[column] = value
        name, made = statement.name, bytes(row)
        if not self.declare(name.text, made, place.number, is_initial=statement.is_initial):
            raise place.error_at("P132", f'a second state "{printable(name.text)}"', name)

    def step(self, statement: StepLine, place: LinePlace) -> None:
        """Steps from one state to some."""
        action = self.action(statement, place)
        source = self.number(statement.source.text, place.number)
        for group in statement.targets:
            targets = [self.number(target.text, place.number) for target in group]
            if len(targets) > 1:
                self.hyper.append((source, action, targets))
                continue
            self.sources.append(source)
            self.targets.append(targets[0])
            self.kinds.append(2 * action + statement.is_must)

    def action(self, statement: StepLine, place: LinePlace) -> int:
        """The number of the action. The part must be of the kind that has one, or has none."""
        action = statement.action
        shown = printable(self.name.text)
        if action is None:
            if self.actions is not None:
                message = f'part "{shown}" has actions, but this step names none'
                hint = f"write a -action-> b, or a -{TAU}-> b for a step of this part alone"
                raise place.error_at("P135", message, statement.source, hint)
            return 0
        if self.actions is None:
            message = f'part "{shown}" lists no actions, but this step names one'
            hint = f"add a line to the part, before its states: actions {printable(action.text)}"
            raise place.error_at("P135", message, action, hint)
        if action.text == TAU:
            return LOCAL
        found = self.actions.get(action.text)
        if found is None:
            message = f'part "{shown}" lists no action "{printable(action.text)}"'
            raise place.error_at("P133", message, action, did_you_mean(action.text, self.actions))
        return found

    def undeclared(self) -> tuple[str, int] | None:
        """The first state that has no line of its own, and where it is named."""
        at = self.is_declared.find(0)
        if at < 0:
            return None
        name = next(name for name, number in self.ids.items() if number == at)
        return name, self.lines[at]

    def finish(self) -> Part:
        """The part. All states are declared."""
        if not self.initial:
            what = "initial state" if self.declared else "state"
            raise self.place.error_at(
                "P134",
                f'part "{printable(self.name.text)}" has no {what}',
                self.name,
                "write initial after the labels of a state: state a {} initial",
            )
        check_size(self.name.text, len(self.declared), len(self.columns))
        names = list(self.ids)
        sources: Sequence[int] = self.sources
        targets: Sequence[int] = self.targets
        hyper = self.hyper
        if any(at != number for at, number in enumerate(self.declared)):
            numbers = sorted(range(len(names)), key=self.declared.__getitem__)
            names = [names[number] for number in self.declared]
            sources = [numbers[each] for each in sources]
            targets = [numbers[each] for each in targets]
            hyper = [(numbers[at], by, [numbers[to] for to in goals]) for at, by, goals in hyper]
        return Part.from_steps(
            self.name.text,
            states=names,
            initial=self.initial,
            atoms=tuple(self.columns),
            values=b"".join(self.rows),
            actions=None if self.actions is None else tuple(self.actions),
            sources=sources,
            by=[kind >> 1 for kind in self.kinds],
            targets=targets,
            must=[kind & 1 for kind in self.kinds],
            hyper=hyper,
        )


def no_state(draft: PartDraft, name: PlacedName, place: LinePlace) -> InputError:
    """A step names a state without a line of its own."""
    states = (each for each, number in draft.ids.items() if draft.is_declared[number])
    return place.error_at(
        "P133",
        f'part "{printable(draft.name.text)}" has no state "{printable(name.text)}"',
        name,
        did_you_mean(name.text, states) or "every state has a line of its own: state NAME {}",
    )
