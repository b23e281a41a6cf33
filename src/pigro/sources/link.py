"""Names to functions, over all graphs: the seam between the front-end and models.

`LinkedProgram.callee` says what the call at a node calls. It is one of

- functions of the program: several where classes override a method.
- a name from outside, such as `os.open`, or `socket.socket.connect` for a method of an object that
  `socket.socket` made.
- nothing: an unknown call.

Names that are assigned several times are unknown, and so are methods that are assigned to.

What a name stands for may depend on other names. Names that depend on one another in a circle are
unknown, all of them: a question that leads back to itself ends the evaluation of every question on
the way (`_CircularName`). So an answer depends on the program only, never on earlier questions. A
cache relies on that.
"""

from __future__ import annotations

import builtins
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.sources.graph import CALL, RAISE, SET
from pigro.sources.tables import NameTable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.sources.graph import Class, Function, Guard, Module, Value

_BUILTINS = frozenset({*dir(builtins), "WindowsError"})
"""On all platforms. `WindowsError` is one on Windows only, and programs name it everywhere."""
_FRAMES = 1_000_000
_OPEN = object()
"""Marks questions that are being answered."""


class _CircularName(Exception):
    """A question leads back to itself: its key is the argument."""


class Callee(NamedTuple):
    """What a call calls."""

    functions: tuple[Function, ...] = ()
    external: str | None = None
    made: str | None = None
    """The qualified name of the class, for a constructor."""
    bound: bool = False
    """Whether the first parameter is already given: `self`."""


UNKNOWN = Callee()


class Denotation(NamedTuple):
    """What a name stands for."""

    kind: str
    """`module`, `function`, `class`, `instance`, `external`. `object`: an instance from outside."""
    name: str


@contextmanager
def deeply() -> Iterator[None]:
    """Lets names stand for one another in long chains: all calls are of functions in Python."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(max(limit, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


@dataclass
class LinkedProgram:
    """All files together."""

    modules: dict[str, Module] = field(default_factory=dict)
    functions: NameTable[Function] = field(default_factory=lambda: NameTable(_functions))
    classes: NameTable[Class] = field(default_factory=lambda: NameTable(_classes))
    _known: dict[tuple[str, str, str | int], Any] = field(default_factory=dict)
    """Answers, by the kind of question and what it is about."""
    _assignments: dict[str, dict[str, list[tuple[Function, Value]]]] = field(default_factory=dict)
    _stubs: dict[str, bool] = field(default_factory=dict)

    _plain: LinkedProgram | None = None
    """Finds bases of classes, and does so without the classes that are derived from others.

    Otherwise these would depend on themselves.
    """

    @classmethod
    def of(cls, modules: Iterable[Module]) -> LinkedProgram:
        """The program that these modules are."""
        made = cls()
        for module in modules:
            made.modules.setdefault(module.name, module)
            made.functions.add(module, module.function_names)
            made.classes.add(module, module.class_names)
        made._plain = cls(made.modules, made.functions, made.classes)
        return made

    @property
    def home(self) -> dict[str, Module]:
        """The module of each function."""
        return self.functions.home

    def know_bases(self, bases: dict[str, list[str]]) -> None:
        """Takes bases of classes that are known from an earlier run."""
        if self._plain is not None:
            self._plain.know_bases(bases)
        self._known.update({("bases", name, ""): each for name, each in bases.items()})

    def _answer(self, key: tuple[str, str, str | int], answer: Callable[[], Any], no: Any) -> Any:
        """The answer to a question, found once. `no` if it depends on itself."""
        found = self._known.get(key, self)
        if found is _OPEN:
            raise _CircularName(key)
        if found is not self:
            return found
        self._known[key] = _OPEN
        try:
            found = answer()
        except _CircularName as circle:
            self._known[key] = no
            if circle.args[0] != key:
                raise
            return no
        self._known[key] = found
        return found

    # --- classes

    def bases(self, of: Class) -> list[str]:
        """The qualified names of the classes that a class is derived from."""
        return self.bases_of(of.name)

    def bases_of(self, name: str) -> list[str]:
        """The same, for the name of a class of the program."""
        if self._plain is not None:
            return self._plain.bases_of(name)
        found: list[str]
        found = self._answer(("bases", name, ""), lambda: self._bases(self.classes[name]), [])
        return found

    def _bases(self, of: Class) -> list[str]:
        outside = self.functions.get(of.outside)
        if outside is None:
            return []
        found = []
        for each in of.bases:
            thing = self.thing(outside, each)
            found.append(thing.name if thing is not None else each)
        return found

    def order(self, name: str) -> list[str]:
        """The C3 order of a class, with itself. Classes from outside are in it by name."""
        found: list[str] = self._answer(("order", name, ""), lambda: self._order(name), [name])
        return found

    def _order(self, name: str) -> list[str]:
        if name not in self.classes:
            return [name]
        bases = self.bases_of(name)
        return [name, *_merged([*(list(self.order(each)) for each in bases), list(bases)])]

    @cached_property
    def _children(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        if self._plain is not None:
            for each in self.classes:
                for base in self.bases_of(each):
                    found.setdefault(base, []).append(each)
        return found

    def below(self, name: str) -> list[str]:
        """All classes that are derived from a class."""
        found: dict[str, None] = {}
        pending = list(self._children.get(name, ()))
        while pending:
            each = pending.pop()
            if each not in found:
                found[each] = None
                pending += self._children.get(each, ())
        return list(found)

    def method(self, cls: str, name: str, *, after: str | None = None) -> Function | None:
        """The method that a class has, by its C3 order. After a class of that order for `super`."""
        order = self.order(cls)
        if after is not None and after in order:
            order = order[order.index(after) + 1 :]
        for each in order:
            made = self.classes.get(each)
            if made is not None and name in made.methods:
                return self.functions.get(made.methods[name])
            if made is not None and name in made.attributes:
                return None
        return None

    def methods(self, cls: str, name: str) -> Callee:
        """What `self.name()` can call: the method, and those that override it."""
        first = self.method(cls, name)
        if first is None:
            outside = [each for each in self.order(cls) if each not in self.classes]
            external = outside[0] if outside and outside[0] not in {"object", "?"} else None
            return Callee(external=f"{external}.{name}") if external else UNKNOWN
        assigned = self.assignments(cls)
        if name in assigned or "__class__" in assigned:
            return UNKNOWN
        found = {first.name: first}
        for each in self.below(cls):
            made = self.classes[each].methods.get(name)
            if made is not None and made in self.functions:
                found[made] = self.functions[made]
        kept = tuple(each for each in found.values() if not self.is_stub(each))
        static = "staticmethod" in first.decorators
        return Callee(kept, bound=not static)

    def is_stub(self, function: Function) -> bool:
        """Whether a function only raises NotImplementedError, or is abstract."""
        known = self._stubs.get(function.name)
        if known is None:
            known = self._stubs[function.name] = is_stub(function)
        return known

    def assignments(self, cls: str) -> dict[str, list[tuple[Function, Value]]]:
        """What methods of a class assign to each `self.x`."""
        found = self._assignments.get(cls)
        if found is None:
            order = self.order(cls)
            found = self._assignments[cls] = {}
            for each in reversed(order):
                made = self.classes.get(each)
                for method in () if made is None else made.methods.values():
                    function = self.functions.get(method)
                    if function is not None:
                        for name, value in own_assignments(function):
                            found.setdefault(name, []).append((function, value))
        return found

    def attribute(self, cls: str, name: str) -> Denotation | None:
        """The class of the object `self.x`, if it is always the same."""
        found: Denotation | None
        found = self._answer(("attribute", cls, name), lambda: self._attribute(cls, name), None)
        return found

    def _attribute(self, cls: str, name: str) -> Denotation | None:
        rows = self.assignments(cls).get(name, ())
        things = [self.value(function, value) for function, value in rows]
        return things[0] if things and things.count(things[0]) == len(things) else None

    # --- names

    def thing(self, function: Function, path: str) -> Denotation | None:
        """What a path stands for inside a function."""
        first, _, rest = path.partition(".")
        found = self._first(function, first)
        while rest and found is not None:
            part, _, rest = rest.partition(".")
            found = self._member(found, part)
        return found

    def _first(self, function: Function, name: str) -> Denotation | None:
        key = ("name", function.name, name)
        found: Denotation | None = self._answer(key, lambda: self._looked_up(function, name), None)
        return found

    def _looked_up(self, function: Function, name: str) -> Denotation | None:
        at: Function | None = function
        if function.owner and name in function.parameters[:1]:
            if "staticmethod" in function.decorators:
                return None
            kind = "class" if "classmethod" in function.decorators else "instance"
            return Denotation(kind, function.owner)
        while at is not None:
            if at.kind != "class" or at is function:
                if name in at.imports:
                    return self._imported(at, at.imports[name])
                if name in at.assigned and name not in at.shared:
                    return self._local(at, name)
                if name in at.annotations and name in _bare(at.parameters):
                    return self._instance(at, at.annotations[name])
                if name in _bare(at.parameters):
                    return None
            if at.kind == "module":
                return self._starred(at, name) or (
                    Denotation("external", name) if name in _BUILTINS else None
                )
            at = self.functions.get(at.outside or "")
        return None

    def _local(self, at: Function, name: str) -> Denotation | None:
        if name in at.annotations:
            return self._instance(at, at.annotations[name])
        values = [each for each in at.assigned[name] if each != ("c", None)]
        if len(values) != 1 or name in _bare(at.parameters):
            return None
        if at.kind == "module" and self._is_replaced(at, name):
            return None
        value = values[0]
        if type(value) is tuple and value[0] == "f":
            return self._own(value[1])
        return self.value(at, value)

    def _own(self, name: str) -> Denotation | None:
        if name in self.classes:
            return Denotation("class", name)
        function = self.functions.get(name)
        if function is None or set(function.decorators) & {"property", "cached_property"}:
            return None
        return Denotation("function", name)

    def value(self, at: Function, value: Value) -> Denotation | None:
        """The class of a value, or what it stands for."""
        if type(value) is int:
            op = at.ops[value]
            if op is None or op[0] != CALL:
                return None
            callee = self.callee(at, value)
            if callee.made is not None:
                return Denotation("instance", callee.made)
            if callee.external is not None:
                return Denotation("object", callee.external)
            if len(callee.functions) == 1:
                text = callee.functions[0].annotations.get("return")
                if text is not None and not callee.functions[0].is_async:
                    return self._instance(callee.functions[0], text)
            return None
        if type(value) is str:
            return self.thing(at, value)
        return None

    def _instance(self, at: Function, text: str) -> Denotation | None:
        outside = self.functions.get(at.outside or "") or at
        found = self.thing(outside, text)
        if found is None:
            return None
        if found.kind == "class":
            return Denotation("instance", found.name)
        return Denotation("object", found.name) if found.kind == "external" else None

    def _imported(self, at: Function, target: str) -> Denotation | None:
        return self.absolute(self._absolute_name(at, target))

    def imported_name(self, at: Function, path: str) -> tuple[str, str] | None:
        """The module of the program that has an imported variable, and its name there.

        `at` imports what the path begins with. None for code from outside.
        """
        first, dot, rest = path.partition(".")
        name = self._absolute_name(at, at.imports[first]) + dot + rest
        seen: set[str] = set()
        while name not in seen:
            seen.add(name)
            home, _, last = name.rpartition(".")
            module = self.functions.get(home) if home in self.modules else None
            if module is None:
                return None
            if last not in module.imports:
                return home, last
            name = self._absolute_name(module, module.imports[last])
        return None

    def _absolute_name(self, at: Function, target: str) -> str:
        """An imported name without leading dots."""
        if not target.startswith("."):
            return target
        module = self.home[at.name]
        level = len(target) - len(target.lstrip("."))
        parts = module.name.split(".")
        keep = max(0, len(parts) - level + module.is_package)
        return ".".join([*parts[:keep], target.lstrip(".")])

    def absolute(self, name: str) -> Denotation | None:
        """What an absolute dotted name stands for."""
        if name in self.modules:
            return Denotation("module", name)
        parts = name.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            home = ".".join(parts[:cut])
            if home in self.modules:
                found: Denotation | None = Denotation("module", home)
                for each in parts[cut:]:
                    found = None if found is None else self._member(found, each)
                return found
        return Denotation("external", name)

    def _member(self, of: Denotation, name: str) -> Denotation | None:
        if of.kind in {"external", "object"}:
            return Denotation("external", f"{of.name}.{name}")
        if of.kind == "module":
            inner = f"{of.name}.{name}"
            if inner in self.modules:
                return Denotation("module", inner)
            module = self.functions.get(of.name)
            return None if module is None else self._first_of_module(module, name)
        if of.kind == "class":
            found = self.method(of.name, name)
            return None if found is None else Denotation("function", found.name)
        if of.kind == "instance":
            made = self.attribute(of.name, name)
            if made is not None:
                return made
            cls = self.classes.get(of.name)
            if cls is not None and name in cls.annotations:
                outside = self.functions.get(of.name)
                return None if outside is None else self._instance(outside, cls.annotations[name])
        return None

    def _first_of_module(self, module: Function, name: str) -> Denotation | None:
        key = ("member", module.name, name)
        found: Denotation | None = self._answer(key, lambda: self._of_module(module, name), None)
        return found

    def _of_module(self, module: Function, name: str) -> Denotation | None:
        if name in module.imports:
            return self._imported(module, module.imports[name])
        if name in module.assigned:
            return self._local(module, name)
        return self._starred(module, name)

    def _starred(self, module: Function, name: str) -> Denotation | None:
        """A name from `from m import *`, also if `m` has it in the same way."""
        seen = {module.name}
        pending = [*reversed(self._stars(module))]
        while pending:
            each = pending.pop()
            if each.name in seen:
                continue
            seen.add(each.name)
            if name in each.imports or name in each.assigned:
                found = self._first_of_module(each, name)
                if found is not None:
                    return found
            pending += reversed(self._stars(each))
        return None

    def _stars(self, module: Function) -> list[Function]:
        """The modules whose names a module imports with a star."""
        found: list[Function]
        found = self._answer(("stars", module.name, ""), lambda: self._find_stars(module), [])
        return found

    def _find_stars(self, module: Function) -> list[Function]:
        targets = [target for key, target in module.imports.items() if key.startswith("*")]
        homes = [self._imported(module, each.removesuffix("*").rstrip(".")) for each in targets]
        names = [each.name for each in homes if each is not None and each.kind == "module"]
        return [self.functions[each] for each in names]

    def contradicts(self, function: Function, guard: Guard) -> bool:
        """Whether a guard is about a constant of a module, and has the other outcome."""
        if guard is None or len(guard[2]) != 1 or guard[0] != guard[2][0] or "." in guard[0]:
            return False
        value = self._constant(function, guard[0])
        return value is not None and bool(value[0]) is not guard[1]

    def _constant(self, function: Function, name: str) -> tuple[object] | None:
        """The value of a name that a module assigns once. None for anything else."""
        key = ("constant", function.name, name)
        found: tuple[object] | None
        found = self._answer(key, lambda: self._find_constant(function, name), None)
        return found

    def _find_constant(self, function: Function, name: str) -> tuple[object] | None:
        at: Function | None = function
        while at is not None:
            if name in at.assigned or name in _bare(at.parameters):
                values = at.assigned.get(name, [])
                fixed = at.kind == "module" and len(values) == 1 and type(values[0]) is tuple
                if fixed and values[0][0] == "c" and not self._is_shared(at, name):
                    return (values[0][1],)
                return None
            if name in at.imports:
                target = self._absolute_name(at, at.imports[name])
                home, _, last = target.rpartition(".")
                return self._constant(self.functions[home], last) if home in self.modules else None
            at = self.functions.get(at.outside or "")
        return None

    def _is_replaced(self, module: Function, name: str) -> bool:
        """Whether some function of a module assigns to a global function of it."""
        [value] = [each for each in module.assigned[name] if each != ("c", None)]
        is_function = type(value) is tuple and value[0] == "f"
        return is_function and any(
            name in each.shared and name in each.assigned
            for each in self.home[module.name].functions
        )

    def _is_shared(self, module: Function, name: str) -> bool:
        """Whether some function of a module declares a name `global`."""
        return any(name in each.shared for each in self.home[module.name].functions)

    # --- calls

    def callee(self, function: Function, node: int) -> Callee:
        """What the call at a node calls."""
        op = function.ops[node]
        assert op is not None
        key = ("callee", function.name, node)
        found: Callee = self._answer(key, lambda: self._callee(function, op), UNKNOWN)
        return found

    def started(self, function: Function, value: Value) -> Function | None:
        """The generator or coroutine that a value is, if it was just called."""
        op = function.ops[value] if type(value) is int else None
        if op is None or op[0] != CALL:
            return None
        functions = self.callee(function, value).functions
        if len(functions) == 1 and (functions[0].is_generator or functions[0].is_async):
            return functions[0]
        return None

    def _callee(self, function: Function, op: tuple[Any, ...]) -> Callee:
        name, receiver = op[1], op[2]
        if not name:
            return UNKNOWN
        if name[0] == ".":
            return self._of_value(function, receiver, name[1:])
        home, _, last = name.rpartition(".")
        if home:
            thing = self.thing(function, home)
            if thing is None:
                return UNKNOWN
            if thing.kind == "instance":
                return self.methods(thing.name, last)
            if thing.kind == "class":
                found = self.method(thing.name, last)
                if found is not None:
                    return Callee((found,), bound="classmethod" in found.decorators)
                return UNKNOWN
            thing = self._member(thing, last)
        else:
            thing = self._first(function, name)
        return self._called(thing)

    def _called(self, thing: Denotation | None) -> Callee:
        if thing is None:
            return UNKNOWN
        if thing.kind == "function":
            return Callee((self.functions[thing.name],))
        if thing.kind == "class":
            made = self.method(thing.name, "__init__")
            outside = [each for each in self.order(thing.name) if each not in self.classes]
            external = None
            if made is None and outside and outside[0] not in {"object", "?"}:
                external = outside[0]
            return Callee((made,) if made else (), external, thing.name, bound=True)
        if thing.kind == "instance":
            return self.methods(thing.name, "__call__")
        return Callee(external=thing.name) if thing.kind == "external" else UNKNOWN

    def _of_value(self, function: Function, receiver: Value, last: str) -> Callee:
        if type(receiver) is not int:
            return UNKNOWN
        op = function.ops[receiver]
        if op is None or op[0] != CALL:
            return UNKNOWN
        if op[1] == "super":
            if function.owner is None:
                return UNKNOWN
            found = self.method(function.owner, last, after=function.owner)
            return Callee((found,), bound=True) if found is not None else UNKNOWN
        thing = self.value(function, receiver)
        if thing is None:
            return UNKNOWN
        if thing.kind == "instance":
            return self.methods(thing.name, last)
        if thing.kind == "object":
            return Callee(external=f"{thing.name}.{last}")
        return UNKNOWN


def is_stub(function: Function) -> bool:
    """Whether a function only raises NotImplementedError, or is abstract."""
    if any(each.endswith("abstractmethod") for each in function.decorators):
        return True
    ops = [op for op in function.ops if op is not None]
    return len(ops) <= 2 and any(op[:2] == (RAISE, "NotImplementedError") for op in ops)


def _functions(module: Module) -> list[Function]:
    return module.functions


def _classes(module: Module) -> list[Class]:
    return module.classes


def own_assignments(function: Function) -> Iterator[tuple[str, Value]]:
    """What a method assigns to attributes of its first parameter. None is left out."""
    if not function.parameters:
        return
    prefix = f"{function.parameters[0]}."
    for op in function.ops:
        if op is not None and op[0] == SET:
            for target, value in op[2]:
                name = target[len(prefix) :]
                is_own = target.startswith(prefix) and "." not in name and "[" not in name
                if is_own and value != ("c", None):
                    yield name, value


def _bare(parameters: list[str]) -> list[str]:
    return [each.lstrip("*") for each in parameters]


def _merged(rows: list[list[str]]) -> list[str]:
    """The merge of C3. Where there is none, whatever comes first."""
    made: list[str] = []
    rows = [row for row in rows if row]
    while rows:
        tails = {each for row in rows for each in row[1:]}
        head = next((row[0] for row in rows if row[0] not in tails), rows[0][0])
        if head not in made:
            made.append(head)
        rows = [[each for each in row if each != head] for row in rows]
        rows = [row for row in rows if row]
    return made
