"""`pigro label`, and `satisfying` from Python."""

import json
from pathlib import Path

import pytest

import pigro

EXAMPLES = Path(__file__).resolve().parents[3] / "examples"
WALK = str(EXAMPLES / "walk.rsm")


def test_all_nodes(run):
    done = run("label", WALK, "EX closed")
    assert (done.exit_code, done.stderr) == (0, "")
    assert done.stdout == (
        "fails          main:open\n"
        "fails          main:idle\n"
        "holds          main:end\n"
        "fails          visit:enter\n"
        "depends        visit:leave\n"
        "\n"
        "holds: 1, fails: 3, depends: 1; 3 contexts\n"
    )


def test_json(run):
    done = run("label", WALK, "EX closed", "--format", "json")
    told = json.loads(done.stdout)
    assert told["schema"] == "pigro.explanation/2"
    assert [each["at"] for each in told["truths"]][2:] == ["main:end", "visit:enter", "visit:leave"]
    assert told["truths"][4] == {
        "formula": "EX closed",
        "at": "visit:leave",
        "truth": "depends",
        "reason": "called by main:walk, some next state satisfies closed; "
        "called by main:walk > visit:child, no next state satisfies closed",
        "true_in": {"node": "visit:leave", "stack": ["main:walk"]},
        "false_in": {"node": "visit:leave", "stack": ["main:walk", "visit:child"]},
    }


def test_the_automaton_reads_stacks(run):
    """The automaton of the file accepts what `satisfying` contains."""
    told = json.loads(run("label", WALK, "EX closed", "--automaton", "-").stdout)
    steps = {(each["from"], each["box"]): each["to"] for each in told["steps"]}
    found = pigro.satisfying(pigro.load(WALK), "EX closed")
    for depth in range(5):
        [at] = told["initial"]
        for box in ["main:walk", *["visit:child"] * depth]:
            at = steps[at, box]
        accepts = "visit:leave" in told["states"][at]["holds_at"]
        assert accepts is (depth == 0)
        assert ((["walk", *["child"] * depth], "visit:leave") in found) is accepts


@pytest.mark.parametrize(
    ("name", "begins"), [("a.json", b"{"), ("a.dot", b"digraph"), ("a.svg", b"<?xml")]
)
def test_files(run, tmp_path, name, begins):
    if name.endswith("svg"):
        pytest.importorskip("pygraphviz")
    path = tmp_path / name
    done = run("label", WALK, "EX closed", "--automaton", str(path))
    assert (done.exit_code, done.stdout) == (0, "")
    assert path.read_bytes().startswith(begins)


def test_a_name_that_says_nothing(run):
    done = run("label", WALK, "p", "--automaton", "a.txt")
    assert done.exit_code == 2
    assert "P007" in done.stderr


def test_limits(run):
    done = run("label", WALK, "EX closed", "--memory", "1M")
    assert (done.exit_code, done.stdout) == (3, "")


def test_drawing_is_within_the_limits(run, tmp_path, monkeypatch):
    """A process that never answers is ended."""
    from pigro.formats import graphviz, svg

    silent = tmp_path / "silent.py"
    silent.write_text("import time; time.sleep(1000)")
    monkeypatch.setattr(svg, "need_graphviz", lambda: None)
    monkeypatch.setattr(graphviz, "_PROGRAM", str(silent))
    path = tmp_path / "a.svg"
    done = run("label", WALK, "EX closed", "--automaton", str(path), "--timeout", "2s")
    assert (done.exit_code, done.stdout) == (3, "")
    assert "no automaton: time limit of 2 s" in done.stderr
    assert not path.exists()


def test_stacks_that_cannot_be():
    found = pigro.satisfying(pigro.load(WALK), "true")
    assert (["walk"], "visit:leave") in found
    assert (["child"], "visit:leave") not in found
    assert (["walk"], "main:end") not in found
    assert ([], "visit:leave") not in found


@pytest.mark.parametrize(
    "boxes", [["nobox"], ["walk", "nobox"], ["visit:walk"], [77], [-1], [0.0], [None], "walk"]
)
def test_boxes_that_are_not_there(boxes):
    found = pigro.satisfying(pigro.load(WALK), "true")
    with pytest.raises(pigro.UsageError) as error:
        assert (boxes, "visit:leave") in found
    assert error.value.code == "P006"


def test_a_box_has_a_hint():
    found = pigro.satisfying(pigro.load(WALK), "true")
    with pytest.raises(pigro.UsageError) as error:
        found.states(["main:wall"])
    assert error.value.hint == 'did you mean "main:walk"?'


@pytest.mark.parametrize("node", [999, -1, None, 0.0, "nowhere"])
def test_nodes_that_are_not_there(node):
    found = pigro.satisfying(pigro.load(WALK), "true")
    for ask in (found.truth, lambda each: (["walk"], each) in found):
        with pytest.raises(pigro.UsageError):
            ask(node)


def test_call_nodes_have_no_truth_of_their_own():
    model = pigro.load(WALK)
    found = pigro.satisfying(model, "true")
    back = model.core.return_node(0, model.find("visit:leave"))
    assert ([], back) in found
    with pytest.raises(pigro.UsageError, match="call or return node"):
        found.truth(back)


@pytest.mark.parametrize(("model", "formula"), [(None, "p"), (WALK, "p"), (pigro.load(WALK), 7)])
def test_arguments_of_a_wrong_type(model, formula):
    with pytest.raises(pigro.UsageError, match="can't be of type"):
        pigro.satisfying(model, formula)


def test_boxes_of_one_name_in_several_initial_components():
    """The stack of A makes EX p true in C, and that of B does not."""
    model = pigro.ModelBuilder()
    for name, labels in (("A", ["p"]), ("B", [])):
        part = model.component(name)
        part.entry("in")
        part.exit("out", labels=labels)
        box = part.box("b", calls="C")
        part.edge("in", box.call("in"))
        part.edge(box.returned("out"), "out")
    called = model.component("C")
    called.entry("in")
    called.exit("out")
    called.edge("in", "out")
    built = model.build(initial="A:in")
    built = built.with_initial([built.find("A:in"), built.find("B:in")])
    found = pigro.satisfying(built, "EX p")
    assert (["A:b"], "C:out") in found
    assert (["B:b"], "C:out") not in found
    assert ([], "A:out") in found
    assert ([], "B:out") not in found
    with pytest.raises(pigro.UsageError, match="ambiguous"):
        assert (["b"], "C:out") in found


def test_two_documents_do_not_go_to_one_place(run):
    done = run("label", WALK, "EX closed", "--format", "json", "--automaton", "-")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "P006" in done.stderr


def test_reachability_is_within_the_limits():
    """The core asks before it follows runs, and what was found is kept."""
    found = pigro.satisfying(pigro.load(WALK), "EX closed")
    polls = []
    found.reach(lambda: polls.append(1))
    assert polls
    polls.clear()
    assert str(found.truth("visit:leave")) == "depends"
    assert not polls

    class Over(Exception):
        pass

    def stop():
        raise Over

    with pytest.raises(Over):
        pigro.satisfying(pigro.load(WALK), "EX closed").reach(stop)


def test_paths():
    found = pigro.satisfying(pigro.load(WALK), "E [G F closed]")
    assert [str(truth) for _, truth in found.truths()] == [
        "holds",
        "fails",
        "holds",
        "holds",
        "holds",
    ]
    with pytest.raises(pigro.CheckError, match="mu-calculus"):
        pigro.satisfying(pigro.load(WALK), "mu X. closed | <> X")


@pytest.mark.parametrize("command", ["label", "explain"])
def test_warnings_are_those_of_check(run, command):
    """About labels that no node has, and about brackets that may be missing."""
    formula = "AG opened U clsoed"
    checked = run("check", WALK, formula).stderr
    done = run(command, WALK, formula)
    assert done.exit_code == 0
    assert done.stderr == checked
    assert done.stderr.count("warning: ") == 2
    told = json.loads(run(command, WALK, formula, "--format", "json").stdout)
    assert len(told["warnings"]) == 2


@pytest.mark.parametrize("command", ["label", "explain"])
def test_compositions_are_refused(run, command):
    done = run(command, str(EXAMPLES / "handshake.parts"), "AG request")
    assert (done.exit_code, done.stdout) == (2, "")
    assert "P006" in done.stderr
    assert "explain and label need a model, and this is a composition file" in done.stderr
