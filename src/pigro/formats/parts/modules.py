"""Parts of a `.parts` file that are modules of other files: `part meter from "meter.smv"`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import FormulaError, printable
from pigro.formats.files import read_bytes
from pigro.formats.smv.composing import parts_of_modules
from pigro.model.lazy.part import part_with_predicates

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.formats.parts.line import LinePlace, ModuleLine
    from pigro.limits import Poll
    from pigro.model.lazy.part import GivenPart


def module_part(
    found: ModuleLine, place: LinePlace, poll: Poll
) -> tuple[GivenPart, Mapping[str, tuple[str, ...]]]:
    """The part, and the values of its variables. The file is looked for beside this one."""
    text, colon, module = found.file.text.rpartition(":")
    folder = Path(place.source).parent if place.source is not None else Path()
    path = folder / (text if colon else found.file.text)
    if path.suffix != ".smv":
        message = f'"{printable(found.file.text)}" is not a .smv file'
        raise place.error_at("P130", message, found.file, 'write from "FILE.smv:MODULE"')
    modules = [module] if colon else None
    file = parts_of_modules(read_bytes(path), source=str(path), modules=modules, poll=poll)
    if len(file.parts) > 1:
        message = f"{printable(str(path))} has no module main, and several others"
        raise place.error_at("P130", message, found.file, 'name one: from "FILE.smv:MODULE"')
    (part,) = file.parts
    return _named(part, found, place), next(iter(file.types.values()))


def _named(part: GivenPart, found: ModuleLine, place: LinePlace) -> GivenPart:
    """The part under its own name, with its predicates."""
    if part.formulas is None:
        if found.predicates:
            message = "a module with EXIT can't be abstracted by predicates"
            raise place.error_at("P130", message, found.predicates[0])
        return replace(part, name=found.name.text)
    for each in found.predicates:
        try:
            part.formulas.read(each.text)
        except FormulaError as error:
            raise place.error_at(error.code, error.message, each, error.hint) from None
    return part_with_predicates(part, [each.text for each in found.predicates], found.name.text)
