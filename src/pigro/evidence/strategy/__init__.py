"""Strategies for compositions of parts, as evidence."""
