"""Formulas with 100,000 operators, and texts made to be slow. Bounds are generous."""

from __future__ import annotations

import time

import pytest

from pigro.diagnostics import FormulaError
from pigro.logic import existential_normal_form, parse

N = 100_000
LARGE = {
    "conjunction": " & ".join(f"p{i}" for i in range(N)),
    "disjunction of few": " | ".join(f"p{i % 5}" for i in range(N)),
    "parentheses": "(" * N + "p" + ")" * N,
    "negations": "!" * N + "p",
    "words": "not " * N + "p",
    "implications": " -> ".join(f"p{i % 7}" for i in range(N)),
    "nested on the right": "".join(f"(p{i % 7} -> " for i in range(N)) + "q" + ")" * N,
    "nested on the left": "(" * N + "q" + "".join(f" & p{i % 7})" for i in range(N)),
    "xor": " xor ".join(f"p{i % 9}" for i in range(N)),
    "iff": " <-> ".join(f"p{i % 9}" for i in range(N)),
    "temporal": " & ".join(f"EF p{i}" for i in range(N // 2)),
}
QUICK = {"parentheses", "negations", "disjunction of few"}


@pytest.mark.parametrize(
    "name",
    [each if each in QUICK else pytest.param(each, marks=pytest.mark.long) for each in LARGE],
)
def test_large_formulas(name: str) -> None:
    started = time.process_time()
    formula = parse(LARGE[name])
    text = str(formula)
    again = parse(text)
    assert again == formula
    assert hash(again) == hash(formula)
    assert len(existential_normal_form(formula)) <= 6 * N
    assert repr(formula)
    assert time.process_time() - started < 60


HOSTILE = [
    "(" * N,
    "(" * N + ")" * N,
    "p" + ")" * N,
    "! " * N,
    "p & " * N,
    '"' + '\\"' * N,
    "\\" * N,
    "a" + "." * N,
    "a." * N,
    '"' * (2 * N + 1),
    "[" * N,
    "E [" * 200 + "(" * N,
    "A " * N + "p",
    "X" * N + " p",
    "p U " * N + "q",
    "\x00" * N,
    "<" * N,
    "-" * N,
]


@pytest.mark.parametrize("text", HOSTILE, ids=[f"{text[:6]!r}" for text in HOSTILE])
def test_hostile_texts_fail_fast(text: str) -> None:
    started = time.process_time()
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert len(str(caught.value)) < 300
    assert time.process_time() - started < 60


def test_many_small_formulas() -> None:
    """The size of the largest published file of use-def formulas."""
    names = [
        f"r{i}__in___org_apache_fop_layoutmgr_LayoutManagerMapping__run_V_" for i in range(1595)
    ]
    texts = [f"A G ( ( def__{n} | both__{n} ) --> E F ( use__{n} | both__{n} ) )" for n in names]
    started = time.process_time()
    formulas = [parse(text) for text in texts]
    assert time.process_time() - started < 6
    assert all(len(formula) == 10 for formula in formulas)
