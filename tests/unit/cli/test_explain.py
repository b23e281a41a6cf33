"""`pigro explain`, and `explain_at` from Python."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

import pigro
from pigro.engines import UnknownLabelWarning
from pigro.engines.explaining import explain_at
from pigro.engines.labelling import TruthAmongStates

from support.processes.children import PATIENCE, wait_until_working

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"


def test_at_the_initial_node(run, app):
    done = run("explain", app, "AF (done | EX def)")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "at main:start, with the empty stack\n"
        "\n"
        "fails    AF (done | EX def)\n"
        "         some run never reaches (done | EX def)\n"
        "fails    done | EX def\n"
        "         (done | EX def) is false in the initial state\n"
        "fails    done\n"
        "         the initial state does not carry done\n"
        "fails    EX def\n"
        "         no next state satisfies def\n"
        "holds    def\n"
        "         the initial state carries def\n"
    )


def test_path_formulas_at_a_node_depend_on_the_caller(run):
    done = run("explain", str(EXAMPLES / "server.rsm"), "E [X X request]", "--at", "log:out")
    assert done.stdout == (
        "at log:out, for every caller\n"
        "\n"
        "depends  E [X X request]\n"
        "         called by main:l1, some run satisfies X X request\n"
        "         called by main:l1 > log:again, no run satisfies X X request\n"
        "fails    request\n"
        "         this state does not carry request\n"
    )


def test_a_path_formula_alone_means_all_runs(run):
    done = run("explain", str(EXAMPLES / "server.rsm"), "G F request", "--at", "log:in")
    assert "fails    A [G F request]\n         some run violates G F request\n" in done.stdout


def test_at_a_node_it_depends_on_the_caller(run, app):
    done = run("explain", app, "use & EX done", "--at", "helper:out")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "at helper:out, for every caller\n"
        "\n"
        "depends  use & EX done\n"
        "         called by main:call, (use & EX done) is true in this state\n"
        "         called by main:call > helper:again, (use & EX done) is false in this state\n"
        "holds    use\n"
        "         this state carries use\n"
        "depends  EX done\n"
        "         called by main:call, some next state satisfies done\n"
        "         called by main:call > helper:again, no next state satisfies done\n"
        "fails    done\n"
        "         this state does not carry done\n"
    )


def test_a_node_that_is_not_reachable(run, app):
    model = pigro.load(app)
    pigro.save(model.with_initial([model.find("main:wait")]), "late.rsm")
    done = run("explain", "late.rsm", "EF use", "--at", "helper:in")
    assert (done.exit_code, done.stdout) == (0, "helper:in is not reachable from main:wait\n")
    done = run("explain", "late.rsm", "EF use", "--at", "helper:in", "--format", "json")
    found = json.loads(done.stdout)["truths"]
    assert [each["truth"] for each in found] == ["not reachable"] * 2
    assert [each["reason"] for each in found] == [None] * 2


def test_json(run, app):
    done = run("explain", app, "EX done", "--at", "helper:out", "--format", "json")
    assert json.loads(done.stdout) == {
        "schema": "pigro.explanation/2",
        "model": {
            "file": "app.rsm",
            "semantics": "standard",
            "dead_ends": "stutter",
            "initial": ["main:start"],
        },
        "formula": "EX done",
        "truths": [
            {
                "formula": "EX done",
                "at": "helper:out",
                "truth": "depends",
                "reason": "called by main:call, some next state satisfies done; "
                "called by main:call > helper:again, no next state satisfies done",
                "true_in": {"node": "helper:out", "stack": ["main:call"]},
                "false_in": {"node": "helper:out", "stack": ["main:call", "helper:again"]},
            },
            {
                "formula": "done",
                "at": "helper:out",
                "truth": "fails",
                "reason": "this state does not carry done",
                "true_in": None,
                "false_in": None,
            },
        ],
        "left_out": 0,
        "warnings": [],
    }
    [row] = json.loads(run("explain", app, "done", "--format", "json").stdout)["truths"]
    assert row["at"] is None


def test_several_initial_nodes(run, app):
    model = pigro.load(app)
    both = model.with_initial([model.find("main:wait"), model.find("main:start")])
    pigro.save(both, "both.rsm")
    done = run("explain", "both.rsm", "EF done")
    assert done.stdout == (
        "at main:wait, main:start, with the empty stack\n"
        "\n"
        "depends  EF done\n"
        "         at main:start, a state with done is reachable\n"
        "         at main:wait, no reachable state satisfies done\n"
        "fails    done\n"
        "         the initial state does not carry done\n"
    )
    found = explain_at(both, "EX use", "helper:in")  # reachable from the second one only
    assert [each.truth for each in found] == [TruthAmongStates.HOLDS, TruthAmongStates.FAILS]
    found = explain_at(both, "EX EX done", "helper:in")
    assert [each.truth for each in found] == [
        TruthAmongStates.DEPENDS,
        TruthAmongStates.FAILS,
        TruthAmongStates.FAILS,
    ]


def test_an_empty_procedure_is_named_by_its_box(run):
    done = run("explain", str(EXAMPLES / "dataflow.rsm"), "EX use_i", "--at", "a:a_19_8")
    assert "holds    EX use_i\n" in done.stdout
    done = run(
        "explain", str(EXAMPLES / "dataflow.rsm"), "EX use_i", "--at", "a_19_8", "--semantics",
        "rsmcheck",
    )  # fmt: skip
    assert "fails    EX use_i\n" in done.stdout


def test_stacks_end_with_the_box_of_an_empty_procedure():
    made = pigro.ModelBuilder()
    main = made.component("main")
    main.entry("start")
    main.node("end", labels=["p"])
    first, second = (main.box(name, calls="nothing") for name in ("first", "second"))
    main.edge("start", first.call("it"))
    main.edge(first.returned("it"), second.call("it"))
    main.edge(second.returned("it"), "end")
    main.edge("end", "end")
    made.component("nothing").node("it", entry=True, exit=True)
    model = made.build(initial="main:start")
    [whole, _] = explain_at(model, "EX p", "it")
    names = model.names.boxes
    assert whole.truth is TruthAmongStates.DEPENDS
    assert [names[box] for box in whole.true_in.stack] == ["second"]
    assert [names[box] for box in whole.false_in.stack] == ["first"]
    assert whole.true_in.node == whole.false_in.node == model.find("it")


def test_long_stacks_are_cut_in_text_only(run, app):
    formula = "EX " * 12 + "done"
    done = run("explain", app, formula, "--at", "helper:out", "--format", "json")
    [whole, *_] = json.loads(done.stdout)["truths"]
    assert whole["false_in"]["stack"] == ["main:call"] + ["helper:again"] * 12
    done = run("explain", app, formula, "--at", "helper:out")
    again = ["helper:again"] * 4
    shown = " > ".join(["main:call", *again[1:], "... 5 more ...", *again])
    assert f"called by {shown}, no next state" in done.stdout


def test_at_most_fifty_subformulas(run, app):
    done = run("explain", app, "EX " * 60 + "done")
    assert done.exit_code == 0
    assert done.stdout.endswith("\nand 11 more subformulas\n")
    assert done.stdout.count("fails    ") + done.stdout.count("holds    ") == 50
    done = run("explain", app, "EX " * 50 + "done", "--at", "start")
    assert done.stdout.endswith("\nand 1 more subformula\n")
    done = run("explain", app, "EX " * 60 + "done", "--format", "json")
    assert json.loads(done.stdout)["left_out"] == 11


def test_subformulas_are_those_written_each_once(run, app):
    done = run("explain", app, "A [!done W use] <-> !done & (use xor !done)", "--format", "json")
    assert [each["formula"] for each in json.loads(done.stdout)["truths"]] == [
        "A [!done W use] <-> !done & (use xor !done)",
        "A [!done W use]",
        "!done",
        "done",
        "use",
        "!done & (use xor !done)",
        "use xor !done",
    ]


@pytest.mark.parametrize(
    "args, code",
    [
        (["no.rsm", "p"], "P001"),
        (["app.rsm", "EF ("], "P301"),
        (["app.rsm", "<send> p"], "P410"),
        (["app.rsm", "mu Z. A [G F p] | <> Z"], "P401"),
        (["app.rsm", "p", "--at", "nowhere"], "P004"),
        (["app.rsm", "p", "--at", "out"], "P005"),
        (["app.rsm", "p", "--format", "xml"], "P006"),
        (["app.rsm"], "missing argument"),
    ],
    ids=lambda each: " ".join(each) if isinstance(each, list) else each,
)
def test_bad_input(run, app, args, code):
    done = run("explain", *args)
    assert (done.exit_code, done.stdout) == (2, "")
    assert code in done.stderr


def test_all_that_is_wrong_is_told_at_once(run, app):
    done = run("explain", app, "EF (", "--at", "nowhere")
    assert done.exit_code == 2
    assert "P301" in done.stderr
    assert "P004" in done.stderr


def test_unknown_labels(run, app):
    done = run("explain", app, "EF odne", "--format", "json")
    assert (done.exit_code, "warning: 1 label" in done.stderr) == (0, True)
    assert len(json.loads(done.stdout)["warnings"]) == 1
    with pytest.warns(UnknownLabelWarning):
        explain_at(pigro.load(app), "EF odne")


def test_other_ways_to_read_the_model(run, app):
    done = run("explain", "-", "EX done", "--at", "main:out", stdin=Path(app).read_bytes())
    assert "holds    EX done\n" in done.stdout
    done = run("explain", app, "EX true", "--dead-ends", "error", "--at", "helper:in")
    assert (done.exit_code, "holds    EX true\n" in done.stdout) == (0, True)


def test_labels_of_smv_models(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("one.smv").write_text(
        "MODULE main\nVAR x : 0..2;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 3;\n"
    )
    done = run("explain", "one.smv", "EX x = 1")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout.split("\n")[2].startswith("holds    EX ")


def test_hostile_names(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    name = "a\x1b[31m"
    pigro.save(pigro.kripke({name: [name]}, labels={name: ["x\x1b"]}, initial=name), "m.rsm")
    for args in ([], ["--at", name]):
        done = run("explain", "m.rsm", 'EX "x\x1b"', *args)
        assert (done.exit_code, "\x1b" in done.stdout) == (0, False)
        done = run("explain", "m.rsm", 'EX "x\x1b"', *args, "--format", "json")
        assert "\x1b" not in done.stdout
        assert json.loads(done.stdout)["truths"][1]["formula"] == '"x\x1b"'


def test_from_python(app):
    model = pigro.load(app)
    found = explain_at(model, pigro.parse("EX done"), model.find("helper:out"), most=1)
    assert [(str(each.formula), each.truth) for each in found] == [
        ("EX done", TruthAmongStates.DEPENDS)
    ]
    with pytest.raises(pigro.UsageError):
        explain_at(model, "EX done", model.core.nodes)
    with pytest.raises(pigro.UsageError):
        explain_at(model, "EX done", model.core.nodes - 1)  # a return node


def test_a_model_that_has_the_label_here(app):
    model = pigro.kripke({"a": ["b"], "b": ["a"]}, labels={"a": ["here0"]}, initial="a")
    with pytest.warns(UnknownLabelWarning):
        found = explain_at(model, "EX here0 & !EX here1", "b")
    assert [str(each.truth) for each in found] == [
        "holds",
        "holds",
        "fails",
        "holds",
        "fails",
        "fails",
    ]


@pytest.mark.skipif(os.name != "posix", reason="signals")
@pytest.mark.parametrize("name", ["explain", "label"])
def test_ctrl_c(name):
    command = [sys.executable, "-m", "pigro", name]
    hard = [str(EXAMPLES / "permutations.rsm"), "AG (EF EG p | EF EG !p)"]
    running = subprocess.Popen(
        [*command, *hard],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # also in the background
    )
    wait_until_working(running)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=PATIENCE)
    assert (running.returncode, out) == (130, "")
    assert err.strip() == "interrupted"
