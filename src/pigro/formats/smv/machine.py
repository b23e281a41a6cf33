"""A component as a machine of the native core: rules for its variables, and constraints.

With processes, one is chosen for each step. Only its assignments are made. Other variables that
some process assigns keep their values. Constraints hold in all steps.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro import _core
from pigro.diagnostics import printable
from pigro.formats.smv.compiler import ExpressionCompiler
from pigro.formats.smv.declared import ComponentDeclarations
from pigro.formats.smv.exits import asked
from pigro.formats.smv.instances import (
    ModuleInstance,
    ScalarVariable,
    ScopedExpression,
)
from pigro.formats.smv.kinds import BOOL, SET, SHIFTED, VALUES, is_condition, words
from pigro.formats.smv.planning import ValueRule, planned
from pigro.formats.smv.syntax.grammar import WIDEST
from pigro.formats.smv.syntax.nodes import EXIT, ExpressionNodes, N
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Collection

    from pigro.formats.smv.native import SymbolNumbers
    from pigro.formats.smv.operators import CoreExpression
    from pigro.formats.smv.syntax.parser import Constraint, ParsedModule, ParsedSpec


class SmvComponent(ComponentDeclarations):
    """A module that runs on its own, with all that is in it, as a machine."""

    def __init__(
        self,
        module: ParsedModule,
        modules: dict[str, ParsedModule],
        nodes: ExpressionNodes,
        symbols: SymbolNumbers,
        *,
        has_exit: bool,
        keep_inputs: bool,
        left_out: Collection[ParsedSpec] = (),
    ) -> None:
        super().__init__(
            module, modules, nodes, has_exit=has_exit, keep_inputs=keep_inputs, left_out=left_out
        )
        self.symbols = symbols
        count = len(self.variables)
        slots = {flat: i for i, flat in enumerate(self.variables)}
        slots.update((flat, 2 * count + i) for i, flat in enumerate(self.inputs))
        self.machine = _core.Machine(count, self.has_exit, self.symbols.wide)
        for flat in (*self.variables, *self.inputs):
            self._declare(flat)
        self.compiler = ExpressionCompiler(self.program, self.machine, self.symbols, slots, count)
        if self.selector is not None:
            self.compiler.selector = slots[self.selector]
        initial, step = self._constraints()
        starting, stepping = self._rules(initial=True), self._rules(initial=False)
        reads = self.compiler.reads
        self.plans = {
            True: planned(starting, initial, reads, 2 * count),
            False: planned(stepping, step, reads, 2 * count),
        }
        """For initial states (True), and for steps."""
        for is_initial, plan in self.plans.items():
            for each in plan.checks:
                self.machine.require(is_initial, each)
            for (slot, right, at, _, _), opened, settled in plan.choices:
                self.machine.choose(is_initial, slot, right, at, opened, settled)
        self.machine.seal()
        self.may_stop = bool(step)
        """Whether a state may have no successor."""

    def _declare(self, flat: ScalarVariable) -> None:
        values = flat.domain.values
        has_exit = self.has_exit and flat.section != "IVAR"
        width = flat.domain.width
        if abs(width) > _core.SmvNumbers.PLAIN_BITS:
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
        for instance, module in self.program.sections:
            for each in module.constraints:
                self._constrain(each, instance, initial, step)
        return initial, step

    def _constrain(
        self, each: Constraint, instance: ModuleInstance, initial: list[int], step: list[int]
    ) -> None:
        section, root, second, at = each
        written = ScopedExpression(self.nodes, root, instance)
        if section in ("JUSTICE", "COMPASSION"):
            self.condition(written, section)
            self.condition(ScopedExpression(self.nodes, second, instance), section)
            return
        if section != "TRANS":
            if self.compiler.code(written).kinds & SHIFTED:
                raise TokenFault("P122", f"{section} can't use next", at, "write TRANS")
            if self.reads_inputs(written) and not self.keeps_inputs:
                raise TokenFault("P125", f"{section} can't speak of inputs", at, "write TRANS")
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

    def condition(self, written: ScopedExpression, section: str) -> CoreExpression:
        """A condition on states."""
        code = self.compiler.code(written)
        _check_condition(code, section, written.nodes.at[written.root])
        if code.kinds & SHIFTED:
            message = f"{section} can't use next"
            raise TokenFault("P122", message, written.nodes.at[written.root])
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

    def _rules(self, *, initial: bool) -> list[ValueRule]:
        rules = [self._rule(flat, initial=initial) for flat in self.variables]
        if not initial:
            slots = self.compiler.slots
            rules += [ValueRule(slots[each], -1, each.at, 0, each.name) for each in self.inputs]
        return rules

    def _rule(self, flat: ScalarVariable, *, initial: bool) -> ValueRule:
        compiler, count = self.compiler, len(self.variables)
        slot = compiler.slots[flat] + count
        written = flat.init if initial and flat.now is None else flat.now
        if written is not None:
            right, at = self._right(flat, written, shift=True, ahead=False).number, _at(written)
        elif initial and flat.hidden and flat.next:
            right, at = compiler.constant(value=False).number, flat.at
        elif not initial and flat.section == "FROZENVAR":
            right, at = compiler.current(flat), flat.at
        elif not initial and flat.next:
            right, at = self._stepping(flat), _at(flat.next[0][1])
        elif flat.domain.has_exit:
            right, at = compiler.any_of((*flat.domain.values, EXIT)), flat.at
        else:
            return ValueRule(slot, -1, flat.at, 0, flat.name)
        return ValueRule(slot, right, at, compiler.reads[right] >> count << count, flat.name)

    def _right(
        self, flat: ScalarVariable, right: ScopedExpression, *, shift: bool, ahead: bool
    ) -> CoreExpression:
        """A right side. `ahead`: it may use next."""
        if not ahead:
            plain = self.compiler.code(right)
            if plain.kinds & SHIFTED:
                message = "next can stand on the right side of next(...) only"
                raise TokenFault("P122", message, _at(right))
        code = self.compiler.code(right, shift=shift)
        wanted = flat.domain.kinds
        if code.kinds & VALUES and not code.kinds & wanted:
            hint = "truth values are written TRUE and FALSE" if wanted == BOOL else None
            message = f"`{printable(flat.name)}` is {words(wanted)}, but gets {words(code.kinds)}"
            raise TokenFault("P125", message, _at(right), hint)
        if code.width != flat.domain.width and code.kinds & VALUES:
            message = f"`{printable(flat.name)}` gets a word of another width or sign"
            raise TokenFault("P125", message, _at(right), "use extend, resize, signed or unsigned")
        return code

    def _stepping(self, flat: ScalarVariable) -> int:
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
            running = ScopedExpression(*self._running(process))
            branches.append((compiler.code(running).number, code.number))
        return compiler.case(branches, compiler.current(flat), flat.at)

    def _running(self, process: ModuleInstance) -> tuple[ExpressionNodes, int, ModuleInstance]:
        nodes = ExpressionNodes()
        return nodes, nodes.leaf(N.NAME, "running", flat_at(process)), process


def flat_at(instance: ModuleInstance) -> int:
    """The token where an instance is declared."""
    return instance.at


def _no_room(flat: ScalarVariable) -> TokenFault:
    message = f"`{printable(flat.name)}` has {WIDEST} bits and may be EXIT besides"
    hint = f"words of modules with CALL or EXIT have at most {WIDEST - 1} bits"
    return TokenFault("P122", message, flat.at, hint)


def _is_never_exit(flat: ScalarVariable, section: str) -> bool:
    """Whether the values that a section constrains are those of the type, without EXIT."""
    if flat.domain.has_exit or flat.now is not None:
        return False
    if section == "INIT" or flat.section == "FROZENVAR":
        return flat.init is None
    return not flat.next


def _no_exit(flat: ScalarVariable, section: str, at: int) -> TokenFault:
    name = printable(flat.name)
    message = f"{section} asks for EXIT, but nothing gives it to `{name}`"
    if flat.section == "IVAR":
        return TokenFault("P138", message, at, "inputs are never EXIT: compare a variable")
    which = "init" if section == "INIT" or flat.section == "FROZENVAR" else "next"
    hint = (
        f"list EXIT in the type of `{name}`, as in {{a, b, EXIT}}, or assign {which}({name}) a set "
        f"with EXIT. {section} can stay"
    )
    return TokenFault("P138", message, at, hint)


def _at(written: ScopedExpression) -> int:
    return written.nodes.at[written.root]


def _check_condition(code: CoreExpression, section: str, at: int) -> None:
    if not is_condition(code.kinds & ~SHIFTED):
        found = "a set" if code.kinds & SET else words(code.kinds)
        raise TokenFault("P125", f"{section} needs a condition, found {found}", at)
