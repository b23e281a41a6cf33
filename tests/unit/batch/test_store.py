"""The store: all results of a task or none, whatever happens."""

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from pigro.batch import Result, Task, run
from pigro.batch.exporting import write_results
from pigro.batch.pool import Pool
from pigro.batch.store import Store
from pigro.batch.tasks import digest_of
from pigro.diagnostics import UsageError

TASK = Task(model="light.rsm", formula="EF go")
DIGEST = b"1" * 16


def results(*words, reason="because"):
    return [Result(task=TASK, formula="EF go", verdict=word, reason=reason) for word in words]


def fill(store, count, reason):
    for number in range(count):
        store.add(b"%016d" % number, results("holds", "fails", reason=reason))
        store.write()


def kept(path):
    with Store(path) as store:
        return list(store.results())


@pytest.fixture
def path(tmp_path):
    return tmp_path / "s.sqlite"


def test_results_of_one_task_are_never_mixed(path):
    with Store(path) as one, Store(path) as two:
        one.add(DIGEST, results("unknown"))
        two.add(DIGEST, results("holds", "fails", "holds"))
        one.write()
        two.write()
    assert [each.verdict for each in kept(path)] == ["unknown"]


def test_all_results_of_a_task_are_kept_in_their_order(path):
    given = results("holds", "fails", "holds")
    with Store(path) as store:
        store.add(DIGEST, given)
    with Store(path) as store:
        assert store.found([DIGEST]) == {DIGEST: given}


class _Interrupting:
    """A connection whose `executemany` is interrupted once, after it has written."""

    def __init__(self, file):
        self._file = file
        self._is_due = True

    def __getattr__(self, name):
        return getattr(self._file, name)

    def executemany(self, *given):
        self._file.executemany(*given)
        if self._is_due:
            self._is_due = False
            raise KeyboardInterrupt


def test_an_interruption_in_a_transaction_loses_nothing(path):
    store = Store(path)
    store._file = _Interrupting(store._file)
    with pytest.raises(KeyboardInterrupt), store:
        store.add(DIGEST, results("holds", "fails"))
    assert [each.verdict for each in kept(path)] == ["holds", "fails"]


def test_a_full_disk_is_told_and_leaves_whole_tasks(light, path):
    store = Store(path)
    store._file.execute("PRAGMA max_page_count = 40")
    with pytest.raises(UsageError, match="full") as error, store:
        fill(store, 100, "long" * 5000)
    assert error.value.code == "P012"
    words = [each.verdict for each in kept(path)]
    assert words
    assert words.count("holds") == words.count("fails")


def test_a_full_disk_ends_a_batch_with_an_error(light, monkeypatch):
    plain = Store._open

    def small(self, **how):
        plain(self, **how)
        self._file.execute("PRAGMA max_page_count = 12")

    tasks = [Task(model=light, formula="EF go" + " | go" * number) for number in range(400)]
    with monkeypatch.context() as patch:
        patch.setattr(Store, "_open", small)
        with pytest.raises(UsageError, match="full"):
            list(run(tasks, store="s.sqlite", jobs=1))
    known = len(kept(Path("s.sqlite")))
    found = list(run(tasks, store="s.sqlite", jobs=1))
    assert len(found) == len(kept(Path("s.sqlite"))) == 400
    assert known < 400


def test_a_store_that_is_damaged_in_the_middle_is_told(path):
    with Store(path) as store:
        for number in range(300):
            store.add(b"%016d" % number, results("holds", reason="r" * 300))
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = bytearray(path.read_bytes())
    data[8192:-4096] = b"\xa5" * (len(data) - 8192 - 4096)
    path.write_bytes(data)
    with pytest.raises(UsageError, match="malformed") as error:
        kept(path)
    assert error.value.code == "P012"


def test_a_row_that_no_task_is_in_is_told(path):
    with Store(path) as store:
        store.add(DIGEST, results("holds"))
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("UPDATE results SET asked = '{'")
    with pytest.raises(UsageError, match="damaged"):
        kept(path)


WRONG = [None, b"\xff", -1, "what", float("inf")]


def damage(path, column, value):
    """Puts a value into a column that could not have it."""
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("PRAGMA writable_schema = ON")
        file.execute("UPDATE sqlite_master SET sql = replace(sql, ' NOT NULL', '')")
    with closing(sqlite3.connect(path)) as file, file:
        file.execute(f"UPDATE results SET {column} = ?", (value,))


@pytest.mark.parametrize("value", WRONG)
@pytest.mark.parametrize("column", "formula verdict reason engine seconds asked evidence".split())
def test_a_row_with_a_wrong_value_is_told(path, column, value):
    """Other texts, and numbers in place of texts that SQLite turns into texts, can't be seen."""
    with Store(path) as store:
        store.add(DIGEST, results("holds"))
    damage(path, column, value)
    text = isinstance(value, int | float | str) and column in {"formula", "reason", "engine"}
    if text or (column == "evidence" and value in (None, b"\xff")):
        assert len(kept(path)) == 1
        return
    with pytest.raises(UsageError, match="damaged") as error:
        kept(path)
    assert error.value.code == "P012"
    if column == "verdict":
        with pytest.raises(UsageError, match="damaged"), Store(path) as store:
            store.counts()


def test_flipped_bytes_are_told(path, tmp_path):
    """Whatever byte of the file is another one: results, or an error about the store."""
    with Store(path) as store:
        for number in range(5):
            store.add(b"%016d" % number, results("holds", "fails", "error", reason="r" * 50))
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    whole = path.read_bytes()
    random, other = Random(39), tmp_path / "o.sqlite"
    for _ in range(400):
        data = bytearray(whole)
        for _ in range(random.choice((1, 1, 1, 3))):
            data[random.randrange(len(data))] ^= 1 << random.randrange(8)
        other.write_bytes(data)
        for use in (kept, lambda file: write_results(iter(kept(file)), str(tmp_path / "o.jsonl"))):
            try:
                use(other)
            except UsageError as error:
                assert error.code == "P012"
        for rest in tmp_path.glob("o.sqlite?*"):
            rest.unlink()


def test_a_store_in_a_folder_that_is_missing_or_not_one(tmp_path):
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "missing" / "s.sqlite", tmp_path / "file" / "s.sqlite", tmp_path):
        with pytest.raises(UsageError, match="unable to open"):
            Store(path)


def test_a_store_that_is_read_only_is_told(path):
    store = Store(path)
    store._file.execute("PRAGMA query_only = 1")
    with pytest.raises(UsageError, match="readonly"), store:
        store.add(DIGEST, results("holds"))
    assert kept(path) == []


def test_only_tasks_of_the_plan_are_tried_again(light):
    wrong = [Task(model=light, formula="AG ("), Task(model="nowhere.rsm", formula="EF go")]
    list(run(wrong, store="s.sqlite", jobs=1))
    Path("nowhere.rsm").write_bytes(Path(light).read_bytes())
    [again] = run(wrong[:1], store="s.sqlite", jobs=1, retry=True)
    assert again.verdict == "error"
    assert {each.task.model for each in kept(Path("s.sqlite"))} == {light, "nowhere.rsm"}


def test_answers_about_a_file_that_changed_are_not_kept(light, monkeypatch):
    tasks = [Task(model=light, formula=formula) for formula in ("EF go", "EF stop")]
    plain = Pool.run

    def change(self, entries):
        for answer in plain(self, entries):
            if answer is not None:
                Path(light).write_bytes(Path(light).read_bytes() + b"\n")
            yield answer

    with monkeypatch.context() as patch:
        patch.setattr(Pool, "run", change)
        found = list(run(tasks, store="s.sqlite", jobs=1))
    assert [each.verdict for each in found] == ["error", "error"]
    assert all("changed while" in each.reason for each in found)
    assert kept(Path("s.sqlite")) == []
    assert [each.verdict for each in run(tasks, store="s.sqlite", jobs=1)] == ["holds", "holds"]


def test_a_changed_gitignore_or_source_is_a_new_question(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("a").mkdir()
    Path("a/x.py").write_text("x = 1\n")
    Path("a/y.py").write_text("y = 1\n")
    task = Task(scan=("a",))
    seen = [digest_of(task)]
    Path("a/.gitignore").write_text("y.py\n")
    seen.append(digest_of(task))
    Path("a/y.py").write_text("y = 2\n")
    seen.append(digest_of(task))
    Path("a/x.py").write_text("x = 2\n")
    seen.append(digest_of(task))
    assert seen[1] == seen[2]
    assert len(set(seen)) == 3
