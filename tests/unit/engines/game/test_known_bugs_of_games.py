"""Cases that the game on compositions once got wrong, as random tests told them."""

import pytest

from pigro import Composition, PartBuilder, compose_check

from oracle.mu_formula import FALSE, TAU, TRUE, atom, box, dia, no
from oracle.mu_semantics import verdict
from oracle.mu_structures import Structure
from support.agreement.compositions import Case, ask

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
    assert len(verdict.details.rounds) > 64


UNFINISHED = ["concrete", "full", "symbolic"]
"""The methods for parts with unknown labels."""


def unfinished(**finished):
    """A step leads to z with w; r is unknown in z, and true in w."""
    left = PartBuilder("a", labels=["r", "o"]).state("x", initial=True).step("x", "z")
    left.state("z", "o", *(["r"] if finished.get("r") else []), unknown=[] if finished else ["r"])
    right = PartBuilder("b", labels=["r"]).state("y", initial=True).state("w", "r").step("y", "w")
    return Composition([left.build(), right.build()])


@pytest.mark.parametrize("method", UNFINISHED)
@pytest.mark.parametrize(
    "formula, known", [("<> o", True), ("<> true", True), ("[] false", False), ("[] !o", False)]
)
def test_a_composed_state_that_depends_on_an_unknown_joint_label(method, formula, known):
    """It was left out, as if the label were false."""
    if method == "symbolic":
        pytest.importorskip("dd")
    assert compose_check(unfinished(), formula, method=method).holds is None
    assert compose_check(unfinished(r=True), formula, method=method).holds is known
    assert compose_check(unfinished(r=False), formula, method=method).holds is not known


@pytest.mark.parametrize("method", UNFINISHED)
@pytest.mark.parametrize("formula", ["[] o", "[] r", "[] [] false", "!o"])
def test_what_does_not_depend_on_an_unknown_joint_label(method, formula):
    """In the composed state, if it exists, the label is as the other part knows it."""
    if method == "symbolic":
        pytest.importorskip("dd")
    assert compose_check(unfinished(), formula, method=method).holds is True
