"""`pigro batch`: many models and questions, with a store of results."""

from pigro.cli.batch.command import batch

__all__ = ["batch"]
