"""Every kind of object through every format that holds it, pickled, and copied. Formulas go along."""

from __future__ import annotations

import copy
import pickle

import pytest
from hypothesis import HealthCheck, given, reject, settings
from hypothesis import strategies as st

from pigro import Composition, ModelError, PartBuilder, check, compose_check
from pigro.formats import statable, write_subject
from pigro.formats.registry import Requirement, format_named
from pigro.formats.source import OpenedFile
from pigro.generate import FormulaShape, ModelShape, random_formula, random_model
from pigro.generate.formulas import OPERATORS

from support.selection.cases import number_of_cases

SEEDS = st.integers(0, 2**64)
SHAPES = st.builds(
    ModelShape, components=st.integers(1, 3), boxes=st.integers(0, 2), nodes=st.just(5)
)
NAMES = st.text(max_size=5).filter(lambda text: not {"\n", "\r"} & {*text} and text.isprintable())
FEW = settings(
    max_examples=number_of_cases("PIGRO_EXAMPLES", 100),
    deadline=None,
    suppress_health_check=list(HealthCheck),
)


def opened(kind, data):
    return OpenedFile(data, kind, f"x.{kind.name}").fresh()


@st.composite
def parts(draw, *, plain=False):
    """A part; a plain one is a Kripke structure, with labels that are words."""
    labels = ["a", "b"] if plain else draw(st.lists(NAMES, max_size=3, unique=True))
    actions = None
    if not plain and draw(st.booleans()):
        actions = draw(st.lists(NAMES.filter(lambda name: name != "tau"), max_size=2, unique=True))
    states = draw(st.lists(NAMES.filter(bool), min_size=1, max_size=4, unique=True))
    made = PartBuilder(draw(NAMES), labels=labels, actions=actions)
    for at, state in enumerate(states):
        values = {each: draw(st.integers(0, 1 if plain else 2)) for each in labels}
        true = [each for each, value in values.items() if value == 1]
        unknown = [each for each, value in values.items() if value == 2]
        made.state(state, *true, unknown=unknown, initial=at == 0 or draw(st.booleans()))
    for source in states:
        for target in states:
            if draw(st.booleans()):
                action = None if actions is None else draw(st.sampled_from([*actions, "tau"]))
                made.step(source, target, action, must=plain or draw(st.booleans()))
    return made.build()


@given(part=parts())
@FEW
def test_parts(part):
    kind = format_named("parts")
    composition = Composition([part])
    assert opened(kind, write_subject(kind, composition)).subject() == composition
    for each in (part, composition):
        for protocol in range(2, 6):
            assert pickle.loads(pickle.dumps(each, protocol)) == each
        assert copy.copy(each) == copy.deepcopy(each) == each


@given(part=parts(plain=True), seed=SEEDS, name=st.sampled_from(["rsm", "json", "pigro"]))
@FEW
def test_plain_parts_as_models_and_back(part, seed, name):
    kind, back = format_named(name), format_named("parts")
    model = opened(kind, write_subject(kind, Composition([part]))).model()
    again = opened(back, write_subject(back, model)).subject().parts[0]
    assert (again.name, again.states, again.initial) == (part.name, part.states, part.initial)
    for at in range(len(part.states)):  # a run stays in a dead end, so there is a loop
        steps = [target for _, target, _ in part.steps_of(at)]
        assert [target for _, target, _ in again.steps_of(at)] == (steps or [at])
    labels = tuple(each for each in "ab" if each in again.atoms)
    for number in range(3 if labels else 0):
        formula = random_formula(FormulaShape(operators=OPERATORS, labels=labels), seed, number)
        holds = check(model, formula, engine="demand").holds
        assert holds is compose_check(part, formula).holds is compose_check(again, formula).holds


@pytest.mark.parametrize("name", ["rsm", "json", "pigro", "smv"])
@given(shape=SHAPES, seed=SEEDS)
@FEW
def test_formulas_go_along_with_their_starts(name, shape, seed):
    kind, model = format_named(name), random_model(shape, seed)
    if not model.label_ids:
        reject()
    how = FormulaShape(operators=OPERATORS, labels=tuple(model.label_ids))
    starts = [None, *((node,) for node in range(model.core.nodes) if model.core.box(node) < 0)]
    asked = [
        Requirement("", random_formula(how, seed, number), starts[number * 7 % len(starts)])
        for number in range(5)
    ]
    kept, left = statable(kind, model, asked)
    assert len(kept) + left == len(asked)
    if name != "smv":
        assert left == 0
    try:
        source = opened(kind, write_subject(kind, model, kept))
    except ModelError:
        reject()  # SMV holds some models only
    copied = source.model()
    found = source.requirements(copied)
    assert len(found) == len(kept)
    if name == "pigro":
        assert copied == model
    for before, after in zip(kept, found, strict=True):
        verdicts = [
            check(each if start is None else each.with_initial(start), formula).holds
            for each, start, formula in (
                (model, before.initial, before.formula),
                (copied, after.initial, after.formula),
            )
        ]
        assert verdicts[0] is verdicts[1]
