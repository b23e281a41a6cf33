"""Heuristics: those that come with Pigro, and users' own."""

import random
from dataclasses import replace

import pytest

import pigro
from benchmarks.generators.models import permutations
from pigro.logic import parse
from pigro.papers.dubslaff2024 import HEURISTICS, LAZY, RANDOM, register_heuristic
from pigro.papers.dubslaff2024.expansion import worth
from pigro.papers.dubslaff2024.instances import InstanceStore

from oracle.formula import to_text
from oracle.generate import random_case
from support.agreement.ctl import as_model

HARD = parse("AG (EF EG p | EF EG !p)")


@pytest.fixture
def own():
    yield lambda heuristic: register_heuristic("own", heuristic)
    HEURISTICS.pop("own", None)


def test_a_heuristic_is_asked_for_boxes(own):
    seen = []

    def fewest_nodes(seed):
        def choose(situation):
            boxes = sorted(situation.boxes(), key=lambda box: box.callee_nodes)
            seen.extend((box.caller, box.name, box.callee, box.callee_exits) for box in boxes[:1])
            assert situation.contexts > 0
            return boxes[:1]

        return choose

    own(fewest_nodes)
    assert replace(LAZY, heuristic="own")(permutations(3), HARD).holds is True
    assert seen[0][:3] == ("only", "rotate", "only")
    assert set(seen[0][3]) <= {"only:x0", "only:x1", "only:x2"}


@pytest.mark.parametrize(
    "choose",
    [
        lambda situation: (),
        lambda situation: situation.boxes()[:1] * 3,
        lambda situation: [box for box in [situation.reason()] if box] * 2,
    ],
    ids=["none", "the same box again", "the next one"],
)
def test_no_heuristic_can_make_a_verdict_wrong(own, choose):
    own(lambda seed: choose)
    for seed in range(150):
        case = random_case(seed)
        model, formula = as_model(case.machine), parse(to_text(case.formula))
        assert replace(LAZY, heuristic="own")(model, formula).holds is LAZY(model, formula).holds


def _plain_boxes(situation):
    """All boxes, each looked at anew."""
    instances = situation._instances
    found = [
        worth(instances, caller, site)
        for caller in instances.live
        for site in caller.body.sites
        if site.reached
    ]
    return [box for box in found if box is not None]


@pytest.mark.parametrize("how", ["one", "all", "at times"])
def test_boxes_are_kept_up_to_date(own, how):
    offers = 0

    def watched(seed):
        choice = random.Random(seed)

        def choose(situation):
            nonlocal offers
            if how == "at times" and choice.random() < 0.6:
                return ()  # GetNextExpansion takes its turn
            boxes = situation.boxes()
            assert [each.box for each in boxes] == _plain_boxes(situation)
            offers += len(boxes)
            return boxes if how == "all" else boxes and [choice.choice(boxes)]

        return choose

    own(watched)
    for seed in range(700, 900):
        case = random_case(seed)
        model, formula = as_model(case.machine), parse(to_text(case.formula))
        replace(LAZY, heuristic="own", seed=seed)(model, formula)
    replace(LAZY, heuristic="own")(permutations(4), HARD)
    assert offers > 50


def test_random_looks_again_only_at_boxes_that_have_moved(monkeypatch):
    looks, new_values = 0, InstanceStore.new_values

    def counted(*args):
        nonlocal looks
        looks += 1
        return new_values(*args)

    monkeypatch.setattr(InstanceStore, "new_values", counted)
    contexts = RANDOM(permutations(5), HARD).stats.contexts
    assert looks < 30 * contexts


def test_seeds_repeat(own):
    runs = [replace(RANDOM, seed=seed, trace=True)(permutations(4), HARD) for seed in (1, 1, 2)]
    assert runs[0].details.steps == runs[1].details.steps
    assert runs[0].details.steps != runs[2].details.steps


def test_unknown_heuristic():
    with pytest.raises(pigro.CheckError) as error:
        replace(LAZY, heuristic="nxt")(permutations(2), HARD)
    assert (error.value.code, error.value.hint) == ("P405", 'did you mean "next"?')
