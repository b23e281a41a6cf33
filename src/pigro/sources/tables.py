"""Functions and classes of a program by name, each read when it is first asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Protocol, TypeVar

if TYPE_CHECKING:
    from pigro.sources.graph import Module


class _HasName(Protocol):
    name: str


T = TypeVar("T", bound=_HasName)


class NameTable(Mapping[str, T]):
    """What modules hold, by name. Where two hold the same name, the first one counts.

    Names come in the order of the modules, and are known without reading any graph.
    """

    def __init__(self, kind: Callable[[Module], Iterable[T]]) -> None:
        self._kind = kind
        self.home: dict[str, Module] = {}
        """The module of each name."""
        self._read: dict[str, T] = {}

    def add(self, module: Module, names: Iterable[str]) -> None:
        """Adds the names of a module."""
        home = self.home
        for each in names:
            if each not in home:
                home[each] = module

    def __getitem__(self, name: str) -> T:
        found = self._read.get(name)
        if found is None:
            module = self.home[name]
            for each in self._kind(module):
                if self.home.get(each.name) is module:
                    self._read.setdefault(each.name, each)
            found = self._read[name]
        return found

    def get(self, name: str) -> T | None:  # type: ignore[override]
        """The one with this name, if there is one."""
        found = self._read.get(name)
        return self[name] if found is None and name in self.home else found

    def __contains__(self, name: object) -> bool:
        return name in self.home

    def __iter__(self) -> Iterator[str]:
        return iter(self.home)

    def __len__(self) -> int:
        return len(self.home)
