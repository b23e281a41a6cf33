"""For `compose.py` and `ctlstar.py`, and gone with them."""

from printing import ms, row, table

__all__ = ["ms", "row", "table"]
