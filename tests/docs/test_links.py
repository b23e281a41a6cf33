"""Links of the README and the pages lead to files and headings that exist, and questions to their answers.

The questions are those that users ask first. From the first page, two clicks lead to the answer, which
stands within one screen of the heading that the link names.
"""

import re
from collections import deque
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIRST_PAGES = [ROOT / "README.md", ROOT / "docs/index.md"]
PAGES = [
    *FIRST_PAGES,
    *(ROOT / name for name in ("ARCHITECTURE.md", "CHANGELOG.md", "CONTRIBUTING.md")),
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts),
]
SCREEN = 45
CLICKS = 2
LINK = re.compile(r"(?<!\\)\]\((?P<target>[^()\s]+)\)")
CODE = re.compile(r"^(```|~~~).*?^\1$|(`+)(?!`).*?(?<!`)\2(?!`)", re.MULTILINE | re.DOTALL)
HEADING = re.compile(r"^#{1,6} +(?P<text>.*?)\s*$")
NAMED = re.compile(r"^\((?P<name>[^\s()]+)\)=$|<a (?:id|name)=\"(?P<id>[^\"]+)\">")
INCLUDE = re.compile(r"^```\{include\} (?P<file>\S+)", re.MULTILINE)

QUESTIONS = {
    "How do I install it?": ["pip install .", "compiler"],
    "What does exit code 3 mean?": ["| 3 |", "unknown"],
    "Why is a verdict unknown?": ["unknown", "names the limit", "Raise the limit"],
    "Why does a label warn?": ["warning: 1 label", "did you mean", "--strict"],
    "What happens in a dead end?": ["dead end", "stutter", "stop"],
    "How do I assume fairness?": ["A [G F", "again and again"],
    "How do I get a run as text in Python?": ["print(verdict)", "witness=True"],
    "Which platforms are supported?": ["Linux", "macOS", "Windows"],
    "How do I stop at the first failure?": ["break", "no option"],
    "How do I ignore a finding?": ["# pigro: ignore"],
}


def name_of(page):
    return str(page.relative_to(ROOT))


@cache
def text_of(page):
    """A page, with the file that it includes."""
    text = page.read_text(encoding="utf-8")
    included = INCLUDE.search(text)
    return text_of((page.parent / included["file"]).resolve()) if included else text


def prose_of(page):
    """A page without its code, whose brackets are no links."""
    return CODE.sub("", page.read_text(encoding="utf-8"))


@cache
def anchors_of(page):
    """Each anchor of a page, and its line."""
    anchors, in_code = {}, False
    for number, line in enumerate(text_of(page).split("\n")):
        in_code ^= line.startswith("```")
        if in_code:
            continue
        if heading := HEADING.match(line):
            slug = slug_of(heading["text"])
            anchors[slug if slug not in anchors else f"{slug}-{number}"] = number
        for named in NAMED.finditer(line):
            anchors[named["name"] or named["id"]] = number
    return anchors


def slug_of(heading):
    """As GitHub and MyST name a heading."""
    words = re.sub(r"\[([^\]]*)\]\([^)]*\)|\{[a-z:]+\}", r"\1", heading).replace("\\", "").lower()
    return re.sub(r"[^\w\- ]", "", words).replace(" ", "-")


def links_of(page):
    """The pages and anchors that a page links."""
    for match in LINK.finditer(prose_of(page)):
        target = match["target"]
        if re.match(r"[a-z]+:", target):
            continue
        file, _, anchor = target.partition("#")
        yield (page.parent / file).resolve() if file else page, anchor, target


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_every_link_leads_to_a_file_and_a_heading(page):
    lost = []
    for file, anchor, target in links_of(page):
        if not file.exists() or (
            anchor and file.suffix == ".md" and anchor not in anchors_of(file)
        ):
            lost.append(target)
    assert not lost


@pytest.mark.parametrize("first", FIRST_PAGES, ids=name_of)
@pytest.mark.parametrize("question", QUESTIONS)
def test_two_clicks_and_one_screen_lead_to_the_answer(first, question):
    words = QUESTIONS[question]
    screens = list(screens_from(first))
    assert any(all(word in screen for word in words) for screen in screens), words


def screens_from(first):
    """The screen at the end of each way of at most two links."""
    seen, waiting = {(first, "")}, deque([(first, "", 0)])
    while waiting:
        page, anchor, clicks = waiting.popleft()
        yield screen_of(page, anchor)
        if clicks == CLICKS:
            continue
        for file, name, _ in links_of(page):
            if file.suffix == ".md" and file.exists() and (file, name) not in seen:
                seen.add((file, name))
                waiting.append((file, name, clicks + 1))


def screen_of(page, anchor):
    begin = anchors_of(page).get(anchor, 0) if anchor else 0
    return "\n".join(text_of(page).split("\n")[begin : begin + SCREEN])


def test_a_page_without_an_answer_is_noticed(tmp_path):
    """The search itself: an answer three clicks away, or below the first screen, does not count."""
    near, far = tmp_path / "near.md", tmp_path / "far.md"
    near.write_text("# Near\n\n[far](far.md#below)\n", encoding="utf-8")
    far.write_text(
        "# Far\n" + "\n" * SCREEN + "## Below\nthe answer\n" + "\n" * SCREEN + "the rest"
    )
    found = "".join(screens_from(near))
    assert "the answer" in found
    assert "the rest" not in found
