"""Hyper-steps of parts: what they must be, and what is left out because it says nothing new."""

import pickle

import pytest

from pigro import Composition, ModelError, Part, PartBuilder
from pigro.model.part import LOCAL
from pigro.model.parts.hyper import HyperStep
from pigro.model.product import Product
from pigro.verdict.subject_summary import _digest


def three(*hyper, must=b"\0\0\0", by=None, actions=None):
    """A state with steps to itself and two others."""
    return Part.from_arrays(
        "one",
        states=["a", "b", "c"],
        initial=[0],
        atoms=[],
        values=b"",
        offsets=[0, 3, 3, 3],
        targets=[0, 1, 2],
        must=must,
        by=by,
        actions=actions,
        hyper=hyper,
    )


def test_they_are_in_order_and_each_is_there_once():
    part = three((0, 0, [2, 1]), (0, 0, (0, 1)), (0, 0, [1, 2, 2]))
    assert part.hyper == (HyperStep(0, 0, (0, 1)), HyperStep(0, 0, (1, 2)))
    assert part.hyper_of(0) == part.hyper
    assert part.hyper_of(1) == ()
    assert not part.is_concrete
    assert repr(part) == "<Part one: 3 states, 3 steps, 2 hyper-steps, no labels>"


@pytest.mark.parametrize(
    ("hyper", "told"),
    [
        ((3, 0, [0, 1]), "a hyper-step is from none of the states"),
        ((-1, 0, [0, 1]), "a hyper-step is from none of the states"),
        ((1, 0, [0, 1]), 'the hyper-step from "b" leads to "a", but there is no such step'),
        ((0, 0, [0, 7]), 'the hyper-step from "a" leads to 7, but there is no such step'),
        ((0, 1, [0, 1]), 'the hyper-step from "a" leads to "a", but there is no such step'),
        ((0, 0, [1]), "a hyper-step needs two targets at least"),
        ((0, 0, []), "a hyper-step needs two targets at least"),
        ((0, 0, 1), "a hyper-step has a source, an action and targets"),
        ((0, [1, 2]), "a hyper-step has a source, an action and targets"),
    ],
)
def test_refused(hyper, told):
    with pytest.raises(ModelError) as caught:
        three(hyper)
    assert caught.value.code == "P212"
    assert told in str(caught.value)


def built(*steps, **wide):
    part = PartBuilder("one").state("a", initial=True).state("b").state("c")
    for target in steps:
        part.step("a", target)
    for targets in wide.values():
        part.hyper_step("a", targets)
    return part.build()


def test_targets_may_be_there():
    part = built(wide=["b", "c"])
    assert list(part.steps_of(0)) == [(0, 1, 0), (0, 2, 0)]
    assert part.hyper == (HyperStep(0, 0, (1, 2)),)


def test_implied_ones_are_left_out():
    assert built("b", wide=["b", "c"]).hyper == ()
    assert built(wide=["a", "b", "c"], less=["b", "c"]).hyper == (HyperStep(0, 0, (1, 2)),)
    assert built(wide=["b", "c"], other=["a", "c"]).hyper == (
        HyperStep(0, 0, (0, 2)),
        HyperStep(0, 0, (1, 2)),
    )


def test_one_target_is_a_must_step():
    part = built(wide=["b"])
    assert list(part.steps_of(0)) == [(0, 1, 1)]
    assert part.hyper == ()
    assert part.is_concrete


def test_actions():
    part = PartBuilder("one", actions=["go"]).state("a", initial=True).state("b")
    part = part.hyper_step("a", ["a", "b"], "go").hyper_step("a", ["a", "b"], "tau").build()
    assert part.hyper == (HyperStep(0, LOCAL, (0, 1)), HyperStep(0, 0, (0, 1)))
    made = PartBuilder("one", actions=["go"]).state("a", initial=True)
    for targets, action, code in (
        (["a"], None, "P219"),
        (["a"], "come", "P217"),
        ([], "go", "P212"),
    ):
        with pytest.raises(ModelError) as caught:
            made.hyper_step("a", targets, action)
        assert caught.value.code == code
    with pytest.raises(ModelError, match='has no state "z"'):
        made.hyper_step("a", ["a", "z"], "go").build()


def test_they_travel_and_differ():
    wide, plain = three((0, 0, [1, 2])), three()
    assert pickle.loads(pickle.dumps(wide)) == wide != plain
    assert _digest(Composition([wide])) != _digest(Composition([plain]))


def other(*states, must=True):
    """A part that goes from its first state to each of the others, which have the label r or not."""
    part = PartBuilder("two", labels=["r"]).state("x", initial=True)
    for name in states:
        part.state(name, *(["r"] if name.isupper() else [])).step("x", name, must=must)
    return part.build()


def labelled(*names):
    part = PartBuilder("one", labels=["r"]).state("a", initial=True)
    for name in names:
        part.state(name, *(["r"] if name.isupper() else []))
    return part.hyper_step("a", names).build()


def test_composed_ones_are_products_of_sets():
    both = Product(Composition([labelled("b", "c"), other("y", "z", "Y")]))
    assert both.hypers((0, 0)) == [("", ((1, 1), (2, 1))), ("", ((1, 2), (2, 2)))]


def test_all_tuples_must_agree():
    """The other part could go with each of the targets, but composed sets are products."""
    assert Product(Composition([labelled("b", "C"), other("y", "Y")])).hypers((0, 0)) == []


def test_a_may_step_makes_none():
    assert Product(Composition([labelled("b", "c"), other("y", must=False)])).hypers((0, 0)) == []
