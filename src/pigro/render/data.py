"""The JSON documents of commands that write no results: the types that schemas are made from."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import UNSET, UnsetType

from pigro.evidence.data import (
    Count,
    DeadEndsRead,
    Decided,
    Line,
    Names,
    Number,
    Numbers,
    Reading,
    Text,
    asks,
)
from pigro.session.results import ModelRead  # noqa: TC001 - msgspec reads annotations

Truth = Literal["holds", "fails", "depends", "unknown", "not reachable"]


class SourcePositionData(msgspec.Struct, forbid_unknown_fields=True):
    """A source position. Lines and columns count from 1, and a column of 0 is not known."""

    file: str
    line: Line
    column: Number
    end_line: Line
    end_column: Number


class StateData(msgspec.Struct, forbid_unknown_fields=True):
    """A state: a node, and the calls that have not returned."""

    node: str
    """As COMPONENT:NODE."""
    stack: list[str]
    """Boxes as COMPONENT:BOX, outermost first."""
    position: SourcePositionData | UnsetType = UNSET


class TruthData(msgspec.Struct, forbid_unknown_fields=True):
    """Where a formula is true: in which states at a node."""

    formula: Text
    at: str | None
    """The node, as COMPONENT:NODE. Null for the initial nodes with the empty stack."""
    truth: Truth
    """holds: in all states at the node that can be reached. Fails: in none. Depends: on the call
    stack, or the initial node. Unknown: not decided within the limits.
    """
    reason: str | None
    """For people."""
    true_in: StateData | None
    """A state in which it is true, if that depends."""
    false_in: StateData | None
    """A state in which it is false, if that depends."""
    position: SourcePositionData | UnsetType = UNSET
    """Where the node stands in the program."""


class ExplanationData(msgspec.Struct, forbid_unknown_fields=True):
    """What `pigro explain` and `pigro label` write with --format json: one object."""

    schema: Literal["pigro.explanation/2"]
    model: ModelRead
    formula: Text
    """In canonical form."""
    truths: list[TruthData]
    """Of `explain`: each subformula at one place, the whole formula first. Of `label`: the formula
    at every node."""
    left_out: Count
    """How many subformulas are not listed."""
    warnings: list[Text]


class AutomatonState(msgspec.Struct, forbid_unknown_fields=True):
    """A state of an automaton: a component under a context."""

    component: str
    holds_at: list[str]
    """The nodes that the state accepts, as COMPONENT:NODE."""


class StackAutomatonStep(msgspec.Struct, forbid_unknown_fields=True, rename={"from_": "from"}):
    """A step of an automaton."""

    from_: Number
    """The index of a state."""
    box: str
    """The box that the step reads, as COMPONENT:BOX."""
    to: Number
    """The index of a state."""


class AutomatonData(msgspec.Struct, forbid_unknown_fields=True):
    """What `pigro label --automaton` writes: an automaton that reads call stacks.

    It reads the boxes of a stack, outermost first. The formula holds at a node under a stack if the
    state that the stack leads to accepts the node. A stack without a step is not possible.
    """

    schema: Literal["pigro.automaton/1"]
    model: ModelRead
    formula: Text
    """In canonical form."""
    initial: Numbers
    """The indices of the states of the initial components."""
    states: list[AutomatonState]
    steps: list[StackAutomatonStep]


class JudgedItemData(msgspec.Struct, forbid_unknown_fields=True):
    """The judgement of one result of a file, or of another text in it."""

    word: Literal["accepted", "rejected", "no evidence", "not judged"]
    """The judgement in one or two words, as in the text output. It is about the file. The outcome
    of a check is about a formula, so the keys differ on purpose."""
    about: Text
    """The verdict with the formula, or which other text it is."""
    problem: str | None
    """The fault, as a sentence."""
    counts_against: bool
    """Whether the file says something that is wrong or not shown."""


class ValidationData(msgspec.Struct, forbid_unknown_fields=True):
    """What `pigro validate-witness --format json` writes of evidence: one object."""

    schema: Literal["pigro.validation/2"]
    accepted: bool
    """Whether nothing counts against the file."""
    findings: list[JudgedItemData]
    warnings: list[Text]


class CertifiedModel(msgspec.Struct, forbid_unknown_fields=True):
    """The model, read as the certificates say."""

    file: str | None
    digest: Annotated[str, asks(pattern="^[0-9a-f]{64}$")]
    semantics: Reading
    dead_ends: DeadEndsRead


class CheckedData(msgspec.Struct, forbid_unknown_fields=True):
    """A certificate."""

    formula: Text
    verdict: Decided
    initial: Names
    """The nodes that the certificate is about, as COMPONENT:NODE."""
    accepted: bool
    problem: str | None
    """The first rule that it breaks, and the place."""


class WantedData(msgspec.Struct, forbid_unknown_fields=True):
    """A formula that must be proved to hold."""

    formula: Text
    proved: bool
    problem: str | None


class CertificatesData(msgspec.Struct, forbid_unknown_fields=True):
    """What `pigro validate-witness --format json` writes of certificates: one object."""

    schema: Literal["pigro.certificates/1"]
    model: CertifiedModel
    results: list[CheckedData]
    """In the order of the file."""
    wanted: list[WantedData] | UnsetType = UNSET
    """Only if formulas were given."""
