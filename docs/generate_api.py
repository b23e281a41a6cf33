"""Writes docs/api.md from the docstrings of the package: `python docs/generate_api.py`."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING

import pigro
import pigro.batch
from pigro.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterator

_HEAD = """\
# Python API

This page lists the functions and classes of the package `pigro`, with their types. Each has an example, which runs as a test. If you are
new to Pigro, begin with the [tutorial](tutorial.md).

<!-- Written by docs/generate_api.py from docstrings; do not edit. -->
"""
_GROUPS = {
    "Checking": "check check_all Options Verdict verdict.Remarks verdict.CompositionDetails System satisfying Satisfying",
    "Models": "load save RSM RSM.from_arrays StateSpace ModelBuilder kripke Names Positions Statistics Semantics DeadEnds",
    "Formulas": "parse read_formulas Formula",
    "Systems of parts": "compose_check simulates Composition Part PartBuilder",
    "Evidence": "validate Validation Certificate check_certificates",
    "Batches": "batch.run batch.run_async batch.Task batch.Result",
    "Errors": "PigroError UsageError InputError ModelError FormulaError CheckError InternalError",
}
_LONGEST, _WIDEST = 130, 90
"""Signs of a signature in a list, and on a line of code."""
_SAME = {"__version__": ""}
"""Public names that need no entry: other names for a class, and the version."""
_OWN = {
    "RSM": "core label_ids conditions configurations own endings memo from_flat from_core finished as_read node_of "
    "is_partial calls_pass_through about document showing without_dead_ends label_names valuation kept plain",
    "Composition": "counted",
    "Certificate": "native body proof",
    "Formula": "from_arena from_columns refuse_mu ops left right kept",
    "Names": "numbered",
    "Part": "from_steps",
    "Positions": "nodes boxes components shared of_lines fit spread named counts",
    "Statistics": "of",
    "StateSpace": "computed conditions asked document about label_names",
    "Satisfying": "components true initial steps states reach",
    "Validation": "proofs",
}
"""Members that Pigro uses itself."""


def page() -> str:
    """The whole page."""
    parts = [_HEAD]
    for title, names in _GROUPS.items():
        parts.append(f"\n## {title}\n")
        parts += [_entry(name) for name in names.split()]
    return "".join(parts)


def documented() -> set[str]:
    """The public names that the page covers."""
    return {name for names in _GROUPS.values() for name in names.split()} | _SAME.keys()


def _entry(name: str) -> str:
    """A function or class, below a heading of its own."""
    found = Options if name == "Options" else pigro
    for word in name.split(".") if found is pigro else ():
        found = getattr(found, word)
    tree = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    text = [f"\n### `{name}`\n"]
    if not isinstance(tree, ast.ClassDef):
        return "\n".join([*text, _signature(name, tree), _prose(ast.get_docstring(tree)), ""])
    made = next((each for each in tree.body if getattr(each, "name", "") == "__init__"), None)
    if made is not None and not issubclass(found, Exception):
        text.append(_signature(name, made))
    text.append(_prose(ast.get_docstring(tree)))
    own = _OWN.get(name, "").split()
    rows = [row for title, row in _members(tree) if title not in own and title[0] != "_"]
    return "\n".join([*text, *(["", *rows] if rows else []), ""])


def _members(tree: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Fields, properties and methods with their first paragraphs, as rows of a list."""
    for at, each in enumerate(tree.body):
        after = tree.body[at + 1] if at + 1 < len(tree.body) else None
        match each, after:
            case ast.AnnAssign(target=ast.Name(id=name)), _:
                told = f": `{ast.unparse(each.annotation).replace('Ints', 'array[int]')}`"
                yield name, f"- **`{name}`**{told}{_dot(_below(after))}"
            case ast.Assign(targets=[ast.Name(id=name)]), _:
                yield name, f"- **`{name}`** = `{ast.unparse(each.value)}`{_dot(_below(after))}"
            case ast.FunctionDef(name=name), _:
                kinds = {ast.unparse(decorator) for decorator in each.decorator_list}
                told = _dot((ast.get_docstring(each) or "").split("\n\n")[0])
                if kinds & {"property", "cached_property"}:
                    returns = ast.unparse(each.returns) if each.returns else ""
                    yield name, f"- **`{name}`**: `{returns}`{told}"
                elif f"{name}.setter" not in kinds:
                    yield name, f"- **`{name}`**`{_arguments(each)}`{told}"


def _below(node: ast.stmt | None) -> str:
    """The string below a field."""
    match node:
        case ast.Expr(ast.Constant(str() as text)):
            return inspect.cleandoc(text)
    return ""


def _dot(text: str) -> str:
    return f". {_escaped(' '.join(text.split()))}" if text else ""


def _signature(name: str, tree: ast.stmt) -> str:
    assert isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef)
    return f"```py\n{name}{_arguments(tree, wide=True)}\n```\n"


def _arguments(tree: ast.FunctionDef | ast.AsyncFunctionDef, *, wide: bool = False) -> str:
    """The parameters with their types, without the object itself."""
    given = tree.args
    for part in (given.posonlyargs, given.args):
        if part and part[0].arg in {"self", "cls"}:
            del part[0]
            break
    returns = f" -> {ast.unparse(tree.returns)}" if tree.returns and tree.name != "__init__" else ""
    text = re.sub(r"(?<=[\w\])])=", " = ", ast.unparse(given))
    line = f"({text}){returns}"
    if not wide:
        return line if len(line) <= _LONGEST else f"(...){returns}"
    if len(line) <= _WIDEST:
        return line
    rows = "".join(f"    {each},\n" for each in _split(text))
    return f"(\n{rows}){returns}"


def _split(text: str) -> list[str]:
    """A list of parameters at the commas that are in no bracket."""
    found, depth, begin = [], 0, 0
    for at, sign in enumerate(text):
        depth += (sign in "([{") - (sign in ")]}")
        if sign == "," and depth == 0:
            found.append(text[begin:at].strip())
            begin = at + 1
    return [*found, text[begin:].strip()]


def _prose(docstring: str | None) -> str:
    """A docstring as Markdown: examples become blocks of code."""
    assert docstring is not None
    parts = []
    for paragraph in docstring.split("\n\n"):
        if paragraph.startswith(">>>"):
            parts.append(f"```python\n{paragraph}\n\n```")
        else:
            parts.append(_escaped(paragraph))
    return "\n\n".join(parts).replace("\n\n```\n\n```python\n", "\n")


def _escaped(text: str) -> str:
    """Links to pages, and signs that Markdown would read, outside of code."""
    pieces = re.split(r"(`[^`]*`)", text)
    for at in range(0, len(pieces), 2):
        plain = pieces[at].replace("*", r"\*")
        plain = re.sub(r"docs/([\w/-]+)\.md", r"[\1](\1.md)", plain)
        pieces[at] = re.sub(r"\[(\w+)\](?!\()", r"\\[\1\\]", plain)
    return "".join(pieces)


if __name__ == "__main__":
    (Path(__file__).parent / "api.md").write_text(page(), encoding="utf-8")
