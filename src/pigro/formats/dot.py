"""Drawings in DOT, the language of Graphviz: components with their boxes, or the call graph.

A component is a frame. In it, a node is an ellipse with its labels. Entries have a bold border,
exits a double one, and initial nodes are filled. A box is a record: calls above, returns below, and
between them its name and the component that it calls. A dashed line leads from a call to its entry
if that is drawn too. In the call graph, recursive components have a double border, and those that
nothing calls a dashed one.

A part of a composition is a frame too. Its unknown labels have a question mark, and steps that only
may be there are dashed. The overview of a composition has a box for each part, and a line between
parts that share labels or actions.

Names come from files: quotes, backslashes, braces, ampersands and control characters are escaped,
and long ones are shortened.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from pigro.diagnostics import printable
from pigro.limits import no_poll, watched
from pigro.model.calls import call_graph
from pigro.model.kinds import SubjectKind
from pigro.model.part import UNKNOWN

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence

    from pigro.limits import Poll
    from pigro.model import RSM
    from pigro.model.composition import Composition, ListedSubject
    from pigro.model.part import Part

_WIDEST = 40
"""Longest name in a drawing."""
_MOST_PORTS = 16
"""How many calls or returns of a box are drawn. Edges of others end at the box."""
_MOST_LABELS = 6
_MOST_VALUES = 12
_STYLE = """\
  graph [fontname="Helvetica", fontsize=12, rankdir=TB, style=rounded, color=gray50];
  node [fontname="Helvetica", fontsize=10, shape=ellipse];
  edge [fontname="Helvetica", fontsize=9, arrowsize=0.7];
"""
_MARK = 'color="#c0392b", penwidth=2.5'
_MANY = 1000
_HURRY = "  graph [splines=line, nslimit=1, nslimit1=1, mclimit=0.1];\n"
"""For drawings of more lines than that: a call graph of 615 components with 1,800 calls is laid out
in 3 s and not in 75."""
_IN_STRING = str.maketrans({"\\": "\\\\", '"': '\\"', "&": "&amp;"})
_IN_RECORD = str.maketrans({c: f"\\{c}" for c in "{}|<> "})


def write(subject: ListedSubject, *, poll: Poll = no_poll) -> bytes:
    """All components of a model, or all parts of a composition, as UTF-8."""
    return draw_chosen(subject, range(size_of(subject)[0]), poll=poll)


def draw_chosen(subject: ListedSubject, numbers: Iterable[int], *, poll: Poll = no_poll) -> bytes:
    """These components or parts, by number."""
    return _KINDS[subject.kind].chosen(subject, numbers, poll)


def draw_overview(subject: ListedSubject) -> bytes:
    """The call graph of a model, or what the parts of a composition share."""
    return _KINDS[subject.kind].overview(subject)


def size_of(subject: ListedSubject) -> tuple[int, int]:
    """How many components a model has, and nodes. Of a composition: parts, and their states."""
    return _KINDS[subject.kind].size(subject)


def draw_parts(composition: Composition, numbers: Iterable[int], poll: Poll = no_poll) -> bytes:
    """These parts, by number."""
    parts, chosen = composition.listed_parts, sorted(set(numbers))
    return draw_graph([line for at in chosen for line in watched(_part(parts[at], at), poll)])


def draw_sharing(composition: Composition) -> bytes:
    """A box for each part. A line between two parts names the labels or actions that they share."""
    lines, parts = [], composition.listed_parts
    names = [part.atoms if part.actions is None else part.actions for part in parts]
    for at, part in enumerate(parts):
        size = f"{len(part.states):,} states, {len(part.targets):,} steps"
        lines.append(f'  p{at} [shape=box, label="{escaped(part.name)}\\n{size}"];\n')
        shared = {b: [each for each in names[at] if each in names[b]] for b in range(at)}
        lines += [
            f'  p{before} -> p{at} [dir=none, label="{_listed(each)}"];\n'
            for before, each in shared.items()
            if each
        ]
    return draw_graph(lines)


def _part(part: Part, number: int) -> Iterator[str]:
    yield f'  subgraph cluster_{number} {{\n    label="{escaped(part.name)}";\n'
    initial = set(part.initial)
    for at, name in enumerate(part.states):
        unknown = [f"{label}?" for label in part.labels_of(at, UNKNOWN)]
        labels = [label for label in part.labels_of(at) if label != name] + unknown
        text = f"{escaped(name)}\\n{_listed(labels)}" if labels else escaped(name)
        look = "style=filled, fillcolor=lightyellow, " if at in initial else ""
        yield f'    s{number}_{at} [{look}label="{text}"];\n'
    for at in range(len(part.states)):
        for action, target, must in part.steps_of(at):
            looks = [] if must else ["style=dashed"]
            if part.actions is not None:
                looks.append(f'label="{escaped(part.action_name(action))}"')
            look = f" [{', '.join(looks)}]" if looks else ""
            yield f"    s{number}_{at} -> s{number}_{target}{look};\n"
    yield from _hyper_steps(part, number)
    yield "  }\n"


def _hyper_steps(part: Part, number: int) -> Iterator[str]:
    """A point for each. The step to it must be there, and goes on to one of several states."""
    for at, step in enumerate(part.hyper):
        look = "dir=none"
        if part.actions is not None:
            look += f', label="{escaped(part.action_name(step.by))}"'
        yield f"    h{number}_{at} [shape=point];\n"
        yield f"    s{number}_{step.source} -> h{number}_{at} [{look}];\n"
        for target in step.targets:
            yield f"    h{number}_{at} -> s{number}_{target} [style=dashed];\n"


def _listed(labels: Sequence[str]) -> str:
    more = len(labels) - _MOST_LABELS
    shown = [escaped(each) for each in labels[:_MOST_LABELS]]
    return ", ".join([*shown, *([f"and {more} more"] if more > 0 else [])])


def draw_components(
    model: RSM,
    components: Iterable[int],
    marked: Collection[tuple[int, int]] = (),
    *,
    poll: Poll = no_poll,
) -> bytes:
    """These components, by number. With the marked edges, and the nodes they join, stand out."""
    numbers = sorted(set(components))
    joined = frozenset(node for edge in marked for node in edge)
    looks = _DrawingStyle(_labels(model, poll), set(numbers), frozenset(marked), joined)
    lines = [line for number in numbers for line in watched(_component(model, number, looks), poll)]
    return draw_graph(lines)


def draw_calls(model: RSM) -> bytes:
    """The call graph: a node for each component, and an edge for each pair that calls."""
    graph, core = call_graph(model), model.core
    starts = {core.component(node) for node in model.initial}
    lines = []
    for number, name in enumerate(model.names.components):
        size = f"{len(core.nodes_of(number)):,} nodes, {len(core.boxes_of(number)):,} boxes"
        looks = ["shape=box"]
        looks += ["peripheries=2"] if graph.recursive[number] else []
        looks += ["style=filled", "fillcolor=lightyellow"] if number in starts else []
        looks += ["style=dashed", "fontcolor=gray40"] if not graph.reachable[number] else []
        lines.append(f'  c{number} [{", ".join(looks)}, label="{escaped(name)}\\n{size}"];\n')
        lines += [f"  c{number} -> c{callee};\n" for callee in graph.callees[number]]
    return draw_graph(lines)


def draw_graph(lines: Sequence[str]) -> bytes:
    """A drawing of lines in DOT."""
    hurry = _HURRY if len(lines) > _MANY else ""
    return f"digraph model {{\n{_STYLE}{hurry}{''.join(lines)}}}\n".encode()


def _labels(model: RSM, poll: Poll) -> dict[int, list[str]]:
    """The labels of each declared node, but for one that is the node's name again."""
    found: dict[int, list[str]] = {}
    names = model.names.nodes
    for label, number in model.label_ids.items():
        for node in watched(model.core.labelled(number), poll):
            if names[model.core.declared_of_node(node)] != label:
                found.setdefault(node, []).append(label)
    return found


@dataclass(frozen=True, slots=True)
class _DrawingStyle:
    """What a drawing shows besides the model."""

    labels: dict[int, list[str]]
    drawn: set[int]
    marked: frozenset[tuple[int, int]]
    joined: frozenset[int]

    def of_edge(self, source: int, target: int) -> str:
        return f" [{_MARK}]" if (source, target) in self.marked else ""

    def on_path(self, node: int) -> bool:
        return node in self.joined


def _component(model: RSM, number: int, looks: _DrawingStyle) -> Iterator[str]:
    core, drawn, labels = model.core, looks.drawn, looks.labels
    nodes = core.nodes_of(number)
    yield f"  subgraph cluster_{number} {{\n"
    yield f'    label="{escaped(model.names.components[number])}";\n'
    places: dict[int, str] = {}
    boxes: dict[int, list[int]] = {box: [] for box in core.boxes_of(number)}
    initial = set(model.initial)
    for node in nodes:
        if core.box(node) >= 0:
            boxes[core.box(node)].append(node)
        else:
            places[node] = f"n{node}"
            look = [_MARK] if looks.on_path(node) else []
            yield _node(model, node, labels.get(node, []), look, initial=node in initial)
    for box, members in boxes.items():
        record, ports = _box(model, box, members)
        places |= ports
        yield record
    for node in nodes:
        for successor in core.successors(node):
            yield f"    {places[node]} -> {places[successor]}{looks.of_edge(node, successor)};\n"
    yield "  }\n"
    for node in nodes:
        if core.kind(node).name == "CALL" and core.callee(core.box(node)) in drawn:
            entry = core.subject(node)
            colour = _MARK if (node, entry) in looks.marked else "color=gray50"
            yield f"  {places[node]} -> n{entry} [style=dashed, {colour}, constraint=false];\n"


def _node(
    model: RSM, node: int, labels: Sequence[str], more_looks: Sequence[str], *, initial: bool
) -> str:
    core = model.core
    name = model.names.nodes[core.declared_of_node(node)]
    values = model.values(node) if len(name) > _WIDEST else {}
    text = "\\n".join(_value_lines(values)) or escaped(name)
    if labels:
        text += f"\\n{_listed(labels)}"
    looks = [*more_looks]
    looks += ["penwidth=2"] if core.is_entry(node) and not more_looks else []
    looks += ["peripheries=2"] if core.kind(node).name == "EXIT" else []
    looks += ["style=filled", "fillcolor=lightyellow"] if initial else []
    looks.append(f'label="{text}"')
    return f"    n{node} [{', '.join(looks)}];\n"


def _value_lines(values: Mapping[str, str]) -> list[str]:
    """The values of variables, a line each: more than a long name that is cut."""
    lines = [f"{escaped(name)}={escaped(value)}" for name, value in values.items()]
    more = len(lines) - _MOST_VALUES
    return lines if more <= 0 else [*lines[:_MOST_VALUES], f"and {more} more"]


def _box(model: RSM, box: int, members: Sequence[int]) -> tuple[str, dict[int, str]]:
    """The record of a box, and where the edges of its call and return nodes begin and end."""
    core, names = model.core, model.names
    rows = []
    places = dict.fromkeys(members, f"b{box}")
    for kind in ("CALL", "RETURN"):
        nodes = [node for node in members if core.kind(node).name == kind]
        shown = nodes[:_MOST_PORTS]
        cells = [f"<p{each}> {_field(names.nodes[core.declared_of_node(each)])}" for each in shown]
        places |= {node: f"b{box}:p{node}" for node in shown}
        if len(nodes) > len(shown):
            cells.append(f"and\\ {len(nodes) - len(shown):,}\\ more")
        rows.append(f"{{{'|'.join(cells)}}}" if cells else "")
    title = _field(f"{printable(names.boxes[box], _WIDEST)}: ") + _field(
        names.components[core.callee(box)]
    )
    rows.insert(1, title)
    fields = "|".join(row for row in rows if row)
    look = "shape=record, style=filled, fillcolor=gray95"
    return f'    b{box} [{look}, label="{{{fields}}}"];\n', places


def escaped(name: str) -> str:
    """A name inside the quotes of a label."""
    return printable(name, _WIDEST).translate(_IN_STRING)


def _field(name: str) -> str:
    """A name inside a field of a record, whose marks need escapes of their own."""
    return escaped(name).translate(_IN_RECORD)


def _size_of_model(model: RSM) -> tuple[int, int]:
    return model.core.components, model.core.nodes


def _size_of_parts(composition: Composition) -> tuple[int, int]:
    parts = composition.listed_parts
    return len(parts), sum(len(part.states) for part in parts)


def _chosen_components(model: RSM, numbers: Iterable[int], poll: Poll) -> bytes:
    return draw_components(model, numbers, poll=poll)


class _DrawnKind(NamedTuple):
    """How a kind of subject is drawn."""

    chosen: Callable[[Any, Iterable[int], Poll], bytes]
    overview: Callable[[Any], bytes]
    size: Callable[[Any], tuple[int, int]]


_KINDS = {
    SubjectKind.MODEL: _DrawnKind(_chosen_components, draw_calls, _size_of_model),
    SubjectKind.COMPOSITION: _DrawnKind(draw_parts, draw_sharing, _size_of_parts),
}
