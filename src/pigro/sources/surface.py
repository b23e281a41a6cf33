"""The surface of a file: a digest of all that names in other files can depend on.

If no surface of a program changes, every call in a file that did not change still calls the same.
`pigro.sources.link` reads of a function that some other one asks about

- its head: name, kind, parameters, decorators, annotations, imports, names declared `global`,
  and which of those it assigns to.
- whether it is a stub.
- the values of its local names: of a module, a class, or a function with functions in it, all of
  them, otherwise only those that attributes of `self` are made of.
- what it assigns to attributes of `self`.

Nodes are not in a surface by number but by the call that they do, and positions are not in it at
all. So most changes inside of a function leave the surface as it is.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

from pigro.sources.graph import CALL
from pigro.sources.link import is_stub, own_assignments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.sources.graph import Class, Function, Module, Value


def surface_of(module: Module) -> bytes:
    """The digest of a module."""
    around = {each.outside for each in module.functions}
    around.update(each.outside for each in module.classes)
    made = hashlib.sha256(f"{module.name}\0{module.is_package}".encode("utf-8", "surrogatepass"))
    for function in module.functions:
        row = _function(function, is_open=function.kind != "function" or function.name in around)
        made.update(repr(row).encode("utf-8", "surrogatepass"))
    for each in module.classes:
        made.update(repr(_class(each)).encode("utf-8", "surrogatepass"))
    return made.digest()


def whole_surface(surfaces: Iterable[bytes]) -> bytes:
    """The digest of a program whose modules have these surfaces, in this order."""
    return hashlib.sha256(b"".join(surfaces)).digest()


def _class(of: Class) -> tuple[object, ...]:
    rows = (of.bases, list(of.methods.items()), sorted(of.attributes), of.decorators)
    return (of.name, of.outside, *rows, sorted(of.annotations.items()))


def _function(of: Function, *, is_open: bool) -> tuple[object, ...]:
    own = [(name, _value(of, value)) for name, value in own_assignments(of)]
    names = list(of.assigned) if is_open else _names_behind(of, own)
    local = [(name, [_value(of, each) for each in of.assigned.get(name, ())]) for name in names]
    head = (of.name, of.kind, of.owner, of.outside, of.is_async, of.is_generator, of.parameters)
    more = (of.decorators, sorted(of.annotations.items()), list(of.imports.items()))
    replaced = sorted(name for name in of.shared if name in of.assigned)
    return (*head, *more, sorted(of.shared), replaced, is_stub(of), own, local)


def _value(of: Function, value: Value) -> object:
    """A value as the linker reads it: the call at a node, without its arguments."""
    if type(value) is str:
        return value
    if type(value) is tuple:
        return (value[0], type(value[1]).__name__, value[1]) if value[0] in {"c", "f"} else "other"
    found = []
    while type(value) is int:
        op = of.ops[value]
        if op is None or op[0] != CALL:
            found.append("no call")
            break
        found.append(op[1])
        value = op[2]
    return tuple(found)


def _names_behind(of: Function, own: list[tuple[str, object]]) -> list[str]:
    """The local names that values of attributes are made of, directly or not."""
    found: dict[str, None] = {}
    pending = [value for _, value in own]
    while pending:
        value = pending.pop()
        paths = (value,) if type(value) is str else value if type(value) is tuple else ()
        for each in paths:
            name = each.partition(".")[0] if type(each) is str else ""
            if name in of.assigned and name not in found:
                found[name] = None
                pending += [_value(of, one) for one in of.assigned[name]]
    return sorted(found)
