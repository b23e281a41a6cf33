"""A module as formulas, for methods that list no states. See `pigro.model.lazy.formulas`."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, PigroError
from pigro.formats.smv.instances import ScopedExpression
from pigro.formats.smv.kinds import BOOL
from pigro.formats.smv.module_states import ModuleStates
from pigro.formats.smv.native import Op
from pigro.formats.smv.space import show
from pigro.formats.smv.syntax.formula import whole_expression
from pigro.formats.smv.syntax.text import TokenFault, TokenText
from pigro.limits import tick_of, watched
from pigro.model.lazy.formulas import DeclaredVariable, FormulaTerm, StepPlan, ValueChoice
from pigro.model.part import Part, check_size

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pigro.formats.smv.components import ComponentStates
    from pigro.formats.smv.document import SmvDocument
    from pigro.formats.smv.instances import ScalarVariable
    from pigro.formats.smv.machine import SmvComponent
    from pigro.limits import Poll
    from pigro.model.lazy.formulas import Packed, Value

_WAYS = 1 << 16
"""States after a state that are looked at for one that goes wrong."""


@cache
def _operators() -> dict[int, str]:
    return {number: name.lower() for name, number in vars(Op).items() if name.isupper()}


class ModuleFormulas(ModuleStates):
    """See `pigro.model.lazy.formulas.PartFormulas`. The module has no calls and no EXIT."""

    def __init__(self, document: SmvDocument, module: str) -> None:
        component = document.components[module]
        super().__init__(component, document.text, document.lock)
        self._document, self._module = document, module
        self.variables: Sequence[DeclaredVariable] = [
            _variable(each) for each in component.variables
        ]
        self.inputs: Sequence[DeclaredVariable] = [_variable(each) for each in component.inputs]
        self.initial, self.step = (self._plan(initial=each) for each in (True, False))
        self._values = _value_labels(component)
        own = dict(document.labels.defined[module])
        """Labels that are no values of variables."""
        for label, atom in document.labels.own.items():
            if atom.component == module and label not in self._values:
                own.setdefault(label, atom.number)
        self._own = own
        self.labels: tuple[str, ...] = tuple(dict.fromkeys((*self._values, *own)))
        """All labels that the part sees, as `composing.py` says."""
        self.carried: Mapping[str, str] = {
            label: flat.name for label, (flat, _) in self._values.items() if label not in own
        }

        self._listed: Part | None = None

    def listed(self, poll: Poll) -> Part:
        """See `PartFormulas`."""
        with self._lock:
            if self._listed is None:
                self._listed = self._list(poll)
            return self._listed

    def _list(self, poll: Poll) -> Part:
        made = self._document.listing.part(self._module, poll)
        space, labels = made.space, self.labels
        check_size(self._module, space.size, len(labels))
        tick_of(poll)(space.size * len(labels))
        values = bytearray(space.size * len(labels))
        for column, label in watched(enumerate(labels), poll):
            for state in self._satisfying(made, label, poll):
                values[state * len(labels) + column] = 1
        return Part.from_steps(
            self._module,
            states=[space.name(state) for state in watched(range(space.size), poll)],
            initial=range(space.initial),
            atoms=labels,
            values=values,
            sources=space.sources,
            targets=space.targets,
        )

    def _satisfying(self, made: ComponentStates, label: str, poll: Poll) -> Sequence[int]:
        known = made.labelled.get(label)
        if known is not None:
            return known
        try:
            return made.space.states(self.condition(label), poll)
        except TokenFault as fault:
            atom = self._document.labels.own.get(label)
            raise (self._document.text if atom is None else atom.text).error(fault) from None

    def _plan(self, *, initial: bool) -> StepPlan:
        checks, choices = self._component.plans[initial]
        made = [ValueChoice(rule.slot, rule.right, tuple(settled)) for rule, _, settled in choices]
        return StepPlan(tuple(checks), tuple(made))

    def term(self, number: int) -> FormulaTerm:
        """See `PartFormulas`."""
        op, args, value, _ = self.machine.term(number)
        name = _operators()[op]
        read = self._component.symbols.read(value) if name == "constant" else value
        return FormulaTerm(name, tuple(args), read)

    def condition(self, label: str) -> int:
        """See `PartFormulas`."""
        if label in self._own:
            return self._own[label]
        flat, value = self._values[label]
        with self._lock:
            current = self._component.compiler.current(flat)
            if flat.domain.kinds == BOOL:
                return current
            return self._component.compiler.equal(current, value)

    def read(self, text: str) -> int:
        """See `PartFormulas`."""
        if text in self._own or text in self._values:
            return self.condition(text)
        own = TokenText(text, kind=FormulaError)
        try:
            nodes, root = whole_expression(own)
            written = ScopedExpression(nodes, root, self._component.program.root)
            with self._lock:
                code = self._component.condition(written, "a predicate")
        except TokenFault as fault:
            raise own.error(fault) from None
        if self._component.compiler.reads[code.number] >> len(self.variables):
            raise own.error(TokenFault("P125", "a predicate can't speak of inputs", nodes.at[root]))
        return code.number

    def packed(self, state: Sequence[Value]) -> Packed:
        """See `PartFormulas`."""
        return tuple([self._component.symbols.value(each) for each in state])

    def unpacked(self, state: Packed) -> list[Value]:
        """See `PartFormulas`."""
        return [self._component.symbols.read(each) for each in state]

    def holds(self, condition: int, state: Packed) -> bool:
        """See `PartFormulas`."""
        return self.is_true(condition, state)

    def fault_after(self, state: Sequence[Value] | None) -> PigroError | None:
        """See `PartFormulas`."""
        try:
            self.after(None if state is None else self.packed(state), _WAYS)
        except PigroError as error:
            return error
        return None

    def fault_in(self, condition: int, state: Sequence[Value]) -> PigroError | None:
        """See `PartFormulas`."""
        try:
            self.holds(condition, self.packed(state))
        except PigroError as error:
            return error
        return None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ModuleFormulas) and self._how == other._how

    def __hash__(self) -> int:
        return hash(self._how)

    @property
    def _how(self) -> tuple[str, str | None, str]:
        return self._document.text.text, self._document.source, self._module

    def __reduce__(self) -> tuple[Callable[..., ModuleFormulas], tuple[object, ...]]:
        """By the text of the file: a document has functions and can't be pickled."""
        return _read_again, self._how


def _read_again(text: str, source: str | None, module: str) -> ModuleFormulas:
    from pigro.formats.smv.document import SmvDocument

    return ModuleFormulas(SmvDocument(text.encode(), source=source, lists=False), module)


def _variable(flat: ScalarVariable) -> DeclaredVariable:
    return DeclaredVariable(flat.name, flat.domain.values, flat.hidden)


def _value_labels(component: SmvComponent) -> dict[str, tuple[ScalarVariable, Value]]:
    """The labels of the values of variables that people see."""
    found: dict[str, tuple[ScalarVariable, Value]] = {}
    for flat in component.variables:
        if flat.hidden:
            continue
        if flat.domain.kinds == BOOL:
            found[flat.name] = flat, True
            continue
        for value in flat.domain.values:
            shown = value if isinstance(value, str) else show(value)
            found[f"{flat.name} = {shown}"] = flat, value
    return found
