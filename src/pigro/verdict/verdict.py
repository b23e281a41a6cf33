"""The one verdict: what a check found out about a formula."""

from __future__ import annotations

import os  # noqa: TC003 - annotations can be evaluated
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec.structs import replace

from pigro.diagnostics import CheckError, UsageError
from pigro.lazy_names import type_names
from pigro.model.kinds import SubjectKind
from pigro.records import Record
from pigro.verdict.reason import about_paths, explain, sharing
from pigro.verdict.subject_summary import SubjectSummary, about, is_here

if TYPE_CHECKING:
    from pigro.certificates.certificate import Certificate
    from pigro.evidence.kinds import ShownEvidence
    from pigro.evidence.trace import Trace
    from pigro.logic import Formula
    from pigro.model import RSM
else:
    type_names(
        globals(),
        {
            "pigro.certificates.certificate": "Certificate",
            "pigro.evidence.kinds": "ShownEvidence",
            "pigro.evidence.trace": "Trace",
            "pigro.logic": "Formula",
            "pigro.model": "RSM",
        },
    )

_LARGE = ("subject", "certificate", "evidence")
"""Fields that `repr` leaves out."""


class CheckStats(Record, frozen=True):
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
    """For the certificate, after the verdict was there. None without one."""
    verify_seconds: float | None = None
    """For checking the certificate. None if it was not."""
    certificate_bytes: int | None = None
    """The size of the certificate, its new lemmas included."""


class Step(Record, frozen=True):
    """One step of a run, for `--trace`: the action, where, and why."""

    action: Literal["initialize", "contextualize", "resolve", "visit", "label"]
    """`initialize`, `contextualize` or `resolve`. Of the engines for one entry and exit, `visit` or
    `label`."""
    formula: str
    """The subformula that asked for the step."""
    value: Literal["true", "false"] | None = None
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
    reason: str | None = None
    """For `visit`, which kind of checking led there. For `label`, the iteration."""


class EngineDetails(Record, frozen=True):
    """What an engine says about a verdict besides. Each kind of it has its own fields."""

    @property
    def reason(self) -> str | None:
        """One sentence that says why. None: the formula alone says it."""
        return None


class StepLog(EngineDetails, frozen=True):
    """The steps of an engine, with the option `trace`."""

    steps: tuple[Step, ...]


class Remarks(Record, frozen=True):
    """What to know about a verdict besides. Empty for most verdicts."""

    gave_up: str | None = None
    """The reason why there is no verdict, such as a limit. None if there is one."""
    caveat: str | None = None
    """The reason why the verdict may be wrong. None unless you chose an unsound variant."""
    activations: tuple[str, ...] = ()
    """For a model: recursive functions with local variables that the formula is about.

    All activations of a function share the labels of its variables. So the verdict can be wrong
    about a variable of one activation.
    """
    vacuous: bool = False
    """For a model and `AG (p -> q)`: it holds only because no reachable state satisfies p."""
    note: str | None = None
    """Something to know about states that were met, such as a dead end."""


class Verdict(Record, frozen=True):
    """The answer to one question. `holds` is None when no verdict was reached.

    A verdict that was pickled has a `SubjectSummary` in place of its subject, and `on` gives the
    subject back. Two verdicts are equal if all their fields are equal, and their subjects have the
    same summary.

    >>> import pigro
    >>> verdict = pigro.check(pigro.load("examples/dataflow.rsm"), "AG (def_i -> EF use_i)")
    >>> verdict.holds, verdict.outcome, verdict.engine
    (False, 'fails', 'demand')
    >>> print(verdict.reason)
    some reachable state violates (def_i -> EF use_i)
    """

    subject: Any
    """The model or composition that was checked. A Python object is in a `StateSpace`."""
    formula: Formula
    holds: bool | None
    """Whether the formula holds. None if a limit was reached, or the answer is not known."""
    engine: str
    """The engine that decided the formula."""
    stats: CheckStats
    """Time, contexts and other costs."""
    starts: tuple[tuple[int, bool], ...] = ()
    """For a model: each initial node, by node number, with the formula's truth there."""
    certificate: Certificate | None = None
    """The proof of the verdict, with the option `certify`."""
    evidence: Any = None
    """With the option `witness`: paths and claims, or a strategy for the mu-calculus.

    `Evidence`, `RunEvidence`, `GameStrategy` or `Strategy`, by its kind (`pigro.evidence.kinds`).
    """
    details: Any = None
    """The engine's own record (`EngineDetails`): `CompositionDetails` for a composition.

    With the option `trace`, `StepLog` if the engine has one.
    """
    remarks: Remarks = Remarks()
    """What to know besides, such as the limit that was reached. Empty for most verdicts."""

    def _repr_html_(self) -> str:
        """What notebooks show: a report, with runs to step through."""
        shown: str = import_module("pigro.explore.notebook").verdict_html(self)  # a later stage
        return shown

    @property
    def outcome(self) -> Literal["holds", "fails", "unknown"]:
        """`holds`, `fails` or `unknown`."""
        return "unknown" if self.holds is None else "holds" if self.holds else "fails"

    @property
    def reason(self) -> str:
        """One sentence that says why, or why there is no verdict."""
        if self.remarks.gave_up is not None:
            return self.remarks.gave_up
        if self.remarks.caveat is not None:
            return f"NOT PROVED: {self.remarks.caveat}"
        if self.details is not None and self.details.reason is not None:
            told: str = self.details.reason
            return told
        if len(self.starts) > 1:
            told = explain(self.subject, self.formula, self.starts)
        else:
            told = about_paths(self.formula, holds=self.holds is True)
        return told + sharing(self.remarks.activations)

    def trace(self) -> Trace | None:
        """The run that shows the verdict, with its evidence (option `witness`).

        None if no single run does, for example if `AG p` holds. See `pigro.evidence.trace`.

        >>> import pigro
        >>> model = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["p"]}, initial="a")
        >>> trace = pigro.check(model, "AG !p", witness=True).trace()
        >>> [state.name for state in trace], trace.end
        (['kripke:a', 'kripke:b'], 'open')
        """
        shown = self.shown
        if shown is None:
            return None
        from pigro.evidence.kinds import kind_of

        return kind_of(shown.evidence).trace(shown)

    def __str__(self) -> str:
        """What the command line prints: the verdict, its reason and, in short, its evidence."""
        text: str = import_module("pigro.render.text").short_text(self)  # a later stage
        return text

    def require(self) -> None:
        """`AssertionError` unless the formula holds, so that a test fails by it.

        Its message is what `print` shows of the verdict, with the run if there is evidence. An
        unknown verdict is refused too.

        >>> import pigro
        >>> model = pigro.kripke({"a": ["b"], "b": ["b"]}, labels={"b": ["p"]}, initial="a")
        >>> pigro.check(model, "EF p").require()
        """
        if not self.holds:
            raise AssertionError(str(self))

    def to_html(self, path: str | os.PathLike[str]) -> None:
        """Writes a report to open in a browser, with the run to step through if there is one."""
        page: bytes = import_module("pigro.render.html").verdict_page(self)  # a later stage
        with open(path, "wb") as file:
            file.write(page)

    def on(self, subject: object) -> Verdict:
        """The verdict about this subject. `UsageError` P006 if it is about another one."""
        mine = about(self.subject)
        subject = _as_meant(mine, subject)
        other = about(subject)
        if mine.digest != other.digest or mine.kind != other.kind:
            raise UsageError("P006", f"the verdict is about another {mine.kind}")
        if mine.reading != other.reading:
            hint = f"it is about {mine.semantics} semantics, and dead ends as {mine.dead_ends}"
            raise UsageError("P006", "the verdict reads the model in another way", hint=hint)
        if mine.initial:
            subject = cast("RSM", subject).with_initial(mine.initial).about(self.formula.atoms)
        return replace(self, subject=subject)

    @property
    def shown(self) -> ShownEvidence | None:
        """What the evidence shows, for its kind (`pigro.evidence.kinds`).

        None without evidence, and if the verdict was pickled: its subject has the states.
        """
        if self.evidence is None or not is_here(self.subject):
            return None
        from pigro.evidence.kinds import ShownEvidence

        return ShownEvidence(
            self.subject, self.formula, self.holds, self.evidence, self.certificate
        )

    @property
    def seconds(self) -> float:
        """The time for checking, without evidence."""
        return self.stats.seconds

    def __bool__(self) -> bool:
        """Refused: an unknown verdict is neither. Ask `verdict.holds`."""
        message = "a verdict may be unknown: ask for .holds"
        raise TypeError(message)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Verdict):
            return NotImplemented
        names = self.__struct_fields__[1:]  # all but the subject
        if any(getattr(self, name) != getattr(other, name) for name in names):
            return False
        if self.subject is other.subject or self.subject == other.subject:
            return True
        mine = about(self.subject)
        return bool(mine.digest) and mine == about(other.subject)

    def __hash__(self) -> int:
        return hash((self.formula, self.holds, self.engine, self.stats))

    def __repr__(self) -> str:
        names = [name for name in self.__struct_fields__ if name not in _LARGE]
        return f"Verdict({', '.join(f'{name}={getattr(self, name)!r}' for name in names)})"

    def __copy__(self) -> Verdict:
        return self

    def __deepcopy__(self, _memo: object) -> Verdict:
        return self

    def __reduce__(self) -> tuple[type[Verdict], tuple[object, ...]]:
        """The subject stays where it is: it may be large."""
        rest = (getattr(self, name) for name in self.__struct_fields__[1:])
        return Verdict, (about(self.subject), *rest)


def _as_meant(mine: SubjectSummary, given: Any) -> object:
    """The list of a given model's states, if a verdict is about a list. Otherwise what is given.

    An object that is no subject yet is a program that computes states.
    """
    if not isinstance(getattr(given, "kind", None), SubjectKind):
        return import_module("pigro.engines.onthefly.program").space_of(given)  # a later stage
    if not mine.initial or given.kind is not SubjectKind.MODEL or given.is_listed:
        return given
    with suppress(CheckError):  # programs have no list
        return given.listed()
    return given
