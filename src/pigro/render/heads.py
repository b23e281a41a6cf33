"""What a subject is like, a line each: a model, or a composition of parts.

Names come from files and are escaped.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics.printable import in_full, listed, printable
from pigro.model.kinds import SubjectKind
from pigro.render.text import count, duration, initial_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.model import Statistics
    from pigro.model.composition import Composition
    from pigro.model.lazy.seen import AnyPart
    from pigro.render.text import CheckReport

    Rows = list[tuple[str, str]]

NAMES = 8
"""How many names stand in a list."""
_WIDEST = 60
"""Characters of the name of a row."""
_COLUMN = 12
_NOT_LISTED = "states not listed"


def head_text(report: CheckReport) -> str:
    """What the subject of a report is like, and how it was read. With line ends."""
    rows = HEADS[report.subject.kind](report)
    if report.question is not None:
        rows.append(("loaded in", duration(report.question.load_seconds)))
    names = [printable(name, _WIDEST) for name, _ in rows]
    width = max(_COLUMN, *(len(name) + 2 for name in names))
    return "".join(
        f"{name:<{width}}{value}\n" for name, (_, value) in zip(names, rows, strict=True)
    )


def _model(report: CheckReport) -> Rows:
    """The model's statistics."""
    model = report.subject
    rows = [
        ("model", in_full(model.source or "made by a program")),
        ("semantics", f"{model.semantics}, dead ends: {model.dead_ends}"),
    ]
    if not model.is_listed:
        return [*rows, ("states", "computed on demand, not listed")]
    return [*rows, ("initial", initial_text(model)), *_counts(model.statistics)]


def _composition(report: CheckReport) -> Rows:
    """The parts, and what they are together."""
    composition, question = report.subject, report.question
    shared = composition.joint
    what = "joint labels"
    if composition.has_actions:
        users = [name for part in composition.parts for name in part.actions or ()]
        shared = tuple(name for name in composition.actions if users.count(name) > 1)
        what = "shared actions"
    names = ", ".join(in_full(part.name) for part in composition.parts)
    return [
        *((f"part {in_full(part.name)}", _part_text(part)) for part in composition.parts),
        *([("order", names)] if question is not None and question.reordered else []),
        (what, names_text(shared)),
        ("composed", _composed(composition)),
        *([] if question is None else [("dead ends", question.dead_ends)]),
    ]


HEADS = {SubjectKind.MODEL: _model, SubjectKind.COMPOSITION: _composition}
"""By kinds of subjects."""


def _composed(composition: Composition) -> str:
    """How many states the parts have together."""
    if not composition.is_listed:
        return _NOT_LISTED
    most = "at most " if composition.unsettled else ""
    counted = composition.counted
    states = "too many to count" if counted is None else most + count(counted, "state")
    return f"{states}, {most}{len(composition.initial):,} initial"


def _part_text(part: AnyPart) -> str:
    facts = [_NOT_LISTED]
    if part.is_listed:
        facts = [count(len(part.states), "state"), count(len(part.targets), "step")]
        facts += [count(len(part.hyper), "hyper-step")] if part.hyper else []
    facts.append(f"labels {names_text(part.atoms)}")
    if part.actions is not None:
        facts.append(f"actions {names_text(part.actions)}")
    if not part.is_concrete:
        facts.append("not concrete")
    return ", ".join(facts)


def _counts(counted: Statistics) -> list[tuple[str, str]]:
    recursive = f"{counted.recursive_components:,} recursive"
    unreachable = f"{counted.unreachable_components:,} unreachable"
    both = f"{counted.entry_exits:,} both"
    ends = f"{count(counted.entries, 'entry', 'entries')}, {count(counted.exits, 'exit')}, {both}"
    calls = f"{count(counted.calls, 'call')}, {count(counted.returns, 'return')}"
    return [
        ("components", f"{counted.components:,} ({recursive}, {unreachable})"),
        ("nodes", f"{counted.nodes:,} ({ends}; at most {count(counted.most_exits, 'exit')} each)"),
        ("edges", f"{counted.edges:,}"),
        ("boxes", f"{counted.boxes:,} ({calls})"),
        ("labels", f"{counted.labels:,}"),
        ("dead ends", _dead_ends(counted)),
    ]


def _dead_ends(counted: Statistics) -> str:
    kinds = (
        (counted.dead_plain, "plain"),
        (counted.dead_return, "return node"),
        (counted.dead_missing, "exit without return node"),
        (counted.dead_call, "call of an entry-exit node"),
    )
    found = ", ".join(f"{count:,} {kind}" for count, kind in kinds if count)
    return f"{counted.dead_ends:,} ({found})" if found else "none"


def names_text(names: Sequence[str], most: int = NAMES) -> str:
    """The first few names, or a dash."""
    return listed(names, most) or "-"
