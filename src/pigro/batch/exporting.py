"""Results as `.jsonl`, `.csv` or `.parquet`, one row per question."""

from __future__ import annotations

import csv
import io
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Literal, cast

import msgspec

from pigro.batch.store import COLUMNS
from pigro.diagnostics import UsageError, printable
from pigro.diagnostics.extras import with_extra
from pigro.formats.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from pigro.batch.tasks import Result

_ROWS_TOGETHER = 10_000
Word = Literal["holds", "fails", "unknown", "error", "crashed"]


class ExportRow(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to one question of a batch."""

    schema: Literal["pigro.batch/1"] = "pigro.batch/1"
    """The kind and the version of the row."""
    model: str
    """The file of the model, or the sources that were scanned."""
    formula: str
    """The formula, or the rule of a finding."""
    verdict: Word
    reason: str
    """Why, or why there is no verdict."""
    engine: str
    """Empty if there is no verdict."""
    seconds: float
    """What the answer took, without loading the model."""
    warnings: str = ""
    """Warnings about the question, a line each."""


def writer_for(name: str) -> Callable[[Iterator[Result]], Iterator[bytes]]:
    """What writes results into a file with this name. `UsageError` P007 if nothing does."""
    writers = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}
    suffix = Path(name).suffix
    if suffix not in writers:
        raise UsageError(
            "P007",
            f"the name {printable(name)} does not end in a format of results",
            hint=f"use one of {', '.join(writers)}",
        )
    if suffix == ".parquet" and find_spec("pyarrow") is None:
        raise UsageError("P007", "parquet needs the package pyarrow", hint=with_extra("cluster"))
    return writers[suffix]


def write_results(results: Iterator[Result], name: str) -> None:
    """Writes all results to a file, in one step."""
    write_atomically(Path(name), writer_for(name)(results))


def _rows(results: Iterator[Result]) -> Iterator[list[ExportRow]]:
    """The rows in portions, so that a large store takes little memory."""
    while rows := [_row(result) for result in islice(results, _ROWS_TOGETHER)]:
        yield rows


def _row(result: Result) -> ExportRow:
    return ExportRow(
        model=result.task.subject,
        formula=result.formula,
        verdict=cast("Word", result.verdict),
        reason=result.reason,
        engine=result.engine,
        seconds=result.seconds,
        warnings=result.warnings,
    )


def _jsonl(results: Iterator[Result]) -> Iterator[bytes]:
    for rows in _rows(results):
        yield msgspec.json.Encoder().encode_lines(rows)


def _csv(results: Iterator[Result]) -> Iterator[bytes]:
    text = io.StringIO(newline="")
    csv.writer(text).writerow(COLUMNS)
    for rows in _rows(results):
        csv.writer(text).writerows([getattr(row, name) for name in COLUMNS] for row in rows)
        yield text.getvalue().encode()
        text.seek(text.truncate(0))
    yield text.getvalue().encode()


def _parquet(results: Iterator[Result]) -> Iterator[bytes]:
    import pyarrow as pa
    from pyarrow import parquet

    sink = io.BytesIO()
    kinds = pa.schema(
        [(name, pa.float64() if name == "seconds" else pa.string()) for name in COLUMNS]
    )
    with parquet.ParquetWriter(sink, kinds) as file:
        for rows in _rows(results):
            columns = {name: [getattr(row, name) for row in rows] for name in COLUMNS}
            file.write_table(pa.Table.from_pydict(columns, schema=kinds))
            yield sink.getvalue()
            sink.seek(sink.truncate(0))
    yield sink.getvalue()
