"""What a component declares: variables, assignments, fairness and formulas of all its instances.

With processes, one is chosen for each step. Which process makes the step is an input. Fairness may
speak of inputs, but states do not have them: then a hidden variable tells whether the condition
held in the step before, which happens as often.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import printable
from pigro.formats.smv.instances import (
    ModuleInstance,
    ModuleTree,
    ProcessRunning,
    ScalarVariable,
    ScopedExpression,
    ValueDomain,
    definitions,
)
from pigro.formats.smv.specs.inputs import without_inputs
from pigro.formats.smv.specs.past import has_past, without_past
from pigro.formats.smv.syntax.nodes import Expression, ExpressionNodes, N
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Collection

    from pigro.formats.smv.instances import Entity
    from pigro.formats.smv.syntax.parser import ParsedModule, ParsedSpec

_BOOLEAN = ValueDomain((False, True))


class FairnessCondition(NamedTuple):
    """A condition that holds again and again on fair paths. Or, with two, strong fairness."""

    conditions: tuple[ScopedExpression | ScalarVariable, ...]
    written: tuple[ScopedExpression, ...]


class ComponentDeclarations:
    """What a module that runs on its own declares, with all that is in it."""

    def __init__(
        self,
        module: ParsedModule,
        modules: dict[str, ParsedModule],
        nodes: ExpressionNodes,
        *,
        has_exit: bool,
        keep_inputs: bool,
        left_out: Collection[ParsedSpec] = (),
    ) -> None:
        self.module = module
        self.modules = modules
        self.nodes = nodes
        self.has_exit = has_exit
        self.program = ModuleTree(module, modules, nodes)
        self.keeps_inputs = keep_inputs
        declared = self.program.variables
        self.inputs = [] if keep_inputs else [e for e in declared if e.section == "IVAR"]
        self.variables = [each for each in declared if each not in set(self.inputs)]
        self.selector: ScalarVariable | None = None
        if len(self.program.processes) > 1:
            chosen = ValueDomain(range(len(self.program.processes)))
            self.selector = ScalarVariable(
                "running process", module.at, chosen, "IVAR", hidden=True
            )
            (self.variables if keep_inputs else self.inputs).append(self.selector)
        self.fairness: list[FairnessCondition] = []
        self.specs: list[tuple[ModuleInstance, ParsedSpec, Expression]] = []
        """The formulas of all instances, each in its own."""
        self._find_specs(left_out)
        self._assign()
        self._find_fairness()

    def _find_specs(self, left_out: Collection[ParsedSpec]) -> None:
        """Formulas about the past, and those of LTL about inputs, get hidden variables."""
        for instance, module in self.program.sections:
            for spec in module.specs:
                if spec not in left_out:
                    about = self._context(instance, spec)
                    self.specs.append((about, spec, self._about_states(spec, about)))

    def _about_states(self, spec: ParsedSpec, about: ModuleInstance) -> Expression:
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

    def _context(self, instance: ModuleInstance, spec: ParsedSpec) -> ModuleInstance:
        """The instance that a formula is about."""
        if spec.context is None:
            return instance
        name, at = spec.context
        found = self.program.look_up(self.program.root, name)
        if not isinstance(found, ModuleInstance):
            raise TokenFault("P123", f"`{printable(name)}` is not an instance", at)
        return found

    def _seen_before(self, whole: Expression, instance: ModuleInstance) -> Expression:
        """A condition on steps, as a hidden variable that says whether the last step met it."""
        nodes, root = whole
        name = f"step #{len(self.variables)}"
        made = ScalarVariable(instance.full(name), nodes.at[root], _BOOLEAN, "VAR", hidden=True)
        instance.names[name] = made
        begin, named = ExpressionNodes(), ExpressionNodes()
        begin.leaf(N.CONSTANT, args=True, at=nodes.at[root])
        made.init = ScopedExpression(begin, 0, instance)
        made.next.append((instance.process, ScopedExpression(nodes, root, instance)))
        self.variables.append(made)
        return Expression(named, named.leaf(N.NAME, name, nodes.at[root]))

    def _assign(self) -> None:
        for instance, module in self.program.sections:
            for which, target, root, at in module.assignments:
                right = ScopedExpression(self.nodes, root, instance)
                flat = self._target(ScopedExpression(self.nodes, target, instance), at)
                _put(flat, which, right, at)

    def _target(self, target: ScopedExpression, at: int) -> ScalarVariable:
        meant = self.program.entity(target)
        if isinstance(meant, ScalarVariable):
            if meant.section == "IVAR":
                message = f"`{printable(meant.name)}` is an input and can't be assigned"
                raise TokenFault(
                    "P125", message, at, "declare it in VAR, or constrain it with TRANS"
                )
            return meant
        nodes, root, instance = target
        name = str(nodes.args[root]) if nodes.ops[root] == N.NAME else ""
        from pigro.diagnostics import did_you_mean

        hint = did_you_mean(name, instance.names)
        if nodes.ops[root] == N.INDEX:
            hint = "an element is assigned by a constant index"
        elif isinstance(meant, ScopedExpression) and meant is not target:
            hint = None
        what = printable(name) if name else "this"
        raise TokenFault("P123", f"`{what}` is not a variable", at, hint)

    def _find_fairness(self) -> None:
        """Fairness that speaks of inputs gets hidden variables."""
        for instance, module in self.program.sections:
            for section, root, second, _ in module.constraints:
                if section not in ("JUSTICE", "COMPASSION"):
                    continue
                roots = (root,) if section == "JUSTICE" else (root, second)
                written = tuple(ScopedExpression(self.nodes, each, instance) for each in roots)
                self.fairness.append(FairnessCondition(tuple(map(self._seen, written)), written))

    def _seen(self, written: ScopedExpression) -> ScopedExpression | ScalarVariable:
        if self.keeps_inputs or not self.reads_inputs(written):
            return written
        at = written.nodes.at[written.root]
        made = ScalarVariable(f"fair {len(self.variables)}", at, _BOOLEAN, "VAR", hidden=True)
        made.next.append((self.program.root, written))
        self.variables.append(made)
        return made

    def reads_inputs(self, written: ScopedExpression) -> bool:
        """Whether an expression speaks of an input, also by way of definitions."""
        known: set[ScopedExpression] = set()
        waiting = [written]
        while waiting:
            for _, meant in self.program.meanings(waiting.pop()):
                if _is_input(meant) or (isinstance(meant, ProcessRunning) and self.selector):
                    return True
                for each in definitions(meant):
                    if each not in known:
                        known.add(each)
                        waiting.append(each)
        return False


def _looks_ahead(whole: Expression) -> bool:
    return N.NEXT in whole.nodes.ops[whole.span.start : whole.span.stop]


def _is_input(meant: Entity | None) -> bool:
    if isinstance(meant, ScalarVariable):
        return meant.section == "IVAR"
    items = getattr(meant, "items", None)
    return isinstance(items, tuple) and any(map(_is_input, items))


def _put(flat: ScalarVariable, which: str, right: ScopedExpression, at: int) -> None:
    process = right.instance.process
    taken = {
        "init": flat.init is not None or flat.now is not None,
        "now": flat.now is not None or flat.init is not None or bool(flat.next),
        "next": flat.now is not None or any(each is process for each, _ in flat.next),
    }
    if taken[which]:
        raise TokenFault("P124", f"`{printable(flat.name)}` is assigned twice", at)
    if flat.section == "FROZENVAR" and which != "init":
        message = f"`{printable(flat.name)}` never changes, but is assigned"
        raise TokenFault("P125", message, at, "declare it in VAR, or assign init(...) only")
    if which == "next":
        flat.next.append((process, right))
    else:
        setattr(flat, which, right)
