"""The values of variables in the nodes of a model, where its file describes states by variables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pigro.model.positions import SourcePosition


class Valuation(Protocol):
    """Nodes are declared nodes, as the file numbers them. Names and values are as people write
    them.
    """

    def values(self, node: int) -> Mapping[str, str]:
        """Each variable with its value."""

    def inputs(self, before: int, after: int) -> Mapping[str, str]:
        """Inputs that lead from one node to another. Empty if there are none, or no such step."""

    def place(self, before: int, after: int, box: int = -1) -> SourcePosition | None:
        """Where the file says what a step does. With a box, after its call has returned.

        None if the file does not say.
        """
