"""Names to functions, over all graphs: the seam between the front-end and models.

`Program.callee` says what the call at a node calls. It is one of

- functions of the program: several where classes override a method;
- a name from outside, such as `os.open`, or `socket.socket.connect` for a method of an object that
  `socket.socket` made;
- nothing: an unknown call.

Names that are assigned several times are unknown, and so are methods that are assigned to.
"""

from __future__ import annotations

import builtins
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.sources.graph import CALL, RAISE, SET

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.sources.graph import Class, Function, Guard, Module, Value

_BUILTINS = frozenset(dir(builtins))
_DEEPEST = 12
"""How many names stand for one another before the search is given up."""


class Callee(NamedTuple):
    """What a call calls."""

    functions: tuple[Function, ...] = ()
    external: str | None = None
    made: str | None = None
    """The qualified name of the class, for a constructor."""
    bound: bool = False
    """Whether the first parameter is already given: `self`."""


UNKNOWN = Callee()


class Thing(NamedTuple):
    """What a name stands for."""

    kind: str
    """`module`, `function`, `class`, `instance`, `external`; `object`: an instance from outside."""
    name: str


@dataclass
class Program:
    """All files together."""

    modules: dict[str, Module] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    classes: dict[str, Class] = field(default_factory=dict)
    home: dict[str, Module] = field(default_factory=dict)
    """The module of each function."""
    _callees: dict[str, dict[int, Callee]] = field(default_factory=dict)
    _orders: dict[str, list[str]] = field(default_factory=dict)
    _children: dict[str, list[str]] = field(default_factory=dict)
    _attributes: dict[str, dict[str, Thing | None]] = field(default_factory=dict)
    _names: dict[tuple[str, str], Thing | None] = field(default_factory=dict)
    _stubs: dict[str, bool] = field(default_factory=dict)
    _constants: dict[tuple[str, str], tuple[object] | None] = field(default_factory=dict)

    @classmethod
    def of(cls, modules: Iterable[Module]) -> Program:
        """The program that these modules are."""
        made = cls()
        for module in modules:
            made.modules.setdefault(module.name, module)
            for function in module.functions:
                made.functions.setdefault(function.name, function)
                made.home.setdefault(function.name, module)
            for each in module.classes:
                made.classes.setdefault(each.name, each)
        for each in made.classes.values():
            for base in made.bases(each):
                made._children.setdefault(base, []).append(each.name)
        return made

    # --- classes

    def bases(self, of: Class) -> list[str]:
        """The qualified names of the classes that a class is derived from."""
        outside = self.functions.get(of.outside)
        if outside is None:
            return []
        found = []
        for each in of.bases:
            thing = self.thing(outside, each)
            found.append(thing.name if thing is not None else each)
        return found

    def order(self, name: str) -> list[str]:
        """The C3 order of a class, with itself; classes from outside are in it by name."""
        known = self._orders.get(name)
        if known is None:
            self._orders[name] = [name]  # ends cycles
            made = self.classes.get(name)
            if made is None:
                return self._orders[name]
            rows = [list(self.order(each)) for each in self.bases(made)]
            rows.append(self.bases(made))
            known = self._orders[name] = [name, *_merged(rows)]
        return known

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
        """The method that a class has, by its C3 order; after a class of that order for `super`."""
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
        if name in self.attributes(cls) or "__class__" in self.attributes(cls):
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
            ops = [op for op in function.ops if op is not None]
            raised = [op for op in ops if op[0] == RAISE]
            known = any(op[1] == "NotImplementedError" for op in raised) and len(ops) <= 2
            known = known or any(each.endswith("abstractmethod") for each in function.decorators)
            self._stubs[function.name] = known
        return known

    def attributes(self, cls: str) -> dict[str, Thing | None]:
        """What methods assign to `self.x`: the class of the object if it is always the same."""
        known = self._attributes.get(cls)
        if known is not None:
            return known
        found: dict[str, Thing | None] = {}
        self._attributes[cls] = found
        for each in reversed(self.order(cls)):
            made = self.classes.get(each)
            if made is None:
                continue
            for method in made.methods.values():
                function = self.functions.get(method)
                if function is not None and function.parameters:
                    self._assigned(function, found)
        return found

    def _assigned(self, function: Function, found: dict[str, Thing | None]) -> None:
        prefix = f"{function.parameters[0]}."
        for op in function.ops:
            if op is None or op[0] != SET:
                continue
            for target, value in op[2]:
                if not target.startswith(prefix) or value == ("c", None):
                    continue
                name = target[len(prefix) :]
                if "." in name or "[" in name:
                    continue
                thing = self.value(function, value)
                if name in found and found[name] != thing:
                    found[name] = None
                else:
                    found[name] = thing

    # --- names

    def thing(self, function: Function, path: str, depth: int = 0) -> Thing | None:
        """What a path stands for inside a function."""
        first, _, rest = path.partition(".")
        found = self._first(function, first, depth)
        while rest and found is not None:
            part, _, rest = rest.partition(".")
            found = self._member(found, part, depth)
        return found

    def _first(self, function: Function, name: str, depth: int) -> Thing | None:
        key = (function.name, name)
        if key in self._names:
            return self._names[key]
        self._names[key] = None
        found = self._names[key] = self._looked_up(function, name, depth)
        return found

    def _looked_up(self, function: Function, name: str, depth: int) -> Thing | None:
        at: Function | None = function
        if function.owner and name in function.parameters[:1]:
            if "staticmethod" in function.decorators:
                return None
            kind = "class" if "classmethod" in function.decorators else "instance"
            return Thing(kind, function.owner)
        while at is not None:
            if at.kind != "class" or at is function:
                if name in at.imports:
                    return self._imported(at, at.imports[name], depth)
                if name in at.assigned and name not in at.shared:
                    return self._local(at, name, depth)
                if name in at.annotations and name in _bare(at.parameters):
                    return self._instance(at, at.annotations[name], depth)
                if name in _bare(at.parameters):
                    return None
            if at.kind == "module":
                return self._starred(at, name, depth) or (
                    Thing("external", name) if name in _BUILTINS else None
                )
            at = self.functions.get(at.outside or "")
        return None

    def _local(self, at: Function, name: str, depth: int) -> Thing | None:
        if name in at.annotations:
            return self._instance(at, at.annotations[name], depth)
        values = [each for each in at.assigned[name] if each != ("c", None)]
        if len(values) != 1 or name in _bare(at.parameters):
            return None
        if at.kind == "module" and self._is_replaced(at, name):
            return None
        value = values[0]
        if type(value) is tuple and value[0] == "f":
            return self._own(value[1])
        return self.value(at, value, depth)

    def _own(self, name: str) -> Thing | None:
        if name in self.classes:
            return Thing("class", name)
        function = self.functions.get(name)
        if function is None or set(function.decorators) & {"property", "cached_property"}:
            return None
        return Thing("function", name)

    def value(self, at: Function, value: Value, depth: int = 0) -> Thing | None:
        """The class of a value, or what it stands for."""
        if depth > _DEEPEST:
            return None
        if type(value) is int:
            op = at.ops[value]
            if op is None or op[0] != CALL:
                return None
            callee = self.callee(at, value)
            if callee.made is not None:
                return Thing("instance", callee.made)
            if callee.external is not None:
                return Thing("object", callee.external)
            if len(callee.functions) == 1:
                text = callee.functions[0].annotations.get("return")
                if text is not None and not callee.functions[0].is_async:
                    return self._instance(callee.functions[0], text, depth)
            return None
        if type(value) is str:
            return self.thing(at, value, depth + 1)
        return None

    def _instance(self, at: Function, text: str, depth: int) -> Thing | None:
        outside = self.functions.get(at.outside or "") or at
        found = self.thing(outside, text, depth + 1) if depth < _DEEPEST else None
        if found is None:
            return None
        if found.kind == "class":
            return Thing("instance", found.name)
        return Thing("object", found.name) if found.kind == "external" else None

    def _imported(self, at: Function, target: str, depth: int) -> Thing | None:
        return self.absolute(self._absolute_name(at, target), depth + 1)

    def _absolute_name(self, at: Function, target: str) -> str:
        """An imported name without leading dots."""
        if not target.startswith("."):
            return target
        module = self.home[at.name]
        level = len(target) - len(target.lstrip("."))
        parts = module.name.split(".")
        keep = max(0, len(parts) - level + module.is_package)
        return ".".join([*parts[:keep], target.lstrip(".")])

    def absolute(self, name: str, depth: int = 0) -> Thing | None:
        """What an absolute dotted name stands for."""
        if depth > _DEEPEST:
            return None
        if name in self.modules:
            return Thing("module", name)
        parts = name.split(".")
        for cut in range(len(parts) - 1, 0, -1):
            home = ".".join(parts[:cut])
            if home in self.modules:
                found: Thing | None = Thing("module", home)
                for each in parts[cut:]:
                    found = None if found is None else self._member(found, each, depth)
                return found
        return Thing("external", name)

    def _member(self, of: Thing, name: str, depth: int) -> Thing | None:
        if depth > _DEEPEST:
            return None
        if of.kind in {"external", "object"}:
            return Thing("external", f"{of.name}.{name}")
        if of.kind == "module":
            inner = f"{of.name}.{name}"
            if inner in self.modules:
                return Thing("module", inner)
            module = self.functions.get(of.name)
            return None if module is None else self._first_of_module(module, name, depth + 1)
        if of.kind == "class":
            found = self.method(of.name, name)
            return None if found is None else Thing("function", found.name)
        if of.kind == "instance":
            made = self.attributes(of.name).get(name)
            if made is not None:
                return made
            cls = self.classes.get(of.name)
            if cls is not None and name in cls.annotations:
                outside = self.functions.get(of.name)
                return (
                    None
                    if outside is None
                    else self._instance(outside, cls.annotations[name], depth)
                )
        return None

    def _first_of_module(self, module: Function, name: str, depth: int) -> Thing | None:
        if name in module.imports:
            return self._imported(module, module.imports[name], depth)
        if name in module.assigned:
            return self._local(module, name, depth)
        return self._starred(module, name, depth)

    def _starred(self, module: Function, name: str, depth: int) -> Thing | None:
        """A name from `from m import *`."""
        for key, target in module.imports.items():
            if key.startswith("*") and depth < _DEEPEST:
                home = self._imported(module, target.removesuffix("*").rstrip("."), depth)
                if home is not None and home.kind == "module" and home.name != module.name:
                    found = self._first_of_module(self.functions[home.name], name, depth + 1)
                    if found is not None:
                        return found
        return None

    def contradicts(self, function: Function, guard: Guard) -> bool:
        """Whether a guard is about a constant of a module, and has the other outcome."""
        if guard is None or len(guard[2]) != 1 or guard[0] != guard[2][0] or "." in guard[0]:
            return False
        value = self._constant(function, guard[0])
        return value is not None and bool(value[0]) is not guard[1]

    def _constant(self, function: Function, name: str, depth: int = 0) -> tuple[object] | None:
        """The value of a name that a module assigns once; None for anything else."""
        key = (function.name, name)
        if key in self._constants:
            return self._constants[key]
        self._constants[key] = None
        at: Function | None = function
        found: tuple[object] | None = None
        while at is not None and depth < _DEEPEST:
            if name in at.assigned or name in _bare(at.parameters):
                values = at.assigned.get(name, [])
                fixed = at.kind == "module" and len(values) == 1 and type(values[0]) is tuple
                if fixed and values[0][0] == "c" and not self._is_shared(at, name):
                    found = (values[0][1],)
                break
            if name in at.imports:
                target = self._absolute_name(at, at.imports[name])
                home, _, last = target.rpartition(".")
                if home in self.modules:
                    found = self._constant(self.functions[home], last, depth + 1)
                break
            at = self.functions.get(at.outside or "")
        self._constants[key] = found
        return found

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
        known = self._callees.setdefault(function.name, {})
        found = known.get(node)
        if found is None:
            known[node] = UNKNOWN  # ends cycles
            op = function.ops[node]
            assert op is not None
            found = known[node] = self._callee(function, op)
        return found

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
            thing = self._member(thing, last, 0)
        else:
            thing = self._first(function, name, 0)
        return self._called(thing)

    def _called(self, thing: Thing | None) -> Callee:
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


def _bare(parameters: list[str]) -> list[str]:
    return [each.lstrip("*") for each in parameters]


def _merged(rows: list[list[str]]) -> list[str]:
    """The merge of C3; where there is none, whatever comes first."""
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
