"""Modules as parts of a composed system, which share labels by name.

A part sees, as labels: its variables that are true or false, by name. Of every other variable each
value of its type, as `x = v`. Its definitions that are true or false, and the conditions that the
file's own formulas about it speak of, as `formulas.py` writes them. Only modules without calls can
be parts. All states that `explore.py` reaches are there, and several may be initial.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError, UsageError, did_you_mean, printable
from pigro.formats.files import read_bytes
from pigro.formats.parts.file import PartsFile
from pigro.formats.registry import Requirement
from pigro.formats.smv.document import Document
from pigro.formats.smv.instances import BOOL
from pigro.formats.smv.space import show
from pigro.formats.smv.syntax.text import Fault
from pigro.limits import unwatched
from pigro.model.part import Part, check_size

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from os import PathLike

    from pigro.formats.smv.instances import Flat
    from pigro.limits import Poll

_MAIN = "main"


def read_smv_parts(
    path: str | PathLike[str], modules: Iterable[str] | None = None
) -> tuple[Part, ...]:
    """The modules of a file as parts: those named, or else `main`, or else all."""
    return parts_of_modules(read_bytes(path), source=str(path), modules=modules).parts


def parts_of_modules(
    data: bytes,
    *,
    source: str | None = None,
    modules: Iterable[str] | None = None,
    poll: Poll = unwatched,
) -> PartsFile:
    """The same from a file's bytes, with the formulas that the file states about these modules."""
    document = Document(data, source=source, poll=poll)
    chosen = list(dict.fromkeys(modules or _default(document)))
    parts = tuple(_part(document, module, source) for module in chosen)
    formulas = tuple(
        Requirement(each.text, each.formula, None, each.line)
        for each in document.requirements(None)
        if each.module in chosen
    )
    types = {
        part.name: _types(document, module) for part, module in zip(parts, chosen, strict=True)
    }
    return PartsFile(parts=parts, formulas=formulas, source=source, types=types)


def _default(document: Document) -> list[str]:
    return [_MAIN] if _MAIN in document.modules else list(document.components)


def _part(document: Document, module: str, source: str | None) -> Part:
    """A module as a part, named after it, or after the file if it is `main`."""
    if module not in document.components:
        raise UsageError(
            "P009",
            f"{printable(str(source))} has no module `{printable(module)}`",
            hint=did_you_mean(module, document.components),
        )
    made = document.parts[module]
    if made.calls:
        callee, _, at = document.modules[module].calls[0]
        raise ModelError(
            "P222",
            f"module `{printable(module)}` calls `{printable(callee)}`: a part makes no calls",
            position=document.text.position(at),
        )
    name = Path(source).stem if source is not None and module == _MAIN else module
    space = made.space
    check_size(name, space.size, _width(document, module))
    labelled = _labels(document, module)
    values = bytearray(space.size * len(labelled))
    for column, states in enumerate(labelled.values()):
        for state in states:
            values[state * len(labelled) + column] = 1
    return Part.from_steps(
        name,
        states=[space.name(state) for state in range(space.size)],
        initial=range(space.initial),
        atoms=tuple(labelled),
        values=values,
        sources=space.sources,
        targets=space.targets,
    )


def _types(document: Document, module: str) -> dict[str, tuple[str, ...]]:
    """The values of each variable, as they are written."""
    return {
        each.name: tuple(sorted(map(show, each.domain.values)))
        for each in _variables(document, module)
    }


def _variables(document: Document, module: str) -> list[Flat]:
    return [each for each in document.components[module].variables if not each.hidden]


def _width(document: Document, module: str) -> int:
    """How many labels there can be: types may be far larger than the states there are."""
    sizes = sum(variable.domain.size for variable in _variables(document, module))
    return sizes + len(document.parts[module].labelled) + len(document.labels.atoms)


def _labels(document: Document, module: str) -> dict[str, Sequence[int]]:
    """The labels of a module, each with its states."""
    made = document.parts[module]
    compiler = document.components[module].compiler
    labels: dict[str, Sequence[int]] = {}
    for variable in _variables(document, module):
        current = compiler.current(variable)
        if variable.domain.kinds == BOOL:
            labels[variable.name] = made.space.states(current)
            continue
        for value in variable.domain.values:
            shown = value if isinstance(value, str) else show(value)
            condition = compiler.equal(current, value)
            labels[f"{variable.name} = {shown}"] = made.space.states(condition)
    labels.update(made.labelled)
    for label, atom in document.labels.atoms.items():
        if atom.component == module and label not in labels:
            try:
                labels[label] = made.space.states(atom.number)
            except Fault as fault:
                raise atom.text.error(fault) from None
    return labels
