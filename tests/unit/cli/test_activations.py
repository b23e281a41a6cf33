"""Labels of local variables are shared by all activations of a recursive function. Verdicts say so."""

import json
from pathlib import Path

import pytest

import pigro

PROGRAM = """\
total = 0


def f(n):
    global total
    total = total + n
    if n:
        f(n - 1)
    else:
        x = 1
    return x


def even(n):
    y = n
    return odd(n - 1) + y


def odd(n):
    return even(n - 1)


def g(n):
    z = n
    return z
"""
SHARE = "but all activations of app.f share these labels"


@pytest.fixture
def app(run):
    Path("app.py").write_text(PROGRAM, encoding="utf-8")
    assert run("extract", "app.py", "-o", "app.rsm").exit_code == 0
    return "app.rsm"


def test_python_refuses_what_the_model_says_is_initialized(app):
    """`f(1)` reads its own `x`, which only the inner activation has assigned."""
    names = {}
    exec(PROGRAM, names)
    with pytest.raises(UnboundLocalError):
        names["f"](1)


def test_verdicts_name_the_recursive_function(run, app):
    result = run("check", app, "--requirement", "initialized:app.f.x")
    assert result.stdout.startswith("holds ")
    assert SHARE in result.stdout
    assert result.stderr.count("warning: all activations of app.f share the labels") == 1


@pytest.mark.parametrize("name", ["usable", "used", "kept"])
def test_all_requirements_say_it(run, app, name):
    assert SHARE in run("check", app, "--requirement", f"{name}:app.f.x").stdout


def test_functions_that_call_each_other_are_recursive(run, app):
    result = run("check", app, "--requirement", "used:app.even.y", "--requirement", "used:app.f.x")
    assert "activations of app.even share" in result.stdout
    assert "warning: all activations of app.even, app.f share the labels" in result.stderr


@pytest.mark.parametrize(
    "question",
    [
        ["--requirement", "used:app.g.z"],  # no recursion
        ["--requirement", "used:app.total"],  # a global variable, of which there is one
        ["--requirement", "initialized:app.f.n"],  # a parameter: each activation defines it first
        ["EF use_app.f.x"],  # one label does not relate two states
        ["EF call_print"],
    ],
    ids=" ".join,
)
def test_nothing_is_said_where_it_does_not_matter(run, app, question):
    result = run("check", app, *question)
    assert "activations" not in result.stdout + result.stderr


def test_json_names_the_functions_and_they_are_judged(run, app):
    asked = ["check", app, "--requirement", "initialized:app.f.x", "--format", "json", "--witness"]
    result = run(*asked)
    document = json.loads(result.stdout)
    [row] = document["results"]
    assert row["activations"] == ["app.f"]
    assert SHARE in row["reason"]
    assert "all activations of app.f share" in document["warnings"][0]
    Path("right.json").write_text(json.dumps(document), encoding="utf-8")
    assert run("validate-witness", app, "right.json").exit_code == 0
    for wrong in ({"activations": ["app.g"]}, {"activations": None}):
        row |= wrong
        document["results"] = [{name: value for name, value in row.items() if value is not None}]
        Path("wrong.json").write_text(json.dumps(document), encoding="utf-8")
        result = run("validate-witness", app, "wrong.json")
        assert result.exit_code == 1
        assert "the recursive functions are not those of the formula" in result.stdout


def test_programs_are_warned(app):
    model = pigro.load(app)
    formula = "AG (def_app.f.x -> EF use_app.f.x)"
    with pytest.warns(UserWarning, match="all activations of app.f share the labels"):
        verdict = pigro.check(model, formula)
    assert verdict.remarks.activations == ("app.f",)
    assert verdict.reason.endswith(SHARE)


def test_labels_of_other_tools_say_nothing_about_locals(run):
    """A variable is local only if its name begins with that of a component."""
    model = pigro.ModelBuilder()
    main = model.component("main")
    main.entry("in", labels=["def_x", "def_other.x"])
    main.exit("out", labels=["use_x", "use_other.x"])
    again = main.box("again", calls="main")
    main.edge("in", "out", again.call("in"))
    main.edge(again.returned("out"), "out")
    pigro.save(model.build(initial="main:in"), "m.rsm")
    result = run("check", "m.rsm", "--requirement", "used:all")
    assert "activations" not in result.stdout + result.stderr
