"""The public functions and classes, with their parameters and the first sentence of each docstring."""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from typing import TYPE_CHECKING

import pigro
import pigro.batch
from pigro.options import Options

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

GROUPS = {
    "checking": "check check_all Options Verdict verdict.Remarks verdict.CompositionDetails System "
    "satisfying Satisfying",
    "models": "load save RSM RSM.from_arrays StateSpace ModelBuilder kripke Names Positions "
    "Statistics Semantics DeadEnds",
    "formulas": "parse read_formulas Formula",
    "parts": "compose_check simulates Composition Part PartBuilder",
    "evidence": "validate Validation Certificate check_certificates",
    "batches": "batch.run batch.run_async batch.Task batch.Result",
    "errors": "PigroError UsageError InputError ModelError FormulaError CheckError InternalError",
}
_LONGEST = 60
"""Signs of the parameters of a method. Longer ones are without types."""
_WIDEST = 90
"""Signs on a line of code."""
_SAME = {"__version__": ""}
"""Public names that need no entry."""
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


def group(name: str) -> str:
    """The entries of a group."""
    return "\n".join(_entry(each) for each in GROUPS[name].split())


def documented() -> set[str]:
    """The public names that the page covers."""
    return {name for names in GROUPS.values() for name in names.split()} | _SAME.keys()


def _entry(name: str) -> str:
    """A function or class, below a heading of its own."""
    found = Options if name == "Options" else pigro
    for word in name.split(".") if found is pigro else ():
        found = getattr(found, word)
    tree = ast.parse(textwrap.dedent(inspect.getsource(found))).body[0]
    text = [f"### `{name}`\n"]
    if not isinstance(tree, ast.ClassDef):
        return "\n".join([*text, _signature(name, tree), _first(ast.get_docstring(tree)), ""])
    made = next((each for each in tree.body if getattr(each, "name", "") == "__init__"), None)
    if made is not None and not issubclass(found, Exception):
        text.append(_signature(name, made))
    text.append(_first(ast.get_docstring(tree)))
    own = _OWN.get(name, "").split()
    rows = _joined(row for title, row in _members(tree) if title not in own and title[0] != "_")
    return "\n".join([*text, *(["", *rows] if rows else []), ""])


def _joined(rows: Iterable[str]) -> list[str]:
    """One row for fields in a row that have the same type and no docstring."""
    joined: list[str] = []
    for row in rows:
        name, colon, kind = row.partition(": ")
        before = joined[-1] if joined else ""
        if colon and re.fullmatch(r"`[^`]*`", kind) and before.endswith(f"{colon}{kind}"):
            joined[-1] = f"{before.removesuffix(colon + kind)}, {name[2:]}{colon}{kind}"
        else:
            joined.append(row)
    return joined


def _members(tree: ast.ClassDef) -> Iterator[tuple[str, str]]:
    """Fields, properties and methods, as rows of a list."""
    for at, each in enumerate(tree.body):
        after = tree.body[at + 1] if at + 1 < len(tree.body) else None
        match each, after:
            case ast.AnnAssign(target=ast.Name(id=name)), _:
                yield name, f"- **`{name}`**{_typed(each.annotation)}{_told(_below(after), 2)}"
            case ast.Assign(targets=[ast.Name(id=name)]), _:
                yield name, f"- **`{name}`** = `{ast.unparse(each.value)}`{_told(_below(after))}"
            case ast.FunctionDef(name=name), _:
                kinds = {ast.unparse(decorator) for decorator in each.decorator_list}
                told = _told(ast.get_docstring(each) or "")
                if kinds & {"property", "cached_property"}:
                    yield name, f"- **`{name}`**{_typed(each.returns)}{told}"
                elif f"{name}.setter" not in kinds:
                    yield name, f"- **`{name}`**`{_arguments(each)}`{told}"


def _below(node: ast.stmt | None) -> str:
    """The string below a field."""
    match node:
        case ast.Expr(ast.Constant(str() as text)):
            return inspect.cleandoc(text)
    return ""


def _typed(annotation: ast.expr | None) -> str:
    return f": `{_type(annotation)}`" if annotation else ""


def _type(annotation: ast.expr) -> str:
    return ast.unparse(annotation).replace("Ints", "array[int]")


def _told(docstring: str, sentences: int = 1) -> str:
    text = _first(docstring, sentences)
    return f". {text}" if text else ""


def _first(docstring: str | None, sentences: int = 1) -> str:
    """The first sentences of a docstring, on one line."""
    text = " ".join((docstring or "").split("\n\n")[0].split())
    return _escaped(" ".join(re.split(r"(?<=\.) (?=[A-Z`])", text)[:sentences]))


def _signature(name: str, tree: ast.stmt) -> str:
    assert isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef)
    return f"```py\n{name}{_arguments(tree, wide=True)}\n```\n"


def _arguments(tree: ast.FunctionDef | ast.AsyncFunctionDef, *, wide: bool = False) -> str:
    """The parameters, without the object itself, and what is returned."""
    given = tree.args
    for part in (given.posonlyargs, given.args):
        if part and part[0].arg in {"self", "cls"}:
            del part[0]
            break
    returns = f" -> {_type(tree.returns)}" if tree.returns and tree.name != "__init__" else ""
    line = f"({_spaced(given)}){returns}"
    if len(line) <= (_WIDEST if wide else _LONGEST):
        return line
    for each in (*given.posonlyargs, *given.args, *given.kwonlyargs):
        each.annotation = None
    return f"({_spaced(given)}){returns}"


def _spaced(given: ast.arguments) -> str:
    return re.sub(r"(: [^,=]*[\w\]])=", r"\1 = ", ast.unparse(given))


def _escaped(text: str) -> str:
    """Links to pages, and signs that Markdown would read, outside of code."""
    pieces = re.split(r"(`[^`]*`)", text)
    for at in range(0, len(pieces), 2):
        plain = pieces[at].replace("*", r"\*")
        plain = re.sub(r"docs/([\w/-]+)\.md", r"[\1](\1.md)", plain)
        pieces[at] = re.sub(r"\[(\w+)\](?!\()", r"\\[\1\\]", plain)
    return "".join(pieces)
