"""The proof rules, one by one."""

from itertools import groupby

import pytest

from pigro.engines.onthefly.rules import NOW, STRONG, WEAK, ProofRules
from pigro.logic import A, R, U, X, atom, parse, true
from pigro.logic.positive import ALL, AND, ATOM, NEXT, NOT, OR, RELEASE, TRUE, UNTIL, positive_form

MAKE = {
    AND: lambda f, g: f & g,
    OR: lambda f, g: f | g,
    NOT: lambda f: ~f,
    ALL: A,
    NEXT: X,
    UNTIL: U,
    RELEASE: R,
}
WHEN = {NOW: "", WEAK: "X ", STRONG: "X! "}


class Book:
    """The rules for a formula, told in formulas."""

    def __init__(self, text, *, stops=False):
        self.form = positive_form(parse(text))
        self.rules = ProofRules(self.form, stops=stops)
        self.start = self.rules.body(self.form.root)

    def formula(self, node):
        op, left, right = self.form.ops[node], self.form.left[node], self.form.right[node]
        if op in {TRUE, ATOM}:
            return true() if op == TRUE else atom(self.form.atoms[left])
        return MAKE[op](*(self.formula(each) for each in (left, right) if each >= 0))

    def text(self, node):
        return str(self.formula(node)).replace("!true", "false")

    def show(self, phi):
        members = self.rules.members(phi)
        return (
            "{"
            + ", ".join(sorted(f"{WHEN[when]}{self.text(node)}" for node, when in members))
            + "}"
        )

    def apply(self, phi):
        rule = self.rules.rule(phi)
        return rule.name, [self.show(each) for each in rule.subgoals]

    def then(self, *choices):
        """The set that is reached by taking these subgoals, one after the other."""
        phi = self.start
        for choice in choices:
            phi = self.rules.rule(phi).subgoals[choice]
        return phi


@pytest.mark.parametrize(
    "formula, name, subgoals",
    [
        ("A [X p | G q]", "Bhat3", ["{X p, false R q}"]),
        ("A [X p & G q]", "Bhat4", ["{X p}", "{false R q}"]),
        ("A [p U q]", "Bhat5", ["{p, q}", "{X p U q, q}"]),
        ("A [F q]", "Bhat5", ["{X true U q, q}"]),
        ("A [p R q]", "Bhat6", ["{q}", "{X p R q, p}"]),
        ("A [G q]", "Bhat6", ["{q}", "{X false R q}"]),
        ("A [p W q]", "Bhat6", ["{p | q}", "{X q R (p | q), q}"]),
        ("A [X X p]", "Bhat7", ["{X p}"]),
    ],
)
def test_rule(formula, name, subgoals):
    book = Book(formula)
    assert book.apply(book.start) == (name, subgoals)


def test_r1_and_r2_take_one_state_formula_out():
    book = Book("A [p U q]")
    both = book.then(0)
    assert book.apply(both) == ("Bhat1", ["{q}"])
    rule = book.rules.rule(both)
    assert book.text(rule.formula) == "p"
    assert book.apply(book.then(0, 0)) == ("Bhat1", ["{}"])
    assert book.apply(book.then(1)) == ("Bhat1", ["{X p U q}"])


def test_r7_needs_nothing_but_next():
    book = Book("A [X p | X (q U r)]")
    assert book.apply(book.then(0)) == ("Bhat7", ["{p, q U r}"])
    rule = book.rules.rule(book.then(0))
    assert rule.steps
    assert not book.rules.rule(book.start).steps


def test_no_rule_for_the_empty_set():
    book = Book("A [X false]")
    assert book.apply(book.start) == ("Bhat7", ["{}"])
    assert book.apply(book.then(0)) == ("none", [])


def test_the_whole_state_formula_is_a_leaf():
    book = Book("A [(p & !q | r) U EX p]")
    assert book.apply(book.start)[1][0] == "{!AX !p, p & !q | r}"


def test_order():
    """Plain state formulas, then Bhat3 to Bhat6, then state formulas with quantifiers, then Bhat7."""
    book = Book("A [(EX s | X a) | (X b & X c) | (a U b) | (b R c) | r]")
    phi, names = book.start, []
    while (rule := book.rules.rule(phi)).name != "none":
        names.append(rule.name)
        phi = rule.subgoals[-1]
        if rule.steps:
            break
    taken = [name for name, _ in groupby(names)]
    assert taken == [
        "Bhat3",
        "Bhat1",
        "Bhat3",
        "Bhat4",
        "Bhat5",
        "Bhat1",
        "Bhat6",
        "Bhat1",
        "Bhat7",
    ]


def test_a_set_has_one_rule():
    book = Book("A [(p | X q) & G r]")
    assert book.rules.rule(book.start) is book.rules.rule(book.start)


def test_next_is_strong_for_until_only_and_only_where_runs_stop():
    goes_on, stops = Book("A [p U q]"), Book("A [p U q]", stops=True)
    assert goes_on.show(goes_on.then(1)) == "{X p U q, q}"
    assert stops.show(stops.then(1)) == "{X! p U q, q}"
    release = Book("A [p R q]", stops=True)
    assert release.show(release.then(1)) == "{X p R q, p}"
    explicit = Book("A [X (p U q)]", stops=True)
    assert explicit.show(explicit.start) == "{X p U q}"


@pytest.mark.parametrize(
    "formula, choices, weak",
    [
        ("A [p U q]", (1, 0), False),
        ("A [p R q]", (1, 0), True),
        ("A [X p]", (), True),
        ("A [X (p U q) | p U q]", (0, 1, 0), True),
        ("A [F p | F q]", (0, 0, 0, 0, 0), False),
    ],
)
def test_what_holds_where_a_run_ends(formula, choices, weak):
    book = Book(formula, stops=True)
    rule = book.rules.rule(book.then(*choices))
    assert (rule.name, rule.weak) == ("Bhat7", weak)


@pytest.mark.parametrize(
    "formula, choices, valid",
    [
        ("A [p R q]", (), ["p R q"]),
        ("A [p R q]", (0,), []),
        ("A [p R q]", (1,), ["p R q"]),
        ("A [p R q]", (1, 0), ["p R q"]),
        ("A [G p | G q]", (0,), ["false R p", "false R q"]),
        ("A [G p | G q]", (0, 0), ["false R q"]),
        ("A [G p | G q]", (0, 1), ["false R p", "false R q"]),
        ("A [G p | p]", (0,), []),
        ("A [p U q]", (1,), []),
        ("A [G X p | X p]", (0,), []),
        ("A [G F p]", (), ["false R (true U p)"]),
        ("A [G F p]", (0,), []),
        ("A [G F p]", (1,), ["false R (true U p)"]),
    ],
)
def test_valid_releases(formula, choices, valid):
    """f R g counts where it is in the set, now or next, and g is not."""
    book = Book(formula)
    releases = book.rules.rule(book.then(*choices)).releases
    assert sorted(map(book.text, releases)) == valid


def test_sets_do_not_grow_with_state_formulas():
    """A set has a bit for each path formula that comes up, not for each subformula."""
    many = " & ".join(f"p{at}" for at in range(1000))
    book = Book(f"A [G ({many})]")
    assert book.rules.rule(book.start).name == "Bhat6"
    assert len(book.rules.elements) == 3
