"""A key that is twice in one object of a JSON text is found, wherever and however it is written."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pigro import InputError, _core
from pigro.diagnostics.json_keys import require_distinct_keys


class Twice(Exception):
    pass


def pairs(found):
    if len({key for key, _ in found}) < len(found):
        raise Twice
    return dict(found)


def has_repeats(text: bytes) -> bool:
    """By Python's decoder."""
    try:
        json.loads(text, object_pairs_hook=pairs)
    except Twice:
        return True
    return False


@pytest.mark.parametrize(
    ("text", "at"),
    [
        ('{"a": 1, "a": 2}', 9),
        ('{"a": 1, "\\u0061": 2}', 9),
        ('{"\\u0061": 1, "a": 2}', 14),
        ('{"\\uD83D\\uDE00": 1, "\U0001f600": 2}', 20),
        ('{"\\ud83d": 1, "\\uD83D": 2}', 14),
        ('{"a\\n": 1, "a\\u000a": 2}', 11),
        ('{"a\\/": 1, "a/": 2}', 11),
        ('{"": 1, "": 2}', 8),
        ('[{}, {"b": [{"a": {}, "c": "}", "a": []}]}]', 32),
        ('{"a": {"b": 1}, "c": {"b": 2}, "a": 3}', 31),
        ("{" + ",".join(f'"k{i}": 1' for i in range(100)) + ',"k7": 1, "k9": 2}', None),
        ('{"a": 1, "A": 2, "a ": 3, "\\\\u0061": 4}', -1),
        ('{"a": {"a": [{"a": "a"}, "a", "a"]}, "b": "a"}', -1),
        ('["a", "a", {"a": "\\"a\\": 1"}]', -1),
        ('{"a": 1, "b": {}, "c": [], "d": "x"}', -1),
    ],
)
def test_where_it_is(text, at):
    found = _core.scan_keys(text.encode(), "")[0]
    assert has_repeats(text.encode()) is (found is not None)
    expected = text.rindex('"k7"') if at is None else at
    assert (-1 if found is None else found) == expected


def written(value, rng: random.Random) -> str:
    """JSON with objects as lists of pairs. Keys with or without escapes."""
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{string(k, rng)} : {written(v, rng)}" for k, v in value) + "}"
    if isinstance(value, list):
        return "[" + ",\n".join(written(each, rng) for each in value) + "]"
    return string(value, rng) if isinstance(value, str) else json.dumps(value)


def string(text: str, rng: random.Random) -> str:
    if rng.random() < 0.3:
        units = text.encode("utf-16-be", "surrogatepass")
        return (
            '"'
            + "".join(f"\\u{units[i]:02x}{units[i + 1]:02X}" for i in range(0, len(units), 2))
            + '"'
        )
    return json.dumps(text, ensure_ascii=rng.random() < 0.5 or not text.isprintable())


WORDS = [
    "a",
    "b",
    "a\n",
    "\u00e9",
    "\U0001f600",
    "",
    "key",
    "\\u0061",
    '"',
    "\ud800",
    "{",
    "}]",
    ",:",
]


def drawn(rng: random.Random, depth: int = 0):
    kind = rng.randrange(6)
    if depth > 2 or kind < 2 * depth:
        return rng.choice([None, True, 1.5, *WORDS])
    if kind == 2:
        return [drawn(rng, depth + 1) for _ in range(rng.randrange(4))]
    words = [f"{each}{i}" for each in WORDS for i in range(rng.choice([1, 4, 30]))]
    chosen = rng.sample(words, rng.randrange(min(25, len(words))))
    if rng.random() < 0.1 and chosen:
        chosen.insert(rng.randrange(len(chosen)), rng.choice(chosen))
    return tuple((key, drawn(rng, depth + 1)) for key in chosen)


def test_like_the_decoder_of_python():
    rng = random.Random(5)
    seen = []
    for _ in range(1000):
        text = written(drawn(rng), rng).encode("utf-8", "surrogatepass")
        found = _core.scan_keys(text, "")[0]
        seen.append(has_repeats(text))
        assert (found is not None) is seen[-1], text
        if found is not None:
            assert text[found : found + 1] == b'"'
    assert 100 < sum(seen) < 900


@given(st.binary() | st.text(alphabet='{}[]",:\\u0061 ').map(str.encode))
def test_any_bytes(data):
    found = _core.scan_keys(data, "")[0]
    assert found is None or data[found] == ord('"')


def test_the_error():
    text = '{\n "x": 1,\n "é\\t": {}, "\u00e9\\u0009": 2}'
    for data in (text.encode(), text.encode("utf-16"), text.encode("utf-32-le")):
        with pytest.raises(InputError) as caught:
            require_distinct_keys(data, "f.json")
        error = caught.value
        assert (error.code, error.message) == ("P106", 'the key "é\\t" is twice in one object')
        place = error.position
        assert (place.source, place.line, place.column) == ("f.json", 3, 13)


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ('{"at": 1}', True),
        ('[{"a": {"at": 1}}]', True),
        ('{"\\u0061t": 1}', True),
        ('{"a": "at", "b": ["at"], "cat": "\\"at\\": 1"}', False),
        ("at", False),
        ("", False),
    ],
)
def test_whether_a_key_is_there(text, has):
    assert require_distinct_keys(text.encode(), None, "at") is has
