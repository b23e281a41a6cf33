"""Records are used like dataclasses, and are made without them."""

import copy
import dataclasses
import pickle

import msgspec
import pytest

from pigro.limits import Limits
from pigro.records import Record
from pigro.verdict import CheckStats, Verdict


class Point(Record, frozen=True):
    x: int
    y: int = 0
    tags: tuple[str, ...] = ()


class Tagged(Point, frozen=True):
    notes: dict[str, int] = msgspec.field(default_factory=dict)


def test_equality_and_hashing_are_by_value():
    assert Point(1) == Point(1, 0)
    assert hash(Point(1)) == hash(Point(1, 0))
    assert Point(1) != Point(2)
    assert Point(1) != Tagged(1)


def test_repr_names_all_fields():
    assert repr(Point(1, tags=("a",))) == "Point(x=1, y=0, tags=('a',))"


def test_nothing_can_be_changed():
    point = Point(1)
    with pytest.raises(AttributeError, match="immutable"):
        point.x = 2
    with pytest.raises(AttributeError, match="immutable"):
        del point.x
    assert point.x == 1


def test_functions_of_dataclasses_take_records():
    assert dataclasses.is_dataclass(Point)
    assert dataclasses.replace(Point(1), y=2) == Point(1, 2)
    assert dataclasses.asdict(Point(1)) == {"x": 1, "y": 0, "tags": ()}
    fields = dataclasses.fields(Point)
    assert [each.name for each in fields] == ["x", "y", "tags"]
    assert fields[0].default is dataclasses.MISSING
    assert fields[1].default == 0


def test_a_subclass_has_its_own_fields():
    assert len(dataclasses.fields(Point)) == 3
    last = dataclasses.fields(Tagged)[-1]
    assert (last.name, last.default_factory) == ("notes", dict)
    assert dataclasses.replace(Tagged(1), x=5) == Tagged(5)


def test_a_record_can_travel():
    assert pickle.loads(pickle.dumps(Tagged(1, notes={"a": 2}))) == Tagged(1, notes={"a": 2})
    assert copy.deepcopy(Point(1)) == Point(1)


def test_replaced_limits_are_validated():
    assert dataclasses.replace(Limits(seconds=1), memory=2.5).memory == 3
    with pytest.raises(Exception, match="timeout can't be -1"):
        msgspec.structs.replace(Limits(), seconds=-1)


def test_a_verdict_leaves_out_large_fields():
    verdict = Verdict("the subject", "p", None, "demand", CheckStats(0.5))
    assert "subject" not in repr(verdict)
    assert repr(verdict).startswith("Verdict(formula='p', holds=None, engine='demand', stats=")
    assert dataclasses.replace(verdict, subject="another").subject == "another"
