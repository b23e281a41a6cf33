"""What a model keeps of its document: how formulas are read, and the nodes of conditions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.model.conditions import ModelConditions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.formats.smv.document import SmvDocument
    from pigro.formats.smv.listing import ListedValues
    from pigro.formats.smv.space import ListingBounds


class NodeFinder(ModelConditions):
    """Finds the nodes of conditions, as `SmvDocument.nodes_of` does.

    A document has functions and can't be pickled. So a finder is pickled as the text of the file,
    and the text is read again when the first formula or condition is asked for. Finders of equal
    texts are equal.
    """

    __slots__ = ("_document", "_how")

    def __init__(
        self,
        read: Callable[..., SmvDocument],
        text: str,
        source: str | None,
        bounds: ListingBounds,
        document: SmvDocument | None = None,
    ) -> None:
        self._how = (read, text, source, bounds)
        self._document = document

    @property
    def document(self) -> SmvDocument:
        """Reads formulas about the model. See `RSM.document`."""
        if self._document is None:
            read, text, source, bounds = self._how
            self._document = read(text.encode(), source=source, bounds=bounds)
        return self._document

    @property
    def valuation(self) -> ListedValues:
        """The values of variables in nodes. See `RSM.values`."""
        return self.document.valuation

    def __call__(self, label: str) -> Sequence[int] | None:
        """The declared nodes where a condition holds. None if the label is no condition."""
        return self.document.nodes_of(label)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, NodeFinder) and self._how[1] == other._how[1]

    def __hash__(self) -> int:
        return hash(self._how[1])

    def __reduce__(self) -> tuple[type[NodeFinder], tuple[object, ...]]:
        return NodeFinder, self._how
