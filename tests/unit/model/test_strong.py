"""Strong components of graphs."""

from pigro.model.calls import cycles


def test_cycles():
    assert list(cycles([])) == []
    assert list(cycles([[0]])) == [[0]]
    assert list(cycles([[1], []])) == []
    assert sorted(map(sorted, cycles([[1], [2], [0, 3], [4], [3], [5, 0]]))) == [
        [0, 1, 2],
        [3, 4],
        [5],
    ]
    ring = [[(node + 1) % 50_000] for node in range(50_000)]
    assert len(next(iter(cycles(ring)))) == 50_000
