"""The script that counts habits of style in the project's prose."""

import importlib.util
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[3] / "tools" / "prose.py"
SPEC = importlib.util.spec_from_file_location("prose", SCRIPT)
prose = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(prose)

PAGE = """# A heading; with a semicolon

You see what is here; read it.

| a table; | here |
```c
int code;
```
Use `a; b` in [a link](other;page.md), for example.
"""
PYTHON = '''"""A docstring; of a module."""
x = "a string; in code"
"""Of a name; below it."""
y = 1  # a comment; at the end
z = 2  # noqa: E702; not prose
'''
CPP = 'int x; // one; comment\n/* and; another */ const char* y = "code;";\n'


@pytest.mark.parametrize(
    ("name", "text", "semicolons"), [("a.md", PAGE, 1), ("a.py", PYTHON, 3), ("a.cpp", CPP, 2)]
)
def test_only_prose_counts(tmp_path, name, text, semicolons):
    path = tmp_path / name
    path.write_text(text)
    assert prose.prose_of(path).count(";") == semicolons


def test_user_pages_are_those_of_the_index():
    found = {str(path.relative_to(prose.ROOT)) for path in prose.user_pages()}
    assert {"README.md", "docs/tutorial.md", "docs/formats/rsm.md", "docs/ci.md"} <= found
    assert not {"docs/semantics.md", "docs/study.md", "CHANGELOG.md"} & found


def test_counts_are_per_thousand_words(tmp_path):
    path = tmp_path / "a.md"
    path.write_text(PAGE)
    words, per = prose.counts([prose.prose_of(path)])
    assert words == 13
    assert (
        per["semicolons"] == per['"you"'] == per['"what is"'] == per['"for example"'] == 1000 / 13
    )
