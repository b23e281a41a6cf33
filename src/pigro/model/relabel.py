"""The same model with one more label, for questions about some of its nodes.

The native model can't be changed, so it is made again from its arrays; nodes and boxes keep their
numbers. Cost: linear in the model.
"""

from __future__ import annotations

from array import array
from types import MappingProxyType
from typing import TYPE_CHECKING

from pigro.diagnostics import ModelError
from pigro.model.packing import array_view
from pigro.model.rsm import RSM

if TYPE_CHECKING:
    from collections.abc import Iterable


def with_label(model: RSM, label: str, nodes: Iterable[int]) -> RSM:
    """A copy of the model in which exactly these declared nodes carry `label`, which is new.

    >>> from pigro import check, kripke
    >>> model = kripke({"a": ["b"], "b": ["a"]}, labels={}, initial="a")
    >>> check(with_label(model, "here", [model.find("b")]), "AX here").holds
    True
    """
    if label in model.label_ids:
        raise ModelError("P212", f"the model has a label {label!r} already")
    core = model.core
    declared = array("i", [core.declared_of_node(node) for node in nodes])
    made = core.arrays()
    made["label_nodes"] += declared.tobytes()
    made["label_offsets"] += array("i", [len(made["label_nodes"]) // declared.itemsize]).tobytes()
    return RSM.from_flat(
        {name: array_view(name, row) for name, row in made.items()},
        label_ids=MappingProxyType({**model.label_ids, label: core.labels}),
        initial=map(core.declared_of_node, model.initial),
        names=model.names,
        semantics=model.semantics,
        dead_ends=model.dead_ends,
        source=model.source,
    )
