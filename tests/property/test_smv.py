"""`.smv` files against modules read by definition: states, steps, labels, verdicts, round trips."""

from __future__ import annotations

import warnings
from collections import Counter
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pigro
from pigro.diagnostics import ModelError, PigroError
from pigro.engines.likely_mistakes import UnknownLabelWarning
from pigro.formats import rsm_json, smv

from oracle import contexts, star_pushdown
from oracle.formula import CONNECTIVES, to_text
from oracle.generate import random_case, random_formula
from oracle.smv import Drawing, NoValue, graph, machine, module_text, name_of
from oracle.smv import text_of as smv_text
from oracle.star_formula import A, F, G, atom, either, is_state_formula, no, random_star
from support.agreement.ctl import as_model
from support.selection.cases import FEW_CASES, number_of_cases, seeds

FILES = number_of_cases("PIGRO_SMV_FILES", 300)
FAIR = number_of_cases("PIGRO_SMV_FILES", 1500)


def with_atoms(formula, atoms):
    """Labels p and q. The atom r becomes one of `atoms`, a label that stands for a condition."""
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
    document = smv.SmvDocument(data)
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
        whole = smv.SmvDocument(data[:where] + specs + b"\n" + data[where:])
        model = whole.model()
        truths = contexts.decide_many(started, formulas)
        for asked, truth in zip(whole.requirements(model), truths, strict=True):
            found = pigro.check(model.with_initial(asked.initial), asked.formula)
            assert found.holds is truth, (seed, module.name, asked.text)
    return None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("chunk", range(3))
def test_random_files(chunk):
    outcomes = [disagreement(seed) for seed in seeds(FILES, chunk, 3)]
    assert FEW_CASES or outcomes.count("no value") < FILES / 6


def verdicts(model, formulas):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnknownLabelWarning)
        return [pigro.check(model, formula).holds for formula in formulas]


@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 150), deadline=None, derandomize=True)
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


@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 200), deadline=None, derandomize=True)
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


def is_fair(conditions):
    """Of one condition JUSTICE, of two COMPASSION."""
    again = [G(F(atom(label))) for label in conditions]
    return again[0] if len(again) == 1 else either(no(again[0]), again[1])


def fairness_disagreement(seed):
    """What differs for a random file with calls and fairness. None if nothing can be compared."""
    rng = Random(seed)
    modules = drawn(seed)
    draw = Drawing(rng)
    module = rng.choice(modules)
    labels = ["fair0", "fair1"][: rng.choice((1, 2))]
    atoms = {label: (module.name, draw.atom(module)) for label in labels}
    try:
        started = machine(modules, module.name, atoms)
    except NoValue:
        return None
    if not any(component.boxes for component in started.components):
        return None
    body = random_star(rng, ("p", "q"), rng.randint(1, 4))
    path = body if not is_state_formula(body) else G(F(body))
    text = ltl_text(path)
    if text is None:
        return None
    whole = A(either(path, no(is_fair(labels))))
    said = [smv_text(e) for _, e in atoms.values()]
    fairness = f"FAIRNESS {said[0]}" if len(said) == 1 else f"COMPASSION ({said[0]}, {said[1]})"
    data = b"\n".join(
        module_text(each).encode()
        + (f"{fairness}\nLTLSPEC {text}\n".encode() if each is module else b"")
        for each in modules
    )
    try:
        document = smv.SmvDocument(data)
        model = document.model()
    except PigroError:
        return None
    [asked] = document.requirements(model)
    found = pigro.check(model.with_initial(asked.initial), asked.formula, witness=True)
    try:
        [truth] = star_pushdown.decide_many(started, [whole])
    except star_pushdown.TooLarge:
        return None
    assert found.holds is truth, (seed, asked.text)
    return found


def ltl_text(formula):
    """The path formula as an LTLSPEC. None if it has quantifiers, or W, which SMV lacks."""
    kind = formula[0]
    if kind in ("A", "E", "W", "xor", "iff", "implies"):
        return None
    if kind in ("true", "false"):
        return kind.upper()
    if kind == "atom":
        return formula[1]
    inside = [ltl_text(part) for part in formula[1:]]
    if None in inside:
        return None
    if kind in ("U", "R"):
        return f"({inside[0]} {'V' if kind == 'R' else 'U'} {inside[1]})"
    if len(inside) == 1:
        return f"({'!' if kind == 'not' else kind} {inside[0]})"
    return f"({inside[0]} {CONNECTIVES[kind]} {inside[1]})"


@pytest.mark.filterwarnings("ignore")
def test_fairness_of_files_with_calls():
    """JUSTICE and COMPASSION with an LTLSPEC, by the pushdown procedure of the oracle."""
    compared = Counter()
    for seed in seeds(FAIR):
        found = fairness_disagreement(seed)
        if found is not None:
            compared[found.holds, found.evidence is not None] += 1
    print(compared)
    assert FEW_CASES or min(compared[True, True], compared[False, True]) > 20
    assert not compared[True, False]
    assert not compared[False, False]
