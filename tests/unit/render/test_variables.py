"""Runs of models with variables: values that change, inputs, processes, loops."""

import json
from pathlib import Path

import pytest

import pigro
from pigro.render.html import render_html

from support.evidence.texts import evidence_text

EXAMPLES = Path(__file__).parents[3] / "examples" / "smv"
INPUTS = """
MODULE cell(go)
VAR x : 0..3; w : unsigned word[4];
ASSIGN init(x) := 0; init(w) := 0ud4_0;
  next(x) := go ? (x + 1) mod 4 : x;
  next(w) := w + 0ud4_3;
MODULE main
IVAR go : boolean; speed : {slow, fast};
VAR c : cell(go); a : array 0..1 of boolean;
DEFINE full := c.x = 2;
ASSIGN
  init(a[0]) := FALSE; next(a[0]) := speed = fast;
  init(a[1]) := FALSE; next(a[1]) := a[0];
TRANS speed = slow -> next(c.x) = c.x
SPEC AG !full
"""


def shown(model, formula, *, full=True):
    verdict = pigro.check(model, formula, witness=True)
    return evidence_text(
        model.about(verdict.formula.atoms), verdict.formula, verdict.evidence, 0, full=full
    )


def test_only_changes_are_told_after_the_first_state(tmp_path):
    path = tmp_path / "inputs.smv"
    path.write_text(INPUTS)
    assert shown(pigro.load(path), "AG !full").split("\n")[1:4] == [
        f"     0  a[0] = FALSE, a[1] = FALSE, c.x = 0, c.w = 0ud4_0   {path}:7:8: MODULE main",
        "     1  a[0] = TRUE, c.x = 1, c.w = 0ud4_3   (by go = TRUE, speed = fast)"
        f"   {path}:12:38: init(a[0]) := FALSE; next(a[0]) := speed = fast;",
        "     2  a[1] = TRUE, c.x = 2, c.w = 0ud4_6   (by go = TRUE, speed = fast)   [full]"
        f"   {path}:13:38: init(a[1]) := FALSE; next(a[1]) := a[0];",
    ]


def test_processes_and_loops_are_told():
    text = shown(
        pigro.load(EXAMPLES / "semaphore.smv"), "AG !(a.state = critical & b.state = critical)"
    )
    assert "before: " not in text
    assert "a.state = waiting   (by process = a)" in text
    lines = text.split("\n")
    at = lines.index("        -- the loop starts here --")
    number = lines[at + 1].split()[0]
    assert f"and on from state {number} again, forever" in text


def test_many_values_are_wrapped_and_cut_in_the_short_form(tmp_path):
    path = tmp_path / "wide.smv"
    names = [f"bit{number}" for number in range(15)]
    declared = "".join(f"  {name} : boolean;\n" for name in names)
    fixed = "".join(f"  init({name}) := FALSE; next({name}) := TRUE;\n" for name in names)
    path.write_text(f"MODULE main\nVAR\n{declared}ASSIGN\n{fixed}")
    model = pigro.load(path)
    full, short = shown(model, "AG !bit3"), shown(model, "AG !bit3", full=False)
    assert all(f"{name} = TRUE" in full for name in names)
    assert max(map(len, full.split("\n"))) < 100 + len(str(path))
    assert "and 3 more" in short
    assert "bit14" not in short


def test_modules_that_call_tell_their_own_variables():
    model = pigro.load(EXAMPLES.parent / "protocol.smv")
    states = [
        model.values(model.core.node_of_declared(at)) for at in range(model.core.declared_nodes)
    ]
    assert len({tuple(each) for each in states}) == model.core.components
    assert all(states)


def test_the_report_has_the_values_of_all_states():
    model = pigro.load(EXAMPLES / "bank.smv")
    verdict = pigro.check(model, "AG left >= 2", witness=True)
    page = render_html(model.about(verdict.formula.atoms), [verdict]).decode()
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    told = data["verdicts"][0]["evidence"]
    path = next(each["path"] for each in told if "path" in each)
    assert [data["values"][str(node)]["left"] for node in path["nodes"]] == ["2", "1"]
    assert set(path["inputs"]["1"]) == {"amount", "back"}
    assert "variables by step" in page


def test_the_report_hides_labels_of_hidden_variables():
    model = pigro.load(EXAMPLES / "semaphore.smv")
    verdict = pigro.check(model, "AG !(a.state = critical & b.state = critical)", witness=True)
    page = render_html(model.about(verdict.formula.atoms), [verdict]).decode()
    data = json.loads(page.partition('id="data">')[2].partition("</script>")[0])
    assert {"a.state = critical", "b.state = critical"} <= set(data["labels"])
    assert not any(label.startswith("before: ") for label in data["labels"])


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.smv")), ids=lambda file: file.stem)
def test_inputs_lead_to_the_next_state_in_every_step(file):
    model = pigro.load(file)
    if not model.is_listed or model.core.boxes:
        pytest.skip("not listed, or with calls")
    has_inputs = "IVAR" in file.read_text() or "process" in file.read_text()
    for node in range(min(model.core.nodes, 100)):
        for after in model.core.successors(node):
            assert bool(model.inputs(node, after)) == has_inputs
