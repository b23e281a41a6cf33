"""Names of components, nodes and boxes, and two ways to hold many of them cheaply.

A name is for people: verdicts do not depend on it. So names may be made up, or decoded, when they
are asked for. However they are held, sequences of names are equal if the names are.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from operator import eq
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro import _core


@dataclass(frozen=True, slots=True)
class Names:
    """Names of components, declared nodes and boxes, by number."""

    components: Sequence[str]
    nodes: Sequence[str]
    boxes: Sequence[str]

    @classmethod
    def numbered(cls, core: _core.Model) -> Names:
        """Names for a model that comes without: `c0`, `n0`, `b0`, ..."""
        return cls(
            Numbered("c", core.components),
            Numbered("n", core.declared_nodes),
            Numbered("b", core.boxes),
        )


class _Made(Sequence[str]):
    """Names that are made when asked for, by number from 0 on; copied and pickled as a tuple."""

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


class Numbered(_Made):
    """Names made up from numbers: `n0`, `n1`, ..."""

    def __init__(self, prefix: str, count: int) -> None:
        self._prefix = prefix
        self._count = count

    def __len__(self) -> int:
        return self._count

    def _make(self, number: int) -> str:
        return f"{self._prefix}{number}"


class Packed(_Made):
    """Names in one string of UTF-8, for models that come from binary files."""

    def __init__(self, texts: _core.Texts) -> None:
        self.texts = texts

    def __len__(self) -> int:
        return len(self.texts)

    def _make(self, number: int) -> str:
        return self.texts[number]

    def __iter__(self) -> Iterator[str]:
        return iter(self.texts.tolist())
