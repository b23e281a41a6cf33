"""Counts habits of style in the project's prose, per 1,000 words: `python tools/prose.py [FILE...]`.

The prose is the running text of Markdown pages, the docstrings and comments of Python files, and the
comments of C++ files. Code, tables, headings and links' addresses are left out. The counts are a sign
of how much a text asks of its reader, not a rule: nothing fails because of them.

User pages are counted apart as well: README, CONTRIBUTING, and the pages that docs/index.md lists from
"First steps" to "Reference". They tell the reader what to do, so "you" belongs there. Theory, studies and decisions
speak about the program, and "you" would be out of place in most of their sentences.
"""

from __future__ import annotations

import argparse
import ast
import io
import re
import tokenize
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parent.parent
PAGES = ("*.md", "docs/*.md", "docs/formats/*.md")
CAPTIONS = ("First steps", "Source code", "Models and logics", "Reference")
WHERE = {
    "all pages": PAGES,
    "Python": ("src/**/*.py", "tools/*.py", "tests/**/*.py"),
    "C++": ("native/**/*.?pp",),
}
HABITS = {
    "semicolons": re.compile(";"),
    '"what is"': re.compile(r"\b(?:what (?:is|are|was|were)|whoever|nobody)\b", re.IGNORECASE),
    '"you"': re.compile(r"\byou(?:rs?|rself)?\b", re.IGNORECASE),
    '"for example"': re.compile(r"\b(?:for example|for instance|such as)\b", re.IGNORECASE),
}
_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")
_FENCE = re.compile(r"^(?P<fence>```+|~~~+)[^\n]*\n.*?^(?P=fence)[ \t]*$", re.MULTILINE | re.DOTALL)
_INLINE = re.compile(r"`+[^`]*`+|\]\([^)]*\)|<[^>\n]*>")
_NOT_PROSE = re.compile(r"^\s*(?:\||#|\$|>>>|\.\.\. |:::|<).*$", re.MULTILINE)
_TREE = re.compile(r"^```\{toctree\}\n(.*?)^```", re.MULTILINE | re.DOTALL)
_CPP_COMMENT = re.compile(r"//([^\n]*)|/\*(.*?)\*/", re.DOTALL)
_DIRECTIVE = re.compile(r"^\W*(?:noqa|type:|fmt:|pragma|NOLINT|clang-format)\b")


def user_pages() -> list[Path]:
    """README, CONTRIBUTING, and the pages for users with the pages that these list in turn."""
    text = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    trees = [tree.split("\n\n") for tree in _TREE.findall(text)]
    names = [
        name
        for head, listed in trees
        if any(f":caption: {caption}" in head for caption in CAPTIONS)
        for name in listed.split()
    ]
    listed = [ROOT / "docs" / f"{name}.md" for name in names]
    inner = [page for name in names for page in (ROOT / "docs" / name).glob("*.md")]
    return sorted([ROOT / "README.md", ROOT / "CONTRIBUTING.md", *listed, *inner])


def prose_of(path: Path) -> str:
    """The prose of a file, without code."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        pieces: Iterable[str] = [_NOT_PROSE.sub("", _FENCE.sub("", text))]
    elif path.suffix == ".py":
        pieces = _python(text)
    else:
        pieces = (line or block for line, block in _CPP_COMMENT.findall(text))
    return "\n".join(_INLINE.sub(" ", piece) for piece in pieces)


def _python(text: str) -> Iterator[str]:
    """Every docstring, the strings below names, and the comments of a Python file."""
    for node in ast.walk(ast.parse(text)):
        match node:
            case ast.Expr(ast.Constant(str() as docstring)):
                yield _NOT_PROSE.sub("", docstring)
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT and not _DIRECTIVE.match(token.string):
            yield token.string.lstrip("#")


def counts(texts: Iterable[str]) -> tuple[int, dict[str, float]]:
    """The number of words, and of each habit per 1,000 of them."""
    whole = "\n".join(texts)
    words = len(_WORD.findall(whole))
    per = 1000 / max(words, 1)
    return words, {name: len(habit.findall(whole)) * per for name, habit in HABITS.items()}


def main() -> None:
    """Prints one row for each group of files, or for each file that is given."""
    parser = argparse.ArgumentParser(description="Count habits of style per 1,000 words of prose.")
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE")
    parser.add_argument("--each", action="store_true", help="one row for each file")
    asked = parser.parse_args()
    groups = {
        name: sorted(path for pattern in patterns for path in ROOT.glob(pattern))
        for name, patterns in WHERE.items()
    }
    groups = {"user pages": user_pages(), **groups}
    if asked.files:
        groups = {str(path): [path] for path in asked.files}
    elif asked.each:
        groups = {
            str(each.relative_to(ROOT)): [each] for every in groups.values() for each in every
        }
    width = max(map(len, groups))
    print(f"{'':{width}}  {'words':>8}  " + "  ".join(f"{name:>13}" for name in HABITS))
    for name, paths in groups.items():
        words, per = counts(map(prose_of, paths))
        print(
            f"{name:{width}}  {words:8,}  " + "  ".join(f"{value:13.2f}" for value in per.values())
        )


if __name__ == "__main__":
    main()
