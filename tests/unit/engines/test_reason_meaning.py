"""The sentence of a verdict says what the verdict means, on all small structures."""

from __future__ import annotations

from itertools import chain, islice

import pytest

from pigro.logic import parse
from pigro.verdict.reason import sentence

from oracle.star_structures import all_structures
from oracle.star_tableau import decide
from support.judges.sentences import is_true
from support.judges.star_decider import as_oracle

CTL = [f"{one} {two} p" for one in "AE" for two in "XFG"]
CTL += [f"{one} [p {two} q]" for one in "AE" for two in "UWR"]
PATHS = ["G F p", "F G p", "p U (q U p)", "F p & G q", "(p W q) | F !p", "(F p) R q"]


def small(dead_ends):
    """All of up to two states."""
    return chain(*(all_structures(count, ("p", "q"), dead_ends) for count in (1, 2)))


def structures(dead_ends):
    """And some of three."""
    return chain(small(dead_ends), islice(all_structures(3, ("p", "q"), dead_ends), 0, None, 97))


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
@pytest.mark.parametrize("text", CTL)
def test_a_sentence_is_true_just_where_its_verdict_is_right(text, dead_ends):
    compare(text, structures(dead_ends))


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
@pytest.mark.parametrize("text", [f"{one} [{path}]" for one in "AE" for path in PATHS])
def test_sentences_beyond_ctl(text, dead_ends):
    compare(text, small(dead_ends))


@pytest.mark.parametrize("text", ["E [X X p]", "A [p U X q]", "E [G (p -> X q)]"])
def test_sentences_with_next(text):
    compare(text, small("stutter"))


def compare(text, structures):
    formula, negation = parse(text), parse(f"!({text})")
    yes, no = sentence(formula, holds=True), sentence(formula, holds=False)
    assert sentence(negation, holds=False) == yes
    assert sentence(negation, holds=True) == no
    for structure in structures:
        holds = 0 in decide(structure, as_oracle(formula)[-1])
        assert is_true(yes, structure) is holds, (yes, structure)
        assert is_true(no, structure) is not holds, (no, structure)
