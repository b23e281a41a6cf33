"""A cache of graphs, by content: a folder with a file for each source file that was read.

The name of a file is a SHA-256 of the source, its module, the version of Python and the version of
Pigro. A file begins with a SHA-256 of the rest, so damaged files are recognised and ignored. Files
are msgpack: reading one executes nothing. Files that were not used for a month are removed.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import time
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from pigro import __version__
from pigro.scan.project.codec import decoded, encoded
from pigro.scan.project.index import ProjectIndex

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.sources.files import SourceFile
    from pigro.sources.graph import Module

_DIGEST = 32
_READING = ("sources", "rules", "scan")
_SUFFIX = ".graph"
_DAY = 86_400.0
_UNUSED = 30 * _DAY


def default_folder() -> Path:
    """The folder of the user's, outside of all projects."""
    home = os.environ.get("XDG_CACHE_HOME")
    base = Path(home) if home and Path(home).is_absolute() else Path.home() / ".cache"
    return base / "pigro"


class GraphCache:
    """Graphs in a folder. Whatever goes wrong with it, the scan goes on without it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.hits = 0
        self._tidied: set[Path] = set()

    def read(self, key: str) -> bytes | None:
        """The content of a file, if it is whole."""
        file = self._file(key)
        try:
            data = file.read_bytes()
        except OSError:
            return None
        if hashlib.sha256(data[_DIGEST:]).digest() != data[:_DIGEST]:
            return None
        with contextlib.suppress(OSError):
            if time.time() - file.stat().st_mtime > _DAY:
                os.utime(file)
        return data[_DIGEST:]

    def write(self, key: str, data: bytes) -> None:
        """Keeps a content, as long as the folder can be written."""
        from pigro.formats.files import write_atomically

        file = self._file(key)
        with contextlib.suppress(Exception):
            if not file.parent.is_dir():
                self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                file.parent.mkdir(mode=0o700, exist_ok=True)
            self._tidy(file.parent)
            write_atomically(str(file), hashlib.sha256(data).digest() + data)

    def graph(self, key: str) -> Module | None:
        """The graph of a source file."""
        data = self.read(key)
        found = None if data is None else decoded(data)
        if found is not None:
            self.hits += 1
        return found

    def keep(self, key: str, module: Module) -> None:
        """Keeps a graph."""
        data = encoded(module)
        if data is not None:
            self.write(key, data)

    def index(self, project: str) -> ProjectIndex:
        """The index of a project, or an empty one."""
        return ProjectIndex(self.read(_project_key(project)))

    def keep_index(self, project: str, index: ProjectIndex) -> None:
        """Keeps an index, if it changed."""
        data = index.encoded()
        if data is not None:
            self.write(_project_key(project), data)

    def _file(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key[2:]}{_SUFFIX}"

    def _tidy(self, folder: Path) -> None:
        if folder in self._tidied:
            return
        self._tidied.add(folder)
        for each in list(_old(folder)):
            each.unlink(missing_ok=True)


def _old(folder: Path) -> Iterator[Path]:
    now = time.time()
    for each in folder.glob(f"*{_SUFFIX}"):
        if now - each.stat().st_mtime > _UNUSED:
            yield each


def key_of(file: SourceFile, data: bytes) -> str:
    """The name of a graph in the cache."""
    about = "\0".join((_reader(), file.module, str(file.is_package)))
    made = hashlib.sha256(about.encode("utf-8", "surrogatepass"))
    made.update(b"\0")
    made.update(data)
    return made.hexdigest()


def _project_key(project: str) -> str:
    """The name of an index in the cache."""
    about = f"{_reader()}\0index\0{project}"
    return hashlib.sha256(about.encode("utf-8", "surrogatepass")).hexdigest()


@cache
def _reader() -> str:
    """What reads files here: the versions, and for developers the state of the code."""
    home = Path(__file__).parents[2]
    states = []
    for each in sorted(path for name in _READING for path in (home / name).rglob("*.py")):
        state = each.stat()
        states.append(f"{each.name} {state.st_size} {state.st_mtime_ns}")
    python = ".".join(map(str, sys.version_info[:3]))
    return "\0".join((__version__, python, *states))
