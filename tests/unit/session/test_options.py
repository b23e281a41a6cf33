"""Whatever the command line can say, a program can say too, and the other way round."""

from __future__ import annotations

import math
import subprocess
import sys
from dataclasses import fields, replace
from typing import NamedTuple

import pytest
from click.testing import CliRunner

import pigro
from pigro.cli.check import check
from pigro.cli.compose import compose
from pigro.cli.explain import explain
from pigro.cli.main import cli
from pigro.engines.table import names_for
from pigro.formats.use_def import REQUIREMENTS
from pigro.model.kinds import SubjectKind
from pigro.options import (
    BY_NAME,
    ENGINE_NAMES,
    FILE,
    GIVEN,
    METHODS,
    MODEL,
    OPTIONS,
    PARTS,
    PARTS_FILE,
    PROGRAM,
    Options,
)
from pigro.session.api import request_of
from pigro.session.request import Request

PLACES = {"form", "output", "html", "draw", "stats", "list_variables", "refines", "help_all"}
"""Where the results go, and what is no check."""
OTHER_NAMES = {"model": "subject", "parts": "subject"}


def test_the_command_line_says_what_a_request_says():
    said = {each.name for command in (check, compose) for each in command.params} - PLACES
    said = {OTHER_NAMES.get(name, name) for name in said}
    assert said | {"at", "composes", "typed"} == {each.name for each in fields(Request)}
    assert {each.name for each in explain.params} <= said | {"at", "form", "formula", "model"}
    assert said - {"subject", "formulas"} == set(Options.__annotations__)


def test_messages_name_options_as_they_were_given():
    given = Request(("one.parts",))
    typed = replace(given, typed=True)
    options = {
        each.name: [*each.opts, *each.secondary_opts]
        for command in (check, compose)
        for each in command.params
    }
    for name in BY_NAME:
        assert given.name_of(name) == name
        assert typed.name_of(name) in options[name]


def test_defaults_are_those_of_a_request():
    defaults = {each.name: each.default for each in fields(Request)}
    for each in OPTIONS:
        default = () if each.many else "none" if each.name == "witness" else each.default
        assert defaults[each.name] == default


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
    assert set(ENGINE_NAMES) == set(names_for(SubjectKind.MODEL))
    assert set(METHODS) == set(names_for(SubjectKind.COMPOSITION))


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
    assert pigro.check(small(), "EF use_x", engine="lazy", trace=True).details.steps
    with pytest.raises(pigro.UsageError, match="engine demand has no seed"):
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


SUBJECTS = {
    FILE: lambda folder: saved(folder / "small.rsm", kripke()),
    MODEL: lambda _: kripke(),
    PARTS_FILE: lambda folder: saved(folder / "one.parts", part()),
    PARTS: lambda _: part(),
    PROGRAM: lambda folder: programmed(folder / "computing.py"),
}
"""A subject for each way to give one."""
VALUES = {
    "files": ["some.ctl"],
    "use_def": ["x"],
    "requirements": ["used:x"],
    "format": None,
    "engine": "demand",
    "method": "full",
    "refine": "one",
    "predicates": ["p"],
    "hyper": False,
    "depth": 3,
    "heuristic": "all",
    "seed": 3,
    "variant": "printed",
    "trace": True,
    "certify": True,
    "verify": True,
    "assumption": True,
    "witness": True,
    "semantics": "rsmcheck",
    "dead_ends": "stop",
    "timeout": 60,
    "timeout_each": 60,
    "memory": math.inf,
    "jobs": 2,
    "strict": True,
    "vacuity": False,
    "starts": ["a"],
}
"""A value for each option, which is not the default. The format is that of the file."""
BESIDES = {
    (MODEL, "heuristic"): {"engine": "lazy"},
    (MODEL, "seed"): {"engine": "random"},
    (MODEL, "variant"): {"engine": "eager"},
    (MODEL, "trace"): {"engine": "basic"},
    (PARTS, "refine"): {"method": "refine"},
    (PARTS, "hyper"): {"method": "refine"},
    (PARTS, "assumption"): {"method": "refine"},
    (PARTS, "trace"): {"method": "refine"},
}
"""Options for engines, with an engine that takes them."""


def kripke():
    labels = {"a": ["p", "def_x", "use_x"]}
    return pigro.kripke({"a": ["a"]}, labels=labels, initial="a")


def saved(path, subject):
    pigro.save(subject, path)
    return path


def programmed(path):
    path.write_text(
        "class System:\n"
        "    initial = 0\n"
        "    def successors(self, state):\n        return [state]\n"
        "    def labels(self, state):\n        return ['p']\n"
    )
    return f"{path}:System"


def test_every_option_and_every_way_to_give_a_subject_is_in_the_tables():
    assert list(SUBJECTS) == list(GIVEN)
    assert set(VALUES) == set(BY_NAME)
    for row in OPTIONS:
        assert set(row.takers) <= set(GIVEN)


@pytest.mark.parametrize("name", VALUES)
@pytest.mark.parametrize("given", SUBJECTS)
def test_no_option_is_passed_over(tmp_path, monkeypatch, given, name):
    """An option is taken, or refused by its name."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.ctl").write_text("AG p\n")
    subject = SUBJECTS[given](tmp_path)
    key = {FILE: MODEL, PARTS_FILE: PARTS}.get(given, given)
    formats = {FILE: "rsm", PARTS_FILE: "parts"}
    values = {**VALUES, "format": formats.get(given, "rsm")}
    options = {**BESIDES.get((key, name), {}), name: values[name]}

    def ask():
        return pigro.check_all(subject, ["AG p"], **options)

    taken = given in BY_NAME[name].takers and (name != "engine" or key == MODEL)
    if given == PROGRAM and name == "format":  # then it is the name of a file
        with pytest.raises(pigro.UsageError, match="can't read"):
            ask()
    elif not taken or name == "predicates":  # which are about modules
        with pytest.raises(pigro.UsageError, match="predicate" if taken else name) as caught:
            ask()
        assert caught.value.code == "P006"
    else:
        found = ask()
        assert all(each.holds for each in found)
        assert len(found) == (2 if name in {"files", "use_def", "requirements"} else 1)


@pytest.mark.parametrize(
    ("given", "options", "message"),
    [
        (MODEL, {"engine": "lazy", "jobs": 2}, "engine lazy has no jobs"),
        (MODEL, {"engine": "lazy", "depth": 2}, "engine lazy has no depth"),
        (MODEL, {"engine": "lazy", "variant": "new"}, "there is no variant 'new'"),
        (PARTS, {"trace": True}, "method concrete has no trace"),
        (PARTS, {"hyper": False}, "method concrete has no hyper"),
        (PARTS, {"refine": "one", "method": "full"}, "method full has no refine"),
        (PARTS, {"refine": "two", "method": "refine"}, "refine can't be 'two'"),
        (PARTS, {"method": "predicates", "witness": True}, "method predicates has no witness"),
        (PARTS, {"method": "none"}, "there is no method 'none'"),
    ],
)
def test_engines_refuse_options_by_name(tmp_path, given, options, message):
    with pytest.raises(pigro.UsageError, match=message) as caught:
        pigro.check(SUBJECTS[given](tmp_path), "AG p", **options)
    assert caught.value.code == "P006"


def test_no_option_is_passed_over_for_files_of_parts(tmp_path):
    pigro.save(part(), tmp_path / "one.parts")
    for options in ({"seed": 0}, {"depth": 0}, {"semantics": "rsmcheck"}, {"jobs": 2}):
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


@pytest.mark.parametrize("given", SUBJECTS)
def test_every_subject_warns_of_brackets(tmp_path, given):
    with pytest.warns(pigro.engines.BracketWarning, match="write brackets"):
        pigro.check(SUBJECTS[given](tmp_path), "AG p U p")


@pytest.mark.parametrize("given", SUBJECTS)
def test_subjects_with_a_list_of_labels_warn_of_others(tmp_path, given):
    """`strict` is taken where there is such a warning."""
    subject = SUBJECTS[given](tmp_path)
    if given not in BY_NAME["strict"].takers:
        assert pigro.check(subject, "AG !none").holds
        return
    with pytest.warns(pigro.engines.UnknownLabelWarning, match='"none"'):
        assert pigro.check(subject, "AG !none").holds
    with pytest.raises(pigro.CheckError) as caught:
        pigro.check(subject, "AG !none", strict=True)
    assert caught.value.code == "P402"


def test_the_mu_calculus_is_refused_where_states_are_computed(tmp_path):
    for subject in (SUBJECTS[PROGRAM](tmp_path), System()):
        with pytest.raises(pigro.CheckError) as caught:
            pigro.check(subject, "nu X. p & [] X")
        assert caught.value.code == "P408"


@pytest.mark.parametrize("name", VALUES)
def test_python_objects_take_the_options_of_programs(tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "some.ctl").write_text("AG p\n")
    value = "rsm" if name == "format" else VALUES[name]
    if PROGRAM in BY_NAME[name].takers and name != "engine":
        assert all(each.holds for each in pigro.check_all(System(), ["AG p"], **{name: value}))
        return
    with pytest.raises(pigro.UsageError, match=name) as caught:
        pigro.check_all(System(), ["AG p"], **{name: value})
    assert caught.value.code == "P006"


@pytest.mark.parametrize("option", [{"refine": "one"}, {"assumption": True}, {"method": "refine"}])
def test_options_for_compositions_are_refused_for_models(option):
    model = pigro.kripke({"a": ["a"]}, labels={}, initial="a")
    with pytest.raises(pigro.UsageError, match="is for compositions, not for models"):
        pigro.check(model, "true", **option)
