"""Whether parts refine others: files or compositions to the answer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from pigro.diagnostics import InputProblems
from pigro.engines.game.modules import as_needed
from pigro.engines.simulation import simulate
from pigro.formats.parts import load_parts, together
from pigro.lazy_names import type_names
from pigro.model.composition import Composition, as_composition

if TYPE_CHECKING:
    from pigro.limits import Budget
    from pigro.model.part import Part
    from pigro.verdict.simulation import Simulation
else:
    type_names(
        globals(),
        {
            "pigro.limits": "Budget",
            "pigro.model.part": "Part",
            "pigro.verdict.simulation": "Simulation",
        },
    )


def simulates(
    abstract: Composition | Part | Iterable[Part],
    concrete: Composition | Part | Iterable[Part],
    *,
    budget: Budget | None = None,
) -> Simulation:
    """Checks whether the abstract composition is an abstraction of the concrete one.

    If it is, the answer has a `relation`: a mixed simulation, which says which abstract states
    stand for which concrete ones. If it is not, the answer has a `game` that shows why. A formula
    of the mu-calculus or CTL that holds in an abstraction holds in the concrete composition, and a
    formula that fails there fails here. Raises `CheckError` P413 if the two do not have the same
    labels and actions.

    >>> import pigro
    >>> one = pigro.PartBuilder("one", labels=["p"]).state("a", unknown=["p"], initial=True)
    >>> two = pigro.PartBuilder("two", labels=["p"]).state("b", "p", initial=True)
    >>> pigro.simulates(one.build(), two.build()).holds
    True
    >>> pigro.simulates(two.build(), one.build()).holds
    False
    """
    poll = None if budget is None else budget.poll
    return simulate(as_composition(abstract), as_composition(concrete), poll)


def read_sides(
    abstract: str, concrete: Iterable[str], budget: Budget
) -> tuple[Composition, Composition]:
    """Both compositions from files. `InputProblems` with all that is wrong with either."""
    problems = InputProblems()
    sides = []
    for names in ((abstract,), concrete):
        with problems.collecting():
            parts, _ = together([load_parts(name, budget.poll) for name in names])
            side = Composition([as_needed(part, "concrete", budget.poll) for part in parts])
            _ = side.initial  # may be too many
            sides.append(side)
    problems.raise_if_any()
    return sides[0], sides[1]
