"""Which engine answers, and the question asked of it: `check` and `check_all`."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Protocol

from pigro.diagnostics import CheckError, did_you_mean
from pigro.engines.exhaustive import check_exhaustive
from pigro.engines.labels import UnknownLabelWarning, unknown_labels
from pigro.logic import Formula, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from pigro.engines.verdict import Verdict
    from pigro.model import RSM


class Engine(Protocol):
    """A decision procedure: a model and a formula in, a verdict out."""

    def __call__(
        self, model: RSM, formula: Formula, *, tick: Callable[[], None] | None = None
    ) -> Verdict: ...


ENGINES: dict[str, Engine] = {"exhaustive": check_exhaustive}
"""By name; `auto` is not an engine but a choice among them."""


def choose_engine(name: str) -> Engine:
    """The engine of that name, or the one that `auto` picks; `CheckError` P403 for others."""
    if name == "auto":
        return check_exhaustive
    if name not in ENGINES:
        known = ["auto", *ENGINES]
        raise CheckError(
            "P403",
            f"there is no engine {name!r}",
            hint=did_you_mean(name, known) or f"engines: {', '.join(known)}",
        )
    return ENGINES[name]


def check(
    model: RSM, formula: Formula | str, *, engine: str = "auto", strict: bool = False
) -> Verdict:
    """Does the formula hold in every initial node of the model?

    Labels that no node carries are false, with an `UnknownLabelWarning`; with `strict` they are an
    error. Raises `FormulaError` for text that is no formula, `CheckError` for one that no engine of
    that name can check.

    >>> from pigro import kripke
    >>> model = kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["done"]}, initial="a")
    >>> verdict = check(model, "AF done")
    >>> verdict.holds, verdict.reason
    (True, 'every run reaches a state with done')
    """
    (verdict,) = check_all(model, [formula], engine=engine, strict=strict)
    return verdict


def check_all(
    model: RSM, formulas: Iterable[Formula | str], *, engine: str = "auto", strict: bool = False
) -> Iterator[Verdict]:
    """Checks many formulas on one model; yields their verdicts in order, as they are found.

    All formulas are parsed, and refused if they are not CTL, before the first is checked.
    """
    run = choose_engine(engine)
    parsed = [parse(each) if isinstance(each, str) else each for each in formulas]
    for each in parsed:
        each.require_ctl()
    unknown = unknown_labels(model, parsed)
    if unknown and strict:
        raise unknown.as_error()
    if unknown:
        warnings.warn(unknown.message(), UnknownLabelWarning, stacklevel=3)
    return (run(model, each) for each in parsed)
