"""The suites, by name, in the order in which they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from benchmarks.suites.compose import Compose
from benchmarks.suites.ctlstar import CTLStar
from benchmarks.suites.exits import Exits
from benchmarks.suites.grid import Grid
from benchmarks.suites.increment import Increment
from benchmarks.suites.java import Java
from benchmarks.suites.loading import Loading
from benchmarks.suites.mu import MuCalculus
from benchmarks.suites.nesting import Nesting
from benchmarks.suites.ondemand import OnDemandSuite
from benchmarks.suites.peers.suite import Peers
from benchmarks.suites.processes.bare import Bare
from benchmarks.suites.processes.batch import Batch
from benchmarks.suites.processes.start import Start
from benchmarks.suites.pumoc import Pumoc
from benchmarks.suites.recursion import Recursion
from benchmarks.suites.scale import Scale
from benchmarks.suites.scan import ScanSuite
from benchmarks.suites.seeds import Seeds
from benchmarks.suites.smv import Smv
from benchmarks.suites.usedef import UseDefSuite

if TYPE_CHECKING:
    from benchmarks.suite import Suite

SUITES: dict[str, Suite] = {
    suite.name: suite
    for suite in (
        Start(),
        Loading(),
        Bare(),
        Java(),
        Seeds(),
        UseDefSuite(),
        Grid(),
        Pumoc(),
        Scale(),
        Exits(),
        Nesting(),
        Smv(),
        OnDemandSuite(),
        Increment(),
        CTLStar(),
        Recursion(),
        MuCalculus(),
        Compose(),
        ScanSuite(),
        Batch(),
        Peers(),
    )
}
