"""`pigro compose --method symbolic`: evidence, partial evidence, and refinement."""

import json

import jsonschema
import pytest

from support.samples.compose_examples import EXAMPLES, SCHEMA, result_of

pytest.importorskip("dd.autoref")
HANDSHAKE = str(EXAMPLES / "handshake.parts")
COUNTER = "MODULE main\nVAR c : 0..40;\n" + "".join(f"b{i} : boolean;\n" for i in range(30))
COUNTER += "ASSIGN init(c) := 0; next(c) := case c < 40 : c + 1; TRUE : c; esac;\n"
KEPT = COUNTER + "".join(f"next(b{i}) := b{i};\ninit(b{i}) := FALSE;\n" for i in range(30))
OPEN = "part open\n labels p, j\n state s { p?, j } initial\n s -> s\n"


@pytest.fixture
def counter(tmp_path):
    """A counter beside 30 booleans, which may have any value at any time."""
    file = tmp_path / "counter.smv"
    file.write_text(COUNTER)
    return str(file)


def shown(run, folder, *args):
    """Results with evidence, and what `validate-witness` says of them."""
    file = folder / "why.json"
    run(
        "compose",
        *args,
        "--method",
        "symbolic",
        "--witness",
        "--format",
        "json",
        "--output",
        str(file),
    )
    results = json.loads(file.read_text())
    jsonschema.validate(results, SCHEMA)
    parts = [each for each in args if each.endswith((".smv", ".parts"))]
    return results["results"], run("validate-witness", *parts, str(file))


def test_a_module_that_is_not_listed(run, tmp_path, counter):
    found, judged = shown(run, tmp_path, counter, "--check", 'AG !("c = 40" & b0)')
    assert (found[0]["verdict"], found[0]["method"]) == ("fails", "symbolic")
    assert len(found[0]["evidence"]["layers"][0]["claims"]) > 80
    assert "partial" not in found[0]["evidence"]
    assert judged.exit_code == 0, judged.output
    assert judged.stdout.startswith("accepted  fails")


def test_every_state_counts(run, tmp_path):
    file = tmp_path / "kept.smv"
    file.write_text(KEPT)
    found, judged = shown(run, tmp_path, str(file), "--check", 'AF "c = 40"', "--check", "AG !b3")
    assert [each["verdict"] for each in found] == ["holds", "holds"]
    assert judged.exit_code == 0, judged.output


def test_too_large_a_strategy_is_shown_in_part(run, tmp_path, counter):
    args = (counter, "--check", 'AF "c = 40"')
    found, judged = shown(run, tmp_path, *args)
    assert (found[0]["verdict"], found[0]["evidence"]["partial"]) == ("holds", True)
    assert judged.exit_code == 1
    assert judged.stdout.startswith("no evidence  holds")
    assert "right as far as it goes" in judged.stdout
    text = run("compose", *args, "--method", "symbolic", "--witness").stdout
    assert "a strategy wins that is too large to show" in text


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (lambda claims: claims.pop(30), "rests on one that is not there"),
        (lambda claims: claims[1]["states"].__setitem__(0, "41"), "there is no state"),
        (lambda claims: claims[1]["states"].__setitem__(0, "0,TRUE"), "there is no state"),
    ],
)
def test_damaged_evidence_is_wrong(run, tmp_path, counter, change, problem):
    file = tmp_path / "why.json"
    args = [counter, "--check", 'AG !("c = 40" & b0)', "--method", "symbolic", "--witness"]
    run("compose", *args, "--format", "json", "--output", str(file))
    document = json.loads(file.read_text())
    change(document["results"][0]["evidence"]["layers"][0]["claims"])
    file.write_text(json.dumps(document))
    judged = run("validate-witness", counter, str(file))
    assert judged.exit_code == 1
    assert any(each in judged.stdout for each in problem.split("|")), judged.stdout


@pytest.mark.parametrize("strategy", ["many", "one"])
def test_refinement(run, tmp_path, strategy):
    found, judged = shown(run, tmp_path, HANDSHAKE, "--refine", strategy)
    assert [each["verdict"] for each in found] == ["holds", "holds", "holds", "fails"]
    assert all(each["rounds"] for each in found)
    assert judged.exit_code == 0, judged.output


def test_refinement_lists_no_states(run, tmp_path):
    file = tmp_path / "kept.smv"
    file.write_text(KEPT)
    args = [str(file), "--check", "AG !b3", "--method", "symbolic", "--refine", "many"]
    (result,) = result_of(run, *args)["results"]
    assert result["verdict"] == "holds"
    assert result["rounds"][-1]["blocks"] == [2]


def test_rounds_are_traced(run):
    args = [HANDSHAKE, "--check", "EF busy", "--method", "symbolic"]
    assert "in doubt: " in run("compose", *args, "--refine", "one", "--trace").stdout
    refused = run("compose", *args, "--trace")
    assert (refused.exit_code, "add --refine" in refused.stderr) == (2, True)


@pytest.mark.parametrize("method", [["predicates"], ["symbolic", "--refine", "many"]])
def test_other_causes_are_looked_at_if_the_first_stays_open(run, tmp_path, method):
    """The nearest cause lies in a part that is as it is, and another one decides the formula."""
    (tmp_path / "open.parts").write_text(OPEN)
    (tmp_path / "m.smv").write_text(
        "MODULE main\nVAR x : 0..9; j : boolean;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 10;\n"
        "init(j) := TRUE; next(j) := TRUE;\n"
    )
    files = [str(tmp_path / "open.parts"), str(tmp_path / "m.smv")]
    (result,) = result_of(run, *files, "--check", 'AG (p | EF "x = 7")', "--method", *method)[
        "results"
    ]
    assert result["verdict"] == "holds"


def test_what_is_left_open(run, tmp_path):
    (tmp_path / "open.parts").write_text(OPEN)
    done = run("compose", str(tmp_path / "open.parts"), "--check", "p", "--method", "symbolic")
    assert "the parts leave open whether p is true in open=s" in done.stdout


def wide(folder):
    """A module whose states have 2 ** 14 steps."""
    file = folder / "wide.smv"
    bits = range(14)
    declared = "".join(f"a{i} : boolean;\n" for i in bits)
    starts = "".join(f"init(a{i}) := FALSE;\n" for i in bits)
    file.write_text(f"MODULE main\nVAR\n{declared}ASSIGN\n{starts}")
    return file


def test_a_state_with_too_many_steps_is_met_twice(run, tmp_path):
    """Its steps were taken for none the second time, and the evidence could not be judged."""
    file = wide(tmp_path)
    formula = "AX (a0 | !a0) & AX (a1 | !a1)"
    found, judged = shown(run, tmp_path, str(file), "--check", formula)
    assert (found[0]["verdict"], found[0]["evidence"]["partial"]) == ("holds", True)
    assert judged.exit_code == 1, judged.output
    assert "right as far as it goes" in judged.output


def test_a_claim_about_too_many_steps_is_not_judged(run, tmp_path):
    """The other results of the file are judged all the same."""
    module = str(wide(tmp_path))
    formulas = ["EX a0", "AX (a0 | !a0)", "EX a1"]
    asked = [word for each in formulas for word in ("--check", each)]
    shown(run, tmp_path, module, *asked)
    file = tmp_path / "why.json"
    document = json.loads(file.read_text())
    strategy = document["results"][1]["evidence"]
    claims = strategy["layers"][0]["claims"]
    claims.append({**claims[0], "formula": 4})
    strategy["subformulas"].insert(2, {"number": 4, "text": "[] (a0 | !a0)"})
    file.write_text(json.dumps(document))
    judged = run("validate-witness", module, str(file))
    assert judged.exit_code == 1, judged.output
    first, second, why, third, _ = judged.stdout.splitlines()
    assert (first, third) == ("accepted  holds  EX a0", "accepted  holds  EX a1")
    assert second == "not judged  holds  AX (a0 | !a0)"
    assert why.strip() == 'a state of part "wide" has more than 4,096 steps'
    file.write_text(json.dumps(strategy))
    alone = run("validate-witness", module, str(file))
    assert (alone.exit_code, alone.stdout.splitlines()) == (1, [second, why])


def test_a_part_without_variables_prints_nothing_more(run, tmp_path, capfd):
    file = tmp_path / "one.parts"
    file.write_text("part a\n labels r\n state s { r } initial\n s -> s\n")
    _, judged = shown(run, tmp_path, str(file), "--check", "AG EF r")
    assert judged.exit_code == 0, judged.output
    assert "let" not in capfd.readouterr().err
