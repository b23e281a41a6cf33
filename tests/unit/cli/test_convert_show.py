"""`pigro convert`, `pigro formats` and `pigro show`."""

from __future__ import annotations

import json
import re
from importlib.resources import files
from pathlib import Path

import jsonschema
import pytest

import pigro
from pigro.formats import registry


def refused(result):
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


@pytest.mark.parametrize("name", ["copy.rsm", "copy.json", "copy.pigro"])
def test_copies_have_the_same_verdicts(run, app, name):
    result = run("convert", app, name)
    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "")
    model, copy = pigro.load(app), pigro.load(name)
    assert copy.statistics == model.statistics
    assert run("convert", name, "again.rsm").exit_code == 0
    assert Path("again.rsm").read_bytes() == Path(app).read_bytes()


def test_json_is_as_its_schema_says(run, app):
    document = json.loads(run("convert", app, "-", "--to", "json").stdout)
    schema = json.loads(files("pigro.schemas").joinpath("model.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(document, schema)
    main, helper = document["components"]
    assert (main["calls"], main["recursive"], main["reachable"]) == (["helper"], False, True)
    assert (helper["calls"], helper["recursive"], helper["edges"]) == (["helper"], True, 3)
    assert document["statistics"] == pigro.load(app).statistics.as_dict()


def test_standard_input_and_output(run, app):
    data = Path(app).read_bytes()
    result = run("convert", "-", "-", "--to", "rsm", stdin=data)
    assert result.stdout.encode() == data
    assert "can't tell the output format" in refused(run("convert", app, "-"))


def test_binary_files_are_files_like_others(run, app):
    assert run("convert", app, "app.pigro").exit_code == 0
    data = Path("app.pigro").read_bytes()
    assert data.startswith(b"\x89pigro\r\n")
    for command in (("show",), ("check", "AG EF done"), ("explain", "EF done")):
        name, *formula = command
        told, same = run(name, app, *formula), run(name, "app.pigro", *formula)
        assert told.exit_code == same.exit_code
        assert _timeless(same.stdout) == _timeless(told.stdout).replace(app, "app.pigro")
    assert _timeless(run("show", "-", stdin=data).stdout).startswith("model       <stdin>")
    Path("app.pigro").write_bytes(data[:-1])
    assert refused(run("check", "app.pigro", "EF done")).startswith("error[P140]")


def _timeless(text):
    return re.sub(r"[\d.]+ [mµ]?s\b", "TIME", text)


def test_refusals_leave_nothing_half_written(run, app):
    Path("old.json").write_text("old")
    Path("bad.rsm").write_text("{")
    assert refused(run("convert", "bad.rsm", "old.json")).startswith("error[P101]")
    assert refused(run("convert", "none.rsm", "old.json")).startswith("error[P001]")
    assert Path("old.json").read_text() == "old"
    assert "it is an input of this run" in refused(run("convert", app, app))
    message = refused(run("convert", app, "x.doc"))
    assert message.startswith(
        "error[P007]: can't tell the output format from the file name x.doc\n"
        "  hint: use one of the suffixes .rsm, .json"
    )
    assert message.endswith(", or give the format with --to NAME\n")
    assert refused(run("convert", app, "x", "--to", "jsno")).endswith('did you mean "json"?\n')
    assert refused(run("convert", app, "no/x.rsm")).startswith("error[P003]")
    run("convert", app, "x.dot")
    assert refused(run("convert", "x.dot", "y.rsm")).startswith(
        "error[P007]: format dot can't be read\n  hint: formats that can: rsm, json"
    )
    assert sorted(path.name for path in Path().iterdir()) == [
        "app.rsm", "bad.rsm", "old.json", "x.dot",
    ]  # fmt: skip


def test_the_list_of_formats(run):
    lines = run("formats").stdout.splitlines()
    head, *rows = [line.split()[:4] for line in lines]
    assert head == ["name", "suffix", "reads", "writes"]
    assert [row[0] for row in rows] == [each.name for each in registry.formats()]
    assert rows[0] == ["rsm", ".rsm", "yes", "yes"]
    assert ["dot", ".dot", "-", "yes"] in rows


def test_summary(run, app):
    text = run("show", app).stdout
    assert text.startswith("model       app.rsm\n")
    assert "\nfrequent    def (1), done (1), use (1)\n" in text
    assert text.endswith(
        "component  nodes  entries  exits  boxes  edges             calls\n"
        "main           3        1      1      1      4  start      helper\n"
        "helper         2        1      1      1      3  recursive  helper\n"
    )
    assert run("show", "-", stdin=Path(app).read_bytes()).stdout.startswith("model       <stdin>")


def test_one_component(run, app):
    assert run("show", app, "--component", "helper").stdout == (
        "component   helper (recursive)\n"
        "calls       helper\n"
        "called by   main, helper\n"
        "\n"
        "node       kind                labels  leads to\n"
        "in         entry                       out, again.in\n"
        "out        exit                use\n"
        "again.in   call of helper\n"
        "again.out  return from helper  use     out\n"
    )
    both = run("show", app, "--component", "helper", "--component", "main").stdout
    assert both.count("component ") == 2
    assert refused(run("show", app, "--component", "helpr")) == (
        'error[P009]: there is no component or part "helpr"\n  hint: did you mean "helper"?\n'
    )


@pytest.fixture
def large(app):
    model = pigro.ModelBuilder()
    for number in range(50):
        part = model.component(f"c{number}")
        part.entry("in")
        for other in range(number % 7 + 3):
            part.node(f"n{other}")
        if number:
            box = part.box("b", calls=f"c{number - 1}")
            part.edge("in", box.call("in"))
    pigro.save(model.build(initial="c49:in"), "large.rsm")
    return "large.rsm"


def test_large_models_are_listed_by_their_largest_components(run, large):
    text = run("show", large).stdout
    assert text.endswith("and 30 smaller ones; --all lists them\n")
    assert text.count("\nc") == 21 + 1  # and the row "components"
    assert run("show", large, "--all").stdout.count("\nc") == 51 + 1


def test_drawings(run, app, large):
    assert run("show", app, "--draw", "app.dot").stdout == ""
    drawn = Path("app.dot").read_text()
    assert drawn.count("subgraph") == 2
    assert run("show", app, "--draw", "-").stdout == drawn
    assert run("convert", app, "-", "--to", "dot").stdout == drawn
    assert run("show", app, "--draw", "-", "--component", "main").stdout.count("subgraph") == 1
    result = run("show", large, "--draw", "-")
    assert result.stdout.count(" -> ") == 49
    assert "subgraph" not in result.stdout
    assert result.stderr == (
        "note: 50 components with 396 nodes are drawn as a call graph; "
        "--component NAME draws one, --all all\n"
    )
    assert run("show", large, "--draw", "-", "--all").stdout.count("subgraph") == 50


def test_drawings_that_can_not_be(run, app, monkeypatch):
    assert refused(run("show", app, "--draw", "x.png")).startswith("error[P007]: the name x.png")
    assert refused(run("show", app, "--draw", "no/x.dot")).startswith("error[P003]")
    monkeypatch.setitem(__import__("sys").modules, "pygraphviz", None)
    for args in (["show", app, "--draw", "x.svg"], ["convert", app, "x.svg"]):
        assert refused(run(*args)).startswith("error[P010]: drawing SVG needs Graphviz\n  hint: ")
    assert not Path("x.svg").exists()


def test_svg(run, app):
    pytest.importorskip("pygraphviz")
    assert run("show", app, "--draw", "x.svg").exit_code == 0
    assert run("convert", app, "y.svg").exit_code == 0
    text = Path("x.svg").read_text()
    assert "<svg" in text
    assert text == Path("y.svg").read_text()


def test_a_pushdown_system_keeps_the_reading_it_was_written_with(run, tmp_path):
    """Calls of nodes that are entry and exit at once: steps in one reading, dead ends in the other."""
    source = str(Path(__file__).resolve().parents[3] / "examples" / "one-line-method.rsm")
    model = pigro.load(source)
    assert model.calls_pass_through
    words = {}
    for semantics in ("standard", "rsmcheck"):
        written = str(tmp_path / f"{semantics}.pds")
        result = run("convert", source, written, "--semantics", semantics)
        assert result.exit_code == 0
        assert ("warning: calls of nodes that are entry and exit" in result.stderr) is (
            semantics == "standard"
        )
        labels = sorted(model.label_ids)
        formulas = [f"{path} {label}" for label in labels for path in ("EF", "AF", "EG", "AG")]
        expected = pigro.check_all(pigro.load(source, semantics=semantics), formulas)
        words[semantics] = [each.outcome for each in expected]
        for again in ("standard", "rsmcheck"):
            found = pigro.check_all(pigro.load(written, semantics=again), formulas)
            assert [each.outcome for each in found] == words[semantics]
    assert words["standard"] != words["rsmcheck"]


HANDSHAKE = str(Path(__file__).resolve().parents[3] / "examples/handshake.parts")


def test_parts_are_shown(run):
    result = run("show", HANDSHAKE)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == (
        "part client   3 states, 4 steps, labels request, happy\n"
        "part server   3 states, 4 steps, labels request, busy\n"
        "joint labels  request\n"
        "composed      5 states, 1 initial\n"
    )
    one = run("show", HANDSHAKE, "--component", "client").stdout
    assert one == (
        "part        client\n"
        "labels      request, happy\n"
        "\n"
        "state    kind     labels   leads to\n"
        "idle     initial  happy    idle, asking\n"
        "asking            request  waiting\n"
        "waiting           request  idle\n"
    )
    assert refused(run("show", HANDSHAKE, "--component", "clint")) == (
        'error[P009]: there is no component or part "clint"\n  hint: did you mean "client"?\n'
    )


def test_parts_are_drawn(run):
    drawing = run("show", HANDSHAKE, "--draw", "-").stdout
    assert drawing.count("subgraph") == 2
    assert '    s0_0 [style=filled, fillcolor=lightyellow, label="idle\\nhappy"];\n' in drawing
    assert "    s0_0 -> s0_1;\n" in drawing
    assert run("convert", HANDSHAKE, "-", "--to", "dot").stdout == drawing
    only = run("show", HANDSHAKE, "--component", "server", "--draw", "-").stdout
    assert 'label="server"' in only
    assert 'label="client"' not in only
    Path("vague.parts").write_text(
        'part "a\\"b"\n labels p\n actions go\n state x { p? } initial\n x ~go~> x\n x -tau-> x\n'
    )
    vague = run("show", "vague.parts", "--draw", "-").stdout
    assert 'label="a\\"b";' in vague
    assert 'label="x\\np?"' in vague
    assert 's0_0 -> s0_0 [style=dashed, label="go"];' in vague
    assert 's0_0 -> s0_0 [label="tau"];' in vague


def test_large_compositions_are_drawn_by_what_parts_share(run):
    text = ""
    for name in ("left", "right"):
        states = "".join(f" state s{at} {{ p }} initial\n" for at in range(101))
        text += f"part {name}\n labels p\n{states}"
    Path("large.parts").write_text(text)
    result = run("show", "large.parts", "--draw", "-")
    assert result.stderr == (
        "note: 2 parts with 202 states are drawn as one box a part; --component NAME draws one, "
        "--all all\n"
    )
    assert '  p0 -> p1 [dir=none, label="p"];\n' in result.stdout
    assert run("show", "large.parts", "--all", "--draw", "-").stdout.count("subgraph") == 2


def test_parts_are_no_model(run):
    message = refused(run("explain", HANDSHAKE, "EF busy"))
    assert "explain and label need a model, and this is a composition file" in message
    assert "hint: a file of parts is checked by `pigro compose`" in message
    assert refused(run("convert", HANDSHAKE, "x.smv")).startswith(
        "error[P215]: the composition has 2 parts, which a model can't have\n"
    )


def test_formulas_begin_where_runs_do_in_a_model_with_ending_states(run, tmp_path, monkeypatch):
    """A module that is called is there twice. Its own SPEC starts in the one with the ending state."""
    monkeypatch.chdir(tmp_path)
    Path("calls.smv").write_text(
        "MODULE main VAR s : {a, b}; CALL f := s = b; DEFINE p := s = EXIT;\n"
        "ASSIGN init(s) := a; next(s) := case s = a : b; TRUE : EXIT; esac; SPEC AG EF p\n"
        "MODULE f VAR s : {t}; DEFINE p := s = EXIT; ASSIGN init(s) := t; next(s) := EXIT; SPEC AG EF p\n"
    )

    def verdicts(*args):
        done = run("check", *args)
        return [line.split()[0] for line in done.stdout.splitlines() if line[:1].isalpha()]

    assert verdicts("calls.smv") == ["holds", "holds"]
    assert verdicts("calls.smv", "--semantics", "rmv") == ["fails", "fails"]
    for name in ("out.rsm", "out.pigro"):
        assert run("convert", "calls.smv", name, "--semantics", "rmv").exit_code == 0
        assert verdicts(name) == ["fails", "fails"]


ENDLESS = "MODULE main\nVAR x : boolean;\nTRANS x & next(x)\nSPEC AX x\nLTLSPEC F x\n"


@pytest.mark.parametrize("suffix", ["rsm", "json", "pigro"])
def test_a_converted_module_keeps_its_reading_of_dead_ends(run, tmp_path, suffix):
    Path("f.smv").write_text(ENDLESS)
    result = run("convert", "f.smv", f"f.{suffix}")
    assert result.stderr == (
        "note: formulas about the old file are about endless or fair paths only; its own say so in "
        "the new file, and others are about all paths\n"
    )
    assert run("check", "f.smv").stdout.count("holds ") == 2
    assert run("check", f"f.{suffix}").stdout.count("holds ") == 2
    assert run("check", f"f.{suffix}", "--dead-ends", "stutter").stdout.count("fails ") == 2
    written = run("check", f"f.{suffix}", "--certificate", "c.pgc")
    assert written.exit_code == 0
    proved = run("validate-witness", f"f.{suffix}", "c.pgc", "--check", "A [X x | F X false]")
    assert (proved.exit_code, "0 not proved" in proved.stdout) == (0, True)


def test_loops_for_dead_ends_are_told(run):
    pigro.save(pigro.kripke({"a": ["b"], "b": []}, labels={}, initial="a"), "m.rsm")
    for name in ("m.smv", "m.parts"):
        result = run("convert", "m.rsm", name)
        assert result.exit_code == 0
        assert result.stderr == (
            "note: 1 dead end is a loop in the new file, which gives the same verdicts\n"
        )
        refusal = refused(run("convert", "m.rsm", f"other-{name}", "--dead-ends", "stop"))
        assert "is a dead end where runs stop" in refusal


def test_the_mu_calculus_sees_other_steps_in_a_model_of_a_part(run):
    Path("m.parts").write_text("part m\n  state a {} initial\ncheck [] false\ncheck AX true\n")
    result = run("convert", "m.parts", "m.rsm")
    assert result.stderr == (
        "note: 1 of 2 formulas left behind: a .rsm file can't state such formulas\n"
        "note: in the new file, the mu-calculus reads dead ends as loops\n"
    )


def test_many_operators_on_the_past_as_a_binary_file(run):
    """They make the states of a small module many, so the states are computed on demand."""
    past = " & ".join(f"(x {'ST'[at % 2]} {'Y ' * at}x)" for at in range(6))
    Path("m.smv").write_text(f"MODULE main\nVAR x : boolean;\nLTLSPEC G ({past})\n")
    assert not pigro.load("m.smv").is_listed
    assert run("convert", "m.smv", "m.pigro").exit_code == 0
    kinds = [run("check", name).stdout.split()[0] for name in ("m.smv", "m.pigro")]
    assert kinds[0] == kinds[1]
