"""Cases that the game on compositions once got wrong, as random tests told them."""

import pytest

from compositions import Case, ask
from oracle.mu_formula import FALSE, TAU, TRUE, atom, box, dia, no
from oracle.mu_semantics import verdict
from oracle.mu_structures import Structure

IDLE = Structure(({"l": False},), (0,), {}, ())
"""Has no action, and not even tau."""
MOVES = Structure(({}, {}), (0,), {(0, TAU, 1): True}, ())
CASES = {
    "no actions at all, alone": Case((IDLE,), dia(TRUE)),
    "no actions at all, of two": Case((IDLE, Structure(({},), (0,), {}, ())), box(FALSE)),
    "no actions at all, CTL": Case((IDLE,), ("AX", FALSE)),
    "one action, of one part": Case((MOVES, IDLE), dia(no(atom("l")))),
    "one action, of the last part": Case((IDLE, MOVES), box(atom("l"))),
}


@pytest.mark.parametrize("method", ["concrete", "full", "refine", "refine-one"])
@pytest.mark.parametrize("name", CASES)
def test_known_bugs(name, method):
    case = CASES[name]
    assert ask(case, method).holds is verdict(case.parts, case.formula)


def test_many_rounds_of_refinement():
    """In each, twice as many causes are asked for: more than a machine word can count."""
    count = 80
    steps = {(state, "", (state + 1) % count): True for state in range(count)}
    rows = tuple({"p": state == count - 1} for state in range(count))
    ring = Structure(rows, (0,), steps)
    case = Case((ring,), ("AG", ("EF", ("atom", "p"))))
    verdict = ask(case, "refine")
    assert verdict.holds
    assert len(verdict.rounds) > 64
