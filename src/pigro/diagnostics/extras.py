"""Hints about optional features, which need more packages."""


def with_extra(extra: str) -> str:
    """How to install the packages of an extra: from a clone, because no index has Pigro."""
    return f"in a clone of Pigro, run `pip install '.[{extra}]'`"
