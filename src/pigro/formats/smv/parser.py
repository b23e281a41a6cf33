"""Tokens to modules: the sections of a file. Expressions are read by `grammar.py`.

Names are not looked up here; `kinds.py` does that when all modules are known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.diagnostics import did_you_mean, printable
from pigro.formats.smv.grammar import expression, number
from pigro.formats.smv.mistakes import unexpected
from pigro.formats.smv.nodes import EXIT, Nodes
from pigro.formats.smv.text import END, Fault, found
from pigro.formats.smv.words import FAIR, RESERVED, SECTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.formats.smv.nodes import Value

BOOL, INT, SYMBOL = 1, 2, 4
"""Kinds of values, as bits; `kinds.py` has more."""


class Domain:
    """The type of a variable: its values, without EXIT."""

    __slots__ = ("_known", "kinds", "size", "values")

    def __init__(self, values: range | tuple[Value, ...]) -> None:
        self.values = values
        if isinstance(values, range):
            self.kinds = INT
            self.size = values.stop - values.start
            self._known: frozenset[tuple[type, Value]] | None = None
        else:
            self.kinds = 0
            for value in values:
                self.kinds |= kind_of(value)
            self.size = len(values)
            self._known = frozenset((type(value), value) for value in values)

    def __contains__(self, value: object) -> bool:
        if self._known is not None:
            return (type(value), value) in self._known
        return type(value) is int and self.values.start <= value < self.values.stop  # type: ignore[union-attr]


def kind_of(value: Value) -> int:
    """The kind of a constant; that of EXIT is none."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    return 0 if value == EXIT else SYMBOL


@dataclass(slots=True)
class Variable:
    """A variable, with its right sides where it is assigned."""

    name: str
    at: int
    domain: Domain
    init: int | None = None
    next: int | None = None
    now: int | None = None


@dataclass(slots=True)
class Spec:
    """A formula to check: its root, and the tokens that it is made of."""

    name: str | None
    root: int
    begin: int
    end: int
    section: str


@dataclass(slots=True)
class Module:
    """A module as it is written."""

    name: str
    at: int
    variables: dict[str, Variable] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    """Symbols of enumerations, with the token where each stands first."""
    defines: dict[str, int] = field(default_factory=dict)
    calls: list[tuple[str, int, int]] = field(default_factory=list)
    """Callee, condition, token."""
    specs: list[Spec] = field(default_factory=list)


def modules(tokens: list[str], nodes: Nodes) -> dict[str, Module]:
    """The modules of a file by name, in order."""
    return _Parser(tokens, nodes).file()


class _Parser:
    """A place in the tokens."""

    def __init__(self, tokens: list[str], nodes: Nodes) -> None:
        self.tokens = tokens
        self.nodes = nodes
        self.place = 0
        self.late: list[tuple[Module, str, str, int, int]] = []
        self.sections: dict[str, Callable[[Module], None]] = {
            "VAR": lambda module: self.repeat(module, self.variable),
            "DEFINE": lambda module: self.repeat(module, self.define),
            "CALL": lambda module: self.repeat(module, self.call),
            "ASSIGN": lambda module: self.repeat(module, self.assign),
            "SPEC": self.spec,
            "CTLSPEC": self.spec,
            "INVARSPEC": self.spec,
            "LTLSPEC": self.spec,
        }

    def file(self) -> dict[str, Module]:
        found_: dict[str, Module] = {}
        if self.tokens[0] == END:
            raise Fault("P121", "the file is empty", 0, "a file has at least one MODULE")
        while self.tokens[self.place] != END:
            self.expect("MODULE")
            at = self.place
            module = Module(self.name("the name of the module"), at)
            if module.name in found_:
                raise Fault("P124", f"two modules are named `{printable(module.name)}`", at)
            found_[module.name] = module
            if self.tokens[self.place] == "(":
                raise Fault("P122", "modules with parameters are not supported", self.place)
            self.module(module)
        return found_

    def module(self, module: Module) -> None:
        """The sections of a module, then what they assign."""
        while (word := self.tokens[self.place]) not in (END, "MODULE"):
            section = self.sections.get(word)
            if section is None:
                raise self.no_section(word)
            self.place += 1
            section(module)
        for _, which, name, root, at in self.late:
            variable = module.variables.get(name)
            if variable is None:
                hint = did_you_mean(name, module.variables)
                raise Fault("P123", f"`{printable(name)}` is not a variable", at, hint)
            taken = getattr(variable, which)
            both = which == "now" and (variable.init, variable.next) != (None, None)
            if taken is not None or both or (which != "now" and variable.now is not None):
                raise Fault("P124", f"`{printable(name)}` is assigned twice", at)
            setattr(variable, which, root)
        self.late.clear()

    def no_section(self, word: str) -> Fault:
        if word in SECTIONS:
            hint = "Pigro reads VAR, DEFINE, CALL, ASSIGN, SPEC, CTLSPEC, INVARSPEC and LTLSPEC"
            if word in FAIR:
                hint = f"say it in the formula: LTLSPEC {FAIR[word]}"
            return Fault("P122", f"{word} is not supported", self.place, hint)
        fault = unexpected(self.tokens, self.place, "expected a section")
        fault.hint = fault.hint or did_you_mean(word.upper(), sorted((*self.sections, "MODULE")))
        return fault

    def repeat(self, module: Module, item: Callable[[Module], None]) -> None:
        """Items that end with `;`, up to the next section."""
        while (word := self.tokens[self.place]) not in SECTIONS and word != END:
            item(module)
            self.expect(";")

    def variable(self, module: Module) -> None:
        at = self.place
        name = self.fresh(module, "the name of a variable")
        self.expect(":")
        module.variables[name] = Variable(name, at, self.type(module))

    def type(self, module: Module) -> Domain:
        token = self.tokens[self.place]
        if token == "boolean":
            self.place += 1
            return Domain((False, True))
        if token == "{":
            return self.enumeration(module)
        if token == "-" or token.isdigit():
            at = self.place
            low = self.integer()
            self.expect("..")
            high = self.integer()
            if low > high:
                raise Fault("P125", f"the range {low}..{high} is empty", at)
            return Domain(range(low, high + 1))
        if token[:1].isalpha() and token not in SECTIONS:
            hint = "a type is boolean, a range such as 0..6, or a set such as {a, b}"
            raise Fault("P122", f"the type {found(token)} is not supported", self.place, hint)
        raise unexpected(self.tokens, self.place, "expected a type")

    def enumeration(self, module: Module) -> Domain:
        values: dict[tuple[type, Value], Value] = {}
        while True:
            self.place += 1
            at, token = self.place, self.tokens[self.place]
            value: Value
            if token == "-" or token.isdigit():
                value = self.integer()
            elif token in ("TRUE", "FALSE"):
                value = token == "TRUE"
                self.place += 1
            elif token == EXIT:
                value = EXIT
                self.place += 1
            else:
                value = self.name("a constant")
                if value in module.variables or value in module.defines:
                    raise Fault("P124", f"`{printable(value)}` is defined already", at)
                module.constants.setdefault(value, at)
            if (type(value), value) in values:
                raise Fault("P124", f"`{printable(token)}` stands twice in the type", at)
            values[type(value), value] = value
            if self.tokens[self.place] != ",":
                break
        self.expect("}")
        values.pop((str, EXIT), None)
        if not values:
            raise Fault("P125", "a type needs a value besides EXIT", self.place - 1)
        return Domain(tuple(values.values()))

    def integer(self) -> int:
        sign = 1
        if self.tokens[self.place] == "-":
            sign = -1
            self.place += 1
        if not self.tokens[self.place].isdigit():
            raise unexpected(self.tokens, self.place, "expected a number")
        value = sign * number(self.tokens, self.place)
        self.place += 1
        return value

    def define(self, module: Module) -> None:
        name = self.fresh(module, "the name of a definition")
        self.expect(":=")
        module.defines[name] = self.expression()

    def call(self, module: Module) -> None:
        at = self.place
        name = self.name("the name of the called module")
        self.expect(":=")
        module.calls.append((name, self.expression(), at))

    def assign(self, module: Module) -> None:
        which = self.tokens[self.place]
        if which in ("init", "next"):
            self.place += 1
            self.expect("(")
            at = self.place
            name = self.name("the name of a variable")
            self.expect(")")
        else:
            which, at = "now", self.place
            name = self.name("init, next or the name of a variable")
        self.expect(":=")
        self.late.append((module, which, name, self.expression(), at))

    def spec(self, module: Module) -> None:
        section = self.tokens[self.place - 1]
        name = None
        if self.tokens[self.place] == "NAME":
            self.place += 1
            name = self.name("the name of the formula")
            self.expect(":=")
        begin = self.place
        root = self.expression(chains=False)
        module.specs.append(Spec(name, root, begin, self.place, section))
        if self.tokens[self.place] == ";":
            self.place += 1

    def expression(self, *, chains: bool = True) -> int:
        root, self.place = expression(self.tokens, self.place, self.nodes, chains=chains)
        return root

    def fresh(self, module: Module, what: str) -> str:
        """A name that is not in use in the module."""
        at = self.place
        name = self.name(what)
        if name in module.variables or name in module.defines or name in module.constants:
            raise Fault("P124", f"`{printable(name)}` is defined already", at)
        return name

    def name(self, what: str) -> str:
        token = self.tokens[self.place]
        is_word = token.isascii() and (token[:1].isalpha() or token[:1] == "_")
        if token in RESERVED or not is_word:
            raise unexpected(self.tokens, self.place, f"expected {what}")
        if "." in token:
            raise Fault("P121", f"{found(token)} can't be a name here", self.place)
        self.place += 1
        return token

    def expect(self, token: str) -> None:
        if self.tokens[self.place] != token:
            wanted = f"expected `{token}`"
            if token == ";" and self.place:
                wanted = "expected an operator or `;`"
            raise unexpected(self.tokens, self.place, wanted)
        self.place += 1
