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
A caller that adds the nodes of a formula left to right and bottom-up gets the canonical order of
`Formula`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct, field

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.logic.regular.shapes import Shape
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
    automata: dict[Shape, int] = field(default_factory=dict)

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

    def automaton(self, shape: Shape, letters: int) -> int:
        """The node of an automaton over its letters. If its name is taken, it gets another one."""
        if shape.name:
            from pigro.logic.regular.shapes import renamed  # noqa: PLC0415 - few formulas have these

            shape = renamed(self, shape, letters)
        number = self.automata.setdefault(shape, len(self.automata))
        return self.node(_AUTOMATON, letters, -2 - number)

    def add(
        self,
        formula: Formula,
        variable: str | None = None,
        instead: Mapping[str, Formula] | None = None,
    ) -> int:
        """Copy all nodes of `formula`. Its root's number here.

        The label `variable`, if given, becomes a variable. Labels in `instead` become formulas.
        """
        here: list[int] = []
        for op, left, right in zip(formula.ops, formula.left, formula.right, strict=True):
            if op == _ATOM:
                name = formula.atoms[left]
                if instead is not None and name in instead:
                    here.append(self.add(instead[name]))
                    continue
                here.append(self.atom(name) if name != variable else self.variable(name))
            elif op >= _DIAMOND:
                here.append(self._add_modal(formula, here, op, left, right))
            elif op == _AUTOMATON:
                here.append(self.automaton(formula.automata[-2 - right], here[left]))
            else:
                new_left = here[left] if left >= 0 else -1
                here.append(self.node(op, new_left, here[right] if right >= 0 else -1))
        return here[-1]

    def _add_modal(self, formula: Formula, here: list[int], op: int, left: int, right: int) -> int:
        if op == _VARIABLE:
            return self.variable(formula.variables[left])
        if op > _BOX:
            return self.modal(op, here[left], formula.variables[right])
        return self.modal(op, here[left], formula.actions[right] if right >= 0 else ())

    def columns(self) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
        """All ops, all left and all right children. Needs at least one node."""
        ops, left, right = zip(*self.index, strict=True)
        return ops, left, right
