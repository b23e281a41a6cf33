"""The places of steps in evidence that the command writes."""

import json
from pathlib import Path

MODULES = """MODULE main
VAR
  s : {a, b, c};
CALL f := s = b;
ASSIGN
  init(s) := a;
  next(s) := case
    s = a : b;
    TRUE  : c;
  esac;
SPEC AG s != c
MODULE f
VAR
  t : {x, y};
ASSIGN
  init(t) := x;
  next(t) := t = x
    ? y : EXIT;
"""


def written(run):
    Path("model.smv").write_text(MODULES)
    return json.loads(run("check", "model.smv", "--witness", "--format", "json").stdout)


def paths(told):
    if isinstance(told, dict):
        if "stacks" in told and "ends" in told:
            yield told
        told = told.values()
    if not isinstance(told, str):
        for each in told if hasattr(told, "__iter__") else ():
            yield from paths(each)


def test_text_names_the_branch_of_each_step(run):
    Path("model.smv").write_text(MODULES)
    shown = run("check", "model.smv", "--witness").stdout.splitlines()
    ends = [each.rpartition("   model.smv:")[2] for each in shown if "   model.smv:" in each]
    assert ends[0] == "1:8: MODULE main"
    assert ends[1].startswith("12:8: MODULE f")
    assert ends[2:] == ["18:7: ? y : EXIT;", "18:11: ? y : EXIT;", "9:5: TRUE : c;"]


def test_json_has_the_places_and_they_are_judged(run):
    result = written(run)
    [path] = [each for each in paths(result) if "places" in each]
    assert [each["line"] for each in path["places"]] == [12, 18, 18, 9]
    Path("right.json").write_text(json.dumps(result))
    assert run("validate-witness", "model.smv", "right.json").exit_code == 0
    path["places"][1]["line"] = 1
    Path("wrong.json").write_text(json.dumps(result))
    found = run("validate-witness", "model.smv", "wrong.json")
    assert found.exit_code == 1
    assert "the places are not those of the steps of a path" in found.stdout + found.stderr
    del path["places"]  # as earlier versions wrote it
    Path("old.json").write_text(json.dumps(result))
    assert run("validate-witness", "model.smv", "old.json").exit_code == 0


def test_the_report_has_the_places(run):
    Path("model.smv").write_text(MODULES)
    run("check", "model.smv", "--html", "report.html")
    assert "model.smv:18:7" in Path("report.html").read_text()


def test_states_on_demand_have_places(run):
    frozen = " ".join(f"b{i} : boolean;" for i in range(20))
    text = MODULES.partition("SPEC")[0].replace("CALL f := s = b;", f"FROZENVAR {frozen}")
    Path("model.smv").write_text(text)
    shown = run("check", "model.smv", "AG s != c", "--witness").stdout.splitlines()
    ends = [each.rpartition("   model.smv:")[2] for each in shown if "   model.smv:" in each]
    assert ends == ["8:5: s = a : b;", "9:5: TRUE : c;"]
