"""`pigro compose`: what it reads, what it refuses, what it writes, how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

import pigro
from pigro import _core
from pigro.cli.compose import METHODS
from pigro.engines.game import METHODS as ENGINE_METHODS
from pigro.engines.game.checking import decide

from children import PATIENCE, wait_until_working

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
SCHEMAS = Path(pigro.__file__).parent / "schemas"
SYMBOLIC = {
    **dict.fromkeys(("variables", "nodes", "rounds_alone", "rounds"), 0),
    "alone": [],
    "second_step": False,
    "package": "autoref",
}
SCHEMA = json.loads((SCHEMAS / "composition.schema.json").read_bytes())
HANDSHAKE, VENDING = str(EXAMPLES / "handshake.parts"), str(EXAMPLES / "vending.parts")
SENDER, RECEIVER = str(EXAMPLES / "sender.smv"), str(EXAMPLES / "receiver.smv")
ALTERNATING = "nu X. mu Y. <> (thirsty & X | Y)"
HOLDS, FAILS = "EF busy", "AG (request -> busy)"
OPEN = """
part sure
  labels p
  state s { p? } initial
  s ~> s
"""


@pytest.fixture
def deeds(monkeypatch):
    """Makes checks do what the list says, formula by formula; then they are as always."""

    def install(*listed):
        left = list(listed)

        def acting(*args, **options):
            deed = left.pop(0) if left else None
            if deed is not None:
                raise deed
            return decide(*args, **options)

        monkeypatch.setattr("pigro.engines.game.checking.decide", acting)

    return install


@pytest.fixture
def dense(run):
    """A file of parts that takes long to compose."""
    lines = []
    for part in range(6):
        lines += [f"part p{part}", f"  labels l{part}", "  state s0 {} initial"]
        lines += [f"  state s{state} {{ l{part} }}" for state in range(1, 8)]
        all_of_them = ", ".join(f"s{state}" for state in range(8))
        lines += [f"  s{state} -> {all_of_them}" for state in range(8)]
    Path("dense.parts").write_text("\n".join(lines))
    return "dense.parts", "--check", "AG (l0 | l1 | l2 | l3 | l4 | EF l5)"


def result_of(run, *args):
    done = run("compose", *args, "--format", "json")
    document = json.loads(done.stdout)
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    return document


def test_methods_are_those_of_the_engine():
    assert METHODS == ENGINE_METHODS


def test_what_a_file_says_is_checked(run):
    result = run("compose", HANDSHAKE)
    assert (result.exit_code, result.stderr) == (1, "")
    lines = result.stdout.splitlines()
    assert lines[0] == "holds    AG !(request & happy)"
    assert lines[1].startswith("         part client decides it alone, whatever the others do; ")
    assert lines[2] == "         game positions: 19 on one part (full composition: at most 35)"
    assert (
        lines[5]
        == "         game positions: 13 + 13 on single parts, 8 on several parts (full composition: at most 25)"
    )
    assert lines[-1].startswith("3 hold, 1 fails, ")


@pytest.mark.parametrize("method", METHODS)
def test_methods_agree(run, method):
    document = result_of(run, HANDSHAKE, "--method", method)
    assert [each["verdict"] for each in document["results"]] == ["holds"] * 3 + ["fails"]
    assert {each["method"] for each in document["results"]} == {method}
    assert (document["results"][0]["decided_by"] == ["client"]) is (method != "full")
    if method == "symbolic":
        return
    document = result_of(run, VENDING, "--method", method)
    assert [each["verdict"] for each in document["results"]] == ["holds"] * 2 + ["fails"] * 2


def test_formulas_are_those_of_the_person_then_those_of_files(run):
    Path("more.ctl").write_text("# one more\nnu Z. <> Z\n")
    document = result_of(run, HANDSHAKE, "-f", "more.ctl", "--check", FAILS, "--check", HOLDS)
    assert [each["formula"] for each in document["results"]] == [FAILS, HOLDS, "nu Z. <> Z"]


def test_formulas_from_standard_input(run):
    result = run("compose", HANDSHAKE, "-f", "-", stdin="EF busy\n")
    assert (result.exit_code, result.stdout.splitlines()[0]) == (0, "holds    EF busy")


def test_parts_from_several_files(run):
    result = run("compose", SENDER, RECEIVER, "--check", "AG (message -> AF ack)")
    assert result.exit_code == 0
    assert "decided on the composition of all parts" in result.stdout
    alone = run("compose", SENDER, "--check", "AG (message -> AF ack)")
    assert alone.exit_code == 1
    assert "there is one part only" in alone.stdout


def test_parts_by_name(run):
    document = result_of(run, f"{HANDSHAKE}:server", f"{HANDSHAKE}:client")
    assert [part["name"] for part in document["parts"]] == ["server", "client"]
    assert len(document["results"]) == 4  # what the file says is asked once


def test_a_model_without_calls_is_a_part(run):
    pigro.save(pigro.kripke({"a": ["a"]}, labels={"a": ["p"]}, initial="a"), "one.rsm")
    assert run("compose", "one.rsm", "--check", "AG p").exit_code == 0


@pytest.mark.parametrize(
    ("formulas", "what", "code"),
    [
        ([HOLDS], [], 0),
        ([HOLDS, FAILS], [], 1),
        ([HOLDS, FAILS], [None, ZeroDivisionError()], 4),
        ([FAILS, HOLDS], [None, KeyboardInterrupt()], 130),
    ],
)
def test_exit_codes(run, deeds, formulas, what, code):
    deeds(*what)
    checks = [word for formula in formulas for word in ("--check", formula)]
    assert run("compose", HANDSHAKE, *checks).exit_code == code


def test_what_the_parts_leave_open_is_unknown(run):
    Path("open.parts").write_text(OPEN)
    result = run("compose", "open.parts", "--check", "AG p", "--stats")
    assert result.exit_code == 3
    assert "the parts leave open whether " in result.stdout
    assert "not concrete" in result.stdout
    assert result_of(run, "open.parts", "--check", "AG p")["results"][0]["decided_by"] == []


def test_time_limit(run, dense):
    result = run("compose", *dense, "--check", "EF l0", "--timeout", "30ms")
    assert result.exit_code == 3
    assert "no verdict within the time limit of 0.03 s" in result.stdout
    assert result.stdout.splitlines()[-1].startswith("2 unknown, ")


def test_a_small_memory_limit(run):
    result = run("compose", HANDSHAKE, "--memory", "1k")
    assert (result.exit_code, result.stdout) == (3, "")
    assert "the memory limit of 1 kB was reached while the input was read" in result.stderr


def test_memory_limit(run, dense):
    limit = _core.resident_memory() // 10**6 + 40
    result = run("compose", *dense, "--method", "full", "--memory", f"{limit}M")
    assert result.exit_code == 3
    assert f"no verdict within the memory limit of {limit:,} MB" in result.stdout


def test_refinement_decides_what_is_too_large_to_compose(run, dense):
    result = run("compose", *dense, "--method", "refine", "--timeout", "30s")
    assert result.exit_code == 0
    assert "full composition: at most 4,980,736" in result.stdout
    assert "blocks: p0 2 of 8, p1 2 of 8" in result.stdout


def test_interrupted_prints_what_is_finished(run, deeds):
    deeds(None, KeyboardInterrupt())
    result = run("compose", HANDSHAKE)
    assert result.stdout.startswith("holds    AG !(request & happy)\n")
    assert result.stdout.splitlines()[-1].startswith("1 holds, ")
    assert result.stderr == "warning: interrupted: 1 of 4 formulas were checked\n"


def test_interrupted_writes_what_is_finished(run, deeds):
    deeds(None, KeyboardInterrupt())
    result = run("compose", HANDSHAKE, "--format", "json", "--output", "out.json")
    written = json.loads(Path("out.json").read_bytes())
    jsonschema.Draft202012Validator(SCHEMA).validate(written)
    assert (result.exit_code, result.stdout, len(written["results"])) == (130, "", 1)
    assert written["warnings"] == ["interrupted: 1 of 4 formulas were checked"]


def test_a_real_interrupt_in_the_middle_of_a_game(dense):
    command = [sys.executable, "-m", "pigro", "compose", dense[0], "--check", "EF l0", *dense[1:]]
    environment = {**os.environ, "PYTHONPATH": str(Path(pigro.__file__).parent.parent)}
    with subprocess.Popen(
        [*command, "--method", "full"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**environment, "PYTHONUNBUFFERED": "1"},
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    ) as child:
        wait_until_working(child)
        child.send_signal(signal.SIGINT)
        _, stderr = child.communicate(timeout=PATIENCE)
    assert child.returncode == 130
    assert b"interrupted" in stderr


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
    table = next(at for at, line in enumerate(lines) if line.split()[:1] == ["game"])
    assert lines[table].split() == ["game", "nodes", "edges", "undecided", "value", "time"]
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
    assert ", 34 nodes " in lines[0]
    assert lines[0].endswith(" EF busy")


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (["--witness"], "a strategy of "),
        (["--stats"], "game            nodes"),
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
        result = run("compose", *parts, "--replay", "why.json")
        assert (result.exit_code, result.stdout) == (0, "right  holds  AG (a & b)\n")
    assert run("compose", *ordered[1:], "--replay", "why.json").stderr.startswith("error[P502]")


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


def test_labels_that_no_part_sees(run):
    result = run("compose", HANDSHAKE, "--check", "EF bsuy", "--check", "EF zebra")
    assert result.exit_code == 1
    assert result.stderr.startswith("warning: 2 labels are seen by no part, so false everywhere: ")
    assert 'did you mean "busy"?' in result.stderr
    strict = run("compose", HANDSHAKE, "--check", "EF bsuy", "--strict")
    assert (strict.exit_code, strict.stdout) == (2, "")
    assert strict.stderr.startswith("error[P402]: 1 label is seen by no part")


def test_labels_that_may_be_something_else(run):
    result = run("compose", VENDING, "--check", "EF coin", "--check", "mu X. empty | <> Y")
    assert '"coin" (an action: `<coin> true` says that there is a step by it)' in result.stderr
    assert '"Y" (or a variable that nothing binds?)' in result.stderr


@pytest.mark.parametrize(
    ("formula", "instead"),
    [
        ("G F empty", "for the others, `A [G F p]` is `AG AF p`"),
        ("A [F G empty]", "for the others, `A [F G p]` is `mu X. nu Y. AX ((p | X) & Y)`"),
        ("AG E [G F EX empty]", "for the others, `E [G F p]` is `nu X. mu Y. EX (p & X | Y)`"),
        ("thirsty | E [F G empty]", "for the others, `E [F G p]` is `EF EG p`"),
        ("G F empty -> G F thirsty", "check LTL and CTL*\n"),
        ("G F X empty", "check LTL and CTL*\n"),
        ("G X F empty", "check LTL and CTL*\n"),
    ],
)
def test_what_ltl_says_in_other_words(run, formula, instead):
    asked = ("compose", VENDING, "--check", formula, "--method", "refine")
    result = run(*asked)
    assert result.exit_code == 2
    assert instead in result.stderr
    assert "infinite" not in result.stderr
    stopping = run(*asked, "--dead-ends", "stop")
    assert ("of infinite runs" in stopping.stderr) == ("Y" in instead)


@pytest.mark.parametrize(
    ("args", "code", "words"),
    [
        ([HANDSHAKE, "--check", "EF ("], "P301", "-->"),
        ([HANDSHAKE, "--check", "G F busy", "--method", "refine"], "P401", "only the methods"),
        ([HANDSHAKE, "--check", "A [F G busy]", "--method", "refine"], "P401", "only the methods"),
        ([HANDSHAKE, "--check", "<coin> busy"], "P410", "write <> or []"),
        ([VENDING, "--check", "<cion> true"], "P410", 'did you mean "coin"?'),
        ([SENDER, VENDING, "--check", "EF p"], "P220", "parts share either labels or actions"),
        ([HANDSHAKE, HANDSHAKE], "P131", "a second compose"),
        ([f"{HANDSHAKE}:cleint"], "P009", 'did you mean "client"?'),
        (["no.parts"], "P001", "no.parts"),
        (
            [HANDSHAKE, "EF busy"],
            "P001",
            "hint: formulas are given with --check: --check 'EF busy'",
        ),
        ([SENDER], "P002", "--check"),
        ([HANDSHAKE, "--method", "fulll"], "P006", 'did you mean "full"?'),
        ([HANDSHAKE, "--trace"], "P006", "--method refine"),
        ([HANDSHAKE, "--method", "symbolic", "--witness"], "P006", "symbolic"),
        ([HANDSHAKE, "--output", "no/out.txt"], "P003", "its folder does not exist"),
        ([str(EXAMPLES / "walk.rsm"), "--check", "EF p"], "P222", "calls"),
        ([HANDSHAKE, "-f", "-", "-f", "-"], "P001", "only once"),
    ],
)
def test_what_is_refused(run, args, code, words):
    result = run("compose", *args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error[{code}]: ")
    assert words in result.stderr


def test_the_symbolic_method_takes_parts_with_actions(run):
    pytest.importorskip("dd")
    checks = ("--check", "AG [coin] <tea> true", "--check", "<coin> <coffee> true")
    result = run("compose", VENDING, *checks, "--method", "symbolic")
    assert result.exit_code == 1
    assert "1 holds, 1 fails" in result.stdout
    beyond = run("compose", VENDING, "--check", ALTERNATING, "--method", "symbolic")
    assert beyond.stderr.startswith("error[P409]: the formula is not alternation-free")
    misspelt = run("compose", VENDING, "--check", "<cion> true", "--method", "symbolic")
    assert 'no part has the action "cion"' in misspelt.stderr


def test_composed_states_that_may_be_missing(run):
    Path("doubt.parts").write_text(
        "part a\n labels r\n state x {r?} initial\npart b\n labels r\n state y {r} initial\n"
    )
    result = run("compose", "doubt.parts", "--check", "r", "--check", "!r", "--stats")
    assert "composed      at most 1 state, at most 1 initial" in result.stdout
    assert (result.exit_code, "1 holds, 1 unknown" in result.stdout) == (3, True)


def test_a_file_of_which_nothing_is_composed(run):
    result = run("compose", HANDSHAKE, VENDING, "--check", HOLDS)
    assert result.exit_code == 0
    assert result.stderr == (
        f"warning: nothing of {VENDING} (machine, customer) is composed: another file says what is\n"
    )


def test_no_part(run):
    result = run("compose", "--check", "EF p")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "PART" in result.stderr


def test_an_empty_file_of_formulas(run):
    Path("none.ctl").write_text("# nothing\n")
    assert run("compose", HANDSHAKE, "-f", "none.ctl").stderr.startswith("error[P002]")


def test_open_parts_are_not_refined(run):
    Path("open.parts").write_text(OPEN)
    result = run("compose", "open.parts", "--check", "AG p", "--method", "refine")
    assert result.exit_code == 2
    assert result.stderr.startswith('error[P410]: part "sure" has unknown labels')


def test_what_does_not_fit_the_parts_is_told_once(run):
    Path("open.parts").write_text("part open\n  labels p\n  actions a\n  state s { p? } initial\n")
    checks = ("--check", "AG p", "--check", "EF p", "--check", "<b> true")
    result = run("compose", "open.parts", *checks, "--method", "refine")
    assert result.stderr.startswith('error[P410]: part "open" has unknown labels')
    assert result.stderr.count("error[") == 2
    assert 'error[P410]: no part has the action "b"' in result.stderr


def test_an_input_is_never_written_to(run):
    Path("my.parts").write_text("part p\n  state s {} initial\ncheck true\n")
    for part in ("my.parts", "my.parts:p"):
        result = run("compose", part, "--output", "my.parts")
        assert result.stderr == "error[P003]: can't write my.parts: it is an input of this run\n"


def test_all_that_is_wrong_is_told_in_one_run(run):
    Path("bad.parts").write_text("part p\n  stat s\n")
    Path("bad.ctl").write_text("EF (\nEF p\nmu X. !X\n")
    result = run("compose", "bad.parts", "no.smv", "--check", "p &", "-f", "bad.ctl")
    codes = [line[6:10] for line in result.stderr.splitlines() if line.startswith("error[")]
    assert codes[:4] == ["P130", "P001", "P301", "P301"]
    assert len(codes) == 5
    assert "--> bad.parts:2:8" in result.stderr
    assert "bad.ctl:3" in result.stderr


def test_what_a_file_says_wrongly_is_told_with_its_line(run):
    Path("own.parts").write_text("part p\n  state s {} initial\ncheck EF q\ncheck <a> p\n")
    result = run("compose", "own.parts")
    assert result.exit_code == 2
    assert "--> own.parts:4" in result.stderr


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


@pytest.mark.parametrize("form", ["text", "json"])
def test_check_of_parts_is_compose(run, form):
    def told(result):
        return re.sub(r"[0-9.e-]+ ?(ms|s\b)|seconds.: [0-9.e-]+", "TIME", result.stdout)

    one = run("check", HANDSHAKE, "EF busy", "--format", form)
    other = run("compose", HANDSHAKE, "--check", "EF busy", "--format", form)
    assert (one.exit_code, told(one)) == (other.exit_code, told(other))
    assert run("check", HANDSHAKE).exit_code == run("compose", HANDSHAKE).exit_code


@pytest.mark.parametrize(
    "options",
    [("--depth", "3"), ("--verify",), ("--start", "a"), ("--html", "x.html"), ("--engine", "lazy")],
)
def test_options_of_models_are_refused_for_parts(run, options):
    result = run("check", HANDSHAKE, "EF busy", *options)
    assert result.exit_code == 2
    assert "not for compositions" in result.stderr or "not compositions" in result.stderr


def test_witness_as_text(run):
    result = run("compose", HANDSHAKE, "--check", HOLDS, "--witness")
    assert "a strategy of " in result.stdout
    assert "strategy" not in run("compose", HANDSHAKE, "--check", HOLDS).stdout


@pytest.mark.parametrize("method", ["concrete", "refine", "refine-one", "full"])
@pytest.mark.parametrize("file", [HANDSHAKE, VENDING], ids=["handshake", "vending"])
def test_replay(run, file, method):
    args = ("compose", file, "--witness", "--format", "json", "--output", "why.json")
    assert run(*args, "--method", method).exit_code == 1
    document = json.loads(Path("why.json").read_bytes())
    jsonschema.Draft202012Validator(SCHEMA).validate(document)
    assert all(each["evidence"]["schema"] == "pigro.strategy/1" for each in document["results"])
    result = run("compose", file, "--replay", "why.json")
    assert result.exit_code == 0
    told = [line.split()[:2] for line in result.stdout.splitlines()]
    assert told[: len(document["results"])] == [
        ["right", each["verdict"]] for each in document["results"]
    ]
    refined = method.startswith("refine")
    assert result.stdout.count("not judged  rounds of refinement") == refined
    assert len(told) == len(document["results"]) + refined


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"reason": "part client decides it alone, whatever the others do"}, "the reason is not"),
        ({"method": "guess"}, "there is no such method"),
        ({"method": "symbolic"}, "the symbolic method has no evidence"),
        ({"symbolic": SYMBOLIC}, "the symbolic method has no evidence"),
        ({"full_nodes": 1}, "the game in full has another number of nodes"),
        ({"decided_by": ["client"]}, "the strategy needs other parts"),
        ({"decided_by": ["server", "client"]}, "these are not parts"),
        ({"decided_by": []}, "these are not parts"),
        ({"formula": "AG ((request -> busy))"}, "the evidence is for another formula"),
    ],
)
def test_replay_judges_all_that_results_say(run, change, words):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    document = json.loads(Path("why.json").read_bytes())
    document["results"][3].update(change)
    Path("why.json").write_text(json.dumps(document))
    result = run("compose", HANDSHAKE, "--replay", "why.json")
    assert result.exit_code == 1
    formula = document["results"][3]["formula"]
    assert f"wrong  fails  {formula}\n       {words}" in result.stdout
    document["results"][3]["evidence"]["formula"] = "AG ((request -> busy))"
    Path("why.json").write_text(json.dumps(document))
    if words != "the evidence is for another formula":
        assert "another formula" in run("compose", HANDSHAKE, "--replay", "why.json").stdout


@pytest.mark.parametrize("at, value", [(0, "holds"), (0, "fails"), (2, "holds")])
def test_replay_judges_the_values_of_games(run, at, value):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    document = json.loads(Path("why.json").read_bytes())
    layers = document["results"][3]["layers"]
    assert [each["value"] for each in layers] == ["unknown", "unknown", "fails"]
    layers[at]["value"] = value
    Path("why.json").write_text(json.dumps(document))
    result = run("compose", HANDSHAKE, "--replay", "why.json")
    assert result.exit_code == 1
    assert "a game has a value that is not shown" in result.stdout


def test_replay_of_what_is_wrong(run):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    document = json.loads(Path("why.json").read_bytes())
    first, second, third, fourth = document["results"]
    first["verdict"] = "fails"
    second["evidence"]["layers"][0]["claims"].pop()
    fourth["formula"] = "true"
    Path("why.json").write_text(json.dumps(document))
    result = run("compose", HANDSHAKE, "--replay", "why.json")
    words = [line.split()[0] for line in result.stdout.splitlines() if line[0] != " "]
    assert (result.exit_code, words) == (1, ["wrong", "wrong", "right", "wrong"])
    assert "the evidence is for another formula or verdict than the result" in result.stdout
    Path("one.json").write_text(json.dumps(third["evidence"]))
    assert run("compose", HANDSHAKE, "--replay", "one.json").exit_code == 0


@pytest.mark.parametrize(
    ("content", "code"),
    [
        ("[", "P503"),
        ("{}", "P503"),
        ('{"results": [{"evidence": 1}]}', "P503"),
        ("[" * 9**5, "P503"),
    ],
    ids=range(4),
)
def test_replay_of_no_evidence(run, content, code):
    Path("why.json").write_text(content)
    result = run("compose", HANDSHAKE, "--replay", "why.json")
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith(f"error[{code}]")


def test_replay_with_other_parts_or_options(run):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    assert run("compose", VENDING, "--replay", "why.json").stderr.startswith("error[P502]")
    assert run("compose", "no.parts", "--replay", "why.json").stderr.startswith("error[P001]")
    for options in (
        ["--check", "p"],
        ["--stats"],
        ["--output", "x"],
        ["--format", "json"],
        ["--dead-ends", "stutter"],
        ["--method", "full"],
        ["--strict"],
        ["--timeout", "3s"],
        ["--memory", "3G"],
    ):
        result = run("compose", HANDSHAKE, "--replay", "why.json", *options)
        assert result.stderr.startswith(f"error[P006]: --replay and {options[0]} don't go together")
    result = run("validate-witness", str(EXAMPLES / "mutex.smv"), "why.json")
    assert result.stderr.startswith("error[P502]: ")


def test_replay_tells_what_has_no_evidence(run):
    Path("open.parts").write_text(OPEN)
    checks = ("--check", "true", "--check", "AG p")
    run("compose", "open.parts", *checks, "--witness", "--format", "json", "--output", "why.json")
    result = run("compose", "open.parts", "--replay", "why.json")
    assert (result.exit_code, result.stdout) == (
        0,
        "right  holds  true\nno evidence  unknown  AG p\n",
    )
    document = json.loads(Path("why.json").read_bytes())
    document["results"][1]["verdict"] = "fails"
    Path("why.json").write_text(json.dumps(document))
    result = run("compose", "open.parts", "--replay", "why.json")
    assert (result.exit_code, result.stdout.splitlines()[1]) == (1, "no evidence  fails  AG p")


@pytest.mark.parametrize(
    ("field", "value", "code", "words"),
    [
        ("dead_ends", "stop", 1, "the evidence reads dead ends as stutter, the results do not"),
        ("schema", "pigro.result/1", 2, "error[P503]: no evidence here: the schema is not"),
        ("parts", [], 2, "error[P502]: the results are about other parts"),
        ("results", [{"formula": "true"}], 2, "error[P503]: no evidence here: Object missing"),
        ("results", [], 2, "no result has evidence"),
        ("composed_states", 7, 1, "it has another number of composed states"),
        ("warnings", ["1 label is seen by no part, so false everywhere"], 1, "see other labels"),
        ("warnings", ["all is well"], 0, "not judged  warning  all is well"),
        ("proof", "none", 2, "unknown field"),
    ],
)
def test_replay_of_results_that_were_changed(run, field, value, code, words):
    run("compose", HANDSHAKE, "--witness", "--format", "json", "--output", "why.json")
    document = json.loads(Path("why.json").read_bytes()) | {field: value}
    Path("why.json").write_text(json.dumps(document))
    result = run("compose", HANDSHAKE, "--replay", "why.json")
    assert result.exit_code == code
    assert words in result.stdout + result.stderr


def test_evidence_beyond_the_limits_is_missed(run, monkeypatch):
    def bare(*args, witness, **options):
        return decide(*args, **options)

    monkeypatch.setattr("pigro.engines.game.checking.decide", bare)
    result = run("compose", HANDSHAKE, "--witness")
    assert result.stderr == (
        "warning: 4 verdicts have no evidence: to find it took more than the limits\n"
    )
