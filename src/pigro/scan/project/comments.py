"""Comments that say to ignore findings of a line: `# pigro: ignore[rule, rule]`.

Without brackets such a comment ignores all rules.
"""

from __future__ import annotations

import re
import tokenize
from dataclasses import dataclass, field
from io import BytesIO
from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from pigro.scan.findings import Finding

_COMMENT = re.compile(r"#\s*pigro:\s*ignore(?:\[([^\]]*)\])?")
_WORD = re.compile(rb"#\s*pigro:\s*ignore")


@dataclass(slots=True)
class Comment:
    """One comment."""

    file: str
    line: int
    rules: tuple[str, ...] | None
    """None for all."""
    used: set[str] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class ScanNotice:
    """Something that the user should know, which is no finding."""

    message: str
    file: str = ""
    line: int = 0

    def __str__(self) -> str:
        place = f"{printable(self.file, 400)}:{self.line}: " if self.file else ""
        return place + self.message


def comments_of(file: str, data: bytes) -> list[Comment]:
    """The comments of a file."""
    if _WORD.search(data) is None:
        return []
    found = []
    try:
        for token in tokenize.tokenize(BytesIO(data).readline):
            if token.type == tokenize.COMMENT:
                match = _COMMENT.search(token.string)
                if match is not None:
                    found.append(Comment(file, token.start[0], _names(match[1])))
    except (tokenize.TokenError, SyntaxError, UnicodeError):
        pass  # the file is told to be wrong, if it is
    return found


def _names(text: str | None) -> tuple[str, ...] | None:
    return None if text is None else tuple(filter(None, (each.strip() for each in text.split(","))))


def without_ignored(
    findings: Iterable[Finding], texts: Mapping[str, bytes]
) -> tuple[list[Finding], list[Comment]]:
    """The findings that no comment ignores, and all comments."""
    comments: dict[tuple[str, int], Comment] = {}
    for file, data in texts.items():
        for each in comments_of(file, data):
            comments[file, each.line] = each
    left = []
    for finding in findings:
        lines = range(finding.at[0], max(finding.at[0], finding.at[2]) + 1)
        here = (comments.get((finding.file, line)) for line in lines) if comments else ()
        said = [
            each for each in here if each and (each.rules is None or finding.rule in each.rules)
        ]
        for each in said:
            each.used.add(finding.rule)
        if not said:
            left.append(finding)
    return left, list(comments.values())


def unused(
    comments: Iterable[Comment], known: Collection[str], checked: Collection[str]
) -> list[ScanNotice]:
    """What to say about comments that ignore nothing. Rules that were not checked do not count."""
    found = []
    for each in comments:
        if each.rules is None:
            if not each.used:
                found.append(ScanNotice("this comment ignores no finding", each.file, each.line))
            continue
        for rule in each.rules:
            shown = printable(rule, 60)
            if rule not in known:
                message = f'this comment ignores "{shown}", but there is no such rule'
                found.append(ScanNotice(message, each.file, each.line))
            elif rule in checked and rule not in each.used:
                message = f"this comment ignores no finding of {shown}"
                found.append(ScanNotice(message, each.file, each.line))
    return found
