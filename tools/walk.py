"""How a reader walks through the sources: the functions of one command, in the order of their first calls.

    python tools/walk.py check examples/dataflow.rsm 'AG (def_i -> EF use_i)' --witness

Counts the functions, and how often the next one is in another file or in another folder, and names the files that
the way enters most often. A way through the code that is easy to follow changes place seldom. With --list before
the command, every function is shown. Code that runs while a module is imported does not count.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections import Counter
from functools import cache
from itertools import groupby, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pigro
from pigro.cli.main import main

if TYPE_CHECKING:
    from collections.abc import Iterable
    from types import CodeType, FrameType

ROOT = Path(pigro.__file__).resolve().parent
PASSING = {"<module>", "<genexpr>", "<listcomp>", "<dictcomp>", "<setcomp>", "<lambda>"}
"""Code that has no place of its own to read."""
MOST_ENTRIES = 3
"""Files that are entered more often are named."""


def walk(arguments: list[str]) -> list[CodeType]:
    """The functions of Pigro that the command calls, each once."""
    found: dict[CodeType, None] = {}

    def look(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and not is_importing(frame):
            found.setdefault(frame.f_code)

    sys.argv = ["pigro", *arguments]
    with (
        contextlib.redirect_stdout(io.TextIOWrapper(io.BytesIO())),
        contextlib.suppress(SystemExit),
    ):
        sys.setprofile(look)
        try:
            main()
        finally:
            sys.setprofile(None)
    return [each for each in found if is_ours(each) and each.co_name not in PASSING]


def is_importing(frame: FrameType | None) -> bool:
    """Whether a module is being imported here: a class body, or what its first lines call."""
    while frame is not None:
        if frame.f_code.co_name == "<module>" and is_ours(frame.f_code):
            return True
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def is_ours(code: CodeType) -> bool:
    """Whether the code is Pigro's."""
    return resolved(code.co_filename).startswith(f"{ROOT}{os.sep}")


@cache
def resolved(file: str) -> str:
    """A path without links: the package may be installed as one."""
    return str(Path(file).resolve())


def place(code: CodeType) -> str:
    """The file of a function, from the package on."""
    return str(Path(resolved(code.co_filename)).relative_to(ROOT))


def changes(places: Iterable[str]) -> int:
    """How often one place differs from the one before."""
    return sum(before != after for before, after in pairwise(places))


def entries(places: Iterable[str]) -> Counter[str]:
    """How often the way enters each place."""
    return Counter(name for name, _ in groupby(places))


if __name__ == "__main__":
    shown = sys.argv[1:2] == ["--list"]
    functions = walk(sys.argv[2 if shown else 1 :])
    files = [place(each) for each in functions]
    if shown:
        for file, each in zip(files, functions, strict=True):
            print(f"{file:40}{each.co_qualname}")
    folders = [str(Path(file).parent) for file in files]
    print(f"{len(functions)} functions in {len(set(files))} files of {len(set(folders))} folders")
    print(f"{changes(files)} changes of file, {changes(folders)} changes of folder")
    often = [
        f"{name} {count}" for name, count in entries(files).most_common() if count > MOST_ENTRIES
    ]
    print(f"entered more than {MOST_ENTRIES} times: {', '.join(often) or 'none'}")
