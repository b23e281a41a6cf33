"""How evidence is put into words: what its parts are, and what a run or a claim says of them.

Evidence of CTL speaks of the normal form, evidence of LTL and CTL* of the formula as it is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from pigro.diagnostics import printable
from pigro.evidence.runs import body_of, is_some, shown_by_runs
from pigro.logic import existential_normal_form
from pigro.logic.normal import EG, EX, TRUE
from pigro.logic.printer import text_of

if TYPE_CHECKING:
    from pigro.evidence import Evidence
    from pigro.logic import Formula


class Wording(Protocol):
    """What to say. Formulas are cut where they get too long."""

    @property
    def atoms(self) -> tuple[str, ...]:
        """The labels that matter."""

    def text(self, part: int) -> str:
        """A part of the evidence."""

    def claim(self, at: Evidence) -> str:
        """What is true of all runs, in a sentence."""

    def purpose(self, at: Evidence) -> tuple[str, str, str]:
        """What a run shows, after the words "a run of 7 states": a formula with words around it."""


def wording(formula: Formula, longest: int) -> Wording:
    """The words for the evidence of a formula."""
    return _OfRuns(formula, longest) if shown_by_runs(formula) else _OfPaths(formula, longest)


class _OfPaths:
    """For formulas of CTL."""

    def __init__(self, formula: Formula, longest: int) -> None:
        self.form, self.longest = existential_normal_form(formula), longest
        self.atoms = self.form.atoms

    def text(self, part: int) -> str:
        return printable(self.form.text(part), self.longest)

    def claim(self, at: Evidence) -> str:
        what = self._no_run(at.part)
        level = sum(op >= EX for op in self.form.ops[: at.part + 1])
        count = f"{at.explored:,} place{'s' if at.explored != 1 else ''}"
        where = f" at {count}" if at.explored else ""  # else by labels alone
        return f"{what} (proved{where}: level {level} of the certificate)"

    def _no_run(self, part: int) -> str:
        """That an operator is false."""
        op, left, right = self.form.ops[part], self.form.left[part], self.form.right[part]
        first = self.text(left)
        if op == EX:
            return f"no next state satisfies {first}"
        if op == EG:
            return f"no run from here satisfies {first} in all its states"
        reached = f"no run from here reaches {self.text(right)}"
        anyhow = self.form.ops[left] == TRUE
        return reached if anyhow else f"{reached} with {first} in all states before"

    def purpose(self, at: Evidence) -> tuple[str, str, str]:
        return " for ", self.text(at.part), ""


class _OfRuns:
    """For formulas outside of CTL."""

    def __init__(self, formula: Formula, longest: int) -> None:
        self.formula, self.longest = formula, longest
        self.atoms = formula.atoms

    def text(self, part: int) -> str:
        return printable(text_of(self.formula, part, self.longest), self.longest)

    def claim(self, at: Evidence) -> str:
        runs = "no run" if is_some(self.formula, at.part) else "every run"
        said = f"{runs} from here satisfies {self.text(body_of(self.formula, at.part))}"
        return f"{said} (decided by the search, not proved)"

    def purpose(self, at: Evidence) -> tuple[str, str, str]:
        body = self.text(body_of(self.formula, at.part))
        return (" with ", body, "") if at.truth else (" on which ", body, " fails")
