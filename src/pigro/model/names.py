"""Names of components, nodes and boxes, numbers of labels, and ways to hold many of them cheaply.

A check needs the few labels of its formula, and names are for people only. So a model that the
native core reads decodes a name or label when it is asked for. Names that are made up are made when
asked for. However they are held, names are equal if their texts are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, ItemsView, Iterator, Mapping, Sequence, ValuesView
from functools import cached_property
from operator import eq
from typing import TYPE_CHECKING

from pigro.lazy_names import type_names
from pigro.records import Record

if TYPE_CHECKING:
    from pigro import _core
else:
    type_names(globals(), {"pigro": "_core"})


class Names(Record, frozen=True):
    """Names of components, declared nodes and boxes, by number.

    >>> import pigro
    >>> pigro.load("examples/dataflow.rsm").names.components
    ('main', 'a', 'b')
    """

    components: Sequence[str]
    nodes: Sequence[str]
    boxes: Sequence[str]

    @classmethod
    def numbered(cls, core: _core.Model) -> Names:
        """Names for a model that comes without: `c0`, `n0`, `b0`, ..."""
        return cls(
            NumberedNames("c", core.components),
            NumberedNames("n", core.declared_nodes),
            NumberedNames("b", core.boxes),
        )


class LazyNames(Sequence[str]):
    """Names that are made when asked for, by number from 0 on. Copied and pickled as a tuple."""

    @abstractmethod
    def _make(self, number: int) -> str:
        """The name with this number, which there is."""

    def __getitem__(self, index: int) -> str:  # type: ignore[override]
        if not 0 <= index < len(self):
            raise IndexError(index)
        return self._make(index)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence) or isinstance(other, (str, bytes)):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __reduce__(self) -> tuple[Callable[..., tuple[str, ...]], tuple[object]]:
        return tuple, (tuple(self),)


class NumberedNames(LazyNames):
    """Names made up from numbers: `n0`, `n1`, ..."""

    def __init__(self, prefix: str, count: int) -> None:
        self._prefix = prefix
        self._count = count

    def __len__(self) -> int:
        return self._count

    def _make(self, number: int) -> str:
        return f"{self._prefix}{number}"


class PackedNames(LazyNames):
    """Names in one string of UTF-8, for models that the native core reads."""

    def __init__(self, texts: _core.Texts) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    def _make(self, number: int) -> str:
        return self.texts[number]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts.tolist())


class PackedLabels(Mapping[str, int]):
    """The numbers of labels that are in one string of UTF-8.

    Those of binary files come with their order. Without it, the first few questions look at all
    labels, and later ones at a table.
    """

    _FEW = 8

    def __init__(self, texts: _core.Texts) -> None:
        self.texts = texts
        self._asked = 0

    def __len__(self) -> int:
        return len(self.texts)

    def __getitem__(self, label: str) -> int:
        if self._asked > self._FEW:
            return self._numbers[label]
        self._asked += not self.texts.has_order
        number = self.texts.find(label.encode("utf-8", "surrogatepass"))
        if number < 0:
            raise KeyError(label)
        return number

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers)

    def items(self) -> ItemsView[str, int]:
        """Labels and numbers, ascending by number."""
        return self._numbers.items()

    def values(self) -> ValuesView[int]:
        """The numbers, ascending."""
        return self._numbers.values()

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """Made for callers that want all of them."""
        return {label: number for number, label in enumerate(self.texts.tolist())}
