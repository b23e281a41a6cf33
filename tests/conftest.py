"""Which tests `make test` runs, and which wait for `make test-all`.

`make test` runs tests without the mark `long`. `make test-all` runs tests with the mark `long` or `random`: those that
need minutes, and all cases of the random comparisons, of which `make test` takes a few
(tests/support/selection/cases.py).
"""

import os

from support.selection.cases import FEW_CASES, SEED
from support.selection.folders import mark_of

os.environ["PIGRO_SEED"] = str(SEED)  # for workers, which may begin after midnight


def pytest_itemcollected(item):
    if mark := mark_of(item.path):
        item.add_marker(mark)


def pytest_terminal_summary(terminalreporter):
    """Says how to get the same random cases, if any test failed."""
    if terminalreporter.stats.get("failed") or terminalreporter.stats.get("error"):
        some = "few" if FEW_CASES else "all"
        terminalreporter.write_line(f"random cases: PIGRO_CASES={some} PIGRO_SEED={SEED}")
