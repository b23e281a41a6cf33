"""CTL* on recursive state machines, by the pushdown procedures of the literature.

The machine is read as a pushdown system whose rules come from `oracle.machine.steps`, THE
definition: control states are nodes, stack symbols are boxes, the last symbol is BOTTOM. What can
be done at the head (node, symbol) is found by asking for the steps of a state with one box:

    (n, s) -> (m, s)      local           (n, s) -> (m, t s)   push
    (n, s) -> (m, empty)  pop             (n, s) -> (m, t)     swap: a return and a call at once

E f is decided with the views of `oracle.star_tableau` [Bouajjani1997, Esparza2000]:
1. *pops*: from which (node, view) can a symbol be popped, so that (node, view) comes next, and the
   same along ways that keep a promise.
2. *repeating heads*, by the fixpoint of [Emerson1986]: the largest set of heads from which, for each
   promise, steps that keep it lead back into the set without ever popping the head's symbol.
3. *pre-star*: the heads from which steps lead to a repeating head, or to where a run may end.

Quantifiers inside others are *regular valuations* [Esparza2003]: which pairs (node, view) are
accepted depends on the stack by a deterministic automaton that reads it from the bottom. Its state
becomes a part of the stack symbols, and the next quantifier is decided on the larger system.

Cost: views to the power of two, times symbols. The symbols can be exponentially many.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from oracle.machine import Machine, arrive, component_of, initial_states, labels, steps
from oracle.star_formula import closed, operands
from oracle.star_tableau import CONNECTIVES, Letter, Tableau, tableau_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from oracle.star_formula import Formula

BOTTOM = None
Symbol = Any
"""A box as (component, name) or BOTTOM. After a quantifier, (symbol, what is accepted below it)."""
Head = tuple[Any, Symbol]
Pair = tuple[Any, int]
"""A node and a view."""
Sets = dict[Any, int]
"""For each node a set of views of its letter, as an int; missing: none."""
Pops = dict[Symbol, dict[Pair, Sets]]
"""For each symbol and pair that comes next when it is popped: from where."""


class TooLarge(Exception):
    """More stack symbols than asked for."""


@dataclass
class Rules:
    """What can be done at the heads of one stack symbol."""

    flat: list[tuple[Any, Any, Symbol]] = field(default_factory=list)
    """Local steps and swaps: from where, to where, and the symbol then."""
    push: list[tuple[Any, Any, Symbol]] = field(default_factory=list)
    pop: list[tuple[Any, Any]] = field(default_factory=list)
    stops: list[Any] = field(default_factory=list)
    nodes: list[Any] = field(default_factory=list)


@dataclass
class Pushdown:
    """The rules by stack symbol, and where each formula decided so far is true."""

    rules: dict[Symbol, Rules]
    bottom: Symbol
    truth: dict[Formula, set[tuple[Any, Symbol]]] = field(default_factory=dict)


def from_machine(machine: Machine) -> Pushdown:
    """The system of the machine, with the symbols that can be pushed."""
    rules: dict[Symbol, Rules] = {}
    pending: list[Symbol] = [BOTTOM]
    atoms: dict[str, set[tuple[Any, Symbol]]] = {}
    while pending:
        symbol = pending.pop()
        if symbol in rules:
            continue
        here = rules[symbol] = _rules_of(machine, symbol)
        pending += [other for _, _, other in (*here.push, *here.flat)]
        for node in here.nodes:
            for name in labels(machine, (_stack(symbol), node)):
                atoms.setdefault(name, set()).add((node, symbol))
    return Pushdown(rules, BOTTOM, {("atom", name): where for name, where in atoms.items()})


def _stack(symbol: Symbol) -> tuple:
    return () if symbol is BOTTOM else (symbol,)


def _rules_of(machine: Machine, symbol: Symbol) -> Rules:
    stack = _stack(symbol)
    rules = Rules()
    here = component_of(machine, stack)
    rules.nodes += [node.name for node in here.nodes]
    arrived = [arrive(machine, stack, here, target) for _, target in here.edges]
    stuck = [node for there, node in arrived if there == stack and isinstance(node, tuple)]
    rules.nodes += dict.fromkeys(stuck)  # in the reading `rsmcheck`
    for node in rules.nodes:
        after = steps(machine, (stack, node))
        if not after:
            rules.stops.append(node)
        for there, target in after:
            if there == stack:
                rules.flat.append((node, target, symbol))
            elif len(there) > len(stack):
                rules.push.append((node, target, there[-1]))
            elif there:
                rules.flat.append((node, target, there[-1]))
            else:
                rules.pop.append((node, target))
    return rules


def decide(machine: Machine, formula: Formula, most_symbols: int = 400) -> bool:
    """Does the formula hold in all initial states? `TooLarge` if that takes too many symbols."""
    return decide_many(machine, [formula], most_symbols)[0]


def decide_many(machine: Machine, formulas: list[Formula], most_symbols: int = 400) -> list[bool]:
    """The same for several formulas."""
    found = []
    plain = from_machine(machine)
    for formula in formulas:
        system = Pushdown(plain.rules, plain.bottom, dict(plain.truth))
        whole = closed(formula)
        for quantified in _inside_out(whole):
            system = _with_quantifier(system, quantified, most_symbols)
        heads = [(node, system.bottom) for _, node in initial_states(machine)]
        found.append(all(_holds(system, whole, head) for head in heads))
    return found


@dataclass
class Valuations:
    """Where the quantifiers of a formula are true: in states with any stack."""

    system: Pushdown

    def symbols(self, stack: tuple) -> list[Symbol]:
        """The symbols of a stack, from BOTTOM up. Equal ones make equal what comes above."""
        found = [self.system.bottom]
        for box in stack:
            pushed = self.system.rules[found[-1]].push[0][2]
            found.append(_with_box(pushed, box))
        return found

    def true(self, formula: Formula, symbol: Symbol, node: Any) -> bool:
        """The truth of a state formula at a node with this symbol on top."""
        return _holds(self.system, formula, (node, symbol))


def _with_box(symbol: Symbol, box: tuple[str, str]) -> Symbol:
    """All that is pushed at one place has the same below it, and so has what it is swapped for."""
    if not isinstance(symbol[1], frozenset):
        return box
    return (_with_box(symbol[0], box), symbol[1])


def valuations(machine: Machine, formula: Formula, most_symbols: int = 400) -> Valuations:
    """Of all quantifiers in a formula, and of the formula if it is one of paths, meaning A."""
    system = from_machine(machine)
    for quantified in _inside_out(closed(formula)):
        system = _with_quantifier(system, quantified, most_symbols)
    return Valuations(system)


def _inside_out(formula: Formula) -> Iterator[Formula]:
    """The formulas A f and E f in a formula, inner ones first, once each."""
    seen: dict[Formula, None] = {}

    def visit(f: Formula) -> None:
        for operand in operands(f):
            visit(operand)
        if f[0] in ("A", "E"):
            seen[f] = None

    visit(formula)
    yield from seen


def _holds(system: Pushdown, formula: Formula, head: tuple[Any, Symbol]) -> bool:
    """Is a state formula true at a head? The formulas A f and E f in it are decided."""
    kind = formula[0]
    if kind in ("true", "false"):
        return kind == "true"
    if kind in ("atom", "A", "E"):
        return head in system.truth.get(formula, ())
    values = [_holds(system, each, head) for each in operands(formula)]
    return not values[0] if kind == "not" else CONNECTIVES[kind](*values)


def _with_quantifier(system: Pushdown, formula: Formula, most: int) -> Pushdown:
    """The system in which one more formula A f or E f is decided."""
    run = Run(system, tableau_of(formula[1], formula[0] == "E"))
    made = Pushdown({}, (system.bottom, frozenset()))
    before: dict[Symbol, Symbol] = {}
    true: set[tuple[Any, Symbol]] = set()
    pending = [made.bottom]
    while pending:
        both = pending.pop()
        if both in made.rules:
            continue
        if len(made.rules) >= most:
            raise TooLarge
        symbol, below = both
        before[both] = symbol
        old = system.rules[symbol]
        accepted = run.accepted(symbol, below)
        above = run.waiting(symbol, accepted)
        rules = made.rules[both] = Rules(
            [(node, target, (other, below)) for node, target, other in old.flat],
            [(node, target, (pushed, above)) for node, target, pushed in old.push],
            old.pop,
            old.stops,
            old.nodes,
        )
        pending += [new for _, _, new in (*rules.push, *rules.flat)]
        for node in old.nodes:
            some = accepted.get(node, 0) & run.letter[node, symbol].wanted
            if bool(some) is (formula[0] == "E"):
                true.add((node, both))
    for known, where in system.truth.items():
        made.truth[known] = {
            (node, both)
            for both, symbol in before.items()
            for node in made.rules[both].nodes
            if (node, symbol) in where
        }
    made.truth[formula] = true
    return made


class Run:
    """The pairs of the heads of one system and the views of one tableau."""

    def __init__(self, system: Pushdown, tableau: Tableau) -> None:
        self.rules, self.tableau = system.rules, tableau
        self.letter: dict[Head, Letter] = {
            (node, symbol): tableau.letter_of(
                [_holds(system, leaf, (node, symbol)) for leaf in tableau.leaves]
            )
            for symbol, rules in self.rules.items()
            for node in rules.nodes
        }
        self.goals = self._goals()
        self.pops: dict[int | None, Pops] = {}
        for promise in (None, *tableau.untils):
            self.pops[promise] = self._find_pops(promise)
        self.good = self._good()

    def _goals(self) -> dict[Symbol, list[Pair]]:
        """For each symbol the pairs that may come next when it is popped."""
        below: dict[Symbol, set[Symbol]] = {symbol: set() for symbol in self.rules}
        for symbol, rules in self.rules.items():
            for _, _, pushed in rules.push:
                below[pushed].add(symbol)
        while True:
            before = {symbol: set(found) for symbol, found in below.items()}
            for symbol, rules in self.rules.items():
                for _, _, other in rules.flat:
                    below[other] |= below[symbol]
            if below == before:
                break
        popped = {target for rules in self.rules.values() for _, target in rules.pop}
        return {
            symbol: list(
                dict.fromkeys(
                    (node, view)
                    for under in found
                    for node in self.rules[under].nodes
                    if node in popped
                    for view in self.letter[node, under].number
                )
            )
            for symbol, found in below.items()
        }

    def keeping(self, promise: int | None, head: Head) -> int:
        """The views at a head that keep a promise. None: all."""
        here = self.letter[head]
        return here.every if promise is None else here.keeping[promise]

    def back(self, head: Head, after: Head, views: int) -> int:
        """The views at a head after which one of these views may come."""
        return self.tableau.step_back(self.letter[head], self.letter[after], views) if views else 0

    def _find_pops(self, promise: int | None) -> Pops:
        """For each symbol and each pair that can come after it: the pairs that lead there.

        With a promise: along ways on which some view keeps it.
        """
        found: Pops = {
            symbol: {goal: self._popping(symbol, goal, promise) for goal in goals}
            for symbol, goals in self.goals.items()
        }
        plain = self.pops.get(None, found)
        grown = True
        while grown:
            grown = False
            for symbol, ways in found.items():
                for goal, sets in ways.items():
                    for head, views in self._before_goal(symbol, goal, plain, found, promise):
                        if views & ~sets.get(head, 0):
                            sets[head] = sets.get(head, 0) | views
                            grown = True
        return found

    def _popping(self, symbol: Symbol, goal: Pair, promise: int | None) -> Sets:
        """The pairs from which a pop leads to the goal at once."""
        sets: Sets = {}
        for node, target in self.rules[symbol].pop:
            if target == goal[0]:
                here = self.letter[node, symbol]
                view = 1 << here.number[self.tableau.before(here.leaves, goal[1])]
                sets[node] = sets.get(node, 0) | view & self.keeping(promise, (node, symbol))
        return sets

    def _before_goal(
        self, symbol: Symbol, goal: Pair, plain: Pops, found: Pops, promise: int | None
    ) -> Iterator[tuple[Any, int]]:
        """The pairs one step, or a push and its pop, before those that lead to the goal."""
        for node, target, other in self.rules[symbol].flat:
            head, after = (node, symbol), (target, other)
            yield node, self.back(head, after, found[other].get(goal, {}).get(target, 0))
            late = self.back(head, after, plain[other].get(goal, {}).get(target, 0))
            yield node, late & self.keeping(promise, head) if promise is not None else 0
        marked, all_ways = found[symbol][goal], plain[symbol][goal]
        for node, target, pushed in self.rules[symbol].push:
            head, after = (node, symbol), (target, pushed)
            through = self._through(pushed, symbol, marked, plain)
            yield node, self.back(head, after, through.get(target, 0))
            if promise is not None:
                through = self._through(pushed, symbol, all_ways, found)
                yield node, self.back(head, after, through.get(target, 0))
                through = self._through(pushed, symbol, all_ways, plain)
                late = self.back(head, after, through.get(target, 0))
                yield node, late & self.keeping(promise, head)

    def _through(self, pushed: Symbol, symbol: Symbol, sets: Sets, pops: Pops) -> Sets:
        """The pairs above from which the pushed symbol can be popped into these sets."""
        ways = pops[pushed]
        goals = ways.keys() if len(ways) < len(sets) else self._pairs(symbol, sets)
        result: Sets = {}
        for node, view in goals:
            number = self.letter[node, symbol].number.get(view) if sets.get(node) else None
            if number is not None and sets[node] >> number & 1:
                for head, found in ways.get((node, view), {}).items():
                    result[head] = result.get(head, 0) | found
        return result

    def _pairs(self, symbol: Symbol, sets: Sets) -> Iterator[Pair]:
        """The pairs at the nodes of some sets."""
        for node, views in sets.items():
            for view in self.letter[node, symbol].number if views else ():
                yield node, view

    def _good(self) -> dict[Symbol, Sets]:
        """The heads from which some run never pops their symbol, and is right."""
        inside = {
            symbol: {node: self.letter[node, symbol].every for node in rules.nodes}
            for symbol, rules in self.rules.items()
        }
        before = None
        while inside != before:
            before = inside
            for promise in self.tableau.untils or (None,):
                inside = _common(inside, self._leading_to(promise, inside))
        for symbol, rules in self.rules.items():
            ends = {node: self.letter[node, symbol].end for node in rules.stops}
            inside[symbol] = _union(inside[symbol], ends)
        return self._closed(inside)

    def _leading_to(self, promise: int | None, goal: dict[Symbol, Sets]) -> dict[Symbol, Sets]:
        """From where one or more steps lead to the goal, on the way keeping the promise."""
        return self._closed(self._step(self._closed(goal), promise))

    def _closed(self, found: dict[Symbol, Sets]) -> dict[Symbol, Sets]:
        """From where any number of steps leads to the goal."""
        while True:
            step = self._step(found, None)
            more = {symbol: _union(found[symbol], step[symbol]) for symbol in self.rules}
            if more == found:
                return found
            found = more

    def _step(self, goal: dict[Symbol, Sets], promise: int | None) -> dict[Symbol, Sets]:
        """From where one step leads to the goal, or a push with its pop, keeping the promise."""
        return {symbol: self._step_at(symbol, goal, promise) for symbol in self.rules}

    def _step_at(self, symbol: Symbol, goal: dict[Symbol, Sets], promise: int | None) -> Sets:
        sets: Sets = {}

        def add(node: Any, after: Head, into: Sets, kept: int | None) -> None:
            views = self.back((node, symbol), after, into.get(after[0], 0))
            views &= self.keeping(kept, (node, symbol))
            if views:
                sets[node] = sets.get(node, 0) | views

        for node, target, other in self.rules[symbol].flat:
            add(node, (target, other), goal[other], promise)
        for node, target, pushed in self.rules[symbol].push:
            after = (target, pushed)
            add(node, after, goal[pushed], promise)
            add(node, after, self._through(pushed, symbol, goal[symbol], self.pops[None]), promise)
            if promise is not None:
                ways = self._through(pushed, symbol, goal[symbol], self.pops[promise])
                add(node, after, ways, None)
        return sets

    def accepted(self, symbol: Symbol, below: frozenset[Pair]) -> Sets:
        """The pairs accepted with this symbol on top. `below`: those accepted once it is popped."""
        result = self.good[symbol]
        for goal, ways in self.pops[None][symbol].items():
            if goal in below:
                result = _union(result, ways)
        return result

    def waiting(self, symbol: Symbol, accepted: Sets) -> frozenset[Pair]:
        """The accepted pairs that a pop of what is pushed on the symbol may lead to."""
        pushed = [other for _, _, other in self.rules[symbol].push]
        goals = {goal for other in pushed for goal in self.goals[other]}
        return frozenset(
            (node, view)
            for node, view in goals
            if node in accepted
            and view in self.letter[node, symbol].number
            and accepted[node] >> self.letter[node, symbol].number[view] & 1
        )


def _union(one: Sets, other: Sets) -> Sets:
    result = dict(one)
    for node, views in other.items():
        result[node] = result.get(node, 0) | views
    return result


def _common(one: dict[Symbol, Sets], other: dict[Symbol, Sets]) -> dict[Symbol, Sets]:
    return {
        symbol: {node: views & other[symbol].get(node, 0) for node, views in sets.items()}
        for symbol, sets in one.items()
    }
