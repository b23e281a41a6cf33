"""Which parts go together, where they start, and how many states that makes."""

import random
from itertools import product

import pytest

from pigro import Composition, ModelError, Part, PartBuilder, compose_check
from pigro.model import composition


def agreeing(parts, rows):
    """All tuples that can agree, and whether they do for sure, by trying them all."""
    found = {}
    for states in product(*rows):
        pairs = {
            (left.value(x, left.atoms.index(label)), right.value(y, right.atoms.index(label)))
            for left, x in zip(parts, states, strict=True)
            for right, y in zip(parts, states, strict=True)
            if left is not right
            for label in set(left.atoms) & set(right.atoms)
        }
        if (0, 1) not in pairs:
            found[states] = all(2 not in pair for pair in pairs)
    return found


def at_random(rng, name):
    """A part without steps."""
    atoms = rng.sample("pqrs", rng.randrange(4))
    count = rng.randrange(1, 6)
    return Part.from_arrays(
        name,
        states=[str(each) for each in range(count)],
        initial=rng.sample(range(count), rng.randrange(1, count + 1)),
        atoms=atoms,
        values=bytes(rng.choice((0, 0, 1, 1, 2)) for _ in range(count * len(atoms))),
        offsets=[0] * (count + 1),
        targets=[],
    )


def test_states_and_starts_are_those_that_agree():
    rng = random.Random(5)
    together = apart = sure = 0
    for _ in range(600):
        parts = [at_random(rng, name) for name in "ABCD"[: rng.randrange(1, 5)]]
        starts = agreeing(parts, [part.initial for part in parts])
        if not starts:
            with pytest.raises(ModelError) as found:
                Composition(parts)
            assert found.value.code == "P221"
            apart += 1
            continue
        made = Composition(parts)
        assert made.initial == tuple(sorted(starts))
        assert {states: made.is_sure(states) for states in made.initial} == starts
        sure += all(starts.values())
        assert made.states == len(agreeing(parts, [range(len(part.states)) for part in parts]))
        together += 1
    assert together > 200
    assert apart > 50
    assert 50 < sure < together - 50


def chain(length, width):
    """Parts in a row, each of 2^width states, that share labels with their neighbours."""
    parts = []
    for at in range(length):
        labels = [f"x{at}.{bit}" for bit in range(width)] + [
            f"x{at + 1}.{bit}" for bit in range(width)
        ]
        part = PartBuilder(f"p{at}", labels=labels)
        for number, row in enumerate(product((False, True), repeat=2 * width)):
            part.state(
                str(number),
                *(label for label, here in zip(labels, row, strict=True) if here),
                initial=not number,
            )
        parts.append(part.build())
    return parts


def test_many_parts_are_counted_without_being_built():
    made = Composition(chain(40, 2))
    assert made.states == 4**41
    assert made.initial == ((0,) * 40,)


def test_the_order_of_parts_does_not_matter_for_the_count():
    parts = chain(9, 3)
    random.Random(1).shuffle(parts)
    assert Composition(parts).states == 8**10


def clock(name, **more):
    return PartBuilder(name, **more).state("a", initial=True).state("b", initial=True).build()


def test_initial_states_over_a_million_are_not_listed():
    made = Composition([clock(str(each)) for each in range(21)])
    with pytest.raises(ModelError) as found:
        _ = made.initial
    assert found.value.code == "P213"
    assert made.states == 2**21


def test_a_count_with_too_large_a_table_is_refused(monkeypatch):
    monkeypatch.setattr(composition, "_MOST_ENTRIES", 3)
    with pytest.raises(ModelError) as found:
        _ = Composition(chain(3, 2)).states
    assert found.value.code == "P213"


def test_parts_with_actions_combine_freely():
    left = clock("left", labels=["p"], actions=["x", "y"])
    right = clock("right", labels=["q"], actions=["y", "z"])
    made = Composition([left, right])
    assert (made.states, len(made.initial)) == (4, 4)
    assert made.has_actions
    assert made.actions == ("x", "y", "z")
    assert (made.atoms, made.joint) == (("p", "q"), ())
    assert made.name_of((0, 1)) == "a, b"
    assert made.is_concrete


@pytest.mark.parametrize(
    "parts, code, words",
    [
        ([], "P220", "no part"),
        (["left"], "P220", "str"),
        ([clock("left"), clock("left")], "P216", '"left"'),
        ([clock("left"), clock("right", actions=["x"])], "P220", '"right" has actions'),
        (
            [clock("left", labels="p", actions="x"), clock("right", labels="p", actions="y")],
            "P220",
            'both have the label "p"',
        ),
    ],
)
def test_parts_that_do_not_go_together_are_refused(parts, code, words):
    with pytest.raises(ModelError) as found:
        Composition(parts)
    assert found.value.code == code
    assert words in found.value.message


def one(name, **labels):
    """One state, where the labels have these values."""
    return Part.from_arrays(
        name,
        states=["s"],
        initial=[0],
        atoms=labels,
        values=labels.values(),
        offsets=[0, 0],
        targets=[],
    )


def test_the_label_that_keeps_parts_apart_is_named():
    with pytest.raises(ModelError) as found:
        Composition([one("A", p=1), one("B", q=1, p=1), one("C", q=0)])
    assert found.value.code == "P221"
    assert '"B" and "C"' in found.value.message
    assert '"q" always differs' in found.value.message


def test_three_parts_of_which_any_two_could_start():
    def either(name, x, y, pairs):
        part = PartBuilder(name, labels=[x, y])
        for number, pair in enumerate(pairs):
            part.state(
                str(number),
                *(label for label, here in zip((x, y), pair, strict=True) if here),
                initial=True,
            )
        return part.build()

    same, other = [(0, 0), (1, 1)], [(0, 1), (1, 0)]
    with pytest.raises(ModelError, match="although those of any two do"):
        Composition(
            [either("A", "p", "q", same), either("B", "q", "r", same), either("C", "r", "p", other)]
        )


@pytest.mark.parametrize("value", [0, 1, 2])
def test_unknown_may_agree_with_everything(value):
    made = Composition([one("A", p=2, q=2), one("B", p=value)])
    assert (made.states, made.initial, made.unsettled) == (1, ((0, 0),), ("p",))
    assert not made.is_sure((0, 0))


def test_a_label_of_one_part_alone_may_be_unknown_anywhere():
    made = Composition([one("A", p=1, q=2), one("B", p=1)])
    assert (made.unsettled, made.is_sure((0, 0)), made.is_concrete) == ((), True, False)


def test_what_three_parts_know_together():
    """What the first leaves open, the second may settle, and then the third can disagree."""
    with pytest.raises(ModelError) as found:
        Composition([one("A", p=2), one("B", p=1), one("C", p=0)])
    assert 'parts "B" and "C"' in found.value.message
    assert Composition([one("A", p=2), one("B", p=1), one("C", p=2)]).states == 1


def philosopher(at, count):
    names = [f"{what}{at}_{fork}" for what in ("take", "drop") for fork in (at, (at + 1) % count)]
    made = PartBuilder(f"phil{at}", actions=names).state("think", initial=True)
    made.state("one").state("eat").state("done").step("think", "one", names[0])
    made.step("one", "eat", names[1]).step("eat", "done", names[2]).step("done", "think", names[3])
    return made.build()


def fork(at, count):
    users = (at, (at - 1) % count)
    names = [f"{what}{user}_{at}" for user in users for what in ("take", "drop")]
    made = PartBuilder(f"fork{at}", actions=names).state("free", initial=True)
    for user in users:
        made.state(f"by{user}").step("free", f"by{user}", f"take{user}_{at}")
        made.step(f"by{user}", "free", f"drop{user}_{at}")
    return made.build()


def nodes(composition):
    verdict = compose_check(composition, "AG <> true")
    assert verdict.holds is False
    return sum(layer.nodes for layer in verdict.details.layers)


def test_neighbours_first():
    """However philosophers and forks are given, there is no more to do than in a good order."""
    philosophers, forks = ([make(at, 5) for at in range(5)] for make in (philosopher, fork))
    apart = Composition([*philosophers, *forks])
    mixed = Composition([each for pair in zip(philosophers, forks, strict=True) for each in pair])
    assert (nodes(apart), nodes(mixed)) == (16_500, 3_775)
    assert (nodes(apart.neighbours_first()), nodes(mixed.neighbours_first())) == (3_233, 3_076)
    assert [part.name for part in apart.neighbours_first().parts][:4] == [
        "phil0",
        "fork0",
        "phil4",
        "fork1",
    ]
    assert apart.neighbours_first(start=7).parts[0].name == "fork2"


def test_neighbours_by_labels():
    def line(at):
        labels = [f"l{each}" for each in (at, at + 1) if 0 < each < 4]
        return PartBuilder(f"p{at}", labels=labels).state("s", initial=True).build()

    whole = Composition([line(at) for at in (1, 3, 0, 2)])
    assert [part.name for part in whole.neighbours_first().parts] == ["p3", "p2", "p1", "p0"]
    assert [part.name for part in whole.neighbours_first(start=0).parts] == ["p1", "p0", "p2", "p3"]


def test_values_that_are_no_list_of_parts():
    made = PartBuilder("p").state("s", initial=True)
    for given, words in (
        (made.build(), "a Part is not a list of parts"),
        (made, "a PartBuilder is not a list of parts"),
        ([made], "a PartBuilder is not a part"),
    ):
        with pytest.raises(ModelError, match=words) as caught:
            Composition(given)
        assert (caught.value.code, caught.value.hint is None) == ("P220", False)
