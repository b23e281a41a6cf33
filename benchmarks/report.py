"""The findings, for documents and for other programs.

A document has marks: what stands between `<!-- bench: NAME -->` and `<!-- end -->` is replaced by
the table or the fact of that name. So every number in it comes from a run.
"""

from __future__ import annotations

import csv
import io
import json
import re
from importlib.util import find_spec
from typing import TYPE_CHECKING

from benchmarks.store import COLUMNS
from pigro.diagnostics import InputError, Position, UsageError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from benchmarks.findings import ResultSet
    from benchmarks.store import Session
    from benchmarks.suite import Plot, Suite
    from benchmarks.tables import StudyTable

_MARK = re.compile(
    r"^```.*?^```|`[^`\n]*`|<!-- bench: (?P<name>[\w-]+) -->(?P<body>.*?)<!-- end -->",
    re.DOTALL | re.MULTILINE,
)
"""A mark, or code, in which there are none."""
SCHEMA = "pigro.study/1"


def tell(suites: Sequence[Suite], found: ResultSet) -> tuple[list[StudyTable], dict[str, str]]:
    """All tables and facts of the suites."""
    tables: list[StudyTable] = []
    facts: dict[str, str] = {}
    for suite in suites:
        part = found.of(suite.name)
        if len(part):
            tables += [table.without_blanks() for table in suite.tables(part) if table.rows]
            facts |= {f"{suite.name}-{name}": text for name, text in suite.facts(part).items()}
    return tables, facts


def fill(text: str, parts: Mapping[str, str]) -> tuple[str, list[str]]:
    """The document with its marks filled in, and the names of marks for which there is nothing."""
    empty: list[str] = []

    def filled(match: re.Match[str]) -> str:
        name, before = match["name"], match["body"]
        if name is None:
            return match[0]
        if not parts.get(name):
            empty.append(name)
            return match[0]
        end = re.match(r"\r?\n|", before)
        alone = end[0] if end is not None else ""
        content = parts[name].strip().replace("\n", alone or "\n")
        return f"<!-- bench: {name} -->{alone}{content}{alone}<!-- end -->"

    return _MARK.sub(filled, text), empty


def check_marks(text: str, suites: Collection[str], path: str) -> None:
    """`InputError` P103 for a mark that nothing can fill.

    Names begin with that of a suite, or with `run`, and a mark must end before the next begins.
    """
    for match in _MARK.finditer(text):
        if match["name"] is None:
            continue
        position = Position(path, text.count("\n", 0, match.start()) + 1)
        suite = match["name"].partition("-")[0]
        if suite not in {*suites, "run"}:
            raise InputError(
                "P103",
                f"the mark {match['name']!r} does not begin with the name of a suite",
                position=position,
                hint=did_you_mean(suite, suites) or "see `python -m benchmarks --list`",
            )
        if "<!-- bench:" in match["body"]:
            message = f"the mark {match['name']!r} does not end before the next begins"
            raise InputError("P103", message, position=position, hint="write <!-- end -->")


def as_csv(rows: Sequence[Mapping[str, object]]) -> str:
    """Every run, a line each."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


def as_json(
    session: Session,
    rows: Sequence[Mapping[str, object]],
    tables: Sequence[StudyTable],
    facts: Mapping[str, str],
) -> str:
    """The session, its runs, and what suites tell of them."""
    whole = {
        "schema": SCHEMA,
        "pigro": session.pigro,
        "build": session.build,
        "machine": session.machine,
        "settings": session.settings,
        "tables": [
            {"name": each.name, "title": each.title, "columns": each.columns, "rows": each.rows}
            for each in tables
        ],
        "facts": facts,
        "runs": [
            row | {name: json.loads(str(row[name])) for name in ("place", "details")}  # type: ignore[operator]
            for row in rows
        ],
    }
    return json.dumps(whole, indent=1, ensure_ascii=False) + "\n"


def require_matplotlib() -> None:
    """`UsageError` P006 if plots can't be drawn."""
    if find_spec("matplotlib") is None:
        hint = "install it with `pip install matplotlib`"
        raise UsageError("P006", "drawing plots needs the package matplotlib", hint=hint)


def draw(plot: Plot) -> bytes:
    """The picture as SVG, the same for the same findings."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    out = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "pigro"}):
        figure = Figure(figsize=plot.size, layout="constrained")
        plot.draw(figure)
        figure.savefig(out, format="svg", metadata={"Date": None})
    return out.getvalue()
