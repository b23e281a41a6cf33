"""Regular expressions as path operators: text, automata, and what formulas with them mean."""

import pytest

import pigro
from pigro.diagnostics import FormulaError
from pigro.logic import Fragment, parse, read_formulas
from pigro.logic.regular.automata import LARGEST, automaton

from support.agreement.regular import AUTOMATA, regular_disagreements
from support.selection.cases import first_seed, number_of_cases

CASES = number_of_cases("PIGRO_REGULAR_CASES", 60)
FIRST = first_seed("PIGRO_REGULAR_FIRST")


@pytest.mark.parametrize(
    "text, printed",
    [
        ("{a;b*;c} |-> F d", "{a ; b* ; c} |-> F d"),
        ("{a} |=> b", "{a ; true} |-> b"),
        ("{a} <>=> b", "{a ; true} <>-> b"),
        ("E {p}^w & q", "E [{p}^w] & q"),
        ("{a}! -> {b} |-> c | d", "{a}! -> ({b} |-> c | d)"),
        ("{p ; E [{a}! U b]}!", "{p ; E [{a}! U b]}!"),
        ("{!p* ; (q ; r)*}^w", "{!p* ; (q ; r)*}^w"),
        ("{a+ ; (b | c ; d)?}!", "{a ; a* ; (b | c ; d) | false*}!"),
        ("{a ; (b | c)}!", "{a ; b | c}!"),
    ],
)
def test_text(text, printed):
    formula = parse(text)
    assert str(formula) == printed
    assert parse(printed) == formula
    assert formula.fragment is Fragment.ECTL_STAR


@pytest.mark.parametrize(
    "text, code, column",
    [
        ("{a", "P302", 1),
        ("{a}", "P301", 4),
        ("{a} & b", "P301", 5),
        ("{F a}!", "P309", 1),
        ("p | {a;b & c*}!", "P309", 5),
        ("{!(a;b)}!", "P309", 1),
        ("a ; b", "P301", 3),
        ("a |-> b", "P301", 3),
        ("{}!", "P301", 2),
        ("{a) }!", "P302", 1),
    ],
)
def test_mistakes(text, code, column):
    with pytest.raises(FormulaError) as caught:
        parse(text)
    assert (caught.value.code, caught.value.position.column) == (code, column)


def test_states_with_the_same_edges_are_one():
    formula = parse("{p* ; q}!")
    row = automaton(formula, formula.left[-1])[0]
    letters = {formula.atoms[formula.left[edge.letter]]: edge.to for edge in row}
    assert letters["p"] == 0


def test_an_expression_has_a_largest_size():
    formula = parse("{" + " ; ".join(["a"] * (LARGEST + 1)) + "}!")
    with pytest.raises(FormulaError) as caught:
        automaton(formula, formula.left[-1])
    assert caught.value.code == "P308"


@pytest.mark.parametrize(
    "regular, plain",
    [
        ("{p* ; q}!", "p U q"),
        ("{true* ; q}!", "F q"),
        ("{true*} |-> p", "G p"),
        ("{p}^w", "G p"),
        ("{!p* ; p}^w", "G F p"),
        ("{true*} <>-> {p}^w", "F G p"),
        ("!{!q*} |-> p", "!(p W q)"),
    ],
)
@pytest.mark.parametrize("quantifier", "AE")
@pytest.mark.parametrize("dead_ends", ["stop", "stutter"])
def test_ltl_is_a_special_case(regular, plain, quantifier, dead_ends):
    labels = [[], ["p"], ["q"], ["p", "q"]]
    for number in range(0, 81, 2):
        targets = [number // 3**at % 3 for at in range(4)]
        rows = {
            f"s{at}": [f"s{(at + to) % 4}"] * (to > 0) + ["s3"] * (to > 1)
            for at, to in enumerate(targets)
        }
        model = pigro.kripke(
            rows,
            labels={f"s{at}": its for at, its in enumerate(labels)},
            initial="s0",
            dead_ends=dead_ends,
        )
        told = [pigro.check(model, f"{quantifier} [{each}]").holds for each in (regular, plain)]
        assert told[0] == told[1], (rows, told)


@pytest.mark.random
def test_agreement_with_lassos():
    wrong = [line for seed in range(FIRST, FIRST + CASES) for line in regular_disagreements(seed)]
    assert wrong == []


@pytest.mark.random
def test_automata_agreement_with_lassos():
    seeds = range(FIRST, FIRST + CASES)
    wrong = [line for seed in seeds for line in regular_disagreements(seed, AUTOMATA)]
    assert wrong == []


@pytest.mark.parametrize("seed", [1043, 2567, 2849])
def test_ticks_of_what_follows_a_match(seed):
    """Found by comparing: the ticks of the formula after `<>->` were forgotten behind an X."""
    assert regular_disagreements(seed) == []


def test_names_for_expressions():
    rows = read_formulas("define two = a ; b\n# more\ndefine four = two ; two\n{four*}! & two\n")
    assert [(number, str(formula)) for number, formula in rows] == [
        (4, "{(a ; b ; (a ; b))*}! & two"),
    ]


@pytest.mark.parametrize(
    "text, code, line, column",
    [
        ("define two = a ;\n", "P301", 1, 17),
        ("define two = a\ndefine two = b\n", "P301", 2, 8),
        ("define U = a\n", "P301", 1, 8),
        ("define two = F a\n", "P309", 1, 13),
        ("define\n", None, 1, 1),
    ],
)
def test_mistakes_in_definitions(text, code, line, column):
    if code is None:
        assert len(read_formulas(text)) == 1  # a label
        return
    with pytest.raises(FormulaError) as caught:
        read_formulas(text)
    position = caught.value.position
    assert (caught.value.code, position.line, position.column) == (code, line, column)


def test_names_do_not_grow_without_bound():
    rows = ["define d0 = a ; a"] + [f"define d{n} = d{n - 1} ; d{n - 1}" for n in range(1, 40)]
    with pytest.raises(FormulaError) as caught:
        read_formulas("\n".join(rows))
    assert caught.value.code == "P308"


RECURSIVE = """
E [{(grey ; grey)*}^w]
A [{white | grey | black ; true*}!]
E [{(!black ; !black)* ; !black ; black}!]
A [{(true ; true)*} |-> !black]
A [{grey* ; white}^w]
"""


def test_recursive_models_with_certificates_and_evidence():
    model = pigro.load("examples/choices.rsm")
    texts = RECURSIVE.split("\n")[1:-1]
    verdicts = pigro.check_all(model, texts, verify=True, witness=True)
    assert [each.holds for each in verdicts] == [True, True, True, False, False]
    assert all(each.certificate is not None for each in verdicts)
    for verdict in verdicts:
        cut = pigro.check(model, verdict.formula, engine="onthefly", depth=6).holds
        assert cut in (None, verdict.holds)
