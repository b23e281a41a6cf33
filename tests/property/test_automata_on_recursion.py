"""ECTL* on recursive machines: the native engines agree with products of pushdown systems and automata.

`PIGRO_AUTOMATA_CASES` asks more questions, and `make soak LOGIC=automata` many more.
"""

from support.agreement.automata import FORMULAS, automata_disagreements
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_AUTOMATA_CASES", 240)


def test_the_oracle_agrees():
    told = [automata_disagreements(seed) for seed in seeds(CASES // FORMULAS)]
    assert [line for _, lines in told for line in lines] == []
    assert FEW_CASES or sum(left_out for left_out, _ in told) < CASES / 5
