"""Evidence as JSON: the types of its documents, which the JSON schemas are made from.

Readers take what has the right types. Whether it is right is for the replays to say. What a schema
asks besides, such as numbers that are not negative, is said with `asks`. `make schemas` writes the
schemas, with the texts of this file as descriptions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, UnsetType

from pigro.model.positions import OWN

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.model.lazy.seen import NumberedPart
    from pigro.model.product import States

EVIDENCE: Final = "pigro.evidence/2"
RUN: Final = "pigro.run/2"
STRATEGY: Final = "pigro.strategy/1"
GAME: Final = "pigro.game/1"
_Kind = TypeVar("_Kind")


class NotEvidence(ValueError):
    """A document that is no evidence."""


class WrongEvidence(ValueError):
    """Evidence that does not show what it should."""


class NotJudged(WrongEvidence):
    """Evidence of which it can't be said whether it is right."""


def converted(decoded: object, kind: type[_Kind]) -> _Kind:
    """A document that was decoded, as one of the types here. `NotEvidence` if it is none."""
    try:
        return msgspec.convert(decoded, type=kind)
    except (msgspec.ValidationError, RecursionError, UnicodeError) as error:
        raise NotEvidence(str(error)) from None


def require(fine: object, what: str) -> None:
    """`WrongEvidence` that says what, unless it is fine."""
    if not fine:
        raise WrongEvidence(what)


def numbered_states(parts: Sequence[NumberedPart], names: Sequence[str]) -> States:
    """A composed state that a document names. `WrongEvidence` if the parts do not have it."""
    require(len(names) == len(parts), "a state has other parts")
    found = []
    for part, name in zip(parts, names, strict=True):
        require(name in part.states, "a state is named that its part does not have")
        found.append(part.states.index(name))
    return tuple(found)


def asks(**what: Any) -> Meta:
    """What a schema asks of a value, and readers do not."""
    return Meta(extra_json_schema=what)


def both(*names: str) -> Meta:
    """What a schema asks of an object: that it has all of these fields, or none of them."""
    rows = {each: [other for other in names if other != each] for each in names}
    return asks(dependentRequired=rows)


Number = Annotated[int, asks(minimum=0)]
Numbers = Annotated[list[Number], asks(minItems=1)]
Text = Annotated[str, asks(minLength=1)]
Line = Annotated[int, asks(minimum=1)]
Place = Annotated[int, Meta(ge=0, le=2**31 - 1)]
"""A number that readers compute with."""
Decided = Literal["holds", "fails"]
Value = Literal["holds", "fails", "unknown"]
Count = Annotated[int, Meta(ge=0)]
Seconds = Annotated[float, Meta(ge=0)]
Names = Annotated[list[str], asks(minItems=1)]
Reading = Literal["standard", "rsmcheck", "rmv"]
DeadEndsRead = Literal["stutter", "stop", "error"]
Base64 = Annotated[str, asks(contentEncoding="base64")]
EvidenceData = Annotated[dict[str, Any], asks(required=["schema"])]
"""A document inside a result, not yet read."""


class StatisticsData(msgspec.Struct, forbid_unknown_fields=True):
    """What the model is made of."""

    components: Count
    nodes: Count
    """Declared nodes, without call and return nodes."""
    edges: Count
    boxes: Count
    """Call sites."""
    calls: Count
    """Call nodes."""
    returns: Count
    """Return nodes."""
    entries: Count
    exits: Count
    most_exits: Count
    """The most exits that one component has."""
    entry_exits: Count
    """Nodes that are entry and exit at once."""
    labels: Count
    recursive_components: Count
    """Components that can call themselves, at once or through others."""
    unreachable_components: Count
    """Components that no run from the initial nodes enters."""
    dead_plain: Count
    """Nodes without successor."""
    dead_return: Count
    """Return nodes without successor."""
    dead_missing: Count
    """Pairs of a box and an exit of its callee for which the box has no return node."""
    dead_call: Count
    """Calls of entry-exit nodes, dead ends under the rsmcheck semantics."""
    recursive: bool
    """Some component is recursive."""


class SourcePlaceData(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A source position. Lines and columns count from 1, and the end column is the one after the
    last character.
    """

    line: Line
    end_line: Line
    column: Line = 0
    """Left out if it is not known."""
    end_column: Line = 0
    """Left out if it is not known."""
    file: str = OWN
    """Left out if it is the file of the model itself."""


class NodeRow(msgspec.Struct, forbid_unknown_fields=True):
    """A node, with its name, its labels, and its source position if it has one."""

    number: Number
    """In the model's normal form."""
    name: str
    """As COMPONENT:NODE."""
    labels: list[str]
    at: SourcePlaceData | UnsetType = UNSET
    values: dict[str, str] | UnsetType = UNSET
    """The values of variables, as the file writes them, if it has variables."""


class BoxRow(msgspec.Struct, forbid_unknown_fields=True):
    """A box, with its name, and its source position if it has one."""

    number: Number
    name: str
    """As COMPONENT:BOX."""
    at: SourcePlaceData | UnsetType = UNSET


class TablesData(msgspec.Struct, forbid_unknown_fields=True):
    """What the numbers of nodes, boxes and stacks mean. Only those that occur are listed, ascending
    by number.
    """

    nodes: list[NodeRow]
    boxes: list[BoxRow]
    stacks: Annotated[
        list[tuple[Number, Number] | None],
        asks(minItems=1, prefixItems=[{"type": "null"}], contains={"type": "null"}, maxContains=1),
    ]
    """The stacks of calls that have not returned, by their place in this list. Stack 0 is empty,
    and null here. Each other one is the number of the stack below, which is smaller, and the box on
    top.
    """


class PathData(msgspec.Struct, forbid_unknown_fields=True):
    """A run, or its beginning: the node and the stack of each state. A call and the entry are one
    moment, at the entry. An exit and the return are one, at the exit.
    """

    nodes: Numbers
    stacks: Numbers
    ends: Annotated[str, asks(enum=["here", "loop", "pump", "stays", "stops"])]
    """here: it is finite. Loop: after the last state comes state `start`. Pump: from the last state
    it goes on as from `start`, deeper in each round. Stays: in the last state forever. Stops: the
    last state is a dead end where runs stop.
    """
    start: Number | None
    shortest: bool
    """Whether no such run has fewer states. False if that is not known."""
    inputs: list[dict[str, str]] | UnsetType = UNSET
    """Of each step, the last one of a loop included: inputs that lead to the next state. Left out
    if the file has no inputs.
    """
    places: list[SourcePlaceData | None] | UnsetType = UNSET
    """Of each step, the last one of a loop included: where the file says what the step does. Left
    out if the file has no variables and is no pushdown system.
    """
    configurations: list[Text] | UnsetType = UNSET
    """Of each state: its configuration, as <q, f g n>: the control state and the first symbols of
    the stack, the top first. Left out if the file is no pushdown system.
    """


class RunPathData(PathData):
    """A run, or its beginning, as in evidence of CTL."""

    ends: Annotated[str, asks(enum=["here", "loop", "pump", "stays", "stops"])]
    """here: however it goes on, it shows the same. Loop: after the last state comes state `start`.
    Pump: from the last state it goes on as from `start`, deeper in each round, which pushes the
    boxes that the last stack has above that of `start`. Stays: in the last state forever.
    Stops: the last state is a dead end where runs stop.
    """


class FactData(msgspec.Struct, forbid_unknown_fields=True):
    """The truth of an A or E inside the path formula of a run."""

    part: Number
    """The subformula, by its number in the formula."""
    formula: str
    """The same, for people."""
    truths: list[bool | None]
    """In each state of the path, of a pump in all rounds. Null where it does not matter."""


class ContextData(msgspec.Struct, forbid_unknown_fields=True):
    """The truth of an operator at exits of the procedures that a path is in: the values that it has
    after they return. All states of the path with one stack have the same values.
    """

    part: Number
    """The operator, by its number in the existential normal form."""
    formula: str
    """The same, for people."""
    states: Numbers
    """For each value: the first state of the path with the stack, by its place in the path."""
    exits: Numbers
    """The exits, by the numbers of their nodes."""
    truths: list[bool]


class TreeData(msgspec.Struct, forbid_unknown_fields=True):
    """A node of the tree of any evidence."""

    part: Number
    """The subformula, by its number in the existential normal form."""
    formula: str
    """The same, for people."""
    truth: bool
    kind: Annotated[str, asks(enum=["label", "boolean", "path", "claim"])]
    """label: read off the state. Boolean: decided by `parts` in the same state. Path: some run
    shows it. Claim: about all runs, proved by the certificate.
    """
    node: Number
    """Where: the node"""
    stack: Number
    """and the stack."""
    path: PathData | None
    parts: list[Number]
    """Places in the list. Of a boolean, what decides it. Of a path to a goal, the goal in its last
    state.
    """
    explored: Number
    """Of a claim: at how many places the certificate proves it."""


class ItemData(TreeData):
    """A node of the tree."""

    contexts: list[ContextData] | UnsetType = UNSET
    """Of a path with calls. Left out: values that the certificate does not prove, and those of the
    last calls of a path with very many.
    """


class RunItemData(TreeData):
    """A node of the tree, outside of CTL."""

    part: Number
    """The subformula, by its number in the formula: subformulas are counted from 0 where they are
    first completed, left to right, equal ones once.
    """
    kind: Annotated[str, asks(enum=["label", "boolean", "run", "claim"])]
    """label: read off the state. Boolean: decided by `parts` in the same state. Run: `path` is one
    with what E says, or against what A says. Claim: about all runs, decided and not proved. A path
    formula alone means A.
    """
    path: RunPathData | None
    parts: list[Number]
    """Places in the list. Of a boolean, what decides it."""
    explored: Annotated[int, asks(const=0)]
    """Nothing here."""
    facts: list[FactData]
    """Of a run: what it relies on besides its labels."""


class TreeDocument(msgspec.Struct, forbid_unknown_fields=True):
    """Why a formula holds or fails: paths and claims, with the certificate that proves the claims.
    In results it is `evidence`, without `tables`: there are tables for all results.
    """

    schema: Literal["pigro.evidence/2"]
    formula: Text
    verdict: Decided
    certificate: Base64 | Number
    """A certificate of this verdict, in base64. In results, its number among their certificates,
    from 0.
    """
    evidence: Annotated[list[ItemData], asks(minItems=1)]
    """A tree as a list, its root first and parents before their parts."""
    tables: TablesData | UnsetType = UNSET


class RunDocument(msgspec.Struct, forbid_unknown_fields=True):
    """Why a formula of LTL or CTL* holds or fails: runs, and claims about all runs. In results it
    is `evidence`, without `tables`: there are tables for all results.
    """

    schema: Literal["pigro.run/2"]
    formula: Text
    verdict: Decided
    semantics: Reading
    """How the model was read."""
    dead_ends: DeadEndsRead
    """What a run does where no step leads on."""
    initial: Numbers
    """The nodes that the formula was checked at, by number in the model's normal form."""
    depth: Place | None
    """How high stacks may get where facts and claims are decided again. Null: as high as they do.
    """
    digest: Annotated[str, asks(pattern="^[0-9a-f]{64}$")]
    """SHA-256 of the model. Of its file, if states are computed on demand."""
    evidence: Annotated[list[RunItemData], asks(minItems=1)]
    """A tree as a list, its root first and parents before their parts."""
    tables: TablesData | UnsetType = UNSET


class BlockStepData(msgspec.Struct, forbid_unknown_fields=True):
    """A step of a block."""

    to: str
    """A block."""
    action: str | None
    """null for parts without actions."""
    must: bool
    """Whether all states of the block have such a step. Otherwise some may have it."""


class HyperData(msgspec.Struct, forbid_unknown_fields=True):
    """A hyper-step of a block: each of its states has a step into one of several blocks."""

    to: list[str]
    """Blocks, two at least."""
    action: str | None
    """null for parts without actions."""


class BlockData(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A block of states."""

    name: str
    states: list[str]
    """The states of the part that are in it."""
    labels: list[str]
    """True in all of these."""
    unknown: list[str]
    """True in some, maybe. All other labels are false in all."""
    steps: list[BlockStepData]
    hyper: list[HyperData] = msgspec.field(default_factory=list)
    """Steps to one of several blocks. Each of these is in `steps` too."""


class PartData(msgspec.Struct, forbid_unknown_fields=True):
    """A part."""

    name: str
    blocks: list[BlockData] | None
    """Sets of states that the game is played on instead of states. Null: on the states."""


class TextData(msgspec.Struct, forbid_unknown_fields=True):
    """A subformula."""

    number: Place
    """In the positive normal form of the formula."""
    text: str
    """The same for people, cut if it is long."""


class MoveData(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A move."""

    states: list[str]
    formula: Place
    """A subformula, by its number in the positive normal form of the formula."""
    action: str | None
    """The action of a step of parts with actions. Otherwise null."""
    others: list[list[str]] = msgspec.field(default_factory=list)
    """Of a hyper-step: where it can lead besides. All of these positions are won."""


class ClaimData(msgspec.Struct, forbid_unknown_fields=True):
    """A position that is won, whatever the parts outside of the layer do."""

    states: list[str]
    """A state, or a block, of each part of the layer."""
    formula: Place
    """A subformula, by its number in the positive normal form of the formula."""
    move: MoveData | None
    """The choice of the winner. Null where the loser chooses, or where there is no choice."""


class LayerData(msgspec.Struct, forbid_unknown_fields=True):
    """Claims about some of the parts."""

    parts: list[str]
    """Some of the parts, in the order of all."""
    claims: list[ClaimData]


class StrategyDocument(msgspec.Struct, forbid_unknown_fields=True, omit_defaults=True):
    """How to win the game of a formula on a composition: positions that are won whatever the parts
    outside of a layer do. In results it is `evidence`.
    """

    schema: Literal["pigro.strategy/1"]
    formula: Text
    verdict: Decided
    """Who wins: the player who says that the formula holds, or the other."""
    dead_ends: Literal["stutter", "stop"]
    """How CTL reads states without a next state."""
    parts: Annotated[list[PartData], asks(minItems=1)]
    """All parts of the composition, in its order."""
    subformulas: list[TextData]
    """Those that claims and moves speak of, ascending."""
    layers: list[LayerData]
    partial: bool = False
    """Whether claims are left out because there are too many. Then some claims rest on others that
    are not here, and the verdict is not shown.
    """


class PromiseData(msgspec.Struct, forbid_unknown_fields=True):
    """What the winner wins after a call: a modality at an exit."""

    exit: Place
    """By the number of its node."""
    formula: Place
    """The modality, by its number in the positive normal form of the formula."""
    seen: Place
    """The largest priority since the call began, 0 if there was none."""


class FrameData(msgspec.Struct, forbid_unknown_fields=True):
    """Calls of a component, or the bottom of the stack."""

    component: str
    bottom: bool
    """Whether it is the bottom of the stack, where an exit is its own next state."""
    promises: list[PromiseData]
    """The outcomes that such a call can return with, ascending. The caller wins each of them."""


class GameDocument(msgspec.Struct, forbid_unknown_fields=True):
    """How to win the game of a formula of the mu-calculus on a model. In results it is `evidence`,
    without `tables`: there are tables for all results.
    """

    schema: Literal["pigro.game/1"]
    formula: Text
    verdict: Decided
    """Who wins: the player who says that the formula holds, or the other."""
    semantics: Reading
    """How the model was read."""
    dead_ends: DeadEndsRead
    """What a run does where no step leads on."""
    initial: Numbers
    """The nodes that the formula was checked at, by number in the model's normal form."""
    digest: Annotated[str, asks(pattern="^[0-9a-f]{64}$")]
    """SHA-256 of the model."""
    subformulas: list[TextData]
    """Those that claims and promises are about, ascending."""
    frames: list[FrameData]
    claims: list[Annotated[list[Place], Meta(min_length=4)]]
    """Positions that are won. Each is a list of numbers: the frame, the node, the subformula, the
    largest priority since the frame was entered, and then the claims that it rests on, by their
    places in this list.
    """
    starts: Numbers
    """The claims about the whole formula at initial nodes, by their places in the list."""
    tables: TablesData | UnsetType = UNSET
