"""Parts from files of any kind, as the command line names them, and what of them to compose."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, ModelError, UsageError, did_you_mean, printable
from pigro.formats.files import read_content
from pigro.formats.parts.file import PartsFile
from pigro.formats.parts.reading import parse
from pigro.formats.registry import choose_format
from pigro.formats.source import read_subject
from pigro.limits import no_poll
from pigro.model.kinds import SubjectKind
from pigro.model.kripke_part import part_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pigro.formats.registry import Requirement
    from pigro.limits import Poll
    from pigro.model.lazy.part import GivenPart

_SHOWN = 4


def load_parts(argument: str, poll: Poll = no_poll) -> PartsFile:
    """The parts that an argument of the command line names.

    It is `FILE.parts` or `FILE.smv`, with `:NAME` after it for one part or module alone. Without
    it, a `.smv` file stands for its module `main`, or for all if it has none. Other files are those
    that `pigro.load` reads, of models without calls. Parts made of whole files, and of modules
    `main`, have the file's name without suffix.
    """
    path, name = _split(argument)
    data, path = read_content(path, poll)
    kind = choose_format(data, path, None)
    if kind.name == "parts":
        file = parse(data, source=path, poll=poll)
        return file if name is None else _only(file, name)
    if kind.name == "smv":
        from pigro.formats.smv.composing import parts_of_modules

        modules = None if name is None else [name]
        return parts_of_modules(data, source=path, modules=modules, poll=poll)
    if name is not None:
        raise UsageError(
            "P007",
            f"can't read {printable(argument)}: {printable(path)} has no parts to choose from",
            hint="files with parts are .parts and .smv files",
        )
    subject = read_subject(kind, data, path, poll=poll)
    if subject.kind is SubjectKind.MODEL:
        return PartsFile(parts=(part_of(subject.listed(poll), Path(path).stem),), source=path)
    return PartsFile(parts=subject.listed_parts, source=path)


def together(files: Iterable[PartsFile]) -> tuple[tuple[GivenPart, ...], tuple[Requirement, ...]]:
    """What to compose of these files, and what to check.

    That is what one of them says with `compose`. If none does, all parts in order. Variables that
    several of them have must have the same values: `ModelError` P220 if not.
    """
    given = list(files)
    parts, formulas = _chosen(given)
    types = {name: each for file in given for name, each in file.types.items()}
    _check_types({part.name: types[part.name] for part in parts if part.name in types})
    return parts, formulas


def _check_types(types: Mapping[str, Mapping[str, tuple[str, ...]]]) -> None:
    """A shared variable with other values elsewhere would have two values at once."""
    first: dict[str, tuple[str, tuple[str, ...]]] = {}
    for part, variables in types.items():
        for variable, values in variables.items():
            other, expected = first.setdefault(variable, (part, values))
            if values != expected:
                raise ModelError(
                    "P220",
                    f"parts `{printable(other)}` and `{printable(part)}` share the variable "
                    f"`{printable(variable)}`, but its values differ: {_listed(expected)} and "
                    f"{_listed(values)}",
                    hint="give it the same type in both, or another name in one of them",
                )


def _listed(values: tuple[str, ...]) -> str:
    shown = ", ".join(map(printable, values[:_SHOWN]))
    return f"{shown} and more" if len(values) > _SHOWN else shown


def _chosen(given: list[PartsFile]) -> tuple[tuple[GivenPart, ...], tuple[Requirement, ...]]:
    parts = [part for file in given for part in file.parts]
    formulas = tuple(each for file in given for each in file.formulas)
    saying = [file for file in given if file.compose is not None]
    if len(saying) > 1:
        raise InputError(
            "P131",
            f"a second compose; the first is in {printable(str(saying[0].source))}",
            position=saying[1].compose_at,
            hint="one file says what to compose",
        )
    if not saying:
        return tuple(parts), formulas
    named: dict[str, GivenPart] = {}
    for part in parts:
        named.setdefault(part.name, part)
    for name in saying[0].compose or ():
        if name not in named:
            raise InputError(
                "P133",
                f'there is no part "{printable(name)}" to compose',
                position=saying[0].compose_at,
                hint=did_you_mean(name, named) or "give the file that has it as well",
            )
    return tuple(named[name] for name in saying[0].compose or ()), formulas


def _split(argument: str) -> tuple[str, str | None]:
    """The file, and the text after the colon unless that belongs to the file's name."""
    path, colon, name = argument.rpartition(":")
    if colon and path and name and not Path(argument).exists() and Path(path).exists():
        return path, name
    return argument, None


def _only(file: PartsFile, name: str) -> PartsFile:
    """One part alone, with what the file asks to check."""
    for part in file.parts:
        if part.name == name:
            return PartsFile((part,), None, file.formulas, file.faults, file.source)
    names = [part.name for part in file.parts]
    raise UsageError(
        "P009",
        f'{printable(str(file.source))} has no part "{printable(name)}"',
        hint=did_you_mean(name, names) or f"it has {', '.join(map(printable, names[:8]))}",
    )
