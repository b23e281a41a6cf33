"""Random formulas of the mu-calculus: printing loses nothing, and the modal form means the same."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import pigro
from pigro.diagnostics import FormulaError
from pigro.logic import Formula, Fragment, Op, parse
from pigro.logic.modal import AND, DIAMOND, MU, NU, OR, VAR, ModalForm, modal_form

from support.judges import modal_meaning as meaning
from support.selection.cases import number_of_cases

DEAD_ENDS = {True: "stop", False: "stutter"}


@given(st.randoms(use_true_random=False), st.integers(1, 6))
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 150), deadline=None)
def test_parsing_the_printed_formula_gives_it_back(rng: Random, depth: int) -> None:
    formula = meaning.random_formula(rng, depth)
    again = parse(str(formula))
    assert again == formula
    assert hash(again) == hash(formula)
    assert pickle.loads(pickle.dumps(formula)) == formula
    modal = any(op >= Op.DIAMOND for op in formula.ops)
    assert (formula.fragment is Fragment.MU) == modal


@given(st.text(alphabet='pXZumn<>[]().,!&|-"a \n', max_size=30))
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 250), deadline=None)
def test_any_text_is_a_formula_or_a_coded_error(text: str) -> None:
    _read(text)


WORDS = "p Z X mu nu mu% nu% < > [ ] <> [] ( ) . , ! & -> xor A E AX EF U a".split()


@given(st.lists(st.sampled_from(WORDS), max_size=10))
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 250), deadline=None)
def test_any_words_are_a_formula_or_a_coded_error(words: list[str]) -> None:
    _read(" ".join(words).replace("%", " Z."))


def _read(text: str) -> None:
    try:
        formula = parse(text)
    except FormulaError as error:
        assert error.message.isprintable()
        assert error.position is not None
        assert error.position.line is not None
        assert error.position.column is not None
        assert error.position.text == text.split("\n")[error.position.line - 1].rstrip("\r")
        assert 1 <= error.position.column <= len(error.position.text) + 1
    else:
        assert parse(str(formula)) == formula


@pytest.mark.filterwarnings("ignore::pigro.engines.likely_mistakes.UnknownLabelWarning")
@pytest.mark.parametrize("seed", range(5))
def test_ctl_agrees_with_an_engine(seed: int) -> None:
    for number in range(100):
        assert agrees_with_engine(1000 * seed + number)


def agrees_with_engine(seed: int) -> bool:
    """One random formula of CTL, on a structure with dead ends, in one of its states."""
    rng = Random(seed)
    formula = meaning.random_ctl(rng, rng.randint(1, 4))
    structure = meaning.random_structure(rng)
    initial = rng.randrange(structure.size)
    model = pigro.kripke(
        {
            str(state): [str(to) for source, _, to in structure.steps if source == state]
            for state in range(structure.size)
        },
        labels={
            str(state): [each for each in "pq" if structure.labels[each] >> state & 1]
            for state in range(structure.size)
        },
        initial=str(initial),
        dead_ends=DEAD_ENDS[structure.stops],
    )
    form = modal_form(formula, dead_ends=DEAD_ENDS[structure.stops])
    assert form.alternation_free
    verdict = pigro.check(model, formula)
    return verdict.holds == bool(meaning.of_form(form, structure) >> initial & 1)


@pytest.mark.parametrize("seed", range(4))
def test_fixpoints_and_priorities_mean_what_was_written(seed: int) -> None:
    for number in range(75):
        assert_means_the_same(1000 * seed + number)


def assert_means_the_same(seed: int) -> None:
    rng = Random(seed)
    if seed % 2:
        formula = meaning.random_alternation(rng)
    else:
        formula = meaning.random_formula(rng, rng.randint(1, 6))
    structure = meaning.random_structure(rng, 4)
    form = modal_form(formula, dead_ends=DEAD_ENDS[structure.stops])
    assert_well_formed(form)
    wanted = meaning.of_formula(formula, structure)
    assert meaning.of_form(form, structure) == wanted, str(formula)
    assert meaning.of_game(form, structure) == wanted, str(formula)
    opposite = modal_form(~formula, dead_ends=DEAD_ENDS[structure.stops])
    assert meaning.of_form(opposite, structure) == structure.all & ~wanted, str(formula)


def assert_well_formed(form: ModalForm) -> None:
    """The order of the nodes, that each is there once and needed, and the priorities."""
    assert form.root == len(form) - 1
    nodes = list(zip(form.ops, form.left, form.right, strict=True))
    assert len(set(nodes)) == len(nodes)
    needed = {form.root}
    for node, (op, left, right) in enumerate(nodes):
        if op >= AND:
            needed.add(left)
        if op in (AND, OR):
            needed.add(right)
            assert max(left, right) < node
        elif op >= DIAMOND and op != VAR:
            assert left < node
        elif op == VAR:
            assert left > node
            [fixpoint] = [at for at in range(node, len(form)) if nodes[at][:2] in kinds(node)]
            assert form.priority[node] % 2 == (form.ops[fixpoint] == MU)
            assert fixpoint > left
        assert op == VAR or form.priority[node] == 0
    assert needed == set(range(len(form)))


def kinds(variable: int) -> tuple[tuple[int, int], tuple[int, int]]:
    return (MU, variable), (NU, variable)


def test_the_same_formula_from_text_and_from_python() -> None:
    f = Formula("nu X. mu Y. (p & <> X) | <a> Y")
    p, x, y = (pigro.logic.atom(name) for name in ("p", "X", "Y"))
    inner = (p & pigro.logic.diamond(x)) | pigro.logic.diamond(y, "a")
    assert pigro.logic.nu("X", pigro.logic.mu("Y", inner)) == f
