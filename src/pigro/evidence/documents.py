"""Evidence as JSON documents, and back: what several kinds share. data.py has their types.

A document has all that is needed to check it. States go by numbers, whose meaning is in tables
(tables.py). Among results, certificates and tables are shared by all of them (bundle.py).

A tree is a list: parents before their parts, which go by their places in the list. Nothing
recurses.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import UNSET

from pigro.diagnostics import ModelError
from pigro.evidence.data import (
    ContextData,
    FactData,
    ItemData,
    NotEvidence,
    PathData,
    RunItemData,
    TreeData,
    WrongEvidence,
    require,
)
from pigro.evidence.states import Evidence, Path
from pigro.evidence.tables import (
    DocumentStates,
    StateTables,
    configurations_of,
    ending_of,
    inputs_of,
    places_of,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.evidence.tree.contexts import Context
    from pigro.model import RSM

    Text = Callable[[int], str]

_Item = TypeVar("_Item", bound=TreeData)
_Node = TypeVar("_Node", bound=Evidence)


def encode_tree(
    model: RSM, tables: StateTables, evidence: Evidence, text: Text, kind: type[_Item]
) -> list[_Item]:
    """A tree for a document. `text` says its parts for people."""
    items: list[_Item] = []
    pending: list[tuple[Evidence, list[int]]] = [(evidence, [])]
    while pending:
        at, siblings = pending.pop()
        siblings.append(len(items))
        path = None
        if at.path is not None:
            nodes, stacks = tables.columns(at.path.states)
            how = ending_of(model, at.path), at.path.start, at.path.shortest
            given, places = inputs_of(model, at.path), places_of(model, at.path)
            told = configurations_of(model, at.path)
            path = PathData(nodes, stacks, *how, given, places, told)
        [node], [stack] = tables.columns((at.state,))
        parts: list[int] = []
        more: list[Any] = [at.truth, at.kind, node, stack, path, parts, at.explored]
        if kind is RunItemData:
            more.append([FactData(each, text(each), list(truths)) for each, truths in at.facts])
        elif at.contexts:
            more.append(_contexts(tables, at, text))
        items.append(kind(at.part, text(at.part), *more))
        pending += [(each, parts) for each in reversed(at.parts)]
    return items


def _contexts(tables: StateTables, at: Evidence, text: Text) -> list[ContextData]:
    made = []
    for part, told in at.contexts:
        states, exits, truths = (list(column) for column in zip(*told, strict=True))
        tables.add_nodes(exits)
        made.append(ContextData(part, text(part), states, exits, truths))
    return made


_PLAIN = (str, int, float, bool, type(None))


def json_text(value: object, *, ascii_only: bool = True, margin: str = "") -> str:
    """The text, without a line end. Values are dicts, lists and tuples, and plain ones.

    `margin` stands before each line.

    >>> print(json_text({"name": "a", "nodes": [1, 2], "stacks": [[0, 1], []]}))
    {
      "name": "a",
      "nodes": [1, 2],
      "stacks": [
        [0, 1],
        []
      ]
    }
    """
    encode = json.JSONEncoder(ensure_ascii=ascii_only, check_circular=False).encode
    pieces: list[str] = [margin]
    pending: list[str | tuple[object, str]] = [(value, f"\n{margin}")]
    while pending:
        at = pending.pop()
        if isinstance(at, str):
            pieces.append(at)
            continue
        each, indent = at
        if isinstance(each, dict):
            heads = [f"{encode(key)}: " for key in each]
            inner = list(zip(heads, each.values(), strict=True))
        elif isinstance(each, list | tuple) and not all(type(one) in _PLAIN for one in each):
            inner = [("", one) for one in each]
        else:
            pieces.append(encode(each))
            continue
        opened, closed = "{}" if isinstance(each, dict) else "[]"
        deeper = indent + "  "
        pending.append((indent if inner else "") + closed)
        for place in range(len(inner) - 1, -1, -1):
            head, one = inner[place]
            pending.append((one, deeper))
            pending.append((deeper if place == 0 else "," + deeper) + head)
        pieces.append(opened)
    return "".join(pieces)


def started(model: RSM, initial: Sequence[int]) -> RSM:
    """The model with the initial nodes of a document. `WrongEvidence` if they can't be."""
    try:
        model = model.with_initial(initial)
    except ModelError:
        raise WrongEvidence("the initial nodes are not nodes of the model") from None
    require(model.initial == tuple(initial), "an initial node is named twice")
    return model


def decode_tree(
    numbered: DocumentStates, items: Sequence[TreeData], text: Text, kind: type[_Node]
) -> _Node:
    """The tree of a document.

    `NotEvidence` if it is no tree. `WrongEvidence` if its states are not in
    the tables, or its subformulas are not what `text` says of them.
    """
    if sorted(each for item in items for each in item.parts) != list(range(1, len(items))):
        raise NotEvidence("its parts are not a tree")
    made: dict[int, _Node] = {}
    for at in reversed(range(len(items))):
        item = items[at]
        if any(each <= at for each in item.parts):
            raise NotEvidence("its parts are not a tree")
        parts = tuple([made.pop(each) for each in item.parts])
        made[at] = _taken(numbered, item, parts, text, kind)
    if not made:
        raise NotEvidence("there is nothing in it")
    return made[0]


def _agree(told: object, known: object) -> bool:
    """Whether a document is right. A model that was converted may not know what its file said."""
    return told is UNSET or known is UNSET or told == known


def _taken(
    numbered: DocumentStates,
    item: TreeData,
    parts: tuple[_Node, ...],
    text: Text,
    kind: type[_Node],
) -> _Node:
    facts = item.facts if isinstance(item, RunItemData) else []
    contexts = item.contexts if isinstance(item, ItemData) else []
    contexts = [] if contexts is UNSET else contexts
    told = [(item.part, item.formula)]
    told += [(each.part, each.formula) for each in facts]
    told += [(each.part, each.formula) for each in contexts]
    for part, said in told:
        require(text(part) == said, f"the text of a subformula is not that of number {part}")
    path = None
    if item.path is not None:
        states = numbered.states(item.path.nodes, item.path.stacks)
        ends = "stays" if item.path.ends == "stops" else item.path.ends
        start = item.path.start
        require(start is None or 0 <= start < len(states), "a loop begins outside of its path")
        path = Path(states, ends, start, item.path.shortest)
        require(ending_of(numbered.model, path) == item.path.ends, "a path does not end as it says")
        given = inputs_of(numbered.model, path)
        require(given == item.path.inputs, "the inputs are not those of the steps of a path")
        fine = _agree(item.path.places, places_of(numbered.model, path))
        require(fine, "the places are not those of the steps of a path")
        fine = _agree(item.path.configurations, configurations_of(numbered.model, path))
        require(fine, "the configurations are not those of the states of a path")
    return kind(
        item.part,
        item.truth,
        numbered.state(item.node, item.stack),
        item.kind,
        path,
        parts,
        item.explored,
        tuple([(each.part, tuple(each.truths)) for each in facts]),
        tuple([_context(numbered, each) for each in contexts]),
    )


def _context(numbered: DocumentStates, data: ContextData) -> tuple[int, tuple[Context, ...]]:
    counts = {len(data.states), len(data.exits), len(data.truths)}
    require(len(counts) == 1, "a context has different numbers of states, exits and truths")
    numbered.need_nodes(data.exits)
    return data.part, tuple(zip(data.states, data.exits, data.truths, strict=True))
