"""`Verdict.path`: the first path of the evidence, where there is one."""

import pytest

import pigro


@pytest.mark.parametrize(
    ("formula", "names", "ends"),
    [
        ("EF held", "idle wait held", "here"),
        ("!EF held", "idle wait held", "here"),
        ("AG !held", "idle wait held", "here"),
        ("AG (wait -> AF held)", "idle wait", "here"),
        ("EF held & EF wait", "idle wait held", "here"),
        ("EG !held", "idle wait", "loop"),
        ("G (wait -> F held)", "idle wait", "loop"),
        ("E [F (held & E [G F held])]", "idle wait held", "here"),
        ("AG EF held", None, None),
        ("held", None, None),
        ("mu Z. held | <> Z", None, None),
    ],
)
def test_every_verdict_with_a_path_gives_it(formula, names, ends):
    successors = {"idle": ["wait"], "wait": ["wait", "held"], "held": ["idle"]}
    model = pigro.kripke(successors, labels={"wait": ["wait"], "held": ["held"]}, initial="idle")
    path = pigro.check(model, formula, witness=True).path
    if names is None:
        assert path is None
    else:
        assert [model.node_name(each.node) for each in path.states] == [
            f"kripke:{name}" for name in names.split()
        ]
        assert path.ends == ends
    assert pigro.check(model, formula).path is None
