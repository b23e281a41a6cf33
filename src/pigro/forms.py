"""The forms in which verdicts are written: a row for each, and the module that writes it.

It imports nothing, because help must be fast. A module of a form has two functions:

    result_with_evidence(report, number, verdict, room)      one verdict, as text in the form
    results_document(report, verdicts, results, warnings)    all of it, as bytes
"""

from __future__ import annotations

from typing import NamedTuple


class Form(NamedTuple):
    """A form, without its code."""

    home: str | None
    """The module that writes it. None: the report itself does, line by line."""
    has_runs: bool = False
    """Whether runs are in it without being asked for."""


FORMS = {
    "text": Form(None),
    "json": Form("pigro.render.json"),
    "sarif": Form("pigro.render.verdict_sarif", has_runs=True),
    "junit": Form("pigro.render.verdict_junit", has_runs=True),
}
