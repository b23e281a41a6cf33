"""A part that is given by formulas. Its states are listed for those who need them all.

The symbolic method and predicate abstraction take the formulas. Everything else asks for `listed`.
"""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, ClassVar, Literal, SupportsIndex, TypeAlias

from pigro.limits import no_poll
from pigro.model.kinds import SubjectKind
from pigro.model.part import Part

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from pigro.limits import Poll
    from pigro.model.lazy.formulas import PartFormulas
    from pigro.model.parts.hyper import HyperStep


@dataclass(frozen=True, repr=False)
class FormulaPart:
    """A part without actions, unknown labels and a list of states."""

    name: str
    formulas: PartFormulas
    predicates: tuple[str, ...] = ()
    """Conditions by which the part is to be abstracted. See `part_with_predicates`."""
    kind: ClassVar[Literal[SubjectKind.COMPOSITION]] = SubjectKind.COMPOSITION
    is_listed: ClassVar[Literal[False]] = False
    actions: ClassVar[tuple[str, ...] | None] = None
    hyper: ClassVar[tuple[HyperStep, ...]] = ()
    is_concrete: ClassVar[bool] = True
    """Formulas leave nothing open."""

    @property
    def atoms(self) -> tuple[str, ...]:
        """The labels that it sees."""
        return self.formulas.labels

    def listed(self, poll: Poll = no_poll) -> Part:
        """The part with all states. Raises the error of a wrong state, or of too many states."""
        return replace(self.formulas.listed(poll), name=self.name)

    def __repr__(self) -> str:
        return f"<Part {self.name}: states not listed>"


GivenPart: TypeAlias = Part | FormulaPart
"""A part as a file or a user gives it."""


def part_with_predicates(
    part: GivenPart, predicates: Iterable[str], name: str | None = None
) -> GivenPart:
    """The same part to be abstracted by these conditions, perhaps with another name.

    Needs: the part has formulas. `FormulaError` if one of them is no condition over its variables.
    """
    given = tuple(predicates)
    assert part.formulas is not None, "it is given by formulas"
    for each in given:
        part.formulas.read(each)
    return replace(part, predicates=given, name=name or part.name)


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
