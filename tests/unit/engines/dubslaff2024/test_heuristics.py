"""Heuristics: those that come with Pigro, and users' own."""

from dataclasses import replace

import pytest

import pigro
from pigro.bench.generators.models import permutations
from pigro.engines.dubslaff2024 import HEURISTICS, LAZY, RANDOM, register_heuristic
from pigro.logic import parse

from agreement import as_model
from oracle.formula import to_text
from oracle.generate import random_case

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


def test_seeds_repeat(own):
    runs = [replace(RANDOM, seed=seed, trace=True)(permutations(4), HARD) for seed in (1, 1, 2)]
    assert runs[0].steps == runs[1].steps
    assert runs[0].steps != runs[2].steps


def test_unknown_heuristic():
    with pytest.raises(pigro.CheckError) as error:
        replace(LAZY, heuristic="nxt")(permutations(2), HARD)
    assert (error.value.code, error.value.hint) == ("P405", 'did you mean "next"?')
