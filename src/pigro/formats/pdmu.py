"""`.pdmu` files: pushdown systems with a property, as PDSolver and JimpleToPDSolver use them.

Three sections (docs/formats/pushdown.md): rules, labels of control states with symbols, and a
property of the modal mu-calculus, perhaps with backward modalities. `requirements` gives the
property as a formula, if one says the same about the initial configuration (`pdmu_property.py`),
and the use-def requirements of the variables that it names. Statements end in `;`. The file does
not say where to start: that is the only head with a rule whose control state no rule leads into.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, Position, place_of, printable
from pigro.formats.pdmu_property import property_formula
from pigro.formats.pds.system import PushdownSystem
from pigro.formats.pds.translate import PushdownTranslation, translate
from pigro.formats.registry import Requirement
from pigro.formats.text import decode
from pigro.formats.use_def import variables
from pigro.limits import no_poll
from pigro.model.choices import DeadEnds, Semantics

if TYPE_CHECKING:
    from pigro.limits import Poll
    from pigro.model import RSM

__all__ = ["parse", "read", "requirements"]

_SECTION = re.compile(r"^[ \t]*(Rules|Propositions|Mu[ \t]+Property)[ \t]*:", re.MULTILINE)
_NAMES = ("Rules", "Propositions", "Mu Property")
_WORD = re.compile(r"\w+")
_EMPTY = "_"


def read(
    data: bytes,
    *,
    source: str | None = None,
    semantics: Semantics | str = Semantics.STANDARD,
    dead_ends: DeadEnds | str | None = None,
    translation: PushdownTranslation | str = PushdownTranslation.AUTO,
    poll: Poll = no_poll,
) -> RSM:
    """The model in a `.pdmu` file's bytes."""
    return translate(
        parse(decode(data, source), source=source, poll=poll),
        translation=translation,
        semantics=semantics,
        dead_ends=dead_ends,
        source=source,
        poll=poll,
    )


def requirements(
    data: bytes, *, source: str | None = None, model: RSM | None = None
) -> list[Requirement]:
    """The file's property, if it is a formula, and the use-def formulas of its variables."""
    del model
    text = decode(data, source)
    sections = _sections(text, source)
    if "Mu Property" not in sections:
        return []
    start, end = sections["Mu Property"]
    words = dict.fromkeys(_WORD.findall(text[start:end]))
    found = variables(words)
    line = text.count("\n", 0, start) + 1
    stated = property_formula(text[start:end])
    instead = (
        "" if stated is not None else ", instead of the property, which speaks of steps backward"
    )
    own = [] if stated is None else [Requirement("property", stated, None, line)]
    return own + [
        Requirement(f"use-def {each.variable}{instead}", each.formula, None, line)
        for each in found
        if "def" in each.kinds
    ]


def parse(text: str, *, source: str | None = None, poll: Poll = no_poll) -> PushdownSystem:
    """The pushdown system in the text of a file."""
    poll()
    sections = _sections(text, source)
    if "Rules" not in sections:
        raise InputError(
            "P113",
            'the file has no section "Rules:"',
            position=Position(source=source, line=1),
            hint="a .pdmu file has the sections Rules:, Propositions: and Mu Property:",
        )
    system = PushdownSystem()
    _add_rules(system, text, *sections["Rules"], source)
    if "Propositions" in sections:
        _add_labels(system, text, *sections["Propositions"], source)
    poll()
    state, symbol = _initial(system, source)
    system.start(state, [symbol])
    return system


def _sections(text: str, source: str | None) -> dict[str, tuple[int, int]]:
    """Where the content of each section starts and ends. Nothing stands before the first one."""
    found: dict[str, tuple[int, int]] = {}
    name, start = "", 0
    for match in _SECTION.finditer(text):
        if not name and text[: match.start()].strip():
            break
        if name:
            found[name] = (start, match.start())
        name, start = " ".join(match[1].split()), match.end()
        if name in found or any(later in found for later in _NAMES[_NAMES.index(name) :]):
            raise InputError(
                "P113",
                f'section "{name}:" is out of place',
                position=place_of(text, match.start(), source=source),
                hint="the sections are Rules:, Propositions: and Mu Property:, once each",
            )
        if name == "Mu Property":
            break
    if name:
        found[name] = (start, len(text))
    if not found or text[: text.index(":")].split() != next(iter(found)).split():
        at = len(text) - len(text.lstrip())
        raise InputError(
            "P113",
            'expected the section "Rules:"',
            position=place_of(text, at, source=source),
            hint="a .pdmu file has the sections Rules:, Propositions: and Mu Property:",
        )
    return found


def _add_rules(system: PushdownSystem, text: str, start: int, end: int, source: str | None) -> None:
    """`p g -> q w1 w2;`, with `_` for the empty word."""
    at, line = start, text.count("\n", 0, start) + 1
    for statement in text[start:end].split(";"):
        parts = statement.split()
        if parts:
            if len(parts) < 5 or parts[2] != "->" or "->" in parts[3:] or len(parts[0]) < 1:
                raise _wrong(text, at, source, "STATE SYMBOL -> STATE SYMBOL ...;")
            word = () if parts[4:] == [_EMPTY] else tuple(parts[4:])
            before = statement.count("\n", 0, len(statement) - len(statement.lstrip()))
            system.add(parts[0], parts[1], parts[3], word, line + before)
        at += len(statement) + 1
        line += statement.count("\n")
    _check_end(text, start, end, source)


def _add_labels(
    system: PushdownSystem, text: str, start: int, end: int, source: str | None
) -> None:
    """`p g label label;`. Only what can be on top of the stack matters."""
    at = start
    for statement in text[start:end].split(";"):
        parts = statement.split()
        if parts:
            if len(parts) < 2:
                raise _wrong(text, at, source, "STATE SYMBOL LABEL ...;")
            system.label_head(parts[0], parts[1], parts[2:])
        at += len(statement) + 1
    _check_end(text, start, end, source)


def _check_end(text: str, start: int, end: int, source: str | None) -> None:
    """The last statement of a section must be closed."""
    last = text.rfind(";", start, end)
    rest = text[max(last + 1, start) : end]
    if rest.strip():
        at = max(last + 1, start) + len(rest) - len(rest.lstrip())
        raise InputError(
            "P110",
            "expected ; at the end of the statement",
            position=place_of(text, at, source=source),
        )


def _wrong(text: str, at: int, source: str | None, shape: str) -> InputError:
    while at < len(text) and text[at].isspace():
        at += 1
    end = text.find(";", at)
    shown = " ".join(text[at : end if end >= 0 else len(text)][:80].split())
    return InputError(
        "P110",
        f'expected {shape} and found "{printable(shown)}"',
        position=place_of(text, at, source=source),
        hint="the empty word is _" if "->" in shape else None,
    )


def _initial(system: PushdownSystem, source: str | None) -> tuple[str, str]:
    """The only head with a rule that is in a control state which no rule leads into."""
    core, names = system.core, system.core.names
    numbers = core.heads
    entered = {numbers[target][0] for target in set(core.targets) if target >= 0}
    entered |= {state for state, _ in core.words}
    heads = [
        (names[state], names[symbol])
        for state, symbol in (numbers[head] for head in dict.fromkeys(core.sources))
        if state not in entered
    ]
    if len(heads) != 1:
        listed = ", ".join(printable(f"{state} {symbol}", 40) for state, symbol in heads[:3])
        raise InputError(
            "P111",
            "the rules do not tell where to start: "
            + (f"{listed} are never led into" if heads else "every control state is led into"),
            position=Position(source=source, line=1),
            hint="give one rule a control state of its own, such as csinit",
        )
    return heads[0]
