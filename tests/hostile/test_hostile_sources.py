"""Source files that are not written by hand: each is read, or reported. None ends the scan."""

import pytest

from pigro.diagnostics import InputError
from pigro.rules import built_in
from pigro.scan.scanning import scan_paths
from pigro.sources.files import source_files
from pigro.sources.python.reading import read_module

TEXTS = {
    "long sum": "x = " + " + ".join(["y"] * 3000),
    "long chain": "x = a" + ".b" * 2000,
    "nested calls": "x = " + "f(" * 90 + ")" * 90,
    "unary": "x = " + "not " * 2500 + "y",
    "many branches": "if a: pass\n" + "elif b: pass\n" * 1000,
    "nested functions": "".join("  " * depth + f"def f{depth}():\n" for depth in range(90))
    + "  " * 90
    + "pass",
    "many functions": "".join(
        f"def f{number}():\n    x = open({number})\n" for number in range(500)
    ),
    "many lines": "x = f()\n" * 20_000,
    "nested finally": "".join(
        "  " * depth + "try:\n" + "  " * (depth + 1) + "f()\n" + "  " * depth + "finally:\n"
        for depth in range(40)
    )
    + "  " * 40
    + "g()",
    "null byte": "x = 1\0",
    "newer syntax": "type X = int\nx = t'{y}'\n",
    "empty": "",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_is_read_or_told(name, tmp_path):
    path = tmp_path / "app.py"
    path.write_text(TEXTS[name], encoding="utf-8")
    report = scan_paths([str(path)], built_in().values())
    assert len(report.errors) + report.statistics.files == 1


def test_bytes_that_are_no_text():
    with pytest.raises(InputError) as error:
        read_module(b"\xff\xfe\x00x = 1", "app.py", "app", is_package=False)
    assert error.value.code in {"P150", "P151"}


def test_loops_of_links_end(tmp_path):
    (tmp_path / "app.py").write_text("x = 1\n", encoding="utf-8")
    (tmp_path / "again").symlink_to(tmp_path)
    (tmp_path / "dangling.py").symlink_to(tmp_path / "nothing.py")
    assert [each.module for each in source_files([str(tmp_path)])] == ["app"]


def test_classes_that_inherit_from_each_other(tmp_path):
    text = "class A(B):\n    def f(self):\n        self.f()\nclass B(A):\n    def g(self):\n        super().g()\n"
    text += "from app import *\nimport app\nx = y\ny = x\nx.f()\n"
    (tmp_path / "app.py").write_text(text, encoding="utf-8")
    assert scan_paths([str(tmp_path)], built_in().values()).errors == []
