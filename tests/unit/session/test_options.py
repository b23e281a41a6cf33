"""Whatever the command line can say, a program can say too, and the other way round."""

from __future__ import annotations

from dataclasses import fields

import pytest

import pigro
from pigro.cli.check import ENGINE_NAMES, check
from pigro.cli.compose import METHODS, compose
from pigro.engines import TABLE
from pigro.engines.game import METHODS as KNOWN_METHODS
from pigro.session.api import Options, request_of
from pigro.session.request import Request

PLACES = {"form", "output", "html", "draw", "stats", "list_variables", "replay"}
"""Where the results go, and what is no check."""
OTHER_NAMES = {"model": "subject", "parts": "subject", "from_": "format", "certificate": "certify"}


def test_the_command_line_says_what_a_request_says():
    said = {each.name for command in (check, compose) for each in command.params} - PLACES
    said = {OTHER_NAMES.get(name, name) for name in said}
    limits = {"timeout", "timeout_each", "memory"}
    assert said - limits | {"limits", "composes"} == {each.name for each in fields(Request)}
    assert said - {"subject", "formulas"} == set(Options.__annotations__)


def test_names_are_written_out_as_they_are():
    assert set(ENGINE_NAMES) == set(TABLE)
    assert METHODS == KNOWN_METHODS


def test_options_become_a_request():
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    request = request_of(model, ("EF p",), {"timeout": 3, "witness": True, "starts": ["a"]})
    assert (request.limits.seconds, request.witness, request.starts) == (3, "full", ("a",))


def test_an_option_that_is_not_there():
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    with pytest.raises(TypeError, match="unexpected keyword argument 'wittness'"):
        pigro.check(model, "EF true", wittness=True)


def small():
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start", labels=["def_x"])
    main.exit("out", labels=["use_x"])
    main.edge("start", "out")
    return model.build(initial="main:start")


def test_options_of_engines():
    assert pigro.check(small(), "EF use_x", engine="lazy", heuristic="all", seed=3).holds
    assert pigro.check(small(), "EF use_x", engine="lazy", trace=True).steps
    with pytest.raises(pigro.UsageError, match="engine demand has no --seed"):
        pigro.check(small(), "EF use_x", engine="demand", seed=3)


def test_starts_and_variables():
    assert pigro.check(small(), "use_x").holds is False
    assert pigro.check(small(), "use_x", starts=["main:out"]).holds
    (verdict,) = pigro.check_all(small(), use_def=["all"])
    assert verdict.holds


def test_files(tmp_path):
    path = tmp_path / "small.rsm"
    pigro.save(small(), path)
    (tmp_path / "some.ctl").write_text("EF use_x\nAG def_x\n")
    assert pigro.check(path, "EF use_x", semantics="rsmcheck").holds
    found = pigro.check_all(str(path), files=[str(tmp_path / "some.ctl")], use_def=["x"])
    assert [each.holds for each in found] == [True, False, True]
    with pytest.raises(pigro.FormulaError):
        pigro.check(path, "EF (")
    with pytest.raises(pigro.UsageError, match="for files"):
        pigro.check(small(), "EF use_x", semantics="rsmcheck")
