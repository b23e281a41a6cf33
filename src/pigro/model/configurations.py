"""What the states of a model are called in its file, if that has other names than nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pigro.model.rsm import RSM


class StackConfigurations(Protocol):
    """Those of a pushdown system. States are `pigro.evidence.State`."""

    def text(self, model: RSM, state: Any) -> str:
        """A configuration as `<q, f g n>`, the top of the stack first."""

    def line(self, model: RSM, before: Any, after: Any) -> int:
        """The line of the rule of a step. 0 if it is not known."""
