"""Evidence that looks right and is not, and evidence that is deep."""

import json

import pytest

import pigro
from pigro.evidence import Evidence, Path, State, WrongEvidence, evidence_for, replay
from pigro.logic import existential_normal_form, parse

from support.evidence.documents import document_of, read_tree


def node(model, name):
    return model.find(name)


def test_a_pump_must_not_leave_the_call_that_it_starts_in():
    """It returns and calls again in one step: the stack looks the same, but no round repeats it."""
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start", labels=["p"])
    main.node("bad")
    box = main.box("b", calls="f")
    main.edge("start", box.call("in"))
    main.edge(box.returned("out"), box.call("again"))
    f = model.component("f")
    f.entry("in", labels=["p"])
    f.entry("again", labels=["p"])
    f.node("n", labels=["p"])
    f.exit("out", labels=["p"])
    inner = f.box("c", calls="g")
    f.edge("in", "out")
    f.edge("again", inner.call("in"))
    g = model.component("g")
    g.entry("in", labels=["p"])
    g.node("stop")
    g.edge("in", "stop")
    machine = model.build(initial="main:start")
    formula = parse("EG p | EF !p")
    assert pigro.check(machine, "EG p").holds is False
    verdict = pigro.check(machine, formula, certify=True)
    data = verdict.certificate.to_bytes()
    form = existential_normal_form(formula)
    always = next(at for at, op in enumerate(form.ops) if op == 7)
    b, c = 0, 1
    states = (
        State((), node(machine, "main:start")),
        State((b,), node(machine, "f:in")),
        State((b,), node(machine, "f:out")),
        State((b,), node(machine, "f:again")),
        State((b, c), node(machine, "g:in")),
    )
    start = State((), node(machine, "main:start"))
    path = Path(states, "pump", 1)
    fake = Evidence(always, True, start, "path", path)
    root = Evidence(len(form) - 1, True, start, "boolean", parts=(fake,))
    with pytest.raises(WrongEvidence):
        replay(machine, data, root)


@pytest.mark.parametrize("depth", [100, 250])
def test_deep_formulas_have_evidence(depth):
    model = pigro.kripke({"a": ["b"], "b": ["a", "b"]}, labels={"b": ["p"]}, initial="a")
    formula = parse("EX (p | " * depth + "EX p" + ")" * depth)
    verdict = pigro.check(model, formula, certify=True)
    data = verdict.certificate.to_bytes()
    evidence = evidence_for(model, data)
    replay(model, data, evidence)
    nested = parse("EX " * depth + "true")
    verdict = pigro.check(model, nested, certify=True)
    data = verdict.certificate.to_bytes()
    evidence = evidence_for(model, data)
    replay(model, data, evidence)
    text = document_of(verdict, evidence)
    replay(model, data, read_tree(model, text))


def test_labels_that_are_no_text_can_be_written():
    model = pigro.kripke({"a": ["a"]}, labels={"a": ["\udcff"]}, initial="a")
    verdict = pigro.check(model, parse('EF "\udcff"'), certify=True)
    data = verdict.certificate.to_bytes()
    text = document_of(verdict, evidence_for(model, data))
    assert json.loads(text)["formula"] == 'EF "\udcff"'


def test_a_loop_that_comes_back_to_a_moment_by_another_way():
    """Once by calling an empty procedure, once by returning from a call: one moment, two states."""
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start", labels=["p"])
    box = main.box("b", calls="f")
    main.edge("start", box.call("x"))
    main.edge(box.returned("x"), box.call("e"))
    f = model.component("f")
    f.entry("e", labels=["p"])
    f.node("x", labels=["p"], entry=True, exit=True)
    f.edge("e", "x")
    machine = model.build(initial="main:start")
    verdict = pigro.check(machine, "EG p", certify=True)
    path = verdict.evidence.path
    assert [machine.node_name(state.node) for state in path.states] == [
        "main:start",
        "main:b.x",
        "f:e",
        "f:x",
    ]
    assert (path.ends, path.start) == ("loop", 2)
    replay(machine, verdict.certificate.to_bytes(), verdict.evidence)
