"""`pigro check --certificate`, `--verify` and `pigro validate-witness`."""

import base64
import json
from pathlib import Path

import jsonschema
import pytest

import pigro
from pigro.certificates import Problem
from pigro.certificates.native_checker import NativeChecker
from pigro.engines import ENGINES

FORMULAS = ("AG EF done", "AF done", "EF (use & EX done)")
SCHEMA = json.loads(
    Path(pigro.__file__).with_name("schemas").joinpath("result.schema.json").read_text("utf-8")
)


@pytest.fixture
def proofs(run, app):
    """A file with the certificates of three verdicts."""
    assert run("check", app, *FORMULAS, "--certificate", "app.cert").exit_code == 1
    return "app.cert"


def test_proofs_are_accepted(run, app, proofs):
    done = run("validate-witness", app, proofs)
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "standard semantics, dead ends: stutter\n"
        "accepted  fails  AG EF done\n"
        "accepted  fails  AF done\n"
        "accepted  holds  EF (use & EX done)\n"
        "\n"
        "3 accepted, 0 rejected\n"
    )


@pytest.mark.parametrize("options, asked", [((), 0), (("--checker", "python"), 1)])
def test_the_checker_in_python_is_asked_only_by_name(run, app, proofs, monkeypatch, options, asked):
    from pigro.session import certificate_evidence as certificates

    calls, check = [], certificates.check_certificates
    monkeypatch.setattr(
        certificates, "check_certificates", lambda *each: calls.append(each) or check(*each)
    )
    assert run("validate-witness", app, proofs, *options).exit_code == 0
    assert len(calls) == asked


@pytest.mark.parametrize("checker", ["python", "native", "both"])
def test_quiet(run, app, proofs, checker):
    done = run("validate-witness", app, proofs, "--checker", checker, "--quiet")
    assert (done.exit_code, done.stdout) == (0, "3 accepted, 0 rejected\n")


def test_the_mu_calculus_does_not_block_proofs_of_others(run, app):
    fixpoint = "mu Z. done | <> Z"
    done = run("check", app, "AG EF done", fixpoint, "--certificate", "app.cert", "--verify")
    assert (done.exit_code, done.stderr) == (
        1,
        "warning: 1 verdict has no certificate: there are no certificates for the mu-calculus\n",
    )
    done = run("validate-witness", app, "app.cert", "--check", fixpoint)
    assert done.exit_code == 1
    assert "accepted  fails  AG EF done (not asked for)\n" in done.stdout
    told = f"not proved  {fixpoint}\n          there are no certificates for the mu-calculus"
    assert told in done.stdout


def test_what_must_be_proved(run, app, proofs):
    """Certificates of other formulas prove nothing of it."""
    done = run("validate-witness", app, proofs, "--check", "EF (use & EX done)")
    assert (done.exit_code, done.stderr) == (0, "")
    assert "accepted  fails  AF done (not asked for)\n" in done.stdout
    assert "accepted  holds  EF (use & EX done)\n" in done.stdout
    assert done.stdout.endswith("3 accepted, 0 rejected, 0 not proved\n")
    done = run(
        "validate-witness", app, proofs, "--check", "EF use", "--check", "AF done", "--quiet"
    )
    assert done.exit_code == 1
    assert done.stdout == (
        "not proved  EF use\n          no certificate in the file is about it\n"
        "not proved  AF done\n          its certificate proves that it fails\n"
        "3 accepted, 0 rejected, 2 not proved\n"
    )


@pytest.mark.parametrize(
    "made, asked, why",
    [
        (("--dead-ends", "stop"), (), "the certificates read dead ends as stop"),
        ((), ("--dead-ends", "stop"), "the certificates read dead ends as stutter"),
        (("--semantics", "rsmcheck"), (), "the certificates read the model in rsmcheck semantics"),
        ((), ("--semantics", "rsmcheck"), "the certificates read the model in standard semantics"),
        (
            ("--semantics", "rsmcheck", "--dead-ends", "stutter"),
            ("--semantics", "rsmcheck"),
            "the certificates read dead ends as stutter",
        ),
        (("--semantics", "rsmcheck"), ("--semantics", "rsmcheck"), None),
        (("--dead-ends", "stop"), ("--dead-ends", "stop"), None),
        (("--dead-ends", "stutter"), (), None),
    ],
)
def test_what_must_be_proved_is_about_one_reading_of_the_model(run, app, made, asked, why):
    """A formula that holds in one reading may fail in another."""
    assert run("check", app, "EF use", "--certificate", "app.cert", *made).exit_code == 0
    done = run("validate-witness", app, "app.cert", "--check", "EF use", "--quiet", *asked)
    assert done.exit_code == (0 if why is None else 1)
    assert ("" if why is None else f"not proved  EF use\n          {why}\n") in done.stdout


@pytest.mark.parametrize("option", [("--dead-ends", "stop"), ("--semantics", "standard")])
def test_a_reading_is_that_of_formulas(run, app, proofs, option):
    done = run("validate-witness", app, proofs, *option)
    assert (done.exit_code, "P006" in done.stderr) == (2, True)


def test_ctl_star_from_a_check_to_a_checked_file(run, app):
    done = run("check", app, "G F done", "E [F G done]", "--certificate", "star.cert", "--verify")
    assert done.exit_code in {0, 1}
    for checker in ("native", "python", "both"):
        done = run("validate-witness", app, "star.cert", "--checker", checker)
        assert done.exit_code == 0
        assert "2 accepted, 0 rejected" in done.stdout


def test_what_must_be_proved_in_a_file(run, app, proofs):
    Path("own.ctl").write_text("# one\nEF (use & EX done)\nEF done\n")
    done = run("validate-witness", app, proofs, "-f", "own.ctl", "--format", "json")
    assert done.exit_code == 1
    assert json.loads(done.stdout)["wanted"] == [
        {"formula": "EF (use & EX done)", "proved": True, "problem": None},
        {
            "formula": "EF done",
            "proved": False,
            "problem": "no certificate in the file is about it",
        },
    ]
    Path("own.ctl").write_text("# none\n")
    assert "P002" in run("validate-witness", app, proofs, "-f", "own.ctl").stderr
    done = run("validate-witness", app, proofs, "--check", "mu X. <> X")
    assert done.exit_code == 1
    assert "there are no certificates for the mu-calculus" in done.stdout
    assert "P301" in run("validate-witness", app, proofs, "--check", "EF (").stderr
    model = Path(app).read_bytes()
    done = run(
        "validate-witness",
        "-",
        proofs,
        "--check",
        "EF (use & EX done)",
        "--from",
        "rsm",
        stdin=model,
    )
    assert done.exit_code == 0
    assert run("validate-witness", "-", proofs, "-f", "-").exit_code == 2


def test_a_proof_from_elsewhere_is_none(run, app):
    run("check", app, "EF use", "--start", "helper:in", "--certificate", "app.cert")
    done = run("validate-witness", app, "app.cert", "--check", "EF use")
    assert done.exit_code == 1
    assert "its certificate starts at helper:in" in done.stdout


def test_a_rejected_certificate_proves_nothing(run, app, proofs):
    data = Path(proofs).read_bytes()
    at = data.index(b"AF done") + len("AF done")
    Path(proofs).write_bytes(data[:at] + b"\1" + data[at + 1 :])
    done = run("validate-witness", app, proofs, "--check", "AF done", "--quiet")
    assert (done.exit_code, "its certificate is rejected" in done.stdout) == (1, True)


def test_labels_that_no_node_carries(run, app):
    assert "nowhere" in run("check", app, "AG !nowhere", "--certificate", "app.cert").stderr
    done = run("validate-witness", app, "app.cert")
    assert done.exit_code == 0
    assert done.stderr == (
        'warning: 1 label is on no node of the model, so false everywhere: "nowhere"\n'
    )


@pytest.mark.parametrize("checker", ["python", "native", "both"])
def test_a_changed_verdict_is_rejected(run, app, proofs, checker):
    data = Path(proofs).read_bytes()
    at = data.index(b"AF done") + len("AF done")
    assert data[at] == 0
    Path(proofs).write_bytes(data[:at] + b"\1" + data[at + 1 :])
    done = run("validate-witness", app, proofs, "--checker", checker, "--quiet")
    assert done.exit_code == 1
    assert done.stdout == (
        "rejected  holds  AF done\n          R8: level 2, initial node 0\n2 accepted, 1 rejected\n"
    )


def test_json(run, app, proofs):
    done = run("validate-witness", app, proofs, "--format", "json")
    report = json.loads(done.stdout)
    assert report["schema"] == "pigro.certificates/1"
    model = report["model"]
    assert model == {
        "file": app,
        "digest": pigro.load(app).digest.hex(),
        "semantics": "standard",
        "dead_ends": "stutter",
    }
    assert report["results"][1] == {
        "formula": "AF done",
        "verdict": "fails",
        "initial": ["main:start"],
        "accepted": True,
        "problem": None,
    }


@pytest.mark.parametrize(
    "options",
    [
        ["--dead-ends", "stop"],
        ["--semantics", "rsmcheck"],
        ["--semantics", "rsmcheck", "--dead-ends", "stutter"],
        ["--start", "helper:in", "--start", "main:wait"],
        ["--dead-ends", "error"],
    ],
    ids=" ".join,
)
def test_the_model_is_read_as_the_certificates_say(run, app, options):
    done = run("check", app, *FORMULAS, "EX true", "--certificate", "app.cert", *options)
    assert done.exit_code in {0, 1}
    done = run("validate-witness", app, "app.cert", "--checker", "both")
    assert done.exit_code == 0
    assert "4 accepted, 0 rejected" in done.stdout
    assert ("(from helper:in, main:wait)" in done.stdout) == ("--start" in options)
    assert done.stdout.startswith("rsmcheck" if "rsmcheck" in options else "standard")


def test_specifications_of_modules_start_where_they_say(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("two.smv").write_text(
        "MODULE main\nVAR x : boolean;\nASSIGN init(x) := FALSE; next(x) := !x;\n"
        "SPEC AG AF x\nSPEC AG x\n"
    )
    done = run("check", "two.smv", "--certificate", "two.cert", "--verify")
    assert done.exit_code == 1
    done = run("validate-witness", "two.smv", "two.cert", "--checker", "both")
    assert (done.exit_code, "2 accepted" in done.stdout) == (0, True)


@pytest.mark.parametrize("name", sorted(ENGINES))
def test_verdicts_of_all_engines_are_proved_or_the_engine_does_not_fit(run, app, name):
    done = run("check", app, "AG EF done", "--engine", name, "--verify", "--format", "json")
    if name in {"incremental", "basic", "onthefly", "game"} and done.exit_code == 2:
        assert "P404" in done.stderr
        return
    report = json.loads(done.stdout)
    jsonschema.validate(report, SCHEMA)
    (result,) = report["results"]
    certificate = result["certificate"]
    assert result["engine"] == name
    assert certificate["engine"] == (name if name in {"demand", "exhaustive"} else "demand")
    assert certificate["bytes"] > 0
    assert certificate["seconds"] > 0
    assert certificate["verify_seconds"] > 0


def test_statistics_tell_the_cost(run, app):
    done = run("check", app, "AG EF done", "--engine", "lazy", "--verify", "--stats")
    assert "proved by demand in " in done.stdout
    assert " bytes), verified in " in done.stdout
    done = run("check", app, "AG EF done", "--certificate", "app.cert", "--stats")
    assert "proved in " in done.stdout
    assert "verified" not in done.stdout


def test_a_rejected_proof_is_an_internal_error_with_a_report(run, app, monkeypatch):
    problem = Problem("R5", 1, "block", 0, 3)
    monkeypatch.setattr(
        NativeChecker,
        "formula",
        lambda self, body, formula: problem if b"AF done" in body else None,
    )
    done = run("check", app, *FORMULAS, "--verify")
    assert done.exit_code == 4
    assert "fails    AG EF done" in done.stdout
    assert "AF done\n" not in done.stdout.replace("AG EF done", "")
    assert "error[P902]" in done.stderr
    assert "R5: level 1, block 0, node 3" in done.stderr
    assert "pigro-bug-report-1.json" in done.stderr
    report = json.loads(Path("pigro-bug-report-1.json").read_text("utf-8"))
    assert report["formula"] == "AF done"
    assert report["problem"] == str(problem)
    model = pigro.load(app)
    assert report["model"]["digest"] == model.digest.hex()
    Path("again.json").write_text(report["model"]["content"], "utf-8")
    data = base64.b64decode(report["certificate"])
    (checked,) = pigro.check_certificates(pigro.load("again.json"), data)
    assert checked.problem is None
    assert run("check", app, "AF done", "--verify").exit_code == 4
    assert Path("pigro-bug-report-2.json").exists()


def test_engines_that_disagree_are_an_internal_error(run, app, monkeypatch):
    from pigro.papers.dubslaff2024 import LAZY

    monkeypatch.setattr(
        type(LAZY), "decider", lambda self, model: lambda formula, watch: lie(model)
    )
    done = run("check", app, "AG EF done", "--engine", "lazy", "--verify")
    assert done.exit_code == 4
    assert "error[P903]" in done.stderr
    assert "engine lazy says that the formula holds" in done.stderr


def lie(model):
    from pigro.engines.python_engine import EngineAnswer

    return EngineAnswer([True] * len(model.initial))


def test_unknown_verdicts_have_no_certificate(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    example = Path(__file__).resolve().parents[3] / "examples" / "permutations.rsm"
    text = "AG (E [F G p] | E [F G !p])"
    done = run("check", str(example), "EF EG p", text, "--timeout-each", "1s", "--certificate", "c")
    assert done.exit_code == 3
    done = run("validate-witness", str(example), "c", "--checker", "both", "--quiet")
    assert (done.exit_code, done.stdout) == (0, "1 accepted, 0 rejected\n")


@pytest.mark.parametrize("checker", ["python", "native"])
def test_bytes_that_are_no_certificate(run, app, proofs, checker):
    good = Path(proofs).read_bytes()
    for bad, code in {
        b"": "P503",
        b"hello": "P503",
        good[:50]: "P501",
        good + b"?": "P501",
        good[:-1]: "P501",
        good.replace(b"certificate 1", b"certificate 2"): "P501",
        good[:30] + b"x" + good[31:]: "P502",
    }.items():
        Path("bad.cert").write_bytes(bad)
        done = run("validate-witness", app, "bad.cert", "--checker", checker)
        assert (done.exit_code, done.stdout) == (2, "")
        assert f"error[{code}]" in done.stderr
        assert "--> bad.cert" in done.stderr


def test_files_that_are_not_there(run, app, proofs):
    assert "P001" in run("validate-witness", app, "no.cert").stderr
    assert "P001" in run("validate-witness", "no.rsm", proofs).stderr
    assert run("validate-witness", "-", "-").exit_code == 2


def test_certificates_by_standard_input(run, app, proofs):
    done = run("validate-witness", app, "-", stdin=Path(proofs).read_bytes())
    assert (done.exit_code, "3 accepted" in done.stdout) == (0, True)


@pytest.mark.parametrize(
    "options, why",
    [
        (["--certificate", "app.rsm"], "it is an input of this run"),
        (["--certificate", "no/where"], "its folder does not exist"),
        (["--certificate", "x", "--output", "x"], "same file"),
        (["--html", "x", "--certificate", "x"], "same file"),
        (["--html", "-"], "both go to standard output"),
        (["--certificate", "-"], "both go to standard output"),
    ],
)
def test_where_certificates_can_t_go(run, app, options, why):
    done = run("check", app, "EF done", *options)
    assert done.exit_code == 2
    assert "error[P003]" in done.stderr
    assert why in done.stderr
    assert not Path("x").exists()


def test_certificates_to_standard_output(run, app):
    done = run("check", app, "EF done", "--certificate", "-", "--output", "results.txt")
    assert done.stdout_bytes.startswith(b"pigro certificate 1\n")


def test_nothing_is_written_for_bad_input(run, app):
    Path("old.cert").write_bytes(b"old")
    assert run("check", app, "EF (", "--certificate", "old.cert").exit_code == 2
    assert Path("old.cert").read_bytes() == b"old"


def test_checkers_that_disagree_are_an_internal_error(run, app, proofs, monkeypatch):
    monkeypatch.setattr(
        NativeChecker, "formula", lambda self, body, formula: Problem("R5", 1, "block", 0)
    )
    done = run("validate-witness", app, proofs, "--checker", "both")
    assert (done.exit_code, done.stdout) == (4, "")
    assert "error[P904]: the two checkers disagree: None and R5: level 1, block 0" in done.stderr
