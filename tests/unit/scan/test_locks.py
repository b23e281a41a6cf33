"""Locks that are taken again through calls, and locks that stay held."""

import textwrap

import pytest

from pigro.rules.choosing import chosen_rules, known_rules
from pigro.scan.scanning import scan_paths

HEAD = "import threading\nlock = threading.Lock()\n"
OUTER = "def outer():\n    with lock:\n        inner()\n"
INNER = "def inner():\n    with lock:\n        pass\n"


def found(folder, rule, **files):
    for name, text in files.items():
        (folder / f"{name}.py").write_text(textwrap.dedent(text))
    report = scan_paths([str(folder)], chosen_rules(known_rules(), [rule]))
    return [(each.file.rpartition("/")[2], each.line) for each in report.findings]


@pytest.mark.parametrize(
    "files, places",
    [
        ({"a": HEAD + OUTER + INNER}, [("a.py", 4)]),
        ({"a": HEAD + OUTER + "def inner():\n    deep()\n" + INNER.replace("inner", "deep")},
         [("a.py", 4)]),
        ({"a": HEAD + INNER, "b": "from a import inner, lock\n" + OUTER}, [("b.py", 3)]),
        ({"a": HEAD + INNER, "b": "import a\n" + OUTER.replace("lock", "a.lock").replace("inn", "a.inn")},
         [("b.py", 3)]),
        ({"a": HEAD + INNER, "b": "from a import lock as mine, inner\n", "c": "from b import mine, inner\n"
          + OUTER.replace("lock", "mine")}, [("c.py", 3)]),
    ],
)  # fmt: skip
def test_a_lock_of_a_module_is_taken_again(files, places, tmp_path):
    assert found(tmp_path, "self-deadlock", **files) == places


@pytest.mark.parametrize(
    "text",
    [
        HEAD.replace("Lock", "RLock") + OUTER + INNER,
        HEAD + "other = threading.Lock()\n" + OUTER + INNER.replace("lock", "other"),
        HEAD + OUTER.replace("    inner", "pass\n    inner") + INNER,
        HEAD + OUTER + INNER.replace("with lock", "if lock.acquire(blocking=False)"),
        HEAD + OUTER + "def inner():\n    lock.release()\n    lock.acquire()\n",
        HEAD + OUTER + INNER.replace("with", "lock = threading.Lock()\n    with"),
        "import threading\ndef f(n):\n    lock = threading.Lock()\n    with lock:\n        f(n - 1)\n",
        # another object of the same class
        """
        import threading
        class A:
            def __init__(self):
                self.lock = threading.Lock()
            def outer(self, other: "A"):
                with self.lock:
                    other.inner()
            def inner(self):
                with self.lock:
                    pass
        """,
    ],
)
def test_locks_that_are_not_taken_again(text, tmp_path):
    assert found(tmp_path, "self-deadlock", a=text) == []


@pytest.mark.parametrize(
    "test, lines",
    [
        ("if x < 0: return False", [4]),
        ("if check(x): return False", [4]),
        ("while x < 0: return False", [4]),
        ("pass", []),
    ],
)
def test_an_acquire_before_a_test_of_something_else(test, lines, tmp_path):
    text = f"{HEAD}def f(x, check):\n    lock.acquire()\n    {test}\n    lock.release()\n"
    assert [line for _, line in found(tmp_path, "lock-not-released", a=text)] == lines


@pytest.mark.parametrize(
    "test",
    [
        "if not lock.acquire(): return",
        "if x and lock.acquire(): pass",
        "if bool(lock.acquire()) is False: return",
        "got = lock.acquire()\n    if not got: return",
    ],
)
def test_an_acquire_whose_result_is_tested(test, tmp_path):
    text = f"{HEAD}def f(x):\n    {test}\n    if x: return\n    lock.release()\n"
    assert found(tmp_path, "lock-not-released", a=text) == []
