"""Test reports in JUnit's XML: what findings and verdicts share."""

from __future__ import annotations

from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 2000


def document(
    suite: str, cases: Sequence[str], *, failures: int, errors: int, skipped: int, more: str = ""
) -> bytes:
    """A report with one suite. `more` stands behind its cases."""
    counts = f'tests="{len(cases)}" failures="{failures}" errors="{errors}" skipped="{skipped}"'
    rows = ['<?xml version="1.0" encoding="utf-8"?>', f'<testsuites name="pigro" {counts}>',
            f"<testsuite name={attribute(suite)} {counts}>", *cases, *filter(None, [more]),
            "</testsuite>", "</testsuites>"]  # fmt: skip
    return ("\n".join(rows) + "\n").encode("utf-8", "replace")


def case(
    group: str, name: str, body: str = "", *, file: str = "", line: int = 0, seconds: float = -1
) -> str:
    """A test. Without a body, it passes."""
    place = f" file={attribute(file)}" if file else ""
    place += f' line="{line}"' if line else ""
    place += f' time="{seconds:.6f}"' if seconds >= 0 else ""
    head = f"<testcase classname={attribute(f'pigro.{group}')} name={attribute(name)}{place}"
    return f"{head}>{body}</testcase>" if body else f"{head}/>"


def fault(element: str, kind: str, text: str, told: str = "") -> str:
    """A `failure`, an `error` or a `skipped`, with a text for people."""
    head = f"<{element} message={attribute(text)} type={attribute(kind)}"
    return f"{head}>{content(told)}</{element}>" if told else f"{head}/>"


def attribute(text: str) -> str:
    """A text as the value of an attribute, quoted."""
    return quoteattr(printable(text, _LONGEST))


def content(text: str) -> str:
    """A text of several lines, as content."""
    return escape("\n".join(printable(each, _LONGEST) for each in text.split("\n")))
