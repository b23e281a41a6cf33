"""Parts whose states are numbered as they are seen."""

import pickle

import pytest

from pigro.formats.smv.composing import parts_of_modules
from pigro.model.composition import Composition
from pigro.model.lazy.part import FormulaPart
from pigro.model.lazy.seen import SeenPart, TooWide, seen
from pigro.model.part import Part

TEXT = """MODULE main
VAR x : 0..9; up : boolean;
ASSIGN init(x) := 3; next(x) := case up & x < 9 : x + 1; TRUE : x; esac;
DEFINE high := x > 4;
"""


def module(text=TEXT):
    (part,) = parts_of_modules(text.encode(), source="m.smv").parts
    return FormulaPart(part.name, part.formulas)


def test_a_part_as_it_is_listed():
    part, whole = SeenPart(module()), module().listed()
    pending = list(part.initial)
    while pending:
        state = pending.pop()
        other = whole.states.index(part.states[state])
        for column in range(len(part.atoms)):
            assert part.value(state, column) == whole.value(other, column)
        before = len(part.states)
        after = [target for _, target, _ in part.steps_of(state)]
        names = {part.states[each] for each in after}
        assert names == {whole.states[each] for _, each, _ in whole.steps_of(other)}
        assert all(part.leads(state, each) for each in after)
        pending += [each for each in after if each >= before]
    assert sorted(part.states[:]) == sorted(whole.states)
    starts = {part.states[each] for each in range(len(part.states)) if part.is_initial(each)}
    assert starts == {whole.states[each] for each in whole.initial}


def test_states_by_name():
    part = SeenPart(module())
    assert part.named("7,TRUE") == 0 == part.named("7,TRUE")
    assert [part.named(each) for each in ("10,TRUE", "7", "7,TRUE,1", "07,TRUE", "")] == [None] * 5
    assert list(part.states) == ["7,TRUE"]


def test_nothing_else_is_listed():
    part = module("MODULE main VAR " + " ".join(f"b{i} : boolean;" for i in range(40)))
    mine = seen(part)
    assert isinstance(mine, SeenPart)
    assert seen(mine) is mine
    state = mine.named(",".join(["TRUE"] * 40))
    assert mine.leads(state, state)
    assert mine.is_initial(state)
    with pytest.raises(TooWide):
        mine.steps_of(state)
    with pytest.raises(TooWide, match="initial states"):
        _ = mine.initial
    assert Composition([mine]).starts_with({0: state}) == [(state,)]
    assert not Composition([part]).is_listed
    assert not Composition([mine]).is_listed


def test_listed_parts_stay():
    part = module().listed()
    assert seen(part) is part


def test_small_modules_are_parts_with_their_formulas_beside_them():
    (part,) = parts_of_modules(TEXT.encode(), source="m.smv").parts
    assert isinstance(part, Part)
    assert part.formulas is not None
    assert part.listed().formulas is None
    assert part == part.listed() == FormulaPart("m", part.formulas).listed()


def test_states_that_were_seen_keep_their_numbers_in_a_pickle():
    part = SeenPart(module())
    for name in ("7,TRUE", "3,FALSE", "9,TRUE"):
        part.named(name)
    copy = pickle.loads(pickle.dumps(part))
    assert list(copy.states) == ["7,TRUE", "3,FALSE", "9,TRUE"]
    assert copy.part == part.part
    assert copy.listed() == part.listed()
