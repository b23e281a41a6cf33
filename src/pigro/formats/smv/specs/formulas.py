"""Expressions with temporal operators to formulas over labels.

Connectives and temporal operators become those of the formula. Expressions below them, such as
`x + 1 < y`, becomes a label, whose text is the expression in one canonical way of writing: names
are those that the outermost instance has for them, with the module in front if there are several
components. Blanks and brackets are where they must be. `x != y` is written `!(x = y)`. A
definition of the outermost instance, however, is a label by its own name, shared by all modules.
Without variables, an expression is TRUE or FALSE.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from pigro import _core
from pigro.diagnostics import FormulaError, did_you_mean, printable
from pigro.formats.smv.instances import ModuleInstance, ScopedExpression
from pigro.formats.smv.kinds import BOOL, SET, SHIFTED, is_condition, words
from pigro.formats.smv.native import TRUE
from pigro.formats.smv.operators import CoreExpression
from pigro.formats.smv.space import evaluating
from pigro.formats.smv.syntax.nodes import (
    BOUNDED,
    CONNECTIVES,
    CTL,
    PAST,
    PATHS,
    TEMPORAL,
    Expression,
    ExpressionNodes,
    N,
    bounds,
    operands,
)
from pigro.formats.smv.syntax.text import TokenFault
from pigro.formats.smv.written import TextOf
from pigro.logic import Formula, Op
from pigro.logic.arena import Arena
from pigro.logic.mistakes import negated_error
from pigro.logic.operators import TEMPORAL_LIMIT
from pigro.logic.scopes import negated_variable
from pigro.logic.syntax import limited

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.formats.smv.instances import ModuleTree
    from pigro.formats.smv.machine import SmvComponent
    from pigro.formats.smv.syntax.text import TokenText

_OPERATORS = {
    made: int(op)
    for made, op in (
        (N.NOT, Op.NOT),
        (N.AND, Op.AND),
        (N.OR, Op.OR),
        (N.XOR, Op.XOR),
        (N.XNOR, Op.IFF),
        (N.IFF, Op.IFF),
        (N.IMPLIES, Op.IMPLIES),
        (N.A, Op.A),
        (N.E, Op.E),
        (N.X, Op.X),
        (N.F, Op.F),
        (N.G, Op.G),
        (N.U, Op.U),
        (N.W, Op.W),
        (N.R, Op.R),
    )
}
"""As plain numbers, which are hashed much faster."""
_QUANTIFIED = {
    made: (int(quantifier), int(path))
    for made, quantifier, path in (
        (N.EX, Op.E, Op.X),
        (N.EF, Op.E, Op.F),
        (N.EG, Op.E, Op.G),
        (N.AX, Op.A, Op.X),
        (N.AF, Op.A, Op.F),
        (N.AG, Op.A, Op.G),
        (N.EU, Op.E, Op.U),
        (N.AU, Op.A, Op.U),
    )
}
_MODAL = {
    made: int(op)
    for made, op in (
        (N.DIAMOND, Op.DIAMOND),
        (N.BOX, Op.BOX),
        (N.MU, Op.MU),
        (N.NU, Op.NU),
    )
}
_INNER = CONNECTIVES | TEMPORAL
_CTL_SECTIONS = ("SPEC", "CTLSPEC", "INVARSPEC")
_UNFIT = {
    **dict.fromkeys(_CTL_SECTIONS, PATHS | PAST | {N.A, N.E}),
    "LTLSPEC": CTL | {N.A, N.E, N.W, N.R},
}
"""Operators that may not stand in a section. Of R only one of its two signs may."""


def _table(section: str) -> _core.FormulaTable:
    """The operators of a section, for formulas over labels alone."""
    plain = {op: [made] for op, made in _OPERATORS.items() if op not in _UNFIT[section]}
    joined = {op: [path, quantifier] for op, (quantifier, path) in _QUANTIFIED.items()}
    return _core.FormulaTable(plain if section == "LTLSPEC" else plain | joined, int(Op.ATOM))


_TABLES = {section: _table(section) for section in ("SPEC", "CTLSPEC", "LTLSPEC")}


class ComponentCondition(NamedTuple):
    """A condition that a formula speaks of: in which component, its number, where it stands."""

    component: str
    number: int
    at: int
    text: TokenText


class LabelConditions:
    """The conditions that formulas speak of, by label."""

    def __init__(self, components: Mapping[str, SmvComponent]) -> None:
        self._components = components
        self.own: dict[str, ComponentCondition] = {}
        """The conditions of the file's own formulas and fairness, which are labels of the model."""
        self._asked: dict[str, ComponentCondition] = {}
        """Those of other formulas. Nothing may depend on which of them are there."""
        self.defined: dict[str, dict[str, int]] = {}
        """The definitions that are true or false: labels, by component, with their conditions."""
        for name, component in components.items():
            self.defined[name] = _definitions(component)
        self.shared = {label for each in self.defined.values() for label in each}
        self._names = {
            component.program.root: {
                label: label for label in self.defined[name] if "." not in label
            }
            for name, component in components.items()
        }
        """The labels that are written by their own names, by the outermost instance."""
        self._texts = TextOf(components)

    def find(self, label: str) -> ComponentCondition | None:
        """The condition of a label that some formula was read with."""
        return self.own.get(label) or self._asked.get(label)

    def text_of(self, written: ScopedExpression, component: str) -> str:
        """An expression in the canonical way of writing."""
        return self._texts.label(written, component)

    def formula(
        self,
        text: TokenText,
        whole: Expression,
        start: ModuleInstance,
        component: str,
        section: str | None,
    ) -> Formula:
        """The formula of an expression in an instance, and in a section if it stands in a file."""
        nodes = whole.nodes
        short = self._over_names(whole, start, section)
        if short is not None:
            return short
        if section is not None:
            _fit(text, whole, section)
        if section not in _CTL_SECTIONS:
            _no_past(text, whole)

        def atom(node: int, arena: Arena) -> int:
            written = ScopedExpression(nodes, node, start)
            is_root = node == whole.root
            return self._atom(text, written, component, arena, section, is_root=is_root)

        return formula_over(text, whole, atom, always=section == "INVARSPEC")

    def _over_names(
        self, whole: Expression, start: ModuleInstance, section: str | None
    ) -> Formula | None:
        """The formula if it is over definitions of the outermost instance alone, as most are."""
        labels = self._names.get(start)
        if labels is None or section not in _TABLES:
            return None
        nodes, root = whole
        columns = _TABLES[section].columns(nodes.ops, nodes.args, nodes.first[root], root, labels)
        if columns is None or len(columns[0]) > TEMPORAL_LIMIT:
            return None
        return Formula.from_columns(*columns)

    def _atom(
        self,
        text: TokenText,
        written: ScopedExpression,
        component: str,
        arena: Arena,
        section: str | None,
        *,
        is_root: bool,
    ) -> int:
        nodes, root, start = written
        op = nodes.ops[root]
        name = str(nodes.args[root]) if op == N.NAME else ""
        owner = component
        if len(self._components) > 1 or _has_dots(nodes, root):
            owner, elsewhere = self._owner(written, component)
            if elsewhere is not None:
                return arena.atom(elsewhere)
            written = self._moved(written, owner)
        here = self._components[owner]
        code = here.compiler.code(written)
        if code.kinds & SHIFTED:
            inside = range(nodes.first[root], root + 1)
            found = next((each for each in inside if nodes.ops[each] == N.NEXT), root)
            raise TokenFault("P122", "a formula can't use next", nodes.at[found])
        if not code.kinds & BOOL or code.kinds & SET:
            found_ = "a set" if code.kinds & SET else words(code.kinds)
            wanted = "a formula" if is_root else "a truth value"
            raise TokenFault("P125", f"expected {wanted}, found {found_}", nodes.at[root])
        self._refuse_inputs(here, code.number, nodes.at[root])
        bare = name.removeprefix(f"{owner}.")
        if start is here.program.root and bare in self.defined[owner]:
            return arena.atom(bare)
        if section is None and name and "." not in name and name in self.shared:
            raise _ambiguous(name, owner, nodes.at[root])
        if here.compiler.reads[code.number] == 0:
            return arena.node(int(Op.TRUE if self._is_true(here, code.number) else Op.FALSE))
        turned = op == N.NE
        label = self._texts.label(written, owner, "=" if turned else None)
        if label not in self.own:
            number = here.compiler.negated(code.number) if turned else code.number
            atoms = self._asked if section is None else self.own
            atoms[label] = ComponentCondition(owner, number, nodes.at[root], text)
        made = arena.atom(label)
        return arena.node(int(Op.NOT), made) if turned else made

    @staticmethod
    def _is_true(component: SmvComponent, number: int) -> bool:
        with evaluating(component):
            return component.machine.constant(number) == TRUE

    @staticmethod
    def _refuse_inputs(component: SmvComponent, number: int, at: int) -> None:
        if component.compiler.reads[number] >> 2 * len(component.variables):
            message = "a formula about states can't speak of inputs"
            hint = "declare them in VAR; an LTLSPEC of the file itself may speak of inputs"
            raise TokenFault("P122", message, at, hint)

    def _owner(self, written: ScopedExpression, component: str) -> tuple[str, str | None]:
        """The component that an atom is about, or the label of another one that it is."""
        nodes, root, start = written
        owners: set[str] = set()
        program = self._components[component].program
        selected = nodes.selected(root)
        for node in range(nodes.first[root], root + 1):
            if nodes.ops[node] != N.NAME or node in selected:
                continue
            name = str(nodes.args[node])
            if program.look_up(start, name) is not None or _is_dotted_constant(name, program):
                owners.add(component)
                continue
            first, dot, rest = name.partition(".")
            if dot and first in self._components and "." not in name.partition(".")[2]:
                self._check_there(first, rest, name, nodes.at[node])
                owners.add(first)
            elif dot and not self._reaches(start, first):
                hint = did_you_mean(first, self._components)
                raise TokenFault(
                    "P123", f"there is no module `{printable(first)}`", nodes.at[node], hint
                )
            elif not dot and name in self.shared and name not in program.constants:
                if nodes.ops[root] == N.NAME:
                    return component, name
                owners.add("")
        if len(owners) > 1 or "" in owners:
            message = "an expression can't join values of different modules: they never meet"
            raise TokenFault("P125", message, nodes.at[root])
        return (owners.pop() if owners else component), None

    @staticmethod
    def _reaches(start: ModuleInstance, first: str) -> bool:
        return first in start.names or first in start.parameters or first == "self"

    def _check_there(self, component: str, rest: str, name: str, at: int) -> None:
        there = self._components[component]
        if there.program.look_up(there.program.root, rest) is None:
            fault = there.compiler.unknown(rest, there.program.root, at)
            fault.message = f"`{printable(name)}` is not defined in module `{printable(component)}`"
            raise fault

    def _moved(self, written: ScopedExpression, owner: str) -> ScopedExpression:
        """The expression with the names as its component has them, if they name the component."""
        nodes, root, instance = written
        selected = nodes.selected(root)
        names = [
            str(nodes.args[node])
            for node in range(nodes.first[root], root + 1)
            if nodes.ops[node] == N.NAME and node not in selected
        ]
        program = self._components[owner].program
        if not any(
            each.startswith(f"{owner}.") and program.look_up(instance, each) is None
            for each in names
        ):
            return written
        made = ExpressionNodes()
        start = nodes.first[root]
        for node in range(start, root + 1):
            op, args = nodes.ops[node], nodes.args[node]
            if op == N.NAME and node not in selected:
                args = str(args).removeprefix(f"{owner}.")
            elif op >= N.NOT:
                args = [each - start for each in args]
            made.ops.append(op)
            made.args.append(args)
            made.at.append(nodes.at[node])
            made.first.append(nodes.first[node] - start)
        return ScopedExpression(made, root - start, program.root)


_Atom = Callable[[int, Arena], int]
"""Makes the node of an arena for a node that is no operator of formulas."""


def formula_over(
    text: TokenText, whole: Expression, atom: _Atom, *, always: bool = False
) -> Formula:
    """The formula of an expression over atoms. If it is meant to hold `always`, with AG before."""
    nodes = whole.nodes
    arena, root = _built(text, whole, atom)
    if always:
        root = arena.node(int(Op.A), arena.node(int(Op.G), root))
    if text.variables and negated_variable(arena) is not None:
        raise _negated(text, _built(text, whole, atom, tracked=True)[0])
    try:
        formula = limited(Formula.from_arena(arena, root))
    except FormulaError as error:
        raise TokenFault(error.code, error.message, nodes.at[whole.root]) from None
    if not BOUNDED.isdisjoint(nodes.ops[whole.span.start : whole.span.stop]):
        _check_length(formula, nodes.at[whole.root])
    return formula


def _built(
    text: TokenText, whole: Expression, atom: _Atom, *, tracked: bool = False
) -> tuple[Arena, int]:
    """The nodes of a formula, and its root. If `tracked`, variables know their tokens."""
    nodes, arena = whole.nodes, Arena()
    made: dict[int, int] = {}
    for node in _outer(nodes, whole):
        op, at = nodes.ops[node], nodes.at[node]
        if op in BOUNDED:
            made[node] = _in_steps(arena, nodes, node, made)
        elif op in _MODAL:
            (operand,) = nodes.args[node]
            made[node] = arena.modal(_MODAL[op], made[operand], text.heads[at])
        elif op in _INNER:
            made[node] = inner(arena, op, [made[each] for each in nodes.args[node]])
        elif op == N.NAME and at in text.variables:
            made[node] = arena.occurrence(text.variables[at], at if tracked else -1)
        else:
            _no_temporal_inside(text, nodes, node)
            made[node] = atom(node, arena)
    return arena, made[whole.root]


def _negated(text: TokenText, tracked: Arena) -> FormulaError:
    """The error for a variable under an odd number of negations."""
    node = negated_variable(tracked)
    assert node is not None, "the formula has one"
    at = tracked.columns()[2][node]
    return negated_error(text.variables[at], text.position(at))


def _definitions(component: SmvComponent) -> dict[str, int]:
    """The definitions of the outermost instance that are true or false on states."""
    found = {}
    root = component.program.root
    for name, entity in root.names.items():
        if not isinstance(entity, ScopedExpression):
            continue
        code = component.compiler.compiled(entity)
        if not isinstance(code, CoreExpression):
            continue
        reads = component.compiler.reads[code.number] >> len(component.variables)
        if is_condition(code.kinds) and not code.kinds & SHIFTED and not reads:
            found[name] = code.number
    return found


def _is_dotted_constant(name: str, program: ModuleTree) -> bool:
    return "." in name and name in program.constants


def _has_dots(nodes: ExpressionNodes, root: int) -> bool:
    names = range(nodes.first[root], root + 1)
    return any(nodes.ops[node] == N.NAME and "." in nodes.args[node] for node in names)


def _ambiguous(name: str, owner: str, at: int) -> TokenFault:
    """A label is printed by its bare name, which must not be read as a variable again."""
    name, owner = printable(name), printable(owner)
    message = f"`{name}` is a variable, and a label of another module"
    hint = f'write {owner}.{name}, or "{name}" in quotes for the label'
    return TokenFault("P122", message, at, hint)


def _fit(text: TokenText, whole: Expression, section: str) -> None:
    """Refuses the operators that NuSMV does not have in the section."""
    nodes = whole.nodes
    if _UNFIT[section].isdisjoint(nodes.ops[whole.span.start : whole.span.stop]):
        return
    for node in whole.span:
        op, at = nodes.ops[node], nodes.at[node]
        if op not in TEMPORAL:
            continue
        sign = text.tokens[at]
        if sign in _NOT_THERE:
            message = f"NuSMV has no operator `{sign}`"
            raise TokenFault("P122", message, at, _NOT_THERE[sign])
        if section == "LTLSPEC" and op not in PATHS | PAST:
            message = f"`{sign}` can't stand in an LTLSPEC, which speaks of all paths"
            raise TokenFault("P125", message, at, "formulas with A and E stand in a SPEC")
        if section != "LTLSPEC" and op in PATHS | PAST:
            message = f"`{sign}` alone is about a path, but {section} is in CTL"
            raise TokenFault("P125", message, at, _IN_CTL.get(sign, _IN_BRACKETS))
        if op in (N.A, N.E):
            message = f"in {section}, `{sign}` stands before X, F, G or [p U q] only"
            raise TokenFault("P125", message, at)


def _no_temporal_inside(text: TokenText, nodes: ExpressionNodes, root: int) -> None:
    for node in range(nodes.first[root], root + 1) if text.variables else ():
        if nodes.ops[node] == N.NAME and nodes.at[node] in text.variables:
            name = printable(text.variables[nodes.at[node]])
            message = f"`{name}` is the variable of a fixpoint, which can't stand in a condition"
            raise TokenFault("P125", message, nodes.at[node])
    if TEMPORAL.isdisjoint(nodes.ops[nodes.first[root] : root + 1]):
        return
    for node in range(nodes.first[root], root + 1):
        if any(nodes.ops[each] in TEMPORAL for each in nodes.children(node)):
            message = "a temporal operator can stand only under `!`, `&`, `|`, `->` and the like"
            raise TokenFault("P125", message, nodes.at[node])


def _no_past(text: TokenText, whole: Expression) -> None:
    nodes = whole.nodes
    if PAST.isdisjoint(nodes.ops[whole.span.start : whole.span.stop]):
        return
    for node in whole.span:
        if nodes.ops[node] in PAST:
            sign = text.tokens[nodes.at[node]]
            hint = "the operators on paths are X, F, G, U and V"
            message = f"the past operator `{sign}` is not supported"
            raise TokenFault("P122", message, nodes.at[node], hint)


_NOT_THERE = {"W": "write `(p U q) | G p` for `p W q`", "R": "write `p V q` for `p R q`"}
_IN_CTL = {
    sign: f"write A{sign} or E{sign}, or LTLSPEC for what holds on all paths" for sign in "XFG"
}
_IN_BRACKETS = "write A [p U q] or E [p U q], or LTLSPEC for what holds on all paths"


def _outer(nodes: ExpressionNodes, whole: Expression) -> list[int]:
    """The nodes that belong to the formula itself, down to its atoms, children first."""
    outer = []
    jobs = [whole.root]
    while jobs:
        node = jobs.pop()
        outer.append(node)
        if nodes.ops[node] in _INNER:
            jobs += operands(nodes, node)
    return sorted(outer)


_LONGEST = 100_000
_STEP = {N.EBF: N.EX, N.EBG: N.EX, N.EBU: N.EX, N.F_IN: N.X, N.G_IN: N.X}
"""The next step of bounded operators. AX for those that are not here."""
_ALWAYS = (N.EBG, N.ABG, N.G_IN)


def _in_steps(arena: Arena, nodes: ExpressionNodes, node: int, made: Mapping[int, int]) -> int:
    """A bounded operator, written out: `EBF 1..2 p` is `EX (p | EX p)`."""
    op = nodes.ops[node]
    low, high = bounds(nodes, node)
    *before, goal = [made[each] for each in operands(nodes, node)]
    step = _STEP.get(op, N.AX)
    join = int(Op.AND if op in _ALWAYS else Op.OR)
    found = goal
    for _ in range(high - low):
        found = inner(arena, step, [found])
        if before:
            found = arena.node(int(Op.AND), before[0], found)
        found = arena.node(join, goal, found)
    for _ in range(low):
        found = inner(arena, step, [found])
        if before:
            found = arena.node(int(Op.AND), before[0], found)
    return found


def _check_length(formula: Formula, at: int) -> None:
    """Refuses a formula whose text would be very long with all bounds written out."""
    lengths: list[int] = []
    for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
        is_leaf = op in (Op.ATOM, Op.VARIABLE)
        below = [] if is_leaf else [left, right] if op < Op.DIAMOND else [left]
        lengths.append(1 + sum(lengths[each] for each in below if each >= 0))
    if lengths[-1] > _LONGEST:
        message = f"written out, the formula has more than {_LONGEST:,} operators"
        raise TokenFault("P304", message, at, "give smaller bounds")


def inner(arena: Arena, op: int, args: list[int]) -> int:
    """An operator of a formula."""
    if op in CTL:
        quantifier, path = _QUANTIFIED[op]
        return arena.node(quantifier, arena.node(path, *args))
    return arena.node(_OPERATORS[op], *args)
