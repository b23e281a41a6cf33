"""The binary-context procedure: decides every CTL formula on every machine.

Idea. Whether a formula holds at (s, n) depends on the stack s only through what waits below: the
truth, at each exit of n's component, of the formula and its subformulas. A *context* records
exactly that. An *instance* is a component under a context. An instance has finitely many
*points*, so everything is finite:

* its nodes;
* for each box and EVERY exit of the callee a return point (b,ex), standing for the states (s.b,
  ex) = (s, (b,ex)) (T1). Without edges, or not listed by the box at all, it is a dead end with
  the labels of ex (T3);
* in the `rsmcheck` reading, for each call of an entry that is an exit a point without successor
  (T2). In the standard reading such a call simply leads to the return point (T2).

A set of points is an int. Points 0..k-1 are the k exits, and the return points of a box lie side
by side in the order of the callee's exits. So what waits for a callee is a slice of the caller's
set of true points (`Called.slice`).

Subformulas are decided bottom-up. Atoms and connectives are computed point by point. A temporal
operator f is one *stage*. Before it, instances are told apart by the truth of the smaller
formulas at their exits. The stage computes

    V[i, M] = the points of instance i where f holds, ASSUMED that among the exits it holds
    exactly at those in M

for all (i, M) that turn up (no call is skipped, so what the next stage asks for is there). At
exits V[i, M] is M. Elsewhere f holds by its expansion law, for example for EU: f = right or (left
and some successor has f), where a successor that is a call (b,en) has the value of point en in
V[callee i', M'], with M' the slice of V[i, M] at the return points of b. For EX and AX that is a
plain computation (with the operand, already known, at the successors). For the others V is the
least (F, U) or greatest (G, W, R) solution, by iteration from bottom or top; M' is read off the
current approximation each time, and entries start at bottom or top (apart from the exits, which
are M) when first asked for. After the stage each pair (i, M) reached from the root with its real
M is an instance of the next.

Why the iteration is right (for least solutions; greatest ones are dual). Let F be one step of the
iteration on the full table, all (i, M) at once, and V_k its k-th iterate from bottom.
(1) Each V_k[i, M] grows with M and with k: induction, since a larger M' asks a larger-or-equal
    entry.
(2) Sound: say stack s fits (i, M) when the smaller formulas are true at the exits as i says and f
    is true at all exits in M. If s fits (i, M) and n is in V_k[i, M], then f holds at (s, n):
    induction on k. At a call, the slice M' holds return points where f is true by induction, so
    s.b fits (i', M').
(3) Complete: F- and U-formulas have finite ranks (how many steps until fulfilled on the best or
    worst path; worst paths too, as branching is finite). Let M_r(s) be the exits where f holds
    with rank <= r. If f holds at (s, n) with rank <= r then n is in V_m[i, M_r(s)] for some m:
    induction on r. The successors that count have rank <= r-1. If one is a call, (s.b, en) is in
    V_m[i', M_(r-1)(s.b)]. The return points in M_(r-1)(s.b) are in V_m'[i, M_(r-1)(s)] by
    induction, so in V_m'[i, M_r(s)] by (1), and the slice M' contains M_(r-1)(s.b). Apply (1)
    again.
(4) Asking on demand changes nothing. Values on the way stay below the limit V of V_k, as V[i',
    M'] with M' read from smaller values is below V[i', M'] with M' read from V. When nothing
    changes any more, the table T is closed, and V_k <= T on its entries by induction on k: a call
    asks V_k[i', M'_k] <= V_k[i', M'_T] <= T[i', M'_T].
For the root the real M is known beforehand: an exit with the empty stack loops forever (T1), so
only the operands' truth at that exit matters. In the reading `rmv` the exits of the root go on to the
termination state. What holds there is the initial context assumption `ica` of [Finis2012], section
3.3.3, and M follows from it by the expansion law (`initially_assumed`).

Under `stop` a dead end has no next step: EX is false, AX true, and in the expansion laws "the
rest of the path" is false for F and U and true for G, W and R, since a path that ends there
fulfils nothing more and violates nothing more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from oracle.formula import Formula, subformulas

if TYPE_CHECKING:
    from oracle.machine import Component, Machine, Ref

# The expansion laws: is the solution greatest, must all successors have it, and the law on sets of
# points.
Law = Callable[[int, int, int], int]
LAWS: dict[str, tuple[bool, bool, Law]] = {
    "EF": (False, False, lambda f, _, rest: f | rest),
    "AF": (False, True, lambda f, _, rest: f | rest),
    "EG": (True, False, lambda f, _, rest: f & rest),
    "AG": (True, True, lambda f, _, rest: f & rest),
    "EU": (False, False, lambda f, g, rest: g | (f & rest)),
    "AU": (False, True, lambda f, g, rest: g | (f & rest)),
    "EW": (True, False, lambda f, g, rest: g | (f & rest)),
    "AW": (True, True, lambda f, g, rest: g | (f & rest)),
    "ER": (True, False, lambda f, g, rest: g & (f | rest)),
    "AR": (True, True, lambda f, g, rest: g & (f | rest)),
}


@dataclass
class Called:
    """A box: its callee, and where in the caller's set of points its return points lie."""

    callee: str
    start: int
    mask: int

    def slice(self, points: int) -> int:
        """What waits for the callee: its exits whose return points are in `points`."""
        return (points >> self.start) & self.mask


@dataclass
class Body:
    """A component made of points. `local`: successors among them. `calls`: pairs (box, entry point
    of the callee).
    """

    name: str
    exits: int = 0
    every: int = 0
    labels: list[tuple[str, ...]] = field(default_factory=list)
    number: dict[tuple[str, Ref], int] = field(default_factory=dict)
    local: dict[int, int] = field(default_factory=dict)
    calls: dict[int, list[tuple[str, int]]] = field(default_factory=dict)
    dead: int = 0
    boxes: dict[str, Called] = field(default_factory=dict)

    def add(self, key: tuple[str, Ref], labels: tuple[str, ...]) -> None:
        self.number[key] = len(self.labels)
        self.labels.append(labels)


@dataclass(eq=False)
class Instance:
    """A component under a context, with the true points of every formula decided so far."""

    body: Body
    truth: dict[Formula, int]
    callee: dict[str, Instance] = field(default_factory=dict)


def decide(machine: Machine, formula: Formula) -> bool:
    """Does `formula` hold in every initial state?"""
    return decide_many(machine, [formula])[0]


def decide_many(machine: Machine, formulas: Iterable[Formula]) -> list[bool]:
    """The same for many formulas at once, deciding shared subformulas once."""
    wanted = list(formulas)
    root = _decided(machine, wanted)
    initial = sum(1 << root.body.number["node", name] for name in set(machine.initial_nodes))
    return [root.truth[formula] & initial == initial for formula in wanted]


Point = tuple[str, "Ref"]  # ("node", name), ("return", (box, exit)) or ("call", (box, entry))


def true_points(machine: Machine, formulas: Iterable[Formula]) -> list[set[Point]]:
    """For each formula: where it holds in the initial component with the empty stack. Points are
    told in the header.
    """
    wanted = list(formulas)
    root = _decided(machine, wanted)
    points = root.body.number.items()
    return [{key for key, at in points if root.truth[formula] >> at & 1} for formula in wanted]


def _decided(machine: Machine, wanted: list[Formula]) -> Instance:
    """The initial component under the empty stack, with the true points of all `wanted`."""
    bodies = {c.name: _points(machine, c) for c in machine.components}
    for component in machine.components:
        _edges(machine, component, bodies)
    root = _first_instances(bodies, machine.initial_component)
    rmv = machine.semantics == "rmv"
    for formula in subformulas(wanted):
        if formula[0] in LAWS:
            root = _next_instances(root, formula, _fixpoint(root, formula, rmv=rmv))
        elif formula[0] in ("EX", "AX"):
            root = _next_instances(root, formula, _next_step(root, formula, rmv=rmv))
        else:
            for instance in _reached(root):
                instance.truth[formula] = _connective(instance, formula)
    return root


def initially_assumed(formula: Formula) -> bool:
    """`ica`: does the formula hold in the termination state, which loops and has no labels?"""
    kind, *operands = formula
    if kind in ("true", "atom"):
        return kind == "true"
    truth = [initially_assumed(each) for each in operands]
    match kind:
        case "not":
            return not truth[0]
        case "and":
            return truth[0] and truth[1]
        case "or" | "EW" | "AW":
            return truth[0] or truth[1]
        case "implies":
            return truth[1] or not truth[0]
    return truth[
        -1
    ]  # the only path repeats one state: X, F and G say what f says; U and R what g says


# --- points and edges -----------------------------------------------------------------------------


def _exits(component: Component) -> list[str]:
    return [n.name for n in component.nodes if n.is_exit]


def _points(machine: Machine, component: Component) -> Body:
    body = Body(component.name)
    for node in sorted(component.nodes, key=lambda n: not n.is_exit):  # exits first
        body.add(("node", node.name), node.labels)
    body.exits = (1 << len(_exits(component))) - 1
    for box in component.boxes:
        callee = machine.component[box.component]
        exits = _exits(callee)
        body.boxes[box.name] = Called(callee.name, len(body.labels), (1 << len(exits)) - 1)
        for name in exits:
            body.add(("return", (box.name, name)), callee.node[name].labels)
        if machine.semantics == "rsmcheck":
            for name in exits:
                body.add(("call", (box.name, name)), callee.node[name].labels)
    body.every = (1 << len(body.labels)) - 1
    return body


def _edges(machine: Machine, component: Component, bodies: dict[str, Body]) -> None:
    body = bodies[component.name]
    for source, target in component.edges:
        place = (
            body.number["node", source]
            if isinstance(source, str)
            else body.number["return", source]
        )
        if isinstance(target, str):
            inside: tuple[str, Ref] = ("node", target)
        else:
            callee = machine.component[component.box[target[0]].component]
            if not callee.node[target[1]].is_exit:
                entry = bodies[callee.name].number["node", target[1]]
                body.calls.setdefault(place, []).append((target[0], entry))
                continue
            inside = ("call" if machine.semantics == "rsmcheck" else "return", target)
        body.local[place] = body.local.get(place, 0) | 1 << body.number[inside]
    for place in range(body.exits.bit_length(), len(body.labels)):
        if place not in body.local and place not in body.calls:
            if machine.dead_ends == "stutter":
                body.local[place] = 1 << place
            else:
                body.dead |= 1 << place


# --- instances ------------------------------------------------------------------------------------


def _first_instances(bodies: dict[str, Body], initial: str) -> Instance:
    """With no formula decided there is nothing to tell contexts apart: one instance a component."""
    first = {name: Instance(body, {}) for name, body in bodies.items()}
    for instance in first.values():
        for calls in instance.body.calls.values():
            for box, _ in calls:
                instance.callee[box] = first[instance.body.boxes[box].callee]
    return first[initial]


def _reached(root: Instance) -> list[Instance]:
    found = {root: None}
    todo = [root]
    for instance in todo:
        for callee in instance.callee.values():
            if callee not in found:
                found[callee] = None
                todo.append(callee)
    return todo


Value = Callable[[Instance, int], int]  # (i, M) -> V[i, M]


def _next_instances(
    root: Instance, formula: Formula, value_and_root: tuple[Value, int]
) -> Instance:
    """Tell instances apart by the truth of `formula` at their exits too. Return the new root."""
    value, real = value_and_root
    made: dict[tuple[Instance, int], Instance] = {}
    todo: list[tuple[Instance, int]] = []

    def make(old: Instance, assumed: int) -> Instance:
        if (old, assumed) not in made:
            made[old, assumed] = Instance(old.body, {**old.truth, formula: value(old, assumed)})
            todo.append((old, assumed))
        return made[old, assumed]

    new_root = make(root, real)
    for old, assumed in todo:  # grows while we walk
        new = made[old, assumed]
        for box, callee in old.callee.items():
            new.callee[box] = make(callee, old.body.boxes[box].slice(new.truth[formula]))
    return new_root


# --- the operators --------------------------------------------------------------------------------


def _connective(instance: Instance, formula: Formula) -> int:
    truth, every = instance.truth, instance.body.every
    match formula[0]:
        case "true":
            return every
        case "atom":
            return sum(
                1 << i for i, labels in enumerate(instance.body.labels) if formula[1] in labels
            )
        case "not":
            return every & ~truth[formula[1]]
        case "and":
            return truth[formula[1]] & truth[formula[2]]
        case "or":
            return truth[formula[1]] | truth[formula[2]]
        case "implies":
            return (every & ~truth[formula[1]]) | truth[formula[2]]
    raise ValueError(formula[0])


def _next_step(root: Instance, formula: Formula, *, rmv: bool) -> tuple[Value, int]:
    """EX and AX: look at the operand at the successors; at a call that is the entry of the
    callee's instance.
    """
    kind, operand = formula

    def value(instance: Instance, assumed: int) -> int:
        body, there = instance.body, instance.truth[operand]
        result = assumed
        for place in range(body.exits.bit_length(), len(body.labels)):
            seen = [bool(there & bit) for bit in _bits(body.local.get(place, 0))]
            seen += [
                bool(instance.callee[box].truth[operand] >> entry & 1)
                for box, entry in body.calls.get(place, ())
            ]
            if any(seen) if kind == "EX" else all(seen):
                result |= 1 << place
        return result

    if rmv:
        return value, root.body.exits if initially_assumed(operand) else 0
    return value, root.truth[operand] & root.body.exits  # the root's exits loop


def _bits(points: int) -> Iterable[int]:
    while points:
        low = points & -points
        yield low
        points ^= low


def _fixpoint(root: Instance, formula: Formula, *, rmv: bool) -> tuple[Value, int]:
    """The table V for one of F, G, U, W, R, iterated until stable. See the module's header."""
    greatest, universal, law = LAWS[formula[0]]
    left, right = formula[1], formula[-1]
    table: dict[tuple[Instance, int], int] = {}
    entries: list[tuple[Instance, int]] = []

    def value(instance: Instance, assumed: int) -> int:
        key = (instance, assumed)
        if key not in table:
            table[key] = (instance.body.every & ~instance.body.exits if greatest else 0) | assumed
            entries.append(key)
        return table[key]

    def rest(instance: Instance, now: int) -> int:
        """The non-exit points whose successors have the formula by the approximation `now`."""
        body = instance.body
        called = {
            box: value(callee, body.boxes[box].slice(now))
            for box, callee in instance.callee.items()
        }
        result = body.dead if greatest else 0
        for place, successors in body.local.items():
            if (successors & ~now == 0) if universal else (successors & now):
                result |= 1 << place
        for place, calls in body.calls.items():
            seen = [called[box] >> entry & 1 for box, entry in calls]
            if place in body.local:
                seen.append(result >> place & 1)
            if all(seen) if universal else any(seen):
                result |= 1 << place
            else:
                result &= ~(1 << place)
        return result

    # An exit of the root loops: the rest of the path is more of the same. Or the run terminates.
    after_exit = initially_assumed(formula) if rmv else greatest
    real = law(root.truth[left], root.truth[right], -1 if after_exit else 0) & root.body.exits
    value(root, real)
    changed = True
    while changed:
        changed = False
        for instance, assumed in entries:  # grows while we walk
            now = table[instance, assumed]
            new = law(instance.truth[left], instance.truth[right], rest(instance, now))
            new = (new & ~instance.body.exits) | assumed
            if new != now:
                table[instance, assumed] = new
                changed = True
    return value, real
