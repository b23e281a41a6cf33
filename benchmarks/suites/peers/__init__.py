"""Pigro beside other tools: the same questions, asked in their words."""
