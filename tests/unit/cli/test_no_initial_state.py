"""A module without initial states is refused before anything is checked, however large it is."""

from __future__ import annotations

import pytest

import pigro
from pigro.engines.onthefly.computed import require_start
from pigro.formats import smv
from pigro.limits import Budget, OutOfTime
from pigro.model.space import StateSpace

MODULE = "MODULE main\nVAR x : 0..{size}; y : 0..{size};\nINIT x = 1 & x = 2\nSPEC AG x = 0\n"


@pytest.mark.parametrize("size", [3, 100_000])
@pytest.mark.parametrize("options", [(), ("--format", "json"), ("EF x = 1", "AG y = 0")])
def test_an_error_of_the_file_with_its_place(run, tmp_path, size, options):
    (tmp_path / "m.smv").write_text(MODULE.format(size=size))
    found = run("check", "m.smv", *options)
    assert found.exit_code == 2
    assert found.stdout == ""
    assert "error[P126]: module `main` has no initial state" in found.stderr
    assert "m.smv:1:8" in found.stderr
    assert "stopped" not in found.stderr


def test_the_same_error_in_python():
    model = smv.read(MODULE.format(size=100_000).encode(), source="m.smv")
    with pytest.raises(pigro.InputError, match="no initial state") as caught:
        pigro.check(model, "EF x = 1")
    assert caught.value.code == "P126"
    assert caught.value.position is not None


def test_the_search_for_an_initial_state_ends_with_the_budget():
    text = "MODULE main VAR a : 0..99999; b : 0..99999; INIT a * a + b * b = -1"
    model = smv.read(text.encode())
    assert isinstance(model, StateSpace)
    polls = []

    def tick() -> None:
        polls.append(1)
        raise OutOfTime

    require_start(model, Budget(tick=tick))
    assert polls
