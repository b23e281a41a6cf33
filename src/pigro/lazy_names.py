"""Names of a package that are imported when first used, so that the package itself costs little.

No name may be that of a module beside it: the import of the module would hide the name.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False  # as in `typing`, whose import takes long enough to be interrupted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping


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


def renamed_module(old: str, new: str) -> Callable[[str], object]:
    """The `__getattr__` of a module that has moved to `new`: each name warns and is found there."""

    def find(name: str) -> object:
        from importlib import import_module
        from warnings import warn

        value: object = getattr(import_module(new), name)
        warn(f"{old} is now {new}", DeprecationWarning, stacklevel=2)
        return value

    return find
