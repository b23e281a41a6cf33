"""Places of a drawing by Graphviz. Its process stays for the next drawing."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING

from pigro.diagnostics import UsageError
from pigro.formats.graphviz import GraphvizFailed, GraphvizProcess, has_graphviz
from pigro.limits import Budget, Limits, OutOfTime

if TYPE_CHECKING:
    from collections.abc import Sequence

    from pigro.limits import Poll

_INCH = 72.0
_MARGIN = 16.0
_TO_START, _SECONDS = 20.0, 0.5
"""For the process to be ready, and for one drawing. Then the page arranges the drawing itself."""
_GRAPHS = 500
"""Drawings of one process, which does not give their memory back."""
MOST_NODES, MOST_EDGES = 400, 4000
_LARGEST = 2000


class Arranger:
    """Arranges drawings, one after the other."""

    def __init__(self) -> None:
        self.is_there = has_graphviz()
        self._lock = threading.Lock()
        self._graphviz: GraphvizProcess | None = None
        self._made = 0

    def start(self) -> None:
        """Starts the process, so that it is ready when the first drawing is asked for."""
        if self.is_there and self._graphviz is None and self._lock.acquire(blocking=False):
            try:
                self._graphviz = GraphvizProcess()
            finally:
                self._lock.release()

    def places(self, nodes: object, edges: object) -> dict[str, object]:
        """The places of nodes `[width, height]`, and routes of edges `[from, to]`.

        Nothing where there is no Graphviz, or where it fails or takes long. `UsageError` P006 if
        the request is wrong.
        """
        sizes, pairs = _rows(nodes, MOST_NODES), _rows(edges, MOST_EDGES)
        if any(not 1 <= each <= _LARGEST for row in sizes for each in row) or any(
            not 0 <= each < len(sizes) for row in pairs for each in row
        ):
            raise UsageError("P006", "there is no drawing of this size")
        if not self.is_there or not sizes:
            return {}
        with self._lock:
            plain = self._arranged(dot_of(sizes, pairs))
        return {} if plain is None else read_plain(plain, pairs)

    def close(self) -> None:
        """Ends the process."""
        graphviz, self._graphviz = self._graphviz, None
        if graphviz is not None:
            graphviz.close()

    def _arranged(self, drawing: str) -> str | None:
        """What Graphviz says of a drawing. None if it fails, or takes too long."""
        try:
            graphviz = self._graphviz = self._graphviz or GraphvizProcess()
            if not self._made:
                graphviz.wait_until_ready(_deadline(_TO_START))
            self._made += 1
            found = graphviz.draw(drawing, "plain", _deadline(_SECONDS))
        except (OSError, GraphvizFailed, OutOfTime):
            found = None
        if found is None or self._made >= _GRAPHS:
            self.close()
            self._made = 0
        return found


def _deadline(seconds: float) -> Poll:
    """Raises `OutOfTime` after that time."""
    return Budget(Limits(seconds=seconds, memory=math.inf)).poll


def _rows(given: object, most: int) -> Sequence[Sequence[int]]:
    """Pairs of numbers, at most so many. `UsageError` P006 if they are none."""
    if isinstance(given, list) and len(given) <= most:
        pairs = [row for row in given if isinstance(row, list) and len(row) == 2]
        if len(pairs) == len(given) and all(type(each) is int for row in pairs for each in row):
            return pairs
    raise UsageError("P006", "a drawing has pairs of numbers, and not too many")


def dot_of(nodes: Sequence[Sequence[float]], edges: Sequence[Sequence[int]]) -> str:
    """The graph in DOT: numbers only. An edge from a node to itself is left out."""
    lines = [
        "digraph {",
        "nslimit=3; mclimit=0.5;",
        'node [shape=box fixedsize=true label=""]; edge [dir=none];',
    ]
    lines += [
        f"{at} [width={width / _INCH:.4f} height={height / _INCH:.4f}];"
        for at, (width, height) in enumerate(nodes)
    ]
    lines += [f"{first} -> {second};" for first, second in edges if first != second]
    return "\n".join([*lines, "}"])


def read_plain(text: str, edges: Sequence[Sequence[int]]) -> dict[str, object]:
    """Places in pixels, downwards from the top, from Graphviz's plain format."""
    places: dict[int, tuple[float, float]] = {}
    routes: dict[tuple[int, int], list[tuple[float, float]]] = {}
    width = height = 0.0

    def point(x: str, y: str) -> tuple[float, float]:
        return (
            round(float(x) * _INCH + _MARGIN, 1),
            round(height - float(y) * _INCH + _MARGIN, 1),
        )

    for line in text.splitlines():
        kind, *words = line.split()
        if kind == "graph":
            width, height = float(words[1]) * _INCH, float(words[2]) * _INCH
        elif kind == "node":
            places[int(words[0])] = point(words[1], words[2])
        elif kind == "edge":
            end = 3 + 2 * int(words[2])
            numbers = words[3:end]
            key = int(words[0]), int(words[1])
            routes[key] = [point(*pair) for pair in zip(numbers[::2], numbers[1::2], strict=True)]
    return {
        "places": [places[at] for at in sorted(places)],
        "routes": [routes.get((first, second)) for first, second in edges],
        "width": width + 2 * _MARGIN + 24,
        "height": height + 2 * _MARGIN,
    }
