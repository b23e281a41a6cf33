"""A strategy for a model as a JSON document, and back; data.py has its types.

Nodes and subformulas go by number. The tables tell people what the numbers of nodes mean, and the
list of subformulas has their texts.
"""

from __future__ import annotations

from array import array
from itertools import chain
from typing import TYPE_CHECKING

from pigro.certificates import Mismatch
from pigro.diagnostics import CheckError, FormulaError, printable
from pigro.evidence.data import (
    GAME,
    FrameData,
    GameDocument,
    NotEvidence,
    PromiseData,
    TextData,
    WrongEvidence,
    require,
)
from pigro.evidence.documents import started
from pigro.evidence.game.strategy import LEAST, GameFrame, GameStrategy, ReturnPromise
from pigro.logic import parse
from pigro.logic.modal import modal_form
from pigro.logic.modal_text import modal_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pigro.evidence.kinds import SharedEvidence
    from pigro.evidence.tables import StateTables
    from pigro.logic import Formula
    from pigro.model import RSM


def game_piece(tables: StateTables, model: RSM, strategy: GameStrategy) -> GameDocument:
    """The document of a strategy, its nodes in other tables."""
    frames = [
        FrameData(
            model.names.components[frame.component],
            frame.is_bottom,
            [PromiseData(*promise) for promise in frame.promises],
        )
        for frame in strategy.frames
    ]
    bounds, rows = strategy.offsets, strategy.rows
    claims = [rows[bounds[at] : bounds[at + 1]].tolist() for at in range(len(strategy))]
    tables.add_nodes(_nodes(frames, claims))
    texts = modal_texts(strategy.formula, dead_ends="stop")
    return GameDocument(
        schema=GAME,
        formula=str(strategy.formula),
        verdict="holds" if strategy.holds else "fails",
        semantics=model.semantics.value,
        dead_ends=model.dead_ends.value,
        initial=list(model.initial),
        digest=model.digest.hex(),
        subformulas=[TextData(at, texts[at]) for at in sorted(_used(frames, claims))],
        frames=frames,
        claims=claims,
        starts=list(strategy.starts),
    )


def read_game(model: RSM, found: GameDocument, shared: SharedEvidence) -> tuple[RSM, GameStrategy]:
    """The model as it starts for the document, and the strategy. It is not yet replayed.

    `shared` has the nodes, if the document has no tables of its own. `NotEvidence` if it is no
    evidence, `Mismatch` if it is about another model, `WrongEvidence` if nodes or subformulas are
    not those of the model and the formula.
    """
    if found.digest != model.digest.hex():
        raise Mismatch("the evidence is about another model")
    formula = _formula(found)
    model = started(model, found.initial).about(formula.atoms)
    numbered = shared.numbered(model, found.tables, formula)
    numbered.need_nodes(_nodes(found.frames, found.claims))
    _check_texts(formula, found)
    components = {name: number for number, name in enumerate(model.names.components)}
    offsets = array("i", [0])
    for row in found.claims:
        offsets.append(offsets[-1] + len(row))
    strategy = GameStrategy(
        formula,
        found.verdict == "holds",
        tuple(found.starts),
        tuple([_frame(components, each) for each in found.frames]),
        offsets,
        array("i", chain.from_iterable(found.claims)),
    )
    return model, strategy


def _formula(found: GameDocument) -> Formula:
    try:
        formula = parse(found.formula)
        form = modal_form(formula, dead_ends="stop")
    except (FormulaError, CheckError) as error:
        raise NotEvidence(f"its formula can't be read: {error}") from None
    if form.actions:
        raise NotEvidence("its formula names actions, but models have no actions")
    return formula


def _frame(components: dict[str, int], data: FrameData) -> GameFrame:
    number = components.get(data.component)
    if number is None:
        raise WrongEvidence(f"there is no component {printable(data.component)!r}")
    promises = [ReturnPromise(each.exit, each.formula, each.seen) for each in data.promises]
    return GameFrame(number, data.bottom, tuple(promises))


def _nodes(frames: list[FrameData], claims: list[list[int]]) -> Iterator[int]:
    """The nodes that claims and promises are at."""
    yield from (row[1] for row in claims)
    yield from (promise.exit for frame in frames for promise in frame.promises)


def _used(frames: list[FrameData], claims: list[list[int]]) -> set[int]:
    """The subformulas that claims and promises are about."""
    promised = {promise.formula for frame in frames for promise in frame.promises}
    return promised | {row[LEAST - 2] for row in claims}


def _check_texts(formula: Formula, found: GameDocument) -> None:
    numbers = [each.number for each in found.subformulas]
    used = sorted(_used(found.frames, found.claims))
    require(numbers == used, "other subformulas are listed than are used, or in another order")
    texts = modal_texts(formula, dead_ends="stop")
    for each in found.subformulas:
        require(each.number < len(texts), "a subformula is not there")
        right = texts[each.number] == each.text
        require(right, f"the text of a subformula is not that of number {each.number}")
