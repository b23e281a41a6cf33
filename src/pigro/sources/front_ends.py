"""The languages that are read. The name of a file says its language.

A script without a suffix says it by its first line, such as `#!/usr/bin/env python3`. Other files
are refused with P154.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, Position

if TYPE_CHECKING:
    from pathlib import Path

    from pigro.sources.files import SourceFile
    from pigro.sources.graph import Module


@dataclass(frozen=True, slots=True)
class FrontEnd:
    """A language, and the reader of its files."""

    language: str
    suffixes: tuple[str, ...]
    interpreter: bytes
    """The command in the first line of a script."""
    reader: str
    """The module whose `read_module` makes the graphs of a file."""


FRONT_ENDS = (FrontEnd("Python", (".py", ".pyw"), b"python", "pigro.sources.python.reading"),)
BY_SUFFIX = {suffix: each for each in FRONT_ENDS for suffix in each.suffixes}
_HEAD = 200
_UNREAD = {
    "C": ".c .h",
    "C#": ".cs",
    "C++": ".cc .cpp .cxx .hh .hpp .hxx",
    "Cython": ".pxd .pyx",
    "Go": ".go",
    "Java": ".java",
    "Java bytecode": ".class .jar",
    "JavaScript": ".cjs .js .jsx .mjs",
    "Kotlin": ".kt .kts",
    "LLVM": ".bc .ll",
    "PHP": ".php",
    "Python stubs": ".pyi",
    "Ruby": ".rb",
    "Rust": ".rs",
    "Scala": ".scala",
    "Swift": ".swift",
    "TypeScript": ".ts .tsx",
    "a Jupyter notebook": ".ipynb",
    "a shell script": ".bash .sh",
    "compiled Python": ".pyc",
}
"""Languages without a front-end, to name them."""


def front_end(path: Path) -> FrontEnd | None:
    """The front-end that reads a file. None if there is none."""
    return BY_SUFFIX.get(path.suffix.lower()) if path.suffix else _by_first_line(path)


def is_source(path: str) -> bool:
    """Whether a name is that of a file in a language that is read."""
    return path.lower().endswith(tuple(BY_SUFFIX))


def refused(path: Path, shown: str) -> InputError:
    """The error for a file that no front-end reads."""
    suffix = path.suffix.lower()
    language = next((name for name, own in _UNREAD.items() if suffix in own.split()), None)
    told = "not source code that Pigro reads"
    if language is not None:
        told = f"this is {language}, which Pigro does not read"
    listed = ", ".join(f"{each.language} ({' '.join(each.suffixes)})" for each in FRONT_ENDS)
    return InputError(
        "P154", told, position=Position(source=shown), hint=f"Pigro reads models from {listed}"
    )


def read_source(file: SourceFile, data: bytes) -> Module:
    """The graphs of a file with this content. `InputError` if it can't be read."""
    reader = import_module(file.front_end.reader)  # now: a cache needs no reader
    made: Module = reader.read_module(data, file.shown, file.module, is_package=file.is_package)
    made.lines = data.count(b"\n")
    return made


def _by_first_line(path: Path) -> FrontEnd | None:
    try:
        with path.open("rb") as file:
            line = file.readline(_HEAD)
    except OSError:
        return None
    for each in FRONT_ENDS:
        if re.match(rb"#!.*\b" + each.interpreter + rb"[\d.]*\b", line):
            return each
    return None
