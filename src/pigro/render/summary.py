"""A model or composition described for people: as a whole, or one component or part in full."""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.diagnostics import printable
from pigro.evidence.source_lines import shown_position
from pigro.limits import no_poll, watched
from pigro.model.calls import call_graph
from pigro.model.kinds import SubjectKind
from pigro.model.part import UNKNOWN
from pigro.render.heads import head_text, names_text
from pigro.render.tables import table
from pigro.render.text import CheckReport, count

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.model.calls import CallGraph
    from pigro.model.composition import Composition, ListedSubject, Subject
    from pigro.model.part import Part
    from pigro.model.parts.hyper import HyperStep
    from pigro.model.space import Model, StateSpace

_SHOWN = 20
"""How many components are listed."""
_NAMES = 5
"""How many names stand in a list."""


def names_of(subject: ListedSubject) -> Sequence[str]:
    """The names of the components or parts."""
    return _KINDS[subject.kind].names(subject)


def summary(subject: Subject, *, everything: bool = False, poll: Poll = no_poll) -> str:
    """Statistics and the components or parts: the largest, or all of them.

    `poll` is called often, and may raise to stop.
    """
    return head_text(CheckReport(subject)) + _KINDS[subject.kind].rest(subject, everything, poll)


def component_text(subject: ListedSubject, number: int, poll: Poll = no_poll) -> str:
    """One component or part in full. `poll` is called often, and may raise to stop."""
    return _KINDS[subject.kind].one(subject, number, poll)


def _part(composition: Composition, number: int, poll: Poll) -> str:
    """The states of a part with labels and steps. `?` marks unknown labels and possible steps."""
    part = composition.parts[number].listed(poll)
    facts = [("part", printable(part.name)), ("labels", names_text(part.atoms, _NAMES))]
    if part.actions is not None:
        facts.append(("actions", names_text(part.actions, _NAMES)))
    head = ("state", "kind", "labels", "leads to")
    initial = set(part.initial)
    rows = []
    for at, name in watched(enumerate(part.states), poll):
        unknown = [f"{label}?" for label in part.labels_of(at, UNKNOWN)]
        steps = [_step(part, *step) for step in part.steps_of(at)]
        steps += [_hyper_step(part, step) for step in part.hyper_of(at)]
        kind = "initial" if at in initial else ""
        rows.append((name, kind, ", ".join([*part.labels_of(at), *unknown]), ", ".join(steps)))
    return "".join(f"{key:<12}{value}\n" for key, value in facts) + "\n" + table([head, *rows])


def _step(part: Part, action: int, target: int, must: int) -> str:
    by = "" if part.actions is None else f"{part.action_name(action)}: "
    return f"{by}{part.states[target]}{'' if must else '?'}"


def _hyper_step(part: Part, step: HyperStep) -> str:
    by = "" if part.actions is None else f"{part.action_name(step.by)}: "
    return by + " | ".join([part.states[target] for target in step.targets])


def _components(model: Model, everything: bool, poll: Poll) -> str:
    """Frequent labels and a table of components: the largest, or all of them."""
    if not model.is_listed:
        return _variables(model)
    graph, core = call_graph(model), model.core
    numbers = list(range(core.components))
    if len(numbers) > _SHOWN and not everything:
        largest = sorted(numbers, key=lambda each: (-len(core.nodes_of(each)), each))
        numbers = sorted(largest[:_SHOWN])
    parts = [_frequent_labels(model), _positions(model), "\n"]
    head = ("component", "nodes", "entries", "exits", "boxes", "edges", "", "calls")
    rows = [head, *(_row(model, graph, number, poll) for number in numbers)]
    parts.append(table(rows, right=range(1, 6)))
    if more := core.components - len(numbers):
        parts.append(f"and {more:,} smaller ones; --all lists them\n")
    return "".join(parts)


def _variables(model: StateSpace) -> str:
    """The variables of a model whose states are not listed."""
    head = ("variable", "values")
    rows = [(name, f"{size:,}") for name, size in model.computed.variables]
    total = prod(size for _, size in model.computed.variables)
    shown = f"{total:,}" if total < 10**9 else f"about 10^{len(str(total)) - 1}"
    return f"{'values':<12}{shown} combinations\n\n{table([head, *rows], right=[1])}"


def _component(model: RSM, number: int, poll: Poll) -> str:
    """One component in full: whom it calls and who calls it, its nodes, boxes and edges."""
    graph, core, names = call_graph(model), model.core, model.names
    callers = [each for each, callees in enumerate(graph.callees) if number in callees]
    remarks = _remarks(model, graph, number)
    name = printable(names.components[number])
    facts = [
        ("component", f"{name} ({remarks})" if remarks else name),
        ("calls", names_text([names.components[each] for each in graph.callees[number]], _NAMES)),
        ("called by", names_text([names.components[each] for each in callers], _NAMES)),
    ]
    if position := shown_position(model, model.component_position(number)):
        facts.append(("source", position))
    head = ("node", "kind", "labels", "leads to", *(("source",) if model.positions else ()))
    labels: dict[int, list[str]] = {}
    for label, identifier in model.label_ids.items():
        for node in watched(core.labelled(identifier), poll):
            labels.setdefault(node, []).append(label)
    initial = set(model.initial)
    nodes = watched(core.nodes_of(number), poll)
    rows = [_node_row(model, node, labels, initial) for node in nodes]
    return "".join(f"{key:<12}{value}\n" for key, value in facts) + "\n" + table([head, *rows])


def _row(model: RSM, graph: CallGraph, number: int, poll: Poll) -> tuple[str, ...]:
    core = model.core
    nodes = core.nodes_of(number)
    declared = [node for node in watched(nodes, poll) if core.box(node) < 0]
    counts = (
        len(declared),
        sum(core.is_entry(node) for node in watched(declared, poll)),
        sum(core.kind(node).name == "EXIT" for node in watched(declared, poll)),
        len(core.boxes_of(number)),
        sum(len(core.successors(node)) for node in watched(nodes, poll)),
    )
    return (
        model.names.components[number],
        *(f"{count:,}" for count in counts),
        _remarks(model, graph, number),
        names_text([model.names.components[each] for each in graph.callees[number]], _NAMES),
    )


def _remarks(model: RSM, graph: CallGraph, number: int) -> str:
    starts = {model.core.component(node) for node in model.initial}
    words = ["start"] if number in starts else []
    words += ["recursive"] if graph.recursive[number] else []
    words += ["unreachable"] if not graph.reachable[number] else []
    return ", ".join(words)


def _node_row(
    model: RSM, node: int, labels: dict[int, list[str]], initial: set[int]
) -> tuple[str, ...]:
    core = model.core
    targets = ", ".join(_local(model, each) for each in core.successors(node))
    own = ", ".join(labels.get(core.subject(node), []))
    place = (shown_position(model, model.position(node)),) if model.positions else ()
    return _local(model, node), _kind(model, node, initial), own, targets, *place


def _kind(model: RSM, node: int, initial: set[int]) -> str:
    core = model.core
    if core.box(node) >= 0:
        callee = model.names.components[core.callee(core.box(node))]
        kind = core.kind(node).name
        return f"call of {callee}" if kind == "CALL" else f"return from {callee}"
    words = ["initial"] if node in initial else []
    words += ["entry"] if core.is_entry(node) else []
    words += ["exit"] if core.kind(node).name == "EXIT" else []
    return ", ".join(words)


def _local(model: RSM, node: int) -> str:
    """A node's name inside of its component."""
    return model.node_name(node).removeprefix(f"{model.component_name(node)}:")


def _frequent_labels(model: RSM) -> str:
    counts = sorted(
        ((len(model.core.labelled(number)), label) for label, number in model.label_ids.items()),
        key=lambda pair: -pair[0],
    )
    if not counts:
        return ""
    shown = [f"{printable(label)} ({count:,})" for count, label in counts[:_NAMES]]
    more = f" and {len(counts) - _NAMES:,} more" if len(counts) > _NAMES else ""
    return f"{'frequent':<12}{', '.join(shown)}{more}\n"


def _positions(model: RSM) -> str:
    """How much of the model has source positions, and in which files."""
    if model.positions is None:
        return ""
    core = model.core
    every = (core.declared_nodes, "node"), (core.boxes, "box"), (core.components, "component")
    counts = [
        f"{found:,} of {count(of, one, 'boxes' if one == 'box' else None)}"
        for found, (of, one) in zip(model.positions.counts(), every, strict=True)
        if of
    ]
    files = names_text([each or model.source or "?" for each in model.positions.files], _NAMES)
    return f"{'source':<12}{files} ({', '.join(counts)})\n"


class _SummaryKind(NamedTuple):
    """How a kind of subject is described."""

    names: Callable[[Any], Sequence[str]]
    rest: Callable[[Any, bool, Poll], str]
    """What stands behind the head."""
    one: Callable[[Any, int, Poll], str]


_KINDS = {
    SubjectKind.MODEL: _SummaryKind(lambda model: model.names.components, _components, _component),
    SubjectKind.COMPOSITION: _SummaryKind(
        lambda given: [e.name for e in given.parts], lambda *_: "", _part
    ),
}
