"""The text about parts that are not finished, or that refine others."""
