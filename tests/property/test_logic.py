"""Random formulas: printing loses nothing, and the normal form means the same."""

from __future__ import annotations

import pickle
from typing import TYPE_CHECKING

from hypothesis import given, settings
from hypothesis import strategies as st

from pigro.diagnostics import FormulaError
from pigro.logic import Formula, Fragment, Op, atom, existential_normal_form, false, parse, true
from pigro.logic.normal import AND, ATOM, EG, EU, EX, NOT, OR, TRUE, NormalForm
from pigro.logic.printer import text_of
from pigro.logic.syntax import join
from pigro.logic.unclear import is_unclear

from support.selection.cases import number_of_cases

if TYPE_CHECKING:
    from collections.abc import Callable

BINARY_BOOLEAN = (Op.AND, Op.OR, Op.XOR, Op.IMPLIES, Op.IFF)
LABELS = ("p", "q", "r")

# ---- strategies ----

names = st.sampled_from(
    [*LABELS, "AG", "x.y", "a b", 'say "hi"', "b\\", "", "\u00e9", "true", "q#1"]
)
leaves = st.builds(atom, names) | st.sampled_from([true(), false()])


def _grow(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    unary = st.sampled_from([Op.NOT, Op.A, Op.E, Op.X, Op.F, Op.G])
    binary = st.sampled_from([*BINARY_BOOLEAN, Op.U, Op.W, Op.R])
    return st.builds(join, unary, inner) | st.builds(join, binary, inner, inner)


ctl_star = st.recursive(leaves, _grow, max_leaves=12)


def _quantified(quantifier: Op, path: Op, f: Formula, g: Formula) -> Formula:
    return join(quantifier, join(path, f) if path <= Op.G else join(path, f, g))


def _grow_ctl(inner: st.SearchStrategy[Formula]) -> st.SearchStrategy[Formula]:
    quantifier = st.sampled_from([Op.A, Op.E])
    path = st.sampled_from([Op.X, Op.F, Op.G, Op.U, Op.W, Op.R])
    return (
        st.builds(join, st.just(Op.NOT), inner)
        | st.builds(join, st.sampled_from(BINARY_BOOLEAN), inner, inner)
        | st.builds(_quantified, quantifier, path, inner, inner)
        | st.builds(_quantified, quantifier, path, inner, inner)
    )


plain_leaves = st.sampled_from([*map(atom, LABELS), *map(atom, LABELS), true(), false()])
ctl = st.recursive(plain_leaves, _grow_ctl, max_leaves=8)

Structure = tuple[list[frozenset[int]], dict[str, frozenset[int]]]


@st.composite
def structures(draw: st.DrawFn) -> Structure:
    """Successors of up to six states, possibly none (a dead end that stops), and labels."""
    size = draw(st.integers(1, 6))
    states = st.frozensets(st.integers(0, size - 1), max_size=min(3, size))
    successors = draw(st.lists(states, min_size=size, max_size=size))
    return successors, {label: draw(states) for label in LABELS}


# ---- the meaning of formulas, straight from maximal paths, without dualities ----

States = frozenset[int]


def _fixpoint(start: States, step: Callable[[States], States]) -> States:
    while (following := step(start)) != start:
        start = following
    return start


class Meaning:
    """Sets of states. `some(z)`: a successor is in z. `every(z)`: all successors are, if any."""

    def __init__(self, structure: Structure) -> None:
        self.successors, self.labels = structure
        self.all = frozenset(range(len(self.successors)))
        self.dead = frozenset(s for s in self.all if not self.successors[s])

    def some(self, z: States) -> States:
        return frozenset(s for s in self.all if self.successors[s] & z)

    def every(self, z: States) -> States:
        return frozenset(s for s in self.all if self.successors[s] <= z)

    def least(self, step: Callable[[States], States]) -> States:
        return _fixpoint(frozenset(), step)

    def greatest(self, step: Callable[[States], States]) -> States:
        return _fixpoint(self.all, step)

    def boolean(self, op: int, a: States, b: States) -> States:
        return {
            Op.NOT: self.all - a,
            Op.AND: a & b,
            Op.OR: a | b,
            Op.XOR: a ^ b,
            Op.IMPLIES: (self.all - a) | b,
            Op.IFF: self.all - (a ^ b),
        }[Op(op)]

    def quantified(self, quantifier: int, path: int, f: States, g: States) -> States:
        """One step along the paths: `go(z)` needs a next state, `go_or_end(z)` may also end."""
        if quantifier == Op.E:
            go = self.some

            def go_or_end(z: States) -> States:
                return self.some(z) | self.dead
        else:

            def go(z: States) -> States:
                return self.every(z) - self.dead

            go_or_end = self.every
        if path == Op.X:
            return self.some(f) if quantifier == Op.E else self.every(f)
        if path == Op.F:
            return self.least(lambda z: f | go(z))
        if path == Op.G:
            return self.greatest(lambda z: f & go_or_end(z))
        if path == Op.U:
            return self.least(lambda z: g | (f & go(z)))
        if path == Op.W:
            return self.greatest(lambda z: g | (f & go_or_end(z)))
        return self.greatest(lambda z: g & (f | go_or_end(z)))

    def of(self, formula: Formula) -> States:
        values: list[States] = []
        ops, left, right = formula.ops, formula.left, formula.right
        for node, op in enumerate(ops):
            if op == Op.ATOM:
                value = self.labels[formula.atoms[left[node]]]
            elif op <= Op.FALSE:
                value = self.all if op == Op.TRUE else frozenset()
            elif op < Op.A:
                value = self.boolean(op, values[left[node]], values[right[node]])
            elif op > Op.E:
                value = frozenset()
            else:
                path = left[node]
                value = self.quantified(op, ops[path], values[left[path]], values[right[path]])
            values.append(value)
        return values[-1]

    def of_normal_form(self, form: NormalForm) -> States:
        values: list[States] = []
        for op, left, right in zip(form.ops, form.left, form.right, strict=True):
            if op == ATOM:
                values.append(self.labels[form.atoms[left]])
                continue
            f = values[left] if left >= 0 else frozenset()
            g = values[right] if right >= 0 else frozenset()
            values.append(self._normal(op, f, g))
        return values[-1]

    def _normal(self, op: int, f: States, g: States) -> States:
        simple = {TRUE: self.all, NOT: self.all - f, AND: f & g, OR: f | g, EX: self.some(f)}
        if op in simple:
            return simple[op]
        if op == EU:
            return self.least(lambda z: g | (f & self.some(z)))
        assert op == EG
        return self.greatest(lambda z: f & (self.some(z) | self.dead))


# ---- the properties ----


@given(ctl_star)
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 600), deadline=None)
def test_parsing_the_printed_formula_gives_it_back(formula: Formula) -> None:
    again = parse(str(formula))
    assert again == formula
    assert (again.ops, again.left, again.right) == (formula.ops, formula.left, formula.right)
    assert hash(again) == hash(formula)
    assert pickle.loads(pickle.dumps(formula)) == formula


@given(ctl_star)
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 200), deadline=None)
def test_parentheses_are_minimal(formula: Formula) -> None:
    """No pair of round brackets can be left out without changing the formula.

    But for those around U, W and R inside other operators, which other tools read differently, and
    those without which a warning would come.
    """
    text = str(formula)
    for start, end in _pairs(text):
        inner = parse(text[start + 1 : end])
        shorter = text[:start] + " " + text[start + 1 : end] + " " + text[end + 1 :]
        read = parse(shorter)
        is_needed = read != formula or is_unclear(read, shorter)
        assert inner.ops[-1] in (Op.U, Op.W, Op.R) or is_needed, shorter


@given(ctl_star)
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 200), deadline=None)
def test_until_inside_others_stands_in_brackets(formula: Formula) -> None:
    ops, left, right = formula.ops, formula.left, formula.right
    inside = {
        child
        for node, op in enumerate(ops)
        if Op.NOT <= op != Op.A and op != Op.E
        for child in (left[node], right[node])
        if child >= 0 and ops[child] in (Op.U, Op.W, Op.R)
    }
    text = str(formula)
    for node in inside:
        assert f"({text_of(formula, node)})" in text


def _pairs(text: str) -> list[tuple[int, int]]:
    pairs, opened, place = [], [], 0
    while place < len(text):
        if text[place] == '"':
            place += 1
            while text[place] != '"':
                place += 2 if text[place] == "\\" else 1
        elif text[place] == "(":
            opened.append(place)
        elif text[place] == ")":
            pairs.append((opened.pop(), place))
        place += 1
    return pairs


@given(ctl, structures())
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 1500), deadline=None)
def test_the_normal_form_means_the_same(formula: Formula, structure: Structure) -> None:
    """With dead ends that stop. Structures without dead ends are among them."""
    meaning = Meaning(structure)
    form = existential_normal_form(formula)
    assert meaning.of_normal_form(form) == meaning.of(formula)
    assert meaning.of(form.to_formula()) == meaning.of(formula)
    assert form.temporal_depth() <= formula.temporal_depth


@given(ctl)
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 300), deadline=None)
def test_normalising_twice_changes_nothing(formula: Formula) -> None:
    """Up to the order of operands, which goes by first occurrence."""
    once = existential_normal_form(formula)
    twice = existential_normal_form(once.to_formula())
    assert len(twice) == len(once)
    assert formula.fragment in (Fragment.PROPOSITIONAL, Fragment.CTL)


@given(st.text(alphabet='pqAEXFGU()[]!&|-<>" \\.\x00\n\u00e9=1', max_size=30))
@settings(max_examples=number_of_cases("PIGRO_EXAMPLES", 1500), deadline=None)
def test_any_text_is_a_formula_or_a_coded_error(text: str) -> None:
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
