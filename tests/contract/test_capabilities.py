"""An engine accepts exactly what its row in the table declares."""

from __future__ import annotations

import pytest

import pigro
from pigro.diagnostics import CheckError, UsageError
from pigro.engines import (
    TABLE,
    ModelClass,
    choose_engine,
    misfit_reason,
    require_logic,
    with_depth,
    with_options,
)
from pigro.engines.table import logic_of, names_for
from pigro.logic import Fragment, parse
from pigro.model.kinds import SubjectKind

FORMULAS = {
    Fragment.CTL: "AG EF p",
    Fragment.LTL: "G F p",
    Fragment.CTL_STAR: "E [G F p & F G q]",
    Fragment.MU: "nu X. mu Y. <> (p & X | Y)",
}


def machine(*, exits=1, recursive=False, calls=True):
    """`main` calls `helper`."""
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("start", labels=["p"])
    main.exit("out")
    main.edge("start", "out")
    if calls:
        box = main.box("call", calls="helper")
        main.edge("start", box.call("in"))
        helper = model.component("helper")
        helper.entry("in", labels=["q"])
        for number in range(exits):
            helper.exit(f"out{number}")
            helper.edge("in", f"out{number}")
            main.edge(box.returned(f"out{number}"), "out")
        if recursive:
            again = helper.box("again", calls="helper")
            helper.edge("in", again.call("in"))
            for number in range(exits):
                helper.edge(again.returned(f"out{number}"), f"out{number}")
    return model.build(initial="main:start")


MODELS = {
    "no calls": (machine(calls=False), set(ModelClass)),
    "calls": (machine(), {ModelClass.ANY, ModelClass.NO_RECURSION, ModelClass.ONE_EXIT}),
    "two exits": (machine(exits=2), {ModelClass.ANY, ModelClass.NO_RECURSION}),
    "recursion": (machine(recursive=True), {ModelClass.ANY, ModelClass.ONE_EXIT}),
    "both": (machine(exits=2, recursive=True), {ModelClass.ANY}),
}


@pytest.fixture(params=names_for(SubjectKind.MODEL))
def row(request):
    return TABLE[request.param]


@pytest.mark.parametrize("logic", FORMULAS)
def test_logics(row, logic):
    formula, engine = parse(FORMULAS[logic]), choose_engine(row.name)
    assert logic_of(formula) is logic
    assert row.takes(formula) is (logic in row.logics)
    if row.takes(formula):
        assert require_logic(engine, formula) is formula
        assert engine(MODELS["no calls"][0], formula).holds is not None
    else:
        with pytest.raises(CheckError):
            require_logic(engine, formula)


@pytest.mark.parametrize("name", MODELS)
def test_shapes(row, name):
    model, shapes = MODELS[name]
    engine = choose_engine(row.name)
    assert (misfit_reason(engine, model) is None) is (row.shape in shapes)
    if row.shape in shapes:
        assert engine(model, parse("EF p")).holds
    elif row.name != "auto":
        with pytest.raises(CheckError) as raised:
            pigro.check(model, "EF p", engine=row.name)
        assert raised.value.hint == row.hint


@pytest.mark.parametrize(
    "option, value", [("depth", 3), ("heuristic", "all"), ("seed", 1), ("trace", True)]
)
def test_options(row, option, value):
    engine = choose_engine(row.name)

    def said():
        if option == "depth":
            return with_depth(engine, value)
        return with_options(engine, **{option: value})

    if option in row.options:
        assert getattr(said(), option) == value
    else:
        with pytest.raises(UsageError, match=f"has no --{option}"):
            said()


def test_proofs_and_evidence(row):
    engine = choose_engine(row.name)
    assert row.proves is hasattr(engine, "certify")
    assert row.shows is hasattr(engine, "show")


def test_actions(row):
    formula = parse("nu X. <a> X")
    assert not row.actions
    with pytest.raises(CheckError):
        require_logic(choose_engine(row.name), formula)
