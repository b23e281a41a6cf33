"""Automata on the command line: in files of formulas, in evidence that is validated, in messages."""

import json
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
CHOICES = str(EXAMPLES / "choices.rsm")
FILE = """\
automaton odd {
  start first;
  first  -> second : grey;
  second -> first;
  accept second
}
E [automaton odd]
A [automaton odd]
"""


def test_evidence_from_a_file_of_formulas(run):
    Path("f.ctl").write_text(FILE)
    done = run("check", CHOICES, "-f", "f.ctl", "--witness", "--verify")
    assert "holds    E [automaton odd]\n" in done.stdout
    assert "a run of 4 states with automaton odd:" in done.stdout
    done = run(
        "check", CHOICES, "-f", "f.ctl", "--witness", "--format", "json", "--output", "w.json"
    )
    assert done.exit_code == 1
    told = json.loads(Path("w.json").read_text())
    text = "automaton odd { start first; first -> second : grey; second -> first; accept second }"
    assert [row["formula"] for row in told["results"]] == [f"E [{text}]", f"A [{text}]"]
    assert run("validate-witness", CHOICES, "w.json").exit_code == 0


def test_a_mistake_is_shown_in_its_line(run):
    Path("f.ctl").write_text(FILE + "E [automaton od & black]\n")
    done = run("check", CHOICES, "-f", "f.ctl")
    assert done.exit_code == 2
    assert done.stderr.splitlines() == [
        "error[P310]: there is no automaton `od`",
        "  --> f.ctl:9:14",
        "   | E [automaton od & black]",
        "   |              ^^",
        '  hint: did you mean "odd"?',
    ]
