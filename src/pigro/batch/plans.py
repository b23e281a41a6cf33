"""Plans: TOML files, lines of JSON, and folders, each a stream of tasks.

A plan is read as it is needed, so that a generated plan of a million lines takes no memory.
"""

from __future__ import annotations

import math
import os
import select
import sys
import tomllib
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

import msgspec

from pigro.amounts import BYTES, SECONDS, read_amount
from pigro.batch.tasks import Task
from pigro.diagnostics import InputError, Position, UsageError, printable
from pigro.formats import read_bytes
from pigro.formats.registry import formats
from pigro.logic import read_formulas

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_MANY = ("engine", "semantics", "dead_ends")
"""Options that may have a list of values in TOML: each of them is asked."""
_PATIENCE = 0.05
"""Seconds to wait for a line before others may go on."""


class PlanLine(msgspec.Struct, forbid_unknown_fields=True, rename=None):
    """Questions on one model, or on several in TOML, as a plan has them."""

    model: str | list[str] = ""
    formulas: list[str] = []
    formula: str | None = None
    formula_files: list[str] = []
    engine: str | list[str] = "auto"
    format: str | None = None
    semantics: str | list[str] | None = None
    dead_ends: str | list[str] | None = None
    starts: list[str] = []
    timeout: str | float | None = None
    memory: str | float | None = None
    witness: bool = False
    certify: bool = False
    strict: bool = False
    scan: str | list[str] = []
    select: list[str] = []


class PlanFile(msgspec.Struct, forbid_unknown_fields=True):
    """A plan in TOML."""

    task: list[dict[str, Any]]
    defaults: dict[str, Any] = {}


def read_plan(name: str) -> Iterator[Task | None]:
    """The tasks of a plan: a `.toml` file, a `.jsonl` file, a folder, or `-` for lines of JSON.

    None means that no line has come to standard input for a moment.
    """
    path = Path(name)
    if name == "-":
        if sys.stdin is None:
            raise UsageError("P001", "can't read standard input: it is closed")
        return _lines(_arriving(sys.stdin.buffer), "standard input")
    if path.is_dir():
        return _folder(path)
    if path.suffix == ".toml":
        return _toml(path)
    if path.suffix in {".jsonl", ".ndjson", ".json"}:
        return _jsonl(path)
    raise UsageError(
        "P017",
        f"{printable(name)} is not a plan",
        hint="a plan is a .toml file, a .jsonl file, a folder, or - for standard input",
    )


def _jsonl(path: Path) -> Iterator[Task | None]:
    try:
        with path.open("rb") as file:
            yield from _lines(file, str(path))
    except OSError as error:
        raise UsageError("P001", f"can't read {printable(str(path))}: {error.strerror}") from None


def _arriving(file: BinaryIO) -> Iterator[bytes | None]:
    """The lines of a pipe, as they come."""
    try:
        handle = file.fileno()
    except OSError:  # no pipe and no file
        yield from file
        return
    rest = b""
    while True:
        if not select.select([handle], [], [], _PATIENCE)[0]:
            yield None
            continue
        part = os.read(handle, 1 << 20)
        *lines, rest = (rest + part).split(b"\n")
        yield from lines
        if not part:
            yield rest
            return


def _lines(lines: Iterable[bytes | None], source: str) -> Iterator[Task | None]:
    decoder = msgspec.json.Decoder(PlanLine)
    number = 0
    for text in lines:
        if text is None:
            yield None
            continue
        number += 1
        if not text.strip():
            continue
        try:
            line = decoder.decode(text)
            yield from _tasks(line, Path())
        except (msgspec.DecodeError, ValueError) as error:
            where = Position(source, number, 1)
            raise InputError("P017", f"not a task: {error}", position=where) from None


def _toml(path: Path) -> Iterator[Task]:
    text = read_bytes(path)
    try:
        document = msgspec.convert(tomllib.loads(text.decode()), PlanFile)
        for number, table in enumerate(document.task, 1):
            try:
                line = msgspec.convert(_named(document.defaults | table), PlanLine)
                yield from _tasks(line, path.parent)
            except (msgspec.ValidationError, ValueError) as error:
                where = Position(str(path))
                raise InputError("P017", f"task {number}: {error}", position=where) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, msgspec.ValidationError) as error:
        where = Position(str(path))
        raise InputError("P017", f"not a plan: {error}", position=where) from None


def _named(table: dict[str, Any]) -> dict[str, Any]:
    """TOML has `-` in names."""
    return {name.replace("-", "_"): value for name, value in table.items()}


def _folder(path: Path) -> Iterator[Task]:
    """Every model of the folder: with the formulas of the `.ctl` file beside it, or its own."""
    suffixes = {suffix for each in formats() if each.offer("read") for suffix in each.suffixes}
    for model in sorted(each for each in path.rglob("*") if each.suffix in suffixes):
        beside = model.with_suffix(".ctl")
        files = [str(beside)] if beside.is_file() else []
        try:
            yield from _tasks(PlanLine(model=str(model), formula_files=files), Path())
        except ValueError as error:
            where = Position(printable(str(model)))
            raise InputError("P017", f"not a task: {error}", position=where) from None


def _tasks(line: PlanLine, folder: Path) -> Iterator[Task]:
    """One task for each model, formula and choice of options."""
    common: dict[str, Any] = {
        "format": line.format,
        "starts": tuple(line.starts),
        "timeout": _amount(line.timeout, SECONDS, "30s"),
        "memory": _amount(line.memory, BYTES, "2G"),
        "witness": line.witness,
        "certify": line.certify,
        "strict": line.strict,
    }
    sources = tuple(map(_utf8, _files(line.scan, folder)))
    if sources:
        common |= {"scan": sources, "select": tuple(line.select)}
        yield Task(**{**common, "starts": ()})
        return
    if not line.model:
        raise ValueError("it has no `model` and no `scan`")
    formulas: list[str | None] = [*line.formulas, *([line.formula] if line.formula else [])]
    for name in line.formula_files:
        text = read_bytes(folder / name).decode()
        formulas += [str(formula) for _, formula in read_formulas(text)]
    choices = [_choices(getattr(line, name)) for name in _MANY]
    for model in map(_utf8, _files(line.model, folder)):
        for formula in formulas or [None]:
            for values in product(*choices):
                chosen = dict(zip(_MANY, values, strict=True))
                yield Task(model=model, formula=formula, **common, **chosen)


def _utf8(name: str) -> str:
    """A name that a store and a message can hold."""
    try:
        name.encode()
    except UnicodeEncodeError:
        raise ValueError(f"the name {printable(name)} is not UTF-8") from None
    return name


def _choices(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list) else [value]


def _files(patterns: str | list[str], folder: Path) -> Iterator[str]:
    """Names of files. A pattern with `*`, `?` or `[` stands for all files that match."""
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        if not set(pattern) & set("*?["):
            yield str(folder / pattern)
            continue
        base = Path(pattern)
        root = Path(base.anchor) if base.is_absolute() else folder
        inner = str(base.relative_to(base.anchor)) if base.is_absolute() else pattern
        found = sorted(str(path) for path in root.glob(inner))
        if not found:
            raise ValueError(f"no file matches {pattern!r}")
        yield from found


def _amount(value: str | float | None, units: dict[str, float], example: str) -> float | None:
    """Seconds or bytes."""
    if value is None or value == "none":
        return None if value is None else math.inf
    amount = read_amount(value, units) if isinstance(value, str) else float(value)
    if amount is None or not amount > 0:
        raise ValueError(f"{value!r} is not an amount, such as {example}")
    return amount
