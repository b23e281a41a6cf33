"""A part of a composed system: states, three-valued labels, and steps that must or may be there.

A part without actions moves in step with all others and shares labels with them by name: a Kripke
structure, or a Kripke modal transition system where labels may be unknown and steps only possible.
A part with actions shares actions instead: a labelled transition system.

>>> from pigro import PartBuilder
>>> sender = PartBuilder("sender", labels=["ready", "done"])
>>> sender = sender.state("idle", initial=True).state("sent", "ready", unknown=["done"])
>>> sender = sender.step("idle", "sent").step("sent", "idle", must=False)
>>> sender.build()
<Part sender: 2 states, 2 steps, labels ready, done>

Invariants of a `Part`, which `Part.from_arrays` checks:

1. State names are distinct, so are labels, and so are actions. None of the actions is `tau`.
2. There is an initial state. Initial states are distinct.
3. `values` has a row a state and a column a label. `offsets` ascends from 0 to the steps there are.
4. Without actions `by` is all 0. With actions it is -1 for `tau` or a number of an action.
5. No two steps have the same source, action and target (`from_arrays` leaves that to its caller).
6. Hyper-steps ascend, each is there once, and each has two targets at least. There is a step to
   each target: it may be there.
"""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from operator import index
from typing import TYPE_CHECKING, ClassVar, Literal, Self, SupportsIndex

from pigro.diagnostics import ModelError, did_you_mean, printable
from pigro.lazy_names import type_names
from pigro.limits import no_poll
from pigro.model.arrays import Ints, as_bytes, as_ids, for_pickle
from pigro.model.kinds import SubjectKind
from pigro.model.mistakes import quoted
from pigro.model.parts.hyper import HyperStep, hyper_step, without_implied

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.model.lazy.formulas import PartFormulas
else:
    type_names(globals(), {"pigro.limits": "Poll", "pigro.model.lazy.formulas": "PartFormulas"})

FALSE, TRUE, UNKNOWN = 0, 1, 2
"""What a label can be in a state."""
MAY, MUST = 0, 1
TAU = "tau"
"""The action that a part takes alone."""
LOCAL = -1
"""Its number."""
_MOST_VALUES = 1 << 28
"""Of labels in states. A byte each."""
_FEWEST = 2
"""Targets of a hyper-step."""


@dataclass(frozen=True, slots=True, repr=False)
class Part:
    """A part of a composition. Make one with `PartBuilder` or `Part.from_arrays`.

    It never changes afterwards.

    >>> import pigro
    >>> lamp = pigro.PartBuilder("lamp", labels=["on"]).state("dark", initial=True)
    >>> part = lamp.state("lit", "on").step("dark", "lit").step("lit", "dark").build()
    >>> part.states, list(part.labels_of(1))
    (('dark', 'lit'), ['on'])
    """

    kind: ClassVar[Literal[SubjectKind.COMPOSITION]] = SubjectKind.COMPOSITION
    is_listed: ClassVar[Literal[True]] = True
    name: str
    states: Sequence[str]
    """Their names."""
    initial: tuple[int, ...]
    atoms: tuple[str, ...]
    """The labels that it sees."""
    values: bytes
    """Of each label in each state, state by state: 0 false, 1 true, 2 unknown."""
    actions: tuple[str, ...] | None
    """Without `tau`. None if it moves in step with all others."""
    offsets: Ints
    """The steps of state s are those from `offsets[s]` to `offsets[s + 1]`."""
    targets: Ints
    by: Ints
    """The action of each step: its number, -1 for `tau`. 0 if there are no actions."""
    must: bytes
    """Of each step: 1 if it must be there, 0 if it only may."""
    hyper: tuple[HyperStep, ...] = ()
    """Steps that must be there, to one of several states."""
    formulas: PartFormulas | None = field(default=None, compare=False)
    """What a file says about the states, if the part is a module. Some methods take these."""
    predicates: tuple[str, ...] = field(default=(), compare=False)
    """Conditions by which a part with formulas is to be abstracted."""

    @classmethod
    def from_arrays(  # noqa: PLR0913 - a part has many arrays, given by keyword
        cls,
        name: str,
        *,
        states: Sequence[str],
        initial: Iterable[int],
        atoms: Iterable[str],
        values: object,
        offsets: object,
        targets: object,
        actions: Iterable[str] | None = None,
        by: object | None = None,
        must: object | None = None,
        hyper: Iterable[tuple[int, int, Iterable[int]]] = (),
    ) -> Self:
        """A part from arrays, as its fields say. Without `must` all steps must be there.

        Raises `ModelError` where they break an invariant, and keeps copies.
        """
        goals = array("i", as_ids(targets, "targets"))
        made = cls(
            name=name,
            states=_distinct(name, states, "states"),
            initial=_initial(name, initial, len(states)),
            atoms=_distinct(name, atoms, "labels"),
            values=bytes(as_bytes(values, "values")),
            actions=None if actions is None else _alphabet(name, actions),
            offsets=array("i", as_ids(offsets, "offsets")),
            targets=goals,
            by=array("i", [0]) * len(goals) if by is None else array("i", as_ids(by, "by")),
            must=b"\1" * len(goals) if must is None else bytes(as_bytes(must, "must")),
            hyper=_hyper_steps(name, hyper),
        )
        _check_arrays(made)
        _check_hyper(made)
        return made

    @classmethod
    def from_steps(  # noqa: PLR0913 - same
        cls,
        name: str,
        *,
        states: Sequence[str],
        initial: Iterable[int],
        atoms: Sequence[str],
        values: object,
        sources: Sequence[int],
        targets: Sequence[int],
        actions: Sequence[str] | None = None,
        by: Sequence[int] | None = None,
        must: Sequence[int] | None = None,
        hyper: Iterable[tuple[int, int, Iterable[int]]] = (),
    ) -> Self:
        """The same from a list of steps in any order. A part has them by action and target.

        One that is there twice counts once. It must be there if one of the two must. The steps to
        targets of hyper-steps may be there, and need not be listed. Implied hyper-steps are left
        out, and one with a single target is a step that must be there.
        """
        acting = array("i", [0]) * len(targets) if by is None else by
        strength = b"\1" * len(targets) if must is None else must
        if not len(sources) == len(targets) == len(acting) == len(strength):
            raise ModelError("P212", f"part {quoted(name)}: not all steps have all that a step has")
        wide = _hyper_steps(name, hyper)
        if wide:
            more = [(*step[:2], to, len(step.targets) == 1) for step in wide for to in step.targets]
            sources = [*sources, *(source for source, _, _, _ in more)]
            acting = [*acting, *(action for _, action, _, _ in more)]
            targets = [*targets, *(target for _, _, target, _ in more)]
            strength = [*strength, *(int(must) for _, _, _, must in more)]
            rows_of = zip(sources, acting, targets, strength, strict=True)
            wide = without_implied(wide, {step[:3] for step in rows_of if step[3]})
        for what, given, low, high in (
            ("a source or target is not one of the states", sources, 0, len(states)),
            ("a source or target is not one of the states", targets, 0, len(states)),
            ("a step is by none of the actions", acting, LOCAL, max(1, len(actions or ()))),
            ("must has to be 0 or 1", strength, MAY, MUST + 1),
        ):
            if given and not low <= min(given) <= max(given) < high:
                raise ModelError("P212", f"part {quoted(name)}: {what}")
        count = len(states)
        rows: list[list[int]] = [[] for _ in states]
        for source, action, target, strong in zip(
            sources, acting, targets, strength, strict=True
        ):  # one number a step. Where all else is equal, must comes first
            rows[source].append((((action + 1) * count + target) << 1) + 1 - strong)
        steps: list[int] = []
        offsets = array("i", [0])
        for row in rows:
            row.sort()
            steps += row[:1]
            steps += [after for before, after in pairwise(row) if before >> 1 != after >> 1]
            offsets.append(len(steps))
        return cls.from_arrays(
            name,
            states=states,
            initial=initial,
            atoms=atoms,
            values=values,
            actions=actions,
            offsets=offsets,
            targets=array("i", [(step >> 1) % count for step in steps]),
            by=array("i", [(step >> 1) // count - 1 for step in steps]),
            must=bytes([~step & 1 for step in steps]),
            hyper=wide,
        )

    def listed(self, poll: Poll = no_poll) -> Part:
        """The part by its states alone, without formulas."""
        return self if self.formulas is None else replace(self, formulas=None, predicates=())

    @property
    def is_concrete(self) -> bool:
        """No label is unknown, and all steps must be there."""
        return UNKNOWN not in self.values and MAY not in self.must

    def value(self, state: int, label: int) -> int:
        """What a label, by number, is in a state: 0 false, 1 true, 2 unknown."""
        return self.values[state * len(self.atoms) + label]

    def labels_of(self, state: int, value: int = TRUE) -> list[str]:
        """The labels that are true in a state, or that have another value."""
        width = len(self.atoms)
        row = self.values[state * width : state * width + width]
        return [label for label, here in zip(self.atoms, row, strict=True) if here == value]

    def steps_of(self, state: int) -> Iterator[tuple[int, int, int]]:
        """The steps from a state: action, target, and 1 if it must be there."""
        here = slice(self.offsets[state], self.offsets[state + 1])
        return zip(self.by[here], self.targets[here], self.must[here], strict=True)

    def hyper_of(self, state: int) -> tuple[HyperStep, ...]:
        """The hyper-steps from a state."""
        if not self.hyper:
            return ()
        begin = bisect_left(self.hyper, (state,))
        return self.hyper[begin : bisect_left(self.hyper, (state + 1,), begin)]

    def action_name(self, action: int) -> str:
        """The name of an action by number, for parts with actions."""
        return TAU if action == LOCAL or self.actions is None else self.actions[action]

    def __hash__(self) -> int:
        return hash((self.name, self.initial, self.atoms, self.actions, len(self.targets)))

    def __copy__(self) -> Part:
        return self

    def __deepcopy__(self, memo: object) -> Part:
        return self

    def __reduce_ex__(
        self, protocol: SupportsIndex
    ) -> tuple[Callable[..., Part], tuple[object, ...]]:
        rows = (self.values, self.offsets, self.targets, self.by, self.must)
        packed = [for_pickle(row, protocol) for row in rows]
        named = (self.name, self.states, self.initial, self.atoms, self.actions, self.hyper)
        return _restore, (*named, *packed)

    def __repr__(self) -> str:
        counts = f"{_count(len(self.states), 'state')}, {_count(len(self.targets), 'step')}"
        if self.hyper:
            counts += f", {_count(len(self.hyper), 'hyper-step')}"
        shared = f"labels {_listed(self.atoms)}" if self.atoms else "no labels"
        if self.actions is not None:
            shared += f", actions {_listed(self.actions)}" if self.actions else ", no actions"
        return f"<Part {printable(self.name)}: {counts}, {shared}>"


def _restore(
    name: str,
    states: tuple[str, ...],
    initial: tuple[int, ...],
    atoms: tuple[str, ...],
    actions: tuple[str, ...] | None,
    hyper: tuple[HyperStep, ...],
    *packed: bytes,
) -> Part:
    """A part from its pickle. Arrays are bytes, or buffers."""
    values, offsets, targets, by, must = (bytes(memoryview(row)) for row in packed)
    return Part.from_arrays(
        name,
        states=states,
        initial=initial,
        atoms=atoms,
        values=values,
        offsets=array("i", offsets),
        targets=array("i", targets),
        actions=actions,
        by=array("i", by),
        must=must,
        hyper=hyper,
    )


class PartBuilder:
    """Builds a part by names: call `state` and `step`, in any order, and then `build`.

    `labels` are the labels that the part sees. `actions` are its actions, if it has any.

    >>> import pigro
    >>> door = pigro.PartBuilder("door", labels=["open"])
    >>> door = door.state("shut", initial=True).state("wide", "open")
    >>> door.step("shut", "wide").step("wide", "shut", must=False).build()
    <Part door: 2 states, 2 steps, labels open>
    """

    def __init__(
        self, name: str, labels: Iterable[str] = (), actions: Iterable[str] | None = None
    ) -> None:
        _require_text(name)
        self.name = name
        self._atoms = _distinct(name, _names(labels), "labels")
        self._columns = {label: at for at, label in enumerate(self._atoms)}
        self._actions = None if actions is None else _alphabet(name, _names(actions))
        _require_text(*self._atoms, *(self._actions or ()))
        self._numbers = {action: at for at, action in enumerate(self._actions or ())}
        self._states: dict[str, int] = {}
        self._initial: list[int] = []
        self._rows: list[bytes] = []
        self._steps: list[tuple[str, int, str, bool]] = []
        self._hyper: list[tuple[str, int, tuple[str, ...]]] = []

    def state(
        self, name: str, *labels: str, unknown: Iterable[str] = (), initial: bool = False
    ) -> Self:
        """Adds a state: the labels that are true there, and those that are unknown."""
        _require_text(name)
        if name in self._states:
            message = f"part {quoted(self.name)} has two states {quoted(name)}"
            raise ModelError("P216", message)
        row = bytearray(len(self._atoms))
        for value, given in ((TRUE, labels), (UNKNOWN, _names(unknown))):
            for label in given:
                self._mark(name, row, label, value)
        if initial:
            self._initial.append(len(self._states))
        self._states[name] = len(self._states)
        self._rows.append(bytes(row))
        return self

    def _mark(self, state: str, row: bytearray, label: str, value: int) -> None:
        _require_text(label)
        column = self._columns.get(label)
        if column is None:
            raise ModelError(
                "P217",
                f"part {quoted(self.name)} does not see the label {quoted(label)} of state "
                f"{quoted(state)}",
                hint=did_you_mean(label, self._atoms) or "list it in labels=... of the part",
            )
        if row[column] not in (FALSE, value):
            message = f"label {quoted(label)} of state {quoted(state)} is both true and unknown"
            raise ModelError("P216", message)
        row[column] = value

    def step(
        self, source: str, target: str, action: str | None = None, *, must: bool = True
    ) -> Self:
        """Adds a step. Parts with actions say by which action, or `tau`."""
        _require_text(source, target, "" if action is None else action)
        what = f"the step from {quoted(source)} to {quoted(target)}"
        self._steps.append((source, self._number(action, what), target, must))
        return self

    def hyper_step(self, source: str, targets: Iterable[str], action: str | None = None) -> Self:
        """Adds a step that must be there, to one of several states. It is not known to which."""
        given = tuple(_names(targets))
        _require_text(source, *given, "" if action is None else action)
        if not given:
            raise ModelError("P212", f"the hyper-step from {quoted(source)} leads to no state")
        number = self._number(action, f"the hyper-step from {quoted(source)}")
        self._hyper.append((source, number, given))
        return self

    def _number(self, action: str | None, what: str) -> int:
        """The number of the action of a step."""
        if (action is None) != (self._actions is None):
            raise wrong_kind(self.name, what, has_actions=self._actions is not None)
        if action is None:
            return 0
        if action == TAU:
            return LOCAL
        if action not in self._numbers:
            raise ModelError(
                "P217",
                f"part {quoted(self.name)} has no action {quoted(action)}",
                hint=did_you_mean(action, self._numbers) or "list it in actions=... of it",
            )
        return self._numbers[action]

    def build(self) -> Part:
        """The finished part. `ModelError` where a step names no state, or none is initial."""
        named: list[tuple[str, ...]] = [(source, to) for source, _, to, _ in self._steps]
        named += [(source, *targets) for source, _, targets in self._hyper]
        for names in named:
            for each in names:
                if each not in self._states:
                    raise ModelError(
                        "P217",
                        f"part {quoted(self.name)} has no state {quoted(each)}",
                        hint=did_you_mean(each, self._states),
                    )
        return Part.from_steps(
            self.name,
            states=tuple(self._states),
            initial=self._initial,
            atoms=self._atoms,
            values=b"".join(self._rows),
            actions=self._actions,
            sources=[self._states[source] for source, _, _, _ in self._steps],
            by=[number for _, number, _, _ in self._steps],
            targets=[self._states[target] for _, _, target, _ in self._steps],
            must=[int(must) for _, _, _, must in self._steps],
            hyper=[
                (self._states[source], number, [self._states[each] for each in targets])
                for source, number, targets in self._hyper
            ],
        )


def wrong_kind(part: str, step: str, *, has_actions: bool) -> ModelError:
    """A step with an action in a part without, or the other way round."""
    if has_actions:
        message = f"part {quoted(part)} has actions, but {step} names none"
        return ModelError("P219", message, hint=f"a step that it takes alone is by {TAU}")
    message = f"part {quoted(part)} has no actions, but {step} names one"
    return ModelError("P219", message, hint="list the actions of the part, all that it takes")


def check_size(part: str, states: int, labels: int) -> None:
    """Refuses a part whose table of labels would fill the memory."""
    if states * labels > _MOST_VALUES:
        message = f"part {quoted(part)} has too many labels: {labels:,} in {states:,} states"
        raise ModelError("P213", message, hint="leave out labels that are true nowhere")


def _initial(part: str, given: Iterable[int], count: int) -> tuple[int, ...]:
    try:
        initial = tuple(dict.fromkeys(index(state) for state in given))
    except TypeError:
        raise ModelError("P212", "initial states must be a list of integers") from None
    if not initial:
        what = "initial state" if count else "state"
        raise ModelError("P218", f"part {quoted(part)} has no {what}")
    for state in initial:
        if not 0 <= state < count:
            raise ModelError("P212", f"initial state {state} is not one of the {count:,} states")
    return initial


def _distinct(part: str, names: Iterable[str], what: str) -> tuple[str, ...]:
    given = tuple(names)
    if len(set(given)) < len(given):
        seen = set[str]()
        for name in given:
            if name in seen:
                message = f"part {quoted(part)}: two {what} are named {quoted(name)}"
                raise ModelError("P216", message)
            seen.add(name)
    return given


def _alphabet(part: str, actions: Iterable[str]) -> tuple[str, ...]:
    given = _distinct(part, actions, "actions")
    if TAU in given:
        message = f"part {quoted(part)} lists the action {quoted(TAU)}"
        raise ModelError("P216", message, hint=f"every part has {TAU}: leave it out")
    return given


def _check_arrays(part: Part) -> None:
    """Invariants 3 and 4."""
    states, labels, steps = len(part.states), len(part.atoms), len(part.targets)
    check_size(part.name, states, labels)
    offsets = part.offsets
    for what, length, needed in (
        ("values", len(part.values), states * labels),
        ("offsets", len(offsets), states + 1),
        ("by", len(part.by), steps),
        ("must", len(part.must), steps),
    ):
        if length != needed:
            raise _bad(part, f"{what} has {length:,} elements, not {needed:,}")
    if offsets[0] != 0 or offsets[-1] != steps or any(a > b for a, b in pairwise(offsets)):
        raise _bad(part, f"offsets must ascend from 0 to the number of steps, {steps:,}")
    if part.values and max(part.values) > UNKNOWN:
        raise _bad(part, "values must be 0, 1 or 2")
    if not steps:
        return
    if max(part.must) > MUST:
        raise _bad(part, "must has to be 0 or 1")
    if min(part.targets) < 0 or max(part.targets) >= states:
        raise _bad(part, "a target is not one of the states")
    low, high = (0, 0) if part.actions is None else (LOCAL, len(part.actions) - 1)
    if min(part.by) < low or max(part.by) > high:
        raise _bad(part, "a step is by none of the actions")


def _hyper_steps(
    part: str, given: Iterable[tuple[int, int, Iterable[int]]]
) -> tuple[HyperStep, ...]:
    """Hyper-steps in order, each of them once. They are not checked yet."""
    try:
        made = {hyper_step(index(at), index(by), map(index, to)) for at, by, to in given}
    except (TypeError, ValueError):
        message = f"part {quoted(part)}: a hyper-step has a source, an action and targets"
        raise ModelError("P212", message) from None
    return tuple(sorted(made))


def _check_hyper(part: Part) -> None:
    """Invariant 6."""
    seen = -1
    steps = frozenset[tuple[int, int]]()
    for source, by, targets in part.hyper:
        if not 0 <= source < len(part.states):
            raise _bad(part, "a hyper-step is from none of the states")
        if source != seen:
            seen, steps = source, frozenset((by, to) for by, to, _ in part.steps_of(source))
        if len(targets) < _FEWEST:
            raise _bad(part, "a hyper-step needs two targets at least")
        for target in targets:
            if (by, target) not in steps:
                where = f"{quoted(part.states[source])} leads to"
                to = str(target)
                if 0 <= target < len(part.states):
                    to = quoted(part.states[target])
                raise _bad(part, f"the hyper-step from {where} {to}, but there is no such step")


def _bad(part: Part, message: str) -> ModelError:
    return ModelError("P212", f"part {quoted(part.name)}: {message}")


def _require_text(*names: object) -> None:
    for name in names:
        if not isinstance(name, str):
            hint = f'for example "{name}"' if isinstance(name, int) else None
            raise ModelError("P212", f"a name must be text, not {name!r}", hint=hint)


def _names(names: Iterable[str]) -> Iterable[str]:
    """A lone string is one name."""
    return (names,) if isinstance(names, str) else names


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def _listed(names: Sequence[str], most: int = 8) -> str:
    shown = ", ".join(printable(name, 40) for name in names[:most])
    return shown + (f" and {len(names) - most} more" if len(names) > most else "")
