"""Parts of the documentation that code writes: `make docs-pages` would change none."""

import sys
from pathlib import Path

import pytest

import pigro

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import docs_pages  # noqa: E402 - found by the line above
from docs_pages import api, commands  # noqa: E402

PAGES = docs_pages.pages()
SAID = [each["said"].split() for page in PAGES
        for each in docs_pages.MARKED.finditer(page.read_text("utf-8"))]  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_generated_parts_are_fresh(page):
    text = page.read_text(encoding="utf-8")
    assert text == docs_pages.filled(text), "run `make docs-pages`"


def test_every_part_is_on_some_page():
    assert {name for name, *_ in SAID} == set(docs_pages.PARTS)


def test_every_command_has_a_section():
    sections = [words[0] for name, *words in SAID if name == "command"]
    assert sections == [name for name in commands.commands() if " " not in name]


def test_every_option_is_on_the_page_about_the_command_line():
    page = (ROOT / "docs/command-line.md").read_text("utf-8")
    for command in commands.commands().values():
        for option in command.params:
            assert all(name in page for name in option.opts if name.startswith("--"))


def test_the_page_about_the_python_api_has_all_public_names():
    groups = [words[0] for name, *words in SAID if name == "api"]
    assert groups == [*api.GROUPS]
    assert set(pigro.__all__) <= api.documented()
