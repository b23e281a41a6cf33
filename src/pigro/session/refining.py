"""Whether parts refine others: files or compositions to the answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import Problems
from pigro.engines.simulation import simulate
from pigro.formats.parts import load_parts, together
from pigro.model.composition import Composition, as_composition
from pigro.session.modules import as_needed

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.limits import Budget
    from pigro.model.part import Part
    from pigro.verdict.simulation import Simulation


def simulates(
    abstract: Composition | Part | Iterable[Part],
    concrete: Composition | Part | Iterable[Part],
    *,
    budget: Budget | None = None,
) -> Simulation:
    """Is the abstract composition an abstraction of the concrete one?

    If it is, the answer has a `relation`: which abstract states stand for which concrete ones, a
    mixed simulation. If it is not, the answer has a `game` that shows why. Each formula of the
    mu-calculus or CTL that holds in an abstraction holds in the concrete composition, and the
    same is true of those that fail. `CheckError` P413 if the two are not about the same labels and
    actions.

    >>> from pigro import PartBuilder
    >>> one = PartBuilder("one", labels=["p"]).state("a", unknown=["p"], initial=True)
    >>> two = PartBuilder("two", labels=["p"]).state("b", "p", initial=True)
    >>> simulates(one.build(), two.build()).holds, simulates(two.build(), one.build()).holds
    (True, False)
    """
    poll = None if budget is None else budget.poll
    return simulate(as_composition(abstract), as_composition(concrete), poll)


def read_sides(
    abstract: str, concrete: Iterable[str], budget: Budget
) -> tuple[Composition, Composition]:
    """Both compositions from files. `Problems` with all that is wrong with either."""
    problems = Problems()
    sides = []
    for names in ((abstract,), concrete):
        with problems.collecting():
            parts, _ = together([load_parts(name, budget.poll) for name in names])
            side = Composition([as_needed(part, "concrete", budget.poll) for part in parts])
            _ = side.initial  # may be too many
            sides.append(side)
    problems.raise_if_any()
    return sides[0], sides[1]
