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
    reader: str
    """Whom it is for, as help says it."""
    has_runs: bool = False
    """Whether runs are in it without being asked for."""
    has_bundle: bool = False
    """Whether evidence is in it as the documents of a bundle."""


FORMS = {
    "text": Form(None, "you"),
    "json": Form("pigro.render.json", "your programs", has_bundle=True),
    "sarif": Form("pigro.render.verdict_sarif", "your CI service", has_runs=True),
    "junit": Form("pigro.render.verdict_junit", "your CI service", has_runs=True),
}


def forms_in_words() -> str:
    """Which form is for whom.

    >>> forms_in_words()
    'text for you, json for your programs, or sarif or junit for your CI service'
    """
    readers: dict[str, list[str]] = {}
    for name, form in FORMS.items():
        readers.setdefault(form.reader, []).append(name)
    *first, last = (f"{' or '.join(names)} for {reader}" for reader, names in readers.items())
    return f"{', '.join(first)}, or {last}"
