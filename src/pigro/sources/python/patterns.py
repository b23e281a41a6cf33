"""Patterns of `match`: what they bind, and which always match."""

from __future__ import annotations

import ast
from typing import Any


def binds(pattern: Any) -> list[str]:
    """The names that a pattern binds, in order."""
    found = []
    for each in ast.walk(pattern):
        name = each.rest if isinstance(each, ast.MatchMapping) else getattr(each, "name", None)
        if isinstance(each, (ast.MatchAs, ast.MatchStar, ast.MatchMapping)) and name:
            found.append(name)
    return found


def is_certain(pattern: Any) -> bool:
    """Whether a pattern matches everything."""
    if isinstance(pattern, ast.MatchAs):
        return pattern.pattern is None or is_certain(pattern.pattern)
    return isinstance(pattern, ast.MatchOr) and any(map(is_certain, pattern.patterns))
