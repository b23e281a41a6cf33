"""Programs rewritten without a change of meaning: other names, other lines.

Names that rules understand, such as `close` or `is_file`, are names of other packages or words that
say what a function does. They stay, and so do names with underscores in front, which tell readers
that a value is not wanted.
"""

from __future__ import annotations

import ast
import builtins
import io
import keyword
import tokenize
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    Nodes = dict[tuple[int, int], int]


def renamed(text: str) -> tuple[str, dict[str, str]]:
    """The program with other names for all that it defines itself, and the new names."""
    tree = ast.parse(text)
    kept = _not_own(tree)
    names = {
        each: f"n{number}"
        for number, each in enumerate(dict.fromkeys(reversed(list(_defined(tree)))))
        if each not in kept and not each.startswith("_")
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Name):
            node.id = names.get(node.id, node.id)
        elif isinstance(node, ast.arg | ast.keyword) and node.arg is not None:
            node.arg = names.get(node.arg, node.arg)
        elif isinstance(node, ast.Attribute):
            node.attr = names.get(node.attr, node.attr)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) or (
            isinstance(node, ast.ExceptHandler) and node.name is not None
        ):
            node.name = names.get(node.name, node.name)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            node.names = [names.get(each, each) for each in node.names]
    return ast.unparse(tree), names


def _defined(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id
        elif isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield node.name
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            yield node.attr


def _not_own(tree: ast.AST) -> set[str]:
    """Names of builtins and imports, of what is called on them, and those in texts."""
    kept = {*dir(builtins), *keyword.kwlist, "self", "cls"}
    own = set(_defined(tree))
    for node in ast.walk(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            kept |= {part for each in node.names for part in each.name.split(".")}
            kept |= {each.asname for each in node.names if each.asname}
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Load):
            if node.attr not in own or not _is_self(node.value):
                kept.add(node.attr)
        elif isinstance(node, ast.keyword) and node.arg is not None and node.arg not in own:
            kept.add(node.arg)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            kept.add(node.value)
    return kept


def _is_self(node: ast.AST) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def unparsed(text: str) -> str:
    """The program as `ast` writes it: no comments, no blank lines, other line ends."""
    return ast.unparse(ast.parse(text))


def spread(text: str) -> str:
    """Each token inside brackets on a line of its own, blank lines and comments before statements."""
    made: list[str] = []
    depth, indent, fresh = 0, "", True
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.INDENT:
            indent += " " * 3
        elif token.type == tokenize.DEDENT:
            indent = indent[:-3]
        elif token.type == tokenize.NEWLINE:
            made.append("\n")
            fresh = True
        elif token.type not in {tokenize.NL, tokenize.COMMENT, tokenize.ENDMARKER}:
            if fresh:
                made.append(f"\n{indent}# more\n{indent}")
            made.append("\n" if depth else " " if not fresh else "")
            made.append(token.string)
            fresh = False
            depth += (token.string in {"(", "[", "{"}) - (token.string in {")", "]", "}"})
    return "".join(made)


def numbered(text: str) -> Nodes:
    """By line and column: the number of the first node of the tree that begins there."""
    found: Nodes = {}
    for number, node in enumerate(ast.walk(ast.parse(text))):
        if isinstance(node, ast.expr | ast.stmt | ast.excepthandler):
            found.setdefault((node.lineno, node.col_offset), number)
    return found
