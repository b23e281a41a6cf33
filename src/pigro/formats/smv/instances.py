"""Modules to instances: which variables there are, and what a name means in each instance.

A module is instantiated once for each declaration of its kind. A parameter stands for the
expression that it was given, in the instance that gave it. A name is a parameter, a variable, an
array, a definition or an instance. With dots it is looked up inside of instances. Names that are
none of these are constants, which all modules of a program share.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from pigro import _core
from pigro.diagnostics import did_you_mean, printable
from pigro.formats.smv.kinds import BOOL, INT, SYMBOL, WORD
from pigro.formats.smv.syntax.grammar import WIDEST, too_wide
from pigro.formats.smv.syntax.nodes import EXIT, OPERATORS, ExpressionNodes, N
from pigro.formats.smv.syntax.text import TokenFault

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.formats.smv.syntax.nodes import Value
    from pigro.formats.smv.syntax.parser import ParsedModule, ParsedType, ParsedVariable

_DEEPEST = 100
"""Instances inside of each other, and definitions of bounds."""
_MOST = 100_000
"""Variables and instances of a program."""
SELF = "self"
RUNNING = "running"


class ValueDomain:
    """The type of a variable: its values, without EXIT."""

    __slots__ = ("_known", "has_exit", "kinds", "size", "values", "width")

    def __init__(self, values: range | tuple[Value, ...], width: int = 0) -> None:
        self.has_exit = isinstance(values, tuple) and EXIT in values
        """Whether EXIT is listed, so that a variable without right side may be EXIT."""
        if self.has_exit:
            values = tuple(each for each in values if each != EXIT)
        self.values = values
        self.width = width
        """Of a word. Negative if it is signed."""
        if isinstance(values, range):
            self.kinds = WORD if width else INT
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

    def named(self, text: str) -> Value | None:
        """The value that people write so. None if it is none of the type."""
        value: Value = {"TRUE": True, "FALSE": False}.get(text, text)
        if text.lstrip("-").isdecimal():
            value = int(text)
        return value if value in self else None


def kind_of(value: Value) -> int:
    """The kind of a constant. That of EXIT is none."""
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, int):
        return INT
    return 0 if value == EXIT else SYMBOL


class ScopedExpression(NamedTuple):
    """An expression in an instance, where names have their meaning."""

    nodes: ExpressionNodes
    root: int
    instance: ModuleInstance


@dataclass(eq=False, slots=True)
class ScalarVariable:
    """A variable or input of a program."""

    name: str
    at: int
    domain: ValueDomain
    section: str
    """`VAR`, `IVAR` or `FROZENVAR`."""
    hidden: bool = False
    init: ScopedExpression | None = None
    now: ScopedExpression | None = None
    next: list[tuple[ModuleInstance, ScopedExpression]] = field(default_factory=list)
    """The right sides with the process of each."""


class ArrayElements(NamedTuple):
    """An array."""

    low: int
    items: tuple[Entity, ...]


class ProcessRunning(NamedTuple):
    """Whether a process makes the step."""

    process: ModuleInstance


class ModuleInstance:
    """A module with its variables."""

    __slots__ = ("at", "depth", "module", "names", "parameters", "parent", "path", "process")

    def __init__(
        self,
        module: ParsedModule,
        path: str,
        at: int,
        parent: ModuleInstance | None,
        *,
        process: bool,
    ) -> None:
        self.module = module
        self.path = path
        self.at = at
        self.parent = parent
        self.depth: int = 0 if parent is None else parent.depth + 1
        self.process: ModuleInstance = self if process or parent is None else parent.process
        self.parameters: dict[str, ScopedExpression] = {}
        self.names: dict[str, Entity] = {}

    def full(self, name: str) -> str:
        """A name of the instance, as seen from the outermost one."""
        return f"{self.path}.{name}" if self.path else name


Entity = ScalarVariable | ArrayElements | ScopedExpression | ProcessRunning | ModuleInstance


class ModuleTree:
    """A module, with all instances inside of it."""

    def __init__(
        self, root: ParsedModule, modules: Mapping[str, ParsedModule], nodes: ExpressionNodes
    ) -> None:
        self.modules = modules
        self.nodes = nodes
        self.variables: list[ScalarVariable] = []
        self.instances: list[ModuleInstance] = []
        self.constants: dict[str, None] = {}
        self._opened: set[tuple[int, ModuleInstance]] = set()
        """The parameters that are being looked up."""
        self._numbers: dict[tuple[int, ModuleInstance], int] = {}
        """Definitions that were found to be numbers, by root and instance."""
        self.processes: list[ModuleInstance] = []
        """The outermost instance first. One alone where there is no process."""
        if root.parameters:
            name = next(iter(root.parameters))
            message = f"module `{printable(root.name)}` is not instantiated, but has parameters"
            hint = f"instantiate it, with a value for `{printable(name)}`"
            raise TokenFault("P122", message, root.at, hint)
        self.root = ModuleInstance(root, "", root.at, None, process=True)
        self._make(self.root)
        for instance in self.instances:
            for name, definition, at in _outside(instance, modules):
                self._define(instance, name, definition, at)
        self.sections = [
            (instance, module)
            for instance in self.instances
            for module in with_bases(instance.module, modules)
        ]
        """Each instance with its module, and with those whose sections belong to it too."""

    def _make(self, root: ModuleInstance) -> None:
        """Makes the instances, outer ones first, without recursion."""
        waiting = [root]
        while waiting:
            instance = waiting.pop()
            self.instances.append(instance)
            if instance.process is instance:
                self.processes.append(instance)
            if len(self.instances) > _MOST or instance.depth > _DEEPEST:
                raise _too_many(instance.at)
            self._check_calls(instance)
            inner = []
            instance.names[RUNNING] = ProcessRunning(instance.process)
            for module in with_bases(instance.module, self.modules):
                self.constants.update(dict.fromkeys(module.constants))
                for name, definition in module.defines.items():
                    instance.names[name] = ScopedExpression(self.nodes, definition, instance)
            for module in with_bases(instance.module, self.modules):
                for variable in module.variables.values():
                    made = self._declare(instance, variable)
                    instance.names[variable.name] = made
                    inner += [made] if isinstance(made, ModuleInstance) else []
            _gather(instance)
            waiting += reversed(inner)

    def _check_calls(self, instance: ModuleInstance) -> None:
        """Refuses calls of an instance: the others would go on without it."""
        for module in with_bases(instance.module, self.modules):
            for callee, _, at in module.calls[:1] if instance.depth else ():
                name, path = printable(instance.module.name), printable(instance.path)
                message = f"the instance `{path}` of module `{name}` calls `{printable(callee)}`"
                hint = (
                    f"write CALL in module `{printable(self.root.module.name)}`, with a condition "
                    f"on variables of `{path}`, or call `{name}`"
                )
                raise TokenFault("P137", message, at, hint)

    def _declare(self, instance: ModuleInstance, variable: ParsedVariable) -> Entity:
        name = instance.full(variable.name)
        if variable.type.kind == "instance":
            return self._instantiate(instance, variable, name)
        return self._typed(instance, variable, variable.type, name)

    def _instantiate(
        self, instance: ModuleInstance, variable: ParsedVariable, path: str
    ) -> ModuleInstance:
        type_ = variable.type
        module = self.modules.get(type_.module)
        if module is None:
            hint = did_you_mean(type_.module, self.modules)
            hint = hint or "a type is boolean, a range such as 0..6, or a set such as {a, b}"
            raise TokenFault(
                "P123", f"there is no module `{printable(type_.module)}`", type_.at, hint
            )
        outer: ModuleInstance | None = instance
        while outer is not None:
            if outer.module is module:
                message = f"module `{printable(module.name)}` contains an instance of itself"
                raise TokenFault(
                    "P124", message, type_.at, "a module that runs again is called: CALL"
                )
            outer = outer.parent
        given, wanted = len(type_.arguments), len(module.parameters)
        if given != wanted:
            needs = "1 argument" if wanted == 1 else f"{wanted} arguments"
            message = f"module `{printable(module.name)}` needs {needs}, found {given}"
            raise TokenFault("P125", message, type_.at)
        made = ModuleInstance(module, path, type_.at, instance, process=type_.process)
        for name, root in zip(module.parameters, type_.arguments, strict=True):
            made.parameters[name] = ScopedExpression(self.nodes, root, instance)
        return made

    def _typed(
        self, instance: ModuleInstance, variable: ParsedVariable, type_: ParsedType, name: str
    ) -> Entity:
        if type_.kind != "array":
            made = ScalarVariable(
                name, variable.at, self._domain(instance, type_), variable.section
            )
            if made.domain.has_exit and made.section == "IVAR":
                message = f"`{printable(name)}` is an input: inputs are never EXIT"
                raise TokenFault("P138", message, type_.at, "declare it in VAR")
            if len(self.variables) >= _MOST:
                raise _too_many(variable.at)
            self.variables.append(made)
            return made
        assert type_.inner is not None, "an array has elements"
        if type_.inner.kind == "instance":
            message = "arrays of modules are not supported"
            raise TokenFault("P122", message, type_.at, "declare the instances one by one")
        low, high = self._bounds(instance, type_)
        if high - low >= _MOST:
            raise _too_many(type_.at)
        items = [
            self._typed(instance, variable, type_.inner, f"{name}[{i}]")
            for i in range(low, high + 1)
        ]
        return ArrayElements(low, tuple(items))

    def _domain(self, instance: ModuleInstance, type_: ParsedType) -> ValueDomain:
        if type_.kind == "range":
            low, high = self._bounds(instance, type_)
            if high - low >= 1 << 62 or max(-low, high) >= 1 << 62:
                raise TokenFault("P125", f"the range {low}..{high} is too large", type_.at)
            return ValueDomain(range(low, high + 1))
        if type_.kind == "word":
            width = self.constant(ScopedExpression(self.nodes, type_.root, instance))
            if not 1 <= width <= WIDEST:
                raise too_wide(type_.at)
            if type_.signed:
                return ValueDomain(range(-1 << (width - 1), 1 << (width - 1)), -width)
            return ValueDomain(range(1 << width), width)
        return ValueDomain(type_.values)

    def _bounds(self, instance: ModuleInstance, type_: ParsedType) -> tuple[int, int]:
        left, right = self.nodes.children(type_.root)
        low = self.constant(ScopedExpression(self.nodes, left, instance))
        high = self.constant(ScopedExpression(self.nodes, right, instance))
        if low > high:
            raise TokenFault("P125", f"the range {low}..{high} is empty", type_.at)
        return low, high

    def constant(self, written: ScopedExpression, depth: int = 0) -> int:
        """The number that a constant expression stands for."""
        nodes, root, instance = written
        if depth > _DEEPEST:
            raise TokenFault("P124", "a bound is defined by way of itself", nodes.at[root])
        found: dict[int, int] = {}
        for node in range(nodes.first[root], root + 1):
            op, args = nodes.ops[node], nodes.args[node]
            if op == N.GONE:
                continue
            if op == N.CONSTANT and type(args) is int:
                found[node] = args
                continue
            if op == N.NAME:
                meant = self.look_up(instance, args)
                if isinstance(meant, ScopedExpression):
                    key = meant.root, meant.instance
                    if key not in self._numbers:
                        self._numbers[key] = self.constant(meant, depth + 1)
                    found[node] = self._numbers[key]
                    continue
            elif OPERATORS[op].is_folded:
                values = [found[each] for each in nodes.children(node)]
                value = _core.smv_folded(op, values, _LARGEST)
                if value is None:
                    raise TokenFault("P125", "the bound has no value", nodes.at[node])
                found[node] = value
                continue
            message = "expected a number, or a definition that is one"
            raise TokenFault("P125", message, nodes.at[node])
        return found[root]

    def look_up(self, instance: ModuleInstance, name: str) -> Entity | None:
        """What a name, perhaps with dots, means in an instance. None if it is no such thing."""
        if "." not in name:
            return instance if name == SELF else self._member(instance, name)
        entity: Entity | None = instance
        while isinstance(entity, ModuleInstance) and name:
            if name in entity.names:  # NuSMV declares names with dots in flat files
                return entity.names[name]
            first, _, name = name.partition(".")
            is_self = first == SELF and entity is instance
            entity = entity if is_self else self._member(entity, first)
        return None if name else entity

    def _member(self, instance: ModuleInstance, name: str) -> Entity | None:
        given = instance.parameters.get(name)
        if given is None:
            return instance.names.get(name)
        key = (given.root, given.instance)
        if key in self._opened:
            message = f"the parameter `{printable(name)}` is given by way of itself"
            raise TokenFault("P124", message, given.nodes.at[given.root])
        self._opened.add(key)
        try:
            return self.entity(given)
        finally:
            self._opened.discard(key)

    def entity(self, written: ScopedExpression) -> Entity:
        """What an expression refers to, if it is a name or an element. Otherwise the expression."""
        nodes, root, instance = written
        op = nodes.ops[root]
        found: Entity | None = None
        if op == N.NAME:
            found = self.look_up(instance, nodes.args[root])
        elif op == N.DOT:
            left, right = nodes.args[root]
            outer = self.entity(ScopedExpression(nodes, left, instance))
            if isinstance(outer, ModuleInstance):
                found = self.look_up(outer, nodes.args[right])
        elif op == N.INDEX:
            array, index = nodes.args[root]
            whole = self.entity(ScopedExpression(nodes, array, instance))
            if isinstance(whole, ArrayElements) and self._is_constant(
                ScopedExpression(nodes, index, instance)
            ):
                at = self.constant(ScopedExpression(nodes, index, instance)) - whole.low
                if 0 <= at < len(whole.items):
                    found = whole.items[at]
        return written if found is None else found

    def meanings(self, written: ScopedExpression) -> Iterator[tuple[int, Entity | None]]:
        """What the names of an expression refer to, with their nodes. None for constants.

        A name after a dot is part of the node with the dot. The name of an array is part of the
        node with the index, if that is a number: `x[0]` refers to one element only.
        """
        nodes, root, instance = written
        inside = set(nodes.selected(root))
        found: list[tuple[int, Entity | None]] = []
        for node in range(root, nodes.first[root] - 1, -1):  # outer ones first
            op = nodes.ops[node]
            is_element = op == N.INDEX and nodes.has_number(node)
            if not is_element and (node in inside or op not in (N.NAME, N.DOT)):
                continue
            whole = ScopedExpression(nodes, node, instance)
            meant: Entity | None = self.entity(whole)
            meant = None if meant is whole else meant
            if is_element and meant is not None:
                inside.add(nodes.args[node][0])
            if node not in inside:
                found.append((node, meant))
        return reversed(found)

    def _is_constant(self, written: ScopedExpression) -> bool:
        try:
            self.constant(written)
        except TokenFault:
            return False
        return True

    def _define(self, instance: ModuleInstance, name: str, root: int, at: int) -> None:
        """A definition for an instance inside, or one given as a parameter."""
        outer, _, last = name.rpartition(".")
        owner = self.look_up(instance, outer)
        if owner is None:  # a name with dots
            owner, last = instance, name
        if not isinstance(owner, ModuleInstance):
            raise TokenFault("P123", f"`{printable(outer)}` is not an instance", at)
        if last in owner.names or last in owner.parameters:
            raise TokenFault("P124", f"`{printable(name)}` is defined already", at)
        owner.names[last] = ScopedExpression(self.nodes, root, instance)


_Steps = tuple[int | str, ...]
"""The way to an element after the name of its array: indices, and names after dots."""


def _gather(instance: ModuleInstance) -> None:
    """Makes arrays of elements that are declared one by one, as in `x[0] : boolean;`."""
    found: dict[str, dict[_Steps, Entity]] = {}
    for name, made in instance.names.items():
        base, bracket, rest = name.partition("[")
        if bracket:
            found.setdefault(base, {})[_steps(rest)] = made
    for base, elements in found.items():
        if base in instance.names:
            raise _whole_and_elements(base, elements)
        instance.names[base] = _nested(instance, base, elements)


def _steps(rest: str) -> _Steps:
    """Of `4].b[2]`, for example: 4, b and 2."""
    steps: list[int | str] = []
    for each in rest.split("["):
        index, _, names = each.partition("]")
        steps += [int(index), names[1:]] if names else [int(index)]
    return tuple(steps)


def _nested(instance: ModuleInstance, name: str, elements: dict[_Steps, Entity]) -> Entity:
    """An array of elements by their indices. Elements with a dot are made like an instance."""
    if () in elements:
        if len(elements) > 1:
            raise _whole_and_elements(name, elements)
        return elements[()]
    rows: dict[int | str, dict[_Steps, Entity]] = {}
    for (first, *rest), made in elements.items():
        rows.setdefault(first, {})[tuple(rest)] = made
    numbers = [each for each in rows if isinstance(each, int)]
    if not numbers:
        path, at = instance.full(name), _place(elements)
        whole = ModuleInstance(instance.module, path, at, instance, process=False)
        for each, inner in rows.items():
            whole.names[str(each)] = _nested(instance, f"{name}.{each}", inner)
        return whole
    if len(numbers) < len(rows):
        message = f"`{printable(name)}` has elements with indices, and others with names"
        raise TokenFault("P124", message, _place(elements))
    low, high = min(numbers), max(numbers)
    if len(rows) <= high - low:
        gap = next(i for i in range(low, high) if i not in rows)
        message = f"the element `{printable(name)}[{gap}]` is not declared"
        raise TokenFault(
            "P123", message, _place(elements), f"declare all elements from {low} to {high}"
        )
    items = [_nested(instance, f"{name}[{i}]", rows[i]) for i in range(low, high + 1)]
    return ArrayElements(low, tuple(items))


def _whole_and_elements(name: str, elements: Mapping[_Steps, Entity]) -> TokenFault:
    message = f"`{printable(name)}` is declared as a whole and by its elements"
    hint = "rename one of them: `x` and `x[0]` are kept apart by NuSMV, but not here"
    return TokenFault("P124", message, _place(elements), hint)


def _place(elements: Mapping[_Steps, Entity]) -> int:
    """Where the last of some elements is declared."""
    *_, last = elements.values()
    while isinstance(last, ArrayElements):
        last = last.items[0]
    if isinstance(last, ScopedExpression):
        return last.nodes.at[last.root]
    assert isinstance(last, ScalarVariable | ModuleInstance), "elements are declared or defined"
    return last.at


def definitions(entity: Entity | None) -> Iterator[ScopedExpression]:
    """The definition that a name refers to, or those of all elements of an array."""
    if isinstance(entity, ScopedExpression):
        yield entity
    elif isinstance(entity, ArrayElements):
        for each in entity.items:
            yield from definitions(each)


def with_bases(module: ParsedModule, modules: Mapping[str, ParsedModule]) -> Iterator[ParsedModule]:
    """A module, and those whose sections belong to it too."""
    seen = {module.name}
    waiting = [module]
    for each in waiting:  # grows
        yield each
        for name, at in each.bases:
            if name not in modules:
                hint = did_you_mean(name, modules)
                raise TokenFault("P123", f"there is no module `{printable(name)}`", at, hint)
            if name not in seen:
                seen.add(name)
                waiting.append(modules[name])


def _outside(
    instance: ModuleInstance, modules: Mapping[str, ParsedModule]
) -> Iterator[tuple[str, int, int]]:
    for module in with_bases(instance.module, modules):
        yield from module.outside


_LARGEST = 1 << 62


def _too_many(at: int) -> TokenFault:
    message = f"the program has more than {_MOST:,} variables or instances, or they are too deep"
    return TokenFault("P128", message, at, "declare fewer, or smaller arrays")
