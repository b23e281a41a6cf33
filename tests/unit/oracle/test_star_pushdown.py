"""The oracle for CTL* on recursive machines: known verdicts, and agreement with the other oracles."""

from random import Random

import pytest

from pigro.logic import parse

from oracle import contexts, star_pushdown, star_tableau
from oracle.generate import random_case
from oracle.notation import machine_from
from oracle.star_formula import E, F, G, X, from_ctl, random_star
from oracle.star_structures import as_machine, random_structure
from support.certificates.star_traps import TRAPS
from support.judges.star_decider import as_oracle
from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_ORACLE_CASES", 400)


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: f"{trap.mistake}: {trap.formula}")
def test_known_verdicts(trap):
    asked = as_oracle(parse(trap.formula))[-1]
    assert star_pushdown.decide(trap.machine, asked) is trap.holds


@pytest.mark.random
def test_flat_structures():
    for seed in seeds(CASES):
        rng = Random(seed)
        structure = random_structure(rng, 5, ("p", "q"))
        asked = random_star(rng, ("p", "q"), rng.randint(1, 6))
        truth = star_tableau.holds(structure, asked)
        assert star_pushdown.decide(as_machine(structure), asked) is truth, seed


@pytest.mark.random
def test_ctl_on_machines():
    for seed in seeds(CASES):
        case = random_case(seed)
        truth = contexts.decide(case.machine, case.formula)
        assert star_pushdown.decide(case.machine, from_ctl(case.formula)) is truth, seed


def test_a_stuck_call_after_a_return():
    """In the reading `rsmcheck` a call of an entry-exit node is a node: also where a callee returns."""
    text = """
    main  >start
      box b = callee
      box c = oneline
      start -> b.in
      b.out -> c.only
    callee  >in  out>
      in -> out
    oneline  >only>:p
    """
    lines = "\n".join(line[4:] for line in text.splitlines())
    machine = machine_from(lines, semantics="rsmcheck", dead_ends="stop")
    p = ("atom", "p")
    assert star_pushdown.decide_many(machine, [F(p), E(F(G(p))), X(X(X(p)))]) == [True, True, True]
