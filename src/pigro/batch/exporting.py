"""Results as `.jsonl`, `.csv` or `.parquet`, one row per question."""

from __future__ import annotations

import csv
import io
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from pigro.batch.store import COLUMNS
from pigro.diagnostics import UsageError, printable
from pigro.formats.files import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.batch.tasks import Result

_ROWS_TOGETHER = 10_000


def write_results(results: Iterator[Result], name: str) -> None:
    """Writes all results to a file, in one step."""
    writers = {".jsonl": _jsonl, ".csv": _csv, ".parquet": _parquet}
    writer = writers.get(Path(name).suffix)
    if writer is None:
        raise UsageError(
            "P007",
            f"the name {printable(name)} does not end in a format of results",
            hint=f"use one of {', '.join(writers)}",
        )
    write_atomically(Path(name), writer(results))


def _row(result: Result) -> dict[str, str | float]:
    values = (
        result.task.subject,
        result.formula,
        result.verdict,
        result.reason,
        result.engine,
        result.seconds,
    )
    return dict(zip(COLUMNS, values, strict=True))


def _jsonl(results: Iterator[Result]) -> bytes:
    return b"".join(msgspec.json.encode(_row(result)) + b"\n" for result in results)


def _csv(results: Iterator[Result]) -> bytes:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, COLUMNS)
    writer.writeheader()
    writer.writerows(map(_row, results))
    return text.getvalue().encode()


def _parquet(results: Iterator[Result]) -> bytes:
    try:
        import pyarrow as pa  # noqa: PLC0415 - in an extra
        from pyarrow import parquet  # noqa: PLC0415
    except ImportError:
        raise UsageError(
            "P007", "parquet needs the package pyarrow", hint="pip install pigro[cluster]"
        ) from None
    sink = io.BytesIO()
    kinds = pa.schema(
        [(name, pa.float64() if name == "seconds" else pa.string()) for name in COLUMNS]
    )
    with parquet.ParquetWriter(sink, kinds) as file:
        while rows := [_row(result) for result in islice(results, _ROWS_TOGETHER)]:
            file.write_table(pa.Table.from_pylist(rows, schema=kinds))
    return sink.getvalue()
