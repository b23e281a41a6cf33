"""What path operators mean, and what the translations of path formulas share.

Path operators but X, and those with automata, are defined by U and R, which are dual:

    F f = true U f          G f = false R f          f W g = g R (f | g)

    !(f & g)  = !f | !g         !(f U g) = !f R !g          !X f = X !f
    !(f | g)  = !f & !g         !(f R g) = !f U !g

So in a path formula negation is pushed down to the state formulas. The unit of work is a subformula
with its sign. `path_normal.py` translates what stands under E, `positive.py` what stands under A.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, Generic, Protocol, TypeVar

from pigro.logic.fragments import state_formulas
from pigro.logic.operators import Op
from pigro.logic.regular.operators import expression_parts, translated
from pigro.logic.walk import operands_first

if TYPE_CHECKING:
    from pigro.logic.syntax import Formula

_Value = TypeVar("_Value")
_ATOM, _A, _E, _MATCH = int(Op.ATOM), int(Op.A), int(Op.E), int(Op.MATCH)
_Key = tuple[int, bool]
"""A subformula, and whether it is meant as it is (or negated)."""


class FormulaOperations(Protocol[_Value]):
    """What formulas are made of, or what they are computed with."""

    @property
    def true(self) -> _Value: ...
    @property
    def false(self) -> _Value: ...
    def both(self, f: _Value, g: _Value, /) -> _Value: ...
    def either(self, f: _Value, g: _Value, /) -> _Value: ...
    def until(self, f: _Value, g: _Value, /) -> _Value: ...
    def release(self, f: _Value, g: _Value, /) -> _Value: ...


class DualOperations(Generic[_Value]):
    """The duals of operations."""

    def __init__(self, of: FormulaOperations[_Value]) -> None:
        self.true, self.false = of.false, of.true
        self.both, self.either = of.either, of.both
        self.until, self.release = of.release, of.until


def defined(op: int, make: FormulaOperations[_Value], f: _Value, g: _Value) -> _Value:
    """A path operator but X, over one operand or two. With the duals of operations, its negation.

    Needs: for a negation, negated operands.
    """
    match op:
        case Op.F:
            return make.until(make.true, f)
        case Op.G:
            return make.release(make.false, f)
        case Op.U:
            return make.until(f, g)
        case Op.R:
            return make.release(f, g)
        case Op.W:
            return make.release(g, make.either(f, g))
    raise AssertionError(f"{Op(op).name} is no path operator over formulas")


class PathTranslation(ABC):
    """Makes the nodes of a form, operands first."""

    QUANTIFIER: ClassVar[int]
    """The operator of formulas under which path formulas stand as they are meant."""
    NEXT: ClassVar[int]
    OTHER_NEXT: ClassVar[int]
    """Which is weak under E, where NEXT is strong, and strong under A."""
    UNTIL: ClassVar[int]
    RELEASE: ClassVar[int]
    THREAD: ClassVar[int]

    def __init__(self, formula: Formula, true: int, false: int) -> None:
        self.formula = formula
        self.true, self.false = true, false
        self.is_state = state_formulas(formula)
        self.ticking: set[int] = set()
        """Path formulas that ask a run to choose at each state whether it ticks."""
        self.links: dict[int, int] = {}
        """What links stand for."""
        self.done: dict[_Key, int] = {}
        self.dual: DualOperations[int] = DualOperations(self)

    @abstractmethod
    def node(self, op: int, f: int = -1, g: int = -1) -> int:
        """A node."""

    @abstractmethod
    def both(self, f: int, g: int) -> int:
        """`f & g`."""

    @abstractmethod
    def either(self, f: int, g: int) -> int:
        """`f | g`."""

    @abstractmethod
    def negation(self, f: int) -> int:
        """Of a state formula."""

    @abstractmethod
    def following(self, f: int) -> int:
        """`X f`."""

    @abstractmethod
    def state(self, node: int, op: int, left: int, right: int) -> int:
        """A state formula, as it is meant."""

    @abstractmethod
    def tick(self, *, now: bool) -> int:
        """The run ticks in this state, or does not."""

    @abstractmethod
    def link(self) -> int:
        """A node that stands for another one, which is made later."""

    def translate(self, key: _Key) -> int:
        """The node for a subformula."""
        return operands_first(key, self.done, self.needed, self._made)

    def row(self, node: int) -> tuple[int, int, int]:
        """Operator and operands of a subformula."""
        formula = self.formula
        return formula.ops[node], formula.left[node], formula.right[node]

    def needed(self, key: _Key) -> list[_Key]:
        """What is translated before."""
        node, plain = key
        op, left, right = self.row(node)
        if op <= _ATOM:
            return []
        if op in (_A, _E):
            return self.quantified(node, op, left)
        if self.is_state[node]:
            return [(at, True) for at in (left, right) if at >= 0]
        if op >= _MATCH:
            return expression_parts(self.formula, node, plain=plain)
        sides = [(left, plain != (op in (Op.NOT, Op.IMPLIES)))]
        if right >= 0:
            sides.append((right, plain))
        both = op in (Op.XOR, Op.IFF)
        return sides + [(each, not sign) for each, sign in sides if both]

    def quantified(self, _node: int, op: int, body: int) -> list[_Key]:
        """What is translated before a quantifier."""
        return [(body, op == self.QUANTIFIER)]

    def _made(self, key: _Key, _parts: list[int]) -> int:
        node, plain = key
        op, left, right = self.row(node)
        if self.is_state[node]:
            made = self.state(node, op, left, right)
            return made if plain else self.negation(made)
        if op >= _MATCH:
            return self._regular(node, plain=plain)
        return self._path(op, left, right, plain=plain)

    def _path(self, op: int, left: int, right: int, *, plain: bool) -> int:
        """A path formula or its negation."""
        done = self.done
        if op == Op.NOT:
            return done[left, not plain]
        if op in (Op.XOR, Op.IFF):
            same = plain == (op == Op.IFF)
            one = self.both(done[left, True], done[right, same])
            return self.either(one, self.both(done[left, False], done[right, not same]))
        make: FormulaOperations[int] = self if plain else self.dual
        if op == Op.IMPLIES:
            return make.either(done[left, not plain], done[right, plain])
        f, g = done[left, plain], done.get((right, plain), -1)
        if op in (Op.AND, Op.OR):
            return make.both(f, g) if op == Op.AND else make.either(f, g)
        return self.following(f) if op == Op.X else defined(op, make, f, g)

    def _regular(self, node: int, *, plain: bool) -> int:
        """An operator with an automaton, or its negation. Under A, the dual of what is under E."""
        under_e = self.QUANTIFIER == _E

        def letter(at: int, positive: bool) -> int:
            made = self.done[at, True]
            return made if positive == under_e else self.negation(made)

        ticks = self.done.get((self.formula.right[node], plain)) in self.ticking
        maker = FormulaMaker(self, ticks=ticks)
        return translated(
            maker, self.formula, node, plain == under_e, letter, lambda f: self.done[f, plain]
        )

    def until(self, f: int, g: int) -> int:
        """`f U g`."""
        if g in (self.true, self.false) or f in (g, self.false):
            return g
        return self.node(self.UNTIL, f, g)

    def release(self, f: int, g: int) -> int:
        """`f R g`."""
        if g in (self.true, self.false) or f in (g, self.true):
            return g
        return self.node(self.RELEASE, f, g)


class FormulaMaker:
    """Makes formulas under E, or their duals under A: see `regular.threads.Maker`."""

    def __init__(self, whole: PathTranslation, *, ticks: bool) -> None:
        self.whole, self.ticks = whole, ticks
        self.under_e = whole.QUANTIFIER == _E
        make: FormulaOperations[int] = whole if self.under_e else whole.dual
        self.true, self.false = make.true, make.false
        self.both, self.either = make.both, make.either
        self.until, self.release = make.until, make.release

    def tick(self, *, now: bool) -> int:
        """The run ticks in this state, or does not."""
        return self.whole.tick(now=now == self.under_e)

    def ends(self) -> int:
        """The run ends in this state."""
        return self.whole.node(self.whole.OTHER_NEXT, self.false)

    def link(self) -> int:
        """A node that stands for another one, which is bound later."""
        made = self.whole.link()
        if self.ticks:
            self.whole.ticking.add(made)
        return made

    def later(self, link: int, *, weak: bool) -> int:
        """In the next state."""
        return self.whole.node(self.whole.OTHER_NEXT if weak else self.whole.NEXT, link)

    def bind(self, link: int, made: int, weaker: int | None) -> None:
        """What a link stands for."""
        whole = self.whole
        whole.links[link] = made if weaker is None else whole.node(whole.THREAD, made, weaker)
