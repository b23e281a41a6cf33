"""JSON for people and programs: as `json.dumps` indents it, but lists of plain values on one line.

Runs are long lists of numbers, which would otherwise be a column.
"""

from __future__ import annotations

import json

_PLAIN = (str, int, float, bool, type(None))


def json_text(value: object, *, ascii_only: bool = True, margin: str = "") -> str:
    """The text, without a line end. Values are dicts, lists and tuples, and plain ones.

    `margin` stands before each line.

    >>> print(json_text({"name": "a", "nodes": [1, 2], "stacks": [[0, 1], []]}))
    {
      "name": "a",
      "nodes": [1, 2],
      "stacks": [
        [0, 1],
        []
      ]
    }
    """
    encode = json.JSONEncoder(ensure_ascii=ascii_only, check_circular=False).encode
    pieces: list[str] = [margin]
    pending: list[str | tuple[object, str]] = [(value, f"\n{margin}")]
    while pending:
        at = pending.pop()
        if isinstance(at, str):
            pieces.append(at)
            continue
        each, indent = at
        if isinstance(each, dict):
            heads = [f"{encode(key)}: " for key in each]
            inner = list(zip(heads, each.values(), strict=True))
        elif isinstance(each, list | tuple) and not all(type(one) in _PLAIN for one in each):
            inner = [("", one) for one in each]
        else:
            pieces.append(encode(each))
            continue
        opened, closed = "{}" if isinstance(each, dict) else "[]"
        deeper = indent + "  "
        pending.append((indent if inner else "") + closed)
        for place in range(len(inner) - 1, -1, -1):
            head, one = inner[place]
            pending.append((one, deeper))
            pending.append((deeper if place == 0 else "," + deeper) + head)
        pieces.append(opened)
    return "".join(pieces)
