"""Readers ask before they take much memory, so that no limit is passed by a factor."""

import pytest

from pigro.formats import rsm_json, smv
from pigro.generate import ModelShape, random_model
from pigro.limits import Budget, Limits, OutOfMemory

MODEL = rsm_json.write(random_model(ModelShape(components=20, nodes=80), 1))
MODULE = b"MODULE main\nVAR x : 0..299999;\nASSIGN init(x) := 0; next(x) := (x + 1) mod 300000;\n"


def budget(memory):
    """Nothing counts but the memory that is about to be taken."""
    return Budget(Limits(memory=memory), resident=lambda: 0)


@pytest.mark.parametrize("read, data", [(rsm_json.read, MODEL), (smv.read, MODULE)])
def test_the_limit_is_reached_before_the_memory_is_taken(read, data):
    poll = budget(100_000).poll
    with pytest.raises(OutOfMemory):
        read(data, poll=poll).listed(poll)
    poll = budget(1_000_000_000).poll
    assert read(data, poll=poll).listed(poll).statistics.nodes > 1000
