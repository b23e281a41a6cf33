"""`pigro explore`: a model in the browser."""

from pigro.cli.explore.command import explore

__all__ = ["explore"]
