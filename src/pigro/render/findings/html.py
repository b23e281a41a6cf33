"""Findings as one HTML file, with the source beside the run. It has no script and loads nothing.

All text from files is escaped, and the policy of the page allows only its own style, by its hash.
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.render.findings.excerpts import FileLines, shown
from pigro.render.page_parts import page_file, whole_page

if TYPE_CHECKING:
    from pigro.scan.findings import Finding
    from pigro.scan.project.whole import ScanResult

_AROUND = 4
"""Lines shown before and after each step."""
_WIDEST = 2000

_BODY = """<header><b class="brand">Pigro</b> <span>{title}</span></header>
<main>
{body}
</main>"""


def render(outcome: ScanResult) -> bytes:
    """The page, in UTF-8."""
    style = page_file("report.css") + page_file("findings.css")
    report = outcome.report
    count = len(report.findings)
    title = (
        f"{count:,} {'finding' if count == 1 else 'findings'} in {report.statistics.files:,} files"
    )
    sources = FileLines()
    body = [_index(outcome)]
    body += [_finding(at, each, sources) for at, each in enumerate(report.findings)]
    return whole_page(title, style, _BODY.format(title=title, body="\n".join(body)))


def _index(outcome: ScanResult) -> str:
    report = outcome.report
    rows = []
    for at, each in enumerate(report.findings):
        place = _text(f"{each.file}:{each.line}")
        rows.append(
            f'<li>{_word(each)} <a class="code" href="#f{at}">{place}</a> '
            f"{_text(each.message)}</li>"
        )
    for error in report.errors:
        where = error.position.source if error.position is not None else None
        rows.append(f'<li><span class="word error">{error.code}</span> <span class="code">'
                    f"{_text(where or '')}</span> {_text(error.message)}</li>")  # fmt: skip
    rows = rows or ["<li>No findings.</li>"]
    return f'<ul class="card index">{"".join(rows)}</ul>'


def _finding(at: int, finding: Finding, sources: FileLines) -> str:
    place = f"{finding.file}:{finding.line}"
    head = (
        f"<h1>{_word(finding)}{_text(finding.message)}</h1>"
        f'<p class="dim"><span class="code">{_text(place)}</span> in '
        f'<span class="code">{_text(finding.function)}</span></p>'
        f'<p class="dim">formula <span class="code">{_text(finding.formula)}</span></p>'
    )
    steps = "".join(_steps(at, finding, sources))
    lines = "".join(_lines(at, finding, sources))
    return (
        f'<section class="card finding" id="f{at}">{head}<div class="beside">'
        f'<ol class="steps">{steps}</ol><div class="lines">{lines}</div></div></section>'
    )


def _steps(at: int, finding: Finding, sources: FileLines) -> list[str]:
    rows = []
    files = _files(finding)
    for step in finding.steps:
        number = step.at[0]
        link = f"#f{at}-{files[step.file]}-{number}"
        bars = "│ " * min(step.depth, 40)
        text = _text(shown(sources.line(step.file, number)).strip())
        note = f' <span class="note">← {_text(step.note)}</span>' if step.note else ""
        kind = ' class="decisive"' if step.is_decisive else ""
        rows.append(
            f'<li{kind}><a href="{link}">{number:>5}</a> {bars}'
            f'<span class="text">{text}</span>{note}</li>'
        )
    return rows


def _lines(at: int, finding: Finding, sources: FileLines) -> list[str]:
    rows = []
    files = _files(finding)
    for file, key in files.items():
        marks: dict[int, str] = {each.at[0]: "step" for each in finding.steps if each.file == file}
        if file == finding.file:
            marks[finding.line] = "here"
        marks |= {each.at[0]: "decisive" for each in finding.steps
                  if each.file == file and each.is_decisive}  # fmt: skip
        wanted = {line for mark in marks for line in range(mark - _AROUND, mark + _AROUND + 1)}
        rows.append(f"<h2>{_text(file)}</h2>")
        last = 0
        for number in sorted(wanted):
            if not 0 < number <= sources.count(file):
                continue
            if last and number != last + 1:
                rows.append('<div class="dim">      ⋮</div>')
            last = number
            kind = f' class="{marks[number]}"' if number in marks else ""
            text = _text(shown(sources.line(file, number)))
            rows.append(f'<div id="f{at}-{key}-{number}"{kind}><b>{number}</b>{text}</div>')
    return rows


def _files(finding: Finding) -> dict[str, int]:
    names = dict.fromkeys((finding.file, *(each.file for each in finding.steps)))
    return {name: at for at, name in enumerate(names)}


def _word(finding: Finding) -> str:
    return f'<span class="word {finding.severity}">{_text(finding.rule)}</span> '


def _text(text: str) -> str:
    return html.escape(printable(text, _WIDEST))
