"""A file as a whole: what it declares, the formulas that it asks for, and the model.

Reading goes: text, modules (`syntax`), instances (`instances.py`), expressions of the native
core (`compiler.py`), machines (`machine.py`), formulas (`formulas.py`), states (`space.py`), nodes
and boxes (`parts.py`), arrays (`assemble.py`).
"""

from __future__ import annotations

import re
import threading
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pigro.diagnostics import (
    FormulaError,
    PigroError,
    Position,
    did_you_mean,
    printable,
)
from pigro.formats.smv.assemble import assemble, nodes_of
from pigro.formats.smv.components import Part, broken_rules
from pigro.formats.smv.computed import Computed, is_large
from pigro.formats.smv.finder import Finder
from pigro.formats.smv.instances import Flat, Written, with_bases
from pigro.formats.smv.kinds import SHIFTED, is_condition, words
from pigro.formats.smv.machine import Component
from pigro.formats.smv.native import Symbols
from pigro.formats.smv.positions import positions
from pigro.formats.smv.space import Bounds, Space, TooManyStates
from pigro.formats.smv.specs.fairness import over_fair_paths
from pigro.formats.smv.specs.formulas import Atom, Labels
from pigro.formats.smv.syntax.grammar import expression
from pigro.formats.smv.syntax.mistakes import unexpected
from pigro.formats.smv.syntax.nodes import EXIT, Expression, Nodes
from pigro.formats.smv.syntax.parser import NO_ARGUMENTS, modules
from pigro.formats.smv.syntax.text import END, Fault, Text
from pigro.formats.text import decode
from pigro.limits import unwatched
from pigro.logic import Formula, Fragment
from pigro.logic.arena import Arena
from pigro.logic.printer import as_it_is, written_of
from pigro.logic.syntax import limited
from pigro.model import DeadEnds, Semantics
from pigro.model.choices import usual_dead_ends
from pigro.model.lazy import LazyRSM

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.formats.smv.instances import Instance
    from pigro.formats.smv.syntax.parser import Module, Spec
    from pigro.formats.smv.valuation import Listed
    from pigro.limits import Poll
    from pigro.model import RSM

_MAIN = "main"
_QUOTE = '"'
_MODAL = r"\b[mn]u\b|[<\[]"
"""Formulas with fixpoints or modalities have one of these."""


@dataclass(frozen=True, slots=True)
class Requirement:
    """A formula that a file asks to check, with its own module as the start."""

    name: str | None
    """As given with `SPEC NAME name := ...`."""
    text: str
    """As it is written, on one line."""
    module: str
    formula: Formula
    initial: tuple[int, ...] | None
    """The initial states of the module, as nodes of the model. None: those of the model."""
    line: int
    instance: str = ""
    """The instance that the formula is about, if it is not the outermost one."""


class Document:
    """A file, read. The model and formulas about it are made when asked for, in any order.

    No answer depends on what was asked before. Threads may share a document: one at a time reads a
    formula or lists states.
    """

    def __init__(
        self,
        data: bytes,
        *,
        source: str | None = None,
        bounds: Bounds | None = None,
        poll: Poll = unwatched,
        lists: bool = True,
    ) -> None:
        """Reads a file. Without `lists`, states are not listed even if there are few."""
        poll()
        self.text = Text(decode(data, source), source)
        self.source = source
        self._bounds = bounds or Bounds()
        self._parts: dict[str, Part] | None = None
        self._held: tuple[dict[str, Sequence[int]], list[Fault]] | None = None
        self.lock = threading.RLock()
        with self._placed():
            self._read(poll)
        if lists and not is_large(self):
            self.list_states(poll)

    def _placed(self) -> _Placed:
        return _Placed(self.text)

    def _read(self, poll: Poll) -> None:
        nodes = Nodes()
        self.modules = modules(self.text, nodes)
        self._nodes = nodes
        symbols = Symbols()
        calls = any(each.calls for each in self.modules.values())
        self.has_exit = has_exit = calls or EXIT in self.text.tokens
        listed = self._listed()
        self._faults = [fault for each in self.modules.values() for fault in each.faults]
        self.components: dict[str, Component] = {}
        for module in listed:
            made = self._component(module, symbols, poll, has_exit=has_exit)
            self.components[module.name] = made
        self.calls = {name: self._called(name) for name in self.components}
        """The calls of each component: callee, condition, token."""
        self.labels = Labels(self.components)
        self.fairness = {name: self._fair(name) for name in self.components}
        self.specs: list[tuple[str, Instance, Spec, Formula]] = []
        """The formulas of all components, each about an instance."""
        self._fair_labels = frozenset(self.labels.own)
        for name, component in self.components.items():
            for instance, spec, whole in component.specs:
                known = len(self.labels.own)
                try:
                    formula = self.labels.formula(self.text, whole, instance, name, spec.section)
                    self.specs.append((name, instance, spec, formula))
                except Fault as fault:
                    self._faults.append(fault)
                    while len(self.labels.own) > known:
                        self.labels.own.popitem()

    @property
    def faults(self) -> list[PigroError]:
        """The errors of formulas that the file states, in order. These formulas are left out."""
        without_value = () if self._parts is None or is_large(self) else self._own_nodes()[1]
        every = [*self._faults, *without_value]
        found = {(fault.at, fault.message): fault for fault in every}
        return [self.text.error(found[key]) for key in sorted(found)]

    def _listed(self) -> list[Module]:
        """The modules that run on their own."""
        for module in self.modules.values():
            for callee, _, at in module.calls:
                self._check_callee(callee, at)
        if not any(each.instances for each in self.modules.values()):
            return [
                each
                for each in self.modules.values()
                if not each.parameters or each.name == self.start
            ]
        reached = {self.start: self.modules[self.start]}
        waiting = [self.modules[self.start]]
        for module in waiting:  # grows
            for callee, _, _ in self._written_calls(module):
                if callee not in reached:
                    reached[callee] = self.modules[callee]
                    waiting.append(self.modules[callee])
        return list(reached.values())

    def _check_callee(self, callee: str, at: int) -> None:
        module = self.modules.get(callee)
        if module is None:
            hint = did_you_mean(callee, self.modules)
            message = f"there is no module `{printable(callee)}` to call"
            raise Fault("P123", message, at, hint)
        if module.parameters:
            message = f"module `{printable(callee)}` has parameters and can't be called"
            raise Fault("P137", message, at, NO_ARGUMENTS)

    def _written_calls(self, module: Module) -> Iterator[tuple[str, int, int]]:
        """The calls of a module and of those that it is made of (ISA)."""
        for each in with_bases(module, self.modules):
            yield from each.calls

    def _component(
        self, module: Module, symbols: Symbols, poll: Poll, *, has_exit: bool
    ) -> Component:
        """The component, without formulas that are wrong: some of them make variables."""
        left_out: list[Spec] = []
        while True:
            poll()
            try:
                return self._with_formulas(module, symbols, left_out, has_exit=has_exit)
            except Fault as fault:
                every = (spec for each in self.modules.values() for spec in each.specs)
                wrong = [spec for spec in every if fault.at in spec.span]
                if not wrong:
                    raise
                left_out += wrong
                self._faults.append(fault)

    def _with_formulas(
        self, module: Module, symbols: Symbols, left_out: list[Spec], *, has_exit: bool
    ) -> Component:
        make = partial(
            Component,
            module,
            self.modules,
            self._nodes,
            symbols,
            has_exit=has_exit,
            left_out=left_out,
        )
        made = make(keep_inputs=False)
        if not made.inputs or not has_exit:
            return made
        for instance, spec, whole in made.specs:
            if spec.section != "LTLSPEC":
                continue
            if made.reads_inputs(Written(whole.nodes, whole.root, instance)):
                return make(keep_inputs=True)
        return made

    def _called(self, name: str) -> list[tuple[str, int, int]]:
        component = self.components[name]
        found = []
        for callee, root, at in self._written_calls(component.module):
            code = component.compiler.code(Written(self._nodes, root, component.program.root))
            if not is_condition(code.kinds) or code.kinds & SHIFTED:
                message = f"expected a condition, found {words(code.kinds)}"
                if is_condition(code.kinds & ~SHIFTED) or code.kinds & SHIFTED:
                    message = "a condition of a call can't use next"
                raise Fault("P125", message, self._nodes.at[root])
            found.append((callee, code.number, at))
        return found

    def _fair(self, name: str) -> list[tuple[str, ...]]:
        """The labels of the fairness of a component."""
        component = self.components[name]
        found: list[tuple[str, ...]] = []
        for fair in component.fairness:
            labels = []
            for seen, written in zip(fair.conditions, fair.written, strict=True):
                text = self.labels.text_of(written, name)
                at = written.nodes.at[written.root]
                if isinstance(seen, Flat):
                    text, number = f"before: {text}", component.compiler.current(seen)
                else:
                    number = component.condition(seen, "FAIRNESS").number
                self.labels.own.setdefault(text, Atom(name, number, at, self.text))
                labels.append(text)
            found.append(tuple(labels))
        return found

    @property
    def parts(self) -> dict[str, Part]:
        """The components with all their states."""
        return self.list_states()

    def list_states(self, poll: Poll = unwatched) -> dict[str, Part]:
        """The components with all their states, which are listed once."""
        with self.lock, self._placed():
            if self._parts is None:
                self._parts = self._listed_parts(self._bounds, poll)
            return self._parts

    def has_at_most(self, most: int, poll: Poll = unwatched) -> bool:
        """Whether there are at most so many states, and 100 times as many steps.

        Then they are listed.
        """
        bounds = Bounds(min(most, self._bounds.states), min(100 * most, self._bounds.edges))
        with self.lock, self._placed():
            if self._parts is None:
                try:
                    self._parts = self._listed_parts(bounds, poll)
                except TooManyStates:
                    return False
            spaces = [part.space for part in self._parts.values()]
        states, edges = sum(each.size for each in spaces), sum(len(each.sources) for each in spaces)
        return states <= bounds.states and edges <= bounds.edges

    def _listed_parts(self, bounds: Bounds, poll: Poll) -> dict[str, Part]:
        found: dict[str, Part] = {}
        base = 0
        for name, component in self.components.items():
            space = Space(component, bounds, poll)
            labels = self.labels.defined[name]
            part = found[name] = Part(space, labels, self.calls[name], poll)
            base = part.place(base)
            bounds = Bounds(bounds.states - space.size, bounds.edges)
        return found

    def part(self, name: str, poll: Poll = unwatched) -> Part:
        """One component with all its states. The others are not listed for it."""
        if self._parts is not None:
            return self._parts[name]
        with self._placed():
            space = Space(self.components[name], self._bounds, poll)
            return Part(space, self.labels.defined[name], self.calls[name], poll)

    @cached_property
    def valuation(self) -> Listed:
        """The values of variables in the nodes of models."""
        from pigro.formats.smv.valuation import Listed

        return Listed(list(self.parts.values()), self.text, self.lock)

    @property
    def start(self) -> str:
        """The module that the model starts in: `main`, or the first."""
        return _MAIN if _MAIN in self.modules else next(iter(self.modules))

    def formula(self, text: str, *, module: str | None = None) -> Formula:
        """A formula over the variables and labels of a module (default: the start).

        It is in CTL* or in the mu-calculus (`modal.py`). Its conditions are labels that every
        model of this document finds (`RSM.about`). With fairness it is about fair paths
        (`fairness.py`). Raises `FormulaError` with the place in `text`.
        """
        name = module or self.start
        return self._about_paths(self._written(text, name), name)

    def _written(self, text: str, name: str) -> Formula:
        """A formula about a module as it is written, whatever its paths are."""
        own, whole = read_formula(text)
        try:
            root = self.components[name].program.root
            with self.lock:
                return self.labels.formula(own, whole, root, name, None)
        except Fault as fault:
            raise own.error(fault) from None

    def _about_paths(self, formula: Formula, component: str, *, anywhere: bool = False) -> Formula:
        fairness, endless = self.fairness[component], self._may_stop(component)
        justice = [each for each in fairness if len(each) == 1]
        if len(justice) < len(fairness):  # as in NuSMV, COMPASSION does not count in CTL
            weaker = over_fair_paths(formula, justice, endless=endless, anywhere=anywhere)
            was_said = (justice or endless) and weaker == formula
            if formula.is_ctl or was_said:
                return weaker
        return over_fair_paths(formula, fairness, endless=endless, anywhere=anywhere)

    @property
    def restricts_paths(self) -> bool:
        """Whether formulas are about fair or endless paths only."""
        return any(self.fairness[name] or self._may_stop(name) for name in self.components)

    def anywhere(self, formula: Formula) -> Formula:
        """What a formula that was written means in any state of the module that models start in."""
        return self._about_paths(formula, self.start, anywhere=True)

    def meanings(self, formula: Formula) -> Iterator[Formula]:
        """What a formula may mean in the file: about the paths of each component."""
        for component in self.components:
            yield self._about_paths(formula, component)

    def _may_stop(self, component: str) -> bool:
        """Whether runs may end where no EXIT is, in the module or in one that it calls."""
        reached = [component]
        for name in reached:  # grows
            reached += {callee for callee, _, _ in self.calls[name]}.difference(reached)
        return any(map(self._has_dead_ends, reached))

    def _has_dead_ends(self, component: str) -> bool:
        if not self.components[component].may_stop:
            return False
        if is_large(self):
            return True  # for all that is known
        return self.parts[component].space.core.dead_ends > 0

    def resolved(self, formula: Formula, *, lenient: bool = False) -> Formula:
        """A formula over labels and conditions in quotes, as `formula` would write it.

        An atom that is no label of the model is read as a condition. Raises `FormulaError` if it
        is none, with the place in the atom. If `lenient`, the atom stays as it is. A formula that
        remembers its text is resolved already.
        """
        if written_of(formula) is not None:
            return formula
        own = self.labels.shared | self.labels.own.keys()
        read: dict[str, Formula] = {}
        for atom in formula.atoms:
            if atom not in own:
                with suppress(*((FormulaError,) if lenient else ())):
                    read[atom] = self._condition(atom)
        if read:
            arena = Arena()
            root = arena.add(formula, instead=read)
            formula = limited(Formula.from_arena(arena, root))
        return self._about_paths(formula, self.start)

    def _condition(self, text: str) -> Formula:
        found = self._written(text, self.start)
        if found.fragment is not Fragment.PROPOSITIONAL:
            message = f'expected a condition in quotes, found the formula "{printable(text)}"'
            raise FormulaError("P125", message, position=Position(text=text))
        return found

    def atom(self, label: str) -> Atom | None:
        """The condition that is written as `formula` writes it. None if the label is none."""
        if self.labels.find(label) is None:
            with suppress(PigroError):
                self.formula(label)
        return self.labels.find(label)

    def nodes_of(self, label: str) -> Sequence[int] | None:
        """The declared nodes where a condition holds. None if the label is none."""
        atom = self.atom(label)
        if atom is None:
            return None
        try:
            with self.lock:
                return nodes_of(self.parts, label, atom)
        except Fault as fault:
            raise atom.text.error(fault) from None

    def model(
        self,
        *,
        semantics: Semantics | str = Semantics.STANDARD,
        dead_ends: DeadEnds | str | None = None,
        poll: Poll = unwatched,
    ) -> RSM:
        """The model, started in the module `main` or the first one.

        Where there may be many states, they are computed when they are needed. In the semantics
        `rmv` the rules of RMV for modules hold: `InputError` P136.
        """
        poll()
        if dead_ends is None and any(map(self._may_stop, self.components)):
            dead_ends = DeadEnds.STOP
        semantics = Semantics(semantics)
        dead_ends = DeadEnds(usual_dead_ends(semantics) if dead_ends is None else dead_ends)
        listed = dead_ends is DeadEnds.ERROR or semantics is Semantics.RMV
        make = partial(self._listed_model, semantics, dead_ends)
        if not is_large(self):
            return make(poll)
        if listed:
            model = make(poll)
            for fault in self._own_nodes()[1]:
                raise self.text.error(fault)
            return model
        return LazyRSM(
            Computed(self, make),
            semantics=semantics,
            dead_ends=dead_ends,
            source=self.source,
            conditions=self._finder,
        )

    @property
    def _finder(self) -> Finder:
        return Finder(Document, self.text.text, self.source, self._bounds, self)

    def _listed_model(self, semantics: Semantics, dead_ends: DeadEnds, poll: Poll) -> RSM:
        parts = self.list_states(poll)
        broken = None if semantics is not Semantics.RMV else next(broken_rules(parts), None)
        if broken is not None:
            raise self.text.error(broken)
        for name, part in parts.items():
            if not part.space.initial:
                raise self.no_start(name)
        return assemble(
            parts,
            self._own_nodes(poll)[0],
            self.start,
            semantics=semantics,
            dead_ends=dead_ends,
            source=self.source,
            conditions=self._finder,
            positions=positions(self.text, parts.values()),
            poll=poll,
        )

    def no_start(self, name: str) -> PigroError:
        """The error for a module without initial states."""
        message = f"module `{printable(name)}` has no initial state"
        hint = "INIT, INVAR and init(...) exclude each other"
        return self.text.error(Fault("P126", message, self.modules[name].at, hint))

    def _own_nodes(self, poll: Poll = unwatched) -> tuple[dict[str, Sequence[int]], list[Fault]]:
        """The nodes of the conditions of the file's own formulas, and faults of those without."""
        with self.lock:
            if self._held is None:
                self._held = self._evaluated(poll)
            return self._held

    def _evaluated(self, poll: Poll) -> tuple[dict[str, Sequence[int]], list[Fault]]:
        parts = self.list_states(poll)
        found, faults = {}, []
        for label, atom in self.labels.own.items():
            try:
                found[label] = nodes_of(parts, label, atom, poll)
            except Fault as fault:
                if label in self._fair_labels:
                    raise self.text.error(fault) from None
                faults.append(fault)
        return found, faults

    def notes(self) -> list[str]:
        """What users should know about how the file is read."""
        from pigro.formats.smv.notes import notes_on

        return notes_on(self)

    @property
    def has_calls(self) -> bool:
        """Whether modules call others."""
        return any(self.calls.values())

    @property
    def fault_notes(self) -> list[str]:
        """That formulas of the file can't be checked."""
        from pigro.formats.smv.notes import fault_notes

        return list(fault_notes(self))

    def requirements(self, model: RSM | None) -> list[Requirement]:
        """The formulas of the file, in order. `model` is one that this document made.

        Without a model they have no initial states. Raises the error of the first formula that is
        wrong, if one is.
        """
        for error in self.faults:
            raise error
        return self.stated(model)

    def stated(self, model: RSM | None) -> list[Requirement]:
        """The same without the formulas that are wrong."""
        numbers: dict[str, tuple[int, ...]] = {}
        plain = set()  # the components whose formulas are about all paths
        for name in self.components:
            if model is None or not (self.fairness[name] or self._may_stop(name)):
                plain.add(name)
            if model is not None and model.on_demand is None:
                entries = self.parts[name].entries
                numbers[name] = tuple(map(model.node_of, entries))
        found = []
        for name, instance, spec, formula in self.specs:
            line, text = self.text.excerpt(spec.begin, spec.end)
            about = formula
            if name not in plain and spec.section != "INVARSPEC":
                about = self._about_paths(formula, name)
            elif model is not None:
                about = as_it_is(formula)
            found.append(
                Requirement(
                    name=spec.name,
                    text=text,
                    module=name,
                    formula=about,
                    initial=numbers.get(name, () if model is None else None),
                    line=line,
                    instance=instance.path,
                )
            )
        return found


class _Placed:
    """Gives faults of the file their place."""

    def __init__(self, text: Text) -> None:
        self._text = text

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: object, _trace: object) -> None:
        if isinstance(error, Fault):
            raise self._text.error(error) from None


def read_formula(text: str) -> tuple[Text, Expression]:
    """A formula that is not in the file, as tokens and as an expression. Raises `FormulaError`."""
    own = Text(text, kind=FormulaError)
    try:
        return own, whole_expression(own)
    except Fault as fault:
        error = own.error(fault)
    if re.search(_MODAL, text) is not None:
        from pigro.formats.smv.syntax.modal import ModalText

        modal = ModalText(text)
        if modal.heads:
            try:
                return modal, modal.checked(whole_expression(modal))
            except Fault as fault:
                error = modal.error(fault)
    raise error from None


def whole_expression(text: Text) -> Expression:
    """The expression that all tokens make."""
    tokens = text.tokens
    if tokens[0] == END:
        raise Fault("P305", "the formula is empty", 0)
    if _QUOTE in tokens:  # text inside of quotes must not be mistaken for operators
        raise unexpected(tokens, tokens.index(_QUOTE), "expected an expression")
    nodes = Nodes()
    root, end = expression(text, 0, nodes, chains=False, grouped=False)
    if tokens[end] != END:
        raise unexpected(tokens, end, "expected an operator or the end")
    return Expression(nodes, root)
