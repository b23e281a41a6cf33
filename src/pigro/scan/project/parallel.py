"""Checks rules in several processes, each a copy of this one, which has linked the program."""

from __future__ import annotations

import gc
from typing import TYPE_CHECKING, Any

from pigro.limits import LIMIT_ERRORS
from pigro.scan.findings import ScanStatistics
from pigro.scan.scanning import check_rules

if TYPE_CHECKING:
    from collections.abc import Iterable

    from pigro.rules import Rule
    from pigro.scan.findings import Finding
    from pigro.scan.scanning import Scan

    Places = list[list[tuple[int, Any]] | None]

_shared: list[Scan] = []
"""The scan that children copy. Only set while they are made."""


def check_in_processes(
    scan: Scan, rules: Iterable[Rule], jobs: int
) -> tuple[list[Finding], list[str]]:
    """As `check_rules`, with the same result."""
    rules = list(rules)
    if jobs == 1 or len(rules) < 2:
        return check_rules(scan, rules)
    try:
        scan.count()
    except LIMIT_ERRORS:
        return [], [each.id for each in rules]
    found: list[Finding] = []
    unfinished: list[str] = []
    _shared.append(scan)
    from pigro.limits.processes import pool_of_copies

    gc.freeze()
    try:
        with pool_of_copies(jobs) as pool:
            for rule, (mine, ended, statistics, places) in zip(
                rules, pool.map(_in_child, rules), strict=True
            ):
                found += mine
                scan.surveys.know(rule, places)
                unfinished += ended
                scan.statistics.sites.update(statistics.sites)
                scan.statistics.model_nodes += statistics.model_nodes
                scan.statistics.verified += statistics.verified
    finally:
        _shared.pop()
    return found, unfinished


def _in_child(rule: Rule) -> tuple[list[Finding], list[str], ScanStatistics, Places]:
    [scan] = _shared
    scan.statistics = ScanStatistics()
    found, unfinished = check_rules(scan, [rule])
    return found, unfinished, scan.statistics, scan.surveys.known(rule)
