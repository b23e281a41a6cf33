"""The states of a run by their variables: all values first, then those that change.

A step has its inputs, and with processes the one that makes it. Labels that only repeat a value
are left out.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import printable

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from pigro.evidence import Path
    from pigro.model import RSM

_WIDE = 88
"""Characters of a line of values."""
_FEW = 12
"""Variables of a state in the short form."""
_MARGIN = " " * 8
_HIDDEN = "before: "
"""Labels of hidden variables begin so."""
LOOP = "        -- the loop starts here --"


class RunValues:
    """The values along runs of a model that has variables."""

    def __init__(self, model: RSM, *, full: bool) -> None:
        self._model, self._full = model, full
        self._known: dict[int, Mapping[str, str]] = {}
        self._several = model.core.components > 1

    def of(self, node: int) -> Mapping[str, str]:
        """Each variable with its value."""
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = self._model.values(node)
        return found

    def inputs(self, path: Path, at: int) -> Mapping[str, str]:
        """The inputs of the step to a state of a path."""
        if at == 0:
            return {}
        return self._model.inputs(path.states[at - 1].node, path.states[at].node)

    def row(self, path: Path, at: int, before: int | None) -> str:
        """A state, beside the one at another place of the path. None: all its values."""
        node = path.states[at].node
        values = self.of(node)
        lead = ""
        if before is not None and self._same_component(path, at, before):
            old = self.of(path.states[before].node)
            values = {name: value for name, value in values.items() if old.get(name) != value}
        elif self._several:
            lead = f"{printable(self._model.component_name(node))}: "
        told = [f"{name} = {value}" for name, value in values.items()]
        if not self._full and len(told) > _FEW:
            told[_FEW:] = [f"and {len(told) - _FEW:,} more"]
        nothing = "no variable changes" if before is not None else "no variables"
        given = [f"{name} = {value}" for name, value in self.inputs(path, at).items()]
        by = f"   (by {', '.join(given)})" if given else ""
        return lead + "\n".join(_wrapped(told or [nothing])) + by

    def _same_component(self, path: Path, at: int, before: int) -> bool:
        component = self._model.core.component
        return component(path.states[at].node) == component(path.states[before].node)

    def tells(self, node: int, label: str) -> bool:
        """Whether a label says more than one value."""
        values = self.of(node)
        if is_hidden(label):
            return False
        name, sign, value = label.partition(" = ")
        return values.get(name) != (value if sign else "TRUE")


def is_hidden(label: str) -> bool:
    """Whether a label is about a hidden variable, which readers of a file don't know."""
    return label.startswith(_HIDDEN)


def _wrapped(told: list[str]) -> Iterator[str]:
    """Lines that are not too wide, all but the first with a margin."""
    line, margin = "", ""
    for number, each in enumerate(told):
        text = each if number == len(told) - 1 else f"{each}, "
        if line and len(line) + len(text) > _WIDE:
            yield margin + line.rstrip()
            line, margin = "", _MARGIN
        line += text
    yield margin + line
