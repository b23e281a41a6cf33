"""Tokens to modules: the sections of a file. Expressions are read by `grammar.py`.

Names are not looked up here. `instances.py` does that when all modules are known.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pigro.diagnostics import did_you_mean, printable
from pigro.formats.smv.syntax.grammar import expression, is_number, number, sections
from pigro.formats.smv.syntax.mistakes import unexpected
from pigro.formats.smv.syntax.nodes import EXIT, ExpressionNodes
from pigro.formats.smv.syntax.text import END, TokenFault, found
from pigro.formats.smv.syntax.words import FUNCTIONS, RESERVED, SECTIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.formats.smv.syntax.nodes import Value
    from pigro.formats.smv.syntax.text import TokenText

_DEEPEST = 50
"""How deeply types of arrays may be nested."""


class ParsedType(NamedTuple):
    """A type as it is written."""

    kind: str
    """`boolean`, `set`, `range`, `word`, `array` or `instance`."""
    at: int
    values: tuple[Value, ...] = ()
    """Of a set."""
    root: int = -1
    """Of a range or an array: its bounds. Of a word: its width."""
    signed: bool = False
    inner: ParsedType | None = None
    module: str = ""
    arguments: tuple[int, ...] = ()
    process: bool = False


@dataclass(slots=True)
class ParsedVariable:
    """A variable, input or instance as it is declared."""

    name: str
    at: int
    type: ParsedType
    section: str
    """`VAR`, `IVAR` or `FROZENVAR`."""


class Assignment(NamedTuple):
    """`init(x) := e`, `next(x) := e` or `x := e`."""

    which: str
    """`init`, `next` or `now`."""
    target: int
    root: int
    at: int


class Constraint(NamedTuple):
    """INIT, TRANS, INVAR, JUSTICE, or COMPASSION with two conditions."""

    section: str
    root: int
    second: int
    at: int


@dataclass(slots=True, eq=False)
class ParsedSpec:
    """A formula to check: its root, and the tokens that it is made of."""

    name: str | None
    root: int
    begin: int
    end: int
    section: str
    context: tuple[str, int] | None = None
    """`IN name`: the instance that it is about, with the token."""

    @property
    def span(self) -> range:
        """All its tokens."""
        return range(self.begin, self.end if self.context is None else self.context[1] + 1)


@dataclass(slots=True)
class ParsedModule:
    """A module as it is written."""

    name: str
    at: int
    parameters: dict[str, int] = field(default_factory=dict)
    """With the token of each."""
    variables: dict[str, ParsedVariable] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    """Symbols of enumerations, with the token where each stands first."""
    defines: dict[str, int] = field(default_factory=dict)
    outside: list[tuple[str, int, int]] = field(default_factory=list)
    """Definitions for other instances: name with dots, expression, token."""
    calls: list[tuple[str, int, int]] = field(default_factory=list)
    """Callee, condition, token."""
    assignments: list[Assignment] = field(default_factory=list)
    constraints: list[Constraint] = field(default_factory=list)
    specs: list[ParsedSpec] = field(default_factory=list)
    faults: list[TokenFault] = field(default_factory=list)
    """Of formulas to check that could not be read. They are left out."""
    computes: list[int] = field(default_factory=list)
    """Where COMPUTE stands."""
    bases: list[tuple[str, int]] = field(default_factory=list)
    """Modules whose sections belong to this one too: ISA."""

    @property
    def instances(self) -> list[ParsedVariable]:
        """The variables that are instances of modules, or arrays of them."""
        return [each for each in self.variables.values() if each.type.kind == "instance"]


def modules(text: TokenText, nodes: ExpressionNodes) -> dict[str, ParsedModule]:
    """The modules of a file by name, in order."""
    return _Parser(text, nodes).file()


_REFUSED = {
    "PSLSPEC": "write it as LTLSPEC or CTLSPEC: `always p` is `G p`, `never p` is `G !p`, and "
    "`eventually! p` is `F p`",
    "MIRROR": "leave it out: it does not change the verdicts",
    "PRED": "leave it out: it does not change the verdicts",
    "CONSTRAINT": "write TRANS, INIT or INVAR",
    "FUN": "write DEFINE, or a module with parameters",
}


_CONSTANTS: dict[str, Value] = {"TRUE": True, "FALSE": False, EXIT: EXIT}
_SIGNS = ("-", "+")
_ENDS = SECTIONS | {END}
NO_ARGUMENTS = "a module that is called has its own variables only: write one module for each value"
_INDICES = "give the indices as a range: array 0..7 of boolean"


class _Parser:
    """A place in the tokens."""

    def __init__(self, text: TokenText, nodes: ExpressionNodes) -> None:
        self.text = text
        self.tokens = text.tokens
        self.nodes = nodes
        self.place = 0
        self.sections: dict[str, Callable[[ParsedModule], None]] = {
            "VAR": self.variables,
            "IVAR": self.variables,
            "FROZENVAR": self.variables,
            "DEFINE": lambda module: self.repeat(module, self.define),
            "MDEFINE": lambda module: self.repeat(module, self.define),
            "CALL": lambda module: self.repeat(module, self.call),
            "ASSIGN": lambda module: self.repeat(module, self.assign),
            "CONSTANTS": self.listed_constants,
            "INIT": self.constraint,
            "TRANS": self.constraint,
            "INVAR": self.constraint,
            "FAIRNESS": self.constraint,
            "JUSTICE": self.constraint,
            "COMPASSION": self.compassion,
            "ISA": self.base,
            "SPEC": self.spec,
            "CTLSPEC": self.spec,
            "INVARSPEC": self.spec,
            "LTLSPEC": self.spec,
            "PSLSPEC": self.spec,
            "COMPUTE": self.compute,
        }
        self._singly = False
        """Whether formulas are read one by one: another of the same kind may be wrong."""

    def file(self) -> dict[str, ParsedModule]:
        found_: dict[str, ParsedModule] = {}
        if self.tokens[0] == END:
            raise TokenFault("P121", "the file is empty", 0, "a file has at least one MODULE")
        while self.tokens[self.place] != END:
            if self.tokens[self.place] != "MODULE":
                raise self.no_section(self.tokens[self.place], "expected `MODULE`")
            self.place += 1
            at = self.place
            module = ParsedModule(self.name("the name of the module"), at)
            if module.name in found_:
                raise TokenFault("P124", f"two modules are named `{printable(module.name)}`", at)
            found_[module.name] = module
            if self.tokens[self.place] == "(":
                self.parameters(module)
            self.module(module)
        return found_

    def parameters(self, module: ParsedModule) -> None:
        """`(a, b)`. There may be none."""
        self.place += 1
        while self.tokens[self.place] != ")":
            at = self.place
            name = self.name("the name of a parameter")
            if name in module.parameters:
                raise TokenFault("P124", f"two parameters are named `{printable(name)}`", at)
            module.parameters[name] = at
            if self.tokens[self.place] == ",":
                self.place += 1
            elif self.tokens[self.place] != ")":
                raise unexpected(self.tokens, self.place, "expected `,` or `)`")
        self.place += 1

    def module(self, module: ParsedModule) -> None:
        """The sections of a module."""
        while (word := self.tokens[self.place]) not in (END, "MODULE"):
            section = self.sections.get(word)
            if section is None:
                raise self.no_section(word)
            self.place += 1
            section(module)

    def no_section(self, word: str, expected: str = "expected a section") -> TokenFault:
        if word in SECTIONS and expected != "expected `MODULE`":
            return TokenFault("P122", f"{word} is not supported", self.place, _REFUSED.get(word))
        fault = unexpected(self.tokens, self.place, expected)
        if word in ("#", "define", "dnl"):
            fault.hint = "the file is for a preprocessor: run `cpp -P` or `m4` first"
        fault.hint = fault.hint or did_you_mean(word.upper(), sorted((*self.sections, "MODULE")))
        return fault

    def repeat(self, module: ParsedModule, item: Callable[[ParsedModule], None]) -> None:
        """Items that end with `;`, up to the next section."""
        while self.tokens[self.place] not in _ENDS:
            item(module)
            self.expect(";")

    def variables(self, module: ParsedModule) -> None:
        section = self.tokens[self.place - 1]

        def variable(module: ParsedModule) -> None:
            at = self.place
            name = self.fresh(module, "the name of a variable", dots=True, indices=True)
            self.expect(":")
            type_ = self.type(module)
            if name in module.constants:
                raise _ambiguous(name, "a variable", at)
            module.variables[name] = ParsedVariable(name, at, type_, section)

        self.repeat(module, variable)

    def type(self, module: ParsedModule, depth: int = 0) -> ParsedType:  # noqa: C901 - a rule each
        token, at = self.tokens[self.place], self.place
        if depth > _DEEPEST:
            raise TokenFault("P129", f"the type is nested more than {_DEEPEST} levels deep", at)
        if token == "boolean":
            self.place += 1
            return ParsedType("boolean", at, (False, True))
        if token == "{":
            return ParsedType("set", at, self.enumeration(module))
        if token in ("word", "Word", "unsigned", "signed"):
            return self.word_type()
        if token == "array":
            return self.array_type(module, depth)
        if token in ("integer", "real", "clock"):
            hint = "a type is finite: give a range such as 0..6, or a set such as {a, b}"
            raise TokenFault("P122", f"the type {found(token)} is not supported", at, hint)
        if token == "process":
            self.place += 1
            return self.instance(process=True)
        after = self.tokens[self.place + 1] if token != END else END
        is_name = token[:1].isalpha() or token[:1] == "_"
        if is_name and token not in RESERVED and after in (";", "("):
            return self.instance()
        if is_name and token in RESERVED and token not in FUNCTIONS:
            raise unexpected(self.tokens, self.place, "expected a type")
        root = self.expression(in_type=True)
        if self.tokens[self.nodes.at[root]] != "..":
            raise unexpected(self.tokens, self.place, "expected `..`")
        return ParsedType("range", at, root=root)

    def instance(self, *, process: bool = False) -> ParsedType:
        at = self.place
        name = self.name("the name of a module")
        arguments = []
        if self.tokens[self.place] == "(":
            self.place += 1
            while self.tokens[self.place] != ")":
                arguments.append(self.expression())
                if self.tokens[self.place] == ",":
                    self.place += 1
                elif self.tokens[self.place] != ")":
                    raise unexpected(self.tokens, self.place, "expected an operator, `,` or `)`")
            self.place += 1
        kind = "instance"
        return ParsedType(kind, at, module=name, arguments=tuple(arguments), process=process)

    def word_type(self) -> ParsedType:
        at = self.place
        signed = self.tokens[self.place] == "signed"
        if signed or self.tokens[self.place] == "unsigned":
            self.place += 1
        if self.tokens[self.place] == "Word":
            self.place += 1
        else:
            self.expect("word")
        self.expect("[")
        root = self.expression()
        self.expect("]")
        return ParsedType("word", at, root=root, signed=signed)

    def array_type(self, module: ParsedModule, depth: int) -> ParsedType:
        at = self.place
        self.place += 1
        if self.tokens[self.place] == "word":
            raise TokenFault("P122", "arrays over words are not supported", self.place, _INDICES)
        if self.tokens[self.place] == "of":
            raise TokenFault(
                "P122", "arrays without bounds are not supported", self.place, _INDICES
            )
        root = self.expression(in_type=True)
        if self.tokens[self.nodes.at[root]] != "..":
            raise unexpected(self.tokens, self.place, "expected `..`")
        self.expect("of")
        return ParsedType("array", at, root=root, inner=self.type(module, depth + 1))

    def enumeration(self, module: ParsedModule) -> tuple[Value, ...]:
        values: dict[tuple[type, Value], Value] = {}
        tokens = self.tokens
        while True:
            self.place += 1
            at, token = self.place, tokens[self.place]
            value: Value
            if token in _SIGNS or is_number(token):
                value = self.integer()
            elif token in _CONSTANTS:
                value = _CONSTANTS[token]
                self.place += 1
            else:
                value = self.constant(module)
            key = type(value), value
            if key in values:
                raise TokenFault("P124", f"`{printable(token)}` stands twice in the type", at)
            values[key] = value
            if tokens[self.place] != ",":
                break
        self.expect("}")
        if values.keys() == {(str, EXIT)}:
            raise TokenFault("P125", "a type needs a value besides EXIT", self.place - 1)
        return tuple(values.values())

    def integer(self) -> int:
        sign = -1 if self.tokens[self.place] == "-" else 1
        self.place += self.tokens[self.place] in _SIGNS
        if not is_number(self.tokens[self.place]):
            raise unexpected(self.tokens, self.place, "expected a number")
        value = sign * number(self.tokens, self.place)
        self.place += 1
        return value

    def constant(self, module: ParsedModule) -> str:
        """The name of a constant. As in NuSMV, an instance before it may have the same name."""
        at = self.place
        name = self.name("a constant", dots=True)
        known = module.variables.get(name)
        if known is not None and known.type.kind != "instance":
            raise _ambiguous(name, "a variable", at)
        if name in module.defines:
            raise _ambiguous(name, "a definition", at)
        module.constants.setdefault(name, at)
        return name

    def listed_constants(self, module: ParsedModule) -> None:
        """CONSTANTS a, b. There may be none."""
        while self.tokens[self.place] != ";":
            at = self.place
            if self.tokens[at] in _SIGNS or is_number(self.tokens[at]):
                self.integer()
            else:
                self.constant(module)
            if self.tokens[self.place] != ",":
                break
            self.place += 1
        self.expect(";")

    def define(self, module: ParsedModule) -> None:
        at = self.place
        if "." in self.tokens[at] and self.tokens[at] not in RESERVED:
            name = self.tokens[at]
            self.place += 1
            self.expect(":=")
            module.outside.append((name, self.expression(), at))
            return
        name = self.fresh(module, "the name of a definition", indices=True)
        if name in module.constants:
            raise _ambiguous(name, "a definition", at)
        self.expect(":=")
        module.defines[name] = self.expression()

    def call(self, module: ParsedModule) -> None:
        at = self.place
        name = self.name("the name of the called module")
        if self.tokens[self.place] == "(":
            self.no_arguments(name)
        self.expect(":=")
        module.calls.append((name, self.expression(), at))

    def no_arguments(self, name: str) -> None:
        """`()` after the name of a called module."""
        self.place += 1
        at = self.place
        if self.tokens[at] != ")":
            self.expression()
            message = f"the call of `{printable(name)}` has arguments"
            raise TokenFault("P137", message, at, NO_ARGUMENTS)
        self.place += 1

    def assign(self, module: ParsedModule) -> None:
        which = self.tokens[self.place]
        if which in ("init", "next"):
            self.place += 1
            self.expect("(")
            at = self.place
            target = self.expression()
            self.expect(")")
        else:
            which, at = "now", self.place
            if self.tokens[at] in RESERVED:
                self.name("init, next or the name of a variable")
            target = self.expression()
        self.expect(":=")
        module.assignments.append(Assignment(which, target, self.expression(), at))

    def constraint(self, module: ParsedModule) -> None:
        section, at = self.tokens[self.place - 1], self.place
        section = "JUSTICE" if section == "FAIRNESS" else section
        root = self.expression()
        module.constraints.append(Constraint(section, root, root, at))
        self.optional(";")

    def compassion(self, module: ParsedModule) -> None:
        at = self.place
        self.expect("(")
        first = self.expression()
        self.expect(",")
        second = self.expression()
        self.expect(")")
        module.constraints.append(Constraint("COMPASSION", first, second, at))
        self.optional(";")

    def base(self, module: ParsedModule) -> None:
        at = self.place
        module.bases.append((self.name("the name of a module"), at))
        self.optional(";")

    def spec(self, module: ParsedModule) -> None:
        """Formulas to check. One that is wrong ends at the next section, and the file goes on."""
        begin = self.place
        try:
            self.formulas(module)
        except TokenFault as fault:
            self.place = begin
            if not self._singly:
                self._singly = True
                self.spec(module)
                return
            module.faults.append(fault)
            self.skip()

    def formulas(self, module: ParsedModule) -> None:
        section = self.tokens[self.place - 1]
        if section in _REFUSED:
            self.place -= 1
            raise self.no_section(section)
        name = None
        if self.tokens[self.place] == "NAME":
            self.place += 1
            name = self.name("the name of the formula", dots=True)
            self.expect(":=")
        found_ = []
        for root, begin, end in self.roots():
            found_.append(ParsedSpec(name, root, begin, end, section))
            name = None
        self.place = end
        if self.tokens[self.place] == "IN":
            self.place += 1
            at = self.place
            found_[-1].context = self.name("the name of an instance", dots=True), at
        self.optional(";")
        if self.tokens[self.place - 1] != ";" and self.tokens[self.place] not in _ENDS:
            raise self.no_section(self.tokens[self.place])
        module.specs += found_

    def roots(self) -> list[tuple[int, int, int]]:
        """The formula here and those of the next sections of the same kind: root, begin, end."""
        if not self._singly:
            return sections(self.text, self.place, self.nodes)
        begin = self.place
        root = self.expression(chains=False)
        return [(root, begin, self.place)]

    def compute(self, module: ParsedModule) -> None:
        """COMPUTE asks for a number, not for a verdict: it is passed by."""
        module.computes.append(self.place - 1)
        self.skip()

    def skip(self) -> None:
        """Goes on to the next section."""
        while self.tokens[self.place] not in _ENDS:
            self.place += 1

    def expression(self, *, chains: bool = True, in_type: bool = False) -> int:
        root, self.place = expression(
            self.text, self.place, self.nodes, chains=chains, in_type=in_type
        )
        return root

    def fresh(
        self, module: ParsedModule, what: str, *, dots: bool = False, indices: bool = False
    ) -> str:
        """A name that is not in use in the module. With `indices`, perhaps that of an element."""
        at = self.place
        name = self.name(what, dots=dots)
        while indices and (token := self.tokens[self.place]) in ("[", "."):
            self.place += 1
            if token == ".":
                name += "." + self.name("a name", dots=True)
                continue
            name += f"[{self.integer()}]"
            self.expect("]")
            if name.count("[") > _DEEPEST:
                raise TokenFault("P129", f"an element has more than {_DEEPEST} indices", at)
        if name in module.variables or name in module.defines or name in module.parameters:
            raise TokenFault("P124", f"`{printable(name)}` is defined already", at)
        return name

    def name(self, what: str, *, dots: bool = False) -> str:
        """A name. With `dots`, one that may hold dots, as NuSMV writes them in flat files."""
        token = self.tokens[self.place]
        is_word = token.isascii() and (token[:1].isalpha() or token[:1] == "_")
        if token in RESERVED or not is_word:
            raise unexpected(self.tokens, self.place, f"expected {what}")
        if "." in token and not dots:
            raise TokenFault("P121", f"{found(token)} can't be a name here", self.place)
        self.place += 1
        return token

    def optional(self, token: str) -> None:
        if self.tokens[self.place] == token:
            self.place += 1

    def expect(self, token: str) -> None:
        if self.tokens[self.place] != token:
            wanted = f"expected `{token}`"
            if token == ";" and self.place:
                wanted = "expected an operator or `;`"
            raise unexpected(self.tokens, self.place, wanted)
        self.place += 1


def _ambiguous(name: str, what: str, at: int) -> TokenFault:
    message = f"`{printable(name)}` is a constant, and also {what}"
    hint = "rename one of them: NuSMV refuses expressions that use such a name"
    return TokenFault("P124", message, at, hint)
