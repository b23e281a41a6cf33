"""The table of operators that the native core exports, and what comes of constants."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from pigro import _core
from pigro.formats import smv
from pigro.formats.smv.syntax.nodes import OPERATORS, N


def test_numbers_are_places_in_the_table():
    for number, each in enumerate(OPERATORS):
        assert getattr(N, each.name) == number


def test_an_operator_that_is_written_has_one_sign_for_each_form():
    signs = [(each.form, each.sign) for each in OPERATORS if each.sign]
    assert len(signs) == len(set(signs))
    assert all(
        bool(each.level) == (each.form in ("infix", "prefix", "modal")) for each in OPERATORS
    )


@pytest.mark.parametrize("number", [each for each, row in enumerate(OPERATORS) if row.is_folded])
def test_constants_have_the_value_that_the_machine_computes(number):
    row = OPERATORS[number]
    count = 1 if row.form == "prefix" or row.sign == "abs" else 2
    for left in (-7, -1, 0, 3):
        for right in (-2, 0, 2, 5):
            values = [left, right][:count]
            machine = _core.Machine(0, False, _core.WideWords())
            args = [machine.add(_core.SmvTerm.CONSTANT, [], each, -1) for each in values]
            made = machine.add(row.plain, args, 0, -1)
            try:
                expected = machine.constant(made)
            except _core.MachineFault:
                expected = None
            assert _core.smv_folded(number, values, 1 << 62) == expected


def test_constants_beyond_the_limit_have_no_value():
    assert _core.smv_folded(N.MUL, [1 << 40, 1 << 40], 1 << 62) is None
    assert _core.smv_folded(N.ADD, [5, 5, -5], 10) is None
    assert _core.smv_folded(N.ADD, [4, 5, -5], 10) == 4


def test_the_absolute_value_of_a_constant_is_a_constant():
    text = "MODULE main\nDEFINE f := [4, 5];\nVAR x : 0..9;\nASSIGN next(x) := f[abs(-1)];\nSPEC AG x = 5"
    assert smv.SmvDocument(text.encode()).faults == []
    assert smv.read(text.encode()) is not None


CALLED = """MODULE main
CONSTANTS a, b, c, d, e;
VAR x : boolean;
CALL sub := x;
MODULE sub
VAR s : {a, b, c, d, e};
"""


def test_states_come_in_one_order_whatever_hashes_are():
    program = (
        "from pigro.formats import smv; import sys;"
        "print(list(smv.read(sys.argv[1].encode()).names.nodes))"
    )
    found = {
        subprocess.run(
            [sys.executable, "-c", program, CALLED],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in "123"
    }
    assert len(found) == 1
