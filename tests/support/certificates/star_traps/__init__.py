"""Small machines for CTL* on recursion. An engine with the named mistake decides each of them wrongly."""

from support.certificates.star_traps import found, marks, masks, relevance, ways
from support.certificates.star_traps.notation import Trap, machine_of

TRAPS = (*marks.TRAPS, *relevance.TRAPS, *found.TRAPS, *masks.TRAPS, *ways.TRAPS)

__all__ = ["TRAPS", "Trap", "machine_of"]
