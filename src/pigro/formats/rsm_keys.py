"""Keys of `.rsm` files that look like misspelled ones.

Files may have keys of their own, which are ignored. A key is taken for misspelled if it is much
like a key that its object may have and lacks: `lables` in a node without `labels`.
"""

from __future__ import annotations

import re
import warnings
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import msgspec

from pigro.diagnostics import InputError, close_matches, printable

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

_MODEL = (
    "initial_component",
    "initial_node",
    "semantics",
    "dead_ends",
    "components",
    "properties",
)
_COMPONENT = ("name", "nodes", "boxes", "transitions")
_PARTS = {
    "nodes": ("name", "is_entry", "is_exit", "labels"),
    "boxes": ("name", "component", "call_nodes", "return_nodes"),
    "transitions": ("source", "targets"),
}
_MEANT = {*_MODEL, *_COMPONENT, *(key for keys in _PARTS.values() for key in keys)}
_KNOWN = {*_MEANT, "box_name", "node_name", "node", "type", "formula", "formulas", "at", "file"}
"""Those of references, properties, RSMCheck and source positions too."""
_KEY = re.compile(rb'"(\w+)"\s*:')


class UnknownKeyWarning(UserWarning):
    """A file has a key that is ignored and looks like a misspelled one."""

    def __init__(self, text: str, error: InputError | None = None) -> None:
        super().__init__(text)
        self.error = error
        """The error that it is for `--strict`."""


def warn_of_strays(data: bytes, source: str | None, others: Iterable[str] | None) -> None:
    """An `UnknownKeyWarning` for each key that looks misspelled. Needs: the file is right.

    `others` has the keys that the reader does not know. None: it did not look at them.
    """
    if others is None:
        others = {key.decode() for key in _KEY.findall(data)}
    if not any(close_matches(key, _MEANT) for key in others if key not in _KNOWN):
        return
    from pigro.formats.json_place import locate

    seen = set[str]()
    for path, key, meant in _strays(msgspec.json.decode(data)):
        if key in seen:
            continue
        seen.add(key)
        shown, hint = printable(key), f'did you mean "{meant}"?'
        position = locate(data.decode(), f"{path}.{key}", source=source)
        error = InputError("P107", f'the key "{shown}" is ignored', position=position, hint=hint)
        where = f" in {printable(source)}:{position.line}" if source else ""
        told = f'the key "{shown}"{where} is ignored ({hint})'
        warnings.warn(UnknownKeyWarning(told, error), stacklevel=4)


def _strays(model: Any) -> Iterator[tuple[str, str, str]]:
    """The path of the object, the key, and the key that was meant."""
    yield from _near("$", model, _MODEL)
    for at, component in enumerate(model["components"]):
        home = f"$.components[{at}]"
        yield from _near(home, component, _COMPONENT)
        for name, keys in _PARTS.items():
            for number, each in enumerate(component.get(name, ())):
                yield from _near(f"{home}.{name}[{number}]", each, keys)


def _near(
    path: str, found: dict[str, Any], keys: tuple[str, ...]
) -> Iterator[tuple[str, str, str]]:
    for key in found.keys() - set(keys):
        for meant in close_matches(key, [each for each in keys if each not in found], most=1):
            yield path, key, meant


@contextmanager
def taking_key_warnings(take: Callable[[UnknownKeyWarning], None]) -> Iterator[None]:
    """Gives the warnings about keys to `take`. Others go where they went before."""
    with warnings.catch_warnings():
        warnings.simplefilter("always", UnknownKeyWarning)
        before = warnings.showwarning

        def show(message: Warning | str, *place: Any, **more: Any) -> None:
            if isinstance(message, UnknownKeyWarning):
                take(message)
            else:
                before(message, *place, **more)

        warnings.showwarning = show
        yield
