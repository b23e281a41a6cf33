"""LTLSPECs and formulas of CTL* over variables, against modules read by definition and the tableau."""

from __future__ import annotations

from random import Random

import pytest

import pigro
from pigro.formats import smv

from oracle.smv import EXIT, Drawing, NoValue, graph, module_text, name_of, truth
from oracle.smv import text_of as smv_text
from oracle.star_formula import SIGNS, everything_in, random_star
from oracle.star_structures import Structure
from oracle.star_tableau import decide
from support.selection.cases import FEW_CASES, START, number_of_cases, seeds

CASES = number_of_cases("PIGRO_SMV_PATHS", 400)
TEXTS = number_of_cases("PIGRO_SMV_PATHS", 10_000)
LEVELS = {"implies": 1, "iff": 2, "or": 3, "xor": 3, "and": 4, "U": 5, "R": 5}
UNARY, LEAF = 6, 7


def ltl_text(f, conditions):
    """A formula of LTL with only the brackets that NuSMV needs, and how tightly it binds."""
    kind = f[0]
    if kind in ("true", "false"):
        return kind.upper(), LEAF
    if kind == "atom":
        return conditions[f[1]], LEAF
    if kind == "W":
        return ltl_text(("or", ("U", f[1], f[2]), ("G", f[1])), conditions)
    inside = [ltl_text(each, conditions) for each in f[1:]]
    if len(inside) == 1:
        text, level = inside[0]
        sign = "!" if kind == "not" else f"{kind} "
        return sign + (text if level >= UNARY else f"({text})"), UNARY
    own = LEVELS[kind]
    (left, before), (right, after) = inside
    to_the_right = kind == "implies"
    left = left if before > own or (before == own and not to_the_right) else f"({left})"
    right = right if after > own or (after == own and to_the_right) else f"({right})"
    return f"{left} {'V' if kind == 'R' else SIGNS.get(kind, kind)} {right}", own


def star_text(f, conditions):
    """A formula of CTL* with all brackets."""
    kind = f[0]
    if kind in ("true", "false"):
        return kind.upper()
    if kind == "atom":
        return conditions[f[1]]
    inside = [star_text(each, conditions) for each in f[1:]]
    if kind in "AE":
        return f"({kind} [{inside[0]}])"
    if len(inside) == 1:
        return f"({'!' if kind == 'not' else kind} {inside[0]})"
    return f"({inside[0]} {SIGNS.get(kind, kind)} {inside[1]})"


def structure(module, conditions):
    """The reachable states of a module without calls, labelled by conditions, and its initial states."""
    initial, states, steps = graph(module)
    number = {state: i for i, state in enumerate(states)}
    rows = [sorted({number[b] for a, b in steps if a == state}) for state in states]
    labels = []
    for state in states:
        now = dict(zip(module.domains, (value for _, value in state), strict=True))
        labels.append(frozenset(label for label, e in conditions.items() if truth(e, now)))
    dead = {name_of(state) for state, row in zip(states, rows, strict=True) if not row}
    assert dead <= {EXIT}
    whole = Structure(tuple(map(tuple, rows)), tuple(labels))
    return whole, {number[state] for state in initial}


def compare(seed):
    """What a random module says to three formulas. None where it means nothing."""
    rng = Random(seed)
    draw = Drawing(rng)
    module = draw.module("main", ["main"])
    module.calls.clear()
    module.defines.clear()
    conditions = {label: draw.atom(module) for label in ("a", "b")}
    try:
        whole, initial = structure(module, conditions)
    except NoValue:
        return None
    written = {label: smv_text(e) for label, e in conditions.items()}
    formulas = [random_star(rng, list(written), rng.randint(1, 6)) for _ in range(3)]
    document = smv.Document(module_text(module).encode())
    asked = [document.formula(star_text(f, written)) for f in formulas]
    lines = [f"LTLSPEC {ltl_text(f, written)[0]}" for f in formulas if is_ltl(f)]
    with_lines = smv.Document("\n".join((module_text(module), *lines, "")).encode())
    own = with_lines.requirements(with_lines.model())
    assert [each.formula for each in own] == [
        document.formula(star_text(without_w(f), written)) for f in formulas if is_ltl(f)
    ]
    model = document.model()
    truths = [initial <= decide(whole, f) for f in formulas]
    assert [pigro.check(model, each).holds for each in asked] == truths, seed
    ltl = [truth for f, truth in zip(formulas, truths, strict=True) if is_ltl(f)]
    for each, expected in zip(own, ltl, strict=True):
        found = pigro.check(with_lines.model().with_initial(each.initial), each.formula)
        assert found.holds is expected, (seed, each.text)
    return truths, len(ltl)


def is_ltl(f):
    return all(each[0] not in ("A", "E") for each in everything_in(f))


def without_w(f):
    """W as it is written in an LTLSPEC."""
    if f[0] == "atom":
        return f
    inside = [without_w(each) for each in f[1:]]
    if f[0] == "W":
        return ("or", ("U", *inside), ("G", inside[0]))
    return (f[0], *inside)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("chunk", range(4))
def test_random_modules(chunk):
    outcomes = [found for seed in seeds(CASES, chunk, 4) if (found := compare(seed))]
    truths = [truth for found, _ in outcomes for truth in found]
    assert FEW_CASES or len(truths) > 100
    assert FEW_CASES or len(truths) // 5 < sum(truths) < 4 * len(truths) // 5
    assert FEW_CASES or sum(count for _, count in outcomes) > 10


def loose_text(rng, depth):
    """A formula over labels, with brackets here and there."""
    if depth <= 0 or rng.random() < 0.15:
        return rng.choice("pqr")

    def inside():
        text = loose_text(rng, depth - 1)
        return f"({text})" if rng.random() < 0.4 else text

    left, right = inside(), inside()
    forms = (
        f"{left} {rng.choice(('&', '|', '->', '<->', 'xor'))} {right}",
        f"{rng.choice(('!', 'AG ', 'EF ', 'AX ', 'A G ', 'E F '))}{left}",
        f"{rng.choice('XFG')} {left}",
        f"{rng.choice('AE')} {left}",
        f"{rng.choice('AE')} [{left}]",
        f"{left} {rng.choice('UVWR')} {right}",
    )
    return rng.choice(forms)


def test_formulas_over_labels_are_read_as_in_the_own_language():
    """Or refused, if NuSMV reads them differently. A single U in brackets is NuSMV's."""
    document = smv.Document(b"MODULE m VAR x : 0..2; DEFINE p := x = 0; q := x = 1; r := x = 2;")
    rng = Random(1 + START)
    refused = different = 0
    for _ in range(TEXTS):
        text = loose_text(rng, rng.randint(1, 5))
        try:
            found = document.formula(text)
        except pigro.FormulaError as error:
            assert error.code == "P122"
            assert "two ways" in error.message
            refused += 1
            continue
        if found != pigro.parse(text):
            assert "[" in text
            assert "U" in text
            different += 1
    assert FEW_CASES or refused < TEXTS / 10
    assert FEW_CASES or different < TEXTS / 200
