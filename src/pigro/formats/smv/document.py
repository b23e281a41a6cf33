"""A file as a whole: what it declares, the formulas that it asks for, and the model.

Reading goes: text, modules (`parser.py`), names and kinds (`kinds.py`), formulas (`formulas.py`),
states (`explore.py`), nodes and boxes (`parts.py`), arrays (`assemble.py`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, did_you_mean, printable
from pigro.formats.smv.assemble import assemble
from pigro.formats.smv.evaluate import Functions
from pigro.formats.smv.explore import Bounds, explore
from pigro.formats.smv.formulas import Labels
from pigro.formats.smv.grammar import expression
from pigro.formats.smv.kinds import SHIFTED, Names, is_condition, words
from pigro.formats.smv.mistakes import unexpected
from pigro.formats.smv.nodes import Expression, Nodes
from pigro.formats.smv.parser import modules
from pigro.formats.smv.parts import Part
from pigro.formats.smv.text import END, Fault, Text
from pigro.formats.text import decode
from pigro.limits import unwatched
from pigro.model import DeadEnds, Semantics

if TYPE_CHECKING:
    from pigro.formats.smv.parser import Module, Spec
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM

_MAIN = "main"


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
    """A file, read as far as it goes without the labels that formulas need.

    Ask for formulas first: the model has the labels of all that were asked for.
    """

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
        try:
            self._read(bounds or Bounds(), poll)
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

        Raises `FormulaError` with the place in `text`. Models made from now on have its labels.
        """
        own = Text(text, kind=FormulaError)
        try:
            whole = _whole(own.tokens)
            return self.labels.formula(own, whole, module or self.start)
        except Fault as fault:
            raise own.error(fault) from None

    def model(
        self,
        *,
        semantics: Semantics | str = Semantics.STANDARD,
        dead_ends: DeadEnds | str | None = None,
        poll: Poll = unwatched,
    ) -> RSM:
        """The model, started in the module `main` or the first one."""
        poll()
        return assemble(
            self.parts,
            self.labels.atoms,
            self.start,
            semantics=semantics,
            dead_ends=dead_ends,
            source=self.source,
        )

    def requirements(self, model: RSM | None) -> list[Requirement]:
        """The formulas of the file, in order; `model` is one that this document made.

        Without a model they have no initial states.
        """
        written = self.text.excerpts([(spec.begin, spec.end) for _, spec, _ in self._specs])
        numbers = {
            name: () if model is None else tuple(map(model.core.node_of_declared, part.entries))
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
    nodes = Nodes()
    root, end = expression(tokens, 0, nodes, chains=False, grouped=False)
    if tokens[end] != END:
        raise unexpected(tokens, end, "expected an operator or the end")
    return Expression(nodes, root)
