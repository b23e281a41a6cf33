"""Evidence of CTL* on recursive models: runs on which stacks stay low, and none where they must grow."""

from pathlib import Path

import pytest

import pigro

CHOICES = Path(__file__).resolve().parents[3] / "examples" / "choices.rsm"


@pytest.mark.parametrize("timeout", [None, 60])
def test_runs_with_low_stacks_are_shown(timeout):
    verdict = pigro.check(pigro.load(CHOICES), "E [F G black]", witness=True, timeout=timeout)
    assert (verdict.holds, verdict.engine, verdict.depth) == (True, "demand", 1)
    assert verdict.evidence is not None


def test_stacks_that_must_grow_are_not_shown():
    model = pigro.load(CHOICES)
    verdict = pigro.check(model, "A [G F (white | black)]", witness=True)
    assert verdict.holds is False
    assert verdict.evidence is None


def test_path_formulas_have_no_certificate():
    model = pigro.load(CHOICES)
    with pytest.raises(pigro.CheckError, match="P401"):
        pigro.check(model, "A [G F (white | black)]", certify=True)
