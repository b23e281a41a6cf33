"""Findings of a scan as text, JSON, and the formats of other tools."""
