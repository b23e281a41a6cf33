"""What a check answers, the same for every engine."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from pigro.engines.reason import explain
from pigro.limits import unwatched

if TYPE_CHECKING:
    from pigro.certificates.certificate import Certificate
    from pigro.evidence import Evidence
    from pigro.limits import Poll
    from pigro.logic import Formula
    from pigro.model import RSM


@dataclass(frozen=True, slots=True)
class CheckStats:
    """What the check cost. `None` where the engine has no such thing."""

    seconds: float
    """Checking only, without loading and parsing."""
    contexts: int | None = None
    """Instances of components under a context that were built, the root included."""
    visited: int | None = None
    """What searches reached: pairs of an entry under a context and a node, or assertions."""
    passes: int | None = None
    """Instances whose node values were computed."""
    states: int | None = None
    """States that were looked at."""
    certify_seconds: float | None = None
    """For the certificate, after the verdict was there; None without one."""
    verify_seconds: float | None = None
    """For checking the certificate; None if it was not."""
    certificate_bytes: int | None = None
    """The size of the certificate, its new lemmas included."""


@dataclass(frozen=True, slots=True)
class Step:
    """One step of a run, for `--trace`: what was done, where, and why."""

    action: str
    """`initialize`, `contextualize` or `resolve`."""
    formula: str
    """The subformula that asked for the step."""
    value: str | None = None
    """What a resolved cycle of dependencies was worth: `true` or `false`."""
    nodes: tuple[str, ...] = ()
    """The nodes where that subformula was unknown."""
    box: str | None = None
    caller: str | None = None
    """The instance that calls, as COMPONENT#NUMBER."""
    instance: str | None = None
    """The instance that the box calls from now on."""
    built: bool = False
    """Whether that instance is new."""
    context: tuple[tuple[str, str, str], ...] = ()
    """What it knows about its exits: (exit, subformula, `true` or `false`)."""


class Answer:
    """What verdicts of all kinds have in common."""

    __slots__ = ()
    holds: bool | None

    @property
    def word(self) -> str:
        """`holds`, `fails` or `unknown`."""
        return "unknown" if self.holds is None else "holds" if self.holds else "fails"

    def __bool__(self) -> bool:
        """Refused: an unknown verdict is neither; ask `verdict.holds`."""
        message = "a verdict may be unknown: ask for .holds"
        raise TypeError(message)


@dataclass(frozen=True, slots=True)
class Verdict(Answer):
    """The answer to one question. `holds` is None when no verdict was reached."""

    model: RSM = field(repr=False)
    formula: Formula
    holds: bool | None
    engine: str
    stats: CheckStats
    holds_at: tuple[tuple[int, bool], ...] = ()
    """Each initial node, by node number, with the formula's truth there."""
    steps: tuple[Step, ...] | None = None
    """What the engine did, if it was asked to tell and can."""
    gave_up: str | None = None
    """Why there is no verdict, if there is none."""
    caveat: str | None = None
    """Why the verdict may be wrong. None unless an unsound variant of an engine was asked for."""
    certificate: Certificate | None = field(default=None, repr=False)
    """The proof of the verdict, if it was asked for."""
    shown: Evidence | None = field(default=None, repr=False)
    """Why, if the engine can tell without a certificate: for LTL and CTL*."""
    depth: int | None = field(default=None, repr=False)
    """How high stacks may get where such a verdict is decided again; None: as high as they do."""

    @property
    def reason(self) -> str:
        """One sentence for people; why there is no verdict, if there is none."""
        if self.caveat is not None:
            return f"NOT PROVED: {self.caveat}"
        return self.gave_up or explain(self.model, self.formula, self.holds_at)

    @property
    def evidence(self) -> Evidence | None:
        """Why, as paths and claims, if that was asked for. Made once."""
        return self.evidence_within(unwatched)

    def evidence_within(self, poll: Poll) -> Evidence | None:
        """The same, as long as `poll` does not raise."""
        if self.certificate is None:
            return self.shown
        from pigro.evidence import evidence_of  # noqa: PLC0415 - few need it

        return evidence_of(self.certificate, poll)
