"""The suites, by name, in the order in which they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.bench.suites.exits import Exits
from pigro.bench.suites.grid import Grid
from pigro.bench.suites.java import Java
from pigro.bench.suites.nesting import Nesting
from pigro.bench.suites.scale import Scale
from pigro.bench.suites.smv import Smv
from pigro.bench.suites.start import Start

if TYPE_CHECKING:
    from pigro.bench.suite import Suite

SUITES: dict[str, Suite] = {
    suite.name: suite for suite in (Java(), Grid(), Scale(), Exits(), Nesting(), Smv(), Start())
}
