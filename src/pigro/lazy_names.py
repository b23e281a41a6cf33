"""Names of a package that are imported when first used, so that the package itself costs little.

No name may be that of a module beside it: the import of the module would hide the name.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in `typing`, whose import takes long enough to be interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any


def lazy_names(
    package: str, home: Mapping[str, tuple[str, ...]]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The `__getattr__` and the `__dir__` of a package, by the modules that have its names."""
    module_of = {name: module for module, names in home.items() for name in names}

    def find(name: str) -> object:
        if name not in module_of:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        value: object = getattr(import_module(f"{package}.{module_of[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return find, lambda: sorted(sys.modules[package].__all__)


class _TypeName(str):
    """An expression that imports a name, which `typing` evaluates like any text in an annotation.

    Operators on it import the name at once, so `Formula | None` is what it would be.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return self.rpartition(".")[2]

    def __or__(self, other: object) -> object:
        return eval(self) | other  # noqa: S307 - see `type_names`

    def __ror__(self, other: Any) -> object:
        return other | eval(self)  # noqa: S307 - see `type_names`

    def __getattr__(self, name: str) -> object:
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(eval(self), name)  # noqa: S307 - see `type_names`


def type_names(names: dict[str, object], home: Mapping[str, str]) -> None:
    """Lets annotations of a module be evaluated, without the cost of imports for them.

    `names` are the globals of the module. `home` has the names that it imports for type checkers
    only, separated by spaces, by the modules that define them. They are imported when `help`,
    `inspect.signature` or `typing.get_type_hints` evaluates an annotation.
    """
    for module, listed in home.items():
        for name in listed.split():
            names[name] = _TypeName(f"__import__({module!r}, fromlist=[{name!r}]).{name}")
