"""Engine `onthefly` agrees with the oracle for CTL*, and on CTL with `demand`, on random cases.

3,000 random formulas of CTL*, each asked of a model and of a system that is explored as it is
needed. `PIGRO_STAR_RANDOM_CASES` asks more. 20,000 of CTL, on structures and on machines with calls
but without recursion. `PIGRO_STAR_CTL_CASES` asks more.
"""

from random import Random

import pytest

import pigro
from pigro.engines import ENGINES, misfit_reason
from pigro.logic import parse

from oracle import formula, star_formula
from oracle.bounded import cut
from oracle.generate import PROFILES, random_formula, random_machine
from oracle.star_formula import random_star
from oracle.star_structures import random_structure
from oracle.star_tableau import holds
from support.agreement.ctl import as_kripke, as_model
from support.selection.cases import START, covers, number_of_cases, seeds

CASES = number_of_cases("PIGRO_STAR_RANDOM_CASES", 3000)
CTL_CASES = number_of_cases("PIGRO_STAR_CTL_CASES", 20_000)
CHUNKS = 10
FORMULAS = 4
"""Random formulas of CTL for each random model."""
LABELS = ("p", "q", "r")

pytestmark = pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")


class System:
    """A structure that tells successors and labels only when asked."""

    def __init__(self, structure, *, silent):
        """If `silent`, how to read dead ends is left out, which means that they stutter."""
        self.structure = structure
        self.initial = structure.names[0]
        if not silent:
            self.dead_ends = structure.dead_ends

    def successors(self, state):
        row = self.structure.successors[int(state[1:])]
        return [self.structure.names[target] for target in row]

    def labels(self, state):
        return self.structure.labels[int(state[1:])]


def star_case(seed):
    """A random structure, a random formula, and whether it holds."""
    rng = Random(seed)
    structure = random_structure(rng, 7, LABELS)
    asked = random_star(rng, LABELS, rng.randint(1, 8))
    return structure, star_formula.to_text(asked), holds(structure, asked)


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_models_agree_with_the_oracle(chunk):
    wrong = []
    truths = set()
    for seed in seeds(CASES, chunk, CHUNKS):
        structure, text, truth = star_case(seed)
        verdict = ENGINES["onthefly"].check_all(as_kripke(structure), [parse(text)])[0]
        truths.add(truth)
        if verdict.holds is not truth:
            wrong.append((seed, text, truth, verdict.holds))
    assert wrong == []
    assert covers(truths, {True, False})


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_systems_agree_with_the_oracle(chunk):
    wrong = []
    truths = set()
    for seed in seeds(CASES, chunk, CHUNKS):
        structure, text, truth = star_case(seed)
        silent = structure.dead_ends == "stutter" and seed % 2 == 0
        verdict = pigro.check(System(structure, silent=silent), text)
        truths.add(truth)
        if verdict.holds is not truth:
            wrong.append((seed, text, truth, verdict.holds))
    assert wrong == []
    assert covers(truths, {True, False})


def test_a_formula_or_its_negation_holds():
    for seed in seeds(CASES // 10):
        structure, text, truth = star_case(seed)
        asked = parse(f"A [{text}]")
        verdicts = ENGINES["onthefly"].check_all(as_kripke(structure), [asked, ~asked])
        assert [verdict.holds for verdict in verdicts] == [truth, not truth], seed


def disagreements(model, rng):
    """The formulas among some random ones of CTL on which `onthefly` and `demand` disagree."""
    asked = [parse(formula.to_text(random_formula(rng))) for _ in range(FORMULAS)]
    found = ENGINES["onthefly"].check_all(model, asked)
    expected = ENGINES["demand"].check_all(model, asked)
    return [
        str(text)
        for text, one, other in zip(asked, found, expected, strict=True)
        if one.holds is None or one.holds is not other.holds
    ]


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ctl_on_structures(chunk):
    wrong = []
    for seed in seeds(CTL_CASES // 2 // FORMULAS, chunk, CHUNKS):
        rng = Random(seed)
        model = as_kripke(random_structure(rng, 7, LABELS))
        wrong += [(seed, text) for text in disagreements(model, rng)]
    assert wrong == []


def machine_case(rng):
    """A random machine without recursion that reaches far: any machine, cut at some depth."""
    machine = random_machine(rng, PROFILES[rng.choice(list(PROFILES))])
    return cut(machine, rng.randint(1, 2))


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ctl_on_machines_that_are_cut(chunk):
    wrong = []
    for seed in seeds(CTL_CASES // 4 // FORMULAS, chunk, CHUNKS):
        rng = Random(seed)
        model = as_model(machine_case(rng))
        assert misfit_reason(ENGINES["onthefly"], model) is None, seed
        wrong += [(seed, text) for text in disagreements(model, rng)]
    assert wrong == []


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_ctl_on_machines_that_fit(chunk):
    """Machines as they are drawn. Many are recursive, so more are drawn until enough fit."""
    rng = Random(START + chunk)
    profiles = [PROFILES[name] for name in ("default", "tiny", "sparse", "many")]
    wanted = len(seeds(CTL_CASES // 4 // FORMULAS, chunk, CHUNKS))
    wrong = []
    done = drawn = 0
    while done < wanted:
        drawn += 1
        assert drawn < 100 * wanted + 100, "hardly any machine fits"
        model = as_model(random_machine(rng, rng.choice(profiles)))
        if misfit_reason(ENGINES["onthefly"], model) is None:
            wrong += [(chunk, drawn, text) for text in disagreements(model, rng)]
            done += 1
    assert wrong == []
