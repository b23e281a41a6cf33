"""Disagreements: who is right, and which files are kept."""

from __future__ import annotations

import json
import zipfile

import pytest
from click.testing import CliRunner

from benchmarks.case import Case
from benchmarks.findings import Disagreement
from benchmarks.judging import judge, keep
from benchmarks.proving import OURS, PUBLISHED, STOPPING, ProvedVerdict, proved
from benchmarks.suite import StudyScope
from pigro.cli.main import cli
from pigro.engines import Limits

ENTRY_EXIT = {
    "initial_component": "main", "initial_node": "start",
    "components": [
        {"name": "main",
         "nodes": [
             {"name": "start", "is_entry": True, "is_exit": False, "labels": []},
             {"name": "after", "is_entry": False, "is_exit": False, "labels": ["use"]}],
         "boxes": [{"name": "b", "component": "nop", "call_nodes": ["e"], "return_nodes": ["e"]}],
         "transitions": [
             {"source": {"type": "node", "name": "start"},
              "targets": [{"type": "box_node", "box_name": "b", "node_name": "e"}]},
             {"source": {"type": "box_node", "box_name": "b", "node_name": "e"},
              "targets": [{"type": "node", "name": "after"}]}]},
        {"name": "nop", "nodes": [{"name": "e", "is_entry": True, "is_exit": True, "labels": []}],
         "boxes": [], "transitions": []},
    ],
}  # fmt: skip
"""After a call of an empty procedure there is a use."""
SCOPE = StudyScope(limits=Limits(20))


@pytest.fixture
def scope(tmp_path):
    """In which the program dataflow is the one above."""
    (tmp_path / "java").mkdir()
    with zipfile.ZipFile(tmp_path / "java" / "dataflow.zip", "w") as archive:
        archive.writestr("dataflow.rsm", json.dumps(ENTRY_EXIT))
        archive.writestr("dataflow_single_usedef.ctl", "# nothing is used\r\nA G not use\r\n")
    return StudyScope(files=tmp_path, limits=Limits(20))


def pigro(*command):
    return CliRunner().invoke(cli, [str(each) for each in command], prog_name="pigro")


def place(**at):
    return Case.of("peers", "", **at).place


def test_the_reading_is_the_difference(scope, tmp_path):
    answers = (("pigro", "fails"), ("pigro eager", "holds"), ("rsmcheck eager", "holds"))
    asked = Disagreement(place(kind="java", program="dataflow"), answers)
    found = keep(asked, scope, tmp_path / "kept")
    assert found.lines == (
        "RSMCheck eager is wrong: Pigro's verdict `fails` is proved; in the published reading of "
        "calls of entry-exit nodes the verdict is `holds` as well as RSMCheck eager's: the reading "
        "is the difference",
    )
    assert not found.pigro_is_wrong
    folder = tmp_path / "kept" / "java-dataflow"
    assert found.folder == folder
    assert sorted(each.name for each in folder.iterdir()) == [
        "formula.ctl", "model.rsm", "rsmcheck.cert", "standard.cert", "stop.cert", "verdicts.json"
    ]  # fmt: skip
    told = json.loads((folder / "verdicts.json").read_text())
    assert told["answers"][2] == {"tool": "rsmcheck eager", "verdict": "holds"}
    for each in told["proved"]:
        reading = ["--semantics", each["semantics"], "--dead-ends", each["dead_ends"]]
        again = pigro("check", folder / "model.rsm", "-f", folder / "formula.ctl", *reading)
        assert again.exit_code == (each["verdict"] == "fails")
        again = pigro("validate-witness", folder / "model.rsm", folder / each["proof"])
        assert again.exit_code == 0, again.output
    assert keep(asked, scope, tmp_path / "kept") == found, "once more, over what is there"


def test_a_fault_of_the_tool(scope, tmp_path):
    answers = (("pigro", "holds"), ("rsmcheck lazy", "fails"), ("rsmcheck eager", "holds"))
    asked = Disagreement(place(kind="grid", model=5, formula=10), answers)
    found = keep(asked, scope, tmp_path)
    expected = "Pigro's verdict `holds` is proved, also in its own reading: a fault of the tool"
    assert found.lines == (f"RSMCheck lazy is wrong: {expected}",)
    assert (found.name, found.pigro_is_wrong) == ("grid-5-10", False)


def test_formulas_beyond_ctl_are_proved_by_strategies(tmp_path):
    answers = (("pigro", "holds"), ("pyModelChecking", "fails"))
    at = {"kind": "kripke", "formula": "A(G(F(p)))", "states": 10, "structure": 1}
    found = keep(Disagreement(place(**at), answers), SCOPE, tmp_path)
    expected = (
        "Pigro's verdict `holds` is proved, and there is no other reading: a fault of the tool"
    )
    assert found.lines == (f"pyModelChecking is wrong: {expected}",)
    again = pigro("validate-witness", found.folder / "model.rsm", found.folder / "standard.json")
    assert again.exit_code == 0, again.output


def test_no_proof_within_the_limits():
    model = json.dumps(ENTRY_EXIT).encode()
    found = proved(model, b"EF use", OURS, Limits(1e-9))
    assert (found.word, found.proof, found.rejected) == (None, None, False)
    lines, wrong = judge([("pigro", "holds"), ("rsmcheck lazy", "fails")], [found])
    assert lines[0].startswith("RSMCheck lazy says `fails`; not proved: undecided who is right (")
    assert not wrong


def test_a_formula_that_is_not_read():
    found = proved(json.dumps(ENTRY_EXIT).encode(), b"EF (", OURS, Limits())
    assert found.word is None
    assert "P30" in found.problem


def truths(ours, stopping, published):
    pairs = ((OURS, ours), (STOPPING, stopping), (PUBLISHED, published))
    return [ProvedVerdict(reading, word, b"...") for reading, word in pairs]


@pytest.mark.parametrize(
    "answers, found, line, wrong",
    [
        ({"pigro": "fails", "rsmcheck lazy": "holds"}, truths("fails", "holds", "holds"), "in the reading that runs end at dead ends the verdict is `holds`", False),
        ({"pigro": "fails", "rsmcheck lazy": "holds"}, truths("fails", "fails", None), "the right verdict in its own reading is not proved", False),
        ({"pigro": "fails", "rsmcheck lazy": "holds"}, truths("holds", "holds", "holds"), "Pigro is wrong: it says `fails`, and `holds` is proved", True),
        ({"pigro": "fails", "pigro lazy": "holds"}, truths("fails", "fails", "fails"), "Pigro lazy is wrong: it says `holds`, and `fails` is proved", True),
        ({"pigro lazy": "fails", "pigro eager": "holds"}, truths(None, None, None), "Pigro is wrong: it contradicts itself", True),
    ],
)  # fmt: skip
def test_judgements(answers, found, line, wrong):
    lines, pigro_is_wrong = judge(list(answers.items()), found)
    assert any(line in each for each in lines)
    assert pigro_is_wrong is wrong


def test_a_proof_that_is_not_accepted(monkeypatch):
    other = proved(json.dumps(ENTRY_EXIT).encode(), b"EF use", OURS, Limits())
    assert other.word == "holds"
    monkeypatch.setattr("benchmarks.proving.check_certificates", _refuses)
    found = proved(json.dumps(ENTRY_EXIT).encode(), b"EF use", OURS, Limits())
    assert (found.word, found.rejected) == (None, True)
    lines, wrong = judge([("pigro", "holds"), ("rsmcheck lazy", "fails")], [found])
    assert wrong
    assert lines[0] == "Pigro is wrong: its proof in Pigro's semantics is not accepted: broken"


def _refuses(model, data):
    from pigro.certificates import Malformed

    raise Malformed("broken")
