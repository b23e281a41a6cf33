"""Judges of evidence about compositions that is no strategy: runs, and refinements."""
