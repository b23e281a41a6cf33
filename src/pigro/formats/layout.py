"""A program: DOT on standard input to SVG on standard output, by Graphviz. Started by svg.py.

The memory of the layout is not given back: the process ends anyway, and freeing it crashed at
times (pygraphviz 2.0.4).
"""

from __future__ import annotations

import os
import sys
import warnings


def main() -> None:
    """Draws, and ends the process."""
    import pygraphviz  # type: ignore[import-not-found,import-untyped,unused-ignore]

    warnings.simplefilter("ignore")  # such as labels too wide for their shapes
    pygraphviz.graphviz.gvFreeLayout = lambda *_: None
    graph = pygraphviz.AGraph(string=sys.stdin.buffer.read().decode())
    sys.stdout.buffer.write(graph.draw(format="svg", prog="dot"))
    sys.stdout.buffer.flush()
    os._exit(0)  # nothing to tidy up


if __name__ == "__main__":
    main()
