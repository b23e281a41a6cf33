"""The tree of splits, and hyper-steps of blocks."""

from pigro import PartBuilder, compose_check
from pigro.engines.game.abstraction import PartAbstraction
from pigro.engines.game.split_tree import SplitTree
from pigro.engines.game.stepwise import StepwiseAbstraction
from pigro.model.parts.hyper import HyperStep


def split_twice():
    """Blocks 0 and 1; 0 is split into 0 and 2, and then 2 into 2 and 3."""
    tree = SplitTree(2)
    tree.split(0)
    tree.split(2)
    return tree


def test_nodes_above():
    tree = split_twice()
    assert [list(tree.above(block)) for block in range(4)] == [[2, 0], [1], [4, 3, 0], [5, 3, 0]]
    assert tree.touched([2, 3]) == {0, 3, 4, 5}
    assert tree.with_above([3]) == {0, 3}


def test_lowest_nodes():
    tree = split_twice()
    assert tree.lowest({0}, range(4)) == [(0, 2, 3)]
    assert tree.lowest({0, 3}, range(4)) == [(2, 3)]
    assert tree.lowest({0}, [0, 3]) == [(0, 3)]
    assert tree.lowest(tree.touched([2]), range(4)) == []
    assert tree.lowest({0, 1}, range(4)) == [(0, 2, 3)]


def forked():
    """`a` goes to `c` and `b` to `d`, which differ in the label p; `c` and `d` go on to `e`."""
    part = PartBuilder("one", labels=["p", "q"])
    part.state("a", initial=True).state("b", initial=True).state("c", "p", "q").state("d", "q")
    part.state("e")
    for step in ("ac", "bd", "ce", "de"):
        part.step(*step)
    return part.build()


def test_a_must_step_becomes_a_hyper_step():
    for hyper, wide in ((False, ()), (True, (HyperStep(0, 0, (1, 3)),))):
        made = PartAbstraction(forked(), ["q"], hyper=hyper)
        assert made.find_step(0, 0, 1) is None
        made.part()
        assert made.find_step(0, 0, 1) == 2  # e has no step, unlike a and b
        assert made.must_step(0, 0, 1) is False  # the row is not there yet
        made.part()
        assert made.must_step(0, 0, 1)
        assert made.find_label(1, "p") == 3
        part = made.part()
        assert not made.must_step(0, 0, 1)
        assert part.hyper == wide


def test_step_by_step():
    made = StepwiseAbstraction(forked(), ["q"], hyper=True)
    assert made.find_step(0, 0, 1) == 2
    assert made.find_label(1, "p") == 3
    assert made.part().hyper == (HyperStep(0, 0, (1, 3)),)
    assert made.find_step(0, 0, 1) == 4  # a has it, and b has not
    part = made.part()
    assert part.hyper == ()
    assert (0, 3, 1) in part.steps_of(4)  # the only step that is left of a hyper-step


def test_refinement_needs_fewer_blocks():
    """That both initial states lead to p or not p, and on, needs no split of their block."""
    formula = "<> (p & <> true | !p & <> true)"
    verdict = compose_check(forked(), formula, method="refine", witness=True)
    assert verdict.holds
    blocks = verdict.evidence.parts[0]
    assert (0, 1) in blocks.members
    assert blocks.part.hyper
