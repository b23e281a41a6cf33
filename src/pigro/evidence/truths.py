"""The truth of each subformula in the states of evidence, as far as its certificate tells.

The subformulas are those of the formula as it was written. Each has a normal form of its own, whose
nodes are found again, by their shape, in the normal form of the certificate. Subformulas that are
not there (simplified away), or are not proved in a state, may have no known truth.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable
from pigro.evidence import Path, Steps
from pigro.evidence.booleans import NORMAL
from pigro.evidence.chains import ChainValues
from pigro.evidence.run.lasso import evaluate, inside
from pigro.evidence.run.runs import OnRun
from pigro.logic import existential_normal_form
from pigro.logic.construct import part_of
from pigro.logic.fragments import state_formulas
from pigro.logic.normal import ATOM, EG, EU, EX, TRUE
from pigro.logic.operators import Fragment, Op
from pigro.logic.printer import NO_PATH, text_for_people, text_of, written_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.evidence import Evidence, State
    from pigro.evidence.run.lasso import Sets
    from pigro.evidence.tree.following import CertificateFollower
    from pigro.logic import Formula, NormalForm
    from pigro.model import RSM

_LARGEST = 64
"""Subformulas of a formula that is drawn as a tree."""
LONGEST = 200
"""Characters of a subformula."""
Row = tuple[int, str] | tuple[int, str, bool]
"""How deep a subformula is, its text, and that it speaks of the run from a state on, if so."""
Place = tuple[int, int]
"""A state by the numbers of its stack and its node."""
Shape = tuple[int, object, object]
_NOTHING: dict[int, bool] = {}


def formula_rows(formula: Formula, *, paths: bool = False) -> list[tuple[int, int]]:
    """The state subformulas as a tree, in preorder: depth and node. None if there are too many.

    With `paths`, path formulas too.
    """
    sizes: list[int] = []
    for left, right, op in zip(formula.left, formula.right, formula.ops, strict=True):
        below = [] if op == Op.ATOM else [each for each in (left, right) if each >= 0]
        sizes.append(1 + sum(sizes[each] for each in below))
    if sizes[-1] > _LARGEST:
        return []
    rows, pending = [], [(0, len(formula) - 1)]
    while pending:
        depth, node = pending.pop()
        op = formula.ops[node]
        if op == Op.ATOM:
            rows.append((depth, node))
            continue
        below = [each for each in (formula.left[node], formula.right[node]) if each >= 0]
        if paths or op <= Op.E:  # the others are paths, whose A or E has the truth
            rows.append((depth, node))
            depth += 1
        pending += [(depth, each) for each in reversed(below)]
    return rows


class _SubformulaShapes:
    """How the truths of a formula are worked out: the same for all that differ in labels only."""

    def __init__(self, formula: Formula) -> None:
        self.rows = formula_rows(formula)
        """Subformulas, in preorder: depth and node."""
        shapes: dict[Shape, int] = {}
        self.wanted = [
            _add(shapes, existential_normal_form(part_of(formula, node)))[-1]
            for _, node in self.rows
        ]
        """The shapes of the rows."""
        form = existential_normal_form(formula)
        self.form, self.ops = _add(shapes, form), form.ops
        """The shapes, and the operators, of the nodes of the normal form."""
        self.shapes = list(shapes)
        """The nodes of all normal forms, once each, children first."""
        places = {name: place for place, name in enumerate(formula.atoms)}
        self.atoms = {at: places[str(name)] for (op, name, _), at in shapes.items() if op == ATOM}
        """The shapes that are labels, and which."""


def _add(shapes: dict[Shape, int], form: NormalForm) -> list[int]:
    here: list[int] = []
    for op, left, right in zip(form.ops, form.left, form.right, strict=True):
        first = form.atoms[left] if op == ATOM else here[left] if left >= 0 else None
        shape = op, first, here[right] if right >= 0 else None
        here.append(shapes.setdefault(shape, len(shapes)))
    return here


class SubformulaTruths:
    """Truths of subformulas, each state's in one string of `t`, `f` and `?`.

    States differ in few ways: in the labels of the formula, in what operators the certificate
    proves, and in what evidence shows. Each way is looked at once.
    """

    def __init__(self, model: RSM, formula: Formula, follower: CertificateFollower | None) -> None:
        plans: dict[object, _SubformulaShapes] = model.kept("plans of truths", lambda _: {})
        plan = plans.get((formula.ops, formula.left, formula.right))
        if plan is None:
            plan = plans[formula.ops, formula.left, formula.right] = _SubformulaShapes(formula)
        self.rows: list[Row] = [
            (depth, printable(text_of(formula, node, named=True), LONGEST))
            for depth, node in plan.rows
        ]
        """Each subformula, in preorder."""
        self.strings: dict[str, int] = {}
        """All strings that there are, and their numbers."""
        self._model, self._follower, self._plan = model, follower, plan
        self._told: dict[Place, dict[int, bool]] = {}
        self._level = {}
        if follower is not None:
            self._level = {plan.form[at]: level for at, level in follower.level_of.items()}
        carrying, names = Steps(model).carrying, formula.atoms
        self._carry = {
            at: carrying(model.label_ids.get(names[atom])) for at, atom in plan.atoms.items()
        }
        self._known: dict[object, int] = {}

    def note(self, at: Evidence, places: Sequence[Place]) -> None:
        """What evidence shows: its part where it begins. EU and EG all along their path."""
        begins = [(0, at.part), *at.marks]
        ends = [first for first, _ in at.marks] + [len(places) - 1]
        for (first, part), last in zip(begins, ends, strict=True):
            lasts = at.path is not None and self._plan.ops[part] != EX
            for place in places[first : last + 1] if lasts else places[first : first + 1]:
                self._told.setdefault(place, {})[self._plan.form[part]] = at.truth

    def along(self, at: Evidence, places: Sequence[Place]) -> list[int]:
        """The numbers of the strings of the states of a path."""
        return self._numbers(() if at.path is None else at.path.states, places)

    def of(self, state: State, place: Place) -> int:
        """The number of the string of a state."""
        return self._numbers((state,), (place,))[0]

    def _numbers(self, states: Sequence[State], places: Sequence[Place]) -> list[int]:
        subject = self._model.core.subject
        subjects = [subject(state.node) for state in states]
        columns: dict[int, Sequence[bool | None]] = {
            at: [each in carrying for each in subjects] for at, carrying in self._carry.items()
        }
        if self._follower is not None:
            rows = self._follower.along(self._level.values(), states)
            columns |= zip(self._level, rows, strict=True)
        get = self._told.get
        told = [tuple(get(place, _NOTHING).items()) for place in places]
        found = []
        for key in zip(told, *columns.values(), strict=True):
            number = self._known.get(key)
            if number is None:
                leaves = dict(zip(columns, key[1:], strict=True))
                number = self._known[key] = self._string(leaves | dict(key[0]))
            found.append(number)
        return found

    def _string(self, known: dict[int, bool | None]) -> int:
        values = self._values(known)
        string = "".join({True: "t", False: "f", None: "?"}[values[at]] for at in self._plan.wanted)
        return self.strings.setdefault(string, len(self.strings))

    def _values(self, known: dict[int, bool | None]) -> list[bool | None]:
        """The truths of all shapes, from those of labels, and of other known values."""
        values: list[bool | None] = []
        for at, (op, left, right) in enumerate(self._plan.shapes):
            value = known.get(at)
            if value is not None:
                values.append(value)
            elif op == TRUE:
                values.append(True)
            elif op >= EX:
                values.append(_local(op, left, right, values))
            else:
                assert isinstance(left, int), "an operator has an operand"
                other = values[right] if isinstance(right, int) else None
                values.append(NORMAL[op](values[left], other))
        return values


def _local(op: int, left: object, right: object, values: list[bool | None]) -> bool | None:
    """What the operands in a state alone say about EU and EG."""
    first = values[left] if isinstance(left, int) else None
    second = values[right] if isinstance(right, int) else None
    if op == EU and second is True:
        return True
    ended = second is False if op == EU else op == EG
    return False if ended and first is False else None


def _shown_rows(formula: Formula) -> list[tuple[int, int]]:
    """Each subformula with its depth, in preorder. Only those that were written, each once."""
    rows, written = formula_rows(formula, paths=True), written_of(formula)
    if written is None or not written.parts:
        return rows
    above: list[tuple[int, int]] = []
    """Depths of the rows around: in the formula, and as shown."""
    found, seen = [], -1
    for depth, node in rows:
        while above and above[-1][0] >= depth:
            above.pop()
        part = written.parts.get(node)
        if part is None or part in (seen, NO_PATH):
            continue
        shown = above[-1][1] + 1 if above else 0
        above.append((depth, shown))
        found.append((shown, node))
        seen = part
    return found


def _with_truths(formula: Formula) -> list[int]:
    """The parts that a run makes true or false, operands first: not regular expressions."""
    parts, pending = set[int](), [len(formula) - 1]
    while pending:
        for node in inside(formula, pending.pop()):
            if node not in parts and formula.ops[node] in (Op.A, Op.E):
                pending.append(formula.left[node])
            parts.add(node)
    return sorted(parts)


class RunTruths:
    """Truths of subformulas, each state's in one string of `t`, `f` and `?`."""

    def __init__(self, model: RSM, formula: Formula) -> None:
        self._steps, self._formula = Steps(model), formula
        is_mu = formula.fragment is Fragment.MU  # a run alone tells nothing of fixpoints
        self._parts = [] if is_mu else _with_truths(formula)
        with_truths = set(self._parts)
        rows = [] if is_mu else [row for row in _shown_rows(formula) if row[1] in with_truths]
        is_state = state_formulas(formula)
        self.rows: list[Row] = []
        """Each subformula, in preorder."""
        self.strings: dict[str, int] = {}
        """All strings that there are, and their numbers."""
        self._wanted = [node for _, node in rows]
        for depth, node in rows:
            text = printable(text_for_people(formula, node, LONGEST), LONGEST)
            self.rows.append((depth, text) if is_state[node] else (depth, text, True))
        self._told: dict[Place, dict[int, bool]] = {}

    def note(self, at: Evidence, places: Sequence[Place]) -> None:
        """What evidence shows: its part where it begins, and its facts."""
        self._told.setdefault(places[0], {})[at.part] = at.truth
        for node, truths in at.facts:
            for place, truth in zip(places, truths, strict=True):
                if truth is not None:
                    self._told.setdefault(place, {})[node] = truth

    def of(self, state: State, place: Place) -> int:
        """The number of the string of a state."""
        return self._numbers(Path((state,)), (place,))[0]

    def along(self, at: Evidence, places: Sequence[Place]) -> list[int]:
        """The numbers of the strings of the states of a run."""
        return [] if at.path is None else self._numbers(at.path, places)

    def _numbers(self, path: Path, places: Sequence[Place]) -> list[int]:
        if not self._wanted:
            return [self.strings.setdefault("", 0)] * len(places)
        formula, sets = self._formula, dict[int, "Sets"]()
        run = OnRun(self._steps, formula, len(formula) - 1, path)

        def leaf(node: int) -> Sets:
            if formula.ops[node] == Op.ATOM:
                return self._label(run, node, path)
            truths = [self._told.get(place, {}).get(node) for place in places]
            yes, no = run.quantified(node, truths)
            on_this, not_on_this = sets[formula.left[node]]
            return (yes | on_this, no) if formula.ops[node] == Op.E else (yes, no | not_on_this)

        evaluate(formula, self._parts, run.line, leaf, sets)
        columns = [self._column(run, sets[node]) for node in self._wanted]
        strings = ("".join(each) for each in zip(*columns, strict=True))
        return [
            self.strings.setdefault(string, len(self.strings))
            for string, _ in zip(strings, places, strict=False)
        ]

    def _label(self, run: OnRun, node: int, path: Path) -> Sets:
        """Where a label is, and where it is not. Parts of a composition may not tell."""
        yes, no = run.label(node)
        if isinstance(run.model.conditions, ChainValues):
            label, unknown = (
                self._formula.atoms[self._formula.left[node]],
                run.model.conditions.unknown,
            )
            no &= ~run.line.set_of([label in unknown[each.node] for each in path.states], True)
        return yes, no

    def _column(self, run: OnRun, sets: Sets) -> list[str]:
        """A letter for each position."""
        flags = zip(*map(run.line.flags, sets), strict=True)
        return ["t" if yes else "f" if no else "?" for yes, no in flags]
