"""Claims made by hand, true ones and false ones: the judge of mutants knows them apart."""

import pytest

from oracle.notation import machine_from
from support.agreement.ctl import as_model
from support.judges.claims import Claim, Judge

MACHINE = """
main  start  after:p
  box b = sub without other>
  start -> b.go
  b.out -> after
  after -> after
sub  >go  out>  other>:q  stay
  go -> out other stay
  stay -> stay
"""
START, AFTER, BACK = 0, 1, 3  # of main, with the call (b, go) and the return (b, out)
GO, OUT, OTHER, STAY = range(4)  # of sub
MAIN, ALONE, CALLED = (0, ()), (1, ()), (0, (0,))
NONE, BY_OUT, BY_OTHER, BOTH = range(4)

EF_P, EG_NOT_P, EG_Q, UNTIL = "EF p", "EG !p", "EG q", "E [!q U p]"


@pytest.mark.parametrize(
    "formula, claim, is_false",
    [
        (EF_P, Claim("sure", 0, CALLED, BY_OUT, GO), False),
        (EF_P, Claim("sure", 0, CALLED, BY_OTHER, GO), False),
        (EF_P, Claim("sure", 0, CALLED, NONE, GO), True),
        (EF_P, Claim("sure", 0, CALLED, BOTH, STAY), True),
        (EF_P, Claim("sure", 0, CALLED, BY_OUT, OTHER), True),
        (EF_P, Claim("sure", 0, MAIN, NONE, START), False),
        (EF_P, Claim("sure", 0, MAIN, NONE, BACK), False),
        (EF_P, Claim("bound", 0, MAIN, NONE, START), True),
        (EF_P, Claim("bound", 0, CALLED, BOTH, GO), False),
        (EF_P, Claim("bound", 0, CALLED, BY_OUT, GO), True),
        (EF_P, Claim("bound", 0, CALLED, NONE, STAY), False),
        (EF_P, Claim("bound", 0, CALLED, NONE, OUT), True),
        (UNTIL, Claim("bound", 0, CALLED, BY_OUT, GO), False),  # q at the other exit
        (UNTIL, Claim("sure", 0, CALLED, BY_OTHER, GO), True),
        (EF_P, Claim("true", 0, CALLED, 0, 0), False),
        (EF_P, Claim("true", 0, CALLED, 0, 1), True),  # no return node: a dead end
        (EF_P, Claim("false", 0, CALLED, 0, 0), True),
        (EF_P, Claim("false", 0, CALLED, 0, 1), False),
        (EF_P, Claim("true", 0, ALONE, 0, 0), True),  # the exit loops
        (EF_P, Claim("false", 0, ALONE, 0, 0), False),
        (EG_NOT_P, Claim("sure", 0, CALLED, NONE, GO), False),
        (EG_NOT_P, Claim("sure", 0, CALLED, NONE, OTHER), True),  # that is leaving, not staying
        (EG_NOT_P, Claim("sure", 0, CALLED, BY_OTHER, OTHER), False),
        (EG_NOT_P, Claim("bound", 0, CALLED, BY_OTHER, OTHER), False),
        (EG_NOT_P, Claim("bound", 0, CALLED, NONE, OTHER), True),
        (EG_NOT_P, Claim("bound", 0, CALLED, BOTH, GO), True),
        (EG_NOT_P, Claim("sure", 0, MAIN, NONE, BACK), True),
        (EG_NOT_P, Claim("bound", 0, MAIN, NONE, BACK), False),
        (EG_NOT_P, Claim("true", 0, CALLED, 0, 1), False),
        (EG_NOT_P, Claim("true", 0, CALLED, 0, 0), True),
        (EG_NOT_P, Claim("true", 0, ALONE, 0, 0), False),
        (EG_Q, Claim("bound", 0, CALLED, NONE, GO), False),
        (UNTIL, Claim("irrelevant", 0, CALLED, 0, GO), False),
        (UNTIL, Claim("irrelevant", 0, CALLED, 0, OTHER), True),
        (EF_P, Claim("irrelevant", 0, MAIN, 0, AFTER), True),
        (EG_NOT_P, Claim("irrelevant", 0, MAIN, 0, AFTER), True),
        (EF_P, Claim("sure", -2, ALONE, BY_OUT, GO), False),
        (EF_P, Claim("sure", -2, ALONE, NONE, GO), True),
        (EF_P, Claim("bound", -2, ALONE, BY_OUT, GO), True),
        (EF_P, Claim("bound", -2, ALONE, BOTH, GO), False),
        (EF_P, Claim("sure", -1, ALONE, NONE, GO), False),
        (EF_P, Claim("sure", -1, ALONE, NONE, OUT), True),
        (EF_P, Claim("bound", -1, ALONE, BOTH, GO), True),
        (EF_P, Claim("bound", -1, ALONE, BY_OUT, OUT), False),
    ],
)
@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_claims_by_hand(formula, claim, is_false, dead_ends):
    machine = machine_from(MACHINE, dead_ends=dead_ends)
    judge = Judge(machine, as_model(machine), formula)
    assert judge.is_false(claim) is is_false


@pytest.mark.parametrize("dead_ends", ["stutter", "stop"])
def test_next_in_a_dead_end(dead_ends):
    machine = machine_from(MACHINE, dead_ends=dead_ends)
    judge = Judge(machine, as_model(machine), "EX q")
    assert judge.is_false(Claim("true", 0, CALLED, 0, 1)) is (dead_ends == "stop")
    assert judge.is_false(Claim("true", 0, ALONE, 0, 1)) is False  # it loops, also under `stop`
    assert judge.is_false(Claim("true", 0, CALLED, 0, 0)) is True
