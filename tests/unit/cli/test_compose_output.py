"""The output of `pigro compose`: text, statistics, the log of rounds, and JSON."""

from __future__ import annotations

from pathlib import Path

import jsonschema
import pytest

import pigro

from support.samples.compose_examples import (
    HANDSHAKE,
    HOLDS,
    SCHEMA,
    VENDING,
    result_of,
)


def test_statistics(run):
    lines = run("compose", VENDING, "--check", "EF !thirsty", "--stats").stdout.splitlines()
    assert lines[:2] == [
        "part machine    3 states, 5 steps, labels empty, actions coin, tea, coffee",
        "part customer   3 states, 3 steps, labels thirsty, actions coin, tea, coffee",
    ]
    assert lines[2:5] == [
        "shared actions  coin, tea, coffee",
        "composed        9 states, 1 initial",
        "dead ends       stutter",
    ]
    table = next(
        at for at, line in enumerate(lines) if line.split()[:3] == ["game", "positions", "edges"]
    )
    assert lines[table].split() == ["game", "positions", "edges", "undecided", "value", "time"]
    assert lines[table + 1].split()[:5] == ["machine", "13", "18", "13", "unknown"]
    assert lines[table + 3].split()[:6] == ["machine,", "customer", "8", "8", "0", "holds"]


def test_trace(run):
    result = run("compose", HANDSHAKE, "--check", HOLDS, "--method", "refine", "--trace")
    assert "         round 1: blocks client 2, server 2\n" in result.stdout
    assert "in doubt: busy in noticed+1 of server; split\n" in result.stdout
    assert "; found out without a split\n" in result.stdout
    assert ": 8 positions, holds\n" in result.stdout
    document = result_of(run, VENDING, "--check", "EF !thirsty", "--method", "refine")
    rounds = document["results"][0]["rounds"]
    findings = [found for each in rounds for found in each["findings"]]
    assert {found["action"] for found in findings} >= {None, "coin"}
    assert rounds[-1]["findings"] == []


def test_who_was_helped_did_not_decide_alone(run):
    """In the last round the server wins alone, by what rounds on both parts have shown."""
    document = result_of(run, HANDSHAKE, "--method", "refine-one")
    told = document["results"][2]
    assert told["formula"] == "AG (busy -> AX happy)"
    assert told["layers"][-1]["parts"] == ["server"]
    assert told["decided_by"] == ["client", "server"]
    assert document["results"][0]["decided_by"] == ["client"]


def test_many_formulas_get_a_line_each(run):
    Path("many.ctl").write_text("EF busy\n" * 21)
    lines = run("compose", HANDSHAKE, "-f", "many.ctl").stdout.splitlines()
    assert len(lines) == 21 + 2
    assert lines[0].startswith("holds    ")
    assert ", 34 positions " in lines[0]
    assert lines[0].endswith(" EF busy")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--witness"], "as this run shows:"),
        (["--stats"], "game            positions"),
        (["--method", "refine", "--trace"], "round 1: blocks"),
    ],
)
def test_many_formulas_with_what_was_asked_for(run, options, words):
    Path("many.ctl").write_text("EF busy\n" * 21)
    assert run("compose", HANDSHAKE, "-f", "many.ctl", *options).stdout.count(words) == 21


CHAIN = """
part left
  labels a
  state s { a } initial
  s -> s
part right
  labels b
  state s { b } initial
  s -> s
part middle
  labels a, b
  state s { a, b } initial
  s -> s
check AG (a & b)
"""


def test_neighbours_come_next_to_each_other(run):
    Path("chain.parts").write_text(CHAIN)
    result = run("compose", "chain.parts", "--stats")
    assert "\norder         left, middle, right\n" in result.stdout
    ordered = [f"chain.parts:{name}" for name in ("left", "middle", "right")]
    assert "order" not in run("compose", *ordered, "--stats").stdout
    args = ("--witness", "--format", "json", "--output", "why.json")
    run("compose", "chain.parts", *args)
    for parts in (["chain.parts"], ordered[::-1]):
        result = run("validate-witness", *parts, "why.json")
        assert (result.exit_code, result.stdout) == (0, "accepted  holds  AG (a & b)\n")
    assert run("validate-witness", *ordered[1:], "why.json").stderr.startswith("error[P502]")


def test_refinement_of_the_others_leaves_the_first_part_first(run):
    Path("chain.parts").write_text(CHAIN)
    parts = [f"chain.parts:{name}" for name in ("right", "left", "middle")]
    document = result_of(run, *parts, "--method", "refine-one")
    assert [part["name"] for part in document["parts"]] == ["right", "middle", "left"]


def test_text_into_a_file(run):
    result = run("compose", HANDSHAKE, "--output", "out.txt", "--stats")
    assert (result.exit_code, result.stdout) == (1, "")
    assert Path("out.txt").read_text().startswith("part client   3 states")


def test_json(run):
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    document = result_of(run, HANDSHAKE, "--stats", "--check", HOLDS)
    assert list(document) == [
        "schema",
        "parts",
        "composed_states",
        "dead_ends",
        "load_seconds",
        "results",
        "warnings",
    ]
    assert document["composed_states"] == 5
    assert document["parts"][0] == {
        "name": "client",
        "states": 3,
        "steps": 4,
        "labels": ["request", "happy"],
        "actions": None,
    }
    (result,) = document["results"]
    assert result["decided_by"] == ["client", "server"]
    assert [layer["parts"] for layer in result["layers"]] == [
        ["client"],
        ["server"],
        ["client", "server"],
    ]
    assert [layer["value"] for layer in result["layers"]] == ["unknown", "unknown", "holds"]
    assert (result["full_nodes"], result["rounds"], result["symbolic"]) == (25, [], None)


def test_the_bound_on_positions_is_that_of_the_reading_of_dead_ends(run):
    """A run that may stop needs no word about whether there is a next state."""
    for dead_ends, positions in ("stutter", 30), ("stop", 10):
        for method in ("concrete", "full", "refine"):
            more = ("--method", method, "--dead-ends", dead_ends)
            document = result_of(run, HANDSHAKE, "--check", "AX request", *more)
            assert document["results"][-1]["full_nodes"] == positions


def test_dead_ends(run):
    Path("end.parts").write_text("part p\n  state s {} initial\n")
    args = ("compose", "end.parts", "--check", "EX true")
    assert run(*args).exit_code == 0
    assert run(*args, "--dead-ends", "stop").exit_code == 1


def test_more_states_than_can_be_counted(run, monkeypatch):
    def many(*_):
        raise pigro.ModelError("P213", "too many")

    monkeypatch.setattr("pigro.model.composition.Composition.states", property(many))
    result = run("compose", HANDSHAKE, "--check", HOLDS, "--stats")
    assert "full composition: too many to count" in result.stdout
    assert "composed      too many to count, 1 initial" in result.stdout
    assert result_of(run, HANDSHAKE, "--check", HOLDS)["composed_states"] is None


def test_hostile_names_stay_harmless(run):
    Path("evil.parts").write_text(
        'part "p\x1b[31m"\n  labels "l\u202e"\n  state "s\x07" {} initial\n'
        'check EF "l\u202e"\ncheck AG "l\u202e"\n',
        encoding="utf-8",
    )
    for options in ((), ("--stats", "--method", "refine", "--trace"), ("--witness",)):
        result = run("compose", "evil.parts", *options)
        assert result.exit_code in {1, 2}
        assert not set("\x1b\x07\u202e") & set(result.stdout + result.stderr)


def test_a_page_and_a_drawing_are_written(run, tmp_path):
    page, drawing = tmp_path / "why.html", tmp_path / "run.dot"
    formula = ("--check", "AG (request -> busy)")
    result = run("compose", HANDSHAKE, *formula, "--html", str(page), "--draw", str(drawing))
    assert result.exit_code == 1
    assert "client=asking, server=noticed" in page.read_text("utf-8")
    assert r"client=asking, server=noticed\nrequest" in drawing.read_text("utf-8")
    again = tmp_path / "again.dot"
    run("check", HANDSHAKE, formula[1], "--draw", str(again))
    assert again.read_bytes() == drawing.read_bytes()


def test_where_no_run_shows_it_nothing_is_drawn(run, tmp_path):
    drawing = tmp_path / "run.dot"
    result = run("compose", HANDSHAKE, "--check", "AG !(request & happy)", "--draw", str(drawing))
    assert result.exit_code == 0
    assert "nothing is drawn" in result.stderr
    assert not drawing.exists()
