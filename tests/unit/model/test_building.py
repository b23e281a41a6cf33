"""`RSM.from_arrays` can be stopped, and says how much memory it is about to take."""

from array import array

import pytest

from pigro import RSM
from pigro.formats import binary
from pigro.limits import Budget, Limits, OutOfMemory

NODES = 50_000
BYTES = NODES * (2 + 7 * 4) + (NODES - 1) * 2 * 4
"""What the nodes and the edges take at least."""


class Enough(Exception):
    pass


def chain(**options):
    return RSM.from_arrays(
        component_offsets=[0, NODES],
        node_flags=bytes(NODES),
        edge_sources=array("i", range(NODES - 1)),
        edge_targets=array("i", range(1, NODES)),
        labels={},
        initial=[0],
        **options,
    )


def budget(memory):
    """Nothing counts but the memory that is about to be taken."""
    return Budget(Limits(memory=memory), resident=lambda: 0)


def test_a_poll_can_stop_it():
    def poll():
        raise Enough

    with pytest.raises(Enough):
        chain(poll=poll)


def test_the_memory_is_announced():
    with pytest.raises(OutOfMemory):
        chain(poll=budget(BYTES - 1).poll)
    assert chain(poll=budget(BYTES).poll).core.nodes == NODES


def test_the_memory_of_a_binary_file_is_announced():
    data = binary.write(chain())
    with pytest.raises(OutOfMemory):
        binary.read(data, poll=budget(BYTES - 1).poll)
    assert binary.read(data, poll=budget(BYTES).poll).core.nodes == NODES
