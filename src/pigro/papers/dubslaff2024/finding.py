"""Heuristics by name: Pigro's, those that were registered, of other packages, and from files.

    next                   one of `HEURISTICS`
    few                    the entry point `few` of the group `pigro.heuristics`
    mine.py:Few            what `mine.py` calls `Few`: a function or class of a seed

Whatever a heuristic of others raises, or gives that is no box, becomes `CheckError` P405.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.metadata import entry_points
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar, cast

from pigro.diagnostics import CheckError, PigroError, did_you_mean, printable
from pigro.papers.dubslaff2024.heuristics import HEURISTICS, BoxCandidate

if TYPE_CHECKING:
    from collections.abc import Callable

    from pigro.papers.dubslaff2024.heuristics import Choose, Heuristic, HeuristicView

GROUP = "pigro.heuristics"
_T = TypeVar("_T")
_MEANT = (PigroError, MemoryError, KeyboardInterrupt)


def heuristic_called(name: str) -> Heuristic:
    """The heuristic of that name. `CheckError` P405 if there is none."""
    if name in HEURISTICS:
        return HEURISTICS[name]
    file, colon, what = name.rpartition(":")
    if colon:
        return _from_file(file, what)
    points = {point.name: point for point in entry_points(group=GROUP)}
    if name in points:
        return _callable(name, _careful(name, points[name].load))
    known = [*HEURISTICS, *points]
    hint = did_you_mean(name, known) or f"heuristics: {', '.join(known)}; or FILE.py:NAME"
    raise CheckError("P405", f"there is no heuristic {printable(name)!r}", hint=hint)


def guarded(name: str, seed: int) -> Choose:
    """The heuristic at work. What it gives is looked at before it is used."""
    made = heuristic_called(name)
    if name in HEURISTICS and made.__module__.startswith("pigro."):
        return made(seed)
    choose = _careful(name, lambda: made(seed))

    def careful_choose(situation: HeuristicView) -> list[BoxCandidate]:
        chosen = _careful(name, lambda: list(choose(situation)))
        for each in chosen:
            if not isinstance(each, BoxCandidate):
                raise _error(name, f"gave {type(each).__name__}, not a box of the situation")
        return chosen

    return careful_choose


@lru_cache(maxsize=16)
def _from_file(file: str, what: str) -> Heuristic:
    path = Path(file)
    if not path.is_file():
        raise CheckError("P405", f"there is no file '{printable(file)}' with a heuristic")
    spec = spec_from_file_location(f"pigro_heuristic_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise CheckError("P405", f"{printable(file)} is not a Python file")
    module, loader = module_from_spec(spec), spec.loader
    _careful(file, lambda: loader.exec_module(module))
    if not hasattr(module, what):
        names = [name for name in vars(module) if not name.startswith("_")]
        hint = did_you_mean(what, names)
        message = f"{printable(file)} has nothing called {printable(what)!r}"
        raise CheckError("P405", message, hint=hint)
    return _callable(f"{file}:{what}", getattr(module, what))


def _callable(name: str, found: object) -> Heuristic:
    if not callable(found):
        raise _error(name, "is not a function or class that takes a seed")
    return cast("Heuristic", found)


def _careful(name: str, call: Callable[[], _T]) -> _T:
    try:
        return call()
    except _MEANT:
        raise
    except BaseException as error:  # SystemExit included
        raise _error(name, f"raised {type(error).__name__}: {error}") from error


def _error(name: str, what: str) -> CheckError:
    return CheckError("P405", f"heuristic {printable(name)!r} {printable(what, 200)}")
