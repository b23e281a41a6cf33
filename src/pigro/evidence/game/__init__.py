"""Strategies for models and the mu-calculus, as evidence."""
