"""Exports of results: every format has the same rows."""

import csv
import json
from importlib import resources

import pytest
from jsonschema import Draft202012Validator

from pigro.batch import Result, Task, exporting
from pigro.batch.exporting import write_results
from pigro.batch.store import COLUMNS
from pigro.diagnostics import UsageError

SCHEMA = resources.files("pigro") / "schemas" / "batch.schema.json"
RESULTS = [
    Result(task=Task(model=f'm"{number},\n.rsm', formula="EF p"), formula="EF p", verdict=word,
           reason="é\n", engine="demand", seconds=number / 8, warnings="a\nb")
    for number, word in enumerate(["holds", "fails", "unknown", "error", "crashed"])
]  # fmt: skip
ROWS = [
    (result.task.model, "EF p", result.verdict, "é\n", "demand", result.seconds, "a\nb")
    for result in RESULTS
]


@pytest.fixture(autouse=True)
def small_portions(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(exporting, "_ROWS_TOGETHER", 2)


def test_jsonl_has_a_schema(tmp_path):
    write_results(iter(RESULTS), "out.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_bytes().splitlines()]
    assert [tuple(row[name] for name in COLUMNS) for row in rows] == ROWS
    judge = Draft202012Validator(json.loads(SCHEMA.read_text()))
    for row in rows:
        judge.validate(row)
    assert not judge.is_valid(rows[0] | {"verdict": "perhaps"})


def test_csv(tmp_path):
    write_results(iter(RESULTS), "out.csv")
    with (tmp_path / "out.csv").open(newline="") as file:
        head, *rows = csv.reader(file)
    assert tuple(head) == COLUMNS
    assert [(*row[:5], float(row[5]), row[6]) for row in rows] == ROWS


def test_parquet(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
    write_results(iter(RESULTS), "out.parquet")
    rows = parquet.read_table("out.parquet").to_pylist()
    assert [tuple(row[name] for name in COLUMNS) for row in rows] == ROWS


@pytest.mark.parametrize("name", ["out.jsonl", "out.csv"])
def test_no_results_make_a_file_too(tmp_path, name):
    write_results(iter([]), name)
    assert (tmp_path / name).read_bytes() in {b"", ",".join(COLUMNS).encode() + b"\r\n"}


def test_another_format_is_refused():
    with pytest.raises(UsageError, match="does not end in a format"):
        write_results(iter(RESULTS), "out.xls")
