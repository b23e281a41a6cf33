"""The states of a module, found by exploration from its initial ones.

Source: [Finis2012], section 5.2. A variable that is EXIT stays so; a variable without right side
takes every value of its type; the values of different variables combine freely, unless a right
side asks for another variable's value of the same moment, which is then chosen first. Where all
variables are EXIT the module is left, and there is no step.

Cost: one evaluation of each right side a state, one look-up an edge. Nothing is kept but states
and edges; both are limited.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass, field
from itertools import product
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import printable
from pigro.formats.smv.evaluate import Function, Functions, State, as_set, show
from pigro.formats.smv.kinds import SHIFTED, words
from pigro.formats.smv.nodes import EXIT, Expression, N
from pigro.formats.smv.parser import BOOL, INT, SYMBOL
from pigro.formats.smv.text import Fault
from pigro.limits import unwatched

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from pigro.formats.smv.kinds import Names
    from pigro.formats.smv.parser import Module, Variable
    from pigro.limits import Poll

_VALUES = BOOL | INT | SYMBOL


@dataclass(frozen=True, slots=True)
class Bounds:
    """How large a state space may grow."""

    states: int = 1_000_000
    edges: int = 10_000_000


@dataclass(slots=True)
class Space:
    """The states of a module and the steps between them, by number."""

    module: Module
    states: list[State] = field(default_factory=list)
    sources: array[int] = field(default_factory=lambda: array("i"))
    targets: array[int] = field(default_factory=lambda: array("i"))
    initial: int = 0
    """The first so many states are initial."""
    last: int | None = None
    """The state where all variables are EXIT, if it is reached."""

    def name(self, state: int) -> str:
        """The values of a state, as people write them."""
        values = self.states[state]
        if state == self.last:
            return EXIT
        return ",".join(map(show, values)) if values else "state"


@dataclass(slots=True)
class _Rule:
    """How one variable gets its value."""

    variable: Variable
    number: int
    function: Function | None
    """None: any value of its type."""
    at: int
    needs: set[int]
    """Variables whose value of the same moment is asked for."""


def explore(
    module: Module, names: Names, functions: Functions, bounds: Bounds, poll: Poll = unwatched
) -> Space:
    """All states of a module that can be reached."""
    first = _rules(module, names, functions, initial=True)
    later = _rules(module, names, functions, initial=False)
    width = len(first)
    space = Space(module)
    number: dict[State, int] = {}
    exit_state = (EXIT,) * width if width else None
    for state in _starts(first, width, bounds, module):
        poll()
        number.setdefault(state, len(number))
        _limit(len(number), bounds, module)
    states = space.states
    states.extend(number)
    space.initial = len(states)
    successors = _stepper(later, width, bounds, module)
    add_source, add_target = space.sources.append, space.targets.append
    for here, state in enumerate(states):  # grows while we walk
        poll()
        if state == exit_state:
            space.last = here
            continue
        for target in successors(state):
            there = number.get(target)
            if there is None:
                there = number[target] = len(states)
                states.append(target)
                _limit(there, bounds, module)
            add_source(here)
            add_target(there)
        if len(space.sources) > bounds.edges:
            raise _too_large(module, f"{bounds.edges:,} steps")
    return space


def _rules(module: Module, names: Names, functions: Functions, *, initial: bool) -> list[_Rule]:
    """A rule for each variable."""
    nodes = names.nodes
    width = len(module.variables)
    rules = []
    for number, variable in enumerate(module.variables.values()):
        root = variable.init if initial else variable.next
        shift = 0
        if variable.now is not None:
            root, shift = variable.now, 0 if initial else width
        if root is None:
            rules.append(_Rule(variable, number, None, variable.at, set()))
            continue
        whole = Expression(nodes, root)
        kinds = names.value(whole, module.name)
        if kinds & SHIFTED and (initial or variable.now is not None):
            raise Fault(
                "P122", "next can stand on the right side of next(...) only", nodes.at[root]
            )
        _fits(variable, kinds, nodes.at[root])
        same_moment = initial or bool(shift)
        needs = _needs(whole, names, everything=same_moment)
        function = functions.of(whole, shift=shift)
        rules.append(_Rule(variable, number, function, nodes.at[root], needs))
    return rules


def _fits(variable: Variable, kinds: int, at: int) -> None:
    """Can any value of these kinds be one of the variable?"""
    wanted = variable.domain.kinds
    if kinds & _VALUES and not kinds & wanted:
        hint = "truth values are written TRUE and FALSE" if wanted == BOOL else None
        message = f"`{printable(variable.name)}` is {words(wanted)}, but gets {words(kinds)}"
        raise Fault("P125", message, at, hint)


def _needs(whole: Expression, names: Names, *, everything: bool) -> set[int]:
    """The variables that an expression mentions: all, or those under `next`."""
    nodes = whole.nodes
    spans = (
        [whole.span]
        if everything
        else [range(nodes.first[n], n) for n in whole.span if nodes.ops[n] == N.NEXT]
    )
    return {number for span in spans for number in mentioned(nodes, span, names)}


def mentioned(nodes: Any, span: Iterable[int], names: Names) -> set[int]:
    """The variables that nodes mention, also by way of definitions."""
    numbers: set[int] = set()
    known: set[tuple[str, str]] = set()
    jobs = [(nodes, span)]
    while jobs:
        where, nodes_of = jobs.pop()
        for n in nodes_of:
            if where.ops[n] == N.VARIABLE:
                numbers.add(where.args[n][1])
            elif where.ops[n] == N.DEFINED and where.args[n] not in known:
                owner, name = where.args[n]
                known.add((owner, name))
                root = names.modules[owner].defines[name]
                jobs.append((names.nodes, range(names.nodes.first[root], root + 1)))
    return numbers


def _ordered(rules: list[_Rule]) -> list[_Rule]:
    """Each rule after those of the variables that it needs."""
    users: dict[int, list[_Rule]] = {}
    missing = {rule.number: len(rule.needs) for rule in rules}
    for rule in rules:
        for number in rule.needs:
            users.setdefault(number, []).append(rule)
    order = [rule for rule in rules if not rule.needs]
    for rule in order:  # grows
        for user in users.get(rule.number, ()):
            missing[user.number] -= 1
            if not missing[user.number]:
                order.append(user)
    if len(order) < len(rules):
        stuck = next(rule for rule in rules if missing[rule.number])
        name = printable(stuck.variable.name)
        raise Fault("P124", f"the value of `{name}` depends on itself", stuck.at)
    return order


def _starts(rules: list[_Rule], width: int, bounds: Bounds, module: Module) -> Iterable[State]:
    if any(rule.needs for rule in rules):
        return _dependent(_ordered(rules), width, bounds, module, None)
    return _combined([_choices(rule, ()) for rule in rules], bounds, module)


def _stepper(
    rules: list[_Rule], width: int, bounds: Bounds, module: Module
) -> Callable[[State], Iterable[State]]:
    """The function from a state to its successors."""
    if any(rule.needs for rule in rules):
        order = _ordered(rules)
        return lambda state: _dependent(order, width, bounds, module, state)

    if width == 1 and (function := rules[0].function) is not None:
        (rule,) = rules
        fits: dict[Any, bool] = {}

        def single(state: State) -> list[State]:
            values = as_set(function(state))
            for value in values:
                if (type(value), value) not in fits:
                    _check(rule, value, state)
                    fits[type(value), value] = True
            return [(value,) for value in values]

        return single

    def independent(state: State) -> Iterable[State]:
        choices: list[Sequence[Any]] = [
            (EXIT,) if value == EXIT else _choices(rule, state)
            for value, rule in zip(state, rules, strict=True)
        ]
        return _combined(choices, bounds, module)

    return independent


def _combined(choices: list[Sequence[Any]], bounds: Bounds, module: Module) -> Iterable[State]:
    count = 1
    for each in choices:
        count *= each.stop - each.start if isinstance(each, range) else len(each)
        if count > bounds.edges:
            raise _too_large(module, f"{bounds.edges:,} steps")
    return product(*choices)


def _choices(rule: _Rule, state: State) -> Sequence[Any]:
    """The values that a variable can take."""
    if rule.function is None:
        return rule.variable.domain.values
    values = as_set(rule.function(state))
    for value in values:
        _check(rule, value, state)
    return values


def _check(rule: _Rule, value: Any, state: State) -> None:
    if value == EXIT or value in rule.variable.domain:
        return
    where = f" after {','.join(map(show, state))}" if state else ""
    message = f"`{printable(rule.variable.name)}` gets the value {show(value)}{where}"
    raise Fault("P126", f"{message}, which its type does not have", rule.at)


def _dependent(
    order: list[_Rule], width: int, bounds: Bounds, module: Module, state: State | None
) -> Iterable[State]:
    """All combinations, variable by variable, where some depend on others of the same moment."""
    offset = 0 if state is None else width
    partial: list[list[Any]] = [[*(state or ()), *([None] * width)]]
    for rule in order:
        grown: list[list[Any]] = []
        for each in partial:
            is_over = state is not None and state[rule.number] == EXIT
            choices = (EXIT,) if is_over else _choices(rule, tuple(each))
            if len(grown) + _size(choices) > bounds.edges:
                raise _too_large(module, f"{bounds.edges:,} steps")
            for value in choices:
                copy = each.copy()
                copy[offset + rule.number] = value
                grown.append(copy)
        partial = grown
    return [tuple(each[offset:]) for each in partial]


def _size(choices: Sequence[Any]) -> int:
    return choices.stop - choices.start if isinstance(choices, range) else len(choices)


def _limit(states: int, bounds: Bounds, module: Module) -> None:
    if states > bounds.states:
        raise _too_large(module, f"{bounds.states:,} states")


def _too_large(module: Module, what: str) -> Fault:
    return Fault(
        "P128",
        f"module `{printable(module.name)}` has more than {what}",
        module.at,
        "Pigro builds all states of a module: give variables smaller types, or assign them",
    )
