"""Which files below a given path are not scanned.

These are left out: files that `.gitignore` files name, patterns of the user's, and by default tests
and vendored code. A path that is given by name is always scanned. The `.gitignore` files that count
are those from the root of the repository down. If they name a given path itself, those above it are
not asked about the files in it.
"""

from __future__ import annotations

import os
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pigro.scan.project.sentences import ReasonSentence
from pigro.sources.files import NOT_OWN

if TYPE_CHECKING:
    from collections.abc import Iterable

_LARGEST = 1_000_000
"""Bytes of a `.gitignore` file. Longer ones are not read."""


class LeavingOut:
    """Says which paths are skipped, for `source_files`."""

    def __init__(
        self, home: Path, patterns: Iterable[str] = (), *, defaults: bool = True, git: bool = True
    ) -> None:
        self.home = home.absolute()
        self.defaults, self.git = defaults, git
        self.patterns = _spec(list(patterns))
        self._specs: dict[str, Any] = {}
        self._tops: dict[str, str] = {}
        self.why: dict[str, str] = {}
        """For each path that was skipped: by what."""

    def begin(self, given: str) -> None:
        """A path of the user's: finds the folder from which `.gitignore` files count."""
        absolute = os.path.abspath(given)  # as text: links stay
        top = _repository(absolute) or absolute
        self._tops[absolute] = top
        if top != absolute and self._git_says(absolute, is_folder=True, top=top):
            self._tops[absolute] = absolute

    def __call__(self, path: Path, is_folder: bool) -> bool:
        """Whether a path below a given one is skipped."""
        absolute = os.path.abspath(path)
        why = self._why(absolute, path.name, is_folder=is_folder)
        if why:
            self.why[absolute] = why
        return bool(why)

    def _why(self, absolute: str, name: str, *, is_folder: bool) -> str:
        if self.defaults and any(fnmatchcase(name, each) for each in NOT_OWN):
            return ReasonSentence.NOT_OWN
        if self.patterns is not None:
            relative = os.path.relpath(absolute, self.home)
            if not relative.startswith("..") and _says(self.patterns, relative, is_folder):
                return ReasonSentence.EXCLUDED
        if self.git and self._git_says(absolute, is_folder=is_folder, top=self._top(absolute)):
            return ReasonSentence.IGNORED_BY_GIT
        return ""

    def _top(self, absolute: str) -> str:
        folder = absolute
        while folder not in self._tops:
            above = os.path.dirname(folder)
            if above == folder:
                return os.path.dirname(absolute)
            folder = above
        return self._tops[folder]

    def _git_says(self, absolute: str, *, is_folder: bool, top: str) -> bool:
        folder = os.path.dirname(absolute)
        while folder.startswith(top):
            spec = self._spec_of(folder)
            if spec is not None:
                said = _says(spec, os.path.relpath(absolute, folder), is_folder)
                if said is not None:
                    return said
            above = os.path.dirname(folder)
            if folder in {top, above}:
                break
            folder = above
        return False

    def _spec_of(self, folder: str) -> Any:
        if folder not in self._specs:
            self._specs[folder] = _read(Path(folder, ".gitignore"))
        return self._specs[folder]


def _repository(absolute: str) -> str | None:
    """The root of the repository that a path is in."""
    for each in (Path(absolute), *Path(absolute).parents):
        if (each / ".git").exists():
            return str(each)
    return None


def _read(file: Path) -> Any:
    try:
        with file.open("rb") as opened:
            data = opened.read(_LARGEST)
    except OSError:
        return None
    return _spec(data.decode("utf-8", "replace").splitlines())


def _spec(lines: list[str]) -> Any:
    """The patterns, line by line. Those that are wrong are as if not there."""
    if not any(each.strip() and not each.startswith("#") for each in lines):
        return None
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines(each for each in lines if _is_right(each))


def _is_right(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True


def _says(spec: Any, relative: str, is_folder: bool) -> bool | None:
    """Whether patterns include a path, or with `!` do not. None if they do not name it."""
    found: bool | None = spec.check_file(relative + "/" if is_folder else relative).include
    return found
