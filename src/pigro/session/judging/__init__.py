"""Judges of results about compositions that have no evidence, but ways to finish the parts."""
