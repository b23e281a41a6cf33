"""Where a path stands in a JSON text."""

from __future__ import annotations

import time

import pytest

from pigro.formats.json_place import locate

TEXT = """{
 "a": {"x": 1, "x]{": [2, "}"], "\\"q": [[], [3, {"deep": null}]]},
 "b" : [ true , "s\\\\" , {"c": "]\\"}"} ],
 "\\u0063ool": "v", "u\u00e9": ["\U0001d11e", 5.5e-3]
}"""


@pytest.mark.parametrize(
    ("path", "line", "column", "width"),
    [
        ("$", 1, 1, 1),
        ("$.a", 2, 7, 1),
        ("$.a.x", 2, 13, 1),
        ("$.b", 3, 8, 1),
        ("$.b[0]", 3, 10, 4),
        ("$.b[1]", 3, 17, 5),
        ("$.b[2]", 3, 25, 1),
        ("$.b[2].c", 3, 31, 6),
        ("$.cool", 4, 15, 3),
        ("$.u\u00e9[1]", 4, 32, 6),
        ("$.b[9]", 3, 8, 1),  # not there: the list
        ("$.b[2].d", 3, 25, 1),  # not there: the object
        ("$.z.y", 1, 1, 1),  # not there: all
        ("$.b[0].x", 3, 10, 4),  # not there: the value
    ],
)
def test_places(path: str, line: int, column: int, width: int):
    place = locate(TEXT, path, source="f")
    assert (place.line, place.column, place.width) == (line, column, width)
    assert place.text == TEXT.split("\n")[line - 1]
    assert (place.source, place.path) == ("f", path)


def test_deep_nesting_is_walked_without_recursion():
    depth = 100_000
    text = '{"x": ' + "[" * depth + "]" * depth + ', "y": 7}'
    place = locate(text, "$.y", source=None)
    assert text[place.column - 1] == "7"


@pytest.mark.parametrize("tail", ["", "]", "}", "]]]", '"open', ", , :", "\x00\xff", "{,}", "[:"])
def test_what_follows_need_not_be_json(tail: str):
    assert locate('{"a": [1, 2' + tail, "$.a[1]", source=None).column == 11
    assert locate('{"a": [1, 2' + tail, "$.z", source=None).column == 1


def test_long_strings_take_linear_time_and_are_underlined_in_part():
    text = '{"long": "' + "\\n" * 2_000_000 + "x" * 2_000_000 + '", "y": "' + "z" * 500 + '"}'
    began = time.process_time()
    place = locate(text, "$.y", source=None)
    assert time.process_time() - began < 30
    assert (text[place.column], place.width) == ("z", 80)
