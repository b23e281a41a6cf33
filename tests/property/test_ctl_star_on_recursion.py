"""CTL* on recursive machines: the native engines agree with the oracle, with `onthefly` and on CTL.

20,000 random questions, half of them on rings of calls. `PIGRO_STAR_RECURSION_CASES` asks more.
"""

from random import Random

import pytest

from pigro import _core
from pigro.engines import ENGINES
from pigro.engines.native import NativeEngine
from pigro.logic import parse

from oracle import contexts
from oracle.formula import to_text as ctl_text
from oracle.generate import random_case
from oracle.star_formula import random_star, to_text
from oracle.star_structures import random_structure
from support.agreement.ctl import as_kripke, as_model
from support.agreement.star import FORMULAS, STAR_ENGINES, star_disagreements
from support.certificates.star_traps import TRAPS
from support.selection.cases import number_of_cases, seeds

CASES = number_of_cases("PIGRO_STAR_RECURSION_CASES", 20_000)
CHUNKS = 20

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


@pytest.mark.parametrize("trap", TRAPS, ids=lambda trap: f"{trap.mistake}: {trap.formula}")
def test_machines_that_catch_a_mistake(trap):
    model, asked = as_model(trap.machine), parse(trap.formula)
    told = {name: engine(model, asked).holds for name, engine in STAR_ENGINES.items()}
    assert told == dict.fromkeys(STAR_ENGINES, trap.holds)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_the_oracle_agrees(chunk):
    wrong = []
    for seed in seeds(CASES // FORMULAS, chunk, CHUNKS):
        wrong += star_disagreements(seed)
    assert wrong == []


def test_onthefly_agrees_on_structures():
    wrong = []
    for seed in seeds(number_of_cases("PIGRO_STAR_RECURSION_CASES", 1000)):
        rng = Random(seed)
        model = as_kripke(random_structure(rng, 7, ("p", "q", "r")))
        asked = [
            parse(to_text(random_star(rng, ("p", "q", "r"), rng.randint(1, 8)))) for _ in "123"
        ]
        expected = [verdict.holds for verdict in ENGINES["onthefly"].check_all(model, asked)]
        for name, engine in STAR_ENGINES.items():
            found = [verdict.holds for verdict in engine.check_all(model, asked)]
            wrong += [(seed, name, found, expected)] if found != expected else []
    assert wrong == []


def test_ctl_by_path_levels():
    """Formulas of CTL give the same verdicts when each quantifier is a path level."""
    paths = NativeEngine("demand", _core.Engine.DEMAND, only_paths=True)
    for seed in seeds(number_of_cases("PIGRO_STAR_RECURSION_CASES", 1500)):
        case = random_case(seed)
        truth = contexts.decide(case.machine, case.formula)
        asked = parse(ctl_text(case.formula))
        assert paths(as_model(case.machine), asked).holds is truth, seed
