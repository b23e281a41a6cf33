"""The store: its content stays, and belongs to one session."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from benchmarks.case import Case, Measurement
from benchmarks.store import Session, StudyStore
from pigro import PigroError

SESSION = Session("1", "build", {"cores": 2}, {"timeout": 1.0})
CASE = Case.of("grid", "lazy", model=3, formula=4)
FULL = Measurement("holds", 0.5, 0.25, 1.0, 1000, 7, 8, {"hold": 3, "odd": "½"}, "none")


def test_runs_come_back_as_they_were_in_order(tmp_path):
    other = Case.of("java", "demand", program="x")
    with StudyStore(tmp_path / "s") as store:
        number = store.session(SESSION)
        store.add(number, CASE, 0, FULL)
        store.add(number, other, 0, Measurement("timeout"))
        store.add(number, CASE, 1, Measurement("fails", 0.1))
    with StudyStore(tmp_path / "s") as store:
        assert store.session(SESSION) == number
        assert store.runs(number, ["grid"]) == [(CASE, FULL), (CASE, Measurement("fails", 0.1))]
        assert store.runs(number, ["grid", "java"])[1] == (other, Measurement("timeout"))
        assert store.newest(["grid"]) == (number, SESSION)
        assert store.newest(["scale"]) is None


def test_nothing_is_written_twice(tmp_path):
    with StudyStore(tmp_path / "s") as store:
        number = store.session(SESSION)
        store.add(number, CASE, 0, FULL)
        with pytest.raises(PigroError, match="UNIQUE"):
            store.add(number, CASE, 0, FULL)


@pytest.mark.parametrize(
    "change", [{"pigro": "2"}, {"build": "x"}, {"machine": {}}, {"settings": {"timeout": 2.0}}]
)
def test_a_session_is_one_build_machine_and_settings(tmp_path, change):
    changed = Session(**{name: getattr(SESSION, name) for name in Session.__slots__} | change)
    with StudyStore(tmp_path / "s") as store:
        first = store.session(SESSION)
        store.add(first, CASE, 0, FULL)
        second = store.session(changed)
        assert second != first
        assert store.runs(second, ["grid"]) == []
        assert store.session(SESSION) == first
        third = store.session(SESSION, again=True)
        assert third not in {first, second}
        assert store.session(SESSION) == third


def test_an_edition_tells_cases_apart(tmp_path):
    newer = Case("grid", "lazy", CASE.at, edition="2.0")
    assert newer.key != CASE.key
    with StudyStore(tmp_path / "s") as store:
        number = store.session(SESSION)
        store.add(number, CASE, 0, FULL)
        store.add(number, newer, 0, FULL)
        assert [case for case, _ in store.runs(number, ["grid"])] == [CASE, newer]


def test_one_user_at_a_time(tmp_path):
    with (
        StudyStore(tmp_path / "s"),
        pytest.raises(PigroError, match="another measurement") as caught,
    ):
        StudyStore(tmp_path / "s")
    assert caught.value.code == "P012"
    StudyStore(tmp_path / "s").close()


def _foreign(path):
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("CREATE TABLE t (x)")
    file.close()


def _newer(path):
    StudyStore(path).close()
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("PRAGMA user_version = 99")
    file.close()


@pytest.mark.parametrize(
    "make, why",
    [
        (
            lambda path: path.write_text("no database, but long enough to be looked at" * 9),
            "not a database",
        ),
        (lambda path: path.mkdir(), "unable to open"),
        (_foreign, "another program"),
        (_newer, "another version"),
    ],
)
def test_a_file_that_is_no_store_is_left_alone(tmp_path, make, why):
    path = tmp_path / "s"
    make(path)
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(PigroError, match=why) as caught:
        StudyStore(path)
    assert caught.value.code == "P012"
    assert before is None or path.read_bytes() == before
