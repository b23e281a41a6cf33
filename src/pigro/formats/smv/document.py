"""A file as a whole: what it declares, the formulas that it asks for, and the model.

Reading goes: text, modules (`parser.py`), names and kinds (`kinds.py`), formulas (`formulas.py`),
states (`explore.py`), nodes and boxes (`parts.py`), arrays (`assemble.py`).
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, PigroError, Position, did_you_mean, printable
from pigro.formats.smv.assemble import assemble, nodes_of
from pigro.formats.smv.evaluate import Functions
from pigro.formats.smv.explore import Bounds, explore
from pigro.formats.smv.finder import Finder
from pigro.formats.smv.formulas import Labels
from pigro.formats.smv.grammar import expression
from pigro.formats.smv.kinds import SHIFTED, Names, is_condition, words
from pigro.formats.smv.mistakes import unexpected
from pigro.formats.smv.nodes import Expression, Nodes
from pigro.formats.smv.parser import modules
from pigro.formats.smv.parts import Part, broken_rules
from pigro.formats.smv.positions import positions
from pigro.formats.smv.text import END, Fault, Text
from pigro.formats.text import decode
from pigro.limits import unwatched
from pigro.logic import Formula, Fragment
from pigro.logic.arena import Arena
from pigro.logic.syntax import limited
from pigro.model import DeadEnds, Semantics

if TYPE_CHECKING:
    from pigro.formats.smv.parser import Module, Spec
    from pigro.limits import Poll
    from pigro.model import RSM

_MAIN = "main"
_QUOTE = '"'
_LEAVING = "read in the semantics {}: a run that leaves the initial module "
_RMV = _LEAVING.format(Semantics.RMV) + "goes on to a state without labels"
_STAYS = _LEAVING + "stays at its exit; with the semantics rmv it goes on to a state without labels"


@dataclass(frozen=True, slots=True)
class Requirement:
    """A formula that a file asks to check, with its own module as the start."""

    name: str | None
    """As given with `SPEC NAME name := ...`."""
    text: str
    """As it is written, on one line."""
    module: str
    formula: Formula
    initial: tuple[int, ...]
    """The initial states of the module, as nodes of the model."""
    line: int


class Document:
    """A file, read; the model and formulas about it are made when asked for, in any order."""

    def __init__(
        self,
        data: bytes,
        *,
        source: str | None = None,
        bounds: Bounds | None = None,
        poll: Poll = unwatched,
    ) -> None:
        poll()
        self.text = Text(decode(data, source), source)
        self.source = source
        self._bounds = bounds or Bounds()
        try:
            self._read(self._bounds, poll)
        except Fault as fault:
            raise self.text.error(fault) from None

    def _read(self, bounds: Bounds, poll: Poll) -> None:
        nodes = Nodes()
        self.modules = modules(self.text.tokens, nodes)
        self.names = Names(self.modules, nodes)
        self.names.define()
        self.functions = Functions(self.names)
        self.labels = Labels(self.names, self.functions)
        self._check_calls()
        self._specs: list[tuple[Module, Spec, Formula]] = []
        for module in self.modules.values():
            for spec in module.specs:
                whole = Expression(nodes, spec.root)
                formula = self.labels.formula(self.text, whole, module.name, spec.section)
                self._specs.append((module, spec, formula))
        self._own = dict(self.labels.atoms)
        """The conditions of the file's own formulas, which are labels of the model."""
        self.parts: dict[str, Part] = {}
        left, base = bounds, 0
        for module in self.modules.values():
            space = explore(module, self.names, self.functions, left, poll)
            part = self.parts[module.name] = Part(space, self.names, self.functions)
            base = part.place(base)
            left = Bounds(left.states - len(space.states), left.edges - len(space.sources))

    def _check_calls(self) -> None:
        nodes = self.names.nodes
        for module in self.modules.values():
            for callee, root, at in module.calls:
                if callee not in self.modules:
                    hint = did_you_mean(callee, self.modules)
                    message = f"there is no module `{printable(callee)}` to call"
                    raise Fault("P123", message, at, hint)
                kinds = self.names.value(Expression(nodes, root), module.name)
                if not is_condition(kinds) or kinds & SHIFTED:
                    message = f"expected a condition, found {words(kinds)}"
                    if is_condition(kinds & ~SHIFTED) or kinds & SHIFTED:
                        message = "a condition of a call can't use next"
                    raise Fault("P125", message, nodes.at[root])

    @property
    def start(self) -> str:
        """The module that the model starts in: `main`, or the first."""
        return _MAIN if _MAIN in self.modules else next(iter(self.modules))

    def formula(self, text: str, *, module: str | None = None) -> Formula:
        """A formula of CTL* over the variables and labels of a module (default: the start).

        Its conditions are labels that every model of this document finds (`RSM.about`). Raises
        `FormulaError` with the place in `text`.
        """
        own = Text(text, kind=FormulaError)
        try:
            whole = _whole(own.tokens)
            return self.labels.formula(own, whole, module or self.start)
        except Fault as fault:
            raise own.error(fault) from None

    def resolved(self, formula: Formula) -> Formula:
        """A formula over labels and conditions in quotes, as `formula` would write it.

        An atom that is no label of the model is read as a condition. Raises `FormulaError` if it
        is none, with the place in the atom.
        """
        own = self.names.labels | self._own.keys()
        read = {atom: self._condition(atom) for atom in formula.atoms if atom not in own}
        if not read:
            return formula
        arena = Arena()
        arena.add(formula, instead=read)
        return limited(Formula.from_arena(arena))

    def _condition(self, text: str) -> Formula:
        found = self.formula(text)
        if found.fragment is not Fragment.PROPOSITIONAL:
            message = f'expected a condition in quotes, found the formula "{printable(text)}"'
            raise FormulaError("P125", message, position=Position(text=text))
        return found

    def nodes_of(self, label: str) -> list[int] | None:
        """The declared nodes where a condition holds that is written as `formula` writes it.

        None if the label is no such condition.
        """
        if label not in self.labels.atoms:
            with suppress(PigroError):
                self.formula(label)
        atom = self.labels.atoms.get(label)
        return None if atom is None else nodes_of(self.parts, label, atom)

    def model(
        self,
        *,
        semantics: Semantics | str = Semantics.STANDARD,
        dead_ends: DeadEnds | str | None = None,
        poll: Poll = unwatched,
    ) -> RSM:
        """The model, started in the module `main` or the first one.

        In the semantics `rmv` the rules of RMV for modules hold: `InputError` P136.
        """
        poll()
        broken = None if semantics != Semantics.RMV else next(broken_rules(self.parts), None)
        if broken is not None:
            raise self.text.error(broken)
        return assemble(
            self.parts,
            self._own,
            self.start,
            semantics=semantics,
            dead_ends=dead_ends,
            source=self.source,
            conditions=Finder(Document, self.text.text, self.source, self._bounds, self),
            positions=positions(self.text, self.parts.values()),
        )

    def notes(self, semantics: Semantics | str) -> list[str]:
        """What users of a file with calls should know about how it is read.

        The semantics matters only if some module that a run starts in can be left.
        """
        if not any(part.calls for part in self.parts.values()):
            return []
        rmv = semantics == Semantics.RMV
        broken = [] if rmv else list(broken_rules(self.parts))
        more = f" (and {len(broken) - 1:,} more)" if len(broken) > 1 else ""
        lines = [f"{each.code}: {each.message}, which RMV rejects{more}" for each in broken[:1]]
        starts = {self.start, *(module.name for module, _, _ in self._specs)}
        if any(self.parts[start].space.last is not None for start in starts):
            lines.append(_RMV if rmv else _STAYS.format(Semantics(semantics)))
        return lines

    def requirements(self, model: RSM | None) -> list[Requirement]:
        """The formulas of the file, in order; `model` is one that this document made.

        Without a model they have no initial states.
        """
        written = self.text.excerpts([(spec.begin, spec.end) for _, spec, _ in self._specs])
        numbers = {
            name: () if model is None else tuple(map(model.node_of, part.entries))
            for name, part in self.parts.items()
        }
        return [
            Requirement(
                name=spec.name,
                text=text,
                module=module.name,
                formula=formula,
                initial=numbers[module.name],
                line=line,
            )
            for (module, spec, formula), (line, text) in zip(self._specs, written, strict=True)
        ]


def _whole(tokens: list[str]) -> Expression:
    """The expression that all tokens make."""
    if tokens[0] == END:
        raise Fault("P305", "the formula is empty", 0)
    if _QUOTE in tokens:  # what is inside of quotes must not be mistaken for operators
        raise unexpected(tokens, tokens.index(_QUOTE), "expected an expression")
    nodes = Nodes()
    root, end = expression(tokens, 0, nodes, chains=False, grouped=False)
    if tokens[end] != END:
        raise unexpected(tokens, end, "expected an operator or the end")
    return Expression(nodes, root)
