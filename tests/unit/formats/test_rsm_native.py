"""The native reader of `.rsm` files against the one in Python, which explains what is wrong.

Whatever the native one takes, the other one takes too, and makes the same arrays and names of it.
Whatever it does not take is read in Python, so errors are the same. PIGRO_DAMAGED=100000 tries more.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from pigro import PigroError, _core
from pigro.formats import rsm_json
from pigro.generate import ModelShape, random_model
from pigro.model import Semantics
from pigro.model.rsm import core_semantics

from support.selection.cases import number_of_cases

pytestmark = pytest.mark.filterwarnings("ignore::pigro.formats.rsm_keys.UnknownKeyWarning")

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"

DAMAGED = number_of_cases("PIGRO_DAMAGED", 3000)
STANDARD = core_semantics(Semantics.STANDARD)
WORDS = (
    b'"', b"\\", b"{", b"}", b"[", b"]", b",", b":", b"null", b"true", b"-0", b"01", b"1.5", b"1e9", b"\x00", b"\x1f",
    b"\\u0061", b"\\ud83d", b"\\n", b'"name":"main",', b'"at":[1],', b'"x":{"x":1,"x":2},', b"\n", b"\xc3\xa9", b" ",
    b'{"type":"node","name":"start"},', b'"is_exit":true,', b'"is_exit":1,', b'"node_name":"in",', b'"type":"box_node",',
)  # fmt: skip


def seen(model):
    """All that a reader makes."""
    arrays = model.core.arrays()
    return (
        arrays,
        [tuple(each) for each in (model.names.components, model.names.nodes, model.names.boxes)],
        list(model.label_ids.items()),
        model.initial,
        str(model.semantics),
        str(model.dead_ends),
        model.digest,
    )


def in_python(data, monkeypatch, **reading):
    with monkeypatch.context() as patch:
        patch.setattr(_core, "read_rsm", lambda *_: None)
        return told(data, **reading)


def told(data, **reading):
    """What comes out: the model, or the error as a user sees it."""
    try:
        return seen(rsm_json.read(data, source="m.rsm", **reading))
    except PigroError as error:
        return error.code, str(error), error.position, error.hint


def is_native(data):
    return _core.read_rsm(data, STANDARD) is not None


def bare(value):
    return json.dumps(value).encode()


def with_odd_keys(model):
    """As other tools write it: keys that do not matter, in another order."""
    changed = {"comment": ["é", {"a": [1, -2.5, None, True]}], **model}
    changed["components"] = [
        {"transitions": [], "formulas": {}} | dict(reversed(each.items()))
        for each in model["components"]
    ]
    return changed


def samples():
    """Small files that the native reader takes."""
    shape = ModelShape(components=3, nodes=6, boxes=2)
    made = [rsm_json.write(random_model(shape, seed)) for seed in range(4)]
    for path in sorted(EXAMPLES.glob("*.rsm")):
        data = path.read_bytes()
        if len(data) < 6000 and b'"at"' not in data:
            made += [data, bare(with_odd_keys(json.loads(data)))]
    return made


SAMPLES = samples()


@pytest.mark.parametrize("data", SAMPLES)
def test_whole_files(data, monkeypatch):
    assert is_native(data)
    for semantics in ("standard", "rsmcheck", "rmv"):
        assert told(data, semantics=semantics) == in_python(data, monkeypatch, semantics=semantics)
    for dead_ends in ("stutter", "stop", "error"):
        assert told(data, dead_ends=dead_ends) == in_python(data, monkeypatch, dead_ends=dead_ends)


def damaged(rng):
    data = bytearray(rng.choice(SAMPLES))
    for _ in range(rng.choice((1, 1, 1, 2, 4))):
        at = rng.randrange(len(data))
        to = min(len(data), at + rng.choice((0, 0, 1, 1, 3, 20, 100)))
        with_what = rng.choice(
            (b"", rng.choice(WORDS), rng.choice(WORDS), bytes([rng.randrange(256)]))
        )
        if rng.random() < 0.2:  # a piece of the file itself
            begin = rng.randrange(len(data))
            with_what = bytes(data[begin : begin + rng.randrange(60)])
        data[at:to] = with_what
    return bytes(data)


def changed(rng):
    """Valid JSON, but some value is another one, or gone, or there twice."""
    model = json.loads(rng.choice(SAMPLES))
    for _ in range(rng.choice((1, 1, 2))):
        at = model
        while True:
            keys = list(at) if isinstance(at, dict) else list(range(len(at)))
            if not keys:
                break
            key = rng.choice(keys)
            inner = at[key]
            if isinstance(inner, (dict, list)) and inner and rng.random() < 0.9:
                at = inner
                continue
            _change(at, key, rng)
            break
    return bare(model)


def _change(at, key, rng):
    other = rng.choice(
        (None, True, 3, "", "in", "out", "start", "main", "sub", [], {}, ["in"], ["in", "in"])
    )
    kind = rng.randrange(4)
    if kind == 0:
        at[key] = other
    elif kind == 1:
        del at[key]
    elif isinstance(at, list):
        at.insert(rng.randrange(len(at) + 1), at[key] if kind == 2 else other)
    else:
        at[
            rng.choice(
                ("name", "node", "type", "box_name", "labels", "odd", "at", "is_entry", "file")
            )
        ] = other


@pytest.mark.random
@pytest.mark.parametrize("damage", [damaged, changed])
def test_damaged_files(damage, monkeypatch):
    rng = random.Random(11)
    native = 0
    for _ in range(DAMAGED):
        data = damage(rng)
        if data.isascii() and is_native(data):
            native += 1
            assert told(data) == in_python(data, monkeypatch), data
    assert native > DAMAGED // 100  # otherwise there was nothing to compare
