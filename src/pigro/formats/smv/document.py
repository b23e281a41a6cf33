"""A file as a whole: what it declares, the formulas that it asks for, and the model.

Reading goes from stage to stage. Each ends before the next begins, and leaves a record:

1. tokens (`syntax/text.py`), and modules as expressions (`syntax/parser.py`)
2. components (`modules.py`): the instances of each (`instances.py`), and its machine
   (`machine.py`), for which expressions are compiled where they are used (`compiler.py`)
3. formulas and fairness over labels (`specs/stated.py`)
4. states, if there are few (`listing.py`), as nodes and boxes (`components.py`). A model has them
   as arrays (`assemble.py`), or computes them (`module_states.py`)
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pigro.diagnostics import (
    FormulaError,
    PigroError,
    Position,
    printable,
)
from pigro.formats.smv.assemble import assemble
from pigro.formats.smv.components import ComponentStates, broken_rules
from pigro.formats.smv.finder import NodeFinder
from pigro.formats.smv.listing import ListedValues, StateListing
from pigro.formats.smv.module_states import StatesOnDemand, is_large
from pigro.formats.smv.modules import components_of
from pigro.formats.smv.space import ListingBounds
from pigro.formats.smv.specs.fairness import FairPaths
from pigro.formats.smv.specs.stated import stated_in
from pigro.formats.smv.syntax.formula import read_formula
from pigro.formats.smv.syntax.nodes import ExpressionNodes
from pigro.formats.smv.syntax.parser import modules
from pigro.formats.smv.syntax.text import TokenFault, TokenText, placed
from pigro.formats.text import decode
from pigro.limits import no_poll
from pigro.logic import Formula, Fragment
from pigro.logic.arena import Arena
from pigro.logic.printer import as_it_is, written_of
from pigro.logic.syntax import limited
from pigro.model import DeadEnds, Semantics
from pigro.model.choices import usual_dead_ends
from pigro.model.space import StateSpace

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from pigro.formats.smv.specs.formulas import ComponentCondition
    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.model.space import Model


@dataclass(frozen=True, slots=True)
class StatedFormula:
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


class SmvDocument:
    """A file, read. The model and formulas about it are made when asked for, in any order.

    No answer depends on what was asked before. Threads may share a document: one at a time reads a
    formula or lists states.
    """

    def __init__(
        self,
        data: bytes,
        *,
        source: str | None = None,
        bounds: ListingBounds | None = None,
        poll: Poll = no_poll,
        lists: bool = True,
    ) -> None:
        """Reads a file. Without `lists`, states are not listed even if there are few."""
        poll()
        nodes = ExpressionNodes()
        self.text, self.source = TokenText(decode(data, source), source), source
        with placed(self.text):
            self.modules = modules(self.text, nodes)
            components = components_of(self.text, self.modules, nodes, poll)
            stated = stated_in(self.text, components.named)
        self.start, self.has_exit, self.components, self.calls, _ = components
        self.labels, self.fairness, _, self.specs, _ = stated
        self._faults = (*components.faults, *stated.faults)
        self.has_calls = any(self.calls.values())
        """Whether modules call others."""
        self.is_large = is_large(components)
        """Whether states are computed on demand."""
        bounds = bounds or ListingBounds()
        self.listing = StateListing(self.text, components, stated, bounds)
        self.lock = self.listing.lock
        if lists and not self.is_large:
            self.listing.parts(poll)
        self.paths = FairPaths(components, self.fairness, None if self.is_large else self.listing)
        self._finder = NodeFinder(SmvDocument, self.text.text, source, bounds, self)

    @property
    def faults(self) -> list[PigroError]:
        """The errors of formulas that the file states, in order. These formulas are left out."""
        is_known = self.listing.made is not None and not self.is_large
        every = (*self._faults, *(self.listing.own_nodes().faults if is_known else ()))
        found = {(fault.at, fault.message): fault for fault in every}
        return [self.text.error(found[key]) for key in sorted(found)]

    @property
    def parts(self) -> dict[str, ComponentStates]:
        """The components with all their states."""
        return self.listing.parts()

    @cached_property
    def valuation(self) -> ListedValues:
        """The values of variables in the nodes of models."""
        return ListedValues(list(self.parts.values()), self.text, self.lock)

    def formula(self, text: str, *, module: str | None = None) -> Formula:
        """A formula over the variables and labels of a module (default: the start).

        It is in CTL* or in the mu-calculus (`modal.py`). Its conditions are labels that every
        model of this document finds (`RSM.about`). With fairness it is about fair paths
        (`fairness.py`). Raises `FormulaError` with the place in `text`.
        """
        name = module or self.start
        return self.paths.about(self._written(text, name), name)

    def _written(self, text: str, name: str) -> Formula:
        """A formula about a module as it is written, whatever its paths are."""
        own, whole = read_formula(text)
        try:
            root = self.components[name].program.root
            with self.lock:
                return self.labels.formula(own, whole, root, name, None)
        except TokenFault as fault:
            raise own.error(fault) from None

    @property
    def restricts_paths(self) -> bool:
        """Whether formulas are about fair or endless paths only."""
        return any(map(self.paths.are_some, self.components))

    def anywhere(self, formula: Formula) -> Formula:
        """What a formula that was written means in any state of the module that models start in."""
        return self.paths.about(formula, self.start, anywhere=True)

    def meanings(self, formula: Formula) -> Iterator[Formula]:
        """What a formula may mean in the file: about the paths of each component."""
        for component in self.components:
            yield self.paths.about(formula, component)

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
        return self.paths.about(formula, self.start)

    def _condition(self, text: str) -> Formula:
        found = self._written(text, self.start)
        if found.fragment is not Fragment.PROPOSITIONAL:
            message = f'expected a condition in quotes, found the formula "{printable(text)}"'
            raise FormulaError("P125", message, position=Position(text=text))
        return found

    def atom(self, label: str) -> ComponentCondition | None:
        """The condition that is written as `formula` writes it. None if the label is none."""
        if self.labels.find(label) is None:
            with suppress(PigroError):
                self.formula(label)
        return self.labels.find(label)

    def nodes_of(self, label: str) -> Sequence[int] | None:
        """The declared nodes where a condition holds. None if the label is none."""
        atom = self.atom(label)
        return None if atom is None else self.listing.nodes(label, atom)

    def model(
        self,
        *,
        semantics: Semantics | str = Semantics.STANDARD,
        dead_ends: DeadEnds | str | None = None,
        poll: Poll = no_poll,
    ) -> Model:
        """The model, started in the module `main` or the first one.

        Where there may be many states, they are computed when they are needed. In the semantics
        `rmv` the rules of RMV for modules hold: `InputError` P136.
        """
        poll()
        if dead_ends is None and any(map(self.paths.may_stop, self.components)):
            dead_ends = DeadEnds.STOP
        semantics = Semantics(semantics)
        dead_ends = DeadEnds(usual_dead_ends(semantics) if dead_ends is None else dead_ends)
        listed = dead_ends is DeadEnds.ERROR or semantics is Semantics.RMV
        make = partial(self._listed_model, semantics, dead_ends)
        if not self.is_large:
            return make(poll)
        if listed:
            model = make(poll)
            for fault in self.listing.own_nodes().faults:
                raise self.text.error(fault)
            return model
        return StateSpace(
            StatesOnDemand(self, make),
            semantics=semantics,
            dead_ends=dead_ends,
            source=self.source,
            conditions=self._finder,
        )

    def _listed_model(self, semantics: Semantics, dead_ends: DeadEnds, poll: Poll) -> RSM:
        parts = self.listing.parts(poll)
        broken = None if semantics is not Semantics.RMV else next(broken_rules(parts), None)
        if broken is not None:
            raise self.text.error(broken)
        for name, part in parts.items():
            if not part.space.initial:
                raise self.no_start(name)
        return assemble(
            parts,
            self.listing.own_nodes(poll).nodes,
            self.start,
            semantics=semantics,
            dead_ends=dead_ends,
            text=self.text,
            conditions=self._finder,
            poll=poll,
        )

    def no_start(self, name: str) -> PigroError:
        """The error for a module without initial states."""
        message = f"module `{printable(name)}` has no initial state"
        hint = "INIT, INVAR and init(...) exclude each other"
        return self.text.error(TokenFault("P126", message, self.modules[name].at, hint))

    def notes(self) -> list[str]:
        """What users should know about how the file is read."""
        from pigro.formats.smv.notes import notes_on

        return notes_on(self, self.faults)

    @property
    def fault_notes(self) -> list[str]:
        """That formulas of the file can't be checked."""
        from pigro.formats.smv.notes import fault_notes

        return list(fault_notes(self.faults))

    def requirements(self, model: Model | None) -> list[StatedFormula]:
        """The formulas of the file, in order. `model` is one that this document made.

        Without a model they have no initial states. Raises the error of the first formula that is
        wrong, if one is.
        """
        for error in self.faults:
            raise error
        return self.stated(model)

    def stated(self, model: Model | None) -> list[StatedFormula]:
        """The same without the formulas that are wrong."""
        numbers: dict[str, tuple[int, ...]] = {}
        plain = set()  # the components whose formulas are about all paths
        for name in self.components:
            if model is None or not self.paths.are_some(name):
                plain.add(name)
            if model is not None and model.is_listed:
                entries = self.parts[name].entries
                numbers[name] = tuple(map(model.node_of, entries))
        found = []
        for name, instance, spec, formula in self.specs:
            line, text = self.text.excerpt(spec.begin, spec.end)
            about = formula
            if name not in plain and spec.section != "INVARSPEC":
                about = self.paths.about(formula, name)
            elif model is not None:
                about = as_it_is(formula)
            found.append(
                StatedFormula(
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
