"""Refinement with hyper-steps is monotone: what was decided stays decided. Without, it is not.

120 runs, unless `PIGRO_MONOTONE_CASES` asks for more. After each round, the games on parts alone and
on everything composed are played with nothing remembered. A position that was decided on coarser
blocks must have the same colour on finer ones.
"""

from dataclasses import replace
from random import Random

import pytest

from pigro.engines.game.layers import play_all
from pigro.engines.game.refinement import RefinementRounds
from pigro.engines.game.solver import MAYBE
from pigro.logic import parse
from pigro.logic.modal import modal_form

from oracle.mu_formula import random_mu, text
from oracle.mu_structures import KRIPKE, names_in, random_lts, random_parts
from support.agreement.compositions import composition_of
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_MONOTONE_CASES", 120)
LARGE = replace(KRIPKE, states=(4, 9), local=(1, 3))
SHAPES = (LARGE, replace(LARGE, parts=(1, 1)), replace(LARGE, parts=(3, 3), states=(3, 5)))


class Watched(RefinementRounds):
    """Notes what is decided in each round, and what no longer is."""

    def __init__(self, *given, **options):
        self.members, self.decided, self.lost, self.compared = [], {}, 0, 0
        super().__init__(*given, **options)

    def _setting(self):
        made = super()._setting()
        members = [
            [[at] for at in range(len(part.states))]
            if abstraction is None
            else [list(block) for block in abstraction.blocks]
            for part, abstraction in zip(made.parts, self.abstractions, strict=True)
        ]
        if self.decided:
            self.compare(made, members)
        self.members, self.decided = members, dict(colours(made))
        return made

    def compare(self, setting, members):
        """A block stands for its first state: that was in one coarser block."""
        block_of = [
            {state: at for at, block in enumerate(blocks) for state in block}
            for blocks in self.members
        ]
        for (layer, states, formula), colour in colours(setting):
            before = tuple(
                block_of[part][members[part][block][0]]
                for part, block in zip(layer, states, strict=True)
            )
            known = self.decided.get((layer, before, formula), MAYBE)
            if known != MAYBE:
                self.compared += 1
                assert colour in (known, MAYBE)
                self.lost += colour == MAYBE


def colours(setting):
    """Of positions of each part alone, and of all composed, with nothing remembered."""
    games = [((at,), setting.part_game(at, None, None)) for at in range(len(setting.parts))]
    for _, game in games:
        game.solve()
    games.append((tuple(range(len(setting.parts))), play_all(setting, None).last))
    for layer, game in games:
        for node, colour in enumerate(game.colours()):
            yield (layer, tuple(game.states(node)), game.formula(node)), colour


def random_question(seed):
    rng = Random(seed)
    make = random_lts if seed % 3 == 0 else random_parts
    parts = make(rng, SHAPES[seed % len(SHAPES)])
    atoms, actions = names_in(parts)
    formula = random_mu(rng, atoms, rng.randint(2, 9), actions=actions)
    return composition_of(parts), modal_form(parse(text(formula)))


def run(seed, strategy, *, hyper):
    """A run that looks at causes at random, or as its strategy says."""
    system, form = random_question(seed)
    rng = Random(seed)

    def choose(causes):
        return rng.sample(causes, rng.randint(1, min(3, len(causes))))

    watched = Watched(system, form, strategy=strategy, hyper=hyper)
    watched.run(None, choose if seed % 2 else None)
    before = [len(each.blocks) for each in watched.abstractions]
    watched.run_again(None)
    return watched, [len(each.blocks) for each in watched.abstractions] != before


@pytest.mark.filterwarnings("ignore:.*seen by no part")
@pytest.mark.parametrize("strategy", ["many", "one"])
def test_what_was_decided_stays_decided(strategy):
    lost, compared = 0, 0
    for seed in seeds(CASES):
        watched, is_finer = run(seed, strategy, hyper=True)
        assert watched.lost == 0, seed
        assert not is_finer, seed  # the last round decides with nothing remembered
        compared += watched.compared
        lost += run(seed, strategy, hyper=False)[0].lost
    assert FEW_CASES or compared > 10 * CASES
    assert FEW_CASES or lost > 0
