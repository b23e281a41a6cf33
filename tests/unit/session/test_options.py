"""Whatever the command line can say, a program can say too, and the other way round."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import fields, replace
from typing import NamedTuple

import pytest
from click.testing import CliRunner

import pigro
from pigro.cli.check import ENGINE_NAMES, check
from pigro.cli.compose import METHODS, compose
from pigro.cli.main import cli
from pigro.engines.table import METHODS as KNOWN_METHODS
from pigro.engines.table import names_for
from pigro.formats.use_def import REQUIREMENTS
from pigro.model.kinds import Kind
from pigro.session.api import Options, request_of
from pigro.session.request import Request

PLACES = {"form", "output", "html", "draw", "stats", "list_variables", "replay", "refines"}
"""Where the results go, and what is no check."""
OTHER_NAMES = {"model": "subject", "parts": "subject", "from_": "format", "certificate": "certify"}


def test_the_command_line_says_what_a_request_says():
    said = {each.name for command in (check, compose) for each in command.params} - PLACES
    said = {OTHER_NAMES.get(name, name) for name in said}
    assert said | {"composes", "typed"} == {each.name for each in fields(Request)}
    assert said - {"subject", "formulas"} == set(Options.__annotations__)


def test_messages_name_options_as_they_were_given():
    given = Request(("one.parts",))
    typed = replace(given, typed=True)
    options = {
        each.name: [*each.opts, *each.secondary_opts]
        for command in (check, compose)
        for each in command.params
    }
    for name, known in options.items():
        field = OTHER_NAMES.get(name, name)
        if name not in PLACES and field not in {"subject", "formulas", "files"}:
            assert given.name_of(field) == field
            assert typed.name_of(field) in known


@pytest.mark.parametrize(
    ("option", "name"),
    [
        (["--certificate", "x.cert"], "--certificate"),
        (["--verify"], "--verify"),
        (["--start", "a"], "--start"),
        (["--requirement", "used"], "--requirement"),
        (["--use-def", "x"], "--use-def"),
        (["--seed", "0"], "--seed"),
        (["--semantics", "rsmcheck"], "--semantics"),
    ],
)
def test_options_for_models_are_refused_as_they_were_typed(tmp_path, monkeypatch, option, name):
    monkeypatch.chdir(tmp_path)
    pigro.save(part(), "one.parts")
    ended = CliRunner().invoke(cli, ["check", "one.parts", "AG p", *option])
    assert f"error[P006]: {name} is for models, not for compositions" in ended.stderr
    assert ended.exit_code == 2


def test_names_are_written_out_as_they_are():
    assert set(ENGINE_NAMES) == set(names_for(Kind.MODEL))
    assert METHODS == KNOWN_METHODS


def test_options_become_a_request():
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    request = request_of(model, ("EF p",), {"timeout": 3, "witness": True, "starts": ["a"]})
    assert (request.timeout, request.witness, request.starts) == (3, "full", ("a",))


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


class Named(NamedTuple):
    """A system that is a tuple of texts."""

    initial: str

    def successors(self, state: str) -> list[str]:
        """It stays."""
        return [state]

    def labels(self, _state: str) -> list[str]:
        """Always the same."""
        return ["p"]


def test_a_system_that_is_a_tuple_of_texts_is_no_list_of_files():
    assert pigro.check(Named("here"), "AG p").holds


@pytest.mark.parametrize("formula", [3, None, ["EF use_x"], b"EF use_x"])
def test_a_formula_of_another_type(tmp_path, formula):
    path = tmp_path / "small.rsm"
    pigro.save(small(), path)
    for subject in (small(), path):
        with pytest.raises(pigro.UsageError, match="formula can't be of type"):
            pigro.check(subject, formula)


def test_variables_that_are_not_there(tmp_path):
    path = tmp_path / "small.rsm"
    pigro.save(small(), path)
    for subject in (small(), path):
        with pytest.raises(pigro.UsageError, match='no variable "y"') as caught:
            pigro.check_all(subject, use_def=["y"])
        assert caught.value.code == "P008"
        assert len(pigro.check_all(subject, use_def=["x", "all"])) == 2
    with pytest.raises(pigro.UsageError, match="the model has no variables"):
        pigro.check_all(pigro.kripke({"a": ["a"]}, labels={}, initial="a"), use_def=["all"])


@pytest.mark.parametrize("name", ["files", "use_def", "starts"])
def test_one_name_is_no_list_of_names(name):
    with pytest.raises(pigro.UsageError, match=f"{name} can't be one name"):
        pigro.check_all(small(), ["EF use_x"], **{name: "all"})


def part():
    return (
        pigro.PartBuilder("one", labels=["p"]).state("a", "p", initial=True).step("a", "a").build()
    )


class System:
    """One state."""

    initial = 0

    def successors(self, state: int) -> list[int]:
        """It stays."""
        return [state]

    def labels(self, _state: int) -> list[str]:
        """Always the same."""
        return ["p"]


@pytest.mark.parametrize(
    ("subject", "options"),
    [
        (part, {"seed": 0}),
        (part, {"depth": 0}),
        (part, {"variant": ""}),
        (part, {"trace": True}),
        (System, {"seed": 0}),
        (System, {"depth": 0}),
        (System, {"trace": True}),
        (small, {"method": "full"}),
        (small, {"files": ["some.ctl"]}),
        (small, {"use_def": ["x"]}),
        (small, {"engine": "lazy", "variant": "new"}),
    ],
)
def test_no_option_is_passed_over(subject, options):
    with pytest.raises(pigro.UsageError) as caught:
        pigro.check(subject(), "AG p", **options)
    assert caught.value.code == "P006"


def test_no_option_is_passed_over_for_files_of_parts(tmp_path):
    pigro.save(part(), tmp_path / "one.parts")
    for options in ({"seed": 0}, {"depth": 0}, {"semantics": "rsmcheck"}):
        with pytest.raises(pigro.UsageError, match="is for models, not for compositions"):
            pigro.check(tmp_path / "one.parts", "AG p", **options)


def test_files_of_formulas_for_a_model(tmp_path):
    (tmp_path / "some.ctl").write_text("EF use_x\nAG def_x\n")
    found = pigro.check_all(small(), ["true"], files=[tmp_path / "some.ctl"])
    assert [each.holds for each in found] == [True, True, False]
    (tmp_path / "wrong.ctl").write_text("EF use_x\nAG (\n")
    with pytest.raises(pigro.FormulaError) as caught:
        pigro.check_all(small(), files=[str(tmp_path / "wrong.ctl")])
    assert caught.value.position.line == 2


def test_limits_that_end_while_a_file_is_read(tmp_path):
    path = tmp_path / "small.rsm"
    pigro.save(small(), path)
    with pytest.raises(TimeoutError, match="the time limit of 1e-09 s was reached while"):
        pigro.check(path, "EF use_x", timeout=1e-9)
    with pytest.raises(MemoryError, match="the memory limit of .* was reached while"):
        pigro.check_all(path, ["EF use_x"], memory=1)
    assert pigro.check(small(), "EF use_x", timeout=1e-9).holds is None


def test_requirements_by_name(tmp_path):
    pigro.save(small(), tmp_path / "small.rsm")
    for subject in (small(), tmp_path / "small.rsm"):
        with pytest.raises(pigro.UsageError, match='no requirement "none"'):
            pigro.check_all(subject, requirements=["none:all"])
        found = pigro.check_all(subject, requirements=[next(iter(REQUIREMENTS))], use_def=["x"])
        assert len(found) == 2
    pigro.save(part(), tmp_path / "one.parts")
    with pytest.raises(pigro.UsageError, match="requirements is for models"):
        pigro.check_all(tmp_path / "one.parts", ["AG p"], requirements=["none:all"])


def test_parts_from_standard_input(tmp_path):
    pigro.save(part(), tmp_path / "one.parts")
    content = (tmp_path / "one.parts").read_bytes()
    for command in (["check", "-", "--from", "parts", "AG p"], ["compose", "-", "--check", "AG p"]):
        ended = subprocess.run(
            [sys.executable, "-m", "pigro", *command],
            input=content,
            capture_output=True,
            check=False,
        )
        assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.parametrize("option", [{"refine": "one"}, {"assumption": True}, {"method": "refine"}])
def test_options_for_compositions_are_refused_for_models(option):
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    with pytest.raises(pigro.UsageError, match="is for compositions, not for models"):
        pigro.check(model, "true", **option)
