"""What the command prints and writes means the same when it is read again, in every format."""

import json
from pathlib import Path

import pytest

import pigro
from pigro.certificates import check_certificates
from pigro.certificates.native_checker import check_certificates_natively
from pigro.evidence import replay

from support.evidence.documents import document_of, head_of, read

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
ELEVATOR = """MODULE main
VAR floor : 0..3; mode : {idle, up, serve};
DEFINE top := floor = 3;
CALL door := mode = serve;
ASSIGN
  init(floor) := 0; next(floor) := mode = up & !top ? floor + 1 : floor;
  init(mode) := idle;
  next(mode) := case mode = idle : {idle, up}; mode = up & !top : up; mode = up : serve;
    TRUE : idle; esac;
SPEC AG (mode = up -> AF opened)
MODULE door
VAR state : {closed, open, closing}; light : boolean;
DEFINE opened := state = open;
ASSIGN init(state) := closed; next(light) := state = closing ? EXIT : light;
  next(state) := case state = closed : open; state = open : {open, closing}; TRUE : EXIT; esac;
"""
LABELLED = {"one = critical": ["b"], "x": ["a"], 'say "=" ': ["b"], "AG": ["a"], "x = 1 & x": ["b"]}
PDS = "p <a> --> p <b c>\np <b> --> p <>\np <c> --> q <c>\nATOMS q x=1\nATOMS b one.two\n(p <a>)\n"
FORMULAS = {
    "mutex.smv": (
        *("EF one = critical", "AG !(one = critical & two = critical)", "EG one in {idle, wants}"),
        *("AG (one = waits -> AF one != waits)", "AG EF two=critical", "EF in1", "EF TRUE"),
        *('EF "one = critical"', 'AG ("let = first" -> EX moves1)'),
    ),
    "elevator.smv": (
        *("AG (mode = up -> AF opened)", "EF (top & EF floor < 3)", "EF door.light"),
        *("EF door.state = closing", "E [floor + 1 < 3 U main.mode = up]", "AX AX (floor = 0)"),
        'EF "door.state = closing" & AF EX "main.mode = up"',
    ),
    "labelled.rsm": ('EF "one = critical"', 'EX x & AX "x = 1 & x"', '"AG" & AF "say \\"=\\" "'),
    "labelled.json": ('EF "one = critical"', 'EX x & AX "x = 1 & x"', '"AG" & AF "say \\"=\\" "'),
    "small.pds": ('EF "x=1"', "EX one.two", "AG EF true"),
}
BEYOND_CTL = {
    "mutex.smv": ("G F one = critical", "E [G F two = waits]", "A [one = idle U two != idle]"),
    "elevator.smv": (),
    "labelled.rsm": ('G F "one = critical"', 'E ["AG" U "x = 1 & x"]'),
    "labelled.json": ('G F "one = critical"',),
    "small.pds": ('F "x=1"',),
}


@pytest.fixture
def model(run, request):
    name = request.param
    labels = {}
    for label, nodes in LABELLED.items():
        for node in nodes:
            labels.setdefault(node, []).append(label)
    if name == "elevator.smv":
        Path(name).write_text(ELEVATOR)
    elif name == "small.pds":
        Path(name).write_text(PDS)
    elif name == "mutex.smv":
        Path(name).write_bytes((EXAMPLES / name).read_bytes())
    else:
        pigro.save(pigro.kripke({"a": ["b"], "b": ["b", "a"]}, labels=labels, initial="a"), name)
    return name


def results(done):
    found = json.loads(done.stdout)
    assert found["warnings"] == []
    return {each["formula"]: each["verdict"] for each in found["results"]}


each_model = pytest.mark.parametrize("model", FORMULAS, indirect=True)


@each_model
def test_printed_formulas_have_the_same_verdicts(run, model):
    asked = (*FORMULAS[model], *BEYOND_CTL[model])
    printed = results(run("check", model, *asked, "--format", "json"))
    assert results(run("check", model, *printed, "--format", "json")) == printed
    Path("all.ctl").write_text("\n".join(printed))
    assert results(run("check", model, "-f", "all.ctl", "--format", "json")) == printed
    for formula, verdict in printed.items():  # alone
        assert results(run("check", model, formula, "--format", "json")) == {formula: verdict}


@each_model
@pytest.mark.filterwarnings("error")
def test_printed_formulas_in_python(run, model):
    printed = results(run("check", model, *FORMULAS[model], "--format", "json"))
    loaded = pigro.load(model)
    found = pigro.check_all(loaded, printed)
    assert {str(each.formula): each.outcome for each in found} == printed
    for formula, verdict in printed.items():
        assert pigro.check(loaded, formula).outcome == verdict


@each_model
def test_certificates(run, model):
    done = run("check", model, *FORMULAS[model], "--certificate", "all.cert")
    assert done.exit_code in (0, 1)
    for checker in ("python", "native", "both"):
        told = run("validate-witness", model, "all.cert", "--checker", checker, "--quiet")
        assert told.exit_code == 0, told.stderr
        assert told.stdout == f"{len(FORMULAS[model])} accepted, 0 rejected\n"


@each_model
def test_certificates_and_evidence_in_python(run, model):
    """They are about the file, whichever other formulas were asked of it."""
    printed = list(results(run("check", model, *FORMULAS[model], "--format", "json")))
    verdicts = pigro.check_all(pigro.load(model), printed, certify=True, witness=True)
    for verdict in verdicts:
        data = verdict.certificate.to_bytes()
        fresh = pigro.load(model)
        for check in (check_certificates, check_certificates_natively):
            (checked,) = check(fresh, data)
            assert checked.problem is None
        shown = read(fresh, document_of(verdict))
        replay(fresh, data, shown.evidence, head_of(document_of(verdict)))


@each_model
def test_evidence(run, model):
    asked = (*FORMULAS[model], *BEYOND_CTL[model])
    run("check", model, *asked, "--witness", "--format", "json", "--output", "why.json")
    told = run("validate-witness", model, "why.json")
    assert told.exit_code == 0, told.stdout + told.stderr
    assert told.stdout.count("accepted") == len(set(asked))


@pytest.mark.parametrize("model", ["elevator.smv"], indirect=True)
def test_explanations(run, model):
    plain = run("explain", model, "AG (floor = 3 -> AF door.state = open)")
    again = run(
        "explain",
        model,
        'AG ("main.floor = 3" -> AF "door.state = open")',
        "--at",
        "door:closed,FALSE",
    )
    assert (plain.exit_code, plain.stderr, again.exit_code, again.stderr) == (0, "", 0, "")


@pytest.mark.parametrize(
    ("formula", "code", "said"),
    [
        ('EF "one = nobody"', "P123", "`nobody` is not defined"),
        ('EF "nobody"', "P123", "`nobody` is not defined"),
        ("mu Z. nobody | <> Z", "P123", "`nobody` is not defined"),
        ('EF "EF one = idle"', "P125", "expected a condition in quotes"),
        ('EF "one = "', "P121", "expected an expression after `=`"),
    ],
)
@pytest.mark.parametrize("model", ["mutex.smv"], indirect=True)
def test_quoted_conditions_that_are_none(run, model, formula, code, said):
    done = run("check", model, formula)
    assert done.exit_code == 2
    assert done.stderr.startswith(f"error[{code}]: {said}")


def test_a_name_with_two_meanings(run):
    """Printed, the label has no quotes. Read as a variable, the verdict would be another one."""
    Path("two.smv").write_text(
        "MODULE main\nVAR opened : boolean; a : {shut, other};\nCALL door := a = other;\n"
        "ASSIGN init(opened) := FALSE; init(a) := shut;\n"
        "MODULE door\nVAR x : boolean;\nDEFINE opened := TRUE; shut := TRUE;\n"
    )
    done = run("check", "two.smv", "EX opened")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "error[P122]: `opened` is a variable, and a label of another module" in done.stderr
    assert 'hint: write main.opened, or "opened" in quotes for the label' in done.stderr
    quoted = run("check", "two.smv", 'AG "opened"', "--format", "json")
    assert results(quoted) == {"AG opened": "fails"}
    for formula in ("EF main.opened", "EF shut"):  # a constant is no formula, so the label is meant
        found = results(run("check", "two.smv", formula, "--format", "json"))
        assert found == {formula: "holds"}


def test_a_wanted_condition_is_known(run, tmp_path, monkeypatch):
    """Though no certificate in the file speaks of it."""
    monkeypatch.chdir(tmp_path)
    mutex = str(EXAMPLES / "mutex.smv")
    assert run("check", mutex, "EF one = critical", "--certificate", "one.cert").exit_code == 0
    done = run("validate-witness", mutex, "one.cert", "--check", "EF two = critical")
    assert done.exit_code == 1
    assert 'not proved  EF "two = critical"' in done.stdout
    assert done.stderr == ""
