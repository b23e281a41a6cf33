"""`.smv` files against modules read by definition: states, steps, labels, verdicts; round trips."""

from __future__ import annotations

import warnings
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pigro
from pigro.diagnostics import ModelError, PigroError
from pigro.engines.labels import UnknownLabelWarning
from pigro.formats import rsm_json, smv

from agreement import as_model
from oracle import contexts
from oracle.formula import CONNECTIVES, to_text
from oracle.generate import random_case, random_formula
from oracle.smv import Drawing, NoValue, graph, machine, module_text, name_of
from oracle.smv import text_of as smv_text


def with_atoms(formula, atoms):
    """Labels p and q; the atom r becomes one of `atoms`, a label that stands for a condition."""
    if formula[0] == "atom":
        return (
            "atom",
            formula[1] if formula[1] in ("p", "q") else atoms[len(repr(formula)) % len(atoms)],
        )
    return tuple(with_atoms(part, atoms) if isinstance(part, tuple) else part for part in formula)


def spec_text(formula, conditions):
    """The formula as it is written in a SPEC."""
    kind = formula[0]
    if kind == "true":
        return "TRUE"
    if kind == "atom":
        return conditions.get(formula[1], formula[1])
    inside = [spec_text(part, conditions) for part in formula[1:]]
    if kind in ("EU", "AU"):
        return f"{kind[0]} [{inside[0]} U {inside[1]}]"
    if len(inside) == 1:
        return f"({'!' if kind == 'not' else kind} {inside[0]})"
    return f"({inside[0]} {CONNECTIVES[kind]} {inside[1]})"


def without_weak(formula):
    """W and R by U: SMV lacks them."""
    parts = [without_weak(part) if isinstance(part, tuple) else part for part in formula[1:]]
    kind = formula[0]
    if kind in ("AW", "EW", "AR", "ER"):
        f, g = parts
        dual = "EU" if kind[0] == "A" else "AU"
        if kind[1] == "R":
            return ("not", (dual, ("not", f), ("not", g)))
        return ("not", (dual, ("not", g), ("and", ("not", f), ("not", g))))
    return (kind, *parts)


def drawn(seed):
    return Drawing(Random(seed)).modules()


def text_of(modules, rng):
    text = "\n".join(map(module_text, modules))
    return (text.replace("\n", "\r\n") if rng.random() < 0.3 else text).encode()


def disagreement(seed):
    """What differs for a random file, or None; "no value" where there is nothing to compare."""
    rng = Random(seed)
    modules = drawn(seed)
    data = text_of(modules, rng)
    try:
        graphs = [graph(module) for module in modules]
        machine(modules, modules[0].name)
    except NoValue:
        with pytest.raises(PigroError) as caught:
            smv.read(data)
        assert caught.value.code in ("P126", "P127"), caught.value
        return "no value"
    document = smv.Document(data)
    for module, (initial, states, steps) in zip(modules, graphs, strict=True):
        space = document.parts[module.name].space
        names = [space.name(i) for i in range(space.size)]
        assert sorted(names) == sorted(map(name_of, states))
        assert sorted(names[: space.initial]) == sorted(map(name_of, set(initial)))
        pairs = {(names[a], names[b]) for a, b in zip(space.sources, space.targets, strict=True)}
        assert pairs == {(name_of(a), name_of(b)) for a, b in steps}
    draw = Drawing(rng)
    for module in modules:
        atoms = {f"atom{i}": (module.name, draw.atom(module)) for i in range(2)}
        conditions = {label: smv_text(e) for label, (_, e) in atoms.items()}
        formulas = [with_atoms(random_formula(rng), list(atoms)) for _ in range(3)]
        texts = [spec_text(without_weak(f), conditions) for f in formulas]
        try:
            started = machine(modules, module.name, atoms)
        except NoValue:
            continue
        specs = "".join(f"\nSPEC {text}" for text in texts).encode()
        where = data.find(b"MODULE", data.find(b"MODULE " + module.name.encode()) + 1)
        where = len(data) if where < 0 else where
        whole = smv.Document(data[:where] + specs + b"\n" + data[where:])
        model = whole.model()
        truths = contexts.decide_many(started, formulas)
        for asked, truth in zip(whole.requirements(model), truths, strict=True):
            found = pigro.check(model.with_initial(asked.initial), asked.formula)
            assert found.holds is truth, (seed, module.name, asked.text)
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("start", range(0, 300, 100))
def test_random_files(start):
    outcomes = [disagreement(seed) for seed in range(start, start + 100)]
    assert outcomes.count("no value") < 50


def verdicts(model, formulas):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        return [pigro.check(model, formula).holds for formula in formulas]


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.integers(0, 100_000))
def test_files_survive_writing(seed):
    """Read, write, read: the same verdicts and statistics, or a coded error that says why not."""
    try:
        model = smv.read("\n".join(map(module_text, drawn(seed))).encode())
    except PigroError:
        return
    try:
        written = smv.write(model)
    except ModelError as error:
        assert error.code == "P120"
        return
    again = smv.read(written)
    if all(model.core.returns(box) for box in range(model.core.boxes)):  # else states are lost
        assert again.statistics == model.statistics
    assert smv.read(smv.write(again)).statistics == again.statistics
    rng = Random(seed)
    formulas = [pigro.parse(to_text(random_formula(rng))) for _ in range(4)]
    of_labels = replace(model, conditions=None)  # a written file has labels, but no variables
    assert verdicts(again, formulas) == verdicts(of_labels, formulas)
    crlf = smv.read(written.replace(b"\n", b"\r\n").rstrip())
    assert rsm_json.write(crlf) == rsm_json.write(again)


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.integers(0, 100_000))
def test_machines_survive_writing(seed):
    """Any machine: the same verdicts, or a coded error."""
    case = random_case(seed)
    model = as_model(case.machine)
    try:
        again = smv.read(smv.write(model), semantics=model.semantics, dead_ends=model.dead_ends)
    except ModelError as error:
        assert error.code == "P120"
        return
    rng = Random(seed)
    formulas = [
        pigro.parse(to_text(f)) for f in (case.formula, *(random_formula(rng) for _ in "abc"))
    ]
    of_labels = replace(model, conditions=None)  # a written file has labels, but no variables
    assert verdicts(again, formulas) == verdicts(of_labels, formulas)


def test_enough_machines_can_be_written():
    def can(seed):
        try:
            smv.write(as_model(random_case(seed).machine))
        except ModelError:
            return False
        return True

    assert sum(map(can, range(300))) > 10
