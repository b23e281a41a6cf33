"""The suites, by name, in the order in which they run."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pigro.bench.suites.compose import Compose
from pigro.bench.suites.ctlstar import CTLStar
from pigro.bench.suites.exits import Exits
from pigro.bench.suites.grid import Grid
from pigro.bench.suites.increment import Increment
from pigro.bench.suites.java import Java
from pigro.bench.suites.loading import Loading
from pigro.bench.suites.mu import MuCalculus
from pigro.bench.suites.nesting import Nesting
from pigro.bench.suites.ondemand import OnDemandSuite
from pigro.bench.suites.peers.suite import Peers
from pigro.bench.suites.processes.bare import Bare
from pigro.bench.suites.processes.batch import Batch
from pigro.bench.suites.processes.start import Start
from pigro.bench.suites.pumoc import Pumoc
from pigro.bench.suites.recursion import Recursion
from pigro.bench.suites.scale import Scale
from pigro.bench.suites.scan import ScanSuite
from pigro.bench.suites.seeds import Seeds
from pigro.bench.suites.smv import Smv
from pigro.bench.suites.usedef import UseDefSuite

if TYPE_CHECKING:
    from pigro.bench.suite import Suite

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
