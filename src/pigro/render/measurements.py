"""What `pigro bench` measured: a table for people, JSON and CSV for programs."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING, Literal

import msgspec

from pigro import __version__
from pigro.render.tables import table
from pigro.render.text import duration
from pigro.session.measuring import FormulaRuns, cells
from pigro.session.request import MANY

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from pigro.session.measuring import MeasuredRun

    Measured = Sequence[tuple[str, Sequence[MeasuredRun]]]

_COLUMNS = ("formula", "engine", "verdict", "time", "ratio", "contexts", "ratio")


class MeasuredCheck(msgspec.Struct, frozen=True):
    """One formula, checked by one engine."""

    formula: str
    engine: str
    verdict: Literal["holds", "fails", "unknown"]
    seconds: tuple[float, ...]
    """Of each run, without the one that warms up."""
    median: float
    """Seconds."""
    contexts: int | None
    time_ratio: float | None
    """The median beside that of the first engine. None if one of them has no verdict."""
    contexts_ratio: float | None
    """The same of contexts."""


class MeasuredFile(msgspec.Struct, frozen=True):
    """All that was measured on one file."""

    file: str
    rows: tuple[MeasuredCheck, ...]


class MeasurementsData(msgspec.Struct, frozen=True, kw_only=True):
    """What `pigro bench` measured."""

    schema: Literal["pigro.bench/1"] = "pigro.bench/1"
    pigro: str
    """The version."""
    files: tuple[MeasuredFile, ...]


def as_text(file: str, runs: Sequence[MeasuredRun]) -> str:
    """A table: formulas if there are few, and all of them together."""
    found = cells(runs)
    formulas = dict.fromkeys(each.formula for each in found)
    rows = _text_rows(found) if len(formulas) <= MANY else []
    if len(formulas) > 1:
        rows += _text_rows(_totals(found, f"all {len(formulas):,} formulas"))
    return f"{file}\n\n{table([_COLUMNS, *rows], right=[3, 4, 5, 6])}"


def _text_rows(found: Sequence[FormulaRuns]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for at, each in enumerate(rows_of(found)):
        is_first = at == 0 or found[at - 1].formula != each.formula
        rows.append(
            (
                each.formula if is_first else "",
                each.engine,
                found[at].outcome,
                duration(each.median),
                _ratio(each.time_ratio),
                "" if each.contexts is None else f"{each.contexts:,}",
                _ratio(each.contexts_ratio),
            )
        )
    return rows


def _ratio(value: float | None) -> str:
    return "" if value is None else f"{value:.2f}"


def _totals(found: Sequence[FormulaRuns], name: str) -> list[FormulaRuns]:
    """A cell for each engine, with the sums over all formulas."""
    totals = []
    for engine in dict.fromkeys(each.engine for each in found):
        of_engine = [each for each in found if each.engine == engine]
        decided = sum(each.outcome != "unknown" for each in of_engine)
        contexts = [each.contexts for each in of_engine if each.contexts is not None]
        totals.append(
            FormulaRuns(
                name,
                engine,
                f"{decided:,} decided" if decided == len(of_engine) else "unknown",
                (sum(each.median for each in of_engine),),
                sum(contexts) if len(contexts) == len(of_engine) else None,
            )
        )
    return totals


def rows_of(found: Sequence[FormulaRuns]) -> list[MeasuredCheck]:
    """The cells with their ratios to the first engine of the same formula."""
    first: dict[str, FormulaRuns] = {}
    rows = []
    for each in found:
        base = first.setdefault(each.formula, each)
        decided = "unknown" not in {each.outcome, base.outcome}
        times = each.median / base.median if decided and base.median else None
        contexts = None
        if decided and each.contexts is not None and base.contexts:
            contexts = each.contexts / base.contexts
        rows.append(
            MeasuredCheck(
                each.formula, each.engine, each.outcome, each.seconds, each.median,  # type: ignore[arg-type]
                each.contexts, times, contexts,
            )
        )  # fmt: skip
    return rows


def as_json(measured: Measured) -> bytes:
    """All of it, as `MeasurementsData`."""
    files = tuple(MeasuredFile(name, tuple(rows_of(cells(runs)))) for name, runs in measured)
    data = msgspec.json.encode(MeasurementsData(pigro=__version__, files=files))
    return msgspec.json.format(data, indent=1) + b"\n"


def as_csv(measured: Measured) -> bytes:
    """Every run, a line each."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("file", "formula", "engine", "repetition", "verdict", "seconds", "contexts"))
    writer.writerows(_lines(measured))
    return out.getvalue().encode("utf-8", "surrogatepass")


def _lines(measured: Measured) -> Iterable[tuple[object, ...]]:
    for name, runs in measured:
        for run in runs:
            yield (name, *run)
