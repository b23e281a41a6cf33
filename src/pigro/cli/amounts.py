"""Amounts on the command line: `30s`, `2m`, `500ms`; `4G`, `500M`, `none`."""

from __future__ import annotations

import math
import re

import click

_AMOUNT = re.compile(r"(\d+(?:\.\d+)?)\s*([A-Za-z]*)")
_SECONDS = {"": 1.0, "ms": 0.001, "s": 1.0, "m": 60.0, "min": 60.0, "h": 3600.0}
_BYTES = {"k": 1e3, "m": 1e6, "g": 1e9, "t": 1e12}
_BYTES |= {f"{unit}b": size for unit, size in _BYTES.items()}
_BYTES |= {f"{unit}ib": 1024.0**power for power, unit in enumerate("kmgt", 1)}
_BYTES |= {"": 1.0, "b": 1.0}


class Amount(click.ParamType[float]):
    """A positive number with a unit."""

    def __init__(
        self, name: str, units: dict[str, float], example: str, none: str | None = None
    ) -> None:
        self.name = name
        self._none = none
        self._units = units
        self._example = example

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """The amount in seconds or bytes."""
        if isinstance(value, float):
            return value
        if self._none and str(value).strip().lower() == self._none:
            return math.inf
        match = _AMOUNT.fullmatch(str(value).strip())
        factor = self._units.get(match[2].lower()) if match else None
        if match is None or factor is None or float(match[1]) == 0:
            self.fail(f"{value!r} is no {self.name}; write for example {self._example}", param, ctx)
        return float(match[1]) * factor


DURATION = Amount("duration", _SECONDS, "500ms, 30s or 2m")
SIZE = Amount("size", _BYTES, "500M, 4G or none", "none")
