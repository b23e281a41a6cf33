"""Work on diagrams begins again with more room, in a copy of the process."""

from __future__ import annotations

import os

import pytest

from pigro.diagnostics import ModelError
from pigro.engines.game.room import within_room

needs_fork = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
FULL = ValueError("the function `Cudd_bddAndAbstract` returned NULL")


def nothing():
    """No limits."""


@needs_fork
def test_only_the_first_attempt_is_in_this_process():
    places = []

    def work(room):
        places.append(room)
        if len(places) == 1 or room < 1 << 27:
            raise FULL
        return os.getpid(), room

    pid, room = within_room(work, None, nothing)
    assert (pid != os.getpid(), room) == (True, 1 << 27)
    assert places == [1 << 25]  # the others were elsewhere


@needs_fork
def test_errors_come_back():
    def work(room):
        if room == 1 << 25:
            raise FULL
        raise ModelError("P218", "no initial state", hint="give one")

    with pytest.raises(ModelError, match="no initial state") as caught:
        within_room(work, None, nothing)
    assert (caught.value.code, caught.value.hint) == ("P218", "give one")


def test_too_little_room():
    def work(_):
        raise FULL

    with pytest.raises(MemoryError):
        within_room(work, 1 << 26, nothing)
