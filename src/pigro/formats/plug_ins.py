"""Formats of other packages: their code is called here only, and whatever it raises is told.

Everything that a plug-in raises, SystemExit included, becomes `UsageError` P019, which names the
plug-in. So does a result of the wrong type. Ctrl-C passes, and from functions also Pigro's own
errors, by which a reader reports a fault of a file, and a lack of memory.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from pigro.diagnostics import PigroError, UsageError, printable
from pigro.logic import Formula
from pigro.model.space import Model

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint

    _Function = Callable[..., Any]
    _Check = Callable[["PlugIn", Any], Any]
    """From the result of a function to the value that is used. None if it has the wrong type."""

_OWN_ARGUMENTS = ("poll", "model")
"""What only Pigro's own formats are given, by keyword."""
_MEANT = (PigroError, MemoryError)
"""What a function may raise."""


class PlugIn:
    """A format behind an entry point. A broken one has its trouble and no functions."""

    def __init__(self, point: EntryPoint) -> None:
        self.name = printable(point.name)
        self._value = printable(point.value)
        self.origin = point.value.partition(":")[0]
        self.suffixes: tuple[str, ...] = ()
        self.description = ""
        self.trouble: UsageError | None = None
        self.home = SimpleNamespace()
        self._sniff: Callable[[bytes], object] | None = None
        try:
            self._call("loading it", lambda: self._load(point))
        except UsageError as error:
            self.trouble, self.description = error, error.message

    def _load(self, point: EntryPoint) -> None:
        self.origin = point.dist.name if point.dist is not None else self.origin
        home = point.load()
        description, sniff = str(home.description), getattr(home, "sniff", None)
        functions = self._offered(home, _RESULTS)
        self.suffixes = _suffixes(home.suffixes)  # from here on, nothing fails
        self.description, self._sniff, self.home = description, sniff, functions

    def sniff(self, head: bytes) -> bool:
        """Whether the beginning of a file looks like this format. P019 if the plug-in fails."""
        sniff = self._sniff
        return sniff is not None and bool(self._call("sniff", lambda: bool(sniff(head))))

    def _call(
        self, what: str, function: Callable[[], Any], meant: tuple[type[BaseException], ...] = ()
    ) -> Any:
        """What the function gives. P019 for what it raises, apart from the errors in `meant`."""
        try:
            return function()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            if isinstance(error, meant):
                raise
            raise self._failure(f"{what} fails with {_said(error)}") from None

    def _guarded(self, name: str, function: _Function, check: _Check) -> _Function:
        def guarded(*args: Any, **named: Any) -> Any:
            for each in _OWN_ARGUMENTS:
                named.pop(each, None)
            found = self._call(name, lambda: check(self, function(*args, **named)), _MEANT)
            if found is None:
                raise self._failure(f"{name} gives a value of the wrong type")
            return found

        return guarded

    def _failure(self, what: str) -> UsageError:
        return UsageError(
            "P019",
            f"the plug-in {self._value} of format {self.name}: {what}",
            hint=f"this is a fault of the package {printable(self.origin)}, not of Pigro",
        )

    def document(self, inner: Any) -> SimpleNamespace:
        """A document of the plug-in with all its methods guarded."""
        return self._offered(inner, _OF_DOCUMENTS)

    def _offered(self, home: Any, checks: dict[str, _Check]) -> SimpleNamespace:
        functions = {name: getattr(home, name, None) for name in checks}
        return SimpleNamespace(
            **{
                name: self._guarded(name, function, checks[name])
                for name, function in functions.items()
                if function is not None
            }
        )


def _suffixes(given: Any) -> tuple[str, ...]:
    found = (given,) if isinstance(given, str) else tuple(map(str, given))
    odd = next((each for each in found if each[:1] != "." or len(each) == 1), None)
    if odd is not None:  # the empty one would be that of every file
        raise ValueError(f"a suffix can't be {odd!r}")
    return found


def _said(error: BaseException) -> str:
    """The name and text of an error. Its text may fail too."""
    try:
        text = printable(str(error))
    except Exception:  # noqa: BLE001 - see above
        text = ""
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _model(_: PlugIn, found: Any) -> Model | None:
    return found if isinstance(found, Model) else None


def _bytes(_: PlugIn, found: Any) -> bytes | None:
    return bytes(found) if isinstance(found, (bytes, bytearray, memoryview)) else None


def _formula(_: PlugIn, found: Any) -> Formula | None:
    return found if isinstance(found, Formula) else None


def _requirements(_: PlugIn, found: Any) -> list[Any] | None:
    """All of them now: a generator may fail later."""
    rows = list(found)
    fine = all(isinstance(each.formula, Formula) and _is_start(each) for each in rows)
    return rows if fine else None


def _is_start(requirement: Any) -> bool:
    line, initial = requirement.line, requirement.initial
    numbers = () if initial is None else tuple(initial)
    return (line is None or isinstance(line, int)) and all(isinstance(n, int) for n in numbers)


def _use_def(_: PlugIn, found: Any) -> list[tuple[str, Formula]] | None:
    rows = [(name, formula) for name, formula in found]
    fine = all(isinstance(name, str) and isinstance(each, Formula) for name, each in rows)
    return rows if fine else None


_RESULTS: dict[str, _Check] = {
    "read": _model,
    "write": _bytes,
    "requirements": _requirements,
    "use_def": _use_def,
    "Document": PlugIn.document,
}
_OF_DOCUMENTS: dict[str, _Check] = {
    "formula": _formula,
    "resolved": _formula,
    "model": _model,
    "requirements": _requirements,
}
