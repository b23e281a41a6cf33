"""Bases: the folders that names of modules start from.

| where a file is | its base |
|---|---|
| in a package | the folder above the topmost package |
| in a package of a namespace, such as `google/cloud/storage` | the folder above the namespace |
| in no package | the next folder above that is a base of others, or a `src` |
| in none of these | the given folder |

So a file has the same name whichever folder around it is given. Where two files would have the same
name, and where a file would hide a module of the standard library, names start from the given
folder.
"""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from pathlib import Path

_SOURCES = "src"
_PROJECT = ("pyproject.toml", "setup.py", "setup.cfg")
"""Files in the folder of a project, which is no namespace."""


def module_names(files: Iterable[tuple[Path, Path]]) -> Iterator[str]:
    """The name of the module of each file: absolute paths, each with the path that was given."""
    rows, bases = list(files), _PackageBases()
    for path, _ in rows:
        bases.of(path.parent)
    taken: set[str] = set()
    for path, given in rows:
        outer = bases.of_given(given)
        base = bases.of(path.parent) or bases.nearest(path.parent, outer)
        name = _name(path, base)
        if name in taken or name.partition(".")[0] in sys.stdlib_module_names:
            name = _name(path, outer)
        taken.add(name)
        yield name


def _name(path: Path, base: Path) -> str:
    parts = path.relative_to(base).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


class _PackageBases:
    """The bases of folders that are packages."""

    def __init__(self) -> None:
        self._known: dict[Path, Path | None] = {}

    def of(self, folder: Path) -> Path | None:
        """The base of a package. None for other folders."""
        if folder not in self._known:
            is_package = (folder / "__init__.py").is_file() and folder.parent != folder
            self._known[folder] = self.of(folder.parent) or _above(folder) if is_package else None
        return self._known[folder]

    def of_given(self, given: Path) -> Path:
        """The base of a given path, for files that no other base fits."""
        folder = given if given.is_dir() else given.parent
        return self.of(folder) or folder

    def nearest(self, folder: Path, outer: Path) -> Path:
        """The next base around a folder, up to the given one."""
        bases = set(self._known.values())
        while folder != outer and folder not in bases and folder.name != _SOURCES:
            folder = folder.parent
        return folder


def _above(package: Path) -> Path:
    """The base of a topmost package. Its imports of itself tell the namespace that it is in."""
    home = package.parent
    if home.name == _SOURCES or any((home / each).is_file() for each in _PROJECT):
        return home
    own = rf"^[ \t]*(?:from|import)[ \t]+((?:\w+\.)*){re.escape(package.name)}\b"
    pattern = re.compile(own.encode("utf-8", "surrogateescape"), re.MULTILINE)
    for file in sorted(package.rglob("*.py")):
        for found in pattern.finditer(_read(file)):
            names = found[1].decode("ascii").split(".")[:-1]
            if list(home.parts[len(home.parts) - len(names) :]) == names:
                return package.parents[len(names)]
    return home


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes() if file.is_file() else b""
    except OSError:
        return b""
