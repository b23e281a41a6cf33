"""[Shoham2010], section 5.2, *Optimization*: both published rules can make verdicts wrong.

The rules are about a part's undecided positions, after a round with a product of two parts:

    removal    a position that is in no node of the product is left out from now on.
    colouring  a position that is in nodes of one definite colour only gets this colour.

Here they are as published, each alone and both together. Pigro's own rules are in `refinement.py`.
"""

from collections import Counter
from random import Random

import pytest

from pigro.engines.game.refinement import RefinementRounds
from pigro.engines.game.solver import ABSENT, MAYBE, NO, OPEN, YES
from pigro.logic import modal, parse
from pigro.model.composition import Composition
from pigro.model.part import PartBuilder

from oracle.mu_formula import Shape, random_ctl, random_mu, text
from oracle.mu_semantics import verdict
from oracle.mu_structures import names_in, random_parts
from support.agreement.compositions import composition_of
from support.selection.cases import FEW_CASES, number_of_cases, seeds

CASES = number_of_cases("PIGRO_PRUNING_CASES", 150)
USELESS = {modal.AND: YES, modal.BOX: YES, modal.OR: NO, modal.DIAMOND: NO}
"""The colour of a child that is no witness."""


class Neither(RefinementRounds):
    """Keeps what parts decide, and nothing of the products."""

    removal = colouring = False

    def keep(self, played):
        for at, game in enumerate(played.alone):
            solved, met = game.table(), self.met(played.products[-1], at)
            opened = self.opened(game)
            fresh = [
                self.pruned(met.get(place, set()))
                if place in opened
                else OPEN
                if colour == MAYBE
                else colour
                for place, colour in enumerate(solved)
            ]
            both = zip(self.known[at], fresh, strict=True)
            self.known[at] = bytes(
                old if new == ABSENT and old < OPEN else new for old, new in both
            )

    def pruned(self, colours):
        if not colours:
            return ABSENT if self.removal else OPEN
        return min(colours) if self.colouring and colours in ({YES}, {NO}) else OPEN

    def met(self, product, at):
        """Of each position of a part: the colours of the nodes that it is in."""
        found = {}
        for node, colour in enumerate(product.colours()):
            place = product.states(node)[at] * len(self.form.ops) + product.formula(node)
            found.setdefault(place, set()).add(colour)
        return found

    def opened(self, game):
        """The undecided positions of Definition 3.4."""
        colours = game.colours()
        seen = dict.fromkeys(game.roots)
        queue = list(seen)
        for node in queue:
            if colours[node] != MAYBE:
                continue
            useless = USELESS.get(self.form.ops[game.formula(node)])
            for child, *_ in game.children(node):
                if colours[child] != useless and child not in seen:
                    seen[child] = None
                    queue.append(child)
        width = len(self.form.ops)
        return {
            game.states(node)[0] * width + game.formula(node)
            for node in seen
            if colours[node] == MAYBE
        }


class Removal(Neither):
    removal = True


class Colouring(Neither):
    colouring = True


class Both(Neither):
    removal = colouring = True


def form_of(formula):
    return modal.modal_form(parse(formula))


def test_removal_alone_is_wrong():
    """The second part knows p itself, so p with the first part is in no node of the product.

    Left out, the first part goes round forever without it, and calls the least fixpoint false.
    """
    first = PartBuilder("m1", labels=["q"])
    first.state("s0", initial=True).state("s1").step("s0", "s1")
    second = PartBuilder("m2", labels=["p"])
    second.state("t0", initial=True).state("t1", "p").step("t0", "t1")
    system, form = Composition([first.build(), second.build()]), form_of("EF p")
    assert Removal(system, form).run(None).value is False
    assert Neither(system, form).run(None).value is True
    assert RefinementRounds(system, form).run(None).value is True


def test_colouring_alone_is_wrong():
    """The first part knows that EF p is true in s1, so EF p with t1 is in the product elsewhere only.

    There it is false. Called false everywhere, it hides that the system gets to s1 with t1.
    """
    first = PartBuilder("m1", labels=["p"])
    first.state("s0", initial=True).state("s1", "p").state("s2")
    first.step("s0", "s1").step("s1", "s2").step("s2", "s0")
    second = PartBuilder("m2", labels=["q"])
    second.state("t0", initial=True).state("t1").step("t0", "t1")
    system, form = Composition([first.build(), second.build()]), form_of("EG EF p")
    assert Colouring(system, form).run(None).value is False
    assert Neither(system, form).run(None).value is True
    assert RefinementRounds(system, form).run(None).value is True


@pytest.mark.random
def test_random_questions():
    wrong = Counter()
    for seed in seeds(CASES):
        rng = Random(seed)
        parts = random_parts(rng)
        atoms = names_in(parts)[0]
        if not atoms:
            continue
        shape = Shape(ctl=0.1)
        formula = random_ctl(rng, atoms, 4) if seed % 2 else random_mu(rng, atoms, 7, shape=shape)
        truth = verdict(parts, formula)
        system, form = composition_of(parts), form_of(text(formula))
        for rules in (RefinementRounds, Neither, Removal, Colouring, Both):
            try:
                wrong[rules] += rules(system, form).run(None).value is not truth
            except RuntimeError as error:
                assert "contradict" in str(error)
                assert rules not in (RefinementRounds, Neither)
    assert wrong[RefinementRounds] == wrong[Neither] == 0
    assert FEW_CASES or wrong[Removal] > 0
    if CASES >= 1000:
        assert wrong[Colouring] > 0
        print({rules.__name__: count for rules, count in wrong.items()})
