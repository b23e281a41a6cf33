"""Sizes at which recursion or quadratic work would show."""

import time

import pytest

import pigro
from pigro.logic import parse

from support.agreement.ctl import ALL_ENGINES

FIRST, *OTHERS = sorted(ALL_ENGINES)


@pytest.fixture(params=[FIRST, *(pytest.param(each, marks=pytest.mark.long) for each in OTHERS)])
def engine(request):
    return ALL_ENGINES[request.param]


@pytest.fixture(scope="module")
def light():
    return pigro.kripke(
        {"red": ["green"], "green": ["red"]},
        labels={"green": ["go"], "red": ["halt"]},
        initial="red",
    )


@pytest.mark.parametrize(
    "text, truth",
    [
        (" & ".join(["EF go"] * 100_000), True),
        (" & ".join(f"!x{i}" for i in range(100_000)), True),
        ("!" * 100_001 + "halt", False),
        ("(" * 100_000 + "AG (go | halt)" + ")" * 100_000, True),
        (" -> ".join(["halt"] * 100_000 + ["go"]), False),
        (" <-> ".join(["EX go"] * 100_000), True),
        (" xor ".join(["AX halt"] * 99_999 + ["EX go"]), True),
        ("EF go & " + " & ".join(f"EX (go | x{i})" for i in range(30_000)), True),
        ("AG EF " * 127 + "go", True),
    ],
    ids=["and", "labels", "not", "brackets", "implies", "iff", "xor", "operators", "nesting"],
)
def test_100000_operators(engine, light, text, truth):
    began = time.process_time()
    assert engine(light, parse(text)).holds is truth
    assert time.process_time() - began < 120


def test_a_chain_of_100000_calls(engine):
    """c0 calls c1, which calls c2, and so on. Only the last one carries p. Every call returns."""
    count = 100_000
    model = chain(count)
    began = time.process_time()
    assert engine(model, parse("EF p")).holds is True
    assert engine(model, parse("AG (p -> AF done)")).holds is True
    assert engine(model, parse("EF (p & EG !done)")).holds is False
    assert time.process_time() - began < 120


def chain(count):
    """Component i: node 2i is its entry, node 2i + 1 its exit. Box i calls component i + 1."""
    nodes = 2 * count
    boxes = count - 1
    call = nodes
    returned = nodes + boxes
    return pigro.RSM.from_arrays(
        component_offsets=list(range(0, nodes + 1, 2)),
        node_flags=bytes([1, 2]) * count,
        box_offsets=[*range(count), count - 1],
        box_callee=list(range(1, count)),
        call_offsets=list(range(count)),
        call_entries=list(range(2, nodes, 2)),
        return_offsets=list(range(count)),
        return_exits=list(range(3, nodes + 1, 2)),
        edge_sources=[*range(0, nodes - 2, 2), *range(returned, returned + boxes), nodes - 2],
        edge_targets=[*range(call, call + boxes), *range(1, nodes - 2, 2), nodes - 1],
        labels={"p": [nodes - 2], "done": [1]},
        initial=[0],
    )


def test_a_million_nodes_from_buffers(engine):
    """A ring of 10^6 nodes from buffers: no object for each node, no recursion."""
    numpy = pytest.importorskip("numpy")
    count = 1_000_000
    ids = numpy.arange(count, dtype=numpy.int32)
    began = time.process_time()
    model = pigro.RSM.from_arrays(
        component_offsets=numpy.array([0, count], dtype=numpy.int32),
        node_flags=numpy.ones(count, dtype=numpy.uint8),
        edge_sources=ids,
        edge_targets=numpy.roll(ids, -1),
        labels={"p": ids[-1:]},
        initial=[0],
    )
    assert engine(model, parse("AG AF p")).holds is True
    assert engine(model, parse("AF (p & EX !p)")).holds is True
    assert time.process_time() - began < 60


def test_start_nodes_share_what_is_known_of_paths():
    """A table for each start node would be a square of time and memory."""
    count = 300
    names = [f"s{number}" for number in range(count)]
    steps = {name: [names[(at + 1) % count]] for at, name in enumerate(names)}
    model = pigro.kripke(steps, labels={"s0": ["p"], "s7": ["q"]}, initial=names)
    for formula, holds in {"A [G F p | F G q]": True, "A [G F p & F G q]": False}.items():
        verdict = pigro.check(model, formula, engine="demand")
        assert verdict.holds is holds
        assert verdict.stats.visited < 20 * count
