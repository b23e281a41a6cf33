"""Writes the parts of the documentation that the code knows: `make docs-pages`.

A page has `<!-- generated: NAME ... -->` and `<!-- end -->` around such a part. NAME is a row of
`PARTS`, and words after it are its arguments. A test compares the pages with what this makes.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from docs_pages import api, commands, tables

if TYPE_CHECKING:
    from collections.abc import Callable

DOCS = Path(__file__).resolve().parents[2] / "docs"
PARTS: dict[str, Callable[..., str]] = {
    "api": api.group,
    "command": commands.command,
    "shared-options": commands.shared_options,
    "errors": tables.errors,
    "engines": tables.engines,
    "formats": tables.formats,
}
MARKED = re.compile(
    r"^<!-- generated: (?P<said>[^\n]*?) -->\n.*?^<!-- end -->$", re.MULTILINE | re.DOTALL
)


def pages() -> list[Path]:
    """The pages with generated parts."""
    return [
        page
        for page in sorted(DOCS.rglob("*.md"))
        if "_build" not in page.parts and MARKED.search(page.read_text(encoding="utf-8"))
    ]


def filled(text: str) -> str:
    """A page with its generated parts as they should be."""
    return MARKED.sub(_part, text)


def _part(match: re.Match[str]) -> str:
    name, *arguments = match["said"].split()
    text = PARTS[name](*arguments).strip()
    return f"<!-- generated: {match['said']} -->\n{text}\n<!-- end -->"
