"""A part whose states are listed only when something needs them all.

The symbolic method and predicate abstraction take its formulas. Everything else sees an ordinary
`Part`: the first question about its states lists them.
"""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, SupportsIndex

from pigro.model.part import Part

if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Sequence

    from pigro.model.lazy.formulas import Formulas


class FormulaPart(Part):
    """A `Part` without actions and unknown labels that is given by formulas."""

    __slots__ = ("_list", "_listed", "formulas", "predicates")

    formulas: Formulas
    predicates: tuple[str, ...]
    """Conditions by which the part is to be abstracted. See `with_predicates`."""
    _list: Callable[[], Part]
    _listed: Part | None

    def __init__(
        self, name: str, atoms: tuple[str, ...], formulas: Formulas, listing: Callable[[], Part]
    ) -> None:
        put = object.__setattr__
        put(self, "name", name)
        put(self, "atoms", atoms)
        put(self, "actions", None)
        put(self, "hyper", ())
        put(self, "formulas", formulas)
        put(self, "_list", listing)
        put(self, "_listed", None)
        put(self, "predicates", ())

    def with_predicates(self, predicates: Iterable[str], name: str | None = None) -> FormulaPart:
        """The same part to be abstracted by these conditions, perhaps with another name.

        `FormulaError` if one of them is no condition over its variables.
        """
        given = tuple(predicates)
        for each in given:
            self.formulas.read(each)
        made = FormulaPart(name or self.name, self.atoms, self.formulas, self._list_as(name))
        object.__setattr__(made, "predicates", given)
        if name is None or name == self.name:
            object.__setattr__(made, "_listed", self._listed)
        return made

    def _list_as(self, name: str | None) -> Callable[[], Part]:
        return lambda: replace(self.listed, name=name or self.name)

    @property
    def is_listed(self) -> bool:
        """Whether the states are there."""
        return self._listed is not None

    @property
    def listed(self) -> Part:
        """The part with all states. Raises the error of a wrong state, or of too many states."""
        if self._listed is None:
            object.__setattr__(self, "_listed", self._list())
        assert self._listed is not None, "it was made"
        return self._listed

    @property
    def is_concrete(self) -> bool:
        """See `Part`. Formulas leave nothing open."""
        return True

    @property
    def states(self) -> Sequence[str]:
        """See `Part`."""
        return self.listed.states

    @property
    def initial(self) -> tuple[int, ...]:
        """See `Part`."""
        return self.listed.initial

    @property
    def values(self) -> bytes:
        """See `Part`."""
        return self.listed.values

    @property
    def offsets(self) -> array[int]:
        """See `Part`."""
        return self.listed.offsets

    @property
    def targets(self) -> array[int]:
        """See `Part`."""
        return self.listed.targets

    @property
    def by(self) -> array[int]:
        """See `Part`."""
        return self.listed.by

    @property
    def must(self) -> bytes:
        """See `Part`."""
        return self.listed.must

    def __eq__(self, other: object) -> bool:
        if self is other or not isinstance(other, Part):
            return self is other
        if (self.name, self.atoms, self.actions) != (other.name, other.atoms, other.actions):
            return False
        return self.listed == listed(other)

    def __hash__(self) -> int:
        return hash(self.listed)

    def __reduce_ex__(
        self, protocol: SupportsIndex
    ) -> tuple[Callable[..., Part], tuple[object, ...]]:
        return self.listed.__reduce_ex__(protocol)

    def __repr__(self) -> str:
        return repr(self.listed) if self.is_listed else f"<Part {self.name}: states not listed>"


class AbstractedPart(Part):
    """A part whose states are sets of states of another, such as by predicates.

    A label that is unknown in one of them may be true at one time and false at another. Parts that
    a user writes are finished once and for all.
    """

    __slots__ = ()

    def __reduce_ex__(
        self, protocol: SupportsIndex
    ) -> tuple[Callable[..., Part], tuple[object, ...]]:
        restore, given = super().__reduce_ex__(protocol)
        return _restored, (restore, *given)


def _restored(restore: Callable[..., Part], *given: object) -> Part:
    part = restore(*given)
    return AbstractedPart(**{each.name: getattr(part, each.name) for each in fields(part)})


def is_listed(part: Part) -> bool:
    """Whether the states of a part are there, so that they can be counted."""
    return not isinstance(part, FormulaPart) or part.is_listed


def listed(part: Part) -> Part:
    """The part with all states."""
    return part.listed if isinstance(part, FormulaPart) else part
