"""`.ctl` files, and the published ones all read."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from pigro.diagnostics import FormulaError, InputError, UsageError
from pigro.logic import Fragment, parse, read_formula_file, read_formulas

BENCHMARKS = Path(__file__).resolve().parents[4] / "shared" / "benchmarks"
needs_benchmarks = pytest.mark.skipif(
    not BENCHMARKS.is_dir(), reason=f"the published benchmarks are not at {BENCHMARKS}"
)

CONTENTS = [
    b"AG p",
    b"AG p\n",
    b"AG p\r\n",
    b"\xef\xbb\xbfAG p\n",
]


@pytest.mark.parametrize("content", CONTENTS)
def test_line_ends_and_byte_order_mark(content: bytes) -> None:
    assert read_formulas(content) == [(1, parse("AG p"))]
    assert read_formulas(content.decode()) == [(1, parse("AG p"))]


def test_comments_and_blank_lines() -> None:
    text = "# first\r\n\r\n  \t# second\n AG p#1 \n\nEF q # r\n"
    with pytest.raises(FormulaError) as caught:
        read_formulas(text, "x.ctl")
    assert caught.value.position is not None
    assert (caught.value.position.line, caught.value.position.column) == (6, 6)
    assert read_formulas(text.replace("q # r", "q#r")) == [
        (4, parse("AG p#1")),
        (6, parse("EF q#r")),
    ]


@pytest.mark.parametrize("content", ["", "\n\n", "# only", "\ufeff"])
def test_files_without_formulas(content: str) -> None:
    assert read_formulas(content) == []


def test_only_line_feeds_separate_lines() -> None:
    assert read_formulas('"a\u2028b" |\x0bq') == [(1, parse('"a\u2028b" | q'))]


def test_errors_carry_file_and_line() -> None:
    with pytest.raises(FormulaError) as caught:
        read_formulas(b"AG p\r\nAG (p\r\n", "some.ctl")
    position = caught.value.position
    assert position is not None
    assert (position.source, position.line, position.column) == ("some.ctl", 2, 4)
    assert position.text == "AG (p"


def test_invalid_utf8() -> None:
    with pytest.raises(InputError) as caught:
        read_formulas(b"AG p\nAG \xc3\xa9 & \xff\n", "some.ctl")
    assert caught.value.code == "P102"
    position = caught.value.position
    assert position is not None
    assert (position.source, position.line, position.column) == ("some.ctl", 2, 8)


def test_reading_a_path(tmp_path: Path) -> None:
    path = tmp_path / "x.ctl"
    path.write_bytes(b"EF p")
    assert read_formula_file(path) == [(1, parse("EF p"))]


@pytest.mark.parametrize("name", ["missing.ctl", "", "nul\x00", "x" * 5000])
def test_paths_that_cannot_be_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_formula_file(f"{tmp_path}/{name}")
    assert caught.value.code == "P001"
    assert caught.value.message.isprintable()


@needs_benchmarks
def test_the_published_random_formulas() -> None:
    paths = sorted((BENCHMARKS / "rsmcheck" / "random").glob("*.ctl"))
    assert len(paths) == 50
    for path in paths:
        for _, formula in read_formula_file(path):
            assert formula.fragment in (Fragment.PROPOSITIONAL, Fragment.CTL)
            assert parse(str(formula)) == formula


@needs_benchmarks
def test_the_other_published_formulas() -> None:
    for path in sorted((BENCHMARKS / "rsmcheck").glob("*.ctl")):
        assert all(formula.fragment is Fragment.CTL for _, formula in read_formula_file(path))


@needs_benchmarks
def test_the_published_use_def_formulas() -> None:
    count = 0
    for archive in sorted((BENCHMARKS / "java").glob("*.zip")):
        with zipfile.ZipFile(archive) as files:
            for name in files.namelist():
                if name.endswith(".ctl"):
                    formulas = read_formulas(files.read(name), name)
                    count += len(formulas) if "single" not in name else 0
                    assert all(formula.fragment is Fragment.CTL for _, formula in formulas)
    assert count == 4951
