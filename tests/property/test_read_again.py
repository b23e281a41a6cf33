"""What Pigro prints means the same when it is read again: conditions over variables of modules."""

from __future__ import annotations

from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

import pigro
from pigro.diagnostics import PigroError
from pigro.formats import smv
from pigro.logic import Formula, Op, atom, false, true
from pigro.logic.files import reader
from pigro.logic.syntax import join

from oracle.mu_formula import random_mu
from oracle.mu_formula import text as mu_text
from oracle.smv import Drawing, module_text
from oracle.smv import text_of as smv_text
from support.selection.cases import number_of_cases

LONG = "c" * 200
ONE = f"""MODULE only
VAR x : 0..3; on : boolean; r-2 : boolean; c : {{red, green, {LONG}a, {LONG}b}};
DEFINE top := x = 3; not := on; tt-1 := !on; W := x > 1;
"""
SEVERAL = """MODULE main
VAR x : 0..3; on : boolean; c : {red, closed};
DEFINE top := x = 3; three := x + 3;
CALL door := top & c = red;
MODULE door
VAR c : {open, closed}; on : boolean; red : boolean;
DEFINE top := c = open; shut := c = closed;
ASSIGN next(c) := {open, closed, EXIT}; next(on) := c = open ? EXIT : on; next(red) := on;
"""
CONDITIONS = {
    ONE: (
        *("on", "r-2", "x = 1", "x != 1", "-(-x) = x", "x - -1 - (1 - x) > - - 2", "c = red"),
        *(f"c = {LONG}a", f"c = {LONG}b", "x in {1, 3}", "x in 1..2", "(on ? x : 2) * 2 / 3 = 1"),
        *("case on : x; TRUE : 1 + x; esac mod 2 = 1", "(on & top) = (x = 1)", "only.x <= 2"),
        *("(x = 1) = on", "!on = on", "x + 1 in {x, 2} union {3}", "(on xor top) != (on -> top)"),
    ),
    SEVERAL: (
        *("on", "door.on", "main.on", "x = 1", "main.c = closed", "c = closed", "door.c = closed"),
        *("door.c = open", "door.c = EXIT", "door.red", "three = 4", "main.three - x = 3"),
        *("(door.on ? door.c : open) = open", "(door.red xnor door.top) = door.on"),
    ),
}
DOCUMENTS = {text: smv.SmvDocument(text.encode()) for text in CONDITIONS}


def atoms_of(text: str) -> list[str]:
    """The labels of a file, and its conditions as Pigro prints them."""
    document = DOCUMENTS[text]
    found = {atom for each in CONDITIONS[text] for atom in document.formula(each).atoms}
    return sorted(found | document.labels.shared)


def grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    unary = st.sampled_from([Op.NOT, Op.A, Op.E, Op.X, Op.F, Op.G])
    binary = st.sampled_from([*(Op.AND, Op.OR, Op.XOR, Op.IMPLIES, Op.IFF), Op.U, Op.W, Op.R])
    return st.builds(join, unary, inner) | st.builds(join, binary, inner, inner)


def formulas(text: str) -> st.SearchStrategy[tuple[str, Formula]]:
    leaves = st.sampled_from([*map(atom, atoms_of(text)), true(), false()])
    return st.tuples(st.just(text), st.recursive(leaves, grow, max_leaves=8))


@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 1500), deadline=None)
@given(formulas(ONE) | formulas(SEVERAL))
def test_printed_formulas(drawn):
    text, formula = drawn
    assert reader(DOCUMENTS[text])(str(formula)) == formula
    assert pigro.parse(str(formula)) == formula


def test_printed_fixpoints():
    rng = Random(7)
    for text in CONDITIONS:
        names = [f'"{each}"' for each in atoms_of(text)]
        for _ in range(300):
            formula = pigro.parse(mu_text(random_mu(rng, names, 8)))
            assert reader(DOCUMENTS[text])(str(formula)) == formula


def test_each_condition_has_a_label_of_its_own():
    """Its text read by a document that has not heard of it gives the same label and states."""
    for text, conditions in CONDITIONS.items():
        document = DOCUMENTS[text]
        for each in conditions:
            formula = document.formula(each)
            (label,) = formula.atoms
            again = smv.SmvDocument(text.encode())
            assert again.nodes_of(label) == document.nodes_of(label), each
            assert reader(smv.SmvDocument(text.encode()))(str(formula)) == formula
    first, second = (DOCUMENTS[ONE].formula(f"c = {LONG}{end}") for end in "ab")
    assert first.atoms != second.atoms
    assert DOCUMENTS[ONE].nodes_of(first.atoms[0]) != DOCUMENTS[ONE].nodes_of(second.atoms[0])


@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 200), deadline=None, derandomize=True)
@given(st.integers(0, 100_000))
def test_random_conditions(seed):
    modules = Drawing(Random(seed)).modules()
    data = "\n".join(map(module_text, modules)).encode()
    try:
        document = smv.SmvDocument(data)
    except PigroError:
        return
    drawing = Drawing(Random(seed + 1))
    for _ in range(5):
        condition = smv_text(drawing.atom(modules[0]))
        try:
            formula = document.formula(condition)
            labels = {label: document.nodes_of(label) for label in formula.atoms}
        except PigroError:
            continue
        again = smv.SmvDocument(data)
        assert reader(again)(str(formula)) == formula, condition
        model = again.model()
        known = {atom: set() for atom in formula.atoms if atom in document.labels.shared}
        asked = model.about(formula.atoms)
        assert asked.digest == model.digest
        for label, nodes in labels.items():
            if nodes is not None and label not in known:
                found = {
                    asked.core.declared_of_node(node)
                    for node in asked.core.labelled(asked.label_ids[label])
                }
                assert found == set(nodes), (condition, label)
