"""A program as a machine of the native core: in which order variables get their values.

A step chooses the inputs and the next value of each variable: by its right side, or any value of
its type. Constraints are split at `&`, and each part is looked at as soon as the values chosen may
make it false. So variables are ordered: first those whose right sides need nothing that is not
chosen yet. Then, one by one, the free one that leaves the fewest unknown in some constraint.

With processes, one is chosen for each step. Only its assignments are made. Other variables that
some process assigns keep their values. Constraints hold in all steps. Which process makes the step
is an input. Fairness may speak of inputs, but states do not have them: then a hidden variable tells
whether the condition held in the step before, which happens as often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro import _core
from pigro.diagnostics import printable
from pigro.formats.smv.compiler import Compiler
from pigro.formats.smv.exits import asked
from pigro.formats.smv.instances import (
    BOOL,
    Domain,
    Flat,
    Instance,
    Program,
    Running,
    Written,
    definitions,
    sections,
)
from pigro.formats.smv.kinds import SET, SHIFTED, VALUES, is_condition, words
from pigro.formats.smv.native import PLAIN_BITS
from pigro.formats.smv.specs.inputs import without_inputs
from pigro.formats.smv.specs.past import has_past, without_past
from pigro.formats.smv.syntax.grammar import WIDEST
from pigro.formats.smv.syntax.nodes import EXIT, Expression, N, Nodes
from pigro.formats.smv.syntax.text import Fault

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable

    from pigro.formats.smv.compiler import Code
    from pigro.formats.smv.instances import Entity
    from pigro.formats.smv.native import Symbols
    from pigro.formats.smv.syntax.parser import Constraint, Module, Spec

_BOOLEAN = Domain((False, True))


class Fair(NamedTuple):
    """A condition that holds again and again on fair paths. Or, with two, strong fairness."""

    conditions: tuple[Written | Flat, ...]
    written: tuple[Written, ...]


class _Rule(NamedTuple):
    """How a variable or input gets its value."""

    slot: int
    right: int
    """-1: any value of its type."""
    at: int
    needs: int
    """Slots, as bits."""
    name: str


class Plan(NamedTuple):
    """How initial states, or steps, are chosen. See native/core/smv/machine.hpp."""

    checks: list[int]
    """Constraints that read no slot that is chosen."""
    choices: list[tuple[int, int, list[int]]]
    """A slot, its right side or -1, and the constraints that are decided with it."""


class Component:
    """A module that runs on its own, with all that is in it."""

    def __init__(
        self,
        module: Module,
        modules: dict[str, Module],
        nodes: Nodes,
        symbols: Symbols,
        *,
        has_exit: bool,
        keep_inputs: bool,
        left_out: Collection[Spec] = (),
    ) -> None:
        self.module = module
        self.modules = modules
        self.nodes = nodes
        self.symbols = symbols
        self.has_exit = has_exit
        self.program = Program(module, modules, nodes)
        self.keeps_inputs = keep_inputs
        declared = self.program.variables
        self.inputs = [] if keep_inputs else [e for e in declared if e.section == "IVAR"]
        self.variables = [each for each in declared if each not in set(self.inputs)]
        self.selector: Flat | None = None
        if len(self.program.processes) > 1:
            chosen = Domain(range(len(self.program.processes)))
            self.selector = Flat("running process", module.at, chosen, "IVAR", hidden=True)
            (self.variables if keep_inputs else self.inputs).append(self.selector)
        self.fairness: list[Fair] = []
        self.specs: list[tuple[Instance, Spec, Expression]] = []
        """The formulas of all instances, each in its own."""
        self._find_specs(left_out)
        self._assign()
        self._find_fairness()
        self._build()

    def _find_specs(self, left_out: Collection[Spec]) -> None:
        """Formulas about the past, and those of LTL about inputs, get hidden variables."""
        for instance in self.program.instances:
            for module in sections(instance, self.modules):
                for spec in module.specs:
                    if spec not in left_out:
                        about = self._context(instance, spec)
                        self.specs.append((about, spec, self._about_states(spec, about)))

    def _about_states(self, spec: Spec, about: Instance) -> Expression:
        whole = Expression(self.nodes, spec.root)
        if spec.section == "INVARSPEC" and _looks_ahead(whole):
            return self._seen_before(whole, about)
        if spec.section != "LTLSPEC":
            return whole
        if has_past(whole):
            whole = without_past(whole, about, self.variables)
        if self.inputs and not self.has_exit:
            whole = without_inputs(whole, about, self.variables, self.reads_inputs)
        return whole

    def _context(self, instance: Instance, spec: Spec) -> Instance:
        """The instance that a formula is about."""
        if spec.context is None:
            return instance
        name, at = spec.context
        found = self.program.look_up(self.program.root, name)
        if not isinstance(found, Instance):
            raise Fault("P123", f"`{printable(name)}` is not an instance", at)
        return found

    def _seen_before(self, whole: Expression, instance: Instance) -> Expression:
        """A condition on steps, as a hidden variable that says whether the last step met it."""
        nodes, root = whole
        name = f"step #{len(self.variables)}"
        made = Flat(instance.full(name), nodes.at[root], _BOOLEAN, "VAR", hidden=True)
        instance.names[name] = made
        begin, named = Nodes(), Nodes()
        begin.leaf(N.CONSTANT, args=True, at=nodes.at[root])
        made.init = Written(begin, 0, instance)
        made.next.append((instance.process, Written(nodes, root, instance)))
        self.variables.append(made)
        return Expression(named, named.leaf(N.NAME, name, nodes.at[root]))

    def _assign(self) -> None:
        for instance in self.program.instances:
            for module in sections(instance, self.modules):
                for which, target, root, at in module.assignments:
                    right = Written(self.nodes, root, instance)
                    flat = self._target(Written(self.nodes, target, instance), at)
                    _put(flat, which, right, at)

    def _target(self, target: Written, at: int) -> Flat:
        meant = self.program.entity(target)
        if isinstance(meant, Flat):
            if meant.section == "IVAR":
                message = f"`{printable(meant.name)}` is an input and can't be assigned"
                raise Fault("P125", message, at, "declare it in VAR, or constrain it with TRANS")
            return meant
        nodes, root, instance = target
        name = str(nodes.args[root]) if nodes.ops[root] == N.NAME else ""
        from pigro.diagnostics import did_you_mean

        hint = did_you_mean(name, instance.names)
        if nodes.ops[root] == N.INDEX:
            hint = "an element is assigned by a constant index"
        elif isinstance(meant, Written) and meant is not target:
            hint = None
        what = printable(name) if name else "this"
        raise Fault("P123", f"`{what}` is not a variable", at, hint)

    def _find_fairness(self) -> None:
        """Fairness that speaks of inputs gets hidden variables."""
        for instance in self.program.instances:
            for module in sections(instance, self.modules):
                for section, root, second, _ in module.constraints:
                    if section not in ("JUSTICE", "COMPASSION"):
                        continue
                    roots = (root,) if section == "JUSTICE" else (root, second)
                    written = tuple(Written(self.nodes, each, instance) for each in roots)
                    self.fairness.append(Fair(tuple(map(self._seen, written)), written))

    def _seen(self, written: Written) -> Written | Flat:
        if self.keeps_inputs or not self.reads_inputs(written):
            return written
        at = written.nodes.at[written.root]
        made = Flat(f"fair {len(self.variables)}", at, _BOOLEAN, "VAR", hidden=True)
        made.next.append((self.program.root, written))
        self.variables.append(made)
        return made

    def reads_inputs(self, written: Written) -> bool:
        """Whether an expression speaks of an input, also by way of definitions."""
        known: set[Written] = set()
        waiting = [written]
        while waiting:
            for _, meant in self.program.meanings(waiting.pop()):
                if _is_input(meant) or (isinstance(meant, Running) and self.selector):
                    return True
                for each in definitions(meant):
                    if each not in known:
                        known.add(each)
                        waiting.append(each)
        return False

    def _build(self) -> None:
        count = len(self.variables)
        slots = {flat: i for i, flat in enumerate(self.variables)}
        slots.update((flat, 2 * count + i) for i, flat in enumerate(self.inputs))
        self.machine = _core.Machine(count, self.has_exit, self.symbols.wide)
        for flat in (*self.variables, *self.inputs):
            self._declare(flat)
        self.compiler = Compiler(self.program, self.machine, self.symbols, slots, count)
        if self.selector is not None:
            self.compiler.selector = slots[self.selector]
        initial, step = self._constraints()
        self.plans = {True: Plan([], []), False: Plan([], [])}
        """For initial states (True), and for steps."""
        self._plan(self._rules(initial=True), initial, initial=True)
        self._plan(self._rules(initial=False), step, initial=False)
        self.machine.seal()
        self.may_stop = bool(step)
        """Whether a state may have no successor."""

    def _declare(self, flat: Flat) -> None:
        values = flat.domain.values
        has_exit = self.has_exit and flat.section != "IVAR"
        width = flat.domain.width
        if abs(width) > PLAIN_BITS:
            if has_exit and abs(width) == WIDEST:
                raise _no_room(flat)
            self.machine.words(width, has_exit)
        elif isinstance(values, range):
            self.machine.domain(values.start, flat.domain.size, [], has_exit)
        else:
            listed = sorted(map(self.symbols.value, values))
            self.machine.domain(0, len(listed), listed, has_exit)

    def _constraints(self) -> tuple[list[int], list[int]]:
        """The parts of all constraints on initial states, and on steps."""
        initial: list[int] = []
        step: list[int] = []
        for instance in self.program.instances:
            for module in sections(instance, self.modules):
                for each in module.constraints:
                    self._constrain(each, instance, initial, step)
        return initial, step

    def _constrain(
        self, each: Constraint, instance: Instance, initial: list[int], step: list[int]
    ) -> None:
        section, root, second, at = each
        written = Written(self.nodes, root, instance)
        if section in ("JUSTICE", "COMPASSION"):
            self.condition(written, section)
            self.condition(Written(self.nodes, second, instance), section)
            return
        if section != "TRANS":
            if self.compiler.code(written).kinds & SHIFTED:
                raise Fault("P122", f"{section} can't use next", at, "write TRANS")
            if self.reads_inputs(written) and not self.keeps_inputs:
                raise Fault("P125", f"{section} can't speak of inputs", at, "write TRANS")
        code = self.compiler.code(written, shift=section != "TRANS")
        _check_condition(code, section, self.nodes.at[root])
        parts = self._split(code.number)
        self._check_exits(parts, section, at)
        if section in ("INIT", "INVAR"):
            initial += parts
        if section in ("TRANS", "INVAR"):
            step += parts

    def _check_exits(self, parts: list[int], section: str, at: int) -> None:
        """Refuses constraints that ask for EXIT where no assignment and no type has it."""
        count = len(self.variables)
        for part in parts if self.has_exit else ():
            for slot, place in asked(self.machine, part):
                inputs = slot >= 2 * count
                flat = self.inputs[slot - 2 * count] if inputs else self.variables[slot % count]
                is_chosen = slot >= count or flat.section == "IVAR"
                if is_chosen and _is_never_exit(flat, section):
                    raise _no_exit(flat, section, at if place < 0 else place)

    def condition(self, written: Written, section: str) -> Code:
        """A condition on states."""
        code = self.compiler.code(written)
        _check_condition(code, section, written.nodes.at[written.root])
        if code.kinds & SHIFTED:
            message = f"{section} can't use next"
            raise Fault("P122", message, written.nodes.at[written.root])
        return code

    def _split(self, number: int) -> list[int]:
        found = []
        waiting = [number]
        while waiting:
            each = waiting.pop()
            parts = self.compiler.conjuncts.get(each)
            if parts is None:
                found.append(each)
            else:
                waiting += reversed(parts)
        return list(dict.fromkeys(found))

    def _rules(self, *, initial: bool) -> list[_Rule]:
        rules = [self._rule(flat, initial=initial) for flat in self.variables]
        if not initial:
            slots = self.compiler.slots
            rules += [_Rule(slots[each], -1, each.at, 0, each.name) for each in self.inputs]
        return rules

    def _rule(self, flat: Flat, *, initial: bool) -> _Rule:
        compiler, count = self.compiler, len(self.variables)
        slot = compiler.slots[flat] + count
        if flat.now is not None:
            code = self._right(flat, flat.now, shift=True, ahead=False)
            right, at = code.number, _at(flat.now)
        elif initial and flat.init is not None:
            code = self._right(flat, flat.init, shift=True, ahead=False)
            right, at = code.number, _at(flat.init)
        elif initial and flat.hidden and flat.next and flat.init is None:
            right, at = compiler.constant(value=False).number, flat.at
        elif not initial and flat.section == "FROZENVAR":
            right, at = compiler.current(flat), flat.at
        elif not initial and flat.next:
            right, at = self._stepping(flat), _at(flat.next[0][1])
        elif flat.domain.has_exit:
            right, at = compiler.any_of((*flat.domain.values, EXIT)), flat.at
        else:
            return _Rule(slot, -1, flat.at, 0, flat.name)
        return _Rule(slot, right, at, compiler.reads[right] >> count << count, flat.name)

    def _right(self, flat: Flat, right: Written, *, shift: bool, ahead: bool) -> Code:
        """A right side. `ahead`: it may use next."""
        if not ahead:
            plain = self.compiler.code(right)
            if plain.kinds & SHIFTED:
                message = "next can stand on the right side of next(...) only"
                raise Fault("P122", message, _at(right))
        code = self.compiler.code(right, shift=shift)
        wanted = flat.domain.kinds
        if code.kinds & VALUES and not code.kinds & wanted:
            hint = "truth values are written TRUE and FALSE" if wanted == BOOL else None
            message = f"`{printable(flat.name)}` is {words(wanted)}, but gets {words(code.kinds)}"
            raise Fault("P125", message, _at(right), hint)
        if code.width != flat.domain.width and code.kinds & VALUES:
            message = f"`{printable(flat.name)}` gets a word of another width or sign"
            raise Fault("P125", message, _at(right), "use extend, resize, signed or unsigned")
        return code

    def _stepping(self, flat: Flat) -> int:
        """The right side for a step: of the process that makes it, or the same value again."""
        codes = [
            (process, self._right(flat, right, shift=False, ahead=True))
            for process, right in flat.next
        ]
        if self.selector is None or flat.hidden:
            return codes[0][1].number
        compiler = self.compiler
        branches = []
        for process, code in codes:
            running = Written(*self._running(process))
            branches.append((compiler.code(running).number, code.number))
        return compiler.case(branches, compiler.current(flat), flat.at)

    def _running(self, process: Instance) -> tuple[Nodes, int, Instance]:
        nodes = Nodes()
        return nodes, nodes.leaf(N.NAME, "running", flat_at(process)), process

    def _plan(self, rules: list[_Rule], constraints: list[int], *, initial: bool) -> None:
        reads = self.compiler.reads
        count = len(self.variables)
        chosen = 0
        for rule in rules:
            chosen |= 1 << rule.slot
        masks = {each: reads[each] & chosen for each in constraints}
        used = 0
        for mask in masks.values():
            used |= mask
        for rule in rules:
            used |= rule.needs
        rules = [each for each in rules if each.slot < 2 * count or used >> each.slot & 1]
        order = _ordered(rules, [mask for mask in masks.values() if mask])
        last = {rule.slot: i for i, rule in enumerate(order)}
        opened: dict[int, list[int]] = {}
        decided: dict[int, list[int]] = {}
        for each, mask in masks.items():
            places = sorted(last[slot] for slot in bits(mask))
            if not places:
                self.machine.require(initial, each)
                self.plans[initial].checks.append(each)
                continue
            decided.setdefault(places[-1], []).append(each)
            for place in places[:-1]:
                opened.setdefault(place, []).append(each)
        for i, rule in enumerate(order):
            settled = decided.get(i, [])
            self.machine.choose(initial, rule.slot, rule.right, rule.at, opened.get(i, []), settled)
            self.plans[initial].choices.append((rule.slot, rule.right, settled))


def flat_at(instance: Instance) -> int:
    """The token where an instance is declared."""
    return instance.at


def _no_room(flat: Flat) -> Fault:
    message = f"`{printable(flat.name)}` has {WIDEST} bits and may be EXIT besides"
    hint = f"words of modules with CALL or EXIT have at most {WIDEST - 1} bits"
    return Fault("P122", message, flat.at, hint)


def _is_never_exit(flat: Flat, section: str) -> bool:
    """Whether the values that a section constrains are those of the type, without EXIT."""
    if flat.domain.has_exit or flat.now is not None:
        return False
    if section == "INIT" or flat.section == "FROZENVAR":
        return flat.init is None
    return not flat.next


def _no_exit(flat: Flat, section: str, at: int) -> Fault:
    name = printable(flat.name)
    message = f"{section} asks for EXIT, but nothing gives it to `{name}`"
    if flat.section == "IVAR":
        return Fault("P138", message, at, "inputs are never EXIT: compare a variable")
    which = "init" if section == "INIT" or flat.section == "FROZENVAR" else "next"
    hint = (
        f"list EXIT in the type of `{name}`, as in {{a, b, EXIT}}, or assign {which}({name}) a set "
        f"with EXIT. {section} can stay"
    )
    return Fault("P138", message, at, hint)


def _looks_ahead(whole: Expression) -> bool:
    return N.NEXT in whole.nodes.ops[whole.span.start : whole.span.stop]


def _at(written: Written) -> int:
    return written.nodes.at[written.root]


def _is_input(meant: Entity | None) -> bool:
    if isinstance(meant, Flat):
        return meant.section == "IVAR"
    items = getattr(meant, "items", None)
    return isinstance(items, tuple) and any(map(_is_input, items))


def _put(flat: Flat, which: str, right: Written, at: int) -> None:
    process = right.instance.process
    taken = {
        "init": flat.init is not None or flat.now is not None,
        "now": flat.now is not None or flat.init is not None or bool(flat.next),
        "next": flat.now is not None or any(each is process for each, _ in flat.next),
    }
    if taken[which]:
        raise Fault("P124", f"`{printable(flat.name)}` is assigned twice", at)
    if flat.section == "FROZENVAR" and which != "init":
        message = f"`{printable(flat.name)}` never changes, but is assigned"
        raise Fault("P125", message, at, "declare it in VAR, or assign init(...) only")
    if which == "next":
        flat.next.append((process, right))
    else:
        setattr(flat, which, right)


def _check_condition(code: Code, section: str, at: int) -> None:
    if not is_condition(code.kinds & ~SHIFTED):
        found = "a set" if code.kinds & SET else words(code.kinds)
        raise Fault("P125", f"{section} needs a condition, found {found}", at)


def bits(mask: int) -> Iterable[int]:
    """The slots of a mask."""
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


def _ordered(rules: list[_Rule], masks: list[int]) -> list[_Rule]:
    """Each rule after those of the slots that it needs, and free ones where they help most."""
    waiting = {rule.slot: rule.needs.bit_count() for rule in rules}
    users: dict[int, list[_Rule]] = {}
    for rule in rules:
        for slot in bits(rule.needs):
            users.setdefault(slot, []).append(rule)
    order: list[_Rule] = []
    done = 0
    ready = [rule for rule in rules if rule.right >= 0 and not rule.needs]
    free = {rule.slot: rule for rule in rules if rule.right < 0}
    left = list(masks)
    while ready or free:
        rule = ready.pop(0) if ready else free.pop(_best(free, left))
        order.append(rule)
        done |= 1 << rule.slot
        left = [each for each in (mask & ~done for mask in left) if each]
        for user in users.get(rule.slot, ()):
            waiting[user.slot] -= 1
            if not waiting[user.slot]:
                ready.append(user)
    if len(order) < len(rules):
        made = {rule.slot for rule in order}
        stuck = next(rule for rule in rules if rule.slot not in made)
        message = f"the value of `{printable(stuck.name)}` depends on itself"
        raise Fault("P124", message, stuck.at)
    return order


def _best(free: dict[int, _Rule], masks: list[int]) -> int:
    """A slot of the constraint with the fewest open slots. Otherwise the first."""
    best, fewest = next(iter(free)), 1 << 30
    for mask in masks:
        count = mask.bit_count()
        if count < fewest:
            slot = next((each for each in bits(mask) if each in free), None)
            if slot is not None:
                best, fewest = slot, count
                if count == 1:
                    break
    return best
