"""The one verdict: what a check found out about a formula."""

from __future__ import annotations

import os  # noqa: TC003 - annotations can be evaluated
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Literal, cast

from msgspec.structs import replace

from pigro.diagnostics import CheckError, UsageError
from pigro.lazy_names import type_names
from pigro.model.kinds import Kind, kind_of
from pigro.records import Record
from pigro.verdict.about import About, about
from pigro.verdict.reason import about_paths, explain, sharing

if TYPE_CHECKING:
    from pigro.certificates.certificate import Certificate
    from pigro.evidence import Path
    from pigro.evidence.kinds import Shown
    from pigro.evidence.trace import Trace
    from pigro.logic import Formula
    from pigro.model import RSM
    from pigro.model.composition import Composition
    from pigro.model.space import Model
    from pigro.verdict.games import Games, LayerReport, Round, SymbolicResult
else:
    type_names(
        globals(),
        {
            "pigro.certificates.certificate": "Certificate",
            "pigro.evidence": "Path",
            "pigro.evidence.kinds": "Shown",
            "pigro.evidence.trace": "Trace",
            "pigro.logic": "Formula",
            "pigro.model": "RSM",
            "pigro.model.composition": "Composition",
            "pigro.model.space": "Model",
            "pigro.verdict.games": "Games LayerReport Round SymbolicResult",
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


class Verdict(Record, frozen=True):
    """The answer to one question. `holds` is None when no verdict was reached.

    A verdict that was pickled has a description of its subject (`About`) in place of the subject.
    `on` gives the subject back. Two verdicts are equal if all their fields are equal, and their
    subjects have the same description.

    >>> import pigro
    >>> verdict = pigro.check(pigro.load("examples/dataflow.rsm"), "AG (def_i -> EF use_i)")
    >>> verdict.holds, verdict.outcome, verdict.engine
    (False, 'fails', 'demand')
    >>> print(verdict.reason)
    some reachable state violates (def_i -> EF use_i)
    """

    subject: Any
    """The model, composition or system that was checked."""
    formula: Formula
    holds: bool | None
    """Whether the formula holds. None if a limit was reached, or the answer is not known."""
    engine: str
    """The engine that decided the formula."""
    stats: CheckStats
    """Time, contexts and other costs."""
    holds_at: tuple[tuple[int, bool], ...] = ()
    """For a model: each initial node, by node number, with the formula's truth there."""
    steps: tuple[Step, ...] | None = None
    """The steps of the engine, with the option `trace`, if the engine has a step log."""
    gave_up: str | None = None
    """The reason why there is no verdict. None if there is one."""
    caveat: str | None = None
    """The reason why the verdict may be wrong. None unless you chose an unsound variant."""
    certificate: Certificate | None = None
    """The proof of the verdict, with the option `certify`."""
    evidence: Any = None
    """With the option `witness`: paths and claims, or a strategy for the mu-calculus.

    `Evidence`, `RunEvidence`, `GameStrategy` or `Strategy`, by its kind (`pigro.evidence.kinds`).
    """
    games: Games | None = None
    """For a composition: how it was decided."""
    activations: tuple[str, ...] = ()
    """For a model: recursive functions with local variables that the formula is about.

    All activations of a function share the labels of its variables. So the verdict can be wrong
    about a variable of one activation.
    """
    vacuous: bool = False
    """For a model and `AG (p -> q)`: it holds only because no reachable state satisfies p."""
    note: str | None = None
    """Something to know about states that were met, such as a dead end."""

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
        if self.gave_up is not None:
            return self.gave_up
        if self.caveat is not None:
            return f"NOT PROVED: {self.caveat}"
        if self.games is not None:
            return self.games.reason(self.holds)
        if len(self.holds_at) > 1:
            told = explain(self.subject, self.formula, self.holds_at)
        else:
            told = about_paths(self.formula, holds=self.holds is True)
        return told + sharing(self.activations)

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
        if shown is None or isinstance(self.subject, About):
            return None
        from pigro.evidence.kinds import kind_of

        return kind_of(shown.evidence).trace(shown)

    def __str__(self) -> str:
        """What the command line prints: the verdict, its reason and, in short, its evidence."""
        text: str = import_module("pigro.render.text").printed(self)  # a later stage
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

    @property
    def path(self) -> Path | None:
        """For a model, with the option `witness`: the first path of the evidence. None without one.

        Verdicts about all runs, such as `AG p` that holds, have no path.
        """
        found: Path | None = getattr(self.evidence, "first_path", None)
        return found

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
    def model(self) -> Model:
        """The model that was checked."""
        return cast("Model", self.subject)

    @property
    def shown(self) -> Shown | None:
        """What the evidence shows, for its kind (`pigro.evidence.kinds`). None without evidence."""
        if self.evidence is None:
            return None
        from pigro.evidence.kinds import Shown

        return Shown(self.subject, self.formula, self.holds, self.evidence, self.certificate)

    @property
    def composition(self) -> Composition:
        """The composition that was checked."""
        return cast("Composition", self.subject)

    @property
    def system(self) -> Any:
        """The system that was checked."""
        return self.subject

    @property
    def seconds(self) -> float:
        """The time for checking, without evidence."""
        return self.stats.seconds

    @property
    def method(self) -> str:
        """For a composition: the method, such as `concrete`."""
        return self._games.method

    @property
    def layers(self) -> tuple[LayerReport, ...]:
        """For a composition: the games in order. With refinement, those of the last round."""
        return self._games.layers

    @property
    def rounds(self) -> tuple[Round, ...]:
        """For a composition, with refinement: its rounds."""
        return self._games.rounds

    @property
    def symbolic(self) -> SymbolicResult | None:
        """For a composition, with the symbolic method: its costs."""
        return self._games.symbolic

    @property
    def depends(self) -> bool:
        """For a composition: whether a formula of LTL or CTL* depends on how parts are finished."""
        return self._games.ways > 0 and len(self.evidence.ways if self.evidence else ()) > 1

    @property
    def assumption(self) -> Composition | None:
        """With the option `assumption`: abstract parts that decide the formula in the same way."""
        parts = self._games.assumption
        if parts is None:
            return None
        from pigro.model.composition import Composition

        return Composition(parts)

    @property
    def doubt(self) -> str | None:
        """The nearest label or step that the parts leave open, if there is no verdict."""
        return self._games.doubt

    @property
    def alone(self) -> dict[str, bool | None]:
        """The outcome of each part alone, by name. Parts after one that decides are left out."""
        return self._games.alone

    @property
    def decided_by(self) -> tuple[str, ...]:
        """The names of the parts that were needed. Empty if there is no verdict."""
        return () if self.holds is None else self._games.decided_by

    @property
    def _games(self) -> Games:
        if self.games is None:
            raise AttributeError("only a verdict about a composition has games")
        return self.games

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
        return mine.kind != "system" and mine == about(other.subject)

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


def _as_meant(mine: About, given: Any) -> object:
    """The list of a given model's states, if a verdict is about a list. Otherwise what is given."""
    if not mine.initial or kind_of(given) is not Kind.MODEL or given.is_listed:
        return given
    with suppress(CheckError):  # programs have no list
        return given.listed()
    return given
