"""Runs of compositions, as evidence: with ways to finish the parts."""
