"""Writing and reading again, in any format that does both, keeps verdicts and statistics."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from pigro import RSM, ModelError, check_all
from pigro.formats import dot, registry
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.generate.formulas import OPERATORS
from pigro.model import ModelBuilder

from support.selection.cases import number_of_cases

HELD = [each for each in registry.formats() if "model" in each.holds]
BOTH = [each for each in HELD if each.offer("read") and each.offer("write")]
SHARES = st.sampled_from([0.0, 0.05, 0.3, 0.5, 1.0])
SHAPES = st.builds(
    ModelShape,
    components=st.integers(1, 4),
    boxes=st.integers(0, 3),
    nodes=st.integers(4, 8),
    entries=st.sampled_from([0.0, 0.3, 0.5]),
    exits=st.sampled_from([0.0, 0.3, 0.5]),
    density=st.sampled_from([0.05, 0.2, 0.6]),
    labels=st.fixed_dictionaries({"a": SHARES, "b": SHARES, "c": SHARES}),
    recursion=st.booleans(),
)
SEEDS = st.integers(0, 2**64)
NAMES = st.text(max_size=6)
FEW = settings(
    max_examples=number_of_cases("PIGRO_EXAMPLES", 200),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def verdicts(model: RSM, seed: int) -> list[bool | None]:
    labels = tuple(label for label in "abc" if label in model.label_ids)
    if not labels:
        return []
    shape = FormulaShape(operators=OPERATORS, labels=labels)
    formulas = [random_formula(shape, seed, number) for number in range(5)]
    return [verdict.holds for verdict in check_all(model, formulas)]


@pytest.mark.parametrize("kind", BOTH, ids=lambda kind: kind.name)
@given(shape=SHAPES, seed=SEEDS, crlf=st.booleans(), dead_ends=st.sampled_from(["stutter", "stop"]))
@FEW
def test_round_trips(kind, shape, seed, crlf, dead_ends):
    model = random_model(shape, seed, dead_ends=dead_ends)
    try:
        written = kind.offer("write")(model)
    except ModelError:
        reject()  # some formats hold some models only
    data = written
    if kind.name != "pigro":  # all others are text
        data = written.replace(b"\n", b"\r\n") if crlf else written.rstrip()
    assert registry.format_of_content(data, f"x.{kind.name}").name == kind.name
    copy = kind.offer("read")(data, source=None, semantics="standard", dead_ends=dead_ends)
    assert verdicts(copy, seed) == verdicts(model, seed)
    if kind.name in ("rsm", "json", "pigro"):  # others may need more nodes than the model had
        assert copy.statistics == model.statistics
        once = kind.offer("write")(copy)  # labels of a node may stand in another order
        assert kind.offer("write")(kind.offer("read")(once, dead_ends=dead_ends)) == once


@given(names=st.lists(NAMES, min_size=2, max_size=5, unique=True), component=NAMES, label=NAMES)
@FEW
def test_any_name_is_drawn_as_text(names, component, label):
    model = ModelBuilder()
    part = model.component(component)
    for name in names:
        part.node(name, entry=True, labels=[label])
    box = part.box(label, calls=component)
    part.edge(names[0], box.call(names[1]))
    built = model.build(initial=f"{component}:{names[0]}")
    for drawn in (dot.write(built), dot.draw_calls(built)):
        lines = drawn.decode().split("\n")
        assert all(line.isprintable() for line in lines)
        assert lines[-2:] == ["}", ""]
