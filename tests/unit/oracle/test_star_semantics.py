"""CTL* by hand: verdicts worked out on paper, words, formulas as text, and all small structures."""

from __future__ import annotations

from itertools import permutations, product
from random import Random

import pytest

from pigro.logic import Fragment, Op, parse

from oracle.star_formula import (
    FALSE,
    TRUE,
    A,
    E,
    F,
    Formula,
    G,
    R,
    U,
    W,
    X,
    atom,
    both,
    either,
    everything_in,
    no,
    pnf,
    random_star,
    to_text,
)
from oracle.star_lasso import holds_on, lassos
from oracle.star_structures import Structure, all_structures, random_structure, structure_from
from oracle.star_tableau import decide

P = atom("p")
Q = atom("q")
LABELS = ("p", "q")

OFTEN = structure_from("0 > 0 1; 1:p > 0")  # p again and again, if wanted
LEAVE = structure_from("0:p > 0 1; 1 > 2; 2:p > 2")  # p for good at last, but never surely now
TRAP = structure_from("0:p > 0 1; 1 > 1")
FAIR = structure_from("0 > 0 1; 1:p > 0 2; 2:q > 0")
SWAP = structure_from("0:p > 1; 1 > 0")
SPLIT = structure_from("0 > 1 2; 1:p > 1; 2:q > 2")
CASES = {
    "p may come again always, and need not": (OFTEN, A(G(E(F(P)))), {0, 1}),
    "p need not come": (OFTEN, A(G(F(P))), set()),
    "p comes again and again on some path": (OFTEN, E(G(F(P))), {0, 1}),
    "p stays possible on some path only": (TRAP, E(G(F(P))), {0}),
    "p does not stay possible": (TRAP, A(G(E(F(P)))), set()),
    "in the end p for good": (LEAVE, A(F(G(P))), {0, 1, 2}),
    "without a state that makes it sure": (LEAVE, A(F(A(G(P)))), {1, 2}),
    "p for good at once": (LEAVE, E(G(P)), {0, 2}),
    "p twice in a row, on every path": (LEAVE, A(F(both(P, X(P)))), {0, 1, 2}),
    "p and next p": (LEAVE, A(F(both(P, A(X(P))))), {1, 2}),
    "q need not follow p": (FAIR, A(G(("implies", P, F(Q)))), set()),
    "a fair choice brings q": (FAIR, A(("implies", G(F(both(P, X(Q)))), G(F(Q)))), {0, 1, 2}),
    "often p is not often q": (FAIR, A(("implies", G(F(P)), G(F(Q)))), set()),
    "often q is often p": (FAIR, A(("implies", G(F(Q)), G(F(P)))), {0, 1, 2}),
    "often p and never q": (FAIR, E(both(G(F(P)), G(no(Q)))), {0, 1}),
    "p every other time": (SWAP, A(G(("iff", P, X(no(P))))), {0, 1}),
    "p, then the rest": (SWAP, A(both(P, X(G(F(P))))), {0}),
    "both p and q come on some path?": (SPLIT, E(both(F(P), F(Q))), set()),
    "each comes on some path": (SPLIT, both(E(F(P)), E(F(Q))), {0}),
    "one of both is for good": (SPLIT, A(X(either(G(P), G(Q)))), {0, 1, 2}),
    "which, is not known": (SPLIT, either(A(X(P)), A(X(Q))), {1, 2}),
    "p U q where q never comes": (TRAP, E(U(P, Q)), set()),
    "p W q where q never comes": (TRAP, E(W(P, Q)), {0}),
    "q R p where q never comes": (TRAP, E(R(Q, P)), {0}),
    "alone it is for all paths": (TRAP, W(P, G(no(P))), {0, 1}),
    "alone, with a quantifier inside": (SPLIT, F(A(G(P))), {1}),
}


@pytest.mark.parametrize("name", CASES)
def test_by_hand(name: str) -> None:
    structure, formula, states = CASES[name]
    assert decide(structure, formula) == states


END = structure_from("0:p > 1 2; 1:q; 2 > 2", dead_ends="stop")
ENDINGS = {
    "AX is true where a path ends": (A(X(P)), {1}),
    "EX is false there": (E(X(TRUE)), {0, 2}),
    "neither a next p nor a next not p": (E(either(X(P), no(X(P)))), {0, 2}),
    "for A both": (A(both(X(P), no(X(P)))), {1}),
    "F wants its goal before the end": (A(F(Q)), {1}),
    "F wants it before the end, on some path": (E(F(both(Q, X(Q)))), set()),
    "G holds up to the end": (E(G(either(P, Q))), {0, 1}),
    "U wants its goal": (E(U(either(P, Q), both(P, Q))), set()),
    "W does not": (E(W(either(P, Q), both(P, Q))), {0, 1}),
    "R does not": (E(R(both(P, Q), either(P, Q))), {0, 1}),
    "again and again is in the last state": (E(G(F(Q))), {0, 1}),
    "so is in the end": (E(F(G(Q))), {0, 1}),
    "a path without end": (E(G(X(TRUE))), {0, 2}),
    "with the end in it": (E(F(no(E(X(TRUE))))), {0, 1}),
    "the end of every path": (A(F(no(E(X(TRUE))))), {1}),
    "two steps": (E(X(X(TRUE))), {0, 2}),
    "two steps for all that go so far": (A(X(X(no(P)))), {0, 1, 2}),
    "xor of what is beyond the end": (E(("xor", X(P), X(Q))), {0}),
}


@pytest.mark.parametrize("name", ENDINGS)
def test_paths_that_end(name: str) -> None:
    formula, states = ENDINGS[name]
    assert decide(END, formula) == states


def test_reading_matters_at_dead_ends_only() -> None:
    seen = set()
    for structure in all_structures(2, LABELS, "stutter"):
        other = Structure(structure.successors, structure.labels, "stop")
        same = decide(structure, E(X(TRUE))) == decide(other, E(X(TRUE)))
        assert same is not structure.has_dead_end
        seen.add(same)
    assert seen == {True, False}


def test_stuttering_is_a_loop() -> None:
    rng = Random(5)
    loops = 0
    for _ in range(300):
        first = random_structure(rng, 4, LABELS)
        stutter = Structure(first.successors, first.labels, "stutter")
        rows = tuple(row or (state,) for state, row in enumerate(first.successors))
        loop = Structure(rows, first.labels, "stop")
        formula = random_star(rng, LABELS, rng.randint(1, 6))
        assert decide(stutter, formula) == decide(loop, formula), (first, formula)
        loops += first.has_dead_end
    assert loops > 100


WORDS = [  # labels by position, start of the loop, formula, truth
    (["p", "q", ""], 0, G(F(P)), True),
    (["p", "q", ""], 1, G(F(P)), False),
    (["p", "q", ""], 1, F(G(no(P))), True),
    (["p", "q", ""], None, G(F(P)), False),
    (["p", "q", "p"], None, G(F(P)), True),
    (["p", "q"], None, X(X(TRUE)), False),
    (["p", "q"], None, no(X(X(TRUE))), False),
    (["p", "q"], 0, X(X(P)), True),
    (["p", "p", "q"], None, U(P, Q), True),
    (["p", "", "q"], None, U(P, Q), False),
    (["p", "p"], None, U(P, Q), False),
    (["p", "p"], None, W(P, Q), True),
    (["p", "p"], 0, W(P, Q), True),
    (["p", "p"], 1, U(P, Q), False),
    (["q"], 0, U(P, Q), True),
    (["q", "pq", ""], 2, R(P, Q), True),
    (["q", "p", ""], 2, R(P, Q), False),
    (["q", "q"], 0, R(P, Q), True),
    (["q", "q"], None, R(P, Q), True),
    (["q", "q"], None, no(R(P, Q)), False),
    (["q", ""], None, no(R(P, Q)), True),
    (["p", "", "q"], 2, no(W(P, Q)), True),
    (["p", "q", ""], 2, no(W(P, Q)), False),
    (["p", "p"], None, no(W(P, Q)), False),
    (["", "p"], 0, ("iff", P, X(no(P))), True),
    (["", "p"], None, X(("iff", P, X(no(P)))), False),
    (["", "p"], None, X(("xor", P, X(no(P)))), False),
    (["p"], None, ("implies", X(P), X(P)), False),
]


@pytest.mark.parametrize("letters, loop, formula, truth", WORDS)
def test_words_by_hand(letters, loop, formula, truth):
    assert holds_on(formula, [set(letter) for letter in letters], loop) is truth
    assert holds_on(pnf(formula), [set(letter) for letter in letters], loop) is truth


def random_word(rng: Random) -> tuple[list[set[str]], int | None]:
    word = [{name for name in LABELS if rng.random() < 0.5} for _ in range(rng.randint(1, 5))]
    return word, rng.choice([None, *range(len(word))])


def random_ltl(rng: Random) -> Formula:
    """A path formula without quantifiers."""
    while True:
        f = random_star(rng, LABELS, rng.randint(1, 6))
        inner = f[1] if f[0] in ("A", "E") else f
        if not {"A", "E"} & {each[0] for each in everything_in(inner)}:
            return inner


def test_negations_pushed_down_change_nothing() -> None:
    rng = Random(1)
    verdicts = []
    for _ in range(3_000):
        word, loop = random_word(rng)
        f = random_ltl(rng)
        verdicts.append(holds_on(f, word, loop))
        assert holds_on(pnf(f), word, loop) is verdicts[-1], (f, word, loop)
        against = holds_on(no(f), word, loop)
        assert holds_on(pnf(f, wanted=False), word, loop) is against, (f, word, loop)
        assert against is not verdicts[-1] or (loop is None and not against), (f, word)
    assert 1_000 < sum(verdicts) < 2_000


def test_normal_form_has_few_operators() -> None:
    rng = Random(2)
    for _ in range(500):
        for f in everything_in(pnf(random_ltl(rng))):
            assert f[0] in ("true", "false", "atom", "and", "or", "X", "U", "R") or (
                f[0] == "not" and f[1][0] == "atom"
            )


def test_a_loop_may_be_told_in_many_ways() -> None:
    rng = Random(3)
    verdicts = []
    for _ in range(2_000):
        word, _ = random_word(rng)
        loop = rng.randrange(len(word))
        f = random_ltl(rng)
        verdicts.append(holds_on(f, word, loop))
        longer = word + word[loop:]
        assert holds_on(f, longer, loop) is verdicts[-1], (f, word, loop)
        assert holds_on(f, longer, len(word)) is verdicts[-1], (f, word, loop)
        assert holds_on(f, [*word, word[loop]], loop + 1) is verdicts[-1], (f, word, loop)
    assert 700 < sum(verdicts) < 1_300


def test_short_lassos() -> None:
    stop = structure_from("0 > 0 1; 1", dead_ends="stop")
    assert list(lassos(stop, 0, 2)) == [((0,), 0), ((0, 0), 0), ((0, 0), 1), ((0, 1), None)]
    stutter = structure_from("0 > 0 1; 1")
    assert list(lassos(stutter, 0, 2)) == [((0,), 0), ((0, 0), 0), ((0, 0), 1), ((0, 1), 1)]
    assert list(lassos(stop, 1, 5)) == [((1,), None)]


@pytest.mark.parametrize("states, count, dead", [(1, 8, 4), (2, 128, 32), (3, 8_320, 1_488)])
def test_all_structures_are_there_once(states: int, count: int, dead: int) -> None:
    found = list(all_structures(states, LABELS, "stutter"))
    assert len(found) == count
    assert sum(each.has_dead_end for each in found) == dead
    classes = {renamings(each.successors, each.labels) for each in found}
    assert len(classes) == count
    kinds = [frozenset(), frozenset("p"), frozenset("q"), frozenset("pq")]
    rows = [tuple(i for i in range(states) if n >> i & 1) for n in range(2**states)]
    everyone = product(product(rows, repeat=states), product(kinds, repeat=states))
    assert classes == {renamings(*each) for each in everyone if reaches_all(each[0])}


def renamings(successors: tuple, labels: tuple) -> frozenset:
    """All structures that differ by the names of the states after the first."""
    result = set()
    for rest in permutations(range(1, len(labels))):
        new = (0, *rest)
        edges = frozenset((new[s], new[t]) for s, row in enumerate(successors) for t in row)
        names = frozenset((new[s], label) for s, label in enumerate(labels))
        result.add((edges, names))
    return frozenset(result)


def reaches_all(successors: tuple) -> bool:
    seen = {0}
    for _ in successors:
        seen |= {t for s in seen for t in successors[s]}
    return len(seen) == len(successors)


OPERATORS = "true false atom not and or xor implies iff A E X F G U W R".split()


def from_pigro(text: str) -> Formula:
    """What the parser of pigro makes of a text."""
    formula = parse(text)
    done: list[Formula] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        name = Op(op).name
        if op == Op.ATOM:
            done.append(atom(formula.atoms[left]))
        else:
            parts = [done[at] for at in (left, right) if at >= 0]
            done.append((name if len(name) == 1 else name.lower(), *parts))
    return done[-1]


def test_text_is_read_back_and_all_logics_are_drawn() -> None:
    rng = Random(4)
    fragments = dict.fromkeys(Fragment, 0)
    operators = dict.fromkeys(OPERATORS, 0)
    for _ in range(2_000):
        f = random_star(rng, (*LABELS, "a b", "X"), rng.randint(1, 8))
        assert from_pigro(to_text(f)) == f
        fragments[parse(to_text(f)).fragment] += 1
        for each in everything_in(f):
            operators[each[0]] += 1
    assert fragments[Fragment.CTL_STAR] > 1_000
    assert fragments[Fragment.LTL] > 250
    assert fragments[Fragment.CTL] > 100
    assert all(count > 50 for count in operators.values()), operators


def test_constants_are_known() -> None:
    for structure in (OFTEN, END):
        assert decide(structure, TRUE) == set(range(len(structure.labels)))
        assert decide(structure, FALSE) == decide(structure, E(X(FALSE))) == set()
