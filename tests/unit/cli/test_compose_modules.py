"""`pigro compose` on modules whose states are not listed."""

import gc
import json

import jsonschema
import pytest

import pigro
from pigro.formats.parts import load_parts

from support.samples.compose_examples import EXAMPLES, SCHEMA, result_of

pytest.importorskip("dd.autoref")
TANK = str(EXAMPLES / "tank.parts")
SMALL = """MODULE main
VAR x : 0..20; go : boolean;
ASSIGN init(x) := 0; next(x) := case go & x < 20 : x + 1; TRUE : x; esac;
DEFINE high := x > 15;
"""


def free(folder, count):
    """A file with that many booleans that may have any value at any time."""
    file = folder / f"free{count}.smv"
    file.write_text("MODULE main\nVAR\n" + "".join(f"b{i} : boolean;\n" for i in range(count)))
    return str(file)


@pytest.mark.parametrize("count", [21, 60])
def test_many_free_booleans(run, tmp_path, count):
    formulas = ["--check", "AG EF (b0 & !b20)", "--check", "AG b1"]
    found = result_of(run, free(tmp_path, count), *formulas, "--method", "symbolic")
    assert [each["verdict"] for each in found["results"]] == ["holds", "fails"]
    assert found["parts"][0]["states"] is found["composed_states"] is None
    assert found["results"][0]["symbolic"]["variables"] == count


def test_two_large_modules_share_variables(run, tmp_path):
    other = tmp_path / "other.smv"
    other.write_text("MODULE main\nVAR b0 : boolean; c : boolean;\nASSIGN next(c) := b0;\n")
    args = [free(tmp_path, 30), str(other), "--check", "AG (b0 -> AX c)", "--method", "symbolic"]
    (result,) = result_of(run, *args)["results"]
    assert (result["verdict"], result["symbolic"]["variables"]) == ("holds", 31)


def test_what_goes_wrong_in_a_module_is_told(run, tmp_path):
    file = tmp_path / "wrong.smv"
    file.write_text(
        "MODULE main\nVAR x : 0..3; y : 0..99;"
        + "".join(f" b{i} : boolean;" for i in range(20))
        + "\nASSIGN init(x) := 3; next(x) := x - 1; next(y) := 10 / x;\n"
    )
    done = run("compose", str(file), "--check", "AG b0", "--method", "symbolic")
    assert done.exit_code == 2
    assert "P126" in done.stderr
    assert "division by zero" in done.stderr or "gets the value -1" in done.stderr


@pytest.mark.filterwarnings("error")
def test_an_error_frees_the_nodes_of_diagrams_before_their_store(tmp_path):
    file = tmp_path / "wrong.smv"
    booleans = "".join(f" b{i} : boolean;" for i in range(20))
    file.write_text(
        f"MODULE main\nVAR x : 0..3;{booleans}\nASSIGN init(x) := 3; next(x) := x - 1;\n"
    )
    try:
        parts_of = load_parts(str(file)).parts
        pigro.compose_check(pigro.Composition(parts_of), "AG b0", method="symbolic")
    except pigro.PigroError as error:
        error.itself = error
    else:
        pytest.fail("the module is wrong")
    gc.collect()


def test_parts_that_can_not_start_together(run, tmp_path):
    files = []
    for at, value in enumerate(("TRUE", "FALSE")):
        files.append(tmp_path / f"m{at}.smv")
        files[-1].write_text(f"MODULE main\nVAR b : boolean;\nASSIGN init(b) := {value};\n")
    done = run("compose", *map(str, files), "--check", "AG b", "--method", "symbolic")
    assert done.exit_code == 2
    assert "P221" in done.stderr


def test_the_tank(run):
    found = result_of(run, TANK, "--method", "predicates")
    assert [each["verdict"] for each in found["results"]] == ["holds", "holds", "fails"]
    assert [len(each["rounds"]) for each in found["results"]] == [1, 1, 3]


def test_conditions_of_the_file_are_found(run, tmp_path):
    file = tmp_path / "small.smv"
    file.write_text(SMALL)
    checks = ["--check", "AG (high -> AX high)", "--check", "EF high"]
    found = result_of(run, str(file), *checks, "--method", "predicates")
    assert [each["verdict"] for each in found["results"]] == ["holds", "holds"]
    assert found["results"][1]["rounds"][-1]["blocks"][0] > 2


def test_predicates_with_another_method_leave_doubt(run, tmp_path):
    file = tmp_path / "small.smv"
    file.write_text(SMALL)
    args = [str(file), "--check", "EF high", "--predicate", "x > 15"]
    done = run("compose", *args)
    assert done.exit_code == 3
    assert "unknown" in done.stdout
    runs = run("compose", str(file), "--check", "A [G F go]", "--predicate", "small: x > 15")
    assert runs.exit_code == 2
    assert "P410" in runs.stderr


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('part a from "small.smv" by "x >"', "P121"),
        ('part a from "small.smv" by "y > 1"', "P123"),
        ('part a from "small.smv" by "x + 1"', "P125"),
        ('part a from "small.txt"', "P130"),
        ('part a from "small.smv" with "x"', "P130"),
        ('part a from "missing.smv"', "P001"),
    ],
)
def test_lines_that_are_wrong(run, tmp_path, line, code):
    (tmp_path / "small.smv").write_text(SMALL)
    file = tmp_path / "system.parts"
    file.write_text(line + "\ncheck AG go\n")
    done = run("compose", str(file))
    assert done.exit_code == 2
    assert code in done.stderr


def test_a_predicate_needs_a_part(run):
    done = run("compose", TANK, "--predicate", "guard: calm", "--method", "predicates")
    assert done.exit_code == 2
    hidden = run("compose", str(EXAMPLES / "handshake.parts"), "--predicate", "request")
    assert "P006" in hidden.stderr


def test_there_is_no_evidence(run):
    done = run("compose", TANK, "--method", "predicates", "--witness")
    assert "P006" in done.stderr


def test_the_schema_takes_what_is_not_listed(run):
    document = result_of(run, TANK, "--method", "predicates", "--trace")
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(document)))
