"""Pushdown systems with changed bytes: a model or an error with a code, and one way of reading."""

from __future__ import annotations

from random import Random

import pytest

from pigro import PigroError
from pigro.diagnostics import render_error
from pigro.formats import pdmu, pds
from pigro.formats.pds import statement
from pigro.formats.pds.comments import without_comments
from pigro.formats.pds.system import PushdownSystem, Rules
from pigro.formats.text import checked

PDS = b"""\
(start <bottom>)
ATOMS run running
ATOMS lib library, busy
ATOMS run <lib> both // a comment
start <bottom> --> run <main bottom>
run <main> --> run <lib back>
run <lib> --> run < >
run <back> --> run <main>  # another
run <back> --> run <a b c d>
run <bottom> --> end <bottom>
"""
PDMU = b"""\
Rules:
start bottom -> run main bottom;
run main -> run lib back;
run lib -> run _;
Propositions:
run main def_x run;
run lib use_x;
Mu Property:
nu X. [@def_x]ff
"""
SIGNS = b"<>()#/*-> \n\r\t,;ATOMSpq\x00\x1c\x85\xc3\xa9\xff_:"


def changed(data: bytes, rng: Random) -> bytes:
    """A few bytes replaced, removed, put in or repeated."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        at = rng.randrange(len(made))
        kind = rng.randrange(4)
        if kind == 0:
            made[at] = rng.choice(SIGNS)
        elif kind == 1:
            del made[at : at + rng.randint(1, 9)]
        elif kind == 2:
            made[at:at] = bytes(rng.choice(SIGNS) for _ in range(rng.randint(1, 5)))
        else:
            other = rng.randrange(len(made))
            made[at:at] = made[other : other + 20]
    return bytes(made)


def the_long_way(data: bytes) -> PushdownSystem:
    """Every line by `statement.py`, none by the native core."""
    system = PushdownSystem()
    for number, line in enumerate(without_comments(checked(data, None), None).split(b"\n"), 1):
        statement.read(statement.StatementPlace(line.decode(), None, number), system)
    return system


def content(system: PushdownSystem) -> object:
    rules = Rules.of(system)
    return [
        {key: sorted(values) for key, values in each.items()}
        for each in (rules.after, rules.labels, rules.head_labels)
    ] + [rules.initial]


@pytest.mark.parametrize("translation", ["auto", "general"])
def test_changed_bytes(translation: str):
    models = 0
    for seed in range(2_000):
        rng = Random(seed)
        for data, read in ((PDS, pds.read), (PDMU, pdmu.read)):
            bad = changed(data, rng)
            try:
                read(bad, source="x", translation=translation)
            except PigroError as error:
                assert error.code in render_error(error)
            else:
                models += 1
    assert models > 400


def test_both_ways_of_reading_a_line_agree():
    read = 0
    for seed in range(3_000):
        data = changed(PDS, Random(seed))
        try:
            system = pds.parse(data)
        except PigroError:
            continue
        assert content(system) == content(the_long_way(data)), seed
        read += 1
    assert read > 300
