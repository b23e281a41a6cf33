"""How a subject is given, the engine for it, and the options that neither takes.

This is the one place that looks at what a request is about. See `pigro.options` for the table.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError
from pigro.engines import table
from pigro.engines.table import options_for, require_option
from pigro.model.kinds import Kind
from pigro.model.space import Model
from pigro.options import FILE, MODEL, OPTIONS, PARTS, PARTS_FILE, PROGRAM, SYSTEM, why_not

if TYPE_CHECKING:
    from pigro.engines import Engine
    from pigro.session.request import Request

_KINDS = {
    FILE: Kind.MODEL,
    MODEL: Kind.MODEL,
    PARTS_FILE: Kind.COMPOSITION,
    PARTS: Kind.COMPOSITION,
    PROGRAM: Kind.MODEL,
    SYSTEM: Kind.SYSTEM,
}
_FIXED = {PARTS_FILE: "game", PARTS: "game", PROGRAM: "onthefly", SYSTEM: "onthefly"}
"""What `--engine` may name where there is no choice."""
_NOT_ITS_OWN = ("jobs", "witness")
"""Options that some engines take when they are asked, and not before."""


def how_given(request: Request) -> str:
    """How the subject of a request is given: one of `pigro.options.GIVEN`."""
    subject = request.subject
    if isinstance(subject, Model):
        return MODEL
    if type(subject) is not tuple or not all(isinstance(each, str) for each in subject):
        from pigro.session.parts import is_composed

        return PARTS if is_composed(subject) else SYSTEM
    name = "".join(subject).lower() if request.format is None else f".{request.format}"
    if len(subject) != 1 or request.composes or name.endswith(".parts"):
        return PARTS_FILE
    if ":" not in name:
        return FILE
    from pigro.session.programs import program_of

    return FILE if program_of(subject[0]) is None else PROGRAM


def engine_for(request: Request, given: str) -> Engine:
    """The engine that a request asks for, with its options.

    `UsageError` P006 for an option that the subject or the engine does not take.
    """
    said = request.said()
    for row in OPTIONS:
        reason = why_not(row, given) if row.name in said else None
        if reason is not None:
            hint = None
            if given == MODEL and FILE in row.takers:
                hint = "give the name of the file, or say it when the model is loaded"
            raise UsageError("P006", f"{request.name_of(row.name)} {reason}", hint=hint)
    fixed, kind = _FIXED.get(given), _KINDS[given]
    if fixed is not None and request.engine not in {"auto", fixed}:
        table.choose_engine(request.engine)
        what = "compositions" if kind is Kind.COMPOSITION else f"{given}s"
        hint = f"{what} are checked by {fixed}, which auto picks"
        message = f"engine {request.engine} checks models, not {what}"
        raise UsageError("P006", message, hint=hint)
    name = "auto" if given == PROGRAM else request.engine
    name = {Kind.COMPOSITION: request.method, Kind.SYSTEM: "search"}.get(kind, name)
    engine = table.choose_engine(name, kind)
    options = [each for each in options_for(kind) if each in said]
    if request.witness != "full" and "witness" in options:
        options.remove("witness")
    for option in options:
        require_option(engine, option, request.name_of(option))
    own = {each: getattr(request, each) for each in options if each not in _NOT_ITS_OWN}
    return engine.with_options(**own) if own else engine
