"""Who decided, in a sentence that is true."""

from array import array

import pytest

from pigro import Composition, PartBuilder, _core, compose_check
from pigro.engines.game.setting import GameSetup
from pigro.logic import parse
from pigro.logic.modal import modal_form


def part(name, *labels, states):
    made = PartBuilder(name, labels=labels)
    for state, true in states.items():
        made.state(state, *true, initial=True).step(state, state)
    return made.build()


def test_a_part_alone_whatever_the_others_do_or_given_where_they_start():
    one = part("one", "j", "p", states={"a": ["j", "p"], "b": []})
    beside = {
        "both": part("both", "j", states={"s": ["j"], "t": []}),
        "high": part("high", "j", states={"s": ["j"]}),
        "low": part("low", "j", states={"t": []}),
    }

    def asked(other):
        verdict = compose_check(Composition([one, beside[other]]), "p")
        return verdict.holds, verdict.reason

    assert asked("both") == (False, "part one decides it alone, whatever the others do")
    assert asked("high") == (True, "part one decides it alone, given where the others start")
    assert asked("low") == (False, "part one decides it alone, given where the others start")


@pytest.mark.parametrize("right_part", [-1, 2])
def test_the_core_refuses_a_part_that_is_not_there(right_part):
    parts = [part(name, "p", states={"s": []}) for name in ("one", "two")]
    setting = GameSetup(parts, [(0, 0)], modal_form(parse("<> p")))
    games = [setting.part_game(at, None, None) for at in range(2)]
    nothing = memoryview(b"")
    for game in games:
        game.solve()
    with pytest.raises(ValueError, match="arrays don't fit"):
        _core.ProductGame(
            *games,
            right_part,
            memoryview(b"\0"),
            nothing,
            everything=False,
            decided=False,
            watch=False,
            roots=[],
        )


def test_the_core_refuses_a_set_of_actions_that_is_not_there():
    ids = [memoryview(array("i", each)) for each in ([0, 0], [-1, 3], [0, 0], [])]
    formula = _core.ModalFormula(memoryview(b"\2\6"), *ids[:3], 1)
    some, nothing = memoryview(b"\1"), memoryview(b"")
    with pytest.raises(ValueError, match="arrays don't fit"):
        _core.PartGame(
            formula,
            ids[0],
            ids[3],
            ids[3],
            nothing,
            [],
            some,
            some,
            some,
            some,
            [],
            nothing,
            [0],
            nothing,
        )


def test_what_the_parts_leave_open():
    made = PartBuilder("one", labels=["p"]).state("a", "p", initial=True)
    made = made.state("b", unknown=["p"]).step("a", "b").step("b", "a", must=False).build()
    two = part("two", "q", states={"t": []})
    system = Composition([made, two])

    def reason(formula):
        verdict = compose_check(system, formula)
        assert verdict.holds is None
        return verdict.reason

    told = "the parts leave open whether"
    assert reason("<> p") == f"{told} p is true in one=b, two=t"
    step = "a step from one=b, two=t to one=a, two=t"
    assert reason("<> <> p") == f"{told} there is {step}"


def test_a_joint_label_that_the_parts_leave_open():
    """It decides whether there is a composed state: after a step, or at the start."""
    one = PartBuilder("one", labels=["p", "q"]).state("a", unknown=["p"], initial=True)
    one = one.state("b", "q", unknown=["p"]).step("a", "b").build()
    two = PartBuilder("two", labels=["p"]).state("s", "p", initial=True).state("t")
    two = two.step("s", "t").build()
    system = Composition([one, two])
    told = "the parts leave open whether p is true in"
    for formula, state in (("<> q", "b"), ("q", "a"), ("<> q & q", "a")):
        verdict = compose_check(system, formula)
        assert (verdict.holds, verdict.reason) == (None, f"{told} one={state}")
    assert compose_check(system, "p").holds is True


def test_the_core_refuses_tables_of_unsettled_labels_that_do_not_fit():
    ids = [memoryview(array("i", each)) for each in ([0], [-1], [0], [0, 0], [])]
    formula = _core.ModalFormula(memoryview(b"\0"), *ids[:3], 0)
    some, nothing = memoryview(b"\1"), memoryview(b"")

    def game(unsettled):
        steps = (ids[3], ids[4], ids[4], nothing, [])
        one = memoryview(array("i", [0]))
        table = memoryview(unsettled)
        made = _core.PartGame(
            formula, *steps, nothing, some, some, nothing, [one, one], table, [0], nothing
        )
        made.solve()
        return made

    with pytest.raises(ValueError, match="arrays don't fit"):
        game(b"\4")
    with pytest.raises(ValueError, match="arrays don't fit"):
        _core.ProductGame(
            game(b"\2"),
            game(b""),
            1,
            some,
            nothing,
            everything=False,
            decided=False,
            watch=False,
            roots=[(0, 0)],
        )
