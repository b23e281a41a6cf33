"""Path formulas on single runs: against the oracle, which reads them by the definition."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from pigro.evidence.run.lasso import RunPositions, evaluate, inside, wanted
from pigro.logic import Op, parse
from pigro.logic.printer import text_of

from oracle.star_formula import LEAVES, PATH, A, E, everything_in, operands, random_star, to_text
from oracle.star_lasso import holds_on
from oracle.star_questions import FORMULAS

LETTERS = [frozenset(), frozenset("p"), frozenset("q"), frozenset("pq")]
PATH_FORMULAS = [f[1] if f[0] in "AE" else f for f in FORMULAS if f[0] in ("A", "E", *PATH, "and")]


def reads(formula, word, line):
    """Both sets of the formula and of all inside it, from a word as the oracle has it."""
    parts = inside(formula, len(formula) - 1)
    told = {node: named(formula, node) for node in parts}

    def leaf(node):
        truths = [told[node] in letter if letter is not None else None for letter in word]
        return line.set_of(truths, True), line.set_of(truths, False)

    sets = {}
    evaluate(formula, parts, line, leaf, sets)
    return parts, sets


def named(formula, node):
    """What stands for a label, A or E in the letters of a word."""
    if formula.ops[node] == Op.ATOM:
        return formula.atoms[formula.left[node]]
    return ("A" if formula.ops[node] == Op.A else "E", node)


def value(formula, word, line, position=0):
    parts, sets = reads(formula, word, line)
    yes, no = sets[parts[-1]]
    assert not yes & no
    return True if yes & line.at(position) else False if no & line.at(position) else None


def with_quantifiers(formula, text, word):
    """A word of the oracle, with formulas A f and E f in its letters, as one of node numbers."""
    asked = {str(parse(to_text(f))): f for f in everything_in(formula) if f[0] in "AE"}
    nodes = {}
    for node in inside(text, len(text) - 1):
        if text.ops[node] in (Op.A, Op.E):
            nodes[named(text, node)] = asked[text_of(text, node)]
    return [letter | {name for name, meant in nodes.items() if meant in letter} for letter in word]


@pytest.mark.parametrize("path", PATH_FORMULAS, ids=to_text)
def test_all_short_runs(path):
    """Every word of up to three letters, every loop, and its end."""
    formula = parse(to_text(path))
    leaves = leaves_of(path)
    quantified = [leaf for leaf in leaves if leaf[0] in "AE"]
    for length in (1, 2, 3):
        rng = Random(length)
        for letters in product(LETTERS, repeat=length):
            word = [
                letter | {leaf for leaf in quantified if rng.random() < 0.5} for letter in letters
            ]
            ours = with_quantifiers(path, formula, word)
            for loop in (None, *range(length)):
                yes, no = holds_on(path, word, loop), holds_on(("not", path), word, loop)
                assert loop is None or yes is not no
                found = value(formula, ours, RunPositions(length, loop))
                assert found is (True if yes else False if no else None)


def leaves_of(path):
    if path[0] in LEAVES:
        return [path]
    return [leaf for operand in operands(path) for leaf in leaves_of(operand)]


def test_random_formulas_on_random_runs():
    rng = Random(1)
    for _ in range(1500):
        path = random_star(rng, ("p", "q", "r"), rng.randint(1, 9))
        if path[0] in "AE":
            path = path[1]
        quantified = [leaf for leaf in leaves_of(path) if leaf[0] in "AE"]
        length = rng.randint(1, 7)
        word = [
            frozenset(name for name in ("p", "q", "r", *quantified) if rng.random() < 0.5)
            for _ in range(length)
        ]
        loop = rng.choice((None, *range(length)))
        formula = parse(to_text(path))
        ours = with_quantifiers(path, formula, word)
        for position in range(length):
            rest, back = word[position:], loop
            if loop is not None and loop < position:  # the loop once more, from the position on
                rest, back = [*rest, *word[loop:position]], 0
            elif loop is not None:
                back = loop - position
            yes, no = holds_on(path, rest, back), holds_on(("not", path), rest, back)
            expected = True if yes else False if no else None
            assert value(formula, ours, RunPositions(length, loop), position) is expected


# --- what lies beyond -------------------------------------------------------------------------------


def continuations(word, *, may_end):
    """Some ways to go on: all loops of one or two more letters and, if it may end, ends."""
    for count in (1, 2):
        for more in product(LETTERS, repeat=count):
            longer = [*word, *more]
            for loop in range(len(word), len(longer)):
                yield longer, loop
            if may_end:
                yield longer, None


@pytest.mark.parametrize("may_end", [False, True])
def test_what_is_certain_is_so_however_it_goes_on(may_end):
    rng = Random(2)
    certain = 0
    for _ in range(400):
        path = random_star(rng, ("p", "q"), rng.randint(1, 6))
        while path[0] in "AE":
            path = path[1]
        if any(leaf[0] in "AE" for leaf in leaves_of(path)):
            continue
        formula = parse(to_text(path))
        word = [rng.choice(LETTERS) for _ in range(rng.randint(1, 3))]
        line = RunPositions(len(word) + 1, len(word), may_end=may_end)
        found = value(formula, [*word, None], line)
        if found is None:
            continue
        certain += 1
        meant = path if found else ("not", path)
        for longer, loop in continuations(word, may_end=may_end):
            assert holds_on(meant, longer, loop), (to_text(path), word, longer, loop)
    assert certain > 100


@pytest.mark.parametrize(
    "text, word, truth",
    [
        ("F p", "-p", True),
        ("F p", "--", None),
        ("G p", "p-", False),
        ("G p", "pp", None),
        ("p U q", "ppq", True),
        ("p U q", "pp-", False),
        ("p U q", "pp", None),
        ("p W q", "p-", False),
        ("q R p", "pb", True),
        ("q R p", "p-", False),
        ("X p", "-p", True),
        ("X X p", "-p", None),
        ("X q", "-p", False),
        ("G true", "p", True),
        ("X true", "p", True),
        ("X X X true", "p", True),
        ("F false", "p", False),
        ("G F true", "p", True),
        ("G (p | true)", "-", True),
        ("F p & G F p", "-", None),
        ("p & G F q", "-", False),
        ("p -> F p", "-", True),
        ("X p xor X q", "-p", True),
        ("X p <-> X q", "-p", False),
    ],
)
def test_beginnings(text, word, truth):
    letters = [{"-": set(), "b": {"p", "q"}}.get(each, {each}) for each in word]
    line = RunPositions(len(word) + 1, len(word))
    assert value(parse(text), [*letters, None], line) is truth


@pytest.mark.parametrize("text", ["X true", "X X true", "X F true"])
def test_what_may_end_need_not_have_a_next_state(text):
    """The first step is certain: else the run would be known to end."""
    line = RunPositions(2, 1, may_end=True)
    assert value(parse(text), [set(), None], line) is (None if "X X" in text else True)


def test_where_a_run_ends_neither_next_nor_its_negation_is_satisfied():
    ended = RunPositions(2, None)
    word = [{"p"}, {"p"}]
    for text in ("X X p", "!X X p", "X X !p", "F X X p", "X X true", "X X false"):
        assert value(parse(text), word, ended) is None
    assert value(parse("G p"), word, ended) is True
    assert value(parse("G X p"), word, ended) is None
    assert value(parse("F X p"), word, ended) is True
    assert value(parse("p W q"), word, ended) is True
    assert value(parse("p U q"), word, ended) is False


# --- what must be known -----------------------------------------------------------------------------


def test_only_what_matters_is_asked_for():
    formula = parse("G (p -> E [F G q])")
    parts = inside(formula, len(formula) - 1)
    line = RunPositions(4, 1)
    labels = {"p": [True, False, True, False]}

    def leaf(node):
        truths = labels.get(named(formula, node), [])
        return line.set_of(truths, True), line.set_of(truths, False)

    sets = {}
    evaluate(formula, parts, line, leaf, sets)
    [(node, where)] = wanted(formula, parts, line, sets).items()
    assert formula.ops[node] == Op.E
    assert line.flags(where) == [True, False, True, False]


def test_what_is_known_asks_for_nothing():
    formula = parse("p | E [F G q]")
    parts = inside(formula, len(formula) - 1)
    line = RunPositions(1, 0)
    sets = {}
    evaluate(formula, parts, line, lambda _: (line.all, 0), sets)
    assert wanted(formula, parts, line, sets) == {}


@pytest.mark.parametrize(
    "text, where",
    [
        ("X E [F G q]", "0100"),
        ("X X X X E [F G q]", "0100"),  # round the loop
        ("X X E [F G q]", "0010"),
        ("F E [F G q]", "1111"),
        ("X F E [F G q]", "0111"),
        ("E [F G q] U p", "0000"),  # p holds at once
        ("X (p & E [F G q])", "0000"),  # p fails there
    ],
)
def test_where_facts_are_asked_for(text, where):
    formula = parse(text)
    parts = inside(formula, len(formula) - 1)
    line = RunPositions(4, 1)

    def leaf(node):
        truths = [at == 0 for at in range(4)] if formula.ops[node] == Op.ATOM else []
        return line.set_of(truths, True), line.set_of(truths, False)

    sets = {}
    evaluate(formula, parts, line, leaf, sets)
    found = wanted(formula, parts, line, sets)
    flags = [line.flags(each) for each in found.values()] or [[False] * 4]
    assert "".join("01"[each] for each in flags[0]) == where


# --- sizes ------------------------------------------------------------------------------------------


def test_many_operators():
    """A hundred thousand boolean operators, nested as deep as they are many."""
    text = "p"
    for at in range(1000):
        text = f"(q{at % 7} -> !{text})" if at % 2 else f"({text} & (r xor F q{at % 5}))"
    formula = parse(" & ".join(["G F p"] + [f"(a{at} | X b{at})" for at in range(50_000)]))
    assert len(formula) > 100_000
    line = RunPositions(3, 1)
    parts = inside(formula, len(formula) - 1)
    assert evaluate(formula, parts, line, lambda _: (line.all, 0)) == (line.all, 0)
    deep = parse(text + " U q")
    assert evaluate(deep, inside(deep, len(deep) - 1), line, lambda _: (line.all, 0))


def test_long_runs():
    """A million states: each operator costs a few operations on long ints."""
    length = 1_000_000
    line = RunPositions(length, 10)
    formula = parse("G (p -> F (q & X F p)) & G F (p W q)")
    parts = inside(formula, len(formula) - 1)
    carrying = {
        "p": line.set_of((at % 1000 == 0 for at in range(length)), True),
        "q": line.set_of((at == length - 1 for at in range(length)), True),
    }

    def leaf(node):
        yes = carrying[formula.atoms[formula.left[node]]]
        return yes, line.all ^ yes

    yes, no = evaluate(formula, parts, line, leaf)
    assert yes & line.at(0)
    assert not no & line.at(0)


def test_quantifiers_are_leaves():
    formula = parse(to_text(A(("G", ("F", E(("G", ("F", ("atom", "p")))))))))
    body = formula.left[len(formula) - 1]
    assert [Op(formula.ops[node]).name for node in inside(formula, body)] == ["E", "F", "G"]
