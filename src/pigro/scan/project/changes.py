"""Which lines git says are changed, so that only findings about them are reported.

Changes are those since the last common commit of the working folder and a reference. Files that git
does not track are changed as a whole. Where lines were deleted, their neighbours count as changed,
because a finding may come from the deletion.
"""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError, printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.scan.findings import Finding

_HUNK = re.compile(rb"@@ -\d+(?:,\d+)? \+(\d+)(?:,(\d+))? @@")
_ESCAPED = re.compile(rb"\\([0-7]{3}|.)")
_LETTERS = {
    b"n": b"\n",
    b"t": b"\t",
    b"r": b"\r",
    b"a": b"\a",
    b"b": b"\b",
    b"f": b"\f",
    b"v": b"\v",
}
_SAFE = ("-c", "core.fsmonitor=false", "-c", "core.quotePath=false")


@dataclass(slots=True)
class ChangedLines:
    """Changed lines of files, by absolute path."""

    lines: dict[str, list[range]] = field(default_factory=dict)
    whole: set[str] = field(default_factory=set)
    """Files that are new as a whole."""

    def touch(self, finding: Finding) -> bool:
        """Whether the finding, or a step of its run, is on a changed line."""
        places = [(finding.file, finding.at[0], finding.at[2])]
        places += [(each.file, each.at[0], each.at[0]) for each in finding.steps]
        return any(self._has(*each) for each in places)

    def _has(self, file: str, first: int, last: int) -> bool:
        path = os.path.realpath(file)
        if path in self.whole:
            return True
        rows = self.lines.get(path, ())
        return any(row.start <= max(first, last) and first < row.stop for row in rows)


def changed(findings: Iterable[Finding], changes: ChangedLines) -> list[Finding]:
    """The findings that changes touch."""
    return [each for each in findings if changes.touch(each)]


def is_reference(text: str) -> bool:
    """Whether git knows a commit by this name."""
    return bool(_commit(text))


def _commit(text: str) -> str:
    """The commit of a name. Empty if there is none."""
    name = f"{text}^{{commit}}"
    found = _run("rev-parse", "--verify", "--quiet", "--end-of-options", name)
    return "" if found is None else found.decode().strip()


def changes_since(reference: str) -> ChangedLines:
    """The changes in the repository around the working folder. `UsageError` P165."""
    top = _run("rev-parse", "--show-toplevel")
    if top is None:
        hint = "run it inside a repository, with git installed"
        raise UsageError("P165", "git knows no repository here", hint=hint)
    root = os.fsdecode(top.rstrip(b"\n"))
    commit = _commit(reference)
    if not commit:
        message = f'git knows no commit "{printable(reference, 100)}"'
        raise UsageError("P165", message, hint="give a branch, a tag or a commit")
    shared = _run("merge-base", commit, "HEAD")
    base = commit if shared is None else shared.decode().strip()
    diff = _run("-C", root, "diff", "--no-ext-diff", "--no-textconv", "--no-color", "-U0", "-M",
                "--src-prefix=a/", "--dst-prefix=b/", base)  # fmt: skip
    new = _run("-C", root, "ls-files", "--others", "--exclude-standard", "-z")
    if diff is None or new is None:
        raise UsageError("P165", "git can't show the changes")
    changes = ChangedLines(whole={os.path.realpath(Path(root, os.fsdecode(each)))
                             for each in new.split(b"\0") if each})  # fmt: skip
    _read(diff, root, changes)
    return changes


def _read(diff: bytes, root: str, changes: ChangedLines) -> None:
    rows: list[range] = []
    skipped = 0
    for line in diff.split(b"\n"):
        if skipped and line[:1] in {b"+", b"-", b"\\"}:  # a changed line that looks like a header
            skipped -= line[:1] != b"\\"
            continue
        if line.startswith(b"+++ "):
            name = _unquoted(line[4:].rstrip(b"\t"))
            rows = []
            if name.startswith(b"b/"):
                path = os.path.realpath(Path(root, os.fsdecode(name[2:])))
                rows = changes.lines.setdefault(path, rows)
        match = _HUNK.match(line)
        if match is not None:
            first, count = int(match[1]), int(match[2] or 1)
            rows.append(range(first, first + count) if count else range(first, first + 2))
            old = re.match(rb"@@ -\d+(?:,(\d+))?", line)
            assert old is not None
            skipped = count + int(old[1] if old[1] is not None else 1)


def _unquoted(name: bytes) -> bytes:
    """A name as git writes it, in quotes if it has strange characters."""
    if not name.startswith(b'"'):
        return name
    return _ESCAPED.sub(_letter, name[1:-1])


def _letter(match: re.Match[bytes]) -> bytes:
    found: bytes = match[1]
    return bytes([int(found, 8) & 255]) if len(found) == 3 else _LETTERS.get(found, found)


def _run(*arguments: str) -> bytes | None:
    """What git prints. None if it fails or is not there."""
    import subprocess

    try:
        done = subprocess.run(  # noqa: S603 - no shell, and names of commits are checked first
            ["git", *_SAFE, *arguments],  # noqa: S607 - the git of the user
            capture_output=True, check=False, stdin=subprocess.DEVNULL,
        )  # fmt: skip
    except OSError:
        return None
    return done.stdout if done.returncode == 0 else None
