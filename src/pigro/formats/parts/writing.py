"""Parts to the text of a `.parts` file."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError
from pigro.formats.files import write_atomically
from pigro.formats.parts.line import KEYWORDS
from pigro.limits import no_poll, watched
from pigro.logic import quote
from pigro.model.mistakes import quoted

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike

    from pigro.formats.parts.file import PartsFile
    from pigro.limits import Poll
    from pigro.model.part import Part


def save_parts(file: PartsFile, path: str | PathLike[str]) -> None:
    """Writes a file of parts, whole or not at all."""
    write_atomically(path, write_parts(file))


def write_parts(file: PartsFile, poll: Poll = no_poll) -> bytes:
    """The bytes of the file. `ModelError` P215 if a name has a line break."""
    lines = [line for part in file.parts for line in watched(_part(part.listed(poll)), poll)]
    if file.compose is not None:
        lines.append(f"compose {_list(file.compose)}")
    for each in file.formulas:
        text = str(each.formula)
        _one_line(text)
        lines.append(f"check {text}")
    return "".join(f"{line}\n" for line in lines).encode("utf-8", "surrogatepass")


def _part(part: Part) -> Iterator[str]:
    yield f"part {_name(part.name)}"
    if part.atoms:
        yield f"  labels {_list(part.atoms)}"
    if part.actions is not None:
        yield f"  actions {_list(part.actions)}".rstrip()
    atoms = [_name(label) for label in part.atoms]
    states = [_name(state) for state in part.states]
    actions = [_name(part.action_name(action)) for action in range(len(part.actions or ()))]
    actions.append("tau")  # number -1
    width, initial, values = len(atoms), frozenset(part.initial), part.values
    rows: dict[bytes, str] = {}
    for at, state in enumerate(states):
        row = values[at * width : at * width + width]
        if row not in rows:
            rows[row] = ", ".join(
                label + "?" * (value - 1) for label, value in zip(atoms, row, strict=True) if value
            )
        labels = f"{{ {rows[row]} }}" if rows[row] else "{}"
        yield f"  state {state} {labels}" + (" initial" if at in initial else "")
    for at, state in enumerate(states):
        wide = part.hyper_of(at)
        told = {(step.by, target) for step in wide for target in step.targets}
        single = [step for step in part.steps_of(at) if step[2] or step[:2] not in told]
        for (by, must), steps in groupby(single, key=lambda step: (step[0], step[2])):
            targets = ", ".join([states[target] for _, target, _ in steps])
            sign = "-" if must else "~"
            action = "" if part.actions is None else f"{sign}{actions[by]}"
            yield f"  {state} {action}{sign}> {targets}"
        for by, group in groupby(wide, key=lambda step: step.by):
            sets = [" | ".join([states[target] for target in step.targets]) for step in group]
            action = "" if part.actions is None else f"-{actions[by]}"
            yield f"  {state} {action}-> {', '.join(sets)}"


def _list(names: Iterable[str]) -> str:
    return ", ".join(map(_name, names))


def _name(name: str) -> str:
    """As it is read back."""
    _one_line(name)
    return f'"{name}"' if name in KEYWORDS else quote(name)


def _one_line(text: str) -> None:
    if "\n" in text or "\r" in text:
        message = f"{quoted(text)} has a line break, which a .parts file can't hold"
        raise ModelError("P215", message, hint="rename it")
