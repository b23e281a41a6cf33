"""What commands show of a model that has source positions."""

from __future__ import annotations

import json
import re
from pathlib import Path

import jsonschema
import pytest

import pigro
from pigro.evidence import evidence_for

from support.evidence.texts import evidence_text

HOME = Path(pigro.__file__).parent
EVIDENCE = json.loads((HOME / "schemas" / "evidence.schema.json").read_text("utf-8"))
RUN = json.loads((HOME / "schemas" / "run.schema.json").read_text("utf-8"))
EXPLANATION = json.loads((HOME / "schemas" / "explanation.schema.json").read_text("utf-8"))
MODEL = json.loads((HOME / "schemas" / "model.schema.json").read_text("utf-8"))
PROGRAM = "int x;\nint main() {\n  x = read();\n  f();\n}\nint f() {\n  return x;\n}\n"


@pytest.fixture
def placed(run):
    """A program and its model. `f` is called in line 4."""
    Path("app.c").write_text(PROGRAM)
    model = pigro.ModelBuilder(file="app.c")
    main = model.component("main", at=(2, 1, 5, 2))
    main.entry("start", labels=["def"], at=(3, 3))
    main.exit("end", labels=["done"])
    box = main.box("call", calls="f", at=4)
    main.edge("start", box.call("in"))
    main.edge(box.returned("out"), "end")
    f = model.component("f", at=6)
    f.entry("in", at=7)
    f.exit("out", labels=["use"], at=7)
    f.edge("in", "out")
    pigro.save(model.build(initial="main:start"), "app.rsm")
    return "app.rsm"


WITNESS = """\
         a shortest run of 3 states for EF use:
              0  main:start   app.c:3:3: x = read();
              1  | f:in   (called by call at app.c:4)   app.c:7: return x;   (at exit out: EF use)
              2  | f:out   [use]
"""


def test_a_run_reads_as_a_list_of_lines(run, placed):
    done = run("check", placed, "EF use", "--witness")
    assert done.stdout.split("\n", 2)[2] == WITNESS


def test_without_the_file_positions_are_shown(run, placed):
    Path("app.c").unlink()
    told = run("check", placed, "EF use", "--witness").stdout
    assert "main:start   app.c:3:3\n" in told
    assert "(called by call at app.c:4)   app.c:7   (at exit out: EF use)\n" in told


def test_folded_calls_have_no_lines(run, placed):
    model = pigro.load(placed)
    verdict = pigro.check(model, "EF done", certify=True)
    evidence = evidence_for(model, verdict.certificate.to_bytes())
    told = evidence_text(model, verdict.formula, evidence, 0, full=False)
    assert told.splitlines()[1:] == [
        "     0  main:start   app.c:3:3: x = read();",
        "        ... 2 states inside a call",
        "     3  main:end   [done]",
    ]


def test_show(run, placed):
    told = run("show", placed).stdout
    line = "source      app.c (3 of 4 nodes, 1 of 1 box, 2 of 2 components)\n"
    assert line in told
    lines = run("show", placed, "--component", "main").stdout.splitlines()
    assert "source      app.c:2:1: int main() {" in lines
    assert re.fullmatch(r"node +kind +labels +leads to +source", lines[5])
    assert lines[6].endswith("app.c:3:3: x = read();")
    assert lines[8].endswith("app.c:4: f();")


def test_explain(run, placed):
    lines = run("explain", placed, "EF use", "--at", "f:in").stdout.splitlines()
    assert lines[0] == "at f:in, for every caller   app.c:7: return x;"
    lines = run("explain", placed, "EF use").stdout.splitlines()
    assert lines[0] == "at main:start, with the empty stack   app.c:3:3: x = read();"
    told = json.loads(run("explain", placed, "use", "--at", "f:in", "--format", "json").stdout)
    jsonschema.validate(told, EXPLANATION)
    assert told["truths"][0]["position"] == {
        "file": "app.c",
        "line": 7,
        "column": 0,
        "end_line": 7,
        "end_column": 0,
    }


def test_html(run, placed):
    run("check", placed, "EF use", "--witness", "--html", "why.html")
    page = Path("why.html").read_text()
    data = json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])
    assert ["app.c:3:3", "x = read();"] in [row[5:] for row in data["nodes"].values()]
    assert [row[3:] for row in data["boxes"].values()] == [["app.c:4", "f();"]]
    assert "app.c:7: return x;" in re.search(r"<noscript>(.*?)</noscript>", page, re.DOTALL)[1]


@pytest.fixture
def why(run, placed):
    run("check", placed, "EF use", "--witness", "--format", "json", "--output", "why.json")
    return json.loads(Path("why.json").read_text())


def test_json_has_positions_once_a_node(run, why):
    tables = why["tables"]
    assert [node["at"] for node in tables["nodes"]] == [
        {"line": 3, "end_line": 3, "column": 3, "file": "app.c"},
        {"line": 7, "end_line": 7, "file": "app.c"},
        {"line": 7, "end_line": 7, "file": "app.c"},
    ]
    assert tables["boxes"][0]["at"] == {"line": 4, "end_line": 4, "file": "app.c"}
    for schema in (EVIDENCE, RUN):
        part = {**schema["properties"].get("tables", schema["$defs"].get("tables"))}
        jsonschema.validate(tables, {**part, "$defs": schema["$defs"]})
    assert run("validate-witness", "app.rsm", "why.json").exit_code == 0


def _other_line(tables):
    tables["nodes"][0]["at"]["line"] = 2


def _other_column(tables):
    tables["nodes"][0]["at"]["column"] = 4


def _other_file(tables):
    tables["nodes"][1]["at"]["file"] = "b.c"


def _no_position(tables):
    del tables["nodes"][1]["at"]


def _other_box(tables):
    tables["boxes"][0]["at"]["end_line"] = 5


def _no_box(tables):
    del tables["boxes"][0]["at"]


def _huge(tables):
    tables["nodes"][0]["at"]["line"] = 10**30


def _wrong_type(tables):
    tables["nodes"][0]["at"] = [3]


def _more(tables):
    tables["nodes"][0]["at"]["text"] = "x = read();"


@pytest.mark.parametrize(
    "change",
    [
        _other_line,
        _other_column,
        _other_file,
        _no_position,
        _other_box,
        _no_box,
        _huge,
        _wrong_type,
        _more,
    ],
)
def test_other_positions_are_refused(run, why, change):
    change(why["tables"])
    Path("wrong.json").write_text(json.dumps(why))
    done = run("validate-witness", "app.rsm", "wrong.json")
    assert done.exit_code == 2 or (
        done.exit_code == 1 and "source position" in done.stdout + done.stderr
    )
    assert "internal" not in done.stderr


def test_runs_of_other_logics_have_positions_too(run, placed):
    done = run(
        *(
            "check",
            placed,
            "E [F (use & X !use)]",
            "--witness",
            "--format",
            "json",
            "--output",
            "run.json",
        )
    )
    assert done.exit_code == 0, done.stderr
    tables = json.loads(Path("run.json").read_text())["tables"]
    assert tables["nodes"][0]["at"]["line"] == 3
    assert run("validate-witness", placed, "run.json").exit_code == 0


@pytest.mark.parametrize("name", ["copy.json", "copy.pigro", "copy.rsm"])
def test_convert_keeps_positions(run, placed, name):
    assert run("convert", placed, name).exit_code == 0
    if name == "copy.json":
        jsonschema.validate(json.loads(Path(name).read_text()), MODEL)
    done = run("check", name, "EF use", "--witness")
    assert done.stdout.split("\n", 2)[2] == WITNESS
    run("convert", name, "again.rsm")
    assert Path("again.rsm").read_bytes() == Path(placed).read_bytes()


PDS = "(p <a>)\np <a> --> p <b c>\np <b> --> p <>\np <c> --> p <c>\nATOMS c last\n"


def test_evidence_stays_right_when_the_file_moves_or_is_converted(run):
    Path("x.pds").write_text(PDS)
    made = ("check", "x.pds", "EF last", "--witness")
    assert "   x.pds:2: p <a> --> p <b c>\n" in run(*made).stdout
    run(*made, "--format", "json", "--output", "why.json")
    assert '"file": "x.pds"' not in json.dumps(json.loads(Path("why.json").read_text())["tables"])
    Path("sub").mkdir()
    Path("sub/y.pds").write_text(PDS)
    run("convert", "x.pds", "x.rsm")
    run("check", "x.rsm", "EF last", "--witness", "--format", "json", "--output", "rsm.json")
    for model, evidence in (
        ("x.pds", "why.json"),
        ("sub/y.pds", "why.json"),
        ("x.rsm", "why.json"),
        ("x.rsm", "rsm.json"),
        ("x.pds", "rsm.json"),
    ):
        done = run("validate-witness", model, evidence)
        assert done.exit_code == 0, (model, evidence, done.stdout, done.stderr)


def test_python_has_the_positions_of_a_run(run, placed):
    model = pigro.load(placed)
    verdict = pigro.check(model, "EF use", certify=True)
    path = evidence_for(model, verdict.certificate.to_bytes()).path
    assert [str(each) for each in path.positions(model)] == ["app.c:3:3", "app.c:7", "app.c:7"]
