"""Which states of parts agree on their joint labels, if some of these labels are unknown.

A *joint label* is one that several parts see. Rows of values *fit* if no label is true in one row
and false in another. States with fitting rows may form a composed state. They form one for sure
if no joint label is unknown in any of them. Otherwise it depends on how the parts are finished.

A joint label that is unknown in some state of some part is *unsettled*.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Generic, TypeVar

from pigro.model.part import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.model.lazy.seen import AnyPart, NumberedPart

Values = tuple[int, ...]
"""Of some labels in one state: 0 false, 1 true, 2 unknown."""
_Item = TypeVar("_Item")


def joint_labels(parts: Sequence[AnyPart]) -> tuple[str, ...]:
    """The labels that several parts see, in the order in which they first come."""
    seen = Counter(label for part in parts for label in part.atoms)
    return tuple(label for label, users in seen.items() if users > 1)


class UnknownJointLabels:
    """The places in parts where a joint label is unknown."""

    def __init__(self, parts: Sequence[NumberedPart]) -> None:
        self._parts = parts
        joint = frozenset(joint_labels(parts))
        self._columns = [_unknown_columns(part, joint) for part in parts]
        unsettled = [
            part.atoms[column]
            for part, columns in zip(parts, self._columns, strict=True)
            for column in columns
        ]
        self.unsettled = tuple(dict.fromkeys(unsettled))
        """The joint labels that are unknown in some state."""

    def first(self, states: Sequence[int]) -> tuple[int, str] | None:
        """A part, by number, and a joint label that is unknown in its state. None without any."""
        for at, (part, columns, state) in enumerate(
            zip(self._parts, self._columns, states, strict=True)
        ):
            for column in columns:
                if part.value(state, column) == UNKNOWN:
                    return at, part.atoms[column]
        return None


def _unknown_columns(part: NumberedPart, joint: frozenset[str]) -> list[int]:
    """The joint labels, by column, that are unknown in some state."""
    if part.is_concrete or not part.is_listed:
        return []
    width = len(part.atoms)
    return [
        column
        for column, label in enumerate(part.atoms)
        if label in joint and UNKNOWN in part.values[column::width]
    ]


class CompatibleRows(Generic[_Item]):
    """Items by rows of values, all of the same labels: finds those whose rows fit a row.

    Rows are grouped by the places where they are unknown. Cost of a search: one look for each such
    group, and the items that are found. If nothing is unknown, there is one group.
    """

    def __init__(self, items: Iterable[tuple[Values, _Item]]) -> None:
        self._groups: dict[Values, dict[Values, list[_Item]]] = {}
        for row, item in items:
            group = self._groups.setdefault(_gaps(row), {})
            group.setdefault(row, []).append(item)
        self._indexes: dict[tuple[Values, Values], tuple[list[int], dict[Values, list[_Item]]]] = {}

    def to(self, row: Values) -> list[_Item]:
        """The items whose rows fit this one."""
        gaps = _gaps(row)
        if not gaps and len(self._groups) == 1 and () in self._groups:
            return self._groups[()].get(row, [])
        found: list[_Item] = []
        for group in self._groups:
            places, index = self._index(gaps, group, len(row))
            found += index.get(tuple([row[at] for at in places]), ())
        return found

    def _index(
        self, gaps: Values, group: Values, width: int
    ) -> tuple[list[int], dict[Values, list[_Item]]]:
        """A group by the places that are known both there and in a row with these gaps."""
        made = self._indexes.get((gaps, group))
        if made is None:
            places = [at for at in range(width) if at not in gaps and at not in group]
            index: dict[Values, list[_Item]] = {}
            for row, items in self._groups[group].items():
                index.setdefault(tuple([row[at] for at in places]), []).extend(items)
            made = self._indexes[gaps, group] = (places, index)
        return made


def _gaps(row: Values) -> Values:
    """The places where a row is unknown."""
    if UNKNOWN not in row:
        return ()
    return tuple([at for at, value in enumerate(row) if value == UNKNOWN])


def merged(left: Values, right: Values) -> Values:
    """What two rows that fit know together."""
    return tuple([min(pair) for pair in zip(left, right, strict=True)])
