"""`pigro.validate` and its command: one door for evidence of all kinds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import pigro
from pigro.cli.main import cli
from pigro.diagnostics.problems import InputProblems

EXAMPLES = Path(__file__).parents[3] / "examples"
SERVER, HANDSHAKE = str(EXAMPLES / "server.rsm"), str(EXAMPLES / "handshake.parts")
FORMULAS = ("AG (request -> AX answer)", "EF request")


def pigro_command(*arguments):
    with pytest.raises(SystemExit) as ended:
        cli.main([*arguments], prog_name="pigro")
    return ended.value.code


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    witness = ("--witness", "--format", "json", "--output")
    pigro_command("check", SERVER, *FORMULAS, "--certificate", "proofs", *witness, "why.json")
    pigro_command("check", SERVER, "G F request", "--depth", "9", *witness, "run.json")
    pigro_command("compose", HANDSHAKE, *witness, "parts.json")
    return tmp_path


@pytest.mark.parametrize(
    "subject, file, kind",
    [
        (SERVER, "proofs", "certificates"),
        (SERVER, "why.json", "model"),
        (SERVER, "run.json", "model"),
        (HANDSHAKE, "parts.json", "composition"),
    ],
)
def test_a_file_says_what_it_is(folder, capfd, subject, file, kind):
    found = pigro.validate(subject, file)
    assert (found.kind, found.accepted) == (kind, True)
    assert pigro.validate(subject, Path(file).read_bytes()) == found
    assert pigro_command("validate-witness", subject, file) == 0
    word = "accepted"
    assert capfd.readouterr().out.count(f"{word}  ") == len(found.findings)


def test_models_that_a_program_has(folder):
    model = pigro.load(SERVER)
    assert pigro.validate(model, "proofs", FORMULAS[1:]).accepted
    assert pigro.validate(model, "why.json").accepted
    assert pigro.validate(model, "run.json").accepted
    other = pigro.load(SERVER, semantics="rsmcheck")
    for file in ("proofs", "why.json", "run.json"):
        with pytest.raises(pigro.InputError, match="semantics|another model") as error:
            pigro.validate(other, file)
        assert error.value.code == "P502"


def test_readings_of_a_model_that_a_program_has(folder):
    """Evidence says how dead ends are read, and the model must be read so."""
    verdict = pigro.check(pigro.load(SERVER, dead_ends="stop"), FORMULAS[1], certify=True)
    data = verdict.certificate.to_bytes()
    assert pigro.validate(pigro.load(SERVER, dead_ends="stop"), data).accepted
    with pytest.raises(pigro.InputError, match="reads dead ends as stop"):
        pigro.validate(pigro.load(SERVER), data)
    assert pigro.validate(SERVER, data).accepted, "a file is read as the evidence says"


def test_compositions_that_a_program_has(folder):
    from pigro.session.subject import composition_of

    system = composition_of([HANDSHAKE])
    assert pigro.validate(system, "parts.json").accepted
    assert pigro.validate(system.parts, "parts.json").accepted
    one = pigro.validate([f"{HANDSHAKE}:{part.name}" for part in system.parts], "parts.json")
    assert one.accepted
    with pytest.raises(pigro.InputError, match="other parts"):
        pigro.validate(system.parts[:1], "parts.json")
    with pytest.raises(pigro.InputError, match="a composition of parts"):
        pigro.validate(pigro.load(SERVER), "parts.json")
    with pytest.raises(pigro.InputError, match="about one model"):
        pigro.validate(system, "why.json")
    with pytest.raises(pigro.UsageError, match=r"can't read no\.parts") as error:
        pigro.validate(["no.parts", "none.parts"], "parts.json")
    assert isinstance(error.value.__cause__, InputProblems)
    assert len(error.value.__cause__.errors) == 2


def test_the_command_tells_all_that_is_wrong(folder, capfd):
    assert pigro_command("validate-witness", "no.parts", "none.parts", "parts.json") == 2
    assert capfd.readouterr().err.count("error[P001]") == 2


def test_one_part(tmp_path):
    one = pigro.PartBuilder("one", labels=["p"]).state("a", "p", initial=True).step("a", "a")
    pigro.save(one.build(), tmp_path / "one.parts")
    command = ("compose", str(tmp_path / "one.parts"), "--check", "AG p", "--witness")
    pigro_command(*command, "--format", "json", "--output", str(tmp_path / "why.json"))
    assert pigro.validate(one.build(), tmp_path / "why.json").accepted
    assert pigro.validate([one.build()], tmp_path / "why.json").accepted


def test_evidence_of_models_is_not_about_parts(folder, capfd):
    for file in ("proofs", "why.json", "run.json"):
        with pytest.raises(pigro.InputError, match="this is about one model"):
            pigro.validate(HANDSHAKE, file)


@pytest.mark.parametrize(
    "options",
    [
        {"checker": "bot"},
        {"semantics": "rsm", "formulas": FORMULAS},
        {"dead_ends": "error", "formulas": FORMULAS},
        {"formulas": "EF request"},
        {"formulas": [3]},
        {"files": "some.ctl"},
    ],
)
def test_options_of_certificates_are_looked_at(folder, options):
    with pytest.raises(pigro.UsageError) as error:
        pigro.validate(SERVER, "proofs", **options)
    assert error.value.code == "P006"


@pytest.mark.parametrize("subject", [None, 3, b"server", [3]])
def test_what_evidence_can_not_be_about(folder, subject):
    with pytest.raises(pigro.UsageError, match="evidence is about a model, or parts"):
        pigro.validate(subject, "proofs")


@pytest.mark.parametrize("evidence", [None, 3, ["proofs"]])
def test_files_that_are_no_evidence(evidence):
    with pytest.raises(pigro.UsageError, match="evidence can't be of type"):
        pigro.validate(SERVER, evidence)


def test_parts_and_files_together(folder):
    with pytest.raises(pigro.UsageError, match="evidence is about a model, or parts"):
        pigro.validate([pigro.load(HANDSHAKE).parts[0], HANDSHAKE], "parts.json")


def test_wrong_evidence_is_no_error(folder):
    whole = json.loads(Path("why.json").read_text())
    whole["results"][0]["engine"] = "guess"
    found = pigro.validate(SERVER, json.dumps(whole).encode())
    assert not found.accepted
    assert [each.word for each in found.findings] == ["rejected", "accepted"]
    assert found.counts == {"accepted": 1, "rejected": 1, "no evidence": 0}


def test_a_strategy_about_a_program_is_rejected(tmp_path):
    """Evidence of the mu-calculus is about listed states, and a program has none."""
    counter, file = f"{EXAMPLES / 'counter.py'}:Counter", tmp_path / "why.json"
    witness = ("--witness", "--format", "json", "--output", str(file))
    pigro_command("check", counter, "EF ten", *witness)
    whole = json.loads(file.read_text())
    pigro_command("check", SERVER, "nu X. !request & [] X", *witness)
    strategy = json.loads(file.read_text())["results"][0]["evidence"]
    whole["results"][0] |= {"evidence": strategy, "formula": strategy["formula"]}
    file.write_text(json.dumps(whole))
    assert not pigro.validate(counter, file).accepted


def test_formulas_that_must_be_proved(folder, capfd):
    asked = ["--check", FORMULAS[0], "--check", FORMULAS[1], "--checker", "both"]
    code = pigro_command("validate-witness", SERVER, "proofs", *asked)
    assert code == 1
    assert "1 not proved" in capfd.readouterr().out
    found = pigro.validate(SERVER, "proofs", FORMULAS)
    assert list(found.proofs.unproved) == [FORMULAS[0]]


@pytest.mark.parametrize(
    "options", [{"formulas": ["EF p"]}, {"checker": "both"}, {"semantics": "standard"}]
)
@pytest.mark.parametrize("subject, file", [(SERVER, "why.json"), (HANDSHAKE, "parts.json")])
def test_options_for_certificates(folder, options, subject, file):
    with pytest.raises(pigro.UsageError, match="are for certificates") as error:
        pigro.validate(subject, file, **options)
    assert error.value.code == "P006"


@pytest.mark.parametrize(
    "content, message",
    [
        (b"", "no evidence here: this is not JSON"),
        (b"[]", "no evidence here: the schema is not pigro.result/2"),
        (b'{"schema": ["pigro.run/2"]}', "no evidence here: the schema is not pigro.result/2"),
        (b'{"schema": "pigro.strategy/9"}', "this is pigro.strategy/9, made by another version"),
        (b'{"schema": "pigro.explanation/1"}', "no evidence here: the schema is not"),
        (b"pigro certificate 9\nx", "."),
    ],
)
def test_no_evidence(content, message):
    with pytest.raises(pigro.InputError, match=message) as error:
        pigro.validate(SERVER, content)
    assert error.value.code == ("P501" if content.startswith(b"pigro") else "P503")


def test_json_and_quiet(folder, capfd):
    capfd.readouterr()
    assert pigro_command("validate-witness", HANDSHAKE, "parts.json", "--format", "json") == 0
    told = json.loads(capfd.readouterr().out)
    assert (told["schema"], told["accepted"], told["warnings"]) == ("pigro.validation/2", True, [])
    assert {each["word"] for each in told["findings"]} == {"accepted"}
    assert pigro_command("validate-witness", SERVER, "why.json", "--quiet") == 0
    assert capfd.readouterr().out == "2 accepted, 0 rejected\n"
