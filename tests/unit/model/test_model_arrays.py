"""RSM.from_arrays: what it takes, what it refuses, and that it makes no object per node."""

from __future__ import annotations

import gc
import time
import tracemalloc
from array import array

import numpy as np
import pytest

from pigro import RSM, ModelError, Names, check
from pigro.model.faults import explain_fault

# Component 0: node 0 (entry), 1 (exit). Its box 0 calls component 1: node 2 (entry), 3 (exit).
# References: nodes 0..3, the listed call is 4, the listed return is 5.
GOOD = {
    "component_offsets": [0, 2, 4],
    "node_flags": bytes([1, 2, 1, 2]),
    "box_offsets": [0, 1, 1],
    "box_callee": [1],
    "call_offsets": [0, 1],
    "call_entries": [2],
    "return_offsets": [0, 1],
    "return_exits": [3],
    "edge_sources": [0, 5, 2],
    "edge_targets": [4, 1, 3],
    "labels": {"p": [3], "q": [0, 1]},
    "initial": [0],
}
ID_ARRAYS = [key for key in GOOD if key not in ("node_flags", "labels", "initial")]


def build(**changes: object) -> RSM:
    return RSM.from_arrays(**{**GOOD, **changes})


def shape(model: RSM) -> tuple:
    core = model.core
    rows = [core.successors(node) for node in range(core.nodes)]
    labels = [core.labelled(label) for label in range(core.labels)]
    return rows, labels, model.initial, repr(model), list(model.label_ids)


def test_the_example():
    rows = [[2], [], [], [1], [5], []]
    text = "<RSM: 2 components, 4 nodes, 3 edges, 1 box>"
    assert shape(build()) == (rows, [[5], [0, 1]], (0,), text, ["p", "q"])
    assert check(build(), "AF p").holds is True


CONVERSIONS = {
    "tuple": tuple,
    "generator": iter,
    "array i": lambda ids: array("i", ids),
    "array q": lambda ids: array("q", ids),
    "array H": lambda ids: array("H", ids),
    "bytes": bytes,
    "memoryview": lambda ids: memoryview(array("i", ids)),
    "readonly": lambda ids: memoryview(array("i", ids)).toreadonly(),
    "int32": lambda ids: np.array(ids, np.int32),
    "int64": lambda ids: np.array(ids, np.int64),
    "uint32": lambda ids: np.array(ids, np.uint32),
    "strided": lambda ids: np.repeat(np.array(ids, np.int32), 2)[::2],
    "readonly numpy": lambda ids: np.broadcast_to(np.array(ids, np.int32), (len(ids),)),
}


@pytest.mark.parametrize("kind", CONVERSIONS)
def test_any_sequence_of_integers(kind: str):
    convert = CONVERSIONS[kind]
    changes = {key: convert(GOOD[key]) for key in ID_ARRAYS}
    changes["labels"] = {label: convert(nodes) for label, nodes in GOOD["labels"].items()}
    changes["initial"] = convert(GOOD["initial"])
    assert shape(build(**changes)) == shape(build())


@pytest.mark.parametrize(
    "flags",
    [
        [1, 2, 1, 2],
        (1, 2, 1, 2),
        bytearray([1, 2, 1, 2]),
        array("B", [1, 2, 1, 2]),
        array("i", [1, 2, 1, 2]),
        np.array([1, 2, 1, 2], np.uint8),
        np.array([1, 2, 1, 2], np.int8),
        np.array([1, 2, 1, 2], np.int64),
        np.array([1, 0, 2, 0, 1, 0, 2, 0], np.uint8)[::2],
    ],
)
def test_any_bytes_as_flags(flags: object):
    assert shape(build(node_flags=flags)) == shape(build())


FAULTS = [
    ({"component_offsets": []}, "component_offsets need at least two values"),
    ({"component_offsets": [0]}, "component_offsets need at least two values"),
    ({"component_offsets": [1, 2, 4]}, "component_offsets must rise from 0"),
    ({"component_offsets": [0, 5, 4]}, "component_offsets must rise from 0"),
    ({"component_offsets": [0, -1, 4]}, "component_offsets must rise from 0"),
    ({"component_offsets": [0, 2, 3]}, "component_offsets must rise from 0"),
    ({"component_offsets": [0, 2, 5]}, "component_offsets must rise from 0"),
    ({"box_offsets": [0, 1]}, "box_offsets must rise from 0 to the number of boxes"),
    ({"box_offsets": [0, 2, 1]}, "box_offsets must rise from 0 to the number of boxes"),
    ({"box_offsets": [0, 0, 0]}, "box_offsets must rise from 0 to the number of boxes"),
    ({"call_offsets": [0]}, "call_offsets must rise from 0 to the number of call_entries"),
    ({"call_offsets": [0, 2]}, "call_offsets must rise from 0 to the number of call_entries"),
    ({"return_offsets": [0]}, "return_offsets must rise from 0 to the number of return_exits"),
    ({"return_offsets": [1, 1]}, "return_offsets must rise from 0 to the number of return_exits"),
    ({"edge_sources": [0]}, "edge_sources and edge_targets must be equally long"),
    ({"box_callee": [2]}, "box 0 calls component 2, which does not exist"),
    ({"box_callee": [-1]}, "box 0 calls component -1, which does not exist"),
    ({"call_entries": [3]}, "listed call 0 names node 3, which is not an entry of the callee"),
    ({"call_entries": [0]}, "listed call 0 names node 0, which is not an entry of the callee"),
    ({"call_entries": [-1]}, "listed call 0 names node -1, which is not an entry of the callee"),
    ({"return_exits": [2]}, "listed return 0 names node 2, which is not an exit of the callee"),
    ({"return_exits": [99]}, "listed return 0 names node 99, which is not an exit of the callee"),
    (
        {"edge_sources": [0, 6, 2]},
        "edge 1 starts at reference 6, which is neither a node nor a listed return",
    ),
    (
        {"edge_sources": [0, 4, 2]},
        "edge 1 starts at reference 4, which is neither a node nor a listed return",
    ),
    (
        {"edge_sources": [-1, 5, 2]},
        "edge 0 starts at reference -1, which is neither a node nor a listed return",
    ),
    (
        {"edge_targets": [4, 5, 3]},
        "edge 1 goes to reference 5, which is neither a node nor a listed call",
    ),
    (
        {"edge_targets": [4, -7, 3]},
        "edge 1 goes to reference -7, which is neither a node nor a listed call",
    ),
    ({"edge_targets": [4, 1, 0]}, "edge 2 leaves its component"),
    ({"edge_sources": [2, 5, 2]}, "edge 0 leaves its component"),
    ({"labels": {"p": [4]}}, "a label names node 4, which does not exist"),
    ({"labels": {"p": [-1]}}, "a label names node -1, which does not exist"),
    ({"labels": {"p": ["x"]}}, 'nodes of label "p" must be integers'),
    ({"labels": {"q": [0], "p\n": 7}}, 'nodes of label "p\\n" must be integers'),
    ({"labels": {"p": (0.5,)}}, 'nodes of label "p" must be integers'),
    ({"initial": [4]}, "initial node 4 is not one of the 4 nodes"),
    ({"initial": [-1]}, "initial node -1 is not one of the 4 nodes"),
    ({"initial": ["main"]}, "initial nodes must be a list of integers"),
    ({"initial": 0}, "initial nodes must be a list of integers"),
    ({"node_flags": 4}, "node_flags must be bytes, one for each node"),
    ({"node_flags": "abcd"}, "node_flags must be bytes, one for each node"),
    ({"node_flags": [1, 2, 256, 2]}, "node_flags must be bytes, one for each node"),
    ({"node_flags": np.array([1, 2, -1, 2])}, "node_flags must be bytes, one for each node"),
    ({"node_flags": np.zeros((2, 2), np.uint8)}, "node_flags must be a flat array of integers"),
    ({"edge_sources": None}, "edge_sources must be integers"),
    ({"edge_sources": 3}, "edge_sources must be integers"),
    ({"edge_sources": "abc"}, "edge_sources must be integers"),
    ({"edge_sources": np.array([0.0, 5.0, 2.0])}, "edge_sources must be integers"),
    ({"edge_sources": np.array([[0, 5, 2]])}, "edge_sources must be a flat array of integers"),
    ({"edge_sources": np.array([0, 5, 2], ">i4")}, "edge_sources must be a flat array"),
    ({"edge_sources": np.array([0, 5, 2], object)}, "edge_sources must be a flat array"),
    ({"names": Names([], [], [])}, "0 names for 2 components"),
    ({"names": Names("ab", "abc", "a")}, "3 names for 4 nodes"),
    ({"names": Names("ab", "abcd", "ab")}, "2 names for 1 boxes"),
]


@pytest.mark.parametrize(("changes", "message"), FAULTS)
def test_faults_are_explained(changes: dict[str, object], message: str):
    with pytest.raises(ModelError) as caught:
        build(**changes)
    assert caught.value.code == "P212"
    assert caught.value.message.startswith(message)


@pytest.mark.parametrize(
    ("names", "shown"),
    [
        (None, "exit 1 has successors"),
        (Names("ab", ["s", "bye\n", "i", "o"], "b"), 'exit "bye\\n" has successors'),
        (Names("ab", ["s"], "b"), "exit 1 has successors"),
    ],
)
def test_an_exit_with_successors(names: Names | None, shown: str):
    with pytest.raises(ModelError) as caught:
        build(edge_sources=[0, 5, 1], names=names)
    assert (caught.value.code, caught.value.message) == ("P209", shown)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"edge_sources": [0, 5, 2**31]}, "edge_sources must fit into 32 bits"),
        ({"edge_sources": [0, 5, -(2**70)]}, "edge_sources must fit into 32 bits"),
        ({"labels": {"p": [2**40]}}, 'nodes of label "p" must fit into 32 bits'),
        ({"labels": {"p": np.array([2**40])}}, 'nodes of label "p" must fit into 32 bits'),
        (
            {
                "node_flags": np.zeros(2**31, np.uint8)
            },  # the system gives zeros without storing them
            "2,147,483,650 nodes, edges or labels of nodes are more than the 2^31 - 1 that fit",
        ),
    ],
)
def test_too_large(changes: dict[str, object], message: str):
    with pytest.raises(ModelError) as caught:
        build(**changes)
    assert (caught.value.code, caught.value.message) == ("P213", message)


def test_names_too_long():
    """To reach it takes 2 GB of names, hence only the text."""
    error = explain_fault("long-names", 2**31, -1, None)
    text = "names of 2,147,483,648 bytes are more than the 2^31 - 1 that fit"
    assert (error.code, error.message) == ("P213", text)


def test_no_initial_node():
    with pytest.raises(ModelError) as caught:
        build(initial=[])
    assert (caught.value.code, caught.value.message) == ("P210", "the model has no initial node")


def test_the_arrays_may_change_afterwards():
    edges = array("i", GOOD["edge_targets"])
    model = build(edge_targets=edges)
    edges[0] = 1
    assert shape(model) == shape(build())


def test_made_up_names():
    model = build()
    assert [model.node_name(node) for node in range(6)] == [
        "c0:n0",
        "c0:n1",
        "c0:b0.n2",
        "c0:b0.n3",
        "c1:n2",
        "c1:n3",
    ]
    assert model.find("n3") == 5
    with pytest.raises(IndexError):
        model.names.nodes[4]
    with pytest.raises(IndexError):
        model.names.nodes[-1]


def test_a_million_nodes_without_an_object_each():
    count = 1_000_000
    began = time.process_time()
    numbers = np.arange(count, dtype=np.int32)
    model = RSM.from_arrays(
        component_offsets=np.arange(0, count + 1, 1000, dtype=np.int32),
        node_flags=np.zeros(count, np.uint8),
        edge_sources=numbers,
        edge_targets=numbers // 1000 * 1000 + (numbers + 1) % 1000,
        labels={"p": numbers[::10], "q": numbers[999:1000]},
        initial=[0],
    )
    assert time.process_time() - began < 30
    assert model.statistics.nodes == model.statistics.edges == count
    assert check(model, "AG (p -> EF q)").holds is True

    gc.collect()
    before = len(gc.get_objects())
    tracemalloc.start()
    again = model.with_initial([5])
    assert again.core is model.core
    copies = [build() for _ in range(3)]
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert len(copies) == 3
    assert kept < 50_000
    assert len(gc.get_objects()) - before < 200


def test_what_a_large_model_keeps_in_python():
    count = 200_000
    numbers = np.arange(count, dtype=np.int32)
    flags = np.zeros(count, np.uint8)
    offsets = np.array([0, count], np.int32)
    tracemalloc.start()
    model = RSM.from_arrays(
        component_offsets=offsets,
        node_flags=flags,
        edge_sources=numbers,
        edge_targets=numbers,
        labels={"p": numbers},
        initial=[0],
    )
    kept, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert model.core.nodes == count
    assert kept < 100_000
