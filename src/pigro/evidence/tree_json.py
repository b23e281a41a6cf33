"""A tree of evidence as plain data for JSON, and back; both kinds of documents have one.

The tree is a list: parents before their parts, which go by their places in the list. States go by
numbers, whose meaning is in tables (tables.py). Nothing recurses.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from msgspec import UNSET, UnsetType

from pigro.evidence.states import Path
from pigro.evidence.tree import Evidence
from pigro.evidence.walking import need

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.evidence.tables import Numbered, Tables

    Text = Callable[[int], str]


class NotEvidence(ValueError):  # noqa: N818 - what it is not
    """A document that is no evidence."""


class PathData(msgspec.Struct, forbid_unknown_fields=True):
    """A path."""

    nodes: list[int]
    stacks: list[int]
    ends: str
    start: int | None
    shortest: bool


class FactData(msgspec.Struct, forbid_unknown_fields=True):
    """A fact of a run."""

    part: int
    formula: str
    truths: list[bool | None]


class ItemData(msgspec.Struct, forbid_unknown_fields=True):
    """A node of the tree."""

    part: int
    formula: str
    truth: bool
    kind: str
    node: int
    stack: int
    path: PathData | None
    parts: list[int]
    """Places in the list."""
    explored: int
    facts: list[FactData] | UnsetType = UNSET
    """Only in evidence of runs, and there always."""


def put(tables: Tables, evidence: Evidence, text: Text, *, runs: bool) -> list[ItemData]:
    """A tree for a document; `text` says its parts for people, `runs` of which kind it is."""
    items: list[ItemData] = []
    pending: list[tuple[Evidence, list[int]]] = [(evidence, [])]
    while pending:
        at, siblings = pending.pop()
        siblings.append(len(items))
        path = None
        if at.path is not None:
            nodes, stacks = tables.columns(at.path.states)
            path = PathData(nodes, stacks, at.path.ends, at.path.start, at.path.shortest)
        facts = [FactData(node, text(node), list(truths)) for node, truths in at.facts]
        [node], [stack] = tables.columns((at.state,))
        parts: list[int] = []
        items.append(
            ItemData(
                at.part,
                text(at.part),
                at.truth,
                at.kind,
                node,
                stack,
                path,
                parts,
                at.explored,
                facts if runs else UNSET,
            )
        )
        pending += [(each, parts) for each in reversed(at.parts)]
    return items


def take(numbered: Numbered, items: Sequence[ItemData], text: Text, *, runs: bool) -> Evidence:
    """The tree of a document.

    `NotEvidence` if it is no tree, or of the other kind; `WrongEvidence` if its states are not in
    the tables, or its subformulas are not what `text` says of them.
    """
    if sorted(each for item in items for each in item.parts) != list(range(1, len(items))):
        raise NotEvidence("its parts are no tree")
    made: dict[int, Evidence] = {}
    for at in reversed(range(len(items))):
        item = items[at]
        if any(each <= at for each in item.parts):
            raise NotEvidence("its parts are no tree")
        if (item.facts is not UNSET) is not runs:
            raise NotEvidence("facts are missing, or where none belong")
        made[at] = _taken(numbered, item, tuple([made.pop(each) for each in item.parts]), text)
    if not made:
        raise NotEvidence("there is nothing in it")
    return made[0]


def _taken(numbered: Numbered, item: ItemData, parts: tuple[Evidence, ...], text: Text) -> Evidence:
    facts = () if item.facts is UNSET else item.facts
    for told in (item, *facts):
        fine = text(told.part) == told.formula
        need(fine, f"the text of a subformula is not that of number {told.part}")
    path = None
    if item.path is not None:
        states = numbered.states(item.path.nodes, item.path.stacks)
        path = Path(states, item.path.ends, item.path.start, item.path.shortest)
    return Evidence(
        item.part,
        item.truth,
        numbered.state(item.node, item.stack),
        item.kind,
        path,
        parts,
        item.explored,
        tuple([(each.part, tuple(each.truths)) for each in facts]),
    )
