"""A program that draws by Graphviz: a line of JSON for each drawing. Started by graphviz.py.

The first line says that the program is ready. A drawing is `{"dot": TEXT, "format": NAME}`, and its
answer `{"drawing": TEXT}`, or `{"error": TEXT}`. The memory of a layout is not given back, because
that crashed at times (pygraphviz 2.0.4).
"""

from __future__ import annotations

import json
import sys
import warnings


def main() -> None:
    """Answers lines until there are no more."""
    import pygraphviz  # type: ignore[import-not-found,import-untyped,unused-ignore]

    warnings.simplefilter("ignore")  # such as labels too wide for their shapes
    pygraphviz.graphviz.gvFreeLayout = lambda *_: None
    _write({"ready": True})
    for line in sys.stdin.buffer:
        asked = json.loads(line)
        try:
            graph = pygraphviz.AGraph(string=asked["dot"])
            _write({"drawing": graph.draw(format=asked["format"], prog="dot").decode()})
        except Exception as error:  # noqa: BLE001 - whatever it is, the parent tells
            text = f"{type(error).__name__}: {error}"
            _write({"error": text.strip().splitlines()[-1]})


def _write(answer: dict[str, object]) -> None:
    sys.stdout.buffer.write(json.dumps(answer).encode() + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main()
