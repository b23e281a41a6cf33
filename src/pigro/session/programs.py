"""State spaces that are programs: `FILE.py:NAME` or `package.module:NAME` in place of a file.

The file is run, as by `python FILE.py` but with another `__name__`. NAME is a system, or a class or
function without parameters that makes one (docs/state-spaces.md). What the program prints meanwhile
goes to standard error. Whatever it raises, then or when it is asked for states, becomes
`CheckError` P411, with the line of the program that raised it.
"""

from __future__ import annotations

import os.path
import re
import sys
import traceback
from contextlib import contextmanager, redirect_stdout
from hashlib import sha256
from inspect import isgenerator, isroutine
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.diagnostics import CheckError, PigroError, Position, UsageError, did_you_mean, printable
from pigro.engines.table import choose_engine
from pigro.limits import LIMIT_ERRORS
from pigro.session.prepare import SubjectReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence
    from types import ModuleType

    from pigro.model.space import StateSpace

_WORD = r"[^\W\d]\w*"
_FILE = re.compile(rf"(?P<file>.+\.py):(?P<name>{_WORD}(?:\.{_WORD})*)", re.DOTALL)
_MODULE = re.compile(rf"(?P<module>{_WORD}(?:\.{_WORD})*):(?P<name>{_WORD}(?:\.{_WORD})*)")
_MEANT = (PigroError, *LIMIT_ERRORS)
_METHODS = ("successors", "labels", "is_cut")


class ProgramPlace(NamedTuple):
    """Where a system is."""

    file: str | None
    module: str | None
    name: str

    @property
    def place(self) -> str:
        """The file, or the module."""
        return self.file or self.module or ""


def program_of(text: str) -> ProgramPlace | None:
    """The program that an argument names. None if it names a file."""
    found = _FILE.fullmatch(text)
    if found is not None:
        return ProgramPlace(found["file"], None, found["name"])
    found = _MODULE.fullmatch(text)
    if found is None or os.path.exists(text) or os.path.isfile(found["module"]):
        return None
    return ProgramPlace(None, found["module"], found["name"])


def file_of_program(program: ProgramPlace) -> str:
    """The file that a program is in. Empty if there is none. No code of it is run.

    All finders are asked, because packages that are installed to be edited bring their own.
    """
    if program.file is not None:
        return program.file
    assert program.module is not None, "one of the two is there"
    folders: Sequence[str] | None = ["", *sys.path]
    name, found = "", None
    for word in program.module.split("."):
        name = f"{name}.{word}" if name else word
        specs = (finder.find_spec(name, folders) for finder in sys.meta_path)
        found = next((spec for spec in specs if spec is not None), None)
        if found is None:
            return ""
        folders = found.submodule_search_locations
    return found.origin or "" if found is not None and found.has_location else ""


class SystemReader(SubjectReader):
    """A program by its name, or a Python object: its errors pass through, and its runs are shown.

    Formulas are read before a program is run.
    """

    no_formula = (
        "no formula given",
        'for example: pigro check FILE.py:NAME "AG EF p", or -f FILE',
    )

    @property
    def is_file(self) -> bool:  # type: ignore[override]
        return type(self.request.subject) is tuple

    def open(self) -> None:
        """Formulas of the mu-calculus are refused before a program is run."""
        from pigro.engines.onthefly.program import refuse_mu

        self.require = refuse_mu

    def read(self) -> None:
        if self.is_file:
            program = program_of(self.request.subject[0])
            assert program is not None, "it is given so"
            self.subject = model_of(program)
            return
        from pigro.engines.onthefly.program import space_of

        self.subject = space_of(self.request.subject)
        self.engine = choose_engine("onthefly").with_options(show=True)


def model_of(program: ProgramPlace) -> StateSpace:
    """Runs the program. Its system as a model that is computed on demand."""
    from pigro.engines.onthefly.program import space_of
    from pigro.engines.onthefly.system import ExploredSystem

    module = _run(program)
    with _careful(program):
        found = _named(module, program)
        system = found() if isinstance(found, type) or isroutine(found) else found
        ExploredSystem(system)  # which names the missing part
        digest = _digest(module, program)
        return space_of(_GuardedSystem(system, program), program.name, digest, program.place)


def _run(program: ProgramPlace) -> ModuleType:
    from importlib import import_module
    from importlib.util import module_from_spec, spec_from_file_location

    sys.path.insert(0, os.path.dirname(os.path.abspath(program.file)) if program.file else "")
    if program.file is None:
        assert program.module is not None, "one of the two is there"
        with _careful(program):
            try:
                return import_module(program.module)
            except ModuleNotFoundError as error:
                if error.name is None or not f"{program.module}.".startswith(f"{error.name}."):
                    raise
                hint = "to read a model, give the name of its file"
                message = f"there is no module {printable(program.module)}"
                raise CheckError("P412", message, hint=hint) from None
    if not os.path.isfile(program.file):
        raise UsageError("P001", f"can't read {printable(program.file)}: no such file")
    name = os.path.splitext(os.path.basename(program.file))[0]
    spec = spec_from_file_location(name, program.file)
    assert spec is not None, "it is a Python file by its name"
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.modules[name] = module
    with _careful(program):
        spec.loader.exec_module(module)
    return module


def _named(module: ModuleType, program: ProgramPlace) -> Any:
    found: Any = module
    for word in program.name.split("."):
        if not hasattr(found, word):
            names = [name for name in vars(module) if not name.startswith("_")]
            raise CheckError(
                "P412",
                f"{printable(program.place)} has nothing called {printable(word)}",
                hint=did_you_mean(word, names)
                or "a program is named as FILE.py:NAME, where NAME is a class, function or object",
            )
        found = getattr(found, word)
    return found


def _digest(module: ModuleType, program: ProgramPlace) -> bytes:
    """By which the program is known again: its text and the name in it."""
    try:
        with open(module.__file__ or "", "rb") as file:
            content = file.read()
    except OSError:
        content = program.place.encode()
    return sha256(content + b"\0" + program.name.encode()).digest()


class _GuardedSystem:
    """A system whose errors are those of its program."""

    def __init__(self, system: Any, program: ProgramPlace) -> None:
        self.initial = system.initial
        for name in _METHODS:
            if getattr(system, name, None) is not None:
                setattr(self, name, _guarded(getattr(system, name), program))
        if hasattr(system, "dead_ends"):
            self.dead_ends = system.dead_ends


def _guarded(method: Callable[[Any], Any], program: ProgramPlace) -> Callable[[Any], Any]:
    def call(state: Any) -> Any:
        try:
            found = method(state)
        except _MEANT:
            raise
        except Exception as error:  # noqa: BLE001 - told with its place
            raise _failed(program, error) from None
        return _one_by_one(found, program) if isgenerator(found) else found

    return call


def _one_by_one(found: Iterable[Any], program: ProgramPlace) -> Iterator[Any]:
    try:
        yield from found
    except _MEANT:
        raise
    except Exception as error:  # noqa: BLE001 - told with its place
        raise _failed(program, error) from None


@contextmanager
def _careful(program: ProgramPlace) -> Iterator[None]:
    """Prints to standard error, and tells errors with their place."""
    try:
        with redirect_stdout(sys.stderr):
            yield
    except (*_MEANT, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - SystemExit included
        raise _failed(program, error) from None


def _failed(program: ProgramPlace, error: BaseException) -> CheckError:
    """The error of a program, at its own last line."""
    what = printable(str(error), 200).replace("\n", " ")
    message = f"{type(error).__name__}{': ' if what else ''}{what}"
    position = Position(source=program.place)
    if isinstance(error, SyntaxError) and error.filename is not None:
        text = (error.text or "").rstrip("\n")
        position = Position(
            source=_shown(error.filename, program),
            line=error.lineno,
            column=error.offset or 1,
            text=text,
        )
        message = f"SyntaxError: {error.msg}"
    else:
        frames = traceback.extract_tb(error.__traceback__)
        inside = os.path.dirname(os.path.dirname(__file__))
        own = [each for each in frames if not _is_ours(each.filename, inside)]
        if own:
            last = own[-1]
            position = Position(
                source=_shown(last.filename, program), line=last.lineno, column=1, text=last.line
            )
    return CheckError("P411", f"the program raised {message}", position=position)


def _shown(filename: str, program: ProgramPlace) -> str:
    """The name of a file. The program's own as it was given."""
    file = program.file
    return file if file is not None and os.path.abspath(file) == filename else filename


def _is_ours(filename: str, inside: str) -> bool:
    return filename.startswith((inside, "<frozen "))
