"""A small run of `make batchsoak`: processes are killed, and no answer is lost or wrong."""

import pytest

from soak.batches import soak


@pytest.mark.long
def test_local_workers():
    _, wrong = soak(400, ["--jobs", "2"], (2, 1), seed=3)
    assert wrong == []


@pytest.mark.long
def test_a_cluster():
    pytest.importorskip("distributed", reason="distributed is not installed")
    _, wrong = soak(200, ["--cluster", "local:2"], (1, 1), seed=4)
    assert wrong == []
