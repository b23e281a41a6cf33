"""`Verdict.trace`: the run that shows the verdict, where there is one."""

import pytest

import pigro


@pytest.mark.parametrize(
    ("formula", "names", "end"),
    [
        ("EF held", "idle wait held", "open"),
        ("!EF held", "idle wait held", "open"),
        ("AG !held", "idle wait held", "open"),
        ("AG (wait -> AF held)", "idle wait", "loop"),
        ("EF held & EF wait", None, None),
        ("EG !held", "idle wait", "loop"),
        ("G (wait -> F held)", "idle wait", "loop"),
        ("E [F (held & E [G F held])]", "idle wait held", "open"),
        ("AG EF held", None, None),
        ("held", "idle", "open"),
        ("mu Z. held | <> Z", "idle wait held", "open"),
    ],
)
def test_every_verdict_that_a_run_shows_has_a_trace(formula, names, end):
    successors = {"idle": ["wait"], "wait": ["wait", "held"], "held": ["idle"]}
    model = pigro.kripke(successors, labels={"wait": ["wait"], "held": ["held"]}, initial="idle")
    trace = pigro.check(model, formula, witness=True).trace()
    if names is None:
        assert trace is None
    else:
        assert [state.name for state in trace] == [f"kripke:{name}" for name in names.split()]
        assert trace.end == end
    assert pigro.check(model, formula).trace() is None


@pytest.mark.parametrize(
    "formula", ["E [{p;q} |-> G F p]", "A [{p;q|p} |-> G q]", "E [{p;(q)*} <>-> p]"]
)
def test_regular_expressions_have_runs(formula, tmp_path):
    model = pigro.kripke(
        {"a": ["b"], "b": ["c"], "c": ["a"]}, labels={"a": ["p"], "b": ["q"]}, initial="a"
    )
    verdict = pigro.check(model, formula, witness=True)
    assert verdict.holds is not None
    trace = verdict.trace()
    if verdict.holds == formula.startswith("E"):
        assert trace.states[0].name == "kripke:a"
        assert trace.states[0].truths  # of the formula, without those of the expression
    verdict.to_html(tmp_path / "report.html")
