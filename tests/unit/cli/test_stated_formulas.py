"""Formulas that a file states go along when it is converted."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import pigro
from pigro.formats import choose_format, rsm_json, statable, write_subject
from pigro.formats.registry import Requirement, format_named
from pigro.formats.source import open_source
from pigro.logic import Fragment, parse

LIFT = """
MODULE main
VAR floor : 0..2; up : boolean;
DEFINE top := floor = 2;
CALL door := floor = 1 & !up;
ASSIGN
  init(floor) := 0; next(floor) := up & !top ? floor + 1 : {floor, 0};
SPEC AG (floor = 0 -> EF top)
SPEC A [!top U up] | EX (up xor top)
LTLSPEC (G F up) -> ((X up) V (F top))
MODULE door
VAR state : {closed, open};
DEFINE opened := state = open;
ASSIGN init(state) := closed; next(state) := case state = closed : open; TRUE : EXIT; esac;
SPEC AF opened
SPEC EG state = closed
"""


def verdicts(path):
    source = open_source(str(path))
    model = source.model()
    found = []
    for each in source.requirements(model):
        started = model if each.initial is None else model.with_initial(each.initial)
        found.append(pigro.check(started, each.formula).holds)
    return found


@pytest.mark.parametrize("suffix", ["smv", "rsm", "json", "pigro"])
def test_the_formulas_keep_their_verdicts(tmp_path, run, suffix):
    path, other = tmp_path / "lift.smv", tmp_path / f"other.{suffix}"
    path.write_text(LIFT)
    result = run("convert", str(path), str(other))
    assert (result.exit_code, result.stderr) == (0, "")
    assert verdicts(other) == verdicts(path)
    assert len(verdicts(path)) == 5
    assert run("convert", str(other), str(tmp_path / "again.rsm")).exit_code == 0
    assert verdicts(tmp_path / "again.rsm") == verdicts(path)


def test_a_note_names_the_formulas_left_behind(tmp_path, run):
    path = tmp_path / "lamp.rsm"
    model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={"b": ["p"]}, initial="a")
    asked = ["AG EF p", "E [G F p]", "mu X. p | <> X"]
    stated = [Requirement(each, parse(each)) for each in asked]
    path.write_bytes(rsm_json.write(model, stated))
    told = {}
    for suffix in ("pds", "smv", "parts", "dot", "rsm"):
        result = run("convert", str(path), str(tmp_path / f"x.{suffix}"))
        assert result.exit_code == 0
        told[suffix] = result.stderr
    assert told == {
        "pds": "note: 3 formulas left behind: a .pds file can't state such formulas\n",
        "smv": "note: 2 of 3 formulas left behind: a .smv file can't state such formulas\n",
        "parts": "",
        "dot": "",
        "rsm": "",
    }
    assert path.read_bytes() == (tmp_path / "x.rsm").read_bytes()
    assert (
        (tmp_path / "x.parts")
        .read_text()
        .endswith("check AG EF p\ncheck E [G F p]\ncheck mu X. p | <> X\n")
    )


def test_formulas_mean_the_same_in_smv(tmp_path):
    """All operators, W and R among them, in CTL and LTL."""
    model = pigro.kripke(
        {"a": ["b", "c"], "b": ["a", "b"], "c": ["c", "a"]},
        labels={"b": ["p0"], "c": ["p0", "p1"], "a": ["p1"]},
        initial="a",
    )
    texts = [
        f"{q} [({left}) {op} ({right})]"
        for q in "AE"
        for op in "UWR"
        for left in ("p0", "!p1", "EX p0", "true")
        for right in ("p1", "AG p0", "p0 xor p1", "p0 <-> p1", "false")
    ]
    texts += [
        f"(p0 {op} p1) {with_} G {one}" for op in "UWR" for with_ in "UWR" for one in ("p0", "!p1")
    ]
    asked = [Requirement(each, parse(each)) for each in texts]
    smv = format_named("smv")
    kept, left = statable(smv, model, asked)
    assert left == 0
    (tmp_path / "x.smv").write_bytes(write_subject(smv, model, kept))
    expected = [pigro.check(model, each.formula).holds for each in asked]
    assert {True, False} <= set(expected)
    assert verdicts(tmp_path / "x.smv") == expected


@pytest.mark.parametrize(
    ("properties", "code"),
    [
        ('"AG p"', "P103"),
        ('[{"formula": 7}]', "P103"),
        ('[{"formula": "AG ("}]', "P301"),
        ('[{"formula": "p", "initial_component": "x", "initial_node": "a"}]', "P202"),
        ('[{"formula": "p", "initial_component": "kripke", "initial_node": ["x"]}]', "P203"),
        ('[{"formula": "p", "initial_component": "kripke"}]', "P210"),
    ],
)
def test_formulas_that_are_wrong(tmp_path, run, properties, code):
    model = pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a")
    text = rsm_json.write(model).decode().replace("{", f'{{"properties": {properties},', 1)
    path = tmp_path / "bad.rsm"
    path.write_text(text)
    assert run("check", str(path), "p").exit_code == 0  # formulas of the file are not looked at
    result = run("check", str(path))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error[{code}]")
    assert "bad.rsm:1:" in result.stderr


def test_starts_are_kept(tmp_path):
    model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={"b": ["p"]}, initial="a")
    asked = [Requirement("p", parse("p"), (1,)), Requirement("p", parse("p"), None)]
    for name in ("rsm", "json", "pigro"):
        path = tmp_path / f"x.{name}"
        path.write_bytes(write_subject(format_named(name), model, asked))
        assert verdicts(path) == [True, False]
        assert pigro.load(path) == model
        assert choose_format(path.read_bytes(), None, None).offer("requirements") is not None
        assert Path(path).exists()
    kept, left = statable(format_named("parts"), model, asked)
    assert (len(kept), left) == (1, 1)
    assert kept[0].formula.fragment is Fragment.PROPOSITIONAL


ALONE = """
MODULE main
VAR s : {a, b, c};
DEFINE p := s = LAST;
ASSIGN init(s) := a; next(s) := case s = a : {a, b}; TRUE : LAST; esac;
SPEC AG EF p
SPEC EF (s = b & EX p)
LTLSPEC F p
INVARSPEC s != c
"""


@pytest.mark.parametrize("options", [(), ("--engine", "demand"), ("--witness",), ("--jobs", "2")])
@pytest.mark.parametrize(("last", "first"), [("EXIT", "fails"), ("b", "holds")])
def test_one_module_read_with_ending_states(run, tmp_path, monkeypatch, last, first, options):
    """After the exit, there is a state without labels."""
    monkeypatch.chdir(tmp_path)
    Path("alone.smv").write_text(ALONE.replace("LAST", last))
    expected = [first, "holds", "fails", "holds"]
    assert run("convert", "alone.smv", "alone.rsm", "--semantics", "rmv").exit_code == 0
    for arguments in (("alone.smv", "--semantics", "rmv"), ("alone.rsm",)):
        done = run("check", *arguments, *options)
        assert done.exit_code == 1, done.stderr
        assert re.findall("^(holds|fails) ", done.stdout, re.MULTILINE) == expected
