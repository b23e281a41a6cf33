"""Errors go to other processes and are copied, with all that they carry."""

from __future__ import annotations

import copy
import pickle

import pytest

from pigro import PigroError, parse
from pigro.diagnostics import (
    CheckError,
    FormulaError,
    InputError,
    InternalError,
    ModelError,
    Position,
    UsageError,
    render_error,
)

KINDS = (CheckError, FormulaError, InputError, InternalError, ModelError, PigroError, UsageError)
PLACE = Position(source="é.rsm", line=3, column=4, path="$.x", text="the line", width=2)


class Richer(UsageError):
    """As a subclass may be: other arguments, and more to tell."""

    def __init__(self, more: list[int]) -> None:
        super().__init__("P006", "made up here", hint="none")
        self.more = more


def again(error: PigroError, protocol: int) -> PigroError:
    found = pickle.loads(pickle.dumps(error, protocol))
    assert type(found) is type(error)
    for each in (found, copy.copy(error), copy.deepcopy(error)):
        assert (each.code, each.message, each.hint) == (error.code, error.message, error.hint)
        assert (each.position, each.diagnostic) == (error.position, error.diagnostic)
        assert (str(each), each.args) == (str(error), error.args)
        assert render_error(each) == render_error(error)
    return found


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind(kind: type[PigroError], protocol: int):
    again(kind("P001", "gone"), protocol)
    again(kind("P302", "a message", position=PLACE, hint="a hint"), protocol)


def test_an_error_that_was_raised():
    with pytest.raises(FormulaError) as caught:
        parse("p & (q |")
    caught.value.add_note("a note")
    found = again(caught.value, 5)
    assert found.__notes__ == ["a note"]
    assert found.position.line == 1


def test_a_subclass_with_other_arguments():
    found = again(Richer([1, 2]), 5)
    assert found.more == [1, 2]
