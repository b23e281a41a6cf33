"""What a model keeps of its file, or of its program, to answer questions about its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from pigro.model.positions import SourcePosition


class NodeValuation(Protocol):
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


class ModelConditions:
    """Nothing is kept. Others say where conditions hold, and how formulas are read."""

    __slots__ = ()

    @property
    def document(self) -> Any:
        """What reads the text of formulas as the file does. None if `parse` does."""
        return None

    @property
    def valuation(self) -> NodeValuation | None:
        """The values of variables, if the file describes states by variables."""
        return None

    @property
    def is_partial(self) -> bool:
        """Whether the model is the part of another one that evidence speaks of."""
        return False

    def __call__(self, label: str) -> Sequence[int] | None:
        """The declared nodes where a condition holds. None if there is no such label."""
        return None


class FoundLabels(ModelConditions):
    """The labels that a function finds. Functions that are equal find the same."""

    __slots__ = ("_find",)

    def __init__(self, find: Callable[[str], Sequence[int] | None]) -> None:
        self._find = find

    def __call__(self, label: str) -> Sequence[int] | None:
        """See `ModelConditions`."""
        return self._find(label)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, FoundLabels) and self._find == other._find

    def __hash__(self) -> int:
        return hash(self._find)


def conditions_of(given: Callable[[str], Sequence[int] | None]) -> ModelConditions:
    """The conditions that a function finds, or the ones that are given."""
    return given if isinstance(given, ModelConditions) else FoundLabels(given)
