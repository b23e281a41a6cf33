"""Which version of the published algorithms runs: Pigro's, that of the paper, or that of its tool.

improved   sound, and builds fewer contexts: joint.py, reach.py, the cycle filter of expansion.py,
           and exits that also use what their operands say (refine.py)
printed    Alg. 1 to 7 of [Dubslaff2024] with nothing added. Only slips are mended (docs/slips.md)
tool       what the authors' tool RSMCheck computes: not sound (tool.py)
"""

from __future__ import annotations

from enum import StrEnum


class Variant(StrEnum):
    """By the name on the command line."""

    IMPROVED = "improved"
    PRINTED = "printed"
    TOOL = "tool"
