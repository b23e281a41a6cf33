"""A growing store of formula nodes in which equal nodes exist once (hash-consing).

Used by the parser, by the Python constructors and by the normal form. A node is the triple
(op, left, right). Its number is its place in the insertion order of one dictionary, so the
dictionary is at once the unique table and the list of nodes. `syntax.py` says what left and right
are for each operator.

Invariants:
 I1  children have smaller numbers than their parents.
 I2  no two nodes are the same triple.
 I3  atoms, variables, sets of actions and automata are numbered by the first node that names them.
 I4  automata that differ have different names.
The number of a node depends on what was added before it. `order` is the canonical order of a
formula, which depends on the formula alone.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from pigro.logic.regular.shapes import AutomatonShape
    from pigro.logic.syntax import Formula

_ATOM = 2
"""`Op.ATOM` as a plain int, which compares much faster."""
_AUTOMATON, _DIAMOND, _BOX, _VARIABLE = 19, 24, 25, 28


class Arena(Struct, eq=False):
    """Nodes and atom names, each stored once.

    >>> arena = Arena()
    >>> arena.atom("p"), arena.atom("q"), arena.atom("p")
    (0, 1, 0)
    >>> arena.node(4, 0, 1)
    2
    >>> arena.columns()
    ((2, 2, 4), (0, 1, 0), (-1, -1, 1))
    """

    index: dict[tuple[int, int, int], int] = field(default_factory=dict)
    names: dict[str, int] = field(default_factory=dict)
    variables: dict[str, int] = field(default_factory=dict)
    actions: dict[tuple[str, ...], int] = field(default_factory=dict)
    automata: dict[AutomatonShape, int] = field(default_factory=dict)

    def node(self, op: int, left: int = -1, right: int = -1) -> int:
        """The number of the node (op, left, right), new or known."""
        return self.index.setdefault((op, left, right), len(self.index))

    def atom(self, name: str, op: int = _ATOM) -> int:
        """The number of the node for the label `name`. `op` is the caller's number for atoms."""
        return self.node(op, self.names.setdefault(name, len(self.names)))

    def variable(self, name: str) -> int:
        """The number of the node for an occurrence of the variable `name`."""
        return self.occurrence(name)

    def occurrence(self, name: str, place: int = -1) -> int:
        """The same. With a place, each occurrence is a node of its own, with it as `right`."""
        return self.node(_VARIABLE, self.variables.setdefault(name, len(self.variables)), place)

    def modal(self, op: int, body: int, of: str | tuple[str, ...]) -> int:
        """The node of a fixpoint over a variable, or of a modality over actions (none: any)."""
        if isinstance(of, str):
            return self.node(op, body, self.variables.setdefault(of, len(self.variables)))
        if not of:
            return self.node(op, body)
        return self.node(op, body, self.actions.setdefault(of, len(self.actions)))

    def automaton(self, shape: AutomatonShape, letters: int) -> int:
        """The node of an automaton over its letters. If its name is taken, it gets another one."""
        if shape.name:
            from pigro.logic.regular.shapes import renamed

            shape = renamed(self, shape, letters)
        number = self.automata.setdefault(shape, len(self.automata))
        return self.node(_AUTOMATON, letters, -2 - number)

    def add(
        self,
        formula: Formula,
        variable: str | None = None,
        instead: Mapping[str, Formula] | None = None,
        order: Sequence[int] | None = None,
    ) -> int:
        """Copy the nodes of `formula`: all, or in this order. The number of the last one here.

        The label `variable`, if given, becomes a variable. Labels in `instead` become formulas.
        """
        here: dict[int, int] = {}
        at = -1
        for at in range(len(formula)) if order is None else order:
            op, left, right = formula.ops[at], formula.left[at], formula.right[at]
            if op == _ATOM:
                name = formula.atoms[left]
                if instead is not None and name in instead:
                    here[at] = self.add(instead[name])
                    continue
                here[at] = self.atom(name) if name != variable else self.variable(name)
            elif op >= _DIAMOND:
                here[at] = self._add_modal(formula, here, op, left, right)
            elif op == _AUTOMATON:
                here[at] = self.automaton(formula.automata[-2 - right], here[left])
            else:
                new_left = here[left] if left >= 0 else -1
                here[at] = self.node(op, new_left, here[right] if right >= 0 else -1)
        return here[at]

    def _add_modal(
        self, formula: Formula, here: dict[int, int], op: int, left: int, right: int
    ) -> int:
        if op == _VARIABLE:
            return self.variable(formula.variables[left])
        if op > _BOX:
            return self.modal(op, here[left], formula.variables[right])
        return self.modal(op, here[left], formula.actions[right] if right >= 0 else ())

    def order(self, root: int = -1) -> list[int]:
        """The nodes of a formula (default: the last one) in canonical order. The root is the last.

        It is the order in which its text is read: left to right, children before parents, each node
        where it is first completed.
        """
        nodes = list(self.index)
        found: dict[int, None] = {}
        pending = [root % len(nodes)]
        while pending:
            at = pending[-1]
            missing = [each for each in children(*nodes[at]) if each not in found]
            if missing:
                pending += reversed(missing)
                continue
            pending.pop()
            found.setdefault(at)
        return list(found)

    def columns(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """All ops, all left and all right children. Needs at least one node."""
        ops, left, right = zip(*self.index, strict=True)
        return ops, left, right


def children(op: int, left: int, right: int) -> tuple[int, ...]:
    """The nodes right below a node, from left to right."""
    if op <= _ATOM or op == _VARIABLE:
        return ()
    return (left,) if right < 0 or op >= _DIAMOND else (left, right)
