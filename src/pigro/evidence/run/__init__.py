"""Runs and claims for LTL and CTL*, as evidence."""
