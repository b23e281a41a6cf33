"""Runs of compositions and of systems, as evidence: with ways to finish the parts."""
