"""Specifications of SMV as formulas over labels."""
