"""Rules for the documentation: citations exist, generated pages are fresh, and short pages stay short."""

import importlib.util
import inspect
import re
import sys
from pathlib import Path

import pytest

import pigro

ROOT = Path(__file__).resolve().parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if "_build" not in page.parts),
]
KEY = re.compile(r"\[([A-Z][A-Za-z]+(?:19|20)\d\d[a-z]?)\]")
CITED = re.compile(r"\bdecisions?[\s/#*-]+(0\d{3})\b", re.IGNORECASE)
DECISIONS = (ROOT / "docs/decisions.md").read_text(encoding="utf-8")
RECORDS = re.findall(r"^## ([^\n]*)\n(.*?)(?=^\(decision|\Z)", DECISIONS, re.MULTILINE | re.DOTALL)
ANCHORS = re.findall(r"^\(decision-(\d{4})\)=$", DECISIONS, re.MULTILINE)


def script(path):
    """A script of the repository, as a module."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def test_citation_keys_are_in_the_references():
    known = set(
        re.findall(
            r"^@\w+\{(\w+),$",
            (ROOT / "docs/references.bib").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    assert {"Dubslaff2024", "Dubslaff2021", "Finis2012", "Shoham2010", "Bhat1995"} <= known
    sources = [
        path
        for folder in ("src", "native", "tests", "tools", "benchmarks", "docs")
        for path in (ROOT / folder).rglob("*")
        if path.suffix in {".py", ".hpp", ".cpp", ".md"} and "_build" not in path.parts
    ]
    used = {key: path for path in sources for key in KEY.findall(path.read_text(encoding="utf-8"))}
    assert {key: str(path) for key, path in used.items() if key not in known} == {}


def test_every_mutant_is_listed_with_the_test_that_kills_it():
    """`python tools/mutants.py --list` writes docs/mutants.csv."""
    mutants = script(ROOT / "tools/mutants.py")
    assert mutants.LIST.read_text(encoding="utf-8") == mutants.as_csv()
    assert mutants.LIST.name in (ROOT / "docs/reliability.md").read_text(encoding="utf-8")


def test_the_sizes_of_the_exhaustive_tests_are_told():
    sizes = (ROOT / "tests/exhaustive/test_all_small_machines.py").read_text(encoding="utf-8")
    page = (ROOT / "docs/reliability.md").read_text(encoding="utf-8")
    counts = [number.replace("_", ",") for number in re.findall(r"\d+_\d{3}\b", sizes)]
    assert len(counts) == 2
    assert all(count in page for count in counts)


def test_architecture_stays_short():
    lines = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8").count("\n")
    assert lines <= 150


def test_decisions_stay_short():
    for head, text in RECORDS:
        assert len(text.split()) <= 220, head


def test_a_record_has_an_anchor_for_each_of_its_numbers():
    assert RECORDS
    for head, _ in RECORDS:
        numbers = re.findall(r"\d{4}", head.partition(":")[0])
        anchors = "".join(f"(decision-{number})=\n" for number in numbers)
        assert f"\n\n{anchors}## {head}\n" in DECISIONS
    numbers = [n for head, _ in RECORDS for n in re.findall(r"\b0\d{3}\b", head)]
    assert sorted(ANCHORS) == sorted(set(numbers)) == sorted(numbers)


def test_every_decision_that_is_cited_has_a_record():
    cited = {}
    for folder in (".", "src", "native", "tests", "tools", "benchmarks", "docs"):
        pattern = "*" if folder == "." else "**/*"
        for path in (ROOT / folder).glob(pattern):
            if path.suffix in {".py", ".hpp", ".cpp", ".md"} and "_build" not in path.parts:
                text = path.read_text(encoding="utf-8")
                cited |= dict.fromkeys(CITED.findall(text), str(path))
    table = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    for numbers in re.findall(r"\(((?:0\d{3}(?:, )?)+)\)", table):
        cited |= dict.fromkeys(numbers.split(", "), "ARCHITECTURE.md")
    assert {"0021", "0027"} <= set(cited)
    assert {number: path for number, path in cited.items() if number not in ANCHORS} == {}


@pytest.mark.parametrize("name", sorted({*pigro.__all__} - {"__version__"}))
def test_every_public_name_has_an_example(name):
    found = getattr(pigro, name)
    told = inspect.getdoc(found) or ""
    is_error = inspect.isclass(found) and issubclass(found, pigro.PigroError)
    assert ">>>" in told or (is_error and ">>>" in inspect.getdoc(pigro.PigroError))
