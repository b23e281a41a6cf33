"""The faults of declarations, in words, with the path of the culprit and a spelling hint."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.diagnostics import InputError, ModelError, Position, did_you_mean, printable
from pigro.model.declarations import BoxNodeRef

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from pigro.model.declarations import BoxDecl, NodeRef


def duplicate(what: str, names: Iterable[str], path: str) -> ModelError:
    """Two of `names` are the same. `path` has `{}` where the number of the second goes."""
    seen = set[str]()
    for i, name in enumerate(names):
        if name in seen:
            position = Position(path=path.format(i))
            return ModelError("P201", f"two {what} are named {quoted(name)}", position=position)
        seen.add(name)
    raise AssertionError


def unknown_component(name: str, who: str, path: str, components: Iterable[str]) -> ModelError:
    """`who` is the words before the name."""
    return ModelError(
        "P202",
        f"{who} {quoted(name)}, which is not a component",
        position=Position(path=path),
        hint=did_you_mean(name, components),
    )


def no_initial_node() -> ModelError:
    """The list is empty."""
    message = "the list of initial nodes is empty"
    return ModelError("P210", message, position=Position(path="$.initial_node"))


def unknown_initial_node(name: str, component: str, nodes: Iterable[str], path: str) -> ModelError:
    """The initial component has no such node."""
    return ModelError(
        "P203",
        f"initial node {quoted(name)} is not a node of component {quoted(component)}",
        position=Position(path=path),
        hint=did_you_mean(name, nodes),
    )


def bad_box_node(
    box: BoxDecl,
    caller: str,
    name: str,
    *,
    is_call: bool,
    nodes: Iterable[str],
    fitting: Iterable[str],
    path: str,
) -> ModelError:
    """A box lists a node that its callee lacks, or that is not among the `fitting` ones."""
    key, names = ("call_nodes", box.call_nodes) if is_call else ("return_nodes", box.return_nodes)
    position = Position(path=f"{path}.{key}[{names.index(name)}]")
    where = f"box {quoted(box.name)} of component {quoted(caller)}"
    callee = f"component {quoted(box.component)}"
    if name not in nodes:
        message = f"{where}: {callee} has no node {quoted(name)}"
        return ModelError("P203", message, position=position, hint=did_you_mean(name, nodes))
    code, word, flag = ("P205", "entry", "is_entry") if is_call else ("P206", "exit", "is_exit")
    return ModelError(
        code,
        f"{where}: node {quoted(name)} of {callee} is not an {word}",
        position=position,
        hint=did_you_mean(name, fitting) or f'set "{flag}" of the node, or take it off the list',
    )


def bad_reference(
    ref: NodeRef | BoxNodeRef,
    component: str,
    nodes: Iterable[str],
    listed: Mapping[str, Mapping[str, int]],
    path: str,
) -> ModelError | InputError:
    """A source or target that is none. `listed` by box name: return nodes or call nodes."""
    if isinstance(ref, BoxNodeRef):
        return _bad_box_reference(ref, component, listed, path)
    key, name = ("name", ref.name) if ref.name is not None else ("node", ref.node)
    if name is None:
        return InputError("P103", 'missing key "name"', position=Position(path=path))
    position = Position(path=f"{path}.{key}")
    owner = f"component {quoted(component)}"
    if name in nodes:
        return ModelError(
            "P209",
            f"exit {quoted(name)} of {owner} has successors",
            position=position,
            hint="an exit only returns: continue from the return nodes of the boxes that call "
            "this component",
        )
    message = f"{owner} has no node {quoted(name)}"
    return ModelError("P203", message, position=position, hint=did_you_mean(name, nodes))


def _bad_box_reference(
    ref: BoxNodeRef, component: str, listed: Mapping[str, Mapping[str, int]], path: str
) -> ModelError:
    if ref.box_name not in listed:
        return ModelError(
            "P204",
            f"component {quoted(component)} has no box {quoted(ref.box_name)}",
            position=Position(path=f"{path}.box_name"),
            hint=did_you_mean(ref.box_name, listed),
        )
    code, word = ("P208", "return") if path.endswith("source") else ("P207", "call")
    return ModelError(
        code,
        f"box {quoted(ref.box_name)} of component {quoted(component)} lists no {word} node "
        f"{quoted(ref.node_name)}",
        position=Position(path=f"{path}.node_name"),
        hint=did_you_mean(ref.node_name, listed[ref.box_name])
        or f'add it to "{word}_nodes" of the box',
    )


def quoted(name: str) -> str:
    """A name for a message."""
    return f'"{printable(name)}"'
