"""A program that arranges graphs by Graphviz: a line of JSON for each. Started by arranging.py.

The first line says that the program is ready. A graph is `{"nodes": [[width, height], ...],
"edges": [[from, to], ...]}`, and its answer has the places as arranging.py returns them. The memory
of a layout is not given back, because that crashed at times (pygraphviz 2.0.4). So the parent
starts a new process after some graphs.
"""

from __future__ import annotations

import json
import sys
import warnings

_INCH = 72.0
_MARGIN = 16.0


def main() -> None:
    """Answers lines until there are no more."""
    import pygraphviz  # type: ignore[import-not-found,import-untyped,unused-ignore]

    warnings.simplefilter("ignore")
    pygraphviz.graphviz.gvFreeLayout = lambda *_: None
    _write({"ready": True})
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        graph = pygraphviz.AGraph(string=dot_of(asked["nodes"], asked["edges"]))
        told = read_plain(graph.draw(format="plain", prog="dot").decode(), asked["edges"])
        _write(told)


def _write(told: dict[str, object]) -> None:
    sys.stdout.buffer.write(json.dumps(told).encode() + b"\n")
    sys.stdout.buffer.flush()


def dot_of(nodes: list[list[float]], edges: list[list[int]]) -> str:
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


def read_plain(text: str, edges: list[list[int]]) -> dict[str, object]:
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


if __name__ == "__main__":
    main()
