"""Random programs of SMV, with modules and constraints, against the oracle: states and verdicts."""

from __future__ import annotations

import warnings
from random import Random

import pytest

import pigro
from pigro import PigroError
from pigro.formats import smv
from pigro.formats.smv import module_states

from oracle.fair import Graph
from oracle.smv_flat import NoValue, Program, graph, one, text_of
from support.samples.smv_drafts import Draft
from support.selection.cases import FEW_CASES, number_of_cases, seeds

COUNT = number_of_cases("PIGRO_SMV_PROGRAMS", 300)
P, Q, TRUE = ("p",), ("q",), ("|", ("p",), ("!", ("p",)))


def _not(f: tuple) -> tuple:
    return ("!", f)


def _eventually(f: tuple) -> tuple:
    return ("U", TRUE, f)


def _always(f: tuple) -> tuple:
    return _not(_eventually(_not(f)))


FORMULAS = {
    "AG EF p": _not(("EU", TRUE, _not(("EU", TRUE, P)))),
    "EF (p & EX !p)": ("EU", TRUE, ("&", P, ("EX", _not(P)))),
    "AF p": _not(("EG", _not(P))),
    "EG !p": ("EG", _not(P)),
    "E [p U q]": ("EU", P, Q),
    "A [!q U p]": ("&", _not(("EU", _not(P), ("&", Q, _not(P)))), _not(("EG", _not(P)))),
    "AG (p -> AX q)": _not(("EU", TRUE, ("&", P, ("EX", _not(Q))))),
}
"""Each in the file's language, and as the oracle takes it."""
PATHS = {
    "G F p": _always(_eventually(P)),
    "F G q": _eventually(_always(Q)),
    "G (p -> F q)": _always(("|", _not(P), _eventually(Q))),
    "p U q": ("U", P, Q),
    "X !p": ("X", _not(P)),
}


def pruned(steps: dict) -> dict:
    """The steps between states with an endless path."""
    steps = {state: set(after) for state, after in steps.items()}
    while dead := {state for state, after in steps.items() if not after}:
        steps = {s: after - dead for s, after in steps.items() if s not in dead}
    return steps


def compare(seed: int) -> str:
    rng = Random(seed)
    draft = Draft(rng)
    program, text = draft.program, draft.text
    try:
        initial, steps = graph(program)
    except NoValue:
        return "no value"
    try:
        document = smv.SmvDocument(text.encode())
        listed = document.model()
    except PigroError as error:
        assert error.code == "P126", (seed, text, error)
        assert not initial or "no initial state" not in error.message, (seed, text)
        return "no value"
    space = document.parts["main"].space
    assert space.size == len(steps), (seed, text)
    assert space.initial == len(set(initial)), (seed, text)
    assert len(space.sources) == sum(map(len, steps.values())), (seed, text)
    p, q = draft.state.expr("bool", 2), draft.state.expr("bool", 2)
    expected = verdicts(program, initial, steps, p, q)
    texts = [_with(each, p, q) for each in (*FORMULAS, *PATHS)]
    try:
        formulas = [document.formula(each) for each in texts]
        found = [each.holds for each in pigro.check_all(listed, formulas)]
    except PigroError as error:
        assert error.code == "P126", (seed, text, error)
        return "no value"
    assert found == expected, (seed, text, list(zip(texts, found, expected, strict=True)))
    saved, module_states.LARGE = module_states.LARGE, 0
    try:
        document = smv.SmvDocument(text.encode())
        model = document.model()
        if model.is_listed:
            return "small"
        formulas = [document.formula(each) for each in texts]
        again = [each.holds for each in pigro.check_all(model, formulas)]
    finally:
        module_states.LARGE = saved
    assert again == expected, (seed, text, list(zip(texts, again, expected, strict=True)))
    return "same"


def _with(formula: str, p: tuple, q: tuple) -> str:
    table = {"p": f"({text_of(p)})", "q": f"({text_of(q)})"}
    return "".join(table.get(each, each) for each in formula)


def verdicts(program: Program, initial: list, steps: dict, p: tuple, q: tuple) -> list[bool]:
    """By the definition of NuSMV: on endless fair paths."""
    names = list(program.domains)
    alive = pruned(steps)
    conditions = {"p": p, "q": q}
    justice = [f"f{i}" for i in range(len(program.fair))]
    conditions.update(zip(justice, program.fair, strict=True))
    compassion = [(f"c{i}", f"d{i}") for i in range(len(program.strong))]
    for pair, listed in zip(compassion, program.strong, strict=True):
        conditions.update(zip(pair, listed, strict=True))
    labels = {}
    for state in steps:
        now = dict(zip(names, state, strict=True))
        labels[state] = {label for label, e in conditions.items() if one(e, now, {})}
    graph = Graph(alive, labels, justice, compassion)
    starts = set(initial) & alive.keys()
    return [
        *(graph.holds_in_ctl(starts, each) for each in FORMULAS.values()),
        *(graph.holds_on_paths(starts, each) for each in PATHS.values()),
    ]


@pytest.mark.parametrize("chunk", range(3))
def test_random_programs(chunk):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        outcomes = [compare(seed) for seed in seeds(COUNT, chunk, 3)]
    assert FEW_CASES or outcomes.count("same") > COUNT / 10
