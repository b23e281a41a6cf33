"""Random projects in Python, and random edits of them: for caches of scans.

A project is a dictionary of files, each a list of pieces of text. The pieces name functions, classes
and variables of other files, so that what a name means depends on many files. An edit changes one
piece, or adds, removes or moves a file.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from random import Random

    Project = dict[str, list[str]]

NAMES = ("a", "b", "c", "d")
CLASSES = ("A", "B", "C")
FILES = ("m.py", "n.py", "p/__init__.py", "p/q.py", "p/r.py", "tool.py")
MODULES = ("m", "n", "p", "p.q", "p.r", "tool")

IMPORTS = (
    "import os, socket, threading, time, contextlib",
    "import {m}",
    "import {m} as x{n}",
    "from {m} import {n}",
    "from {m} import {C}",
    "from {m} import {n} as {o}",
    "from {m} import *",
    "from . import {n}",
    "from .q import {n}, {C}",
    "try:\n    from {m} import {n}\nexcept ImportError:\n    {n} = None",
    "from os import open as {n}",
)
STATEMENTS = (
    "f = open({n})",
    "f = os.open({n}, 0)",
    "f = {n}({o})",
    "f = {m}.{n}({o})",
    "f = {C}({n})",
    "f = {C}({n}).{o}()",
    "f = self.{n}()",
    "f = self.x.{n}()",
    "self.x = {C}()",
    "self.x = f",
    "self.{n} = {o}",
    "self.y = threading.Lock()",
    "self.x = {m}.{C}()",
    "self.x = self.y.{n}()",
    "{n}(f)",
    "self.{n}(f)",
    "{m}.{n}(f)",
    "f.close()",
    "os.close(f)",
    "return f",
    "return {n}({o})",
    "raise {C}()",
    "raise ValueError({n})",
    "if {n}:\n    return None",
    "if FLAG:\n    f.close()",
    "try:\n    {n}()\nexcept {C}:\n    return 1",
    "try:\n    {n}(f)\nfinally:\n    f.close()",
    "with self.y:\n    {n}()",
    "with self.y:\n    yield f",
    "with {n}:\n    yield 1",
    "old = self.x\nself.x = {n}\n{o}()\nself.x = old",
    "old = self.x\nself.x = {n}\nyield\nself.x = old",
    "v = {n}()\nv = {o}()\nprint(v)",
    "v = {n}.read()",
    "time.sleep(1)",
    "super().{n}()",
    "return self.{n}()",
    "def {n}(z):\n    return {o}(z)\nreturn {n}",
    "import {m}",
    "pass",
    "raise NotImplementedError",
    "global FLAG",
    "os.chdir({n})",
)
HEADS = (
    "def {n}({o}):",
    "def {n}({o}: {C}):",
    "def {n}({o}) -> {C}:",
    "async def {n}({o}):",
    "@contextlib.contextmanager\ndef {n}({o}):",
    "@{n}\ndef {o}():",
)
TOP = (
    "FLAG = {f}",
    "{n} = {o}",
    "{n} = {m}.{o}",
    "{n} = {C}()",
    "{n} = {C}",
    "{n} = threading.Lock()",
    "{n}({o})",
    "{n}: {C} = None",
    "if FLAG:\n    {n} = {o}",
)


class Writing:
    """Writes pieces of text."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def filled(self, text: str) -> str:
        """A text with names for its holes."""
        pick = self.random.choice
        return text.format(
            n=pick(NAMES), o=pick(NAMES), m=pick(MODULES), C=pick(CLASSES), f=pick((True, False, 0))
        )

    def block(self, depth: str) -> str:
        """Some statements."""
        count = self.random.randrange(1, 5)
        rows = [self.filled(self.random.choice(STATEMENTS)) for _ in range(count)]
        return "\n".join(indented(row, depth) for row in rows)

    def function(self, depth: str = "", first: str = "") -> str:
        """A function or a method."""
        head = self.filled(self.random.choice(HEADS))
        head = head.replace("(", f"({first}", 1) if first and "@" not in head else head
        return f"{indented(head, depth)}\n{self.block(depth + '    ')}"

    def piece(self) -> str:
        """A piece of a file."""
        kind = self.random.randrange(7)
        if kind < 2:
            return self.filled(self.random.choice(IMPORTS))
        if kind == 2:
            return self.filled(self.random.choice(TOP))
        if kind < 5:
            return self.function()
        base = self.random.choice(("", "({C})", "({m}.{C})", "(Exception)", "({C}, {C})"))
        body = [self.function("    ", "self, ") for _ in range(self.random.randrange(1, 4))]
        return "\n".join((self.filled(f"class {{C}}{base}:"), *body))

    def file(self) -> list[str]:
        """A file."""
        pieces = [self.piece() for _ in range(self.random.randrange(1, 8))]
        return [IMPORTS[0], *pieces]

    def project(self) -> Project:
        """A project."""
        names = self.random.sample(FILES, self.random.randrange(2, len(FILES) + 1))
        return {each: self.file() for each in names}

    def edit(self, project: Project) -> str:
        """Changes a project a little, and says how."""
        random = self.random
        file = random.choice(sorted(project))
        pieces = project[file]
        at = random.randrange(len(pieces)) if pieces else 0
        kind = random.choice(("line", "line", "line", "piece", "add", "remove", "name", "file"))
        if kind == "file":
            return self._files(project, file)
        if kind == "add" or not pieces:
            pieces.insert(at, self.piece())
        elif kind == "remove":
            del pieces[at]
        elif kind == "piece":
            pieces[at] = self.piece()
        elif kind == "name":
            pieces[at] = pieces[at].replace(random.choice(NAMES + CLASSES), random.choice(NAMES))
        else:
            pieces[at] = self._line(pieces[at])
        return f"{kind} {at} of {file}"

    def _line(self, text: str) -> str:
        """A text with a line more, less, or another one."""
        lines = text.split("\n")
        at = self.random.randrange(len(lines))
        depth = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        made = indented(self.filled(self.random.choice(STATEMENTS)), depth)
        kind = self.random.randrange(4)
        if kind == 0:
            lines.insert(at, made)
        elif kind == 1:
            lines.insert(at, "# a comment")
        elif kind == 2:
            lines[at] = made
        else:
            del lines[at]
        return "\n".join(lines)

    def _files(self, project: Project, file: str) -> str:
        other = self.random.choice(FILES)
        kind = self.random.choice(("add", "remove", "move", "copy"))
        if kind == "add":
            project[other] = self.file()
        elif kind == "remove" and len(project) > 1:
            del project[file]
        else:
            project[other] = list(project[file])
            if kind == "move" and other != file:
                del project[file]
        return f"{kind} {file} {other}"


def indented(text: str, depth: str) -> str:
    """A text with blanks before each line."""
    return "\n".join(depth + line for line in text.split("\n"))
