"""What goes from one stage of a check to the next: `Request`, `CheckQuestion`, `CheckOutcome`."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.limits import LIMIT_ERRORS
from pigro.options import BY_NAME
from pigro.records import Record

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.engines import Engine
    from pigro.limits import Budget
    from pigro.logic import Formula
    from pigro.model.composition import Composition
    from pigro.model.space import Model
    from pigro.verdict import Verdict

MANY = 20
"""More formulas than this are too many to look at: they get a line each."""


class Request(Record, frozen=True):
    """What to check and how, as a caller says it."""

    subject: Any
    """A model, parts, a composition or a system, or the names of files, as a tuple."""
    formulas: tuple[Formula | str, ...] = ()
    files: tuple[str, ...] = ()
    """Files with formulas, one per line."""
    use_def: tuple[str, ...] = ()
    """Variables whose use-def formulas to check, or `all`."""
    requirements: tuple[str, ...] = ()
    """Requirements on variables, as NAME[:VARIABLE|all]."""
    starts: tuple[str, ...] = ()
    """Names of nodes to start at, in place of the model's initial nodes."""
    at: str | None = None
    """The name of a node to explain formulas at."""
    format: str | None = None
    """The format of the model's file, if it was said."""
    semantics: str | None = None
    """How to read the model's file. None: as the file says."""
    dead_ends: str | None = None
    engine: str = "auto"
    composes: bool = False
    """Whether files are composed, even one that has no parts."""
    method: str = "concrete"
    """Of a composition: see `compose_check`."""
    refine: str | None = None
    """Of methods that refine: how many causes of doubt a round looks at. See `STRATEGIES`. The
    symbolic method refines if it is given."""
    predicates: tuple[str, ...] = ()
    """Of a composition: conditions, as [PART:]CONDITION, by which modules are abstracted."""
    hyper: bool = True
    """Of methods that refine: whether blocks have hyper-steps, to one of several blocks."""
    depth: int | None = None
    heuristic: str | None = None
    seed: int | None = None
    variant: str | None = None
    """How close the engines of RSMCheck's papers are to the papers: see `Variant`."""
    trace: bool = False
    strict: bool = False
    vacuity: bool = True
    """Whether to look for formulas that hold only because their premises are never true."""
    jobs: int = 1
    assumption: bool = False
    """Whether to keep the abstract parts that refinement made."""
    witness: str = "none"
    """Whether to make evidence: `none`. `full`. `few`: `full` if there are few formulas, which a
    question knows. `proved`: of proofs that are made anyhow."""
    certify: bool = False
    verify: bool = False
    timeout: float | None = None
    """Seconds for the whole run. None if that does not matter."""
    memory: float | None = None
    """Bytes of the whole process. None: most of what the machine has."""
    timeout_each: float | None = None
    """Seconds for each formula."""
    typed: bool = False
    """Whether a person typed it on the command line: messages name the options so."""

    def name_of(self, option: str) -> str:
        """An option as messages name it."""
        return BY_NAME[option].typed if self.typed else option


class SubjectNotice(NamedTuple):
    """A warning, and of which kind it is."""

    text: str
    kind: type[Warning] = UserWarning


class CheckQuestion(Record, frozen=True):
    """What to check: everything is read and fits together."""

    subject: Any
    """A model or a composition."""
    formulas: tuple[Formula, ...]
    request: Request
    budget: Budget
    engine: Engine
    notices: tuple[SubjectNotice, ...] = ()
    """What a reader of the results must know."""
    load_seconds: float = 0.0
    starts: tuple[tuple[int, ...] | None, ...] = ()
    """For each formula, where it starts if not at the model's initial nodes. Empty: none does."""
    node: int | None = None
    """The node to explain formulas at."""
    stated: int = 0
    """How many of the last formulas are those of the subject's file: stated there, or made of its
    labels."""
    reordered: bool = False
    """Whether the parts are in another order than the given one."""

    @property
    def model(self) -> Model:
        """The subject, if it is a model."""
        found: Model = self.subject
        return found

    @property
    def composition(self) -> Composition:
        """The subject, if it is a composition."""
        found: Composition = self.subject
        return found

    @property
    def dead_ends(self) -> str:
        """How a composition reads states without a next state."""
        return self.request.dead_ends or "stutter"

    def parts(self) -> Iterator[tuple[Model, tuple[Formula, ...]]]:
        """The formulas in order, with the model as it starts for them."""
        if not self.starts:
            yield self.subject, self.formulas
            return
        pairs = zip(self.starts, self.formulas, strict=True)
        for start, together in groupby(pairs, key=lambda pair: pair[0]):
            model = self.model if start is None else self.model.listed().with_initial(start)
            yield model, tuple(formula for _, formula in together)


class CheckOutcome(Record, frozen=True):
    """The verdicts that were reached, and what ended the run before its time, if anything did."""

    question: CheckQuestion
    verdicts: tuple[Verdict, ...]
    stopped_by: BaseException | None = None
    certificates: bytes | None = None
    """The file with the proofs of all verdicts, if they were asked for."""
    missing: tuple[str, ...] = ()
    """The parts left out of the results: verdicts, proofs or evidence, and states to know about."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What verdicts say about states that were met, each text once."""
        notes = (verdict.remarks.note for verdict in self.verdicts)
        return tuple(dict.fromkeys(note for note in notes if note is not None))

    @property
    def is_interrupted(self) -> bool:
        """Whether a signal ended the run."""
        return isinstance(self.stopped_by, KeyboardInterrupt)

    @property
    def is_fault(self) -> bool:
        """Whether a fault of Pigro's ended the run."""
        return self.stopped_by is not None and not isinstance(
            self.stopped_by, (KeyboardInterrupt, *LIMIT_ERRORS)
        )

    @property
    def is_complete(self) -> bool:
        """Whether every formula was checked."""
        return len(self.verdicts) == len(self.question.formulas)
