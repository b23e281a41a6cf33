"""An index of a project in the cache: what a scan needs to know of files that did not change.

An index has an entry for each file, by the key of its graph: the names in it, its surface and its
survey. Surveys hold for one surface of the whole program. If that is another one now, all surveys
are made again. So an index is right, whichever process wrote it, and two scans at once can only
cost time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from pigro.scan.surveys import FileSurvey
from pigro.sources.graph import Module
from pigro.sources.surface import surface_of, whole_surface

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


class IndexedFile(msgspec.Struct, array_like=True, gc=False):
    """The known facts about a file."""

    name: str
    is_package: bool
    lines: int
    functions: list[str]
    classes: list[str]
    surface: bytes
    survey: FileSurvey


class _Index(msgspec.Struct, array_like=True):
    surface: bytes
    """Of the program that the surveys are about."""
    entries: dict[str, IndexedFile]


class KeptModule(Module):
    """A module whose graph is read when first asked for."""

    __slots__ = ("_class_names", "_function_names", "_read")
    _read: Callable[[], Module]

    def __init__(self, entry: IndexedFile, file: str, read: Callable[[], Module]) -> None:
        self.name, self.file, self.lines = entry.name, file, entry.lines
        self.is_package = entry.is_package
        self._function_names, self._class_names = entry.functions, entry.classes
        self._read = read

    def __getattr__(self, name: str) -> Any:
        """Called for attributes that are not set yet."""
        if name not in {"functions", "classes"}:
            raise AttributeError(name)
        made = self._read()
        self.functions, self.classes = made.functions, made.classes
        return getattr(self, name)

    @property
    def function_names(self) -> list[str]:
        """The names of all functions."""
        return self._function_names

    @property
    def class_names(self) -> list[str]:
        """The names of all classes."""
        return self._class_names


class ProjectIndex:
    """The index of a project, as it was after the last scan, and as it is after this one."""

    def __init__(self, data: bytes | None) -> None:
        self.data = data
        self.known = _Index(b"", {})
        if data is not None:
            try:
                self.known = msgspec.msgpack.decode(data, type=_Index)
            except (msgspec.MsgspecError, UnicodeError, RecursionError):
                self.data = None

    def entry(self, key: str) -> IndexedFile | None:
        """The known facts about a file."""
        return self.known.entries.get(key)

    def surveys(self, keys: Sequence[str], modules: Sequence[Module]) -> list[FileSurvey]:
        """The surveys of the modules with these keys. Empty ones if a surface changed."""
        rows = [
            self.known.entries.get(key) or _entry(module)
            for key, module in zip(keys, modules, strict=True)
        ]
        surface = whole_surface(each.surface for each in rows)
        is_same = surface == self.known.surface
        self.known = _Index(surface, {})
        surveys = []
        for key, each in zip(keys, rows, strict=True):
            is_first = key not in self.known.entries  # the same file twice: the first one counts
            survey = each.survey if is_same and is_first else FileSurvey()
            surveys.append(survey)
            if is_first:
                self.known.entries[key] = msgspec.structs.replace(each, survey=survey)
        return surveys

    def encoded(self) -> bytes | None:
        """The index after a scan. None if it can't be written, or is as it was."""
        try:
            made = msgspec.msgpack.encode(self.known)
        except (OverflowError, UnicodeError, NotImplementedError):
            return None
        return None if made == self.data else made


def _entry(module: Module) -> IndexedFile:
    names = (module.name, module.is_package, module.lines)
    own = (module.function_names, module.class_names)
    return IndexedFile(*names, *own, surface_of(module), FileSurvey())
