"""The formula: an immutable graph of operators in tuples, the same for CTL, LTL, CTL* and mu.

Node i is `ops[i]` over `left[i]` and `right[i]`, with -1 for no child. For `Op.ATOM`, `left[i]` is
an index into `atoms`. In the mu-calculus, `right[i]` of a modality is an index into `actions`, or
-1 for any action. `right[i]` of a fixpoint and `left[i]` of `Op.VARIABLE` are indices into
`variables`, which are known by their names: two fixpoints over the same name share the equal parts
of their bodies. Every occurrence of a variable is in the scope of exactly one fixpoint of that
name, and under an even number of negations in it. `left[i]` of `Op.AUTOMATON` is a row of letters
(regular/shapes.py), and `right[i]` is -2 minus an index into `automata`: a number below 0 is no
child.

Equal subformulas are one node. The order is canonical: the parsed tree left to right, children
before parents, each subformula where it is first completed. Atoms, variables, sets of actions and
automata by the first node that names them. The root last. Equal formulas thus have equal tuples,
and comparing, hashing, pickling and copying never recurse.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from pigro.diagnostics import CheckError, printable
from pigro.lazy_names import type_names
from pigro.logic.arena import Arena
from pigro.logic.fragments import fragment_of, state_formulas, stray_node, temporal_depth
from pigro.logic.grammar import read
from pigro.logic.operators import TEMPORAL_LIMIT, UNTILS, Fragment, Op
from pigro.logic.printer import SIGNS, text_of

if TYPE_CHECKING:
    from pigro.logic.regular.shapes import AutomatonShape
else:
    type_names(globals(), {"pigro.logic.regular.shapes": "AutomatonShape"})

_SHOWN = 200
_SHOWN_IN_MESSAGES = 60
_RULE_OF_CTL = "in CTL each of X, F, G, U, W, R has its own A or E directly before it"
UNCLEAR = "unclear"
"""Where a formula keeps a text that can be read in two ways."""
_PARTS = ("ops", "left", "right", "atoms", "variables", "actions", "automata")


class Formula:
    """A formula of CTL, LTL, CTL* or the mu-calculus.

    You can make one from text, or from others with `& | ^ ~` and `implies`.

    >>> from pigro import Formula
    >>> f = Formula("A G (p --> E F q)")
    >>> f
    Formula("AG (p -> EF q)")
    >>> f == Formula("AG(!p | EF q)"), f == Formula("AG (p -> EF q)")
    (False, True)
    >>> f.atoms
    ('p', 'q')
    """

    __slots__ = ("kept", *_PARTS)

    ops: tuple[int, ...]
    left: tuple[int, ...]
    right: tuple[int, ...]
    atoms: tuple[str, ...]
    variables: tuple[str, ...]
    actions: tuple[tuple[str, ...], ...]
    automata: tuple[AutomatonShape, ...]
    kept: dict[str, object]
    """Results computed from this formula, so that they are computed once."""

    def __init__(self, text: str) -> None:
        self._fill(read(text))
        mark(self, text)

    @classmethod
    def from_arena(cls, arena: Arena, root: int = -1) -> Formula:
        """The formula of a node in `arena` (default: the last one), in canonical order.

        Nodes that are no part of it are left out. `Arena.order` says which numbers nodes get.
        """
        made, order = cls.as_numbered(arena), arena.order(root)
        if order == list(range(len(made))):
            return made
        arena = Arena()
        arena.add(made, order=order)
        return cls.as_numbered(arena)

    @classmethod
    def as_numbered(cls, arena: Arena) -> Formula:
        """The formula of all nodes in `arena` under their numbers, which are canonical."""
        self = object.__new__(cls)
        self._fill(arena)
        return self

    @classmethod
    def from_columns(
        cls,
        ops: tuple[int, ...],
        left: tuple[int, ...],
        right: tuple[int, ...],
        atoms: tuple[str, ...],
    ) -> Formula:
        """The formula of these columns, which are those of an arena. It has no variables."""
        self = object.__new__(cls)
        _put_ops(self, ops)
        _put_left(self, left)
        _put_right(self, right)
        _put_atoms(self, atoms)
        _put_variables(self, ())
        _put_actions(self, ())
        _put_automata(self, ())
        _put_kept(self, {})
        return self

    def _fill(self, arena: Arena) -> None:
        ops, left, right = zip(*arena.index, strict=True)
        _put_ops(self, ops)
        _put_left(self, left)
        _put_right(self, right)
        _put_atoms(self, tuple(arena.names))
        _put_variables(self, tuple(arena.variables))
        _put_actions(self, tuple(arena.actions))
        _put_automata(self, tuple(arena.automata))
        _put_kept(self, {})

    def __setattr__(self, name: str, value: object) -> None:
        message = "a formula can't be changed"
        raise AttributeError(message)

    def __delattr__(self, name: str) -> None:
        message = "a formula can't be changed"
        raise AttributeError(message)

    def __reduce__(self) -> tuple[Callable[..., Formula], tuple[object, ...]]:
        written = self.kept.get("written")  # see printer.py. All else can be computed again
        return _restore, self._parts() if written is None else (*self._parts(), written)

    def __copy__(self) -> Formula:
        return self

    def __deepcopy__(self, memo: object) -> Formula:
        return self

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Formula):
            return NotImplemented
        return (
            self.ops == other.ops
            and self.atoms == other.atoms
            and self.left == other.left
            and self.right == other.right
            and self.variables == other.variables
            and self.actions == other.actions
            and self.automata == other.automata
        )

    def __hash__(self) -> int:
        found = self.kept.get("hash")
        if not isinstance(found, int):
            found = self.kept["hash"] = hash(self._parts())
        return found

    def _parts(self) -> tuple[tuple[object, ...], ...]:
        return tuple([getattr(self, name) for name in _PARTS])

    def __len__(self) -> int:
        """The number of distinct subformulas."""
        return len(self.ops)

    def __str__(self) -> str:
        return text_of(self)

    def __repr__(self) -> str:
        text = text_of(self, limit=_SHOWN)
        return (
            f'Formula("{text}")' if text.isprintable() and '"' not in text else f"Formula({text!r})"
        )

    @property
    def fragment(self) -> Fragment:
        """The smallest logic that the formula belongs to.

        >>> from pigro import Formula
        >>> [Formula(text).fragment.name for text in ("p", "AG p", "G F p", "E [G F p]")]
        ['PROPOSITIONAL', 'CTL', 'LTL', 'CTL_STAR']
        """
        found = self.kept.get("fragment")
        if not isinstance(found, Fragment):
            found = self.kept["fragment"] = fragment_of(self)
        return found

    @property
    def is_ctl(self) -> bool:
        """Whether the formula is in CTL. Propositional ones are."""
        return self.fragment in (Fragment.PROPOSITIONAL, Fragment.CTL)

    @property
    def temporal_depth(self) -> int:
        """How deep temporal operators are nested. `AG EF p` has depth 2."""
        return temporal_depth(self.ops, self.left, self.right)

    def require_ctl(self) -> Formula:
        """The formula itself if it is in CTL. Otherwise CheckError P401, which names the operator.

        For formulas of the mu-calculus it is P408.

        >>> from pigro import Formula
        >>> Formula("AG EF p").require_ctl()
        Formula("AG EF p")
        """
        if not self.is_ctl:
            self.refuse_mu(", not of CTL")
            raise not_ctl(self)
        return self

    def refuse_mu(self, why: str = "", instead: str | None = None) -> Formula:
        """The formula itself. CheckError P408 if it is one of the mu-calculus.

        `why` goes on with the sentence "it is a formula of the mu-calculus", and `instead` is the
        hint. By default the hint names the commands that check the mu-calculus.
        """
        if self.fragment is Fragment.MU:
            raise mu_calculus_error(self, why, instead or _CHECKS_MU)
        return self

    def __and__(self, other: Formula) -> Formula:
        return join(Op.AND, self, other) if isinstance(other, Formula) else NotImplemented

    def __or__(self, other: Formula) -> Formula:
        return join(Op.OR, self, other) if isinstance(other, Formula) else NotImplemented

    def __xor__(self, other: Formula) -> Formula:
        return join(Op.XOR, self, other) if isinstance(other, Formula) else NotImplemented

    def __invert__(self) -> Formula:
        return join(Op.NOT, self)

    def implies(self, other: Formula) -> Formula:
        """`self -> other`.

        >>> from pigro import Formula
        >>> Formula("p").implies(Formula("q") & Formula("r"))
        Formula("p -> q & r")
        """
        return join(Op.IMPLIES, self, other)

    def iff(self, other: Formula) -> Formula:
        """`self <-> other`."""
        return join(Op.IFF, self, other)


# How a formula that is being made gets its parts. `object.__setattr__` takes twice as long.
_put_ops, _put_left, _put_right = (vars(Formula)[name].__set__ for name in ("ops", "left", "right"))
_put_atoms, _put_kept = (vars(Formula)[name].__set__ for name in ("atoms", "kept"))
_put_variables, _put_actions, _put_automata = (
    vars(Formula)[name].__set__ for name in ("variables", "actions", "automata")
)


def join(op: Op, first: Formula, second: Formula | None = None) -> Formula:
    """The formula `op` over one or two others. Costs time in the sizes of both."""
    arena = Arena()
    left = arena.add(first)
    right = -1 if second is None else arena.add(second)
    return limited(Formula.from_arena(arena, arena.node(int(op), left, right)))


def limited(formula: Formula) -> Formula:
    """The formula itself. FormulaError P304 when its temporal operators are nested too deeply."""
    if len(formula) > TEMPORAL_LIMIT and (depth := formula.temporal_depth) > TEMPORAL_LIMIT:
        from pigro.logic.mistakes import depth_error

        raise depth_error(depth)
    return formula


def _restore(
    ops: tuple[int, ...],
    left: tuple[int, ...],
    right: tuple[int, ...],
    atoms: tuple[str, ...],
    variables: tuple[str, ...] = (),
    actions: tuple[tuple[str, ...], ...] = (),
    automata: tuple[AutomatonShape, ...] = (),
    written: object = None,
) -> Formula:
    arena = Arena()
    arena.index = {node: number for number, node in enumerate(zip(ops, left, right, strict=True))}
    arena.names = {name: number for number, name in enumerate(atoms)}
    arena.variables = {name: number for number, name in enumerate(variables)}
    arena.actions = {names: number for number, names in enumerate(actions)}
    arena.automata = {shape: number for number, shape in enumerate(automata)}
    made = Formula.as_numbered(arena)
    if written is not None:
        made.kept["written"] = written
    return made


_CHECKS_MU = "`pigro check` decides it on models, and `pigro compose` on parts"


def mu_calculus_error(formula: Formula, why: str, instead: str) -> CheckError:
    """The error where fixpoints and modalities are not possible: see `Formula.refuse_mu`."""
    from pigro.logic.spin import spin_hint  # makes formulas itself

    shown = printable(text_of(formula, limit=_SHOWN_IN_MESSAGES))
    hint = "; ".join(filter(None, (instead, spin_hint(formula))))
    return CheckError("P408", f"`{shown}` is a formula of the mu-calculus{why}", hint=hint)


def not_ctl(formula: Formula) -> CheckError:
    """The error that says which operator breaks the rule of CTL."""
    from pigro.logic.spin import spin_hint  # makes formulas itself

    def show(node: int) -> str:
        return printable(text_of(formula, node, _SHOWN_IN_MESSAGES))

    stray = stray_node(formula)
    assert stray is not None, "only formulas outside of CTL come here"
    parent, child = stray
    name = Op(formula.ops[child]).name
    if parent < 0:
        whole = show(child)
        closed = f"A [{whole}]" if name in "UWR" else f"A{whole}"
        message = f"`{whole}` is a path formula: its {name} is not directly under A or E"
        hint = _RULE_OF_CTL if stray_node(join(Op.A, formula)) else f"on all paths: `{closed}`"
    elif formula.ops[parent] in (Op.A, Op.E):
        letter = Op(formula.ops[parent]).name
        message = f"in `{show(parent)}` no path operator stands directly under {letter}"
        hint = (
            _tighter(formula, parent, first=True)
            or _tighter(formula, parent, first=False)
            or f"{letter} needs one of X, F, G, U, W, R: for example {letter}F or {letter}G"
        )
    else:
        message = f"in `{show(parent)}` the {name} of `{show(child)}` is not directly under A or E"
        hint = _RULE_OF_CTL
    hint = spin_hint(formula) or hint
    return CheckError("P401", f"not a CTL formula: {message}", hint=hint)


def _tighter(formula: Formula, quantifier: int, *, first: bool) -> str | None:
    """A hint for `E [p U q & r]`, with the U first under connectives, or last."""
    ops, near, far = formula.ops, formula.left, formula.right
    node = formula.left[quantifier]
    if not first:
        near, far = far, near
    connectives: list[int] = []
    while Op.NOT < ops[node] < Op.A:
        connectives.append(node)
        node = near[node]
    if not connectives or ops[node] not in UNTILS:
        return None
    arena = Arena()
    arena.add(formula)  # with the same numbers
    operand = far[node]
    for each in reversed(connectives):
        pair = (operand, far[each]) if first else (far[each], operand)
        operand = arena.node(ops[each], *pair)
    pair = (near[node], operand) if first else (operand, near[node])
    meant = arena.node(ops[quantifier], arena.node(ops[node], *pair))
    whole = Formula.as_numbered(arena)
    if not all(state_formulas(whole)[each] for each in pair):
        return None
    signs = SIGNS[Op(ops[node])].strip(), SIGNS[Op(ops[connectives[-1]])].strip()
    shown = printable(text_of(whole, meant, _SHOWN_IN_MESSAGES))
    return f"{signs[0]} binds tighter than {signs[1]}: write `{shown}`"


def parse(text: str, *, source: str | None = None, line: int = 1) -> Formula:
    """The formula that `text` stands for, in any of the dialects.

    Raises `FormulaError` if the text is not a formula.

    `source` and `line` say where the text comes from. Errors carry them.

    >>> from pigro import parse
    >>> parse("A G (p --> E F q)") == parse("AG (p -> EF q)")
    True
    >>> parse("E p U q"), parse("E[p U q]"), parse("E(p U q)")
    (Formula("E [p U q]"), Formula("E [p U q]"), Formula("E [p U q]"))
    >>> parse("p &")
    Traceback (most recent call last):
    pigro.diagnostics.errors.FormulaError: P301: expected a formula after `&`, found the end
    """
    return mark(Formula.as_numbered(read(text, source, line)), text)


def mark(formula: Formula, text: str) -> Formula:
    """The formula, which remembers its text if brackets may be missing there."""
    if not UNTILS.isdisjoint(formula.ops):
        from pigro.logic.unclear import is_unclear

        if is_unclear(formula, text):
            formula.kept[UNCLEAR] = text
    return formula
