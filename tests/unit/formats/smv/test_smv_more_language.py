"""Parts of NuSMV's language that few files use. NuSMV 2.5.4 gives the same verdicts."""

import pytest

import pigro
from pigro.formats import smv

HEAD = """MODULE cell(p)
VAR v : boolean; kind : {one, two}; ASSIGN kind := one; init(v) := FALSE; next(v) := !v;
MODULE main
VAR x : 0..5; c : cell(x); a.b : boolean; a.c : {k.one, k.two}; two : cell(x);
MDEFINE arr := [1, 2, 3];
DEFINE q.r := a.b;
ASSIGN init(x) := 0; next(x) := x < 5 ? x + 1 : 5;
  init(a.b) := TRUE; next(a.b) := a.b; a.c := k.one;
"""


def holds(text):
    document = smv.SmvDocument(text.encode())
    model = document.model()
    asked = [each.formula for each in document.requirements(model)]
    return [each.holds for each in pigro.check_all(model, asked)]


@pytest.mark.parametrize(
    ("spec", "expected"),
    [
        ("SPEC EBF 1..3 x = 3", True),
        ("SPEC EBF 1..2 x = 3", False),
        ("SPEC ABF 3..3 x = 3", True),
        ("SPEC ABG 0..2 x < 3", True),
        ("SPEC ABG 0..3 x < 3", False),
        ("SPEC EBG 1..2 x > 0", True),
        ("SPEC A [x < 3 BU 2..3 x = 3]", True),
        ("SPEC A [x < 3 BU 0..2 x = 3]", False),
        ("SPEC E [x < 2 BU 0..3 x = 3]", False),
        ("SPEC E [x < 3 & x >= 0 BU 0..3 x = 3 | x = 4]", True),
        ("SPEC A [x = 0 U EBF 1..2 x = 2]", True),
        ("SPEC EBF 2..2 A [x < 5 U x = 5]", True),
        ("SPEC !EBF 0..2 x = 3 & EX ABG 0..1 x > 0", True),
        ("LTLSPEC F [3, 3] x = 3", True),
        ("LTLSPEC F [0, 2] x = 3", False),
        ("LTLSPEC G [0, 2] F [0, 3] x = 3", True),
        ("LTLSPEC G (x = 3 -> O [3, 3] x = 0 & !O [0, 2] x = 0)", True),
        ("LTLSPEC G (x = 3 -> O [0, 2] x = 0)", False),
        ("LTLSPEC G (x = 3 -> H [0, 3] x < 4)", True),
        ("LTLSPEC G (x = 4 -> H [1, 30] x < 4)", True),
        ("LTLSPEC G (x = 4 -> H [0, 30] x < 4)", False),
        ("LTLSPEC H [0, 5] x = 0", True),
        ("LTLSPEC O [1, 5] x = 0", False),
        ("SPEC AG (v -> AX !v) IN c", True),
        ("INVARSPEC next(x) >= x", True),
        ("INVARSPEC next(x) > x", False),
        ("INVARSPEC a.b & q.r & a.c = k.one & c.kind != two", True),
        ("INVARSPEC arr[1] = 2", True),
    ],
)
def test_verdicts(spec, expected):
    assert holds(HEAD + spec) == [expected]


def test_a_word_may_be_written_with_a_capital():
    assert holds("MODULE main VAR w : Word[2]; SPEC AG w <= 0ud2_3") == [True]
