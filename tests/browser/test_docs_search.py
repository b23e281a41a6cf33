"""The documentation is built without a warning, and its search finds pages, from files as well."""

import importlib.util
import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support.processes import chromium
from support.processes.children import PATIENCE

DOCS = Path(__file__).resolve().parents[2] / "docs"
BROWSER = chromium.find()
NEEDED = ("sphinx", "myst_parser", "furo", "sphinxcontrib.bibtex")
BUILDS = importlib.util.find_spec("sphinx") and all(map(importlib.util.find_spec, NEEDED))
pytestmark = [
    pytest.mark.skipif(BROWSER is None, reason="no chromium or chrome on PATH"),
    pytest.mark.skipif(not BUILDS, reason="the group docs of pyproject.toml is not installed"),
]

DONE = "location.search === '?' + %s && /finished|did not match/.test((document.querySelector('.search-summary') || {}).textContent)"
FOUND = "[...document.querySelectorAll('.search li > a')].map(each => each.getAttribute('href').split(/[?#]/)[0])"


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    folder = tmp_path_factory.mktemp("html")
    command = [sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html"]
    done = subprocess.run(
        [*command, "-d", str(folder / "trees"), str(DOCS), str(folder / "html")],
        capture_output=True,
        encoding="utf-8",
        timeout=PATIENCE,
    )
    assert done.returncode == 0, done.stderr
    return folder / "html"


@pytest.fixture(scope="module")
def page():
    page = chromium.Page(BROWSER)
    yield page
    page.close()


@pytest.mark.parametrize(
    "words, wanted",
    [
        ("fairness", "formulas.html"),
        ("exit code", "results.html"),
        ("P302", "errors.html"),
        ("timeout-each", "command-line.html"),
        ("qwertyuiop", None),
    ],
)
def test_the_search_finds(words, wanted, built, page):
    address = f"{(built / 'search.html').as_uri()}?q={words.replace(' ', '+')}"
    page.go(address)
    until = time.monotonic() + 60
    while not page.run(DONE % json.dumps(address.partition("?")[2])):
        assert time.monotonic() < until, "the search does not end"
        time.sleep(0.1)
    found = page.run(FOUND)
    assert (wanted in found) if wanted else found == []
