"""Paths and claims for CTL, as evidence: they are read off certificates."""
