"""Modules as parts of a composed system, which share labels by name.

A part sees, as labels: its variables that are true or false, by name. Of every other variable each
value of its type, as `x = v`. Its definitions that are true or false, and the conditions that the
file's own formulas about it speak of, as `formulas.py` writes them. Only modules without calls can
be parts. All states that can be reached are there, and several may be initial. They are listed
when something needs them. The symbolic method does not.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError, UsageError, did_you_mean, printable
from pigro.formats.parts.file import PartsFile
from pigro.formats.registry import Requirement
from pigro.formats.smv.document import SmvDocument
from pigro.formats.smv.formulas import ModuleFormulas
from pigro.formats.smv.module_states import has_many
from pigro.formats.smv.space import show
from pigro.limits import no_poll
from pigro.model.lazy.part import FormulaPart, GivenPart
from pigro.model.mistakes import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.formats.smv.instances import ScalarVariable
    from pigro.limits import Poll

_MAIN = "main"
_MOST_LABELS = 1 << 20


def parts_of_modules(
    data: bytes,
    *,
    source: str | None = None,
    modules: Iterable[str] | None = None,
    poll: Poll = no_poll,
) -> PartsFile:
    """The same from a file's bytes, with the formulas that the file states about these modules."""
    document = SmvDocument(data, source=source, poll=poll, lists=False)
    chosen = list(dict.fromkeys(modules or _default(document)))
    parts = tuple(_part(document, module, source, poll) for module in chosen)
    formulas = tuple(
        Requirement(each.text, each.formula, None, each.line)
        for each in document.stated(None)
        if each.module in chosen
    )
    types = {
        part.name: _types(document, module) for part, module in zip(parts, chosen, strict=True)
    }
    faults = tuple(document.faults)
    return PartsFile(parts=parts, formulas=formulas, faults=faults, source=source, types=types)


def _default(document: SmvDocument) -> list[str]:
    return [_MAIN] if _MAIN in document.modules else list(document.components)


def _part(document: SmvDocument, module: str, source: str | None, poll: Poll) -> GivenPart:
    """A module as a part, named after it, or after the file if it is `main`."""
    if module not in document.components:
        raise UsageError(
            "P009",
            f"{printable(str(source))} has no module `{printable(module)}`",
            hint=did_you_mean(module, document.components),
        )
    calls = document.calls[module]
    if calls and document.listing.part(module, poll).calls:
        callee, _, at = calls[0]
        raise ModelError(
            "P222",
            f"module `{printable(module)}` calls `{printable(callee)}`: a part makes no calls",
            position=document.text.position(at),
        )
    name = Path(source).stem if source is not None and module == _MAIN else module
    _check_labels(document, module, name)
    formulas = ModuleFormulas(document, module)
    if not document.has_exit and has_many(document.components[module]):
        return FormulaPart(name, formulas)
    return replace(
        formulas.listed(poll), name=name, formulas=None if document.has_exit else formulas
    )


def _check_labels(document: SmvDocument, module: str, name: str) -> None:
    """Refuses types with so many values that their labels alone would fill the memory."""
    sizes = sum(variable.domain.size for variable in _variables(document, module))
    if sizes > _MOST_LABELS:
        message = f"part {quoted(name)} has too many labels: {sizes:,}"
        hint = "every value of a variable is a label: choose smaller types"
        raise ModelError("P213", message, hint=hint)


def _types(document: SmvDocument, module: str) -> dict[str, tuple[str, ...]]:
    """The values of each variable, as they are written."""
    return {
        each.name: tuple(sorted(map(show, each.domain.values)))
        for each in _variables(document, module)
    }


def _variables(document: SmvDocument, module: str) -> list[ScalarVariable]:
    return [each for each in document.components[module].variables if not each.hidden]
