"""Amounts of time and memory as people write them, such as `30s` and `2G`."""

from __future__ import annotations

import re

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")
SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
BYTES = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
BYTES |= {f"{unit}b": size for unit, size in BYTES.items()}
BYTES |= {f"{unit}ib": 1024.0**power for power, unit in enumerate("kmgt", 1)}
BYTES |= {"": 1.0, "b": 1.0}


def read_amount(text: str, units: dict[str, float]) -> float | None:
    """The amount in seconds or bytes. None if the text is not an amount, or is 0."""
    match = _AMOUNT.fullmatch(text.strip())
    factor = units.get(match[2].lower()) if match else None
    if match is None or factor is None or float(match[1]) == 0:
        return None
    return float(match[1]) * factor
