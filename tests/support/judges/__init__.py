"""Decide by the definitions alone whether evidence, strategies, claims and sentences are true."""
