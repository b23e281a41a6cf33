"""Bytes that are no model, or hardly one: an error with a code or a verdict, never anything else."""

from __future__ import annotations

import json
import random
import re
import warnings

import pytest

from pigro import PigroError, check, kripke, load
from pigro.diagnostics import render_error
from pigro.engines.likely_mistakes import UnknownLabelWarning
from pigro.formats import rsm_json
from pigro.formats.rsm_keys import UnknownKeyWarning

SMALL = json.dumps(
    {
        "initial_component": "m",
        "initial_node": ["a"],
        "components": [
            {
                "name": "m",
                "nodes": [
                    {"name": "a", "is_entry": True, "is_exit": False, "labels": ["p", "\u00e9"]},
                    {"name": "z", "is_exit": True},
                ],
                "boxes": [
                    {"name": "b", "component": "m", "call_nodes": ["a"], "return_nodes": ["z"]}
                ],
                "transitions": [
                    {
                        "source": {"type": "node", "name": "a"},
                        "targets": [
                            {"type": "box_node", "box_name": "b", "node_name": "a"},
                            {"type": "node", "name": "z"},
                        ],
                    },
                    {
                        "source": {"type": "box_node", "box_name": "b", "node_name": "z"},
                        "targets": [{"type": "node", "node": "z"}],
                    },
                ],
            }
        ],
        "formulas": {"deep": [[[1.5e3, -0, None, True]]]},
    },
    ensure_ascii=False,
).encode()


def outcome(data: bytes, source: str = "hostile.rsm") -> str:
    """The code of the error, or the verdict. All else escapes and fails the test."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnknownKeyWarning)
            warnings.simplefilter("ignore", UnknownLabelWarning)
            model = rsm_json.read(data, source=source)
            return check(model, "AG (p -> EF !p)").outcome
    except PigroError as error:
        assert_readable(error)
        return error.code


def assert_readable(error: PigroError) -> None:
    """One line of message, and nothing a terminal would act on."""
    assert re.fullmatch(r"P\d{3}", error.code)
    assert str(error).isprintable(), ascii(str(error))
    assert len(str(error)) < 2000
    shown = render_error(error)
    assert all(line.isprintable() for line in shown.split("\n")), ascii(shown)
    assert shown.count("\n") <= 4
    assert error.__cause__ is None
    assert error.__suppress_context__ or error.__context__ is None


def test_the_small_model_itself():
    assert outcome(SMALL) == "holds"


def test_truncated_at_every_byte():
    codes = {outcome(SMALL[:length]) for length in range(len(SMALL))}
    assert codes == {"P101", "P102"}


def test_every_byte_left_out():
    codes = {outcome(SMALL[:at] + SMALL[at + 1 :]) for at in range(len(SMALL))}
    assert "P101" in codes


@pytest.mark.parametrize("start", range(0, 5000, 500))
def test_random_changes_of_bytes(start: int):
    for seed in range(start, start + 500):
        rng = random.Random(seed)
        data = bytearray(SMALL)
        for _ in range(rng.choice((1, 1, 2, 5, 20))):
            at = rng.randrange(len(data))
            kind = rng.randrange(4)
            if kind == 0:
                data[at] ^= 1 << rng.randrange(8)
            elif kind == 1:
                data[at] = rng.randrange(256)
            elif kind == 2:
                del data[at : at + rng.randrange(1, 9)]
            else:
                data[at:at] = rng.choice(WORDS)
        assert outcome(bytes(data)), seed


WORDS = (
    b'"', b"{", b"}", b"[", b"]", b",", b":", b"\\", b"\\u", b"\\ud800", b"\\u0000", b"null",
    b"true", b"-", b"1e999", b"9" * 400, b"\xff", b"\xed\xa0\x80", b"\x00", b"\n", b"\xe2\x80\xa8",
    b'"name":', b'"type":"x\\u001b"', b"[[[[[[[[", b'"node"', b'{"type":"node"},',
)  # fmt: skip


def test_random_changes_of_values():
    """Wrong types at every depth: each value of the model replaced by each of these."""
    odd = [None, True, 0, -1, 1e308, 10**400, "", "a", "\x00", [], {}, [[]], [None], {"name": 1}]
    codes = set()
    paths = list(walk(json.loads(SMALL)))
    assert len(paths) > 40
    for path in paths:
        for value in odd:
            model = json.loads(SMALL)
            at = model
            for part in path[:-1]:
                at = at[part]
            at[path[-1]] = value
            codes.add(outcome(json.dumps(model).encode()))
    assert codes >= {"P103", "P201", "P202", "P203", "P204", "P207", "P208", "P210", "holds"}


def walk(value: object, path: tuple = ()):
    pairs = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in pairs:
        yield (*path, key)
        if isinstance(inner, (dict, list)):
            yield from walk(inner, (*path, key))


DEEP = 100_000


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"[" * DEEP, "P103"),
        (b'{"components":' * DEEP, "P103"),
        (b'{"x":' * DEEP, "P104"),
        (b'{"x":' + b"[" * DEEP + b"]" * DEEP + b"}", "P104"),
        (b'{"x":' + b"[" * DEEP, "P104"),
        (SMALL[:-1] + b',"x":' + b'[{"y":' * DEEP, "P104"),
        (
            SMALL.replace(b'"is_exit"', b'"x": ' + b"[" * DEEP + b"]" * DEEP + b', "is_exit"'),
            "P104",
        ),
        (b'{"initial_component": 5, "x":' + b"[" * DEEP, "P103"),
        (b'{"initial_node": ' + b"[" * DEEP, "P103"),
        (SMALL[:-1] + b',"x":' + b"[" * 200 + b"]" * 200 + b"}", "holds"),
    ],
)
def test_deep_nesting(data: bytes, code: str):
    assert outcome(data) == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ('"\\ud800"', "P101"),
        ('"\\ud800\\u0041"', "P101"),
        ('"\\udc00\\ud800"', "P101"),
        ('"\\uD83D\\uDE00"', "holds"),
        ('"\\u0000"', "holds"),
        ('"\\u001b]0;title\\u0007"', "holds"),
        ('"\\u202e\\u2066"', "holds"),
        ('"<script>alert(1)</script>"', "holds"),
        ('"' + "x" * 1_000_000 + '"', "holds"),
        ("1" * 5000, "P103"),
        ("1e400", "P103"),
        ("-" + "9" * 100, "P103"),
        ("NaN", "P101"),
        ("Infinity", "P101"),
        ('"a" "b"', "P101"),
        ("'a'", "P101"),
        ("undefined", "P101"),
    ],
)
def test_odd_values_as_a_name(text: str, code: str):
    data = SMALL.replace(b'"a"', text.encode())
    assert outcome(data) == code


HOSTILE_NAMES = [
    "\n",
    "\r\nerror[P999]: all is well",
    "\x00",
    "\x1b[2J\x1b[31m",
    "\x9b31m",
    "\u202eevil\u2066",
    "\u2028\u2029\x85",
    "\ufeff",
    "<img src=x onerror=alert(1)>",
    "%s%n{0}{error}",
    "`$.x` - at `$.y`",
    "x" * 100_000,
    "\x1b" * 100_000,
    "\u0301" * 500,
]


@pytest.mark.parametrize("name", HOSTILE_NAMES)
@pytest.mark.parametrize(
    ("place", "code"),
    [
        ("initial_component", "P202"),
        ("initial_node", "P203"),
        ("box component", "P202"),
        ("call node", "P203"),
        ("source", "P203"),
        ("target box", "P204"),
        ("target node", "P207"),
        ("type", "P103"),
        ("duplicate", "P201"),
        ("file", "P202"),
    ],
)
def test_hostile_names_in_errors(name: str, place: str, code: str):
    model = json.loads(SMALL)
    (main,) = model["components"]
    source = "hostile.rsm"
    if place in ("initial_component", "file"):
        model["initial_component"] = name
        source = name if place == "file" else source
    elif place == "initial_node":
        model["initial_node"] = name
    elif place == "box component":
        main["boxes"][0]["component"] = name
    elif place == "call node":
        main["boxes"][0]["call_nodes"] = [name]
    elif place == "source":
        main["transitions"][0]["source"]["name"] = name
    elif place == "target box":
        main["transitions"][0]["targets"][0]["box_name"] = name
    elif place == "target node":
        main["transitions"][0]["targets"][0]["node_name"] = name
    elif place == "type":
        main["transitions"][0]["source"]["type"] = name
    else:
        main["nodes"] += [{"name": name}, {"name": name}]
    for ascii_only in (True, False):
        data = json.dumps(model, ensure_ascii=ascii_only).encode()
        assert outcome(data, source) == code


@pytest.mark.parametrize("name", HOSTILE_NAMES)
def test_hostile_names_in_models(name: str):
    data = SMALL.decode().replace('"a"', json.dumps(name)).replace('"p"', json.dumps(name)).encode()
    model = rsm_json.read(data)
    assert model.names.nodes[0] == name
    quoted = name.replace("\\", "\\\\").replace('"', '\\"')
    assert check(model, f'AF !"{quoted}"').holds in (True, False)
    with pytest.raises(PigroError) as caught:
        kripke({name: []}, labels={}, initial=name, dead_ends="error")
    assert caught.value.code == "P211"
    assert_readable(caught.value)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00",
        b"\xef\xbb\xbf",
        b"\xff" * 1000,
        b" " * 10_000_000,
        b"\n" * 1_000_000,
        b'"',
        b"{",
    ],
)
def test_files_without_content(content: bytes, tmp_path):
    for name in ("empty.rsm", "empty.txt"):
        file = tmp_path / name
        file.write_bytes(content)
        with pytest.raises(PigroError) as caught:
            load(file)
        assert_readable(caught.value)
        assert caught.value.code in ("P101", "P102", "P105")


def test_no_file_at_all(tmp_path):
    for path in (tmp_path, tmp_path / "missing.rsm", f"{tmp_path}/a\0b", f"{tmp_path}/\x1b[2J\n"):
        with pytest.raises(PigroError) as caught:
            load(path)
        assert caught.value.code == "P001"
        assert_readable(caught.value)
