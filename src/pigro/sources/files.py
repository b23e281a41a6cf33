"""Which files are meant by the paths that a user gives, and what their modules are called."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, printable
from pigro.sources.bases import module_names
from pigro.sources.front_ends import BY_SUFFIX, front_end, refused

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.sources.front_ends import FrontEnd

    Skips = Callable[[Path, bool], bool]
    """Whether a path below one that was given is left out. The second argument: it is a folder."""

_SKIPPED = frozenset({"__pycache__", "node_modules", "site-packages"})
_MADE = frozenset({"build", "dist"})
"""Folders that tools fill, unless they are packages."""
NOT_OWN = (
    "tests",
    "test",
    "Tests",
    "testsuite",
    "testing",
    "unittests",
    "examples",
    "samples",
    "benchmarks",
    "docs_src",
    "_vendor",
    "vendor",
    "vendored",
    "third_party",
    "test_*.py",
    "*_test.py",
    "conftest.py",
)
"""Folders and files that a scan leaves out by default: tests, examples, and code of others."""


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A file to read."""

    path: Path
    shown: str
    """As findings name it: relative to the working folder where it is inside."""
    module: str
    is_package: bool
    front_end: FrontEnd
    is_named: bool
    """Whether the user named the file itself, rather than a folder."""


def source_files(paths: Iterable[str], skips: Skips | None = None) -> list[SourceFile]:
    """The files of folders and packages, sorted. `UsageError` for a path without any.

    A file that is named must be in a language that is read: `InputError` P154 otherwise.
    Links to folders are not followed, so loops of links end. `skips` is not asked about the given
    paths themselves.
    """
    found: dict[Path, Path] = {}
    for each in paths:
        given = Path(each)
        if not given.exists():
            raise UsageError("P001", f'"{printable(each)}" does not exist')
        mine = [given] if given.is_file() else sorted(_inside(given, skips))
        if not mine:
            raise UsageError("P153", f'"{printable(each)}" has no source files')
        for path in mine:
            found.setdefault(path, given)
    names = module_names((_plain(path), _plain(given)) for path, given in found.items())
    return [
        _named(path, name, path is given)
        for (path, given), name in zip(found.items(), names, strict=True)
    ]


def by_name(patterns: Iterable[str]) -> Skips:
    """Skips folders and files whose names match one of the patterns."""
    known = tuple(patterns)
    return lambda path, _: any(fnmatchcase(path.name, each) for each in known)


def _inside(folder: Path, skips: Skips | None) -> Iterator[Path]:
    for home, folders, files in os.walk(folder):
        folders[:] = sorted(
            each for each in folders
            if not _is_made(Path(home, each)) and not (skips and skips(Path(home, each), True))
        )  # fmt: skip
        for each in files:
            if os.path.splitext(each)[1] in BY_SUFFIX:
                path = Path(home, each)
                if path.is_file() and not (skips and skips(path, False)):
                    yield path


def _is_made(folder: Path) -> bool:
    """Whether a folder holds no sources of the program."""
    name = folder.name
    if name in _MADE:
        return not (folder / "__init__.py").is_file()
    return name in _SKIPPED or name.startswith(".")


def _plain(path: Path) -> Path:
    """An absolute path without `..`, whose text says which folders are around it."""
    return Path(os.path.abspath(path))  # links stay


def _named(path: Path, module: str, is_named: bool) -> SourceFile:
    absolute = path.absolute()
    is_package = path.stem == "__init__"
    working = Path.cwd()
    inside = absolute.is_relative_to(working)
    shown = absolute.relative_to(working) if inside else path
    reader = front_end(path)
    if reader is None:
        raise refused(path, shown.as_posix())
    return SourceFile(path, shown.as_posix(), module, is_package, reader, is_named)
